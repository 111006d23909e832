"""Judge templates: how they are filled, and which one a question of MT-Bench gets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ifbench_tui.formats.mt_bench_inputs import JudgePrompt
from ifbench_tui.judge.call import Message
from ifbench_tui.judge.errors import TemplateError

__all__ = [
    "ALPACA_ROLE",
    "ARENA_CREATIVE_ROLE",
    "ARENA_ROLE",
    "Role",
    "Template",
    "TemplateSet",
    "template_set",
]

_FIELD = re.compile(r"\{\{|\}\}|\{(\w*)\}|[{}]")
_KNOWN = frozenset(
    {"question", "answer", "answer_a", "answer_b"}
    | {f"{name}_{turn}" for name in ("question", "answer", "ref_answer") for turn in (1, 2)}
    | {f"answer_{side}_{turn}" for side in "ab" for turn in (1, 2)}
    | {"instruction", "output_1", "output_2", "prompt"}
)
_FORMATS = {"single": "[[rating]]", "pairwise": "[[A]]"}


@dataclass(frozen=True, slots=True)
class Template:
    """A system message and a user message with fields in braces ({{ and }} are braces)."""

    name: str
    system: str
    text: str

    @property
    def fields(self) -> frozenset[str]:
        """Names of the fields. Raises `TemplateError` for a stray brace or an unknown name."""
        found = set()
        for match in _FIELD.finditer(self.text):
            if match[1] is not None:
                found.add(match[1])
            elif len(match[0]) == 1:
                raise TemplateError(
                    f"template {self.name}: a brace stands alone at {match.start()}"
                )
        if unknown := sorted(found - _KNOWN):
            raise TemplateError(f"template {self.name}: unknown fields {', '.join(unknown)}")
        return frozenset(found)

    def fill(self, values: Mapping[str, str]) -> str:
        """The user message, filled in one pass: braces in values stay as they are.

        Raises `TemplateError` for a field without a value.
        """

        def filled(match: re.Match[str]) -> str:
            if match[1] is None:
                return match[0][0]
            if match[1] not in values:
                raise TemplateError(f"template {self.name}: there is nothing for {{{match[1]}}}")
            return values[match[1]]

        return _FIELD.sub(filled, self.text)

    def messages(self, values: Mapping[str, str]) -> tuple[Message, ...]:
        """System message, if there is one, and filled user message."""
        user = ("user", self.fill(values))
        return (("system", self.system), user) if self.system else (user,)


@dataclass(frozen=True, slots=True)
class Role:
    """What a template is for: a kind ("single" and "pairwise" are MT-Bench's), turn 1 or 2, with a
    reference or without."""

    kind: str
    turn: int = 1
    reference: bool = False

    def __str__(self) -> str:
        guided = "with a reference answer" if self.reference else "without a reference answer"
        return f"{self.kind}, turn {self.turn}, {guided}"


ALPACA_ROLE = Role("weighted")
ARENA_ROLE = Role("arena")
ARENA_CREATIVE_ROLE = Role("arena-creative")

TemplateSet = Mapping[Role, Template]


def template_set(prompts: Iterable[JudgePrompt]) -> TemplateSet:
    """Templates of a file in FastChat's format by what they are for: their type and their fields.

    Raises `TemplateError` for one that cannot be filled, asks for another form of verdict, or
    repeats what another is for.
    """
    found: dict[Role, Template] = {}
    for one in prompts:
        if one.kind not in _FORMATS:
            raise TemplateError(f"template {one.name}: the type {one.kind!r:.40} is unknown")
        if one.output_format != _FORMATS[one.kind]:
            raise TemplateError(
                f"template {one.name}: its verdicts have the form {one.output_format!r:.40}; "
                f"{_FORMATS[one.kind]} can be read"
            )
        template = Template(one.name, one.system, one.template)
        fields = template.fields
        role = Role(one.kind, 2 if "question_2" in fields else 1, "ref_answer_1" in fields)
        if role in found:
            raise TemplateError(f"templates {found[role].name} and {one.name} are both for: {role}")
        found[role] = template
    if not found:
        raise TemplateError("the file holds no judge templates in FastChat's format")
    return found
