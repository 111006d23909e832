"""Problems: the rows that were not used."""

from __future__ import annotations

from ifbench_tui.tui.actions.base import Action, Scope

__all__ = ["SCOPES"]

_ACTIONS = (
    Action("problems.scope", "a", "scope", "This file or all files",
           "List the problems of one file, or of all.", "Look", "this/all", 20),
    Action("problems.pane", "tab", "app.focus_next", "Next pane", "Move to the next pane.", "Move",
           "pane", 30),
    Action("problems.yank", "y", "yank", "Copy", "Copy this problem as text.", "Take away",
           "copy", 40),
    Action("problems.yank_all", "Y", "yank_all", "Copy all",
           "Copy all problems listed, for a spreadsheet.", "Take away", "copy all", 42),
    Action("problems.write", "w", "write", "Write the list",
           "Write the problems listed as CSV or Markdown.", "Take away", "write", 44),
)  # fmt: skip

_LACKING = {
    **dict.fromkeys(("yank", "yank_all", "write"), "there is no problem"),
}

SCOPES = (Scope("problems", _ACTIONS, panes=("list",), lacking=_LACKING),)
