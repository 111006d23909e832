"""What the Scores place shows in each column, made from a benchmark's summaries alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from rich.cells import set_cell_size

from ifbench_tui.engine.summary import GroupScore, Metric, Summary
from ifbench_tui.filters import ALL, Filter
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.tui.ink import HEAT_LEVELS, Line, safe
from ifbench_tui.tui.widgets.cell_grid import GridColumn

__all__ = [
    "MEASURES",
    "Headline",
    "Measure",
    "group_cell",
    "group_filter",
    "group_head",
    "group_names",
    "group_of",
    "group_words",
    "headlines",
    "measures",
    "percent",
]

_LOWEST = 4
_METRIC_WIDTH = 15
_SHARE_WIDTH = 8


@dataclass(frozen=True, slots=True)
class Headline:
    """A column of the upper table: its value to sort by, its cell, its words, and the responses
    behind it (None where a filter cannot say them)."""

    title: str
    grid: GridColumn
    value: Callable[[Summary], float | None]
    cell: Callable[[Summary], Line]
    words: Callable[[Summary], str]
    where: Filter | None


def percent(value: float | None, glyphs: Glyphs, digits: int = 1) -> str:
    """A share in per cent, without the sign: units stand once, in the head."""
    return glyphs.none if value is None else f"{100 * value:.{digits}f}"


def interval(metric: Metric, glyphs: Glyphs) -> str:
    """The bounds of a metric in per cent."""
    if metric.lower is None or metric.upper is None:
        return ""
    lower, upper = (f"{100 * bound:.1f}" for bound in (metric.lower, metric.upper))
    return f"{lower}{glyphs.none}{upper.replace('100.0', '100')}"


# ---- the upper table -----------------------------------------------------------------------------

_RESCUED = Filter(strict=False, loose=True)

_EXTRAS: Sequence[tuple[str, str, str, Filter | None]] = (
    ("strict_loose_gap", "gap", "prompt loose less prompt strict", _RESCUED),
    ("formatting_only_share", "format", "of strict failures: some variant rescues them", _RESCUED),
    ("near_miss_share", "near", "of strict failures: off by one or at most 5 %", Filter(near=True)),
    ("empty_share", "empty", "of answers are blank", None),
)
"""Further shares that a benchmark may state, in this order: name, head, words, responses."""


def headlines(summary: Summary, glyphs: Glyphs) -> list[Headline]:
    """The columns for summaries of this shape: metrics with intervals, then further shares."""
    columns = [_metric_column(metric, glyphs) for metric in summary.metrics]
    columns += [_extra_column(extra, glyphs) for extra in _EXTRAS if extra[0] in summary.extras]
    if "thin_types" in summary.extras:
        columns.append(_counted_column(glyphs))
    if "errors" in summary.extras:
        columns.append(_errors_column(glyphs))
    columns.append(_size_column())
    return columns


def _metric_column(metric: Metric, glyphs: Glyphs) -> Headline:
    name = metric.name

    def cell(summary: Summary) -> Line:
        found = summary.metric(name)
        bounds = interval(found, glyphs)
        return [(percent(found.value, glyphs), "strong"), (f" {bounds:>9}", "interval")]

    def words(summary: Summary) -> str:
        found = summary.metric(name)
        bounds = f" [{interval(found, glyphs)}]" if found.lower is not None else ""
        hits = f"{found.hits:,.0f}" if float(found.hits).is_integer() else f"{found.hits:,.1f}"
        share = f"{percent(found.value, glyphs)} %{bounds}"
        return f"{share}   {hits} of {found.n:,}   {found.method}"

    where = Filter(loose=False) if name.endswith("loose") else Filter(strict=False)
    grid = GridColumn((metric.title,), max(_METRIC_WIDTH, len(metric.title) + 2))
    return Headline(metric.title, grid, lambda one: one.metric(name).value, cell, words, where)


def _extra_column(extra: tuple[str, str, str, Filter | None], glyphs: Glyphs) -> Headline:
    name, head, meaning, where = extra

    def value(summary: Summary) -> float | None:
        found = summary.extras.get(name)
        return found if isinstance(found, float) else None

    return Headline(
        head,
        GridColumn((head,), _SHARE_WIDTH),
        value,
        lambda summary: [(percent(value(summary), glyphs), "")],
        lambda summary: f"{percent(value(summary), glyphs)} %   {meaning}",
        where,
    )


def _errors_column(glyphs: Glyphs) -> Headline:
    def cell(summary: Summary) -> Line:
        count = summary.extras["errors"]
        return [(f"{glyphs.error} {count}", "error")] if count else [("0", "dim")]

    return Headline(
        "errors",
        GridColumn(("errors",), _SHARE_WIDTH),
        lambda summary: summary.extras["errors"],
        cell,
        lambda summary: f"{summary.extras['errors']} constraints whose check raised an error",
        Filter(error=True),
    )


def _counted_column(glyphs: Glyphs) -> Headline:
    """How many types are factors of a metric that is a product; which pull it down most."""

    def counted(summary: Summary) -> list[tuple[float, GroupScore]]:
        types = summary.groups.get("type", ())
        there = [(one.factor, one) for one in types if one.factor is not None]
        return sorted(there, key=lambda pair: (pair[0], pair[1].name))

    def cell(summary: Summary) -> Line:
        thin = len(summary.extras["thin_types"])
        count = len(counted(summary))
        return [(f"{count}/{count + thin}", "rescued" if thin else "dim")]

    def words(summary: Summary) -> str:
        lowest = ", ".join(
            f"{safe(score.name.rpartition(':')[2])} {factor:.2f} ({score.strict}/{score.n})"
            for factor, score in counted(summary)[:_LOWEST]
        )
        thin = len(summary.extras["thin_types"])
        return f"{lowest or 'no factors'} {glyphs.dot} lowest factors   {thin} types are thin"

    return Headline(
        "counted",
        GridColumn(("counted",), _SHARE_WIDTH),
        lambda summary: float(len(counted(summary))),
        cell,
        words,
        Filter(strict=False),
    )


def _size_column() -> Headline:
    return Headline(
        "n",
        GridColumn(("n",), 10),
        lambda summary: float(summary.n_prompts),
        lambda summary: [(f"{summary.n_prompts:,}/{summary.n_constraints:,}", "dim")],
        lambda summary: f"{summary.n_prompts:,} prompts, {summary.n_constraints:,} constraints",
        ALL,
    )


# ---- the heat map --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measure:
    """What the heat map shows of a group: a share in [0, 1] and how bad it is."""

    name: str
    meaning: str
    value: Callable[[GroupScore], float | None]
    bad: Callable[[float], float]
    where: Filter


def _gap(score: GroupScore) -> float | None:
    return (score.loose - score.strict) / score.n if score.n else None


def _near(score: GroupScore) -> float | None:
    failed = score.n - score.strict
    return score.near_misses / failed if failed else None


MEASURES = (
    Measure("strict", "followed strictly", lambda score: score.strict_rate,
            lambda share: 1 - share, Filter(strict=False)),
    Measure("loose", "followed on some variant", lambda score: score.loose_rate,
            lambda share: 1 - share, Filter(loose=False)),
    Measure("gap", "loose less strict", _gap, lambda share: share,
            Filter(strict=False, loose=True)),
    Measure("near", "strict failures that nearly hold", _near, lambda share: share / 2,
            Filter(near=True)),
)  # fmt: skip
_FOLLOWED = replace(MEASURES[0], name="followed", meaning="share of constraints")
_FACTOR = Measure(
    "factor",
    "what each type multiplies balance by",
    lambda score: score.factor,
    lambda factor: 1 - factor,
    Filter(strict=False),
)


def measures(variants: int, *, product: bool = False) -> tuple[Measure, ...]:
    """The measures that tell something: with one variant loose is strict."""
    found = MEASURES if variants > 1 else (_FOLLOWED, MEASURES[3])
    return (*found, _FACTOR) if product else found


def group_names(summaries: Iterable[Summary], kind: str) -> list[str]:
    """The groups of a kind over all models, by name; where they are factors of a metric the
    lowest first, and last those too thin to count for any model."""
    scores = [score for one in summaries for score in one.groups.get(kind, ())]
    lowest: dict[str, float] = {}
    for score in scores:
        factor = _THIN if score.factor is None else score.factor
        lowest[score.name] = min(factor, lowest.get(score.name, _THIN))
    return sorted(lowest, key=lambda name: (lowest[name], name))


def group_of(summary: Summary | None, kind: str, name: str) -> GroupScore | None:
    """One group's score; None where the model has no such constraint."""
    groups = () if summary is None else summary.groups.get(kind, ())
    return next((score for score in groups if score.name == name), None)


