"""Markdown tables and the Markdown report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ifbench_tui.report import sheets
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.report.results import Results
from ifbench_tui.report.sheets import Sheet, written
from ifbench_tui.report.visible import drawn_line
from ifbench_tui.workspace import Workspace

__all__ = ["markdown_report", "to_list", "to_markdown"]

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&$])")


def to_markdown(sheet: Sheet, glyphs: Glyphs) -> Iterator[str]:
    """The sheet as a pipe table under its title; text from files cannot become markup."""
    yield f"### {_escaped(sheet.title)}\n\n"
    yield _row([_escaped(column.title) for column in sheet.columns])
    yield _row(["--:" if column.numeric else ":--" for column in sheet.columns])
    for row in written(sheet, glyphs):
        yield _row([_escaped(cell) for cell in row])
    yield "\n"


def to_list(lines: Iterable[str]) -> Iterator[str]:
    """Lines of plain text as a list; text from files cannot become markup."""
    for line in lines:
        yield f"- {_escaped(line.strip())}\n"


def markdown_report(
    workspace: Workspace, all_results: Sequence[Results], glyphs: Glyphs
) -> Iterator[str]:
    """Scores, breakdowns, every constraint not followed, and every row that was not used."""
    yield "# Instruction-following report\n\n"
    for results in all_results:
        yield from to_markdown(sheets.overview(results), glyphs)
        for kind in sorted(results.kinds, key=lambda kind: kind == "type"):
            yield from to_markdown(sheets.breakdown(results, kind), glyphs)
        if len(results.benchmark.variant_names) > 1:
            labels = ", ".join(_escaped(label) for label in results.benchmark.variant_labels)
            signs = f"{glyphs.holds} followed, {glyphs.fails} not, {_escaped(glyphs.error)} raised"
            yield f"Variants, in order: {labels} ({signs}).\n\n"
        yield from to_markdown(sheets.failures(results, glyphs), glyphs)
    yield from to_markdown(sheets.sources(workspace), glyphs)
    if workspace.problems:
        yield from to_markdown(sheets.problems(workspace), glyphs)


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", drawn_line(text))


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |\n"
