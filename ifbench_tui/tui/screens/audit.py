"""Audit: why a response failed, constraint by constraint, variant by variant."""

from __future__ import annotations

from textual import on
from textual.timer import Timer
from textual.widgets import TextArea

from ifbench_tui import scoring
from ifbench_tui.filters import Filter
from ifbench_tui.report.json import dumps, verdict_dict
from ifbench_tui.store import response_subject
from ifbench_tui.tui.decisions import OPINIONS
from ifbench_tui.tui.ink import safe
from ifbench_tui.tui.screens.audit_view import AuditView
from ifbench_tui.tui.screens.compare import CompareScreen
from ifbench_tui.tui.screens.filter_sheet import FilterSheet
from ifbench_tui.tui.screens.mark_sheet import MarkAnswer, MarkSheet
from ifbench_tui.tui.screens.note_sheet import NoteSheet
from ifbench_tui.tui.screens.place import title
from ifbench_tui.tui.words import column_words

__all__ = ["AuditScreen"]

_TYPING_PAUSE = 0.12


class AuditScreen(AuditView):
    """Audit with its questions: filter, search, marks, notes, compare, copy."""

    def __init__(self) -> None:
        super().__init__()
        self._typing: Timer | None = None

    def action_filter(self) -> None:
        before, verdicts = self.state.filter, self.bench.verdicts
        if verdicts is None:
            return

        def done(chosen: Filter | None) -> None:
            self.choose(before if chosen is None else chosen)

        self.app.push_screen(FilterSheet(before, verdicts, self.bench.model, self.choose), done)

    def action_mark(self) -> None:
        cell, response, spec = self.state.cell, self.state.response, self.state.spec
        if cell is None or response is None or spec is None or self.in_what_if:
            return
        if not self.audit_app.may_decide():
            return
        decisions, verdict = self.bench.decisions, self.state.verdict
        says = {None: "raised an error", True: "says it holds", False: "says it fails"}[verdict]
        question = (
            f"{safe(spec.type)} {self.glyphs.dot} {safe(cell.key)} {self.glyphs.dot} "
            f"{safe(cell.model)}\nOn {column_words(self.state)} the verifier {says}."
        )
        opinion, note = decisions.mark_on(cell), decisions.note_on(cell.subject)

        def done(answer: MarkAnswer | None) -> None:
            if answer is None:
                return
            app = self.audit_app
            if answer.note != note:
                app.decide(lambda: decisions.note(cell.subject, answer.note))
            if answer.opinion == opinion:
                return
            made = app.decide(lambda: decisions.mark(cell, answer.opinion, verdict, response.text))
            if made is not False:
                words = OPINIONS.get(answer.opinion or "", "mark removed")
                app.say(f"{words}: {column_words(self.state)} {self.glyphs.dot} {spec.type}")

        self.app.push_screen(MarkSheet(question, opinion, note), done)

    def action_note(self) -> None:
        place, decisions = self._place(), self.bench.decisions
        if place is None or not self.audit_app.may_decide():
            return
        subject = response_subject(*place)
        before = decisions.note_on(subject)

        def done(text: str | None) -> None:
            if text is not None and text != before:
                self.audit_app.decide(lambda: decisions.note(subject, text))

        about = f"{safe(place[1])} {self.glyphs.dot} {safe(place[2])}"
        self.app.push_screen(NoteSheet(about, before), done)

    def action_bookmark(self) -> None:
        place, decisions = self._place(), self.bench.decisions
        if place is not None:
            on = not decisions.bookmarked(*place)
            if self.audit_app.decide(lambda: decisions.bookmark(*place, on)) is not False:
                self.audit_app.say(f"bookmark {'set' if on else 'removed'}: {place[1]}")

    def _place(self) -> tuple[str, str, str] | None:
        verdicts = self.bench.verdicts
        if verdicts is None or self.state.response is None:
            return None
        return verdicts.benchmark.id, self.state.key, self.bench.model

    def action_what_if(self) -> None:
        response = self.state.response
        if response is None:
            return
        self._before_what_if = self.focused
        self.add_class("-what-if")
        self.scratch.begin(response.text)
        dot = self.glyphs.dot
        self.scratch.border_title = title(
            f"what if {dot} a scratch copy {dot} esc back {dot} tab lattice"
        )
        self.scratch.focus()
        self.refresh_bindings()

    @on(TextArea.Changed, "#scratch")
    def _edited(self) -> None:
        if not self.in_what_if:
            return
        if self._typing is not None:
            self._typing.stop()
        self._typing = self.set_timer(_TYPING_PAUSE, self._explain)

    def action_compare(self) -> None:
        suite, prompt = self.bench.suite, self.state.prompt
        if suite is None or prompt is None or len(suite.models) < 2:
            return

        def done(model: str | None) -> None:
            if model is not None:
                self.audit_app.use(model=model)

        self.app.push_screen(CompareScreen(prompt), done)

    def action_yank(self) -> None:
        verdicts, response = self.bench.verdicts, self.state.response
        if verdicts is None or response is None:
            return
        if self.in_what_if:
            self.audit_app.yank(self.scratch.scratch, "the scratch copy")
            return
        variant = self.state.variant
        text = verdicts.benchmark.variants(response.text)[variant]
        name = verdicts.benchmark.variant_names[variant]
        self.audit_app.yank(text, f"{self.state.key} of {self.bench.model}, variant {name}")

    def action_yank_json(self) -> None:
        prompt, response, judged = self.state.prompt, self.state.response, self.state.judged
        if prompt is None or response is None or judged is None:
            self.audit_app.say("there are no verdicts to copy yet")
            return
        benchmark = scoring.benchmark_for(self.bench.suite_id)
        verdicts = verdict_dict(benchmark, self.bench.model, prompt, judged)
        record = verdicts | {"prompt": prompt.text, "response": response.text}
        self.audit_app.yank(
            dumps(record, indented=True), f"{prompt.key} of {self.bench.model} as JSON"
        )
