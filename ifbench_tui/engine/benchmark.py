"""What a benchmark is to the rest of the house, and the registry by id.

A benchmark says how a response becomes named text variants, how a constraint is built from a type
id and its parameters, and which numbers summarise a run. Screens and commands know nothing else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ifbench_tui.engine.summary import Summary
from ifbench_tui.engine.verdict import CheckError, CheckFailed, Explanation, Lattice, Measure

Ranges = tuple[tuple[int, int], ...]

__all__ = [
    "Benchmark",
    "Constraint",
    "ConstraintSpec",
    "JudgedResponse",
    "Prompt",
    "Ranges",
    "explain",
    "judge",
]


@dataclass(frozen=True, slots=True)
class ConstraintSpec:
    """A constraint as a file states it: type id and parameters, unchecked.

    `wording` is what the model read; `flaw` is why the statement itself is unusable, "" where it
    is not.
    """

    type: str
    params: Mapping[str, Any] = field(default_factory=dict)
    family: str = ""
    wording: str = ""
    flaw: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt of a benchmark; `attributes` holds what only some benchmarks have (a tier)."""

    key: str
    text: str
    constraints: tuple[ConstraintSpec, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JudgedResponse:
    """One model's response to one prompt, judged: a lattice for each constraint, in order."""

    key: str
    lattices: tuple[Lattice, ...]
    blank: bool = False

    @property
    def strict(self) -> bool:
        """Every constraint followed on the untouched text. A blank response follows none."""
        return not self._fails_blank and all(lattice.strict for lattice in self.lattices)

    @property
    def loose(self) -> bool:
        """Every constraint followed on some variant, each on its own. A blank one follows none."""
        return not self._fails_blank and all(lattice.loose for lattice in self.lattices)

    @property
    def _fails_blank(self) -> bool:
        return self.blank and bool(self.lattices)


class Constraint(ABC):
    """A constraint with its parameters read and checked. Stateless: measuring changes nothing."""

    @abstractmethod
    def measure(self, text: str) -> Measure:
        """Measure `text`. Raises `CheckFailed` where the reference check would raise."""

    @abstractmethod
    def holds(self, measure: Measure) -> bool:
        """Decide on the measure alone."""

    @abstractmethod
    def required(self) -> str:
        """The requirement in words, made from the parameters."""


class Benchmark(ABC):
    """One benchmark: its variants, its constraint types, its words."""

    id: str
    title: str
    variant_names: tuple[str, ...]
    variant_labels: tuple[str, ...]
    """Short forms of the names, at most three cells wide, for table heads."""
    checks_blank: bool = False
    """Whether constraints are checked on a blank text too; else it fails each of them."""
    cuts_traces: bool = False
    """Whether the variants are made without the response's reasoning traces."""

    @property
    @abstractmethod
    def types(self) -> tuple[str, ...]:
        """All constraint type ids, in the benchmark's own order."""

    @abstractmethod
    def family(self, type_id: str) -> str:
        """The category a type is reported under."""

    def family_of(self, spec: ConstraintSpec) -> str:
        """The category a constraint is reported under: its own where the data state one."""
        return spec.family or self.family(spec.type)

    @abstractmethod
    def build(self, spec: ConstraintSpec) -> Constraint:
        """Read the parameters. Raises `CheckFailed` for an unknown type or unusable parameters."""

    @abstractmethod
    def variants(self, response: str) -> tuple[str, ...]:
        """The texts a response is checked as, in the order of `variant_names`, strict first."""

    @abstractmethod
    def kept(self, response: str, variant: int) -> Ranges:
        """The character ranges of the response that variant keeps: joined they are its text."""

    @abstractmethod
    def summarise(
        self, judged: Sequence[JudgedResponse], prompts: Sequence[Prompt] = ()
    ) -> Summary:
        """The benchmark's metrics over one model's judged responses, with intervals.

        `prompts` are those that were responded to, for groups by what only they know.
        """

    def row_fields(self, judged: JudgedResponse) -> dict[str, Any]:
        """What is reported of one judged response beside its constraints, by field name."""
        return {"strict": judged.strict, "loose": judged.loose}

    def as_given(self, text: str) -> tuple[str, ...]:
        """The variants of a text that is checked by itself and is no model's raw response."""
        return self.variants(text)

    def is_blank(self, text: str) -> bool:
        """A response with a blank text fails."""
        return not text.strip()

    def warm_up(self) -> None:  # noqa: B027 - most benchmarks have nothing to load
        """Load what checking needs, so that processes forked after it share it."""

    def wording(self, spec: ConstraintSpec) -> str:
        """The requirement as the model read it, else in the language of its prompts; "" for none.

        `Constraint.required` says it in English and with nothing left out.
        """
        return spec.wording

    def conflicts(self, prompt: Prompt) -> tuple[str, ...]:
        """Why no text, or none that does as the prompt says, can meet all its constraints."""
        return ()

    def note(self, spec: ConstraintSpec) -> str:
        """What a reader must know about this constraint beside its verdict; "" for nothing."""
        return ""


def judge(benchmark: Benchmark, spec: ConstraintSpec, variants: Sequence[str]) -> Lattice:
    """Check one constraint on every variant; equal texts are checked once. Never raises."""
    try:
        constraint = benchmark.build(spec)
    except CheckFailed as failed:
        nothing = (None,) * len(variants)
        return Lattice(spec.type, nothing, "cannot be checked", "", error=failed.error)
    required = constraint.required()
    cells: dict[str, bool | None] = {}
    error: CheckError | None = None
    first: Measure | None = None
    for position, text in enumerate(variants):
        if text in cells:
            continue
        if not benchmark.checks_blank and benchmark.is_blank(text):
            cells[text] = False
            continue
        try:
            measure = constraint.measure(text)
        except CheckFailed as failed:
            cells[text] = None
            error = error or failed.error
            if failed.error.kind == "pattern_timeout":
                # Its variants would take as long each, and the loose verdict is decided.
                break
            continue
        cells[text] = constraint.holds(measure)
        if position == 0:
            first = measure
    verdicts = tuple(map(cells.get, variants))
    if first is None:
        measured = "the text is blank" if verdicts[0] is False else "could not be measured"
        return Lattice(spec.type, verdicts, required, measured, error=error)
    return Lattice(
        spec.type, verdicts, required, first.said, first.distance, first.threshold, error
    )


def explain(benchmark: Benchmark, spec: ConstraintSpec, text: str) -> Explanation:
    """Check one constraint on one exact text, with evidence. Never raises."""
    required = "cannot be checked"
    try:
        constraint = benchmark.build(spec)
        required = constraint.required()
        if not benchmark.checks_blank and benchmark.is_blank(text):
            return Explanation(False, "the text is blank", required, None, None, ())
        measure = constraint.measure(text)
    except CheckFailed as failed:
        return Explanation(False, "", required, None, None, (), failed.error)
    return Explanation(
        constraint.holds(measure),
        measure.said,
        required,
        measure.distance,
        measure.threshold,
        measure.spans,
    )
