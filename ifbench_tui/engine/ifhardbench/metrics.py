"""The three metrics of IFHardBench, their intervals, and the tables under them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ifbench_tui.engine.accuracy import group_score
from ifbench_tui.engine.benchmark import JudgedResponse, Prompt
from ifbench_tui.engine.intervals import wilson
from ifbench_tui.engine.summary import GroupScore, Metric, Summary
from ifbench_tui.engine.verdict import Lattice

__all__ = [
    "FLOOR",
    "MIN_SUPPORT",
    "Tally",
    "balance",
    "constraint_rate",
    "row_values",
    "summarise",
    "tallies",
]

MIN_SUPPORT = 5
"""Verdicts from which a type counts in balance_score; a type with fewer is thin."""

FLOOR = 0.01
"""The least rate a type enters balance_score with."""

SEED = 20_260
"""The intervals of a run are the same each time it is scored."""

ATTRIBUTES = ("tier", "length_tier", "topic", "prompt_style", "stratum")

Tally = tuple[int, int]
"""Verdicts passed and verdicts seen."""


def row_values(row: JudgedResponse) -> tuple[float, float | None]:
    """sample_pass_rate and constraint_pass_rate of one row.

    A row without requirements is 0.0 and 0.0. A blank answer is 0.0 and None: it fails, and its
    verdicts are not reported.
    """
    passed = sum(lattice.strict for lattice in row.lattices)
    if not row.lattices:
        return 0.0, 0.0
    if row.blank:
        return 0.0, None
    return float(passed == len(row.lattices)), passed / len(row.lattices)


def constraint_rate(values: Iterable[float | None]) -> float:
    """The mean over rows that have a value, each row weighing the same; 0.0 where none has."""
    there = [value for value in values if value is not None]
    return math.fsum(there) / len(there) if there else 0.0


def tallies(verdicts: Iterable[tuple[str, bool]]) -> dict[str, Tally]:
    """(passed, seen) by type, types in the order of their names."""
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, passed in verdicts:
        found[name][0] += passed
        found[name][1] += 1
    return {name: (found[name][0], found[name][1]) for name in sorted(found)}


def balance(by_type: Mapping[str, Tally]) -> float:
    """exp of the mean over counted types of ln(max(passed / seen, FLOOR)).

    A type counts from MIN_SUPPORT verdicts on; 0.0 where none counts.
    """
    rates = [passed / seen for passed, seen in by_type.values() if seen >= MIN_SUPPORT]
    if not rates:
        return 0.0
    return math.exp(math.fsum(math.log(max(rate, FLOOR)) for rate in rates) / len(rates))


def summarise(
    benchmark_id: str, judged: Sequence[JudgedResponse], prompts: Sequence[Prompt]
) -> Summary:
    """The three metrics over one model's answers, with 95 % intervals, groups and extras.

    sample_pass_rate is the share of rows whose requirements all hold, Wilson's interval;
    constraint_pass_rate and balance_score have percentile bootstrap intervals over questions.
    """
    by_key = {prompt.key: prompt for prompt in prompts}
    values = [row_values(row) for row in judged]
    reported = [row for row in judged if row.lattices and not row.blank]
    by_type = tallies(
        (lattice.constraint, lattice.strict) for row in reported for lattice in row.lattices
    )
    rates = [rate for _, rate in values]
    metrics = (
        _sample_metric([passed for passed, _ in values]),
        *_bootstrapped(judged, rates, by_type),
    )
    pairs = [
        (by_key.get(row.key), index, lattice)
        for row in reported
        for index, lattice in enumerate(row.lattices)
    ]
    empty = sum(row.blank for row in judged)
    factors = _factors(by_type)
    return Summary(
        benchmark_id,
        len(judged),
        sum(seen for _, seen in by_type.values()),
        metrics,
        _groups(pairs, by_type, factors),
        {
            "empty": empty,
            "empty_share": empty / len(judged) if judged else None,
            "prompts_without_constraints": sum(not row.lattices for row in judged),
            "errors": sum(lattice.error is not None for _, _, lattice in pairs),
            **_balance_extras(by_type),
            "balance_factors": factors,
            **_further([passed for passed, _ in values], by_type),
        },
    )


def _sample_metric(passes: Sequence[float]) -> Metric:
    n, hits = len(passes), sum(passes)
    lower, upper = wilson(hits, n) or (None, None)
    value = hits / n if n else None
    return Metric("sample_pass_rate", "sample pass", value, lower, upper, n, hits, "Wilson 95 %")


def _bootstrapped(
    judged: Sequence[JudgedResponse], rates: Sequence[float | None], by_type: Mapping[str, Tally]
) -> tuple[Metric, Metric]:
    counted = [name for name, (_, seen) in by_type.items() if seen >= MIN_SUPPORT]
    column = {name: place for place, name in enumerate(counted)}
    rows = [
        [
            (column[lattice.constraint], lattice.strict)
            for lattice in (() if row.blank else row.lattices)
            if lattice.constraint in column
        ]
        for row in judged
    ]
    # numpy is loaded only where a run is summed up: `check` and the like do without.
    from ifbench_tui.engine.ifhardbench.bootstrap import intervals

    rate, balanced = intervals(rates, rows, len(counted), FLOOR, SEED)
    method = "bootstrap 95 % over questions"
    n = sum(value is not None for value in rates)
    seen = sum(by_type[name][1] for name in counted)
    hits = sum(by_type[name][0] for name in counted)
    share = constraint_rate(rates)
    return (
        Metric("constraint_pass_rate", "constraint pass", share, *rate, n, share * n, method),
        Metric("balance_score", "balance", balance(by_type), *balanced, seen, hits, method),
    )


_Verdict = tuple[Prompt | None, int, Lattice]


def _groups(
    verdicts: Sequence[_Verdict], by_type: Mapping[str, Tally], factors: Mapping[str, float]
) -> dict[str, tuple[GroupScore, ...]]:
    """Scores by type, by the family the data state, and by what the rows say of themselves."""
    members: dict[str, dict[str, list[Lattice]]] = defaultdict(lambda: defaultdict(list))
    for prompt, index, lattice in verdicts:
        members["type"][lattice.constraint].append(lattice)
        if prompt is None:
            continue
        members["family"][prompt.constraints[index].family].append(lattice)
        for name in ATTRIBUTES:
            value = prompt.attributes.get(name)
            if isinstance(value, str):
                members[name][value].append(lattice)
    kinds = ("type", "family", *(name for name in ATTRIBUTES if name in members))
    return {
        kind: tuple(
            group_score(
                name,
                members[kind][name],
                thin=kind == "type" and by_type[name][1] < MIN_SUPPORT,
                factor=factors.get(name) if kind == "type" else None,
            )
            for name in sorted(members[kind])
        )
        for kind in kinds
    }


def _factors(by_type: Mapping[str, Tally]) -> dict[str, float]:
    """What balance_score is made of: the number each counted type multiplies it by."""
    rates = {name: passed / seen for name, (passed, seen) in by_type.items() if seen >= MIN_SUPPORT}
    return {name: max(rate, FLOOR) ** (1 / len(rates)) for name, rate in rates.items()}


def _balance_extras(by_type: Mapping[str, Tally]) -> dict[str, Any]:
    """Which types count in balance_score, with what they passed, and which do not."""
    counted = {name: tally for name, tally in by_type.items() if tally[1] >= MIN_SUPPORT}
    return {
        "thin_types": sorted(by_type.keys() - counted.keys()),
        "counted_types": {name: list(tally) for name, tally in counted.items()},
    }


def _further(passes: Sequence[float], by_type: Mapping[str, Tally]) -> dict[str, Any]:
    """Numbers that help to read the three: standard error, micro rate, mean of the type rates."""
    n = len(passes)
    seen = sum(tally[1] for tally in by_type.values())
    rates = [passed / total for passed, total in by_type.values() if total >= MIN_SUPPORT]
    error = None
    if n > 1:
        mean = sum(passes) / n
        error = math.sqrt(math.fsum((one - mean) ** 2 for one in passes) / (n - 1) / n)
    return {
        "sample_pass_rate_stderr": error,
        "micro_constraint_rate": (
            sum(tally[0] for tally in by_type.values()) / seen if seen else None
        ),
        "equal_weight_arithmetic_mean": math.fsum(rates) / len(rates) if rates else None,
    }
