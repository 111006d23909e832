"""MT-Bench's questions, answers and judge prompts, and Vicuna-bench's in the same shape."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ifbench_tui.formats.fields import key_of, text_of
from ifbench_tui.formats.judged import JudgedFormat, Question, name_of, optional_text
from ifbench_tui.formats.lines import BadRow
from ifbench_tui.formats.names import model_name
from ifbench_tui.formats.tables import Table

__all__ = [
    "Conversation",
    "JudgePrompt",
    "MtBenchAnswers",
    "MtBenchJudgePrompts",
    "MtBenchQuestions",
]

_REFERENCES = "reference_answer"


@dataclass(frozen=True, slots=True)
class Conversation:
    """A model's turns on one question: its first choice, the only one that is judged.

    `reference`: a right answer for the judge to look at, and `model` who wrote it.
    """

    model: str
    key: str
    turns: tuple[str, ...]
    reference: bool = False


@dataclass(frozen=True, slots=True)
class JudgePrompt:
    """A judge's template. Fields in braces stand for question and answers."""

    name: str
    kind: str
    system: str
    template: str
    output_format: str


class MtBenchQuestions(JudgedFormat):
    """`question.jsonl`: one or two turns that are texts."""

    id = "mt-bench-questions"
    title = "MT-Bench questions"
    order = 20
    columns = ("question_id", "category", "turns")

    def fits(self, table: Table) -> bool:
        return all(isinstance(one, str) for row in table.rows for one in _list(row.data, "turns"))

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        turns = _list(data, "turns")
        if not turns or not all(isinstance(one, str) for one in turns):
            raise BadRow("the field turns is not a list of texts")
        return Question("mt_bench", _key(data), name_of(data, "category"), tuple(turns))


class MtBenchAnswers(JudgedFormat):
    """`model_answer/<model>.jsonl`: the model is called as the file, not as its rows say.

    `reference_answer/<judge>.jsonl` looks the same; its folder tells it.
    """

    id = "mt-bench-answers"
    title = "MT-Bench answers"
    order = 20
    columns = ("question_id", "choices")

    def fits(self, table: Table) -> bool:
        return all(isinstance(one, str) for row in table.rows for one in _turns(row.data))

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        turns = _turns(data)
        if not turns or not all(isinstance(one, str) for one in turns):
            raise BadRow("the first choice has no turns that are texts")
        name = table.options.model or model_name(table.path)
        folder = os.path.basename(os.path.dirname(os.path.abspath(table.path)))
        return Conversation(name, _key(data), tuple(turns), folder == _REFERENCES)


class MtBenchJudgePrompts(JudgedFormat):
    """`judge_prompts.jsonl`: the templates a judge is asked with."""

    id = "mt-bench-judge-prompts"
    title = "MT-Bench judge prompts"
    order = 20
    columns = ("name", "type", "system_prompt", "prompt_template", "output_format")

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        return JudgePrompt(
            name_of(data, "name"),
            name_of(data, "type"),
            optional_text(data.get("system_prompt")) or "",
            text_of(data, "prompt_template"),
            text_of(data, "output_format"),
        )


def _key(data: Mapping[str, Any]) -> str:
    key = key_of(data.get("question_id"))
    if key is None:
        raise BadRow("the row has no question_id")
    return key


def _list(data: Mapping[str, Any], name: str) -> list[Any]:
    value = data.get(name)
    return value if isinstance(value, list) else []


def _turns(data: Mapping[str, Any]) -> list[Any]:
    first = next(iter(_list(data, "choices")), None)
    return _list(first, "turns") if isinstance(first, dict) else []
