"""Strict and loose accuracy by prompt and by constraint, per type and per category."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from ifbench_tui.engine.benchmark import Benchmark, JudgedResponse
from ifbench_tui.engine.intervals import PairedComparison, clustered, compare_paired, wilson
from ifbench_tui.engine.summary import GroupScore, Metric, Summary
from ifbench_tui.engine.verdict import Lattice

__all__ = ["compare", "group_score", "group_scores", "summarise"]


def summarise(benchmark: Benchmark, judged: Sequence[JudgedResponse]) -> Summary:
    """The four accuracies and the tables under them.

    Prompt accuracy = prompts with every constraint followed / prompts; constraint ("inst")
    accuracy = constraints followed / constraints. Prompts without constraints are left out and
    counted in `prompts_without_constraints`; with nothing to divide by a value is None. Prompt
    intervals are Wilson's; constraint intervals allow for the prompts they come from.
    """
    rows = [row for row in judged if row.lattices]
    metrics = (
        _by_prompt("prompt_strict", "prompt strict", [row.strict for row in rows]),
        _by_constraint("inst_strict", "inst strict", rows, lambda lattice: lattice.strict),
        _by_prompt("prompt_loose", "prompt loose", [row.loose for row in rows]),
        _by_constraint("inst_loose", "inst loose", rows, lambda lattice: lattice.loose),
    )
    lattices = [lattice for row in rows for lattice in row.lattices]
    failures = [lattice for lattice in lattices if not lattice.strict]
    rescued = Counter(lattice.rescued_by for lattice in failures if lattice.loose)
    names = benchmark.variant_names
    strict, loose = metrics[0].value, metrics[2].value
    return Summary(
        benchmark.id,
        len(rows),
        len(lattices),
        metrics,
        {
            "type": group_scores(lattices, lambda lattice: lattice.constraint),
            "category": group_scores(lattices, lambda row: benchmark.family(row.constraint)),
        },
        {
            "prompts_without_constraints": len(judged) - len(rows),
            "blank_responses": sum(row.blank for row in rows),
            "errors": sum(lattice.error is not None for lattice in lattices),
            "strict_loose_gap": None if strict is None or loose is None else loose - strict,
            "formatting_only_share": _share(sum(rescued.values()), len(failures)),
            "rescued_by": {names[i]: rescued[i] for i in range(1, len(names)) if rescued[i]},
            "near_miss_share": _share(sum(x.near_miss for x in failures), len(failures)),
        },
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _by_prompt(name: str, title: str, passes: Sequence[bool]) -> Metric:
    n, hits = len(passes), sum(passes)
    lower, upper = wilson(hits, n) or (None, None)
    return Metric(name, title, _share(hits, n), lower, upper, n, hits, "Wilson 95 %")


def _by_constraint(
    name: str, title: str, rows: Sequence[JudgedResponse], passes: Callable[[Lattice], bool]
) -> Metric:
    hits = [sum(map(passes, row.lattices)) for row in rows]
    sizes = [len(row.lattices) for row in rows]
    lower, upper = clustered(hits, sizes) or (None, None)
    total = sum(sizes)
    method = "Wilson 95 % on the effective sample size, prompts as clusters"
    return Metric(name, title, _share(sum(hits), total), lower, upper, total, sum(hits), method)


def group_scores(
    lattices: Sequence[Lattice], group_of: Callable[[Lattice], str]
) -> tuple[GroupScore, ...]:
    """Tallies per group in alphabetical order; a prompt that repeats a type counts each time."""
    members: dict[str, list[Lattice]] = defaultdict(list)
    for lattice in lattices:
        members[group_of(lattice)].append(lattice)
    return tuple(group_score(name, members[name]) for name in sorted(members))


def group_score(
    name: str, group: Sequence[Lattice], *, thin: bool = False, factor: float | None = None
) -> GroupScore:
    """The tally of one group with at least one member."""
    rescues = Counter(lattice.rescued_by for lattice in group)
    return GroupScore(
        name,
        len(group),
        sum(lattice.strict for lattice in group),
        sum(lattice.loose for lattice in group),
        sum(lattice.near_miss for lattice in group),
        sum(lattice.error is not None for lattice in group),
        tuple(rescues[variant] for variant in range(len(group[0].cells))),
        thin,
        factor,
    )


def compare(
    a: Sequence[JudgedResponse], b: Sequence[JudgedResponse], *, loose: bool = False
) -> PairedComparison:
    """Two models on the prompts both answered (same key), strictly or loosely."""
    theirs = {row.key: row for row in b if row.lattices}
    pairs = [(row, theirs[row.key]) for row in a if row.lattices and row.key in theirs]

    def passes(row: JudgedResponse) -> bool:
        return row.loose if loose else row.strict

    return compare_paired([passes(x) for x, _ in pairs], [passes(y) for _, y in pairs])
