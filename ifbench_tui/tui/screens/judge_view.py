"""What Judge draws: the form, what would be sent, the calls, and the judge's biases."""

from __future__ import annotations

import os
from collections.abc import Iterator

from textual import on
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from ifbench_tui.judge.accounts import Prices
from ifbench_tui.judge.endpoint import KEY_VARIABLES, key_source
from ifbench_tui.judge.standing import Run, Tally
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.ink import Line, entitle, safe
from ifbench_tui.tui.judge_bias import bias_lines
from ifbench_tui.tui.judge_form import Field, Form, Shelf, fields_of, words_of
from ifbench_tui.tui.judge_jobs import Asking, BiasReady, Planned
from ifbench_tui.tui.judge_rows import ORDERS, counts, faults, heads, in_order, row_line
from ifbench_tui.tui.screens.place import Place, title
from ifbench_tui.tui.widgets.bar import Bar
from ifbench_tui.tui.widgets.list_head import ListHead
from ifbench_tui.tui.widgets.row_list import RowList

__all__ = ["JudgeView"]

_LABEL = 16
_PROBLEMS = 8
_NO_BIAS = (
    "Nothing loaded says anything about a judge.\n\n"
    "Ask one (v goes back to the calls), or press 1 for the Library, then o, and open judgments: "
    "MT-Bench or Arena-Hard pairs judged in both orders, AlpacaEval annotations, scores of several "
    "judges with families, or verdicts with and without a reference answer."
)


