"""Scores: who follows what. Headline numbers of all models, and a heat map below."""

from __future__ import annotations

from collections.abc import Iterator

from textual import events, on
from textual.content import Content
from textual.widget import Widget

from ifbench_tui.filters import ALL
from ifbench_tui.report import sheets
from ifbench_tui.report.results import Results
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.board_names import board_words
from ifbench_tui.tui.columns import kind_name
from ifbench_tui.tui.ink import Line, cells, entitle, safe
from ifbench_tui.tui.score_board import Chosen, ScoreBoard
from ifbench_tui.tui.score_columns import group_head
from ifbench_tui.tui.screens.model_sheet import ModelSheet
from ifbench_tui.tui.screens.place import Place, title
from ifbench_tui.tui.screens.save_sheet import SaveSheet, as_markdown, as_tsv
from ifbench_tui.tui.screens.versus import VersusScreen
from ifbench_tui.tui.verdicts import Verdicts
from ifbench_tui.tui.widgets.bar import Bar
from ifbench_tui.tui.widgets.cell_grid import NAMES, CellGrid, GridColumn
from ifbench_tui.tui.widgets.notice import Notice

__all__ = ["ScoresScreen", "results_so_far"]

_GROUP_WIDTH = 7
_MODEL_WIDTH = 12


def results_so_far(verdicts: Verdicts) -> Results:
    """Results of the models that are judged completely."""
    suite = verdicts.suite
    summaries = {model: found for model in suite.models if (found := verdicts.summary(model))}
    judged = {
        model: [known[prompt.key] for prompt in suite.prompts if prompt.key in known]
        for model in summaries
        if (known := verdicts.of(model)) is not None
    }
    return Results(suite, judged, summaries)


