"""Where one stands in Audit: which prompts are listed, which cell is looked at."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ifbench_tui.engine.benchmark import ConstraintSpec, JudgedResponse, Prompt
from ifbench_tui.engine.patterns import PatternFinder
from ifbench_tui.engine.verdict import Lattice
from ifbench_tui.filters import (
    ALL,
    Facts,
    Filter,
    FilterError,
    disagreements,
    parse_filter,
)
from ifbench_tui.tui.bench import Bench
from ifbench_tui.tui.decisions import Cell
from ifbench_tui.tui.verdicts import Verdicts
from ifbench_tui.tui.widgets.lattice import LatticeRow, column_name
from ifbench_tui.workspace import Response

__all__ = ["AuditState", "select"]


@dataclass
class AuditState:
    """The place in Audit. `rows` are positions in the suite's prompts."""

    bench: Bench
    filter: Filter = ALL
    rows: list[int] | range = range(0)
    index: int = 0
    constraint: int = 0
    column: int = 0
    scratch: JudgedResponse | None = None
    """The verdicts on the scratch copy while a what-if runs."""
    suite_id: str = ""

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """All prompts of the suite in use."""
        suite = self.bench.suite
        return () if suite is None else suite.prompts

    @property
    def prompt(self) -> Prompt | None:
        """The prompt in use."""
        return self.prompts[self.index] if self.index < len(self.prompts) else None

    @property
    def key(self) -> str:
        """Its key; "" while nothing is loaded."""
        prompt = self.prompt
        return "" if prompt is None else prompt.key

    @property
    def response(self) -> Response | None:
        """The response of the model in use to that prompt."""
        suite = self.bench.suite
        return None if suite is None else suite.response(self.bench.model, self.key)

    @property
    def judged(self) -> JudgedResponse | None:
        """Its verdicts; None while pending."""
        if self.scratch is not None:
            return self.scratch
        verdicts = self.bench.verdicts
        return None if verdicts is None else verdicts.get(self.bench.model, self.key)

    @property
    def lattice(self) -> Lattice | None:
        """The lattice of the constraint under the cursor."""
        judged = self.judged
        if judged is None or self.constraint >= len(judged.lattices):
            return None
        return judged.lattices[self.constraint]

    @property
    def spec(self) -> ConstraintSpec | None:
        """The constraint under the cursor, as the file states it."""
        prompt = self.prompt
        if prompt is None or self.constraint >= len(prompt.constraints):
            return None
        return prompt.constraints[self.constraint]

    @property
    def columns(self) -> list[int | str]:
        """The columns of the lattice, as marks call them."""
        verdicts = self.bench.verdicts
        count = 1 if verdicts is None else len(verdicts.benchmark.variant_names)
        return ["strict", *range(count), "loose"] if count > 1 else ["strict"]

    @property
    def variant(self) -> int:
        """The variant whose text the cell was judged on; for loose, the one that decided."""
        name = column_name(self.columns, self.column)
        if isinstance(name, int):
            return name
        lattice = self.lattice
        if name == "strict" or lattice is None:
            return 0
        return next((i for i, cell in enumerate(lattice.cells) if cell is not False), 0)

    @property
    def cell(self) -> Cell | None:
        """The cell under the cursor, as the session calls it."""
        verdicts, spec = self.bench.verdicts, self.spec
        if verdicts is None or spec is None or self.response is None:
            return None
        column = column_name(self.columns, self.column)
        return Cell(
            verdicts.benchmark.id, self.key, self.bench.model, self.constraint, spec.type, column
        )

    @property
    def verdict(self) -> bool | None:
        """The verifier's verdict in that cell; None where it raised."""
        lattice = self.lattice
        if lattice is None:
            return None
        name = column_name(self.columns, self.column)
        if isinstance(name, int):
            return lattice.cells[name]
        return lattice.strict_cell if name == "strict" else lattice.loose_cell

    def lattice_rows(self) -> list[LatticeRow]:
        """What the lattice widget draws."""
        prompt, judged = self.prompt, self.judged
        if prompt is None or self.response is None:
            return []
        differs = [] if self.scratch else disagreements(self.response, judged)
        return [
            LatticeRow(
                spec.type,
                None if judged is None else judged.lattices[index],
                self._marks(spec.type, index),
                index < len(differs) and differs[index],
            )
            for index, spec in enumerate(prompt.constraints)
        ]

    def _marks(self, kind: str, index: int) -> frozenset[int | str]:
        decisions, verdicts, model = self.bench.decisions, self.bench.verdicts, self.bench.model
        if verdicts is None or not decisions.marked(verdicts.benchmark.id, self.key, model):
            return frozenset()
        return frozenset(
            column
            for column in self.columns
            if decisions.mark_on(Cell(verdicts.benchmark.id, self.key, model, index, kind, column))
        )

    def follow(self) -> None:
        """Stay where one stands, unless another suite is on the bench or the prompt is gone."""
        if self.suite_id not in ("", self.bench.suite_id):
            self.filter = ALL
            self.index = self.constraint = self.column = 0
        self.suite_id = self.bench.suite_id
        if self.index >= len(self.prompts):
            self.index = 0

    def move(self, *, constraint: int | None = None, column: int | None = None) -> None:
        """Put the cursor on another cell, inside the lattice."""
        prompt = self.prompt
        most = len(prompt.constraints) - 1 if prompt is not None else 0
        if constraint is not None:
            self.constraint = max(0, min(constraint, most))
        if column is not None:
            self.column = max(0, min(column, len(self.columns) - 1))

    def look_at(self, index: int) -> None:
        """Move to another prompt, to its first constraint that fails."""
        self.index = index
        self.scratch = None
        self.constraint = self.column = 0
        self.find_failure()

    def find_failure(self) -> None:
        """Put the cursor on the first constraint that fails, of those the filter asks for."""
        judged, prompt = self.judged, self.prompt
        if prompt is not None:
            kinds = [index for index, spec in enumerate(prompt.constraints) if self._wanted(spec)]
            lattices = () if judged is None else judged.lattices
            failing = (i for i in kinds if i < len(lattices) and not lattices[i].strict)
            self.constraint = next(failing, kinds[0] if kinds else 0)

    def _wanted(self, spec: ConstraintSpec) -> bool:
        verdicts = self.bench.verdicts
        return verdicts is not None and self.filter.concerns(spec, verdicts.benchmark.family_of)

    def index_of(self, key: str) -> int | None:
        """Where the prompt with a key is."""
        return next((i for i, prompt in enumerate(self.prompts) if prompt.key == key), None)

    @property
    def place(self) -> dict[str, str]:
        """Where one stands, to come back to."""
        return {
            "suite": self.bench.suite_id,
            "model": self.bench.model,
            "key": self.key,
            "filter": self.filter.words(),
        }

    def return_to(self, place: Mapping[str, Any]) -> None:
        """Go to a `place` of before, as far as it is still there."""
        with suppress(FilterError):
            self.filter = parse_filter(str(place.get("filter", "")))
        if (index := self.index_of(str(place.get("key", "")))) is not None:
            self.look_at(index)

    def take(self, rows: list[int] | range) -> int:
        """List other rows; returns the row of the prompt in use, or of the next one left."""
        self.rows = rows
        return min(bisect_left(rows, self.index), max(0, len(rows) - 1))


