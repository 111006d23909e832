"""The tables of a report, each made once and then written as CSV, Markdown, HTML or text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ifbench_tui.engine.intervals import PairedComparison
from ifbench_tui.engine.summary import GroupScore
from ifbench_tui.engine.verdict import CheckError, Lattice
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.report.results import Comparison, Results, original_key
from ifbench_tui.workspace import Workspace

__all__ = [
    "Cell",
    "Column",
    "Share",
    "Sheet",
    "between",
    "breakdown",
    "compared",
    "compared_types",
    "failures",
    "one_sided",
    "overview",
    "plain",
    "problems",
    "sources",
    "verdict_sign",
    "verdicts",
    "written",
]


@dataclass(frozen=True, slots=True)
class Share:
    """A share in [0, 1] or the difference of two, with its interval where it has one."""

    value: float | None
    lower: float | None = None
    upper: float | None = None


Cell = str | int | float | bool | Share | None


@dataclass(frozen=True, slots=True)
class Column:
    """`name` is stable and for machines, `title` for people; an interval takes three columns.

    A `detail` is left out where a terminal is too narrow for all columns. `digits` after the point
    has every bare number below each other; None where three that count say more, as with p-values.
    """

    name: str
    title: str
    interval: bool = False
    numeric: bool = False
    detail: bool = False
    digits: int | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A titled table. Cells are values; how they are written is the writer's business."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


def verdict_sign(verdict: bool | None, glyphs: Glyphs) -> str:
    """The sign of one cell of a lattice; None is a check that raised."""
    return glyphs.error if verdict is None else glyphs.holds if verdict else glyphs.fails


def written(sheet: Sheet, glyphs: Glyphs) -> list[list[str]]:
    """The rows in words for people, the cells of a column alike: numbers with the same digits,
    intervals in one notation."""
    dashes = [
        between([cell.lower for cell in cells if isinstance(cell, Share)], glyphs)
        for cells in zip(*sheet.rows, strict=True)
    ]
    return [
        [
            _alike(cell, column.digits, glyphs, dash)
            for cell, column, dash in zip(row, sheet.columns, dashes, strict=True)
        ]
        for row in sheet.rows
    ]


def between(lowers: Iterable[float | None], glyphs: Glyphs) -> str:
    """The sign between the bounds of the intervals below each other: no dash where a minus may
    follow it or stand before it."""
    return ".." if any(lower is not None and lower < 0 for lower in lowers) else glyphs.none


def _alike(cell: Cell, digits: int | None, glyphs: Glyphs, dash: str) -> str:
    if isinstance(cell, float) and digits is not None:
        return f"{round(cell, digits) + 0.0:.{digits}f}"
    return plain(cell, glyphs, dash)


def plain(cell: Cell, glyphs: Glyphs, dash: str = "") -> str:
    """A cell in words for people: shares as percentages with their interval, `dash` between its
    bounds where those of other cells stand above or below it."""
    match cell:
        case None:
            return glyphs.none
        case bool():
            return verdict_sign(cell, glyphs)
        case Share(value=None):
            return glyphs.none
        case Share(value=float(value), lower=float(lower), upper=float(upper)):
            dash = dash or between([lower], glyphs)
            return f"{100 * value:.1f} {100 * lower:.1f}{dash}{100 * upper:.1f}"
        case Share():
            # Rounded first: a small negative number is shown as 0.0, without its sign.
            return f"{round(100 * (cell.value or 0), 1) + 0.0:.1f}"
        case float():
            return f"{cell:#.3g}".rstrip(".") if abs(cell) >= 1 else f"{cell:.3g}"
        case int():
            return f"{cell:,}"
    return str(cell)


_BENCHMARK = Column("benchmark", "benchmark")
_MODEL = Column("model", "model")


def overview(results: Results) -> Sheet:
    """A row a model: the headline numbers with their intervals."""
    first = next(iter(results.summaries.values()), None)
    metrics = first.metrics if first else ()
    columns = (
        _BENCHMARK,
        _MODEL,
        Column("n_prompts", "prompts", numeric=True),
        Column("n_constraints", "insts", numeric=True),
        *(Column(m.name, m.title, interval=True, numeric=True) for m in metrics),
    )
    rows: list[tuple[Cell, ...]] = []
    for model, summary in results.summaries.items():
        shares = (Share(m.value, m.lower, m.upper) for m in summary.metrics)
        counts = (summary.n_prompts, summary.n_constraints)
        rows.append((summary.benchmark, model, *counts, *shares))
    return Sheet(f"{results.benchmark.title}: % with 95 % intervals", columns, tuple(rows))


def breakdown(results: Results, kind: str) -> Sheet:
    """A row a model and group of that kind: how its constraints were followed."""
    found = [
        (model, score)
        for model, summary in results.summaries.items()
        for score in summary.groups.get(kind, ())
    ]
    wanted = _GROUP if _many(results) else _GROUP_ONE
    if any(score.thin or score.factor is not None for _, score in found):
        wanted += _GROUP_PRODUCT
    columns = (_BENCHMARK, _MODEL, Column(kind, kind), *(column for column, _ in wanted))
    rows = tuple(
        (results.suite.benchmark_id, model, score.name, *(value(score) for _, value in wanted))
        for model, score in found
    )
    return Sheet(f"{results.benchmark.title} by {kind}: % followed", columns, rows)


def _many(results: Results) -> bool:
    """Whether strict and loose are two things."""
    return len(results.benchmark.variant_names) > 1


_GroupColumns = tuple[tuple[Column, Callable[[GroupScore], Cell]], ...]

_N: _GroupColumns = ((Column("n", "n", numeric=True), lambda score: score.n),)
_NEAR: _GroupColumns = (
    (Column("near_misses", "near misses", numeric=True), lambda score: score.near_misses),
    (Column("errors", "errors", numeric=True), lambda score: score.errors),
)
_GROUP: _GroupColumns = (
    *_N,
    (Column("strict", "strict", numeric=True), lambda score: Share(score.strict_rate)),
    (Column("loose", "loose", numeric=True), lambda score: Share(score.loose_rate)),
    (Column("strict_correct", "strict n", numeric=True), lambda score: score.strict),
    (Column("loose_correct", "loose n", numeric=True), lambda score: score.loose),
    *_NEAR,
)
_GROUP_ONE: _GroupColumns = (
    *_N,
    (Column("pass", "followed", numeric=True), lambda score: Share(score.strict_rate)),
    (Column("passed", "followed n", numeric=True), lambda score: score.strict),
    *_NEAR,
)
_GROUP_PRODUCT: _GroupColumns = (
    (Column("factor", "balance factor", numeric=True, digits=3), lambda score: score.factor),
    (Column("thin", "counts"), lambda score: "thin" if score.thin else "counted"),
)


def compared(comparison: Comparison) -> Sheet:
    """Two rows, strict and loose: the paired test of two models."""
    rows = tuple((name, *_paired(paired)) for name, paired in comparison.measures.items())
    title = f"A = {comparison.a}, B = {comparison.b}: prompts passed, %"
    return Sheet(title, (Column("measure", "measure"), *_PAIRED), rows)


def compared_types(comparison: Comparison) -> Sheet:
    """A row a measure and type: the paired test of two models on constraints of that type."""
    columns = (Column("measure", "measure"), Column("type", "constraint"), *_PAIRED)
    rows = tuple(
        (name, kind, *_paired(paired))
        for name, by_type in comparison.types.items()
        for kind, paired in by_type.items()
    )
    title = f"A = {comparison.a}, B = {comparison.b}: constraints followed, %"
    return Sheet(title, columns, rows)


_PAIRED = (
    Column("n", "n", numeric=True),
    Column("both", "both", numeric=True),
    Column("only_a", "only A", numeric=True),
    Column("only_b", "only B", numeric=True),
    Column("neither", "neither", numeric=True),
    Column("difference", "A − B", interval=True, numeric=True),
    Column("p_value", "p (exact McNemar)", numeric=True),
)


def _paired(paired: PairedComparison) -> tuple[Cell, ...]:
    return (
        paired.n,
        paired.both,
        paired.only_a,
        paired.only_b,
        paired.neither,
        Share(paired.difference, paired.lower, paired.upper),
        paired.p_value,
    )


def one_sided(comparison: Comparison) -> Sheet:
    """The prompts that only one of two models passes."""
    columns = (Column("measure", "measure"), Column("only", "only"), Column("keys", "prompts"))
    rows = tuple(
        (name, model, " ".join(map(str, keys[name])))
        for name in comparison.measures
        for model, keys in ((comparison.a, comparison.only_a), (comparison.b, comparison.only_b))
        if keys[name]
    )
    return Sheet("passed by one only", columns, rows)


@dataclass(frozen=True, slots=True)
class _Verdict:
    """One constraint of one response."""

    model: str
    key: str
    position: int
    lattice: Lattice
    wording: str


_VerdictColumns = tuple[tuple[Column, Callable[[_Verdict], Cell]], ...]

_WHERE: _VerdictColumns = (
    (_MODEL, lambda row: row.model),
    (Column("key", "key"), lambda row: row.key),
    (Column("position", "#", numeric=True), lambda row: row.position),
    (Column("type", "constraint"), lambda row: row.lattice.constraint),
)
_WHY: _VerdictColumns = (
    (Column("error", "error"), lambda row: _said(row.lattice.error)),
    (Column("measured", "measured"), lambda row: row.lattice.measured),
    (Column("required", "required"), lambda row: row.lattice.required),
    (Column("distance", "distance", numeric=True), lambda row: row.lattice.distance),
)
_WORDING: _VerdictColumns = ((Column("wording", "as asked"), lambda row: row.wording),)
_STRICT_LOOSE: _VerdictColumns = (
    (Column("strict", "strict"), lambda row: row.lattice.strict),
    (Column("loose", "loose"), lambda row: row.lattice.loose),
)
_PASS: _VerdictColumns = ((Column("pass", "followed"), lambda row: row.lattice.strict),)


def verdicts(results: Results) -> Sheet:
    """A row a model, prompt and constraint, with every variant in a column of its own."""
    names = results.benchmark.variant_names
    variants = tuple(
        (Column(f"variant_{name}", name), _cell(index)) for index, name in enumerate(names)
    )
    many = (*_STRICT_LOOSE, *variants, _rescuer(names))
    made: _VerdictColumns = (
        (_BENCHMARK, lambda row: results.suite.benchmark_id),
        *_WHERE,
        *(many if _many(results) else _PASS),
        *_WHY,
    )
    return _verdict_sheet("verdicts", made, list(_constraints(results)), results)


def failures(results: Results, glyphs: Glyphs) -> Sheet:
    """The constraints not followed strictly, their variants drawn as one lattice."""
    many: _VerdictColumns = (
        *_STRICT_LOOSE,
        (Column("variants", "variants"), lambda row: _drawn(row.lattice, glyphs)),
        _rescuer(results.benchmark.variant_names),
    )
    failed = [row for row in _constraints(results) if not row.lattice.strict]
    if _many(results):
        return _verdict_sheet("not followed strictly", (*_WHERE, *many, *_WHY), failed, results)
    return _verdict_sheet("not followed", (*_WHERE, *_WHY), failed, results)


def _verdict_sheet(
    title: str, columns: _VerdictColumns, rows: list[_Verdict], results: Results
) -> Sheet:
    if any(row.wording for row in rows):
        columns += _WORDING
    return Sheet(
        f"{results.benchmark.title}: {title}",
        tuple(column for column, _ in columns),
        tuple(tuple(value(row) for _, value in columns) for row in rows),
    )


def _said(error: CheckError | None) -> str | None:
    return error.message if error else None


def _cell(index: int) -> Callable[[_Verdict], Cell]:
    return lambda row: row.lattice.cells[index]


def _rescuer(names: tuple[str, ...]) -> tuple[Column, Callable[[_Verdict], Cell]]:
    def name(row: _Verdict) -> Cell:
        rescuer = row.lattice.rescued_by
        return None if rescuer is None else names[rescuer]

    return Column("rescued_by", "rescued by"), name


def _drawn(lattice: Lattice, glyphs: Glyphs) -> str:
    return "".join(verdict_sign(cell, glyphs) for cell in lattice.cells)


def _constraints(results: Results) -> Iterator[_Verdict]:
    prompts, benchmark = results.prompts, results.benchmark
    for model, judged in results.judged.items():
        for row in judged:
            prompt = prompts[row.key]
            key = str(original_key(prompt))
            for index, lattice in enumerate(row.lattices):
                wording = benchmark.wording(prompt.constraints[index])
                yield _Verdict(model, key, index + 1, lattice, wording)


def sources(workspace: Workspace) -> Sheet:
    """A row a file: how it was recognised and what became of its rows."""
    names = ("path", "format", "models", "prompts", "responses")
    fates = ("used", "duplicate", "unmatched", "broken")
    columns = (
        *(Column(name, name, numeric=name not in ("path", "format")) for name in names),
        *(Column(name, name, numeric=True) for name in fates),
    )
    rows = tuple(
        tuple(source.to_dict()[column.name] for column in columns) for source in workspace.sources
    )
    return Sheet("Files", columns, rows)


def problems(workspace: Workspace) -> Sheet:
    """A row a problem: file, line, kind, reason, advice."""
    names = ("path", "line", "kind", "reason", "advice")
    columns = tuple(Column(name, name, numeric=name == "line") for name in names)
    rows = tuple(tuple(problem.to_dict()[name] for name in names) for problem in workspace.problems)
    return Sheet("Rows not used, and notices", columns, rows)