def group_head(name: str, width: int) -> tuple[str, str]:
    """A group's name in two short lines: its first word, and what else fits of the rest."""
    first, *rest = safe(name.rpartition(":")[2] or name).replace("-", "_").split("_")
    head = set_cell_size(first, width - 1).rstrip()
    last = rest[-1] if rest else first[len(head) :]
    return head, set_cell_size(last, width - 1).rstrip()


_THIN = 2.0
"""Stands behind every factor, which is at most 1."""

_BARS = "▁▂▃▄▅▆▇█"
_STEPS = (0.05, 0.15, 0.3, 0.5)


def group_cell(score: GroupScore | None, measure: Measure, glyphs: Glyphs) -> Line:
    """A number on a tint, with a bar that grows with what fails; thin groups in parentheses."""
    value = None if score is None else measure.value(score)
    if score is None or value is None:
        return [(glyphs.none, "dim"), (" ", "")]
    level = min(HEAT_LEVELS - 1, sum(measure.bad(value) >= step for step in _STEPS))
    tint = f"heat-{level}" if level else ""
    height = min(8, round(8 * measure.bad(value)))
    bar = " " if glyphs.ascii_only or not height else _BARS[height - 1]
    number = f"{100 * value:.0f}"
    number = f"({number})" if score.thin else f"{number:>3}"
    sign = (bar, f"{tint} fail".strip())
    if score.errors:
        # The colour of errors is too weak on a tint.
        sign = (glyphs.error, f"{tint} strong" if tint else "error")
    return [(" ", tint), sign, (f"{number} ", tint)]


