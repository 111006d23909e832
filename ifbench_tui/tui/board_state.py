"""What is known of the boards of judged benchmarks: kept while the same files are on the bench."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ifbench_tui.workspace import JudgedFile, Problem

if TYPE_CHECKING:
    # Named in annotations only: these need the code that scores, which a thread imports.
    from ifbench_tui.report.boards.base import BoardResult
    from ifbench_tui.report.boards.options import BoardOptions

__all__ = ["BoardState", "Made", "Shelf"]


@dataclass(frozen=True, slots=True, eq=False)
class Shelf:
    """The judged rows of all files, and the names in them one may choose from, by benchmark."""

    files: tuple[JudgedFile, ...]
    problems: tuple[Problem, ...]
    judges: Mapping[str, tuple[str, ...]]
    categories: Mapping[str, tuple[str, ...]]
    baselines: tuple[str, ...]
    """Models in MT-Bench's pairs."""


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """A board, None where its options leave nothing, and the options it was made with.

    `final` is false while a better fit is on the way.
    """

    result: BoardResult | None
    options: BoardOptions
    final: bool


@dataclass(slots=True, eq=False)
class BoardState:
    """The boards so far, what is wanted of each, and what was looked at last."""

    shelf: Shelf | None = None
    boards: dict[str, Made] = field(default_factory=dict)
    wishes: dict[str, BoardOptions] = field(default_factory=dict)
    benchmark: str = ""
    model: str = ""
    pages: dict[str, str] = field(default_factory=dict)
    """The page in use, by benchmark."""
    sorting: dict[str, tuple[int, bool]] = field(default_factory=dict)
    """The column sorted by and whether downwards, by benchmark."""

    @property
    def shown(self) -> list[str]:
        """The benchmarks that have a board, or had one before a choice left nothing."""
        return [name for name, made in self.boards.items() if made.result or name in self.wishes]

    @property
    def made(self) -> Made | None:
        """The board in use."""
        return self.boards.get(self.benchmark)

    @property
    def result(self) -> BoardResult | None:
        """The board in use, where it holds something."""
        made = self.made
        return None if made is None else made.result