class JudgeView(Place):
    """Draws what the screen found out; asks for nothing itself."""

    PLACE = "Judge"
    BINDINGS = bindings("judge")
    AUTO_FOCUS = "#form"
    CSS_PATH = "../styles/judge.tcss"

    def __init__(self) -> None:
        super().__init__()
        self.form = Form()
        self.shelf = Shelf()
        self.planned: Planned | None = None
        self.asking: Asking | None = None
        self.run_shown: Run | None = None
        self.protocol_shown = ""
        self.tally: Tally | None = None
        self.ended = ""
        self.order = ORDERS[0]
        self.bias: BiasReady | None = None
        self._listed: list[int] = []
        self._followed = 0
        self._bias_lines: list[Line] = []

    def body(self) -> Iterator[Widget]:
        calls = RowList(self._call, id="calls")
        yield RowList(self._field, id="form", classes="pane")
        yield Bar(id="next")
        yield Bar(id="counts")
        yield Bar(id="faults")
        yield VerticalScroll(Static("", id="words", markup=False), id="plan", classes="pane")
        yield Vertical(ListHead(calls, heads), calls, id="table", classes="pane")
        yield RowList(self._bias_line, id="biases", classes="pane")

    @property
    def fields(self) -> list[Field]:
        """The lines of the form."""
        return fields_of(self.form)

    @property
    def field(self) -> Field:
        """The line of the form under the cursor."""
        fields = self.fields
        return fields[min(self.query_one("#form", RowList).cursor, len(fields) - 1)]

    @property
    def rows(self) -> RowList:
        """The calls."""
        return self.query_one("#calls", RowList)

    @property
    def strip(self) -> bool:
        """Whether verdicts are read behind reasoning traces only."""
        return self.bench.options.think == "strip"

    @property
    def key_file(self) -> str | None:
        """The key file of the config, where no variable holds a key."""
        if key_source(os.environ) is not None:
            return None
        return self.audit_app.config.settings.key_file or None

    # ---- head --------------------------------------------------------------------------------

    def head(self) -> list[Line]:
        what = "responses" if self.form.work == "generate" else self.form.protocol
        source = key_source(os.environ, self.key_file)
        key = f"key found in {source}" if source else f"no key in {' or '.join(KEY_VARIABLES)}"
        return [[(what, "")], [(safe(key, 48), "dim")]]

    def head_ends(self) -> list[Line]:
        if self.asking is None:
            return []
        return [[("asking, esc stops ", "accent strong")], [("asking ", "accent strong")]]

    # ---- form --------------------------------------------------------------------------------

    def show_form(self) -> None:
        """Draw the form again."""
        form = self.query_one("#form", RowList)
        if form.count != len(self.fields):
            form.set_rows(len(self.fields), form.cursor)
        form.redraw()
        words = "enter edits a line" if self.asking is None else "esc stops the run first"
        entitle(form, title(f"what to ask {self.glyphs.dot} {words}"))
        self.refresh_head()
        self.refresh_bindings()

    def _field(self, row: int, width: int) -> Line:
        field = self.fields[row]
        words, chosen = words_of(field, self.form, self.shelf, self.output_shown())
        marks = ("< ", " >") if self.glyphs.ascii_only else ("‹ ", " ›")
        around = marks if field.kind == "turn" else ("", "")
        text = safe(words, max(8, width - _LABEL - 6))
        return [
            (f" {field.label:<{_LABEL}}", "dim"),
            (around[0], "dim"),
            (text, "strong" if chosen else "dim"),
            (around[1], "dim"),
        ]

    def output_shown(self) -> str:
        """The name of the file to come, where none is chosen."""
        return ""

    # ---- what would be sent ------------------------------------------------------------------

    def show_plan(self) -> None:
        """Say what would be sent where."""
        plan = self.query_one("#plan")
        entitle(plan, title("what would be sent"))
        self.query_one("#words", Static).update(self._plan_words())
        self._show_next()

    def _show_next(self) -> None:
        bar, planned = self.query_one("#next", Bar), self.planned
        if self.asking is not None:
            bar.show([(f" {self._where()}", "accent"), ("  esc stops; answers are kept", "dim")])
        elif self.ended:
            left = 0 if planned is None or planned.estimate is None else len(planned.estimate.calls)
            right: Line = [("r", "key"), (f" {left:,} more calls ", "dim")] if left else []
            bar.show([(f" {safe(self.ended)}", "strong")], right)
        elif planned is None:
            bar.show([(" looking", "dim")])
        elif planned.failure:
            bar.show([(f" {self.glyphs.error} ", "error"), (safe(planned.failure), "")])
        elif planned.estimate is not None:
            calls = len(planned.estimate.calls)
            what = f"sends {calls:,} call{'s' * (calls != 1)}" if calls else "writes the file"
            where = f" to {self._where()}" if calls else ": all is answered already"
            bar.show([(" r", "key"), (f" {what}{where}", "")])

    def _where(self) -> str:
        endpoint = None if self.planned is None else self.planned.endpoint
        if endpoint is None:
            return ""
        return f"{safe(endpoint.host)}{' (this machine)' if endpoint.loopback else ''}"

    def _plan_words(self) -> Content:
        planned = self.planned
        if planned is None:
            return Content("Reading the files." if self.bench.paths or self.form.paths else "")
        parts: list[tuple[str, str]] = []
        if planned.estimate is not None:
            parts.append((f"{planned.estimate.words()}.\n", ""))
            if self.form.prices:
                cost = Prices(*self.form.prices).cost(planned.estimate.tokens)
                parts.append((f"That costs at most about {cost:.4f}.\n", ""))
        if not planned.failure:
            key = "with the key" if planned.endpoint and planned.endpoint.key else "without a key"
            parts.append((f"Calls go to {self._where()}, {key}. ", ""))
            parts.append(("Nothing is sent before you press r.\n", ""))
        if planned.work is not None:
            for notice in planned.work.notices:
                parts.append((f"{self.glyphs.error} {safe(notice)}\n", "$verdict-rescued"))
            for problem in planned.work.problems[:_PROBLEMS]:
                parts.append((f"not used: {safe(problem)}\n", "$quiet"))
            if (more := len(planned.work.problems) - _PROBLEMS) > 0:
                parts.append((f"not used: {more:,} more rows or files\n", "$quiet"))
        return Content.assemble(*parts)

    # ---- calls -------------------------------------------------------------------------------

    def show_run(self) -> None:
        """Draw the calls of the run that is on, or was last."""
        run, tally = self.run_shown, self.tally
        self.set_class(run is not None, "-ran")
        self._show_next()
        if run is None:
            return
        self._listed = in_order(run.rows, self.order)
        at = self.rows.cursor
        follows = self.asking is not None and self.order == ORDERS[0] and at == self._followed
        if follows:
            at = self._followed = run.latest
        if len(self._listed) != self.rows.count or at != self.rows.cursor:
            self.rows.set_rows(len(self._listed), at)
        self.rows.redraw()
        entitle(self.query_one("#table"), self._tabs())
        if tally is not None:
            left, rights = counts(tally, self.form.prices, going=self.asking is not None)
            self.query_one("#counts", Bar).show(left, *rights)
            self.query_one("#faults", Bar).show(faults(tally, self.glyphs))
        self.refresh_head()

    def _call(self, row: int, width: int) -> Line:
        if self.run_shown is None or row >= len(self._listed):
            return []
        shown = self.run_shown.rows[self._listed[row]]
        return row_line(shown, self.protocol_shown, width, self.glyphs, strip=self.strip)

    def _tabs(self) -> Content:
        """The two lower pages; the one on screen stands out by more than its colour."""
        left, right = ("[", "]") if self.glyphs.ascii_only else ("▏", "▕")
        on_biases = self.has_class("-biases")
        parts: list[tuple[str, str]] = []
        for words, here in (("calls", not on_biases), ("the judge's biases", on_biases)):
            if here:
                parts.append((f"{left}{words}{right}", "bold $foreground"))
            else:
                parts.append((f" {words} ", "$quiet not bold"))
        if not on_biases:
            words = f" {self.glyphs.dot} {self.order} {self.glyphs.dot} enter reads a reply "
            parts.append((words, "$quiet not bold"))
        return Content.assemble(*parts)

    # ---- biases ------------------------------------------------------------------------------

    def show_biases(self) -> None:
        """Draw what is known about the judge."""
        rows = self.query_one("#biases", RowList)
        entitle(rows, self._tabs())
        width = max(40, self.size.width - 2)
        if self.bias is None:
            self._bias_lines = [[(" looking", "dim")]]
        elif self.bias.boards:
            self._bias_lines = bias_lines(self.bias.boards, width, self.glyphs)
        else:
            self._bias_lines = list(_wrapped(self.bias.failure or _NO_BIAS, width))
        rows.set_rows(len(self._bias_lines), rows.cursor)

    def _bias_line(self, row: int, width: int) -> Line:
        return self._bias_lines[row]

    @on(RowList.Moved, "#form")
    def _moved(self) -> None:
        self.refresh_bindings()


def _wrapped(text: str, width: int) -> Iterator[Line]:
    from ifbench_tui.tui.wrap import wrap

    for part in text.split("\n"):
        shown = safe(part)
        for start, end in wrap(shown, width - 2):
            yield [(f" {shown[start:end]}", "dim")]
