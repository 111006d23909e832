"""Judge: ask a model. Nothing is sent before a person says so, and nothing is paid for twice."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace

from textual import events, on
from textual.worker import get_current_worker

from ifbench_tui.formats.source import STDIN
from ifbench_tui.judge.endpoint import BASE_URL_VARIABLE
from ifbench_tui.judge.run import Pace
from ifbench_tui.report.sheets import Sheet
from ifbench_tui.tui.judge_form import Field, Form, Shelf, command, output_name, plan_of
from ifbench_tui.tui.judge_jobs import (
    Asking,
    BiasReady,
    Ended,
    Going,
    Noticed,
    Planned,
    Wanted,
    free_name,
    judged_paths,
    look,
    measure,
)
from ifbench_tui.tui.judge_rows import ORDERS
from ifbench_tui.tui.screens.judge_reply import ReplyScreen
from ifbench_tui.tui.screens.judge_sheets import ConfirmSheet, EntrySheet
from ifbench_tui.tui.screens.judge_view import JudgeView
from ifbench_tui.tui.screens.open_sheet import OpenSheet
from ifbench_tui.tui.screens.save_sheet import SaveSheet, as_markdown, as_tsv
from ifbench_tui.tui.widgets.row_list import RowList

__all__ = ["JudgeScreen"]

_ROOMY = 32
"""Lines of a screen on which there is room for the form beside the calls."""


class JudgeScreen(JudgeView):
    """The form is estimated whenever it changes; a run goes on while other places are looked at."""

    def __init__(self) -> None:
        super().__init__()
        self._generation = 0
        self._bias_generation = 0
        self._plan_stale = self._bias_stale = True
        self._touched = False
        self._own: set[str] = set()
        """Files that were written here: they may be written again without a question."""

    def on_mount(self) -> None:
        settings = self.audit_app.config.settings
        self.form = Form.usual(settings, os.environ.get(BASE_URL_VARIABLE, ""))
        super().on_mount()
        self.show_form()

    def on_unmount(self) -> None:
        if self.asking is not None:
            self.asking.stop()

    # ---- what changed ------------------------------------------------------------------------

    def bench_changed(self) -> None:
        workspace = self.bench.workspace
        sources = () if workspace is None else workspace.sources
        self.shelf = Shelf.of(sources, self.bench.paths)
        if not self._touched and workspace is not None:
            work = "generate" if workspace.suites and not self.shelf.protocol else "judge"
            protocol = self.shelf.protocol or self.form.protocol
            self.form = replace(self.form, work=work, protocol=protocol)  # type: ignore[arg-type]
        self._plan_stale = self._bias_stale = True
        self.show_form()
        if self.is_current:
            self.catch_up()

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        self.catch_up()

    def on_resize(self) -> None:
        self.call_after_refresh(self.show_biases)

    def catch_up(self) -> None:
        """Find out again what is out of date and on the screen."""
        if self._plan_stale and self.asking is None:
            self.replan()
        if self._bias_stale and self.has_class("-biases"):
            self.look_at_judge()

    # ---- what would be sent ------------------------------------------------------------------

    def change(self, form: Form) -> None:
        """Take another form."""
        if self.asking is not None:
            self.audit_app.say("a run is on: esc stops it, then the form can be changed")
            return
        self._touched, self.ended, self.form = True, "", form
        # What was asked before would hide what is to be sent now.
        self.run_shown = None
        self.show_run()
        self.show_form()
        self.replan()

    def replan(self) -> None:
        """Read the files and estimate, in a thread."""
        self._plan_stale, self.planned = False, None
        self._generation += 1
        form, settings = self.form, self.audit_app.config.settings
        wanted = Wanted(
            plan_of(form, self.shelf, self.bench.options),
            form.model,
            form.base_url,
            self.key_file,
            settings.ca_file or None,
            str(self.bench.decisions.session.path),
            form.again,
        )
        generation = self._generation
        self.show_plan()
        if not wanted.plan.paths:
            nothing = "there is nothing to ask about: enter on 'from' adds files, or 1 opens some"
            self.on_planned(Planned(generation, failure=nothing))
            return

        def work() -> None:
            worker = get_current_worker()
            look(wanted, generation, self.post_message, lambda: worker.is_cancelled)

        self.in_thread("plan", work)

    def on_planned(self, message: Planned) -> None:
        if message.generation == self._generation:
            self.planned = message
            self.show_plan()

    # ---- form --------------------------------------------------------------------------------

    @on(RowList.Opened, "#form")
    def _edit(self) -> None:
        field, form = self.field, self.form
        if self.asking is not None:
            self.change(form)
        elif field.kind == "turn":
            self.change(field.turned(form, 1))
        elif field.kind in ("path", "paths"):
            held = form.paths or self.shelf.answers(form.protocol) or self.shelf.prompts
            start = os.path.dirname(held[-1]) if held else ""
            self.app.push_screen(OpenSheet(f"{start}{os.sep}" if start else ""), self._take(field))
        else:
            sheet = EntrySheet(
                field.label, field.hint, field.typed(form), lambda text: field.taken(form, text)
            )
            self.app.push_screen(sheet, self._take(field))

    def _take(self, field: Field) -> Callable[[str | None], None]:
        def done(text: str | None) -> None:
            if text is not None:
                self.change(field.taken(self.form, text))

        return done

    def action_turn(self, step: int) -> None:
        self.change(self.field.turned(self.form, step))

    def action_clear(self) -> None:
        self.change(self.field.cleared(self.form))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        form = self.query("#form")
        on_form = bool(form) and form.first().has_focus
        if action == "turn":
            return (on_form and self.field.kind == "turn") or None
        if action == "clear":
            return (on_form and self.field.kind != "turn") or None
        if action == "start":
            return self.asking is None or None
        if action == "errors":
            return (self.run_shown is not None and not self.has_class("-biases")) or None
        if action in ("yank", "yank_markdown", "write"):
            return (self.has_class("-biases") and bool(self._tables())) or None
        return True

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self.refresh_bindings()

    def action_form(self) -> None:
        folded = self.has_class("-folded")
        self.set_class(not folded, "-folded")
        self._focus(self.query_one("#form", RowList) if folded else self._lower)

    def _focus(self, rows: RowList) -> None:
        """What has only now come to be seen takes the focus once it is there."""
        self.call_after_refresh(rows.focus)

    @property
    def _lower(self) -> RowList:
        return self.query_one("#biases" if self.has_class("-biases") else "#calls", RowList)

    # ---- run ---------------------------------------------------------------------------------

    def output_shown(self) -> str:
        return output_name(self.form)

    def _output(self) -> str:
        """The file to write: the one chosen, or the usual name, or one like it that is free."""
        if self.form.output:
            return os.path.abspath(os.path.expanduser(self.form.output))
        path = os.path.abspath(output_name(self.form))
        return path if path in self._own else free_name(path)

    def action_start(self) -> None:
        """Begin, after a question where calls leave this machine or a file would be replaced."""
        planned = self.planned
        if self.asking is not None:
            self.audit_app.say("a run is on; esc stops it")
        elif planned is None:
            self.audit_app.say("still looking at what would be sent; press r in a moment")
        elif planned.failure or planned.endpoint is None or planned.estimate is None:
            self.audit_app.say(planned.failure or "nothing can be sent", "error")
        elif (reason := self.bench.decisions.read_only_reason) is not None:
            self.audit_app.say(f"replies could not be kept: the session is {reason}", "error")
        else:
            self._ask_then_start(planned, self._output())

    def _ask_then_start(self, planned: Planned, output: str) -> None:
        foreign = os.path.lexists(output) and output not in self._own
        lines = []
        if planned.endpoint and planned.estimate and not planned.endpoint.loopback:
            tokens = planned.estimate.tokens.prompt
            key = "with your key" if planned.endpoint.key else "without a key"
            lines.append(
                f"{len(planned.estimate.calls):,} calls, about {tokens:,} tokens, go to "
                f"{planned.endpoint.host}, {key}."
            )
        if foreign:
            lines.append(f"{output} exists and will be replaced.")
        if not lines:
            self.start(planned, output)
            return

        def done(agreed: bool | None) -> None:
            if agreed:
                self.start(planned, output)

        self.app.push_screen(ConfirmSheet("send?", lines, "send"), done)

    def start(self, planned: Planned, output: str) -> None:
        """Make the calls of a plan, in a thread."""
        asking = Asking(
            planned,
            Pace(jobs=self.form.jobs, again=self.form.again),
            str(self.bench.decisions.session.path),
            output,
            self.post_message,
            replacing=os.path.lexists(output),
        )
        self.show_asking(asking)
        self.in_thread("asking", asking.work)

    def show_asking(self, asking: Asking) -> None:
        """Give the screen to a run."""
        self.asking, self.run_shown, self.tally, self.ended = asking, asking.run, None, ""
        self.protocol_shown = "generate" if self.form.work == "generate" else self.form.protocol
        self._followed = 0
        self.remove_class("-biases")
        self.set_class(self.size.height < _ROOMY, "-folded")
        self.show_form()
        self.show_run()
        self.rows.focus()

    def leave(self) -> bool:
        """Escape stops a run; what was answered is kept."""
        if self.asking is None:
            return False
        self.asking.stop()
        return True

    def on_going(self, message: Going) -> None:
        if self.asking is not None and message.generation == self._generation:
            self.tally = message.tally
            self.show_run()

    def on_noticed(self, message: Noticed) -> None:
        self.audit_app.say(message.words)

    def on_ended(self, message: Ended) -> None:
        if self.asking is None or message.generation != self._generation:
            return
        self.asking, self.tally = None, message.tally
        if message.failure:
            self.ended = f"ended: {message.failure}"
            self.audit_app.say(message.failure, "error")
        elif message.stopped:
            self.ended = "stopped: answers are kept, r goes on"
            if message.tally.in_flight:
                self.ended += f"; {message.tally.in_flight:,} cut off may have been paid for"
        else:
            self._written(message)
        self.show_form()
        self.show_run()
        self._plan_stale = True
        self.catch_up()

    def _written(self, message: Ended) -> None:
        self._own.add(message.path)
        missing = f", {message.missing:,} incomplete" if message.missing else ""
        folder, name = os.path.split(message.path)
        where = "the current folder" if folder == os.getcwd() else folder
        self.ended = f"wrote {message.rows:,} rows{missing}: {name} in {where}"
        if STDIN in self.bench.paths:
            self.audit_app.say("standard input cannot be read again: open the file by itself")
            return
        paths = [path for path in self.bench.paths if path != message.path]
        self.audit_app.load([*paths, message.path])

    # ---- look --------------------------------------------------------------------------------

    def action_errors(self) -> None:
        self.order = ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)]
        self.rows.cursor = 0
        self.show_run()

    @on(RowList.Opened, "#calls")
    def _open(self) -> None:
        if self.run_shown is None or not self._listed:
            return
        row = self.run_shown.rows[self._listed[self.rows.cursor]]
        if row.exchanges:
            self.app.push_screen(ReplyScreen(row, self.protocol_shown, strip=self.strip))
        else:
            self.audit_app.say("there is no reply to read yet")

    def action_page(self) -> None:
        self.toggle_class("-biases")
        focused = self.focused is not self.query_one("#form")
        self.show_biases()
        self.show_run()
        self.catch_up()
        if focused and self.has_class("-biases", "-folded"):
            self._focus(self._lower)
        self.refresh_bindings()

    def look_at_judge(self) -> None:
        """Measure the judges of what is loaded, in a thread."""
        self._bias_stale = False
        self._bias_generation += 1
        generation, options = self._bias_generation, self.bench.options
        workspace = self.bench.workspace
        paths = [] if workspace is None else judged_paths(workspace.sources)
        if not paths:
            self.on_bias_ready(BiasReady(generation, ()))
            return
        self.in_thread("biases", lambda: measure(paths, options, generation, self.post_message))

    def on_bias_ready(self, message: BiasReady) -> None:
        if message.generation == self._bias_generation:
            self.bias = message
            self.show_biases()
            self.refresh_bindings()

    # ---- take away ---------------------------------------------------------------------------

    def _tables(self) -> list[Sheet]:
        boards = () if self.bias is None else self.bias.boards
        return [sheet for _, sheets in boards for sheet in sheets]

    def action_yank(self) -> None:
        text = "\n\n".join(f"{table.title}\n{as_tsv(table)}" for table in self._tables())
        self.audit_app.yank(text, "the tables about the judge, tab-separated")

    def action_yank_markdown(self) -> None:
        text = as_markdown(self._tables(), self.glyphs)
        self.audit_app.yank(text, "the tables about the judge, Markdown")

    def action_yank_command(self) -> None:
        bench = self.bench
        session = str(bench.decisions.session.path)
        words = command(self.form, self.shelf, bench.options, session, self._output())
        self.audit_app.yank(words, "the command that asks the same")

    def action_write(self) -> None:
        self.app.push_screen(SaveSheet(self._tables, "judge.csv"))