def _facts(bench: Bench, verdicts: Verdicts, model: str, prompt: Prompt) -> Facts:
    suite, decisions, key = verdicts.suite, bench.decisions, prompt.key
    benchmark = verdicts.benchmark

    def others() -> Iterator[tuple[str, JudgedResponse]]:
        for other in suite.models:
            judged = verdicts.get(other, key) if other != model else None
            if judged is not None:
                yield other, judged

    return Facts(
        prompt,
        suite.response(model, key),
        verdicts.get(model, key),
        benchmark.family_of,
        decisions.marked(benchmark.id, key, model),
        decisions.bookmarked(benchmark.id, key, model),
        bool(decisions.response_note(benchmark.id, key, model)),
        others,
    )


def select(
    bench: Bench, chosen: Filter, finder: PatternFinder, cancelled: Callable[[], bool]
) -> list[int] | None:
    """Positions of the prompts a filter shows for the model in use; None if told to stop.

    Raises `FilterError`.
    """
    verdicts = bench.verdicts
    if verdicts is None:
        return []
    model = bench.model
    meets = chosen.test(finder)
    rows = []
    for index, prompt in enumerate(verdicts.suite.prompts):
        if index % 64 == 0 and cancelled():
            return None
        if meets(_facts(bench, verdicts, model, prompt)):
            rows.append(index)
    return rows
