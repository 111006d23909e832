"""Scores: who follows what."""

from __future__ import annotations

from ifbench_tui.tui.actions.base import Action, Scope

__all__ = ["SCOPES"]

_ACTIONS = (
    Action("scores.pane", "tab", "app.focus_next", "Next pane", "Move to the next pane.", "Move",
           "pane", 30),
    Action("scores.compare", "c", "compare", "Compare two models",
           "Paired test of the model under the cursor and another one.", "Look", "compare", 12),
    Action("scores.agreement", "a", "app.agreement", "Human against verifier",
           "What your marks say about the verifier, type by type.", "Look", "agreement", 34),
    Action("scores.measure", "v", "measure", "What the heat map shows",
           "Strict, loose, the gap between them, or near misses.", "Look", "shows", 24),
    Action("scores.kind", "t", "kind", "By type, category, …",
           "Group the heat map by type, category or what else the benchmark knows.", "Look",
           "groups", 28),
    Action("scores.flip", "x", "flip", "Flip the heat map", "Swap rows and columns.", "Look",
           "flip", 32),
    Action("scores.suite_previous", "left_square_bracket", "suite(-1)", "Previous benchmark",
           "Show the previous benchmark that is loaded.", "Look"),
    Action("scores.suite_next", "right_square_bracket", "suite(1)", "Next benchmark",
           "Show the next benchmark that is loaded.", "Look"),
    Action("scores.boards", "b", "app.boards", "Boards of judged benchmarks",
           "AlpacaEval, MT-Bench, Arena-Hard: what their judges say.", "Look", "boards", 36),
    Action("scores.yank", "y", "yank", "Copy the table",
           "Copy the table in use, for a spreadsheet.", "Take away", "copy", 50),
    Action("scores.yank_markdown", "Y", "yank_markdown", "Copy as Markdown",
           "Copy the table in use as a Markdown table.", "Take away"),
    Action("scores.write", "w", "write", "Write the table",
           "Write the table in use as CSV or Markdown.", "Take away", "write", 52),
)  # fmt: skip

_LACKING = {
    "compare": "comparing needs two models",
    **dict.fromkeys(
        ("measure", "kind", "flip", "yank", "yank_markdown", "write"), "no responses are loaded"
    ),
}

SCOPES = (Scope("scores", _ACTIONS, panes=("list", "grid"), lacking=_LACKING),)
