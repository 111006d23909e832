"""What a board is: numbers per model, tables, and what must be said beside them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from ifbench_tui.report.sheets import Cell, Column, Share, Sheet
from ifbench_tui.workspace import JudgedFile

if TYPE_CHECKING:
    # Named in annotations only: scoring constraints needs none of this code.
    from ifbench_tui.engine.judged.bias import Estimate, PositionDiagnostics
    from ifbench_tui.report.boards.options import BoardOptions

__all__ = [
    "MODEL",
    "Board",
    "BoardResult",
    "bias_sheet",
    "estimate_row",
    "percent",
    "position_rows",
    "values_of",
]

Value = TypeVar("Value")
MODEL = Column("model", "model")


_NAMED = 3
"""Models named in one warning; more are counted."""


@dataclass(frozen=True, slots=True)
class BoardResult:
    """One benchmark's board: JSON values per model, further ones, tables, warnings.

    `metrics` are the names of the models' numbers that a gate may bound: divided by `scale` they
    are shares. `warnings` None: a board that has none by its nature. `lines` replaces a JSON line
    per model by the benchmark's own; `specific` is the table that stands for all in a CSV. `unused`
    are the warnings about rows that do not count. `judge_sheets` are those of `sheets` that are
    about the judge, not about models.
    """

    benchmark: str
    title: str
    models: Mapping[str, Mapping[str, Any]]
    sheets: tuple[Sheet, ...]
    metrics: tuple[str, ...]
    scale: float = 1.0
    warnings: tuple[str, ...] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    lines: Callable[[], Iterator[str]] | None = None
    specific: int = 0
    unused: tuple[str, ...] = ()
    judge_sheets: tuple[Sheet, ...] = ()

    def failed(self, name: str, least: float) -> list[str]:
        """A message for each model whose metric is below a share; baselines are not asked."""
        found = []
        for model, values in self.models.items():
            value = values.get(name)
            if values.get("baseline") or (value is not None and value / self.scale >= least):
                continue
            shown = "no value" if value is None else f"{value / self.scale:.4f}"
            found.append(f"gate failed: {model}: {name} {shown} < {least:g}")
        return found

    def told_warnings(self) -> Iterator[str]:
        """The warnings for people: what is said of several models is said once."""
        models: dict[str, list[str]] = {}
        for model, values in self.models.items():
            for text in values.get("warnings", ()):
                models.setdefault(text, []).append(model)
        own = {f"{model}: {text}" for text, names in models.items() for model in names}
        yield from (text for text in self.warnings or () if text not in own)
        for text, names in models.items():
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            yield f"{', '.join(names[:_NAMED])}{more}: {text}"

    def to_dict(self) -> dict[str, Any]:
        """The JSON contract of `score --json` for one board."""
        return {
            "benchmark": self.benchmark,
            "models": dict(self.models),
            **self.extra,
            **({} if self.warnings is None else {"warnings": list(self.warnings)}),
        }


class Board(ABC):
    """One judged benchmark."""

    id: str
    title: str

    @abstractmethod
    def result(self, files: Sequence[JudgedFile], options: BoardOptions) -> BoardResult | None:
        """The board of what these files hold of this benchmark; None where they hold nothing."""


def values_of(files: Iterable[JudgedFile], kind: type[Value]) -> list[Value]:
    """All values of one type, in load order."""
    return [value for file in files for value in file.of(kind)]


def percent(value: float | None, lower: float | None = None, upper: float | None = None) -> Share:
    """A percentage as a share for a table."""
    low, high = (None if one is None else one / 100.0 for one in (lower, upper))
    return Share(None if value is None else value / 100.0, low, high)


_BIAS = (
    Column("measure", "measure"),
    Column("n", "n", numeric=True),
    Column("value", "% or slope", interval=True, numeric=True),
    Column("note", "note"),
)


def bias_sheet(title: str, rows: Iterable[tuple[Cell, ...]], *, by: Column = MODEL) -> Sheet:
    """The judge's biases, a row a measure."""
    return Sheet(title, (by, *_BIAS), tuple(rows))


def estimate_row(who: str, measure: str, estimate: Estimate, note: str = "") -> tuple[Cell, ...]:
    """A row of `bias_sheet`; too few observations are said."""
    said = note if estimate.enough else "; ".join(filter(None, (note, "not enough data")))
    return who, measure, estimate.n, Share(estimate.value, estimate.lower, estimate.upper), said


def position_rows(who: str, position: PositionDiagnostics) -> Iterable[tuple[Cell, ...]]:
    """Rows of `bias_sheet` for a judge that saw both orders."""
    yield estimate_row(who, "games that disagree", position.inconsistency)
    yield estimate_row(who, "same position wins both", position.flip)
    note = f"p = {position.p_value:.3g} (exact, against 50 %)"
    yield estimate_row(who, "first position's share of wins", position.first_win_share, note)
    if position.label_inconsistency.n:
        yield estimate_row(who, "labels not mirrored", position.label_inconsistency)
