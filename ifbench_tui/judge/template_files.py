"""The benchmarks' own template files: FastChat's JSON Lines, AlpacaEval's prompt with ChatML marks,
Arena-Hard-Auto's YAML configuration."""

from __future__ import annotations

import re
from pathlib import Path

from ifbench_tui.formats.limits import Limits, LoadOptions
from ifbench_tui.formats.lines import BadRow, Note
from ifbench_tui.formats.mt_bench_inputs import JudgePrompt, MtBenchJudgePrompts
from ifbench_tui.formats.opening import open_table
from ifbench_tui.formats.records import JudgedRow
from ifbench_tui.formats.source import Source, SourceError
from ifbench_tui.judge.errors import TemplateError
from ifbench_tui.judge.own_templates import OWN
from ifbench_tui.judge.simple_yaml import YamlError, top_texts
from ifbench_tui.judge.templates import (
    ALPACA_ROLE,
    ARENA_CREATIVE_ROLE,
    ARENA_ROLE,
    Template,
    TemplateSet,
    template_set,
)

__all__ = ["alpaca_template", "arena_templates", "load_templates"]

_MOST_BYTES = 1 << 20
_MARK = re.compile(r"<\|im_start\|>([a-z]+)[ \t]*\n(.*?)(?:<\|im_end\|>|\Z)", re.DOTALL)
_ALPACA_FIELDS = ("instruction", "output_1", "output_2")
_ARENA_FIELDS = {
    "QUESTION": "prompt",
    "ANSWER_A": "answer_a",
    "ANSWER_B": "answer_b",
    "question_1": "prompt",
    "answer_1": "answer_a",
    "answer_2": "answer_b",
}
"""Arena-Hard's names of the fields, of v2.0 and of v0.1, and ours."""


def load_templates(protocol: str, path: str, limits: Limits | None = None) -> TemplateSet:
    """The templates of a file in the form that the protocol's benchmark has. Raises
    `TemplateError`."""
    limits = limits or Limits()
    if protocol.startswith("mt-"):
        return _fastchat(path, limits)
    name, text = Path(path).stem, _text(path, limits)
    try:
        if protocol == "alpaca-eval":
            return {ALPACA_ROLE: alpaca_template(name, text)}
        return arena_templates(name, text)
    except TemplateError as error:
        raise TemplateError(f"{path}: {error}") from error


def _text(path: str, limits: Limits) -> str:
    data = b""
    try:
        for chunk in Source(path, limits).chunks():
            data += chunk
            if len(data) > _MOST_BYTES:
                raise TemplateError(f"{path}: is larger than a template can be")
        return data.decode()
    except SourceError as error:
        raise TemplateError(f"{path}: {error}") from error
    except UnicodeDecodeError as error:
        raise TemplateError(f"{path}: is no UTF-8 text") from error


def _fastchat(path: str, limits: Limits) -> TemplateSet:
    kind = MtBenchJudgePrompts()
    found: list[JudgePrompt] = []
    try:
        table = open_table(Source(path, limits), LoadOptions(limits=limits))
        if table.refused:
            raise TemplateError(f"{path}: {table.refused.reason}")
        read = kind.reader(table)
        for row in table.read():
            if isinstance(row, Note):
                continue
            for record in read(row):
                if isinstance(record, JudgedRow) and isinstance(record.value, JudgePrompt):
                    found.append(record.value)
    except BadRow as error:
        raise TemplateError(f"{path}: no judge template in FastChat's format: {error}") from error
    except SourceError as error:
        raise TemplateError(f"{path}: {error}") from error
    return template_set(found)


def alpaca_template(name: str, text: str) -> Template:
    """AlpacaEval's prompt: at most a system message, then one of the user. Raises `TemplateError`.

    The marks of ChatML count in the template alone; every other brace than those of the three
    fields is a brace.
    """
    messages = [(role, body.strip()) for role, body in _MARK.findall(text)]
    rest = _MARK.sub("", text).strip()
    if not messages:
        messages, rest = [("user", rest)], ""
    system = messages.pop(0)[1] if messages[0][0] == "system" else ""
    if rest or [role for role, _ in messages] != ["user"]:
        raise TemplateError(
            "wanted at most one system message and then one of the user, each between "
            "<|im_start|>ROLE and <|im_end|>"
        )
    if _named(system, _ALPACA_FIELDS):
        raise TemplateError("the fields belong into the user's message, not the system's")
    user = messages[0][1]
    _require(_named(user, _ALPACA_FIELDS), _ALPACA_FIELDS)

    def doubled(match: re.Match[str]) -> str:
        return match[0] if match[1] in _ALPACA_FIELDS else "".join(2 * one for one in match[0])

    return Template(
        name, system, re.sub(r"\{(instruction|output_1|output_2)\}|[{}]", doubled, user)
    )


def arena_templates(name: str, text: str) -> TemplateSet:
    """Arena-Hard-Auto's configuration: `prompt_template`, and `system_prompt` where it has one; our
    own system messages where it has none, as in v2.0. Raises `TemplateError`."""
    try:
        found = top_texts(text, ("prompt_template", "system_prompt"))
    except YamlError as error:
        raise TemplateError(str(error)) from error
    prompts = found.get("prompt_template", [])
    systems = found.get("system_prompt", [])
    if len(prompts) != 1 or len(systems) > 1:
        raise TemplateError("wanted one prompt_template and at most one system_prompt")

    def ours(match: re.Match[str]) -> str:
        known = _ARENA_FIELDS.get(match[1] or "")
        return f"{{{known}}}" if known else match[0]

    user = re.sub(r"\{\{|\}\}|\{(\w*)\}", ours, prompts[0])
    made = {}
    for role in (ARENA_ROLE, ARENA_CREATIVE_ROLE):
        template = Template(name, systems[0] if systems else OWN[role].system, user)
        _require(sorted(template.fields), ("answer_a", "answer_b", "prompt"))
        made[role] = template
    return made


def _named(text: str, fields: tuple[str, ...]) -> list[str]:
    return [one for one in fields if f"{{{one}}}" in text]


def _require(found: list[str], wanted: tuple[str, ...]) -> None:
    if found != list(wanted):
        names = ", ".join(f"{{{one}}}" for one in found) or "none"
        raise TemplateError(
            f"its fields are {names}; wanted {', '.join(f'{{{one}}}' for one in wanted)}"
        )
