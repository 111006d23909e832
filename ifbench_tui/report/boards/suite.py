"""A constraint benchmark's results as a board, so that all boards are written in one way."""

from __future__ import annotations

from collections.abc import Iterator

from ifbench_tui.report import sheets
from ifbench_tui.report.boards.base import BoardResult
from ifbench_tui.report.json import verdict_lines
from ifbench_tui.report.results import Comparison, Results
from ifbench_tui.report.sheets import Sheet

__all__ = ["suite_board"]


def suite_board(results: Results, comparison: Comparison | None, by: str | None) -> BoardResult:
    """Accuracies with their breakdown `by`, and the paired test of two models."""
    names = dict.fromkeys(m.name for one in results.summaries.values() for m in one.metrics)
    by = by if by in results.kinds else None
    tables = tuple(_sheets(results, comparison, by))
    return BoardResult(
        results.suite.benchmark_id,
        results.benchmark.title,
        {name: summary.to_dict() for name, summary in results.summaries.items()},
        tables,
        tuple(names),
        extra={"compare": comparison.to_dict()} if comparison else {},
        lines=lambda: verdict_lines([results]),
        specific=_specific(tables, comparison, by),
    )


def _sheets(results: Results, comparison: Comparison | None, by: str | None) -> Iterator[Sheet]:
    yield sheets.overview(results)
    if by:
        yield sheets.breakdown(results, by)
    if comparison:
        yield sheets.compared(comparison)
        if by == "type":
            yield sheets.compared_types(comparison)
        yield sheets.one_sided(comparison)


def _specific(tables: tuple[Sheet, ...], comparison: Comparison | None, by: str | None) -> int:
    """Which table answers what was asked most closely: the comparison, else the breakdown."""
    return int(by is not None) + int(comparison is not None)
