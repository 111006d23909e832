"""Library: what is loaded, and what was not."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from textual import events, on
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from ifbench_tui.engine.quantity import quantity
from ifbench_tui.formats.base import formats
from ifbench_tui.formats.source import STDIN, SourceError
from ifbench_tui.report import sheets
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.columns import left, middle
from ifbench_tui.tui.dropped import dropped_paths
from ifbench_tui.tui.file_names import short_name, short_names
from ifbench_tui.tui.ink import Line, entitle, safe
from ifbench_tui.tui.mappings import fitting_mapping, is_complete, remember
from ifbench_tui.tui.screens.mapping_sheet import MappingSheet
from ifbench_tui.tui.screens.open_sheet import OpenSheet
from ifbench_tui.tui.screens.place import Place, title
from ifbench_tui.tui.screens.problems import ProblemsScreen
from ifbench_tui.tui.screens.save_sheet import SaveSheet, as_tsv
from ifbench_tui.tui.widgets.list_head import ListHead
from ifbench_tui.tui.widgets.notice import Notice
from ifbench_tui.tui.widgets.row_list import RowList
from ifbench_tui.workspace import LoadOptions, Preview, Problem, SourceReport, preview

__all__ = ["LibraryScreen"]

_EMPTY = """\
Nothing is loaded.

o opens a file or a directory; pasting or dropping its path here does the same. What can be read:

Prompts and responses: those of a benchmark, such as IFEval's input_data.jsonl, and files of \
responses to them (JSON Lines, JSON, CSV, TSV, also .gz and .zst, lm-eval samples, results).
Battles of two models each, as arenas publish them.
AlpacaEval, MT-Bench and Arena-Hard: their questions, answers and judgments.

