"""What Boards draws: models and numbers, two lines about a cell, and a second pane of pages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from textual.widget import Widget

from ifbench_tui.report.boards.base import BoardResult
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.board_column import BoardColumn, Values
from ifbench_tui.tui.board_columns import columns_of, fit_words, model_words
from ifbench_tui.tui.board_pages import BoardPage, notices, page_of, pages_of
from ifbench_tui.tui.board_state import BoardState, Shelf
from ifbench_tui.tui.ink import Line, cells, entitle, safe
from ifbench_tui.tui.rating_pages import notes
from ifbench_tui.tui.screens.place import Place, title
from ifbench_tui.tui.widgets.bar import Bar
from ifbench_tui.tui.widgets.board_pane import BoardPane
from ifbench_tui.tui.widgets.cell_grid import NAMES, CellGrid
from ifbench_tui.tui.widgets.notice import Notice
from ifbench_tui.tui.widgets.words import Words
from ifbench_tui.tui.wrap import wrap

__all__ = ["BoardsView"]

_NOTHING = (
    "No judged files are loaded.\n\n"
    "Press 1 for the Library, then o, and open annotations of AlpacaEval, judgments of MT-Bench "
    "or Arena-Hard, or files that measure a judge's bias. Tables that belong to them "
    "(difficulties, leaderboards, questions, answers) may be opened with them."
)
_LEFT_NOTHING = "These choices leave nothing of this benchmark.\n\nF puts back the usual ones."
_MOST_WARNING = 2


_FLAG = re.compile(r"choose with --[a-z-]+")


def _for_screen(warning: str) -> str:
    """A warning that names the option of a command, with the key that does it here."""
    return _FLAG.sub("f chooses", warning)


class ModelGrid(CellGrid):
    """The models of a board: enter reads a model's judgments."""

    BINDINGS = bindings("models")