def group_words(score: GroupScore | None, measure: Measure, glyphs: Glyphs) -> str:
    """Everything known of one cell of the heat map."""
    if score is None:
        return "no constraint of this kind"
    failed = score.n - score.strict
    strict = f"{percent(score.strict_rate, glyphs)} ({score.strict:,})"
    verdicts = [
        f"strict {strict}",
        f"loose {percent(score.loose_rate, glyphs)} ({score.loose:,})",
        f"{glyphs.rescued} {score.loose - score.strict} rescued",
    ]
    words = [
        f"n {score.n:,}",
        *([f"followed {strict}"] if len(score.rescued_by) == 1 else verdicts),
        f"near {score.near_misses} of {failed}",
        f"errors {score.errors}",
    ]
    if score.thin:
        words.append("thin: too few to count")
    if score.factor is not None:
        words.insert(1, f"factor {score.factor:.3f}")
    if measure.name in ("gap", "near"):
        words.insert(1, f"{measure.name} {percent(measure.value(score), glyphs)}")
    return "  ".join(words)


def group_filter(kind: str, name: str, measure: Measure) -> Filter:
    """The prompts a cell counts as bad."""
    field = {"type": "type", "category": "category", "family": "category"}.get(kind, "has")
    value = f"{kind}={name}" if field == "has" else name
    return replace(measure.where, **{field: value})  # type: ignore[arg-type]
