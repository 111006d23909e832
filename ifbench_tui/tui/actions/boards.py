"""Boards of judged benchmarks."""

from __future__ import annotations

from ifbench_tui.tui.actions.base import Action, Scope

__all__ = ["SCOPES"]

_ACTIONS = (
    Action("boards.pane", "tab", "app.focus_next", "Next pane", "Move to the next pane.", "Move",
           "pane", 30),
    Action("boards.choices", "f", "choices", "What counts, and how",
           "Choose judges, categories, length control, style control and their conventions.",
           "Look", "choices", 2),
    Action("boards.clear", "F", "clear", "Usual choices",
           "Count all judgments by the usual conventions; reads the files if that was stopped.",
           "Look"),
    Action("boards.control", "c", "control", "Control",
           "AlpacaEval: cross-validate the fit, or fix its C. Arena-Hard: style control.", "Look",
           "control", 12),
    Action("boards.page_next", "v", "page(1)", "Next page below the board",
           "Length, fit, categories, pairs, the judge, rows dropped, notes.", "Look", "pages", 4),
    Action("boards.page_previous", "V", "page(-1)", "Previous page below the board",
           "The page before this one.", "Look"),
    Action("boards.other", "x", "other", "The other table",
           "The next table of this page, where it has several.", "Look", "other table", 5),
    Action("boards.previous", "left_square_bracket", "benchmark(-1)", "Previous benchmark",
           "Show the previous benchmark that was judged.", "Look", "benchmark", 14),
    Action("boards.next", "right_square_bracket", "benchmark(1)", "Next benchmark",
           "Show the next benchmark that was judged.", "Look", "benchmark", 14),
    Action("boards.yank", "y", "yank", "Copy the table",
           "Copy the table in use, for a spreadsheet.", "Take away", "copy", 50),
    Action("boards.yank_markdown", "Y", "yank_markdown", "Copy as Markdown",
           "Copy the tables of this board as Markdown.", "Take away"),
    Action("boards.yank_command", "C", "yank_command", "Copy the command",
           "Copy the command line that prints the same numbers.", "Take away", "command", 54),
    Action("boards.write", "w", "write", "Write the table",
           "Write the table in use as CSV or Markdown.", "Take away", "write", 52),
)  # fmt: skip

_LACKING = {
    **dict.fromkeys(
        ("choices", "page", "yank", "yank_markdown", "yank_command", "write"), "there is no board"
    ),
    "control": "only AlpacaEval and Arena-Hard have something to control",
    "other": "this page has no other table",
    "benchmark": "no other judged benchmark is loaded",
}

SCOPES = (Scope("boards", _ACTIONS, panes=("list", "grid", "models", "plot"), lacking=_LACKING),)
