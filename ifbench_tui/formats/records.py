"""What readers yield: prompts, responses, battles, judged rows and problems, with their lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ifbench_tui.engine.benchmark import Prompt
from ifbench_tui.formats.battle_block import BattleBlock

__all__ = [
    "AliasRow",
    "JudgedRow",
    "Problem",
    "ProblemKind",
    "PromptRow",
    "Record",
    "Recorded",
    "ResponseRow",
]

ProblemKind = Literal["broken", "duplicate", "unmatched", "notice"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """Verdicts a file carries for one response: kept for comparison, never trusted.

    Each is one bool per constraint in the prompt's order, or None where the file has none.
    """

    strict: tuple[bool, ...] | None = None
    loose: tuple[bool, ...] | None = None


@dataclass(frozen=True, slots=True)
class PromptRow:
    """A prompt of a benchmark. `aliases` are earlier wordings of the same prompt."""

    benchmark: str
    prompt: Prompt
    line: int
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResponseRow:
    """A model's response, naming its prompt by key, by exact text, or both.

    `response` None is a null in the file. `variant` tells apart rows that are the same response
    processed differently (an lm-eval filter, a repeat); "" where a file has only one. `carried`
    is the prompt where the row states it in full. `benchmark` is the id where the row tells it.
    """

    model: str
    response: str | None
    line: int
    key: str | None = None
    prompt: str | None = None
    recorded: Recorded | None = None
    variant: str = ""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    carried: PromptRow | None = None
    benchmark: str = ""


@dataclass(frozen=True, slots=True)
class AliasRow:
    """Earlier wordings of the prompt with this key."""

    key: str
    texts: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A row of a judged benchmark's files: an annotation, a judgment, a question, a table's line.

    `value` is of the engine's or the format's own type for it; boards pick what they know.
    """

    value: object
    line: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Rows that were not used, or something a person should know: where, why, what to do.

    `rows` is the number of rows it stands for. A file that cannot be read at all is one broken row.
    """

    path: str
    line: int | None
    kind: ProblemKind
    reason: str
    advice: str = ""
    rows: int = 1

    @property
    def where(self) -> str:
        """The file, and the line where one is known."""
        return self.path if self.line is None else f"{self.path}:{self.line}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "line": self.line,
            "kind": self.kind,
            "reason": self.reason,
            "advice": self.advice,
            "rows": self.rows,
        }


Record = PromptRow | ResponseRow | AliasRow | BattleBlock | JudgedRow | Problem
