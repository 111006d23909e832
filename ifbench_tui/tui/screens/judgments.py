"""Judgments: the rows that a model's numbers on a board are made of, and what the judge said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual import on
from textual.containers import Container, Vertical
from textual.widget import Widget

from ifbench_tui.engine.quantity import quantity
from ifbench_tui.report.json import dumps
from ifbench_tui.report.judgments.listing import Judgment, Wanted, chosen
from ifbench_tui.report.judgments.text import Texts
from ifbench_tui.tui import judgment_jobs
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.ink import Line, entitle, safe
from ifbench_tui.tui.judgment_rows import (
    Widths,
    judges,
    judgment_line,
    nothing_listed,
    opponents,
    record_ends,
    verdict_words,
)
from ifbench_tui.tui.screens.finding import FindingPlace
from ifbench_tui.tui.screens.judgment_sheet import JudgmentSheet
from ifbench_tui.tui.screens.place import title
from ifbench_tui.tui.widgets.reading_pane import ReadingPane
from ifbench_tui.tui.widgets.row_list import RowList
from ifbench_tui.tui.widgets.words import Words
from ifbench_tui.workspace import JudgedFile

__all__ = ["JudgmentsScreen"]


class JudgmentsScreen(FindingPlace):
    """The judgments of one model on the left (above, where it is narrow), the one under the cursor
    on the right: the conversation, then the judge's texts with their verdicts marked."""

    PLACE = "Judgments"
    BINDINGS = bindings("judgments")
    AUTO_FOCUS = "#judgments"
    CSS_PATH = "../styles/judgments.tcss"

    def __init__(self, files: Sequence[JudgedFile], benchmark: str, model: str) -> None:
        super().__init__()
        self._files = tuple(files)
        self._benchmark = benchmark
        self._model = model
        self._models: list[str] = []
        self._texts: Texts | None = None
        self._all: list[Judgment] = []
        self._listed: list[Judgment] = []
        self._widths = Widths(())
        self._wanted = Wanted()
        self._full = False
        self._gathering = self._reading = 0
        self._document: judgment_jobs.Document | None = None
        self._stepped: tuple[int, int, str] = (0, 0, "")

    def body(self) -> Iterator[Widget]:
        rows = RowList(self._row, id="judgments", classes="pane")
        rows.border_title = title("judgments")
        text = ReadingPane(ascii_only=self.glyphs.ascii_only, id="text", classes="pane")
        yield Container(rows, Vertical(text, Words(id="words"), id="reading"), id="both")

    # ---- parts -------------------------------------------------------------------------------

    @property
    def rows(self) -> RowList:
        """The list of judgments."""
        return self.query_one("#judgments", RowList)

    @property
    def pane(self) -> ReadingPane:
        """The conversation with its judgments."""
        return self.query_one("#text", ReadingPane)

    @property
    def _benchmark_title(self) -> str:
        from ifbench_tui.report.boards.registry import BOARDS

        return next(board.title for board in BOARDS if board.id == self._benchmark)

    @property
    def judgment(self) -> Judgment | None:
        """The judgment under the cursor."""
        row = self.rows.cursor
        return self._listed[row] if 0 <= row < len(self._listed) else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        possible = {
            "verdict": lambda: self._stepped[1] > 0,
            "model": lambda: len(self._models) > 1,
            "filter": lambda: bool(self._all),
            "unfilter": lambda: self._wanted != Wanted(),
            "search": lambda: bool(self._listed),
            "full": lambda: bool(self._listed),
            "yank": lambda: bool(self._listed),
        }.get(action)
        return True if possible is None or possible() else None

    def head(self) -> list[Line]:
        parts: list[Line] = [
            [(safe(self._model, 30), ""), (f" {self.glyphs.dot} {self._benchmark_title}", "dim")]
        ]
        if self._wanted != Wanted():
            many = f" {len(self._listed):,} of {len(self._all):,}"
            parts.append([("filter ", "dim"), (safe(self._wanted.words, 40), "accent"), (many, "")])
        return parts

    def head_ends(self) -> list[Line]:
        return record_ends(self._listed)

    # ---- the list ----------------------------------------------------------------------------

    def bench_changed(self) -> None:
        if not self._gathering:
            self._gather()

    def _gather(self) -> None:
        """Find the model's judgments in a thread."""
        self._gathering += 1
        generation, model, texts = self._gathering, self._model, self._texts
        self.in_thread(
            "gather",
            lambda: judgment_jobs.gather(
                self._files, self._benchmark, model, texts, generation, self.post_message
            ),
        )

    @on(judgment_jobs.Gathered)
    def _gathered(self, message: judgment_jobs.Gathered) -> None:
        if message.generation != self._gathering:
            return
        before = self.judgment
        self._all, self._models, self._texts = message.judgments, message.models, message.texts
        self._list(before)

    def _list(self, near: Judgment | None) -> None:
        """List what the filter lets through, the cursor on the same question if it is there.

        A filter that would hide the question that another model was read on is dropped.
        """
        listed = chosen(self._all, self._wanted)
        row = _nearest(listed, near)
        if row is None and near is not None and near.model != self._model:
            row = _nearest(self._all, near)
            if row is not None:
                self._wanted, listed = Wanted(), self._all
        self._listed, self._widths = listed, Widths(listed)
        self.rows.set_rows(len(listed), row or 0)
        self._title_list()
        if not listed:
            self._nothing()
        self.refresh_head()
        self.refresh_bindings()

    def _title_list(self) -> None:
        """How many are listed, then against whom and by whom as far as there is room."""
        listed, total = self._listed, len(self._all)
        many = quantity(total, "judgment")
        if len(listed) != total:
            many = f"{len(listed):,} of {many}"
        against, dot = opponents(listed), f" {self.glyphs.dot} "
        parts = [part for part in (many, f"against {against}" if against else "", judges(listed))
                 if part]  # fmt: skip
        names = (dot.join(parts[:end]) for end in range(len(parts), 0, -1))
        entitle(self.rows, *map(title, names))

    def on_resize(self) -> None:
        self.call_after_refresh(self._title_list)

    def _nothing(self) -> None:
        self._reading += 1
        self._document = None
        self.pane.find(None)
        self.pane.show(nothing_listed(self._model, self._benchmark_title, len(self._all)))
        entitle(self.pane, title("nothing to read"))
        self.query_one("#words", Words).show([])

    def _row(self, row: int, width: int) -> Line:
        texts = self._texts or Texts()
        return judgment_line(self._listed[row], self._widths, texts, self.glyphs, width)

    @on(RowList.Moved, "#judgments")
    def _moved(self) -> None:
        judgment, shown = self.judgment, self._document
        if judgment is not None and (shown is None or shown.look.judgment is not judgment):
            self._read(judgment)

    @on(RowList.Opened, "#judgments")
    def _opened(self) -> None:
        self.pane.focus()

    # ---- the text ----------------------------------------------------------------------------

    def _read(self, judgment: Judgment) -> None:
        """Make the document in a thread: it may need the judgment's file once more."""
        self._reading += 1
        generation = self._reading
        limits = self.bench.options.limits
        look = judgment_jobs.Look(judgment, self._texts or Texts(), self._full, limits)
        self.in_thread("read", lambda: judgment_jobs.read(look, generation, self.post_message))

    @on(judgment_jobs.Document)
    def _show(self, message: judgment_jobs.Document) -> None:
        if message.generation != self._reading:
            return
        shown, pane = self._document, self.pane
        same = shown is not None and shown.look.judgment is message.look.judgment
        # Who stepped to a verdict reads the next judgment's verdict, too.
        place = self._stepped[0]
        at = None if not place or pane.finding else place - 1 if same else 0
        self._document = message
        pane.show(message.text, message.marks, at=at)
        if not same and at is None:
            pane.scroll_to(x=0, y=0, animate=False)
        self.find_again()
        if message.failure:
            self.audit_app.say(message.failure, "warning")
        self._say()

    @on(ReadingPane.Stepped, "#text")
    def _stepped_to(self, message: ReadingPane.Stepped) -> None:
        self._stepped = (message.place, message.total, message.note)
        self._say()
        self.refresh_bindings()

    def _say(self) -> None:
        """What is read, and what the verdict in it means."""
        document = self._document
        if document is None:
            return
        place, total, note = self._stepped
        judgment = document.look.judgment
        turn = f" turn {judgment.turn}" if judgment.turns else ""
        parts = [f"{safe(judgment.question, 20)}{turn}"]
        if self.pane.finding:
            found = f"match {place} of {total}" if total else "no match"
            parts = [found, "esc ends the search", *parts]
        elif place:
            parts.append(f"verdict {place} of {total}")
        entitle(self.pane, title(f" {self.glyphs.dot} ".join(parts)))
        line = verdict_words(document.sections, 0 if self.pane.finding else place, note, total)
        self.query_one("#words", Words).show(line)

    def action_verdict(self, step: int) -> None:
        self.pane.step(step)

    def action_judgment(self, step: int) -> None:
        self.rows.action_cursor(step)

    def action_full(self) -> None:
        self._full = not self._full
        if (judgment := self.judgment) is not None:
            self._read(judgment)

    def action_model(self, step: int) -> None:
        if self._model in self._models:
            place = self._models.index(self._model) + step
            self._model = self._models[place % len(self._models)]
        elif self._models:
            self._model = self._models[0]
        self._gather()

    # ---- filter ------------------------------------------------------------------------------

    def _choose(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._list(self.judgment)

    def action_filter(self) -> None:
        before, read = self._wanted, self.judgment

        def done(wanted: Wanted | None) -> None:
            if wanted is None:
                self._wanted = before
                self._list(read)

        self.app.push_screen(JudgmentSheet(before, self._all, self._choose), done)

    def action_unfilter(self) -> None:
        self._choose(Wanted())

    # ---- take away ---------------------------------------------------------------------------

    def action_yank(self) -> None:
        if (document := self._document) is not None:
            judgment = document.look.judgment
            self.audit_app.yank(document.text, f"{judgment.question} of {judgment.model}")

    def action_yank_json(self) -> None:
        if (document := self._document) is not None:
            judgment = document.look.judgment
            sections = [section.to_dict() for section in document.sections]
            text = dumps(judgment.to_dict() | {"sections": sections}, indented=True)
            self.audit_app.yank(text, f"{judgment.question} of {judgment.model} as JSON")


def _nearest(listed: Sequence[Judgment], near: Judgment | None) -> int | None:
    """The row of the same judgment, else of the first on the same question and turn and of the
    same kind."""
    if near is None:
        return None
    same = [row for row, one in enumerate(listed) if one.about == near.about]
    alike = [row for row in same if listed[row].rating == near.rating]
    exact = [row for row in alike if listed[row].value is near.value]
    return next(iter((*exact, *alike, *same)), None)
