"""Judge: ask a model. And the reader of one of its replies."""

from __future__ import annotations

from ifbench_tui.tui.actions.base import Action, Scope

__all__ = ["SCOPES"]

_ACTIONS = (
    Action("judge.start", "r", "start", "Send, or go on",
           "Make the calls that are not answered yet; before that nothing is sent.", "Ask", "send",
           2),
    Action("judge.previous", "h,left", "turn(-1)", "Previous value",
           "Take the previous value of this line of the form.", "Ask", "change", 4),
    Action("judge.next", "l,right", "turn(1)", "Next value",
           "Take the next value of this line of the form.", "Ask", "change", 4),
    Action("judge.clear", "backspace", "clear", "Usual value",
           "Put back the usual value of this line of the form.", "Ask", "usual", 6),
    Action("judge.page", "v", "page", "Calls or the judge's biases",
           "Show the calls, or what the judgments say about the judge itself.", "Look",
           "calls/biases", 8),
    Action("judge.form", "f", "form", "Form", "Show the form, or give its room to the calls.",
           "Look", "form", 10),
    Action("judge.errors", "e", "errors", "Errors first",
           "List rows as asked, those that went wrong first, or those alone.", "Look", "errors",
           12),
    Action("judge.pane", "tab", "app.focus_next", "Next pane", "Move to the next pane.", "Move",
           "pane", 30),
    Action("judge.yank", "y", "yank", "Copy the tables",
           "Copy the tables about the judge, for a spreadsheet.", "Take away", "copy", 50),
    Action("judge.yank_markdown", "Y", "yank_markdown", "Copy as Markdown",
           "Copy the tables about the judge as Markdown.", "Take away"),
    Action("judge.yank_command", "C", "yank_command", "Copy the command",
           "Copy the command line that asks the same.", "Take away", "command", 54),
    Action("judge.write", "w", "write", "Write the tables",
           "Write the tables about the judge as CSV or Markdown.", "Take away", "write", 52),
)  # fmt: skip

_REPLY = (
    Action("reply.previous", "left_square_bracket", "turn(-1)", "Previous reply",
           "Show the previous reply of this row.", "Look", "reply", 10),
    Action("reply.next", "right_square_bracket", "turn(1)", "Next reply",
           "Show the next reply of this row.", "Look", "reply", 10),
    Action("reply.other", "p", "other", "Reply, reasoning or prompt",
           "Show what the model answered, its reasoning apart, or what it was sent.", "Look",
           "prompt", 12),
    Action("reply.verdict", "n", "verdict", "To the verdict",
           "Scroll to the characters that decided.", "Read", "verdict", 14),
    Action("reply.yank", "y", "yank", "Copy the text", "Copy the text that is shown.",
           "Take away", "copy", 50),
)  # fmt: skip

SCOPES = (
    Scope("judge", _ACTIONS, panes=("list",)),
    Scope("reply", _REPLY, panes=("reader",)),
)
