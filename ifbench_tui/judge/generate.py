"""Responses of a model to prompts of any kind, each row in the shape of its benchmark."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from ifbench_tui.judge.call import PAID, Call, Message, Reply
from ifbench_tui.judge.errors import InputError
from ifbench_tui.judge.run import Result, Steps, Task

__all__ = ["TEMPERATURES", "Asked", "Generating", "asked", "generate_tasks"]

TEMPERATURES: Mapping[str, float] = MappingProxyType(
    {
        "writing": 0.7,
        "roleplay": 0.7,
        "extraction": 0.0,
        "math": 0.0,
        "coding": 0.0,
        "reasoning": 0.0,
        "stem": 0.1,
        "humanities": 0.1,
    }
)
"""MT-Bench's temperatures by category (spec 2.7)."""

_OTHER = 0.7
_MT_TOKENS = 1024
_TOKENS = 4096

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Generating:
    """Which model answers, how it is called in the file, and settings other than the usual.

    Temperature: a question's `required_temperature`, else MT-Bench's by category, else 0.
    """

    model: str
    name: str
    temperature: float | None = None
    max_tokens: int | None = None
    system: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt: its user turns, the temperature and limit of its kind, and how its row is made."""

    name: str
    turns: tuple[str, ...]
    temperature: float
    max_tokens: int
    row: Callable[[str, Sequence[Reply]], dict[str, Any]]


def asked(row: Row) -> Asked | None:
    """The prompt in a row, told by its fields; None where there is none.

    MT-Bench and Arena-Hard v0.1: turns. Arena-Hard v2.0: uid and prompt. AlpacaEval:
    instruction. Any other: prompt.
    """
    turns = row.get("turns")
    if isinstance(turns, list) and turns and "question_id" in row:
        if all(isinstance(one, str) for one in turns):
            return _mt_bench(row, tuple(turns))
        texts = [one.get("content") for one in turns if isinstance(one, dict)]
        if len(texts) == len(turns) and all(isinstance(one, str) for one in texts):
            row_of = partial(_legacy_row, row)
            return Asked(str(row["question_id"]), tuple(map(str, texts)), 0.0, _TOKENS, row_of)
        return None
    for name, make in (("instruction", _alpaca_row), ("prompt", _prompt_row)):
        text = row.get(name)
        if isinstance(text, str) and text:
            arena = name == "prompt" and "uid" in row
            row_of = partial(_arena_row if arena else make, row)
            key = row.get("uid", row.get("key", row.get("id", text[:40])))
            return Asked(str(key), (text,), 0.0, _TOKENS, row_of)
    return None


def _mt_bench(row: Row, turns: tuple[str, ...]) -> Asked:
    category = row.get("category")
    temperature = TEMPERATURES.get(category, _OTHER) if isinstance(category, str) else _OTHER
    required = row.get("required_temperature")
    if isinstance(required, int | float) and not isinstance(required, bool):
        temperature = float(required)
    return Asked(
        str(row["question_id"]), turns, temperature, _MT_TOKENS, partial(_fastchat_row, row)
    )


def generate_tasks(rows: Sequence[Asked], settings: Generating) -> list[Task]:
    """A task for each prompt. Raises `InputError` where there is none."""
    if not rows:
        raise InputError("there are no prompts in the files")
    return [Task(one.name, partial(_steps, one, settings)) for one in rows]


def _steps(asked: Asked, settings: Generating) -> Steps:
    """All turns in one conversation, each after the model's own answer to the one before."""
    messages: list[Message] = [("system", settings.system)] if settings.system else []
    replies: list[Reply] = []
    for turn in asked.turns:
        messages.append(("user", turn))
        (reply,) = yield [_call(asked, settings, messages)]
        replies.append(reply)
        # A response that never came is missing, not empty: it is left out of the file.
        if reply.outcome not in PAID:
            return Result(None, tuple(one.outcome for one in replies))
        messages.append(("assistant", reply.text))
    row = asked.row(settings.name, replies)
    outcomes = tuple(one.outcome for one in replies)
    if set(outcomes) != {"ok"}:
        row["outcome"] = next(one for one in outcomes if one != "ok")
    return Result(row, outcomes)


def _call(asked: Asked, settings: Generating, messages: Sequence[Message]) -> Call:
    temperature, limit = settings.temperature, settings.max_tokens
    return Call(
        settings.model,
        tuple(messages),
        asked.temperature if temperature is None else temperature,
        asked.max_tokens if limit is None else limit,
    )


# ---- rows --------------------------------------------------------------------------------------


def _identity(*parts: str) -> str:
    """An id of an answer that is the same whenever the same answer is written."""
    return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()[:22]


def _fastchat_row(row: Row, model: str, replies: Sequence[Reply]) -> dict[str, Any]:
    texts = [reply.text for reply in replies]
    return {
        "question_id": row["question_id"],
        "answer_id": _identity(model, *texts),
        "model_id": model,
        "choices": [{"index": 0, "turns": texts}],
        "tstamp": replies[-1].at,
    }


def _legacy_row(row: Row, model: str, replies: Sequence[Reply]) -> dict[str, Any]:
    turns = [{"content": one.text, "token_len": one.completion_tokens or 0} for one in replies]
    made = _fastchat_row(row, model, replies)
    return made | {"choices": [{"index": 0, "turns": turns}]}


def _arena_row(row: Row, model: str, replies: Sequence[Reply]) -> dict[str, Any]:
    (reply,) = replies
    thought = {"thought": reply.thought} if reply.thought else {}
    return {
        "uid": row["uid"],
        "ans_id": _identity(model, reply.text),
        "model": model,
        "messages": [
            {"role": "user", "content": row["prompt"]},
            {"role": "assistant", "content": {**thought, "answer": reply.text}},
        ],
        "tstamp": reply.at,
    }


def _alpaca_row(row: Row, model: str, replies: Sequence[Reply]) -> dict[str, Any]:
    kept = {name: row[name] for name in ("dataset", "datasplit") if name in row}
    return {
        **kept,
        "instruction": row["instruction"],
        "output": replies[0].text,
        "generator": model,
    }


def _prompt_row(row: Row, model: str, replies: Sequence[Reply]) -> dict[str, Any]:
    key = row.get("key", row.get("id"))
    return {
        **({} if key is None else {"key": key}),
        "prompt": row["prompt"],
        "response": replies[0].text,
        "model": model,
    }
