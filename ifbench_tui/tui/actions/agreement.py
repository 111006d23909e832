"""Human against verifier."""

from __future__ import annotations

from ifbench_tui.tui.actions.base import Action, Scope

__all__ = ["SCOPES"]

_ACTIONS = (
    Action("agreement.pane", "tab", "app.focus_next", "Next pane", "Move to the next pane.",
           "Move", "pane", 30),
    Action("agreement.yank", "y", "yank", "Copy the table",
           "Copy the agreement table, for a spreadsheet.", "Take away", "copy", 50),
    Action("agreement.yank_markdown", "Y", "yank_markdown", "Copy as Markdown",
           "Copy the tables as Markdown.", "Take away"),
    Action("agreement.write", "w", "write", "Write the table",
           "Write the agreement table as CSV or Markdown.", "Take away", "write", 52),
)  # fmt: skip

_LACKING = {
    **dict.fromkeys(("yank", "yank_markdown", "write"), "nothing is marked here yet"),
}

SCOPES = (Scope("agreement", _ACTIONS, panes=("list",), lacking=_LACKING),)
