"""Other models' responses to one prompt, side by side with the one in use."""

from __future__ import annotations

from collections.abc import Iterator

from textual import on
from textual.containers import Horizontal
from textual.widget import Widget
from textual.worker import get_current_worker

from ifbench_tui.engine.benchmark import Prompt
from ifbench_tui.report.glyphs import cell_sign, strict_sign
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.ink import Line, entitle, safe
from ifbench_tui.tui.prompt_rows import response_signs
from ifbench_tui.tui.screens.place import Place, title
from ifbench_tui.tui.widgets.reading_pane import EMPTY_RESPONSE, ReadingPane
from ifbench_tui.tui.widgets.row_list import RowList

__all__ = ["CompareScreen"]


class CompareScreen(Place):
    """A row for each model with its lattice in one line; the chosen one is read on the right."""

    PLACE = "Compare"
    BINDINGS = bindings("compare")
    AUTO_FOCUS = "#models"
    CSS_PATH = "../styles/audit.tcss"

    def __init__(self, prompt: Prompt) -> None:
        super().__init__()
        self._prompt = prompt
        self._models: list[str] = []
        self._name_room = 12
        self._other = ""

    def body(self) -> Iterator[Widget]:
        ascii_only = self.glyphs.ascii_only
        models = RowList(self._model_row, id="models", classes="pane")
        models.border_title = title("models")
        ours, other = (
            ReadingPane(
                gutter=False,
                ascii_only=ascii_only,
                blank=EMPTY_RESPONSE,
                id=name,
                classes="pane",
            )
            for name in ("ours", "other")
        )
        yield models
        yield Horizontal(ours, other, id="sides")

    def head(self) -> list[Line]:
        kinds = ", ".join(spec.type.rpartition(":")[2] for spec in self._prompt.constraints)
        return [[(safe(self._prompt.key, 16), "")], [(safe(kinds), "dim")]]

    def bench_changed(self) -> None:
        suite, model = self.bench.suite, self.bench.model
        if suite is None:
            return
        self._models = [model, *(other for other in suite.models if other != model)]
        self._name_room = min(34, max(len(safe(name)) for name in self._models))
        self.query_one("#models", RowList).set_rows(len(self._models), 1)
        self._read("#ours", model)
        self.in_thread("compare", self._judge)

    def verdicts_changed(self) -> None:
        self.query_one("#models", RowList).redraw()

    def _judge(self) -> None:
        worker, verdicts = get_current_worker(), self.bench.verdicts
        for model in self._models:
            if worker.is_cancelled or verdicts is None:
                return
            verdicts.judge_now(model, self._prompt.key)
            self.app.call_from_thread(self.verdicts_changed)

    def _read(self, pane: str, model: str) -> None:
        suite = self.bench.suite
        response = None if suite is None else suite.response(model, self._prompt.key)
        reading = self.query_one(pane, ReadingPane)
        entitle(reading, title(safe(model, 40)))
        reading.show("(no response)" if response is None else response.text)

    def _model_row(self, row: int, width: int) -> Line:
        model, verdicts, glyphs = self._models[row], self.bench.verdicts, self.glyphs
        if verdicts is None:
            return []
        response = verdicts.suite.response(model, self._prompt.key)
        judged = verdicts.get(model, self._prompt.key)
        strict, loose = response_signs(glyphs, judged, response is not None)
        words = f"{len(response.text.split()):>6}" if response is not None else "     –"
        name = f" {safe(model, self._name_room):<{self._name_room}} "
        line = [
            (" ", ""),
            strict,
            loose,
            (name, "" if row else "strong"),
            (f"{words} words ", "dim"),
        ]
        for lattice in () if judged is None else judged.lattices:
            many = len(lattice.cells) > 1
            line += [(f"{glyphs.rule} ", "rule"), strict_sign(glyphs, lattice)]
            if many:
                line += [
                    (" ", ""),
                    *(cell_sign(glyphs, lattice, i) for i in range(len(lattice.cells))),
                ]
            line.append((" ", ""))
        return line

    @on(RowList.Moved, "#models")
    def _moved(self, message: RowList.Moved) -> None:
        self._other = self._models[message.row]
        self._read("#other", self._other)

    @on(RowList.Opened, "#models")
    def _opened(self, message: RowList.Opened) -> None:
        self.dismiss(self._models[message.row])
