"""Panes that several screens have: their keys work while one of them has the focus."""

from __future__ import annotations

from ifbench_tui.tui.actions.base import Action, Scope

__all__ = ["SCOPES"]

_LIST = (
    Action("list.down", "j,down", "cursor(1)", "Next row", "Move down one row.", "Move"),
    Action("list.up", "k,up", "cursor(-1)", "Previous row", "Move up one row.", "Move"),
    Action("list.half_down", "ctrl+d", "page(1)", "Half a page down", "Move half a page down.",
           "Move"),
    Action("list.half_up", "ctrl+u", "page(-1)", "Half a page up", "Move half a page up.", "Move"),
    Action("list.page_down", "pagedown,ctrl+f", "page(2)", "Page down", "Move a page down.",
           "Move"),
    Action("list.page_up", "pageup", "page(-2)", "Page up", "Move a page up.", "Move"),
    Action("list.first", "g,home", "first", "First row", "Jump to the first row.", "Move"),
    Action("list.last", "G,end", "last", "Last row", "Jump to the last row.", "Move"),
    Action("list.open", "enter", "open", "Open", "Open the row under the cursor.", "Move"),
)  # fmt: skip

_GRID = (
    Action("grid.down", "j,down", "cursor(1, 0)", "Next row", "Move down one row.", "Move"),
    Action("grid.up", "k,up", "cursor(-1, 0)", "Previous row", "Move up one row.", "Move"),
    Action("grid.left", "h,left", "cursor(0, -1)", "Column to the left",
           "Move one column to the left; the first one names the row.", "Move", "cell", 22),
    Action("grid.right", "l,right", "cursor(0, 1)", "Column to the right",
           "Move one column to the right; hidden columns come into view.", "Move", "cell", 22),
    Action("grid.half_down", "ctrl+d", "page(1)", "Half a page down", "Move half a page down.",
           "Move"),
    Action("grid.half_up", "ctrl+u", "page(-1)", "Half a page up", "Move half a page up.", "Move"),
    Action("grid.page_down", "pagedown,ctrl+f", "page(2)", "Page down", "Move a page down.",
           "Move"),
    Action("grid.page_up", "pageup", "page(-2)", "Page up", "Move a page up.", "Move"),
    Action("grid.first", "g,home", "row('first')", "First row", "Jump to the first row.", "Move"),
    Action("grid.last", "G,end", "row('last')", "Last row", "Jump to the last row.", "Move"),
    Action("grid.first_column", "0,circumflex_accent", "column('first')", "First column",
           "Jump to the names.", "Move"),
    Action("grid.last_column", "dollar_sign", "column('last')", "Last column",
           "Jump to the last column.", "Move"),
    Action("grid.open", "enter", "open", "Open in Audit",
           "Audit exactly the responses this cell counts as failed.", "Move", "audit", 10),
    Action("grid.sort", "s", "sort", "Sort by this column",
           "Sort rows by the column under the cursor; again for the other direction.", "Look",
           "sort", 26),
)  # fmt: skip

_READER = (
    Action("reader.down", "j,down", "scroll_lines(1)", "Down", "Scroll down one line.", "Move"),
    Action("reader.up", "k,up", "scroll_lines(-1)", "Up", "Scroll up one line.", "Move"),
    Action("reader.half_down", "ctrl+d", "scroll_pages(1)", "Half a page down",
           "Scroll half a page down.", "Move"),
    Action("reader.half_up", "ctrl+u", "scroll_pages(-1)", "Half a page up",
           "Scroll half a page up.", "Move"),
    Action("reader.page_down", "pagedown,space,ctrl+f", "scroll_pages(2)", "Page down",
           "Scroll a page down.", "Move"),
    Action("reader.page_up", "pageup", "scroll_pages(-2)", "Page up", "Scroll a page up.", "Move"),
    Action("reader.first", "g,home", "scroll_top", "Top", "Jump to the first line.", "Move"),
    Action("reader.last", "G,end", "scroll_bottom", "Bottom", "Jump to the last line.", "Move"),
    Action("reader.wrap", "w", "toggle_wrap", "Wrap lines", "Wrap long lines, or let them run.",
           "Read"),
)  # fmt: skip

_LATTICE = (
    Action("lattice.down", "j,down", "constraint(1)", "Next constraint", "Move down one "
           "constraint.", "Move"),
    Action("lattice.up", "k,up", "constraint(-1)", "Previous constraint", "Move up one "
           "constraint.", "Move"),
)  # fmt: skip

_MODELS = (
    Action("models.open", "enter", "open", "Read the judgments",
           "Read what the judge wrote about this model, row by row.", "Move", "judgments", 10),
)  # fmt: skip

_PLOT = (
    Action("plot.down", "j,down", "step(1)", "Next model", "Plot the next model.", "Move"),
    Action("plot.up", "k,up", "step(-1)", "Previous model", "Plot the previous model.", "Move"),
    Action("plot.open", "enter", "open", "Read the judgments",
           "Read what the judge wrote about this model, row by row.", "Move", "judgments", 10),
)  # fmt: skip

SCOPES = (
    Scope("list", _LIST, pane=True, words="this list"),
    Scope("grid", _GRID, pane=True, words="this table"),
    Scope("reader", _READER, pane=True, words="this text"),
    Scope("lattice", _LATTICE, pane=True, words="the lattice"),
    Scope("models", _MODELS, pane=True, words="the models"),
    Scope("plot", _PLOT, pane=True, words="this plot"),
)
