"""The contents of a workspace: suites of prompts, responses by model, reports and problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

from ifbench_tui.engine.benchmark import Prompt
from ifbench_tui.errors import IfbenchError
from ifbench_tui.formats.battle_block import BattleBlock
from ifbench_tui.formats.records import JudgedRow, Problem, Recorded
from ifbench_tui.workspace.account import SourceReport
from ifbench_tui.workspace.think import ThinkState

__all__ = ["JudgedFile", "LoadError", "Response", "Suite", "Workspace"]


Value = TypeVar("Value")


class LoadError(IfbenchError):
    """Nothing could be loaded. `problems` and `sources` say why, file by file."""

    def __init__(
        self, reason: str, problems: tuple[Problem, ...], sources: tuple[SourceReport, ...]
    ) -> None:
        super().__init__(reason)
        self.problems = problems
        self.sources = sources


@dataclass(frozen=True, slots=True)
class Response:
    """One model's response to one prompt.

    `text` is what is graded; `raw` what the file holds, None for null. `think` says what happened
    to a reasoning trace: "" where there is none.
    """

    text: str
    raw: str | None
    path: str
    line: int
    recorded: Recorded | None = None
    think: ThinkState = ""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedFile:
    """The rows of one file of a judged benchmark, in file order."""

    path: str
    rows: tuple[JudgedRow, ...]

    def of(self, kind: type[Value]) -> list[Value]:
        """The rows' values of one type."""
        return [row.value for row in self.rows if isinstance(row.value, kind)]


@dataclass(frozen=True, slots=True, eq=False)
class Suite:
    """One benchmark's prompts in input order, and the responses to them, models in load order."""

    benchmark_id: str
    prompts: tuple[Prompt, ...]
    by_model: Mapping[str, Mapping[str, Response]] = field(default_factory=dict)

    @property
    def models(self) -> tuple[str, ...]:
        """Models with at least one response, in load order."""
        return tuple(self.by_model)

    def response(self, model: str, key: str) -> Response | None:
        """The response of a model to the prompt with this key."""
        return self.responses(model).get(key)

    def responses(self, model: str) -> Mapping[str, Response]:
        """All responses of a model by prompt key; empty for a model that is not loaded."""
        return self.by_model.get(model, MappingProxyType({}))

    def missing(self, model: str) -> tuple[str, ...]:
        """Keys of prompts the model has no response to, in input order."""
        there = self.responses(model)
        return tuple(prompt.key for prompt in self.prompts if prompt.key not in there)


@dataclass(frozen=True, slots=True, eq=False)
class Workspace:
    """Everything loaded. Suites by benchmark id; one report for each file; all problems; the
    battles of each file that has some (`workspace.battles.choose` makes them ready to rate); the
    judged rows of each file that has some."""

    suites: Mapping[str, Suite]
    sources: tuple[SourceReport, ...]
    problems: tuple[Problem, ...]
    battles: tuple[BattleBlock, ...] = ()
    judged: tuple[JudgedFile, ...] = ()
