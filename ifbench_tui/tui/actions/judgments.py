"""Judgments: the rows behind a board's number, and what the judge said."""

from __future__ import annotations

from ifbench_tui.tui.actions.base import Action, Scope

__all__ = ["SCOPES"]

_ACTIONS = (
    Action("judgments.pane", "tab", "app.focus_next", "Next pane", "Move to the next pane.",
           "Move", "pane", 30),
    Action("judgments.down", "J", "judgment(1)", "Next judgment",
           "Read the next judgment, from any pane.", "Move"),
    Action("judgments.up", "K", "judgment(-1)", "Previous judgment",
           "Read the judgment above, from any pane.", "Move"),
    Action("judgments.verdict_next", "n", "verdict(1)", "Next verdict",
           "Step to the next verdict in the judge's texts, or the next match of a search.", "Look",
           "verdict", 10),
    Action("judgments.verdict_previous", "N", "verdict(-1)", "Previous verdict",
           "Step back through verdicts, or through the matches of a search.", "Look",
           "verdict", 10),
    Action("judgments.search", "slash", "search", "Search in the text",
           "Find text in the conversation and the judgments; n and N step through the matches, "
           "Escape ends it.", "Look", "search", 45),
    Action("judgments.model_previous", "left_square_bracket", "model(-1)", "Previous model",
           "The judgment on the previous model's answer to the same question.", "Look", "model",
           20),
    Action("judgments.model_next", "right_square_bracket", "model(1)", "Next model",
           "The judgment on the next model's answer to the same question.", "Look", "model", 20),
    Action("judgments.full", "t", "full", "Traces and prompts",
           "Show reasoning traces and what the judge was asked in full, or folded.", "Look",
           "traces", 40),
    Action("judgments.filter", "f", "filter", "Filter judgments",
           "Show only judgments that disagree, are unparsed, lost, won, or of one category.",
           "Choose", "filter", 15),
    Action("judgments.unfilter", "F", "unfilter", "Clear the filter", "Show all judgments again.",
           "Choose"),
    Action("judgments.yank", "y", "yank", "Copy", "Copy the conversation and the judgments as "
           "text.", "Take away", "copy", 50),
    Action("judgments.yank_json", "Y", "yank_json", "Copy as JSON",
           "Copy the judgment with its texts and marks as JSON.", "Take away"),
)  # fmt: skip

_LACKING = {
    **dict.fromkeys(("search", "full", "yank"), "there is no judgment here"),
    "verdict": "there is nothing to step to",
    "model": "there is no other model",
    "filter": "there is no judgment to filter",
    "unfilter": "no filter is set",
}

SCOPES = (Scope("judgments", _ACTIONS, panes=("list", "reader"), lacking=_LACKING),)