class ScoresScreen(Place):
    """Two tables over the same models; the lines below say all of the cell under the cursor."""

    PLACE = "Scores"
    BINDINGS = bindings("scores")
    AUTO_FOCUS = "#models"
    CSS_PATH = "../styles/scores.tcss"

    def __init__(self) -> None:
        super().__init__()
        self.board = ScoreBoard()

    def body(self) -> Iterator[Widget]:
        board = self.board
        yield CellGrid(self._model_name, board.model_cell, id="models", classes="pane")
        yield CellGrid(self._heat_name, board.heat_cell, id="heat", classes="pane")
        yield Bar(id="what")
        yield Bar(id="numbers")
        yield Notice(id="message")

    @property
    def models(self) -> CellGrid:
        """The upper table."""
        return self.query_one("#models", CellGrid)

    @property
    def heat(self) -> CellGrid:
        """The heat map."""
        return self.query_one("#heat", CellGrid)

    @property
    def model(self) -> str:
        """The model under the cursor, in both tables."""
        return self.board.model_at(self.models.cursor_row)

    # ---- what changed ------------------------------------------------------------------------

    def bench_changed(self) -> None:
        self._rebuild(self.bench.model)
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        least = {"compare": 2}.get(action, 1)
        of_models = action in (
            "compare",
            "measure",
            "kind",
            "flip",
            "yank",
            "yank_markdown",
            "write",
        )
        suite = self.bench.suite
        return None if of_models and (suite is None or len(suite.models) < least) else True

    def verdicts_changed(self) -> None:
        if self.board.stale(self.bench.verdicts):
            self._rebuild(self.model)
        else:
            self.models.redraw()
            self._describe()

    def on_resize(self) -> None:
        self.call_after_refresh(lambda: self._rebuild(self.model))

    def refresh_head(self) -> None:
        super().refresh_head()
        self._show_message()

    def head(self) -> list[Line]:
        verdicts = self.bench.verdicts
        if verdicts is None:
            return []
        suite = verdicts.suite
        sizes = f"{len(suite.models)} models, {len(suite.prompts):,} prompts, % with 95 % intervals"
        return [[(safe(verdicts.benchmark.title, 24), "")], [(sizes, "dim")]]

    def _rebuild(self, model: str) -> None:
        """Both tables again, with the cursor on a model."""
        board = self.board
        board.glyphs = self.models.glyphs = self.heat.glyphs = self.glyphs
        board.rebuild(self.bench.verdicts)
        self._show_tables(board.order.index(model) if model in board.order else 0)
        self._show_message()
        self._describe()

    def _show_tables(self, row: int) -> None:
        board, models, heat = self.board, self.models, self.heat
        wide = self.size.width >= 100
        names = min(34 if wide else 15, _widest(board.order)) + 2
        sorting = board.sorting
        models.sorting = sorting[1:] if sorting and not sorting[0] else None
        entitle(models, title("models"))
        models.show([column.grid for column in board.columns], len(board.order), "model", names)
        models.move(row, models.cursor_column)
        entitle(heat, self._heat_title())
        if board.flipped:
            heads = [safe(model, _MODEL_WIDTH - 1) for model in board.order]
            columns = [GridColumn((head,), _MODEL_WIDTH) for head in heads]
            heat.sorting = board.group_sorting
            rows = len(board.groups)
            least = min(44 if wide else 26, _widest(board.groups))
            heat.show(columns, rows, safe(board.kind), least + 2)
        else:
            heads_of = [group_head(name, _GROUP_WIDTH) for name in board.groups]
            columns = [GridColumn(head, _GROUP_WIDTH) for head in heads_of]
            heat.sorting = sorting[1:] if sorting and sorting[0] == board.kind else None
            heat.show(columns, len(board.order), "model", names)
        self._link(models)

    def _heat_title(self) -> Content:
        measure, dot = self.board.measure, self.glyphs.dot
        thin = f" {dot} (n) too thin to count" if self.board.has_thin else ""
        words = f"by {safe(self.board.kind)} {dot} {measure.name}, %: {measure.meaning}"
        return title(words + thin)

    def _show_message(self) -> None:
        words = self._nothing()
        self.set_class(bool(words), "-empty")
        self.query_one("#message", Notice).update(safe(words))

    def _nothing(self) -> str:
        bench = self.bench
        if bench.suite is None:
            if bench.progress:
                return "Loading; esc stops."
            if boards := board_words(bench.workspace):
                return f"No prompts are loaded. b shows {boards}."
            return "No prompts are loaded. Press 1 for the Library, then o to open files."
        if not bench.suite.models:
            return "Prompts are loaded, but no responses. Press 1, then o to open some."
        return ""

    # ---- drawing -----------------------------------------------------------------------------

    def _model_name(self, row: int, width: int) -> Line:
        model = self.board.order[row]
        pending = self.board.summary(model) is None
        return [(f" {safe(model, width - 2)} ", "dim" if pending else "")]

    def _heat_name(self, row: int, width: int) -> Line:
        if not self.board.flipped:
            return self._model_name(row, width)
        return [(f" {safe(kind_name(self.board.groups[row], width - 2), width - 2)} ", "")]

    # ---- the cell under the cursor -----------------------------------------------------------

    @on(CellGrid.Moved)
    def _moved(self, message: CellGrid.Moved) -> None:
        self._link(message.grid)
        self._describe()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self._describe()

    def _link(self, moved: CellGrid) -> None:
        """Both tables stay on the same model."""
        models, heat, flipped = self.models, self.heat, self.board.flipped
        if moved is models:
            row, column = heat.cursor_row, heat.cursor_column
            place = (row, models.cursor_row) if flipped else (models.cursor_row, column)
            if place != (row, column) and not (flipped and column == NAMES):
                heat.move(*place)
            return
        row = heat.cursor_column if flipped else heat.cursor_row
        if row not in (models.cursor_row, NAMES):
            models.move(row, models.cursor_column)

    @property
    def _in_heat(self) -> bool:
        return self.focused is self.heat

    def _chosen(self) -> Chosen:
        grid = self.heat if self._in_heat else self.models
        choose = self.board.chosen_group if self._in_heat else self.board.chosen_model
        return choose(grid.cursor_row, grid.cursor_column)

    def _describe(self) -> None:
        """Say in words what the cell under the cursor is."""
        chosen = self._chosen()
        parts = [(safe(chosen.model), "strong"), (safe(chosen.what), "accent")]
        line: list[tuple[str, str]] = [(" ", "")]
        for part in filter(lambda part: part[0], parts):
            line += [part] if len(line) == 1 else [(f" {self.glyphs.dot} ", "dim"), part]
        self.query_one("#what", Bar).show(line)
        self.query_one("#numbers", Bar).show([(f" {chosen.words}", "")])

    @on(CellGrid.Opened)
    async def _open(self) -> None:
        chosen = self._chosen()
        if chosen.where is None:
            self.audit_app.say(f"prompts cannot be filtered by {chosen.what}; all are shown")
        if chosen.model:
            self.audit_app.use(model=chosen.model)
        await self.audit_app.audit(where=chosen.where or ALL)

    # ---- actions -----------------------------------------------------------------------------

    @on(CellGrid.Sorted)
    def _sort(self, message: CellGrid.Sorted) -> None:
        self.board.sort(message.column, in_heat=message.grid is self.heat)
        self._rebuild(self.model)

    def action_measure(self) -> None:
        self.board.next_measure()
        self._rebuild(self.model)

    def action_kind(self) -> None:
        if not self.board.next_kind():
            self.audit_app.say("there is nothing to group before the first model is judged")
        self._rebuild(self.model)

    def action_flip(self) -> None:
        self.board.flip()
        self._rebuild(self.model)

    def action_suite(self, step: int) -> None:
        workspace = self.bench.workspace
        names = [] if workspace is None else list(workspace.suites)
        if len(names) < 2:
            self.audit_app.say("only one benchmark is loaded")
            return
        place = names.index(self.bench.suite_id) + step
        self.audit_app.use(suite=names[place % len(names)])

    def action_compare(self) -> None:
        verdicts, model = self.bench.verdicts, self.model
        ready = self.board.summaries
        others = [other for other in self.board.order if other != model and other in ready]
        if verdicts is None or model not in ready or not others:
            self.audit_app.say("comparing needs two models that are judged completely")
            return

        def done(other: str | None) -> None:
            if other is not None:
                self.app.push_screen(VersusScreen(verdicts, model, other))

        self.app.push_screen(ModelSheet(f"compare {safe(model, 40)} with", others), done)

    # ---- take away ---------------------------------------------------------------------------

    def _tables(self) -> list[sheets.Sheet]:
        """The table in use first."""
        verdicts = self.bench.verdicts
        if verdicts is None:
            return []
        found = results_so_far(verdicts)
        tables = [sheets.overview(found), sheets.breakdown(found, self.board.kind)]
        return tables[::-1] if self._in_heat else tables

    def action_yank(self) -> None:
        if tables := self._tables():
            self.audit_app.yank(as_tsv(tables[0]), f"{tables[0].title}, tab-separated")

    def action_yank_markdown(self) -> None:
        if tables := self._tables():
            text = as_markdown(tables[:1], self.glyphs)
            self.audit_app.yank(text, f"{tables[0].title}, Markdown")

    def action_write(self) -> None:
        if self._tables():
            what = self.board.kind if self._in_heat else "scores"
            self.app.push_screen(SaveSheet(self._tables, f"{self.bench.suite_id}-{what}.csv"))


def _widest(names: list[str]) -> int:
    return max((cells([(safe(name), "")]) for name in names), default=8)