ifbench-tui demo shows everything on sample data."""

_COUNTS = (
    ("models", 7), ("prompts", 8), ("responses", 10), ("used", 8), ("dup", 6),
    ("unmatched", 10), ("broken", 7),
)  # fmt: skip
_COUNTS_ROOM = sum(width for _, width in _COUNTS)
_FORMAT = 22


@dataclass
class _Looked(Message):
    """First looks at files that are to be opened: those whose columns a person must choose."""

    paths: list[str]
    unknown: list[Preview]


class LibraryScreen(Place):
    """A row a file with what became of its rows; below, all about the file under the cursor."""

    PLACE = "Library"
    BINDINGS = bindings("library")
    AUTO_FOCUS = "#sources"
    CSS_PATH = "../styles/library.tcss"

    def __init__(self) -> None:
        super().__init__()
        self._sources: Sequence[SourceReport] = ()
        self._waiting: list[str] = []
        self._names: dict[str, str] = {}
        self._loading = False
        self._problems: dict[str, list[Problem]] = {}
        self._titles = {kind.id: kind.title for kind in formats()}

    def body(self) -> Iterator[Widget]:
        sources = RowList(self._row, id="sources")
        yield Vertical(ListHead(sources, self._heads), sources, id="table", classes="pane")
        yield Notice(id="about")
        yield Notice(id="message")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        possible = {
            "problems": bool(self._problems),
            **dict.fromkeys(("detach", "map", "think", "yank", "write"), bool(self._sources)),
        }
        return possible.get(action, True) or None

    # ---- what changed ------------------------------------------------------------------------

    def bench_changed(self) -> None:
        workspace = self.bench.workspace
        self._sources = () if workspace is None else workspace.sources
        self._problems = {}
        for problem in () if workspace is None else workspace.problems:
            self._problems.setdefault(problem.path, []).append(problem)
        self._show()
        self._recall()
        self.refresh_bindings()

    def progress_changed(self) -> None:
        # Judging goes on for long and changes nothing here.
        if self._loading or self.bench.progress.startswith("loading"):
            self._show()

    def head(self) -> list[Line]:
        decisions = self.bench.decisions
        session = safe(Path(decisions.session.path).name, 28)
        parts: list[Line] = [[("session ", "dim"), (session, "")]]
        return [*parts, [("annotator ", "dim"), (safe(decisions.annotator, 20), "")]]

    def head_ends(self) -> list[Line]:
        if self.bench.options.think == "strip":
            return [[("reasoning traces cut off ", "accent")], [("traces cut ", "accent")]]
        return []

    def _show(self) -> None:
        bench = self.bench
        loading = self._loading = bench.progress.startswith("loading")
        self._waiting = [path for path in bench.paths if loading and not self._loaded(path)]
        self._names = short_names([*(one.path for one in self._sources), *self._waiting])
        count = len(self._sources) + len(self._waiting)
        empty = not count
        self.set_class(empty, "-empty")
        self.query_one("#message", Notice).update(f"{safe(bench.failure)}\n\n{_EMPTY}".lstrip())
        table = self.query_one("#table")
        # How far it is with one file, the head says: a title is drawn with all that is below it.
        words = f"{quantity(len(self._sources), 'file')} {self.glyphs.dot} "
        words += "loading" if loading else "and what became of their rows"
        entitle(table, title(words))
        entitle(table, title("esc stops" if loading else "enter: problems of a file"), below=True)
        rows = self.query_one("#sources", RowList)
        if count != rows.count:
            rows.set_rows(count, rows.cursor)
        rows.redraw()
        self.query_one(ListHead).redraw()
        self._show_about()

    def _loaded(self, path: str) -> bool:
        inside = path.rstrip(os.sep) + os.sep
        return any(one.path == path or one.path.startswith(inside) for one in self._sources)

    # ---- drawing -----------------------------------------------------------------------------

    def _name_width(self, width: int) -> tuple[int, int]:
        """Cells for a file's name and for its format; narrow screens do without the format."""
        room = width - _COUNTS_ROOM - 3
        return (room - _FORMAT, _FORMAT) if room >= _FORMAT + 16 else (max(12, room), 0)

    def _heads(self, width: int) -> str:
        name, kind = self._name_width(width)
        counts = "".join(f"{head:>{room}}" for head, room in _COUNTS)
        return f" {'file':<{name}}{'format'[:kind]:<{kind}}{counts}"

    def _row(self, row: int, width: int) -> Line:
        name, kind = self._name_width(width)
        if row >= len(self._sources):
            path = self._waiting[row - len(self._sources)]
            return [
                (f" {middle(self._names.get(path, path), name - 1)} ", "dim"),
                ("reading", "dim"),
            ]
        source = self._sources[row]
        line: list[tuple[str, str]] = [(f" {middle(self._names[source.path], name - 1)} ", "")]
        if kind:
            line.append((f"{left(self._format(source), kind - 1)} ", "dim"))
        answers = source.responses + source.battles + source.judged
        counts = (source.models, source.prompts, answers, source.used, source.duplicate,
                  source.unmatched, source.broken)  # fmt: skip
        for (head, room), count in zip(_COUNTS, counts, strict=True):
            words = f"{count:,}" if count or head not in ("models", "prompts", "responses") else ""
            lost = count and head in ("unmatched", "broken")
            ink = "fail strong" if lost else "rescued" if count and head == "dup" else ""
            line.append((f"{words or self.glyphs.none:>{room}}", ink if count else "dim"))
        told = self._problems.get(source.path, ())
        serious = any(problem.kind != "notice" for problem in told)
        sign = f" {self.glyphs.opens}" if told else ""
        return [*line, (sign, "accent strong" if serious else "dim")]

    def _format(self, source: SourceReport) -> str:
        return self._titles.get(source.format, source.format)

    def _source(self) -> SourceReport | None:
        row = self.query_one("#sources", RowList).cursor
        return self._sources[row] if 0 <= row < len(self._sources) else None

    @on(RowList.Moved, "#sources")
    def _show_about(self) -> None:
        source = self._source()
        about = self.query_one("#about", Notice)
        if source is None:
            about.update("", layout=False)
            return
        parts: list[tuple[str, str]] = [
            (f"{safe(source.path)}\n", "bold"),
            (safe(self._format(source)), ""),
            (f": {safe(source.why)}" if source.why else "", "$quiet"),
            (f"; {source.battles:,} battles\n" if source.battles else "\n", "$quiet"),
        ]
        told = self._problems.get(source.path, [])
        for kind in ("broken", "unmatched", "duplicate", "notice"):
            own = [problem for problem in told if problem.kind == kind]
            if not own:
                continue
            first, rows = own[0], sum(problem.rows for problem in own)
            line = f"line {first.line}: " if first.line and kind != "notice" else ""
            more = f" (and {len(own) - 1} more)" if len(own) > 1 else ""
            ink = "$quiet" if kind == "notice" else "$verdict-fail"
            parts += [(f"{kind} {rows:,} ", ink), (f"{line}{safe(first.reason, 400)}{more}\n", "")]
        about.update(Content.assemble(*parts), layout=False)

    # ---- open --------------------------------------------------------------------------------

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        paths = dropped_paths(event.text)
        if paths:
            self._open(paths)
        else:
            self.audit_app.say(f"what was pasted is no path of a file: {event.text[:60]}")

    def action_open_path(self) -> None:
        def done(path: str | None) -> None:
            if path is not None:
                self._open([path])

        start = os.path.dirname(self.bench.paths[-1]) if self.bench.paths else ""
        self.app.push_screen(OpenSheet(f"{start}{os.sep}" if start else ""), done)

    def _open(self, paths: list[str]) -> None:
        """Look at files first; only tables of unknown shape need an answer before loading."""
        new = [path for path in paths if path not in self.bench.paths]
        if not new:
            self.audit_app.say("that is loaded already; d detaches a file")
            return
        options = self.bench.options

        def look() -> None:
            self.post_message(_look(new, options))

        self.in_thread("look", look)

    @on(_Looked)
    def _looked(self, message: _Looked) -> None:
        if not message.unknown:
            self._load([*self.bench.paths, *message.paths])
            return
        first = message.unknown[0]

        def done(mapping: dict[str, str] | None) -> None:
            if mapping is None:
                self.audit_app.say(f"not loaded: {first.path}")
            else:
                self._map(first, mapping, [*self.bench.paths, *message.paths])

        remembered = fitting_mapping(first, self.bench.decisions, self.audit_app.config)
        self.app.push_screen(MappingSheet(first, remembered), done)

    def _map(self, of: Preview, mapping: dict[str, str], paths: list[str]) -> None:
        decisions = self.bench.decisions
        self.audit_app.decide(lambda: remember(of.path, mapping, decisions))
        self._load(paths, replace(self.bench.options, mapping=mapping))

    def action_map(self) -> None:
        source = self._source()
        if source is None or source.path == STDIN:
            self.audit_app.say("there is no file whose columns could be chosen")
            return
        options = self.bench.options

        def look() -> None:
            try:
                found = preview(source.path, replace(options, mapping={}))
            except SourceError as error:
                self.app.call_from_thread(self.audit_app.say, f"{source.path}: {error}", "error")
            else:
                self.app.call_from_thread(self._ask_columns, found)

        self.in_thread("look", look)

    def _recall(self) -> None:
        """Tables of unknown shape are read again with the columns chosen for them before."""
        unknown = [one for one in self._sources if one.format == "table" and not one.used]
        if not unknown or self.bench.options.mapping:
            return
        paths, options = [one.path for one in unknown], self.bench.options

        def look() -> None:
            self.app.call_from_thread(self._recalled, _look(paths, options).unknown)

        self.in_thread("recall", look)

    def _recalled(self, unknown: list[Preview]) -> None:
        for found in unknown:
            remembered = fitting_mapping(found, self.bench.decisions, self.audit_app.config)
            if remembered is not None:
                self.audit_app.say(f"columns of {short_name(found.path)} as you chose them before")
                self._load(self.bench.paths, replace(self.bench.options, mapping=remembered))
                return
        if unknown:
            self.audit_app.say(
                f"columns of {short_name(unknown[0].path)} are unknown; m names them"
            )

    def _ask_columns(self, found: Preview) -> None:
        if not found.columns:
            self.audit_app.say(f"{found.path} has no columns to choose from")
            return

        def done(mapping: dict[str, str] | None) -> None:
            if mapping is not None:
                self._map(found, mapping, self.bench.paths)

        remembered = fitting_mapping(found, self.bench.decisions, self.audit_app.config)
        self.app.push_screen(MappingSheet(found, remembered), done)

    def _load(self, paths: list[str], options: LoadOptions | None = None) -> None:
        if STDIN in self.bench.paths and self.bench.workspace is not None:
            self.audit_app.say("standard input cannot be read again; start anew with files")
            return
        if options is not None:
            self.bench.options = options
        if paths:
            self.audit_app.load(paths)
            return
        self.bench.paths = []
        self.bench.open(None)
        self.audit_app.judge()
        self.audit_app.bench_changed.publish(None)

    # ---- actions -----------------------------------------------------------------------------

    def action_detach(self) -> None:
        source = self._source()
        if source is None:
            self.audit_app.say("there is no file to detach")
            return
        # A directory becomes the files in it that are left.
        self._load([one.path for one in self._sources if one is not source])
        self.audit_app.say(f"detached {short_name(source.path)}; o opens it again")

    def action_think(self) -> None:
        options = self.bench.options
        other = "strip" if options.think == "keep" else "keep"
        words = "cut off before grading" if other == "strip" else "graded with the answer"
        self._load(self.bench.paths, replace(options, think=other))  # type: ignore[arg-type]
        if self.bench.options.think == other:
            self.audit_app.say(f"reasoning traces are {words}")

    @on(RowList.Opened, "#sources")
    def _open_problems(self) -> None:
        source = self._source()
        if source is None:
            return
        if not self._problems.get(source.path):
            self.audit_app.say("every row of this file is used: there are no problems")
            return
        self.app.push_screen(ProblemsScreen(source.path))

    def action_problems(self) -> None:
        if self._problems:
            self.app.push_screen(ProblemsScreen(""))
        else:
            self.audit_app.say("every row is used: there are no problems")

    def _tables(self) -> list[sheets.Sheet]:
        workspace = self.bench.workspace
        if workspace is None:
            return []
        return [sheets.sources(workspace), sheets.problems(workspace)]

    def action_yank(self) -> None:
        if tables := self._tables():
            self.audit_app.yank(as_tsv(tables[0]), "the list of files, tab-separated")

    def action_write(self) -> None:
        if self._tables():
            self.app.push_screen(SaveSheet(self._tables, "files.csv"))


def _look(paths: list[str], options: LoadOptions) -> _Looked:
    """In a thread: files that cannot be read are left to loading, which reports why."""
    unknown = []
    for path in paths:
        if os.path.isfile(path):
            try:
                found = preview(path, options)
            except SourceError:
                continue
            if found.format == "table" and found.columns and not is_complete(found.mapping):
                unknown.append(found)
    return _Looked(paths, unknown)
