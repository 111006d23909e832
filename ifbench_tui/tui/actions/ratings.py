"""Ratings: what the votes say."""

from __future__ import annotations

from ifbench_tui.tui.actions.base import Action, Scope

__all__ = ["SCOPES"]

_ACTIONS = (
    Action("ratings.pane", "tab", "app.focus_next", "Next pane", "Move to the next pane.", "Move",
           "pane", 40),
    Action("ratings.choices", "f", "choices", "What counts, and how",
           "Choose battles by annotator, category, language, and every convention.", "Look",
           "choices", 2),
    Action("ratings.clear", "F", "clear", "Usual choices",
           "Count all battles, rated by the usual conventions.", "Look"),
    Action("ratings.ties", "t", "turn('ties')", "Ties",
           "A tie is half a win each, or both-bad ties or all ties are left out.", "Look", "ties",
           6),
    Action("ratings.style", "c", "turn('style')", "Style control",
           "Take out the pull of length and markdown, by one of three presets.", "Look", "style",
           8),
    Action("ratings.interval", "i", "turn('interval')", "Intervals",
           "Sandwich, Fisher, bootstrap, or none.", "Look", "intervals", 10),
    Action("ratings.source", "o", "turn('source')", "Votes or files",
           "Rate votes of the session, battles of files, or both.", "Look", "source", 14),
    Action("ratings.deciders", "p", "turn('deciders')", "People or judges",
           "Rate votes of people, verdicts of judge models, or both.", "Look", "people/judges", 15),
    Action("ratings.method", "e", "turn('method')", "Bradley-Terry or Elo",
           "Elo for comparison, with how far the order of the battles moves it.", "Look", "Elo",
           16),
    Action("ratings.page_next", "v", "page(1)", "Next page beside the board",
           "Who beats whom, style, annotators, votes and verdicts, notes.", "Look", "pages", 4),
    Action("ratings.page_previous", "V", "page(-1)", "Previous page beside the board",
           "The page before this one.", "Look"),
    Action("ratings.other", "x", "other", "The other table",
           "Predicted or observed wins, strict or loose verdicts, annotators or their agreement.",
           "Look", "other table", 5),
    Action("ratings.boards", "b", "app.boards", "Boards of judged benchmarks",
           "AlpacaEval, MT-Bench, Arena-Hard: what their judges say.", "Look", "boards", 18),
    Action("ratings.yank", "y", "yank", "Copy the table",
           "Copy the table in use, for a spreadsheet.", "Take away", "copy", 50),
    Action("ratings.yank_markdown", "Y", "yank_markdown", "Copy as Markdown",
           "Copy the table in use as a Markdown table.", "Take away"),
    Action("ratings.yank_command", "C", "yank_command", "Copy the command",
           "Copy the command line that prints the same numbers.", "Take away", "command", 54),
    Action("ratings.write", "w", "write", "Write the table",
           "Write the table in use as CSV or Markdown.", "Take away", "write", 52),
)  # fmt: skip

_LACKING = {
    **dict.fromkeys(("choices", "turn"), "there is nothing to rate"),
    **dict.fromkeys(
        ("page", "yank", "yank_markdown", "yank_command", "write"), "nothing is rated here"
    ),
    "other": "this page has no other table",
}

SCOPES = (Scope("ratings", _ACTIONS, panes=("list", "grid"), lacking=_LACKING),)
