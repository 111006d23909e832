"""Two models side by side."""

from __future__ import annotations

from ifbench_tui.tui.actions.base import Action, Scope

__all__ = ["SCOPES"]

_ACTIONS = (
    Action("versus.pane", "tab", "app.focus_next", "Next pane", "Move to the next pane.", "Move",
           "pane", 30),
    Action("versus.measure", "v", "measure", "Strict or loose",
           "Compare strict or loose verdicts.", "Look", "strict/loose", 20),
    Action("versus.previous", "left_square_bracket", "other(-1)", "Previous model",
           "Compare with the previous model.", "Look", "model", 22),
    Action("versus.next", "right_square_bracket", "other(1)", "Next model",
           "Compare with the next model.", "Look", "model", 22),
    Action("versus.swap", "x", "swap", "Swap A and B", "Look from the other side.", "Look",
           "swap", 24),
    Action("versus.yank", "y", "yank", "Copy", "Copy the comparison, for a spreadsheet.",
           "Take away", "copy", 50),
    Action("versus.yank_markdown", "Y", "yank_markdown", "Copy as Markdown",
           "Copy the comparison as Markdown tables.", "Take away"),
    Action("versus.write", "w", "write", "Write the comparison",
           "Write the comparison as CSV or Markdown.", "Take away", "write", 52),
)  # fmt: skip

SCOPES = (Scope("versus", _ACTIONS, panes=("list",)),)
