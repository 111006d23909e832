"""Arena-Hard-Auto's protocols: two games with swapped sides and a label of five."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from ifbench_tui.engine.judged.verdicts import arena_v01_label, arena_v2_label
from ifbench_tui.judge.call import Call, Message, Reply
from ifbench_tui.judge.errors import InputError
from ifbench_tui.judge.own_templates import ARENA_CONTINUE
from ifbench_tui.judge.protocol import Judging, Reading, read_verdict
from ifbench_tui.judge.questions import Question, only
from ifbench_tui.judge.run import Result, Steps, Task
from ifbench_tui.judge.templates import ARENA_CREATIVE_ROLE, ARENA_ROLE

__all__ = ["arena_v01_tasks", "arena_v2_tasks"]

_ANY_LABEL = re.compile(r"\[\[[AB<>=]+\]\]")
_CREATIVE = "creative_writing"
_LEGACY_BASELINE = "gpt-4-0314"
_BASELINES: Mapping[str, str] = MappingProxyType(
    {
        "hard_prompt": "o3-mini-2025-01-31",
        "coding": "o3-mini-2025-01-31",
        "math": "o3-mini-2025-01-31",
        _CREATIVE: "gemini-2.0-flash-001",
        "arena-hard-v0.1": _LEGACY_BASELINE,
    }
)


def arena_v2_tasks(judging: Judging) -> list[Task]:
    """v2.0: the baseline is that of the question's category. Raises `InputError`."""
    return _tasks(judging, _v2, {name: judging.baseline or one for name, one in _BASELINES.items()})


def arena_v01_tasks(judging: Judging) -> list[Task]:
    """v0.1: a judge that gives no label is asked once more. Raises `InputError`."""
    return _tasks(judging, _v01, dict.fromkeys(_BASELINES, judging.baseline or _LEGACY_BASELINE))


def _tasks(
    judging: Judging,
    steps: Callable[[Judging, Question, str, str], Steps],
    baselines: Mapping[str, str],
) -> list[Task]:
    material = judging.material
    fallback = judging.baseline or baselines["arena-hard-v0.1"]
    used = {
        key: baselines.get(question.category, fallback)
        for key, question in material.questions.items()
    }
    for name in dict.fromkeys(used.values()):
        if name not in material.answers:
            known = ", ".join(material.answers) or "none"
            raise InputError(
                f"there are no answers of the baseline {name!r} (loaded: {known}); name its file "
                "too, or another model with --baseline"
            )
    return [
        Task(f"{key}: {model}", partial(steps, judging, question, model, used[key]))
        for model in only(material.answers, judging.models, "model")
        for key, question in material.questions.items()
        if model != used[key]
        and key in material.answers[model]
        and key in material.answers[used[key]]
    ]


def _calls(
    judging: Judging, question: Question, model: str, baseline: str, max_tokens: int
) -> list[Call]:
    """Game 1 shows the baseline as A, game 2 the model."""
    role = ARENA_CREATIVE_ROLE if question.category == _CREATIVE else ARENA_ROLE
    template = judging.templates[role]
    answers = judging.material.answers
    calls = []
    for a, b in ((baseline, model), (model, baseline)):
        values = {
            "prompt": "\n".join(question.turns),
            "answer_a": "\n".join(answers[a][question.key]),
            "answer_b": "\n".join(answers[b][question.key]),
        }
        calls.append(judging.call(template.messages(values), 0.0, max_tokens))
    return calls


def _v2(judging: Judging, question: Question, model: str, baseline: str) -> Steps:
    calls = _calls(judging, question, model, baseline, 16000)
    replies = yield calls
    readings = [read_verdict(reply, arena_v2_label, judging) for reply in replies]
    games = []
    for call, reply, reading in zip(calls, replies, readings, strict=True):
        judgment = {"answer": reply.text, **({"thought": reply.thought} if reply.thought else {})}
        prompt = [{"role": role, "content": text} for role, text in call.messages]
        game = {"score": reading.stored, "judgment": judgment, "prompt": prompt}
        games.append(game if reply.text else None)
    row = {
        "uid": question.id,
        "category": question.category,
        "judge": judging.judge,
        "model": model,
        "baseline": baseline,
        "games": games,
        "outcomes": [reading.outcome for reading in readings],
        "tstamp": max(reply.at for reply in replies),
    }
    return Result(row, tuple(reading.outcome for reading in readings))


def _v01(judging: Judging, question: Question, model: str, baseline: str) -> Steps:
    calls = _calls(judging, question, model, baseline, 4096)
    replies = yield calls
    texts = [reply.text for reply in replies]
    readings = [read_verdict(reply, arena_v01_label, judging) for reply in replies]
    unlabelled = [
        index
        for index, reply in enumerate(replies)
        if reply.ok and reply.text and not _ANY_LABEL.search(reply.text)
    ]
    if unlabelled:
        more = yield [_continued(judging, calls[index], texts[index]) for index in unlabelled]
        for index, reply in zip(unlabelled, more, strict=True):
            texts[index] = f"{texts[index]}\n{reply.text}"
            readings[index] = read_verdict(reply, arena_v01_label, judging, texts[index])
    return Result(
        {
            "question_id": question.id,
            "model": model,
            "judge": judging.judge,
            "games": [_v01_game(*one) for one in zip(calls, replies, texts, readings, strict=True)],
            "outcomes": [reading.outcome for reading in readings],
            "tstamp": max(reply.at for reply in replies),
        },
        tuple(reading.outcome for reading in readings),
    )


def _v01_game(call: Call, reply: Reply, text: str, reading: Reading) -> dict[str, Any] | None:
    if not reply.text:
        return None
    return {"user_prompt": call.messages[-1][1], "judgment": text, "score": reading.stored}


def _continued(judging: Judging, call: Call, text: str) -> Call:
    messages: Sequence[Message] = (
        *call.messages,
        ("assistant", text),
        ("user", ARENA_CONTINUE),
    )
    return judging.call(messages, call.temperature, call.max_tokens)
