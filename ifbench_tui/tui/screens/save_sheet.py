"""Where to write a table; the ending of the name says how."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from ifbench_tui.files import write_file
from ifbench_tui.report.csv import to_csv
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.report.markdown import to_markdown
from ifbench_tui.report.sheets import Sheet as Table
from ifbench_tui.tui.ink import safe
from ifbench_tui.tui.screens.sheet import Sheet
from ifbench_tui.tui.widgets.entry import Entry

__all__ = ["SaveSheet", "as_markdown", "as_tsv"]


def as_tsv(table: Table) -> str:
    """A table for a spreadsheet: the cells of its CSV between tabs."""
    return "\n".join("\t".join(row) for row in csv.reader(to_csv(table)))


def as_markdown(tables: Iterable[Table], glyphs: Glyphs) -> str:
    """Tables under their titles."""
    return "".join(line for table in tables for line in to_markdown(table, glyphs))


class SaveSheet(Sheet[str]):
    """Asks for a file name and writes there; a file that exists is replaced on a second Enter."""

    CSS = """
    SaveSheet Static { height: auto; }
    SaveSheet #problem { color: $verdict-error; }
    """

    def __init__(self, tables: Callable[[], list[Table]], name: str) -> None:
        super().__init__()
        self._tables = tables
        self._offered = name
        self._replace = ""

    def compose(self) -> ComposeResult:
        sheet = Vertical(classes="sheet")
        sheet.border_title = "write"
        sheet.border_subtitle = self.words("enter write · esc leave it")
        with sheet:
            yield Static("The first table as .csv, or all as .md", markup=False, classes="label")
            yield Entry(self._offered, id="path")
            yield Static("", id="problem", markup=False)

    @on(Input.Submitted)
    def _write(self, event: Input.Submitted) -> None:
        path = Path(event.value.strip()).expanduser()
        tables = self._tables()
        if path.suffix not in (".csv", ".md"):
            self._say("the name must end in .csv or .md")
            return
        if path.exists() and self._replace != str(path):
            self._replace = str(path)
            self._say(f"{path} exists; enter replaces it")
            return
        glyphs = self.audit_app.bench.glyphs
        text = as_markdown(tables, glyphs) if path.suffix == ".md" else "".join(to_csv(tables[0]))
        try:
            write_file(path, [text])
        except OSError as error:
            self._say(f"{path}: cannot be written: {error.strerror}; choose another place")
            return
        self.audit_app.say(f"wrote {path}")
        self.dismiss(str(path))

    def _say(self, words: str) -> None:
        self.query_one("#problem", Static).update(safe(words))
