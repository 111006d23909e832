"""Which column of an unknown table is what: its first rows, and a guess to correct."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from ifbench_tui.tui.columns import left, middle
from ifbench_tui.tui.file_names import short_name
from ifbench_tui.tui.ink import Line, safe
from ifbench_tui.tui.mappings import EVERY_OTHER, FIELDS, is_complete
from ifbench_tui.tui.screens.place import title
from ifbench_tui.tui.screens.sheet import Sheet
from ifbench_tui.tui.widgets.bar import Bar
from ifbench_tui.tui.widgets.row_list import RowList
from ifbench_tui.workspace import Preview

__all__ = ["MappingSheet"]

_MEANINGS = {
    "prompt": "the text the model was asked",
    "response": "what the model answered",
    "model": "its name, where a file holds several",
    "key": "the prompt's key, if the text is not there",
}
_ROWS = 6
_CELL = 22


class MappingSheet(Sheet[dict[str, str]]):
    """Left and right change a column; Enter loads, once prompt (or key) and response are named."""

    CSS = """
    MappingSheet .sheet { width: 110; }
    MappingSheet #fields { height: 4; }
    MappingSheet #rows { height: 6; }
    MappingSheet #why, MappingSheet #problem { height: auto; }
    MappingSheet #problem { color: $verdict-error; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h,left", "turn(-1)", "Previous column", show=False),
        Binding("l,right,space", "turn(1)", "Next column", show=False),
        Binding("x,backspace", "clear", "No column", show=False),
    ]

    def __init__(self, found: Preview, remembered: Mapping[str, str] | None) -> None:
        super().__init__()
        self._found = found
        self._remembered = remembered is not None
        self._mapping = dict(remembered or found.mapping)

    def compose(self) -> ComposeResult:
        found = self._found
        sheet = Vertical(classes="sheet")
        sheet.border_title = title(f"columns of {middle(short_name(found.path), 44).rstrip()}")
        sheet.border_subtitle = self.words("h/l change · x none · enter load · esc do not load")
        why = f"{found.container}, {len(found.columns)} columns: {found.why}"
        if self._remembered:
            why = f"{why}. As you chose them before:"
        with sheet:
            yield Static(safe(why), id="why", markup=False, classes="label")
            yield RowList(self._field, id="fields")
            yield Static("", id="problem", markup=False)
            yield Bar(id="heads")
            rows = RowList(self._row, id="rows")
            rows.can_focus = False
            yield rows

    def on_mount(self) -> None:
        fields = self.query_one("#fields", RowList)
        fields.set_rows(len(FIELDS))
        fields.focus()
        self.query_one("#rows", RowList).set_rows(min(_ROWS, len(self._found.rows)))
        self._show()

    def _show(self) -> None:
        used = {column: name for name, column in self._mapping.items()}
        heads: list[tuple[str, str]] = [(" ", "")]
        for column in self._found.columns:
            ink = "accent strong" if column in used else "head"
            heads.append((left(column, _CELL - 2) + "  ", ink))
        self.query_one("#heads", Bar).show(heads)
        for rows in self.query(RowList):
            rows.redraw()

    # ---- drawing -----------------------------------------------------------------------------

    def _field(self, row: int, width: int) -> Line:
        name = FIELDS[row]
        column = self._mapping.get(name, "")
        glyphs = self.audit_app.bench.glyphs
        shown = column if column != EVERY_OTHER else "every other column"
        example = "" if column in ("", EVERY_OTHER) else safe(self._value(0, column), 60)
        meaning = _MEANINGS[name] if column != EVERY_OTHER else "each is a model of that name"
        return [
            (f" {name:<10}", "strong"),
            (left(shown or glyphs.none, 28) + "  ", "accent strong" if column else "dim"),
            (example or meaning, "" if example else "dim"),
        ]

    def _row(self, row: int, width: int) -> Line:
        used = set(self._mapping.values())
        line: list[tuple[str, str]] = [(" ", "")]
        for column in self._found.columns:
            value = left(self._value(row, column), _CELL - 2)
            line.append((f"{value}  ", "" if column in used else "dim"))
        return line

    def _value(self, row: int, column: str) -> str:
        rows = self._found.rows
        value = rows[row].get(column) if row < len(rows) else None
        return "" if value is None else str(value)

    # ---- keys --------------------------------------------------------------------------------

    def action_turn(self, step: int) -> None:
        name = self._field_name()
        values = ["", *self._found.columns, *([EVERY_OTHER] if name == "response" else [])]
        now = self._mapping.get(name, "")
        place = values.index(now) if now in values else 0
        self._set(name, values[(place + step) % len(values)])

    def action_clear(self) -> None:
        self._set(self._field_name(), "")

    def _field_name(self) -> str:
        return FIELDS[self.query_one("#fields", RowList).cursor]

    def _set(self, name: str, column: str) -> None:
        self._mapping.pop(name, None)
        if column:
            self._mapping[name] = column
        self.query_one("#problem", Static).update("")
        self._show()

    @on(RowList.Opened, "#fields")
    def _load(self) -> None:
        if is_complete(self._mapping):
            self.dismiss({name: self._mapping[name] for name in FIELDS if name in self._mapping})
            return
        words = "name the column of the response, and that of the prompt or its key"
        self.query_one("#problem", Static).update(words)
