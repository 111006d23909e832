"""Questions and answers out of files of any of the judged benchmarks, with every row accounted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ifbench_tui.formats.fields import key_of
from ifbench_tui.formats.limits import Limits, LoadOptions
from ifbench_tui.formats.lines import BadRow, Note
from ifbench_tui.formats.names import model_name
from ifbench_tui.formats.opening import open_table
from ifbench_tui.formats.source import Source, SourceError
from ifbench_tui.formats.walk import files_of
from ifbench_tui.judge.errors import InputError

__all__ = [
    "Material",
    "Question",
    "in_vain",
    "only",
    "read_material",
    "read_rows",
    "with_first",
]

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked. `id` is as the file has it; `data` is the whole row."""

    key: str
    id: Any
    category: str
    turns: tuple[str, ...]
    data: Row


@dataclass(slots=True)
class Material:
    """Questions by key in file order, answers by model and key as turns, and what was not used;
    `files` gave something."""

    questions: dict[str, Question] = field(default_factory=dict)
    answers: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    rows: dict[str, dict[str, Row]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    files: set[str] = field(default_factory=set)


def read_rows(
    paths: Sequence[str], problems: list[str], limits: Limits | None = None
) -> Iterable[tuple[str, int, Row]]:
    """(path, line, row) of every row of all files; what cannot be read goes to `problems`."""
    options = LoadOptions(limits=limits or Limits())
    for found in files_of(paths):
        try:
            table = open_table(Source(found.path, options.limits, found.named), options)
            if table.refused:
                problems.append(f"{found.path}: {table.refused.reason}")
                continue
            for one in table.read():
                if not isinstance(one, Note):
                    yield found.path, one.line, one.data
                elif one.broken:
                    problems.append(f"{found.path}:{one.line}: {one.reason}")
        except SourceError as error:
            problems.append(f"{found.path}: {error}")


def read_material(
    paths: Sequence[str], limits: Limits | None = None, *, model: str | None = None
) -> Material:
    """Read questions and answers of MT-Bench, Arena-Hard and AlpacaEval, told by their fields.

    AlpacaEval's rows are both: the instruction is the question and its key. `model` names answers
    whose rows name none.
    """
    material = Material()
    for path, line, row in read_rows(paths, material.problems, limits):
        try:
            _take(material, row, model or model_name(path), named=model is not None)
        except BadRow as bad:
            material.problems.append(f"{path}:{line}: {bad}")
        else:
            material.files.add(path)
    return material


def in_vain(
    paths: Sequence[str], files: Collection[str], problems: Sequence[str]
) -> tuple[str, ...]:
    """The first problem of each of the paths that is none of `files`, which gave something."""
    firsts = (
        next((one for one in problems if one.startswith(f"{path}:")), None)
        for path in paths
        if path not in files
    )
    return tuple(one for one in firsts if one is not None)


def with_first(problems: Sequence[str]) -> str:
    """The first problem and how many more there are, as the end of a message; "" without any."""
    if not problems:
        return ""
    more = f", and {len(problems) - 1:,} more" if len(problems) > 1 else ""
    return f"; not used: {problems[0]}{more}"


def _take(material: Material, row: Row, model: str, *, named: bool) -> None:
    if "instruction" in row and "output" in row:
        key = _text(row, "instruction")
        question = Question(key, key, "", (key,), row)
        name = row.get("generator")
        _answer(material, name if isinstance(name, str) and name else model, question.key, row)
        material.questions.setdefault(key, question)
    elif "choices" in row or "messages" in row:
        # FastChat calls a model as its file, v2.0 of Arena-Hard as its rows say.
        name = row.get("model") if "messages" in row and not named else None
        _answer(material, name if isinstance(name, str) and name else model, _key(row), row)
    elif "turns" in row or ("uid" in row and "prompt" in row):
        question = _question(row)
        if question.key in material.questions:
            raise BadRow(f"the question {question.key} stands twice: the first counts")
        material.questions[question.key] = question
    else:
        raise BadRow("the row is neither a question nor an answer of a judged benchmark")


def _question(row: Row) -> Question:
    turns = row.get("turns") if "turns" in row else [row.get("prompt")]
    category = row.get("category")
    return Question(
        _key(row),
        row.get("uid", row.get("question_id")),
        category if isinstance(category, str) else "",
        _turns(turns),
        row,
    )


def _answer(material: Material, model: str, key: str, row: Row) -> None:
    """A later answer to the same question replaces an earlier one, as in FastChat."""
    if "output" in row:
        turns: tuple[str, ...] = (_text(row, "output"),)
    elif "messages" in row:
        messages = row["messages"]
        last = messages[-1] if isinstance(messages, list) and messages else None
        content = last.get("content") if isinstance(last, dict) else None
        turns = _turns([content.get("answer") if isinstance(content, dict) else content])
    else:
        choices = row["choices"]
        first = choices[0] if isinstance(choices, list) and choices else None
        turns = _turns(first.get("turns") if isinstance(first, dict) else None)
    material.answers.setdefault(model, {})[key] = turns
    material.rows.setdefault(model, {})[key] = row


def _turns(value: object) -> tuple[str, ...]:
    found = value if isinstance(value, list) else []
    texts = [one.get("content") if isinstance(one, dict) else one for one in found]
    turns = tuple(one for one in texts if isinstance(one, str))
    if not turns or len(turns) < len(texts):
        raise BadRow("the row has no turns that are texts")
    return turns


def _key(row: Row) -> str:
    key = key_of(row.get("uid", row.get("question_id")))
    if key is None:
        raise BadRow("the row has neither uid nor question_id")
    return key


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str):
        raise BadRow(f"the field {name} is not text")
    return value


def only(names: Iterable[str], wanted: Sequence[str] | None, what: str) -> list[str]:
    """The names asked for, all where none is. Raises `InputError`."""
    known = list(names)
    for name in wanted or ():
        if name not in known:
            raise InputError(f"no {what} is called {name!r}; there are: {', '.join(known[:20])}")
    return [name for name in known if not wanted or name in wanted]
