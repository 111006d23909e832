"""Rows that were not used, and notices: where, why, what to do."""

from __future__ import annotations

from collections.abc import Iterator

from textual import on
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from ifbench_tui.engine.quantity import quantity
from ifbench_tui.report import sheets
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.columns import middle
from ifbench_tui.tui.file_names import short_names
from ifbench_tui.tui.ink import Line, safe
from ifbench_tui.tui.screens.place import Place, title
from ifbench_tui.tui.screens.save_sheet import SaveSheet, as_tsv
from ifbench_tui.tui.widgets.list_head import ListHead
from ifbench_tui.tui.widgets.row_list import RowList
from ifbench_tui.workspace import Problem, Workspace

__all__ = ["ProblemsScreen"]

_ALL = "all files"
_INKS = {"broken": "fail", "unmatched": "error", "duplicate": "rescued", "notice": "dim"}


class ProblemsScreen(Place):
    """The problems of one file (or of all); below, all about the one under the cursor."""

    PLACE = "Problems"
    BINDINGS = bindings("problems")
    AUTO_FOCUS = "#problems"
    CSS_PATH = "../styles/library.tcss"

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path
        self._all = not path
        self._listed: list[Problem] = []
        self._names: dict[str, str] = {}

    def body(self) -> Iterator[Widget]:
        problems = RowList(self._row, id="problems")
        yield Vertical(ListHead(problems, self._heads), problems, id="table", classes="pane")
        about = VerticalScroll(Static("", id="words", markup=False), id="about", classes="pane")
        about.border_title = title("what to do")
        yield about

    def head(self) -> list[Line]:
        where = _ALL if self._all else middle(self._names[self._path], 40).rstrip()
        return [[(where, "dim")]]

    def bench_changed(self) -> None:
        workspace = self.bench.workspace
        everything = () if workspace is None else workspace.problems
        self._names = short_names({self._path, *(one.path for one in everything)} - {""})
        self._listed = [one for one in everything if self._all or one.path == self._path]
        rows = sum(one.rows for one in self._listed)
        table = self.query_one("#table")
        many = len(self._listed)
        noun = "problem or notice" if many == 1 else "problems and notices"
        table.border_title = title(f"{many:,} {noun} on {quantity(rows, 'row')}")
        self.query_one(ListHead).redraw()
        self.query_one("#problems", RowList).set_rows(len(self._listed))
        if not self._listed:
            self.query_one("#words", Static).update("Every row is used.")
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        about_rows = action in ("yank", "yank_all", "write")
        return None if about_rows and not self._listed else True

    def _heads(self, width: int) -> str:
        return f" {'where':<{self._where()}}{'fate':<11}{'rows':>6}  reason"

    def _place(self, problem: Problem) -> str:
        """The file's short name, and the line."""
        name = self._names.get(problem.path, _ALL)
        return name if problem.line is None else f"{name}:{problem.line}"

    def _where(self) -> int:
        longest = max((len(self._place(one)) for one in self._listed), default=0)
        return max(8, min(longest, 28 if self.size.width >= 100 else 16)) + 2

    def _row(self, row: int, width: int) -> Line:
        problem, room = self._listed[row], self._where()
        return [
            (f" {middle(self._place(problem), room - 1)} ", ""),
            (f"{problem.kind:<11}", _INKS[problem.kind]),
            (f"{problem.rows:>6,}  ", "dim"),
            (safe(problem.reason), ""),
        ]

    @on(RowList.Moved, "#problems")
    def _moved(self, message: RowList.Moved) -> None:
        problem = self._listed[message.row]
        parts: list[tuple[str, str]] = [
            (f"{safe(problem.where or _ALL)}\n", "bold"),
            (f"{problem.kind}: ", "$quiet"),
            (f"{safe(problem.reason)}\n", ""),
        ]
        advice = problem.advice or _ADVICE[problem.kind]
        parts += [("what to do: ", "$quiet"), (safe(advice), "")]
        self.query_one("#words", Static).update(Content.assemble(*parts))

    def action_scope(self) -> None:
        if self._path:
            self._all = not self._all
            self.bench_changed()
            self.refresh_head()

    def _problem(self) -> Problem | None:
        row = self.query_one("#problems", RowList).cursor
        return self._listed[row] if 0 <= row < len(self._listed) else None

    def action_yank(self) -> None:
        problem = self._problem()
        if problem is not None:
            parts = (problem.where or _ALL, problem.kind, problem.reason, problem.advice)
            self.audit_app.yank(": ".join(filter(None, parts)), "the problem")

    def _tables(self) -> list[sheets.Sheet]:
        return [sheets.problems(Workspace({}, (), tuple(self._listed)))]

    def action_yank_all(self) -> None:
        self.audit_app.yank(as_tsv(self._tables()[0]), f"{len(self._listed)} problems")

    def action_write(self) -> None:
        self.app.push_screen(SaveSheet(self._tables, "problems.csv"))


_ADVICE = {
    "broken": "repair the row in the file and load it again",
    "unmatched": "load the prompts file it belongs to",
    "duplicate": "nothing, if the last row is the one to count",
    "notice": "nothing, if this is what you want",
}
