"""What Audit shows: prompts, the response as a variant reads it, the lattice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from textual import on
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widget import Widget

from ifbench_tui.filters import ALL, Filter
from ifbench_tui.tui import looking
from ifbench_tui.tui.audit_state import AuditState
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.ink import Line, entitle, safe
from ifbench_tui.tui.painting import evidence_marks, removed_marks
from ifbench_tui.tui.prompt_rows import flags, headline, prompt_line
from ifbench_tui.tui.screens.finding import FindingPlace
from ifbench_tui.tui.screens.place import title
from ifbench_tui.tui.widgets.lattice import LatticeView
from ifbench_tui.tui.widgets.reading_pane import EMPTY_RESPONSE, ReadingPane
from ifbench_tui.tui.widgets.row_list import RowList
from ifbench_tui.tui.widgets.scratch import ScratchArea
from ifbench_tui.tui.widgets.words import Words
from ifbench_tui.tui.words import asked, cell_facts, cell_words, nothing_to_read, response_names

__all__ = ["AuditView"]

_REFILTER_PAUSE = 0.4


class AuditView(FindingPlace):
    """Prompts on the left, the response on the right, the lattice below."""

    PLACE = "Audit"
    BINDINGS = bindings("audit")
    AUTO_FOCUS = "#prompts"
    CSS_PATH = "../styles/audit.tcss"

    def __init__(self) -> None:
        super().__init__()
        self._generation = 0
        self._listing = 0
        self._explained: looking.Explained | None = None
        self._stepped: tuple[int, int, str] = (0, 0, "")
        self._refilter: Timer | None = None
        self._key_width = 0
        self._before_what_if: Widget | None = None
        self._returned = False

    def body(self) -> Iterator[Widget]:
        ascii_only = self.glyphs.ascii_only
        self.state = AuditState(self.bench)
        prompts = RowList(self._prompt_row, id="prompts", classes="pane")
        prompt = ReadingPane(gutter=False, ascii_only=ascii_only, id="prompt", classes="pane")
        response = ReadingPane(
            ascii_only=ascii_only, blank=EMPTY_RESPONSE, id="response", classes="pane"
        )
        scratch = ScratchArea(ascii_only=ascii_only, id="scratch")
        scratch.add_class("pane")
        cells = LatticeView(id="cells")
        cells.glyphs = self.glyphs
        prompts.border_title, prompt.border_title = title("prompts"), title("prompt")
        yield Horizontal(prompts, Vertical(prompt, response, scratch, id="reading"), id="upper")
        lattice = Vertical(
            cells, Words(id="words"), Words(id="facts"), id="lattice", classes="pane"
        )
        lattice.border_title = title("lattice")
        yield lattice

    # ---- parts -------------------------------------------------------------------------------

    @property
    def prompts(self) -> RowList:
        """The list of prompts."""
        return self.query_one("#prompts", RowList)

    @property
    def pane(self) -> ReadingPane:
        """The response."""
        return self.query_one("#response", ReadingPane)

    @property
    def scratch(self) -> ScratchArea:
        """The scratch copy of a what-if."""
        return self.query_one("#scratch", ScratchArea)

    @property
    def in_what_if(self) -> bool:
        """Whether a scratch copy is being edited."""
        return self.has_class("-what-if")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        possible = {
            "evidence": lambda: self._stepped[1] > 0,
            "model": lambda: self._models > 1,
            "compare": lambda: self._models > 1,
            "mark": lambda: self.state.cell is not None and not self.in_what_if,
            "note": lambda: self.state.response is not None,
            "bookmark": lambda: self.state.response is not None,
            "yank": lambda: self.state.response is not None,
            "yank_json": lambda: self.state.response is not None,
            "rescue": lambda: self.state.response is not None,
            "what_if": lambda: self.state.response is not None and not self.in_what_if,
            "search": lambda: self.state.response is not None and not self.in_what_if,
            "filter": lambda: self.bench.verdicts is not None,
            "unfilter": lambda: not self.state.filter.empty,
            "invert": lambda: not self.state.filter.empty,
            "variant": lambda: self.state.response is not None,
        }.get(action)
        return True if possible is None or possible() else None

    @property
    def _models(self) -> int:
        return 0 if self.bench.suite is None else len(self.bench.suite.models)

    # ---- what changed ------------------------------------------------------------------------

    def bench_changed(self) -> None:
        self.state.scratch = None
        self.leave_what_if()
        self.state.follow()
        self._explained = None
        if self.state.prompts and not self._returned:
            self._returned = True
            self.state.return_to(self.bench.decisions.place())
        prompts = self.state.prompts
        self._key_width = max((len(prompt.key) for prompt in prompts), default=0)
        most = max((len(prompt.constraints) for prompt in prompts), default=1)
        self.query_one("#cells", LatticeView).room = most
        self._list_rows()
        self.show_response()

    def verdicts_changed(self) -> None:
        self.prompts.redraw()
        if self.state.filter.needs_verdicts and self._refilter is None:
            self._refilter = self.set_timer(_REFILTER_PAUSE, self._list_again)

    def decisions_changed(self) -> None:
        self.prompts.redraw()
        self._show_lattice()
        chosen = self.state.filter
        if chosen.marked or chosen.bookmarked or chosen.noted:
            self._list_rows()

    def head(self) -> list[Line]:
        verdicts, state = self.bench.verdicts, self.state
        if verdicts is None:
            return []
        title_of = f" {self.glyphs.dot} {safe(verdicts.benchmark.title, 24)}"
        parts: list[Line] = [[(safe(self.bench.model, 40), ""), (title_of, "dim")]]
        if not state.filter.empty:
            parts.append([("filter ", "dim"), (safe(state.filter.words()), "accent")])
        return parts

    def head_ends(self) -> list[Line]:
        verdicts = self.bench.verdicts
        return [] if verdicts is None else headline(verdicts.summary(self.bench.model), self.glyphs)

    # ---- the list ----------------------------------------------------------------------------

    def _prompt_row(self, row: int, width: int) -> Line:
        prompt, verdicts = self.state.prompts[self.state.rows[row]], self.bench.verdicts
        if verdicts is None:
            return []
        return prompt_line(
            self.glyphs,
            prompt,
            verdicts.get(self.bench.model, prompt.key),
            width,
            there=verdicts.suite.response(self.bench.model, prompt.key) is not None,
            signs=flags(self.bench, prompt),
            key_width=self._key_width,
        )

    def choose(self, chosen: Filter | None, key: str | None = None) -> None:
        """Use another filter (None keeps it) and go to a prompt (None keeps it)."""
        if key is not None and (index := self.state.index_of(key)) is not None:
            self.state.look_at(index)
        if chosen is not None:
            self.state.filter = chosen
            self.state.find_failure()
        elif key is not None and self.state.index not in self.state.rows:
            self.state.filter = ALL
        self._list_rows()
        self.show_response()
        self.refresh_head()

    def _list_again(self) -> None:
        self._refilter = None
        self._list_rows()

    def _list_rows(self) -> None:
        self._listing += 1
        chosen, generation = self.state.filter, self._listing
        if chosen.empty:
            self._take_rows(range(len(self.state.prompts)))
            return
        self.in_thread(
            "list", lambda: looking.list_rows(self.bench, chosen, generation, self.post_message)
        )

    @on(looking.Listed)
    def _listed(self, message: looking.Listed) -> None:
        if message.generation != self._listing:
            return
        if message.failure:
            self.audit_app.say(message.failure, "error")
            return
        self._take_rows(message.rows)

    def _take_rows(self, rows: list[int] | range) -> None:
        row = self.state.take(rows)
        self.prompts.set_rows(len(rows), row)
        total = len(self.state.prompts)
        chosen = f"{len(rows)} of {total}" if len(rows) != total else str(total)
        entitle(self.prompts, title(f"prompts {self.glyphs.dot} {chosen}"))
        if not rows:
            self.show_response()
        self.refresh_head()

    @on(RowList.Moved, "#prompts")
    def _moved(self, message: RowList.Moved) -> None:
        if message.row >= len(self.state.rows):
            return
        index = self.state.rows[message.row]
        if index != self.state.index:
            self.leave_what_if()
            self.state.look_at(index)
            self.show_response()

    @on(RowList.Opened, "#prompts")
    def _opened(self) -> None:
        self.pane.focus()

    # ---- the response ------------------------------------------------------------------------

    def show_response(self) -> None:
        """Show the response in use as the variant of the cell reads it; evidence follows."""
        state, pane = self.state, self.pane
        prompt, response = state.prompt, state.response
        empty = nothing_to_read(self.bench, state)
        self.query_one("#prompt", ReadingPane).show("" if prompt is None else prompt.text)
        if empty or response is None:
            pane.show(empty)
        elif not self.in_what_if:
            verdicts = self.bench.verdicts
            assert verdicts is not None
            marks = removed_marks(verdicts.benchmark, response.text, state.variant, self.glyphs)
            same = response.text == pane.text
            pane.show(response.text, marks, at=None if same else 0)
            if not same:
                self.find_again()
        self._title_response()
        self._show_lattice()
        self._explain()
        self.refresh_bindings()
        self.audit_app.place = state.place

    def _title_response(self) -> None:
        names = response_names(self.bench, self.state, self._stepped, finding=self.pane.finding)
        entitle(self.pane, *map(title, names))

    def _explain(self) -> None:
        state, verdicts = self.state, self.bench.verdicts
        prompt = state.prompt
        self._generation += 1
        if verdicts is None or prompt is None or state.response is None:
            return
        generation = self._generation
        look = looking.Look(
            verdicts,
            self.bench.model,
            prompt,
            state.constraint,
            state.variant,
            self.scratch.scratch if self.in_what_if else None,
        )
        self.in_thread("explain", lambda: looking.explain(look, generation, self.post_message))

    @on(looking.Explained)
    def _explained_cell(self, message: looking.Explained) -> None:
        if message.generation != self._generation:
            return
        first_look = (
            self._explained is None or self._explained.look.prompt is not message.look.prompt
        )
        self._explained = message
        if self.in_what_if:
            self.state.scratch = message.judged
        elif first_look and self.state.constraint == 0:
            self.state.find_failure()
            if self.state.constraint != message.look.constraint:
                self.show_response()
                return
        self._paint(message)
        self._show_lattice()
        self.prompts.redraw(self.prompts.cursor)

    def _paint(self, message: looking.Explained) -> None:
        response, explanation = self.state.response, message.explanation
        if self.in_what_if or response is None or explanation is None:
            return
        benchmark = message.look.verdicts.benchmark
        variant = message.look.variant
        kept = benchmark.kept(response.text, variant)
        marks = evidence_marks(explanation.spans, kept, self.glyphs)
        removed = removed_marks(benchmark, response.text, variant, self.glyphs)
        self.pane.mark([*marks, *removed], at=0 if marks and not self.pane.finding else None)

    def _show_lattice(self) -> None:
        state, verdicts = self.state, self.bench.verdicts
        labels = () if verdicts is None else verdicts.benchmark.variant_labels
        cells = self.query_one("#cells", LatticeView)
        cells.show(state.lattice_rows(), labels, (state.constraint, state.column))
        explained = self._explained
        current = (
            explained is not None
            and explained.look.prompt is state.prompt
            and (explained.look.constraint, explained.look.variant)
            == (state.constraint, state.variant)
        )
        explanation = explained.explanation if explained is not None and current else None
        self.set_class(bool(asked(state)), "-asked")
        self.query_one("#words", Words).show(cell_words(state, explanation, self.glyphs))
        self.query_one("#facts", Words).show(cell_facts(state, self._stepped, self.glyphs))

    @on(ReadingPane.Stepped, "#response")
    def _stepped_to(self, message: ReadingPane.Stepped) -> None:
        self._stepped = (message.place, message.total, message.note)
        self._title_response()
        self.refresh_bindings()
        self.query_one("#facts", Words).show(cell_facts(self.state, self._stepped, self.glyphs))

    # ---- looking -----------------------------------------------------------------------------

    def action_variant(self, step: int) -> None:
        self._go_to(column=self.state.column + step)

    def action_constraint(self, step: int) -> None:
        self._go_to(constraint=self.state.constraint + step)

    @on(LatticeView.Picked)
    def _picked(self, message: LatticeView.Picked) -> None:
        self._go_to(constraint=message.row, column=message.column)

    def action_rescue(self) -> None:
        lattice = self.state.lattice
        rescue = None if lattice is None else lattice.rescued_by
        if rescue is None:
            there = "no variant rescues this constraint" if lattice else "no verdict is here yet"
            self.audit_app.say(there)
        else:
            self._go_to(column=rescue + 1)

    def _go_to(self, *, constraint: int | None = None, column: int | None = None) -> None:
        before = (self.state.constraint, self.state.column)
        self.state.move(constraint=constraint, column=column)
        if before != (self.state.constraint, self.state.column):
            self.show_response()

    def action_evidence(self, step: int) -> None:
        self.pane.step(step)

    def action_model(self, step: int) -> None:
        suite = self.bench.suite
        if suite is not None and suite.models:
            place = suite.models.index(self.bench.model) + step
            self.audit_app.use(model=suite.models[place % len(suite.models)])

    def action_unfilter(self) -> None:
        self.choose(ALL)

    def action_invert(self) -> None:
        chosen = self.state.filter
        self.choose(replace(chosen, inverted=not chosen.inverted))

    # ---- what if -----------------------------------------------------------------------------

    def leave_what_if(self) -> bool:
        """Go back to the response as the file has it; False if there was no what-if."""
        if not self.in_what_if:
            return False
        self.remove_class("-what-if")
        self.state.scratch = None
        if self.scratch.has_focus:
            (self._before_what_if or self.pane).focus()
        self.show_response()
        self.refresh_bindings()
        return True

    def leave(self) -> bool:
        return super().leave() or self.leave_what_if()
