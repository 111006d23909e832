"""MT-Bench's protocols: single grading and pairs with swapped sides, with references or without."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import Any

from ifbench_tui.engine.judged.mt_bench import REFERENCE_CATEGORIES
from ifbench_tui.engine.judged.verdicts import MISSING_RATING, mt_pair, mt_single
from ifbench_tui.judge.call import Reply
from ifbench_tui.judge.errors import InputError, TemplateError
from ifbench_tui.judge.protocol import FAILED_TEXT, Judging, Reading, read_verdict
from ifbench_tui.judge.questions import Question, only
from ifbench_tui.judge.run import Result, Steps, Task
from ifbench_tui.judge.templates import Role, Template

__all__ = ["pair_tasks", "single_tasks", "unguided"]

_TEMPERATURE = 0.0
_MAX_TOKENS = 2048


def single_tasks(judging: Judging) -> list[Task]:
    """A rating of each turn of each answer. Raises `InputError`, `TemplateError`."""
    tasks = []
    for model in only(judging.material.answers, judging.models, "model"):
        for question, turn in _turns(judging, model):
            template = _template(judging, "single", question, turn)
            steps = partial(_single, judging, model, question, turn, template)
            tasks.append(Task(f"{question.key} turn {turn}: {model}", steps))
    return tasks


def pair_tasks(judging: Judging) -> list[Task]:
    """Two games with swapped sides for each turn of each pair: all against the baseline where one
    is named, else all pairs. Raises `InputError`, `TemplateError`."""
    models = only(judging.material.answers, judging.models, "model")
    if judging.baseline is not None:
        only(judging.material.answers, [judging.baseline], "model (the baseline)")
        pairs = [(one, judging.baseline) for one in models if one != judging.baseline]
    else:
        pairs = list(combinations(models, 2))
    if not pairs:
        raise InputError("pairs need the answers of two models")
    tasks = []
    for one, other in pairs:
        there = {(question.key, turn) for question, turn in _turns(judging, other)}
        for question, turn in _turns(judging, one):
            if (question.key, turn) in there:
                template = _template(judging, "pairwise", question, turn)
                steps = partial(_pair, judging, (one, other), question, turn, template)
                tasks.append(Task(f"{question.key} turn {turn}: {one} against {other}", steps))
    return tasks


def unguided(judging: Judging) -> int:
    """How many questions of categories that are judged with a reference answer have none."""
    return sum(
        question.category in REFERENCE_CATEGORIES and not judging.references.get(key)
        for key, question in judging.material.questions.items()
    )


def _turns(judging: Judging, model: str) -> Iterator[tuple[Question, int]]:
    answers = judging.material.answers.get(model, {})
    for question in judging.material.questions.values():
        given = answers.get(question.key, ())
        if given:
            yield question, 1
        if len(given) > 1 and len(question.turns) == 2:
            yield question, 2


def _template(judging: Judging, kind: str, question: Question, turn: int) -> Template:
    given = judging.references.get(question.key, ())
    guided = question.category in REFERENCE_CATEGORIES and len(given) >= turn
    role = Role(kind, turn, guided)
    if role not in judging.templates:
        raise TemplateError(f"there is no template for: {role} (question {question.key})")
    return judging.templates[role]


def _values(
    judging: Judging, question: Question, turn: int, sides: dict[str, str]
) -> dict[str, str]:
    """Values of all fields; `sides` maps the name of an answer's field to the model."""
    values = {f"question_{n}": text for n, text in enumerate(question.turns, start=1)}
    values["question"] = question.turns[0]
    references = judging.references.get(question.key, ())
    values |= {f"ref_answer_{n}": text for n, text in enumerate(references[:turn], start=1)}
    for name, model in sides.items():
        turns = judging.material.answers[model][question.key]
        values[name] = turns[0]
        values |= {f"{name}_{n}": text for n, text in enumerate(turns[:turn], start=1)}
    return values


def _single(
    judging: Judging, model: str, question: Question, turn: int, template: Template
) -> Steps:
    values = _values(judging, question, turn, {"answer": model})
    call = judging.call(template.messages(values), _TEMPERATURE, _MAX_TOKENS)
    (reply,) = yield [call]
    reading = read_verdict(reply, mt_single, judging)
    row: dict[str, Any] = {
        "question_id": question.id,
        "model": model,
        "judge": [judging.judge, template.name],
        "user_prompt": call.messages[-1][1],
        "judgment": _judgment(reply),
        "score": MISSING_RATING if reading.stored is None else reading.stored,
        "turn": turn,
        "tstamp": reply.at,
        "outcome": reading.outcome,
    }
    if reading.flags:
        row["flags"] = list(reading.flags)
    return Result(row, (reading.outcome,))


def _pair(
    judging: Judging,
    models: tuple[str, str],
    question: Question,
    turn: int,
    template: Template,
) -> Steps:
    calls = []
    for first, second in (models, models[::-1]):
        sides = {"answer_a": first, "answer_b": second}
        values = _values(judging, question, turn, sides)
        calls.append(judging.call(template.messages(values), _TEMPERATURE, _MAX_TOKENS))
    replies = yield calls
    readings = [read_verdict(reply, mt_pair, judging) for reply in replies]
    row: dict[str, Any] = {
        "question_id": question.id,
        "model_1": models[0],
        "model_2": models[1],
        "g1_winner": _winner(readings[0], ("model_1", "model_2")),
        "g2_winner": _winner(readings[1], ("model_2", "model_1")),
        "judge": [judging.judge, template.name],
    }
    for game, (call, reply, reading) in enumerate(
        zip(calls, replies, readings, strict=True), start=1
    ):
        row[f"g{game}_user_prompt"] = call.messages[-1][1]
        row[f"g{game}_judgment"] = _judgment(reply)
        row[f"g{game}_outcome"] = reading.outcome
        if reading.flags:
            row[f"g{game}_flags"] = list(reading.flags)
    row |= {"turn": turn, "tstamp": max(reply.at for reply in replies)}
    return Result(row, tuple(reading.outcome for reading in readings))


def _winner(reading: Reading, sides: tuple[str, str]) -> str:
    if reading.stored is None:
        return "error"
    return {"A": sides[0], "B": sides[1]}.get(str(reading.stored), str(reading.stored))


def _judgment(reply: Reply) -> str:
    return reply.text or FAILED_TEXT