class BoardsView(Place):
    """Draws what the screen found out; asks for nothing itself."""

    PLACE = "Boards"
    BINDINGS = bindings("boards")
    AUTO_FOCUS = "#models"
    CSS_PATH = "../styles/boards.tcss"

    def __init__(self) -> None:
        super().__init__()
        self.state = BoardState()
        self.failure = ""
        self.busy = ""
        self.columns: list[BoardColumn] = []
        self.order: list[str] = []

    def body(self) -> Iterator[Widget]:
        yield Words(id="warning")
        yield ModelGrid(self._model_name, self._model_cell, id="models", classes="pane")
        yield Bar(id="what")
        yield Bar(id="numbers")
        yield BoardPane(id="beside")
        yield Notice(id="message")

    @property
    def models(self) -> CellGrid:
        """The board."""
        return self.query_one("#models", CellGrid)

    @property
    def pane(self) -> BoardPane:
        """The second pane."""
        return self.query_one("#beside", BoardPane)

    @property
    def model(self) -> str:
        """The model under the cursor."""
        row = self.models.cursor_row
        return self.order[row] if row < len(self.order) else ""

    @property
    def page_name(self) -> str:
        """The page in use."""
        pages = pages_of(self.state.benchmark)
        name = self.state.pages.get(self.state.benchmark, "")
        return name if name in pages else next(iter(pages))

    # ---- head --------------------------------------------------------------------------------

    def refresh_head(self) -> None:
        super().refresh_head()
        words = "" if self.state.result is not None else self._message()
        self.query_one("#message", Notice).update("\n".join(map(safe, words.split("\n"))))

    def head(self) -> list[Line]:
        result = self.state.result
        if result is None:
            return []
        names = self.state.shown
        place = f" ({names.index(result.benchmark) + 1} of {len(names)})" if len(names) > 1 else ""
        shown: list[Line] = [[(result.title, ""), (place, "dim")]]
        if fit := fit_words(result):
            sure = result.benchmark != "alpaca_eval" or "fixed" not in fit
            shown.append([(fit, "dim" if sure else "rescued strong")])
        return shown

    def head_ends(self) -> list[Line]:
        first = self.busy.partition(",")[0]
        busy, brief = ([(f"{words} ", "accent strong")] if words else [] for words in
                       (self.busy, first))  # fmt: skip
        number = len(self.order)
        models = f"{number} model" if number == 1 else f"{number} models"
        whole: list[Line] = [[*busy, (" ", ""), (f"{models} ", "dim")]] if number else []
        return [*whole, busy, brief]

    # ---- the board ---------------------------------------------------------------------------

    def show_board(self) -> None:
        """Draw the board there is, the cursor on the model it was on."""
        result, glyphs = self.state.result, self.glyphs
        self.set_class(result is None, "-empty")
        if result is None:
            self.order = []
            self.refresh_head()
            return
        before = self.model or self.state.model
        self.set_class(not result.models, "-tables")
        self.columns = columns_of(result, glyphs)
        self.order = self._ordered(result)
        models = self.models
        models.glyphs = self.pane.glyphs = glyphs
        models.sorting = self.state.sorting.get(result.benchmark)
        entitle(models, title(self._board_title(result)))
        wide = self.size.width >= 100
        widest = max((cells([(safe(name), "")]) for name in self.order), default=8)
        names = min(34 if wide else 18, widest) + 2
        models.show([column.grid for column in self.columns], len(self.order), "model", names)
        row = self.order.index(before) if before in self.order else 0
        models.move(row, models.cursor_column)
        if not result.models and self.focused is models:
            self.call_after_refresh(self.pane.used.focus)
        self._show_warning(result)
        self.describe()
        self.show_page()
        self.refresh_head()

    def _message(self) -> str:
        if self.failure:
            return self.failure
        if self.bench.progress:
            return "Loading; esc stops."
        if self.busy:
            return ""
        return _LEFT_NOTHING if self.state.made is not None else _NOTHING

    def _ordered(self, result: BoardResult) -> list[str]:
        """The models as they are sorted; those without a value last."""
        names = list(result.models)
        chosen = self.state.sorting.get(result.benchmark) or (0, True)
        column, down = chosen
        if column == NAMES:
            return sorted(names, key=lambda name: name.casefold(), reverse=down)
        if column >= len(self.columns):
            return names
        known: dict[str, float] = {}
        for name in names:
            value = self.columns[column].value(result.models[name])
            if value is not None:
                known[name] = value
        ranked = sorted(known, key=lambda name: known[name], reverse=down)
        return [*ranked, *(name for name in names if name not in known)]

    def _board_title(self, result: BoardResult) -> str:
        if result.benchmark == "alpaca_eval":
            return f"win rates against the baseline {self.glyphs.dot} % with standard errors"
        if result.benchmark == "mt_bench":
            against = result.extra.get("baseline")
            pairs = f" {self.glyphs.dot} pairs against {safe(against, 24)}" if against else ""
            return f"mean ratings of 10 with 95 % intervals{pairs}"
        if result.benchmark != "arena_hard":
            return ""
        settings = result.extra["settings"]
        how = "no intervals" if settings["interval"] == "none" else (
            f"{100 * settings['level']:.0f} % intervals, {settings['interval']}"
        )  # fmt: skip
        games = ", first game only" if settings["first_game_only"] else ""
        return f"score against the baseline, % {self.glyphs.dot} {how}{games}"

    def _show_warning(self, result: BoardResult) -> None:
        """What is said about the whole board; what is about one model stands at that model."""
        names = tuple(f"{name}: " for name in result.models)
        warnings = [text for text in result.warnings or () if not text.startswith(names)]
        self.set_class(bool(warnings), "-warned")
        if not warnings:
            return
        more = len(warnings) - 1
        extra = f" (+{more} more: notes)" if more else ""
        first = safe(_for_screen(warnings[0]))
        line = [(f"{self.glyphs.error} ", "error"), (first, ""), (extra, "dim")]
        words = self.query_one("#warning", Words)
        rows = wrap("".join(text for text, _ in line), max(20, self.size.width - 2))
        words.styles.height = min(_MOST_WARNING, len(rows))
        words.show(line)

    def _model_name(self, row: int, width: int) -> Line:
        return [(f" {safe(self.order[row], width - 2)} ", "")]

    def _model_cell(self, row: int, column: int) -> Line:
        values = self._values(self.order[row])
        return [] if values is None else self.columns[column].cell(values)

    def _values(self, model: str) -> Values | None:
        result = self.state.result
        return None if result is None else result.models.get(model)

    def describe(self) -> None:
        """Say in words what the model and the cell under the cursor are."""
        result, model = self.state.result, self.model
        values = self._values(model)
        if result is None or values is None:
            return
        self.state.model = model
        words = model_words(result, model, self.glyphs)
        self.query_one("#what", Bar).show(
            [(f" {safe(model, 34)}", "accent strong"), (f"  {safe(words)}", "")]
        )
        self.query_one("#numbers", Bar).show(self._cell_words(values))

    def _cell_words(self, values: Values) -> Line:
        column = self.models.cursor_column
        if column == NAMES or column >= len(self.columns):
            said = values.get("warnings") or ()
            if not said:
                return [(" nothing is amiss with this model's rows", "dim")]
            more = f" (+{len(said) - 1} more: notes)" if len(said) > 1 else ""
            return [(f" {self.glyphs.error} ", "error"), (safe(said[0]), ""), (more, "dim")]
        chosen = self.columns[column]
        return [(f" {chosen.title}  ", "dim"), (safe(chosen.words(values)), "")]

    # ---- the second pane ---------------------------------------------------------------------

    def show_page(self) -> None:
        """Draw the page in use."""
        result, shelf = self.state.result, self.state.shelf
        if result is None or shelf is None:
            return
        name, page = self._page(result, shelf)
        # Ratings of 10 have two digits by custom, logits need three.
        digits = 2 if result.benchmark == "mt_bench" else 3
        self.pane.show(page, pages_of(result.benchmark), name, digits=digits)
        self.pane.seek(self.model)
        self.refresh_bindings()

    def _page(self, result: BoardResult, shelf: Shelf) -> tuple[str, BoardPage]:
        """The page in use; while none was chosen, the first that has something on it."""
        names = list(pages_of(result.benchmark))
        if result.benchmark in self.state.pages:
            names = [self.page_name]
        for name in names:
            if name == "notes":
                said = [*map(_for_screen, result.warnings or ()), *notices(shelf)]
                lines = tuple(notes(said or ["nothing has to be said"], self.command()))
                page = BoardPage(lines=lines)
            else:
                page = page_of(name, result, self.model, shelf, self.glyphs)
            if not page.empty:
                break
        self.state.pages[result.benchmark] = name
        return name, page

    def command(self) -> str:
        """The command line that prints the board on the screen."""
        from ifbench_tui.tui.board_wish import command

        made, benchmark = self.state.made, self.state.benchmark
        if made is None:
            return ""
        alone = len(self.state.shown) < 2 and not (
            self.bench.workspace and self.bench.workspace.suites
        )
        return command(made.options, self.bench.paths, benchmark, alone=alone)
