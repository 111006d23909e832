"""Vote: blind, fast, safe."""

from __future__ import annotations

from ifbench_tui.tui.actions.base import Action, Scope

__all__ = ["SCOPES"]

_ACTIONS = (
    Action("vote.left", "a,left", "vote('left')", "A is better",
           "Vote for the response on side A.", "Decide", "better", 1),
    Action("vote.right", "b,right", "vote('right')", "B is better",
           "Vote for the response on side B.", "Decide", "better", 1),
    Action("vote.tie", "t", "vote('tie')", "Tie", "Both are equally good.", "Decide", "tie", 3),
    Action("vote.both_bad", "x", "vote('both_bad')", "Both are bad",
           "Neither response will do; counts as a tie.", "Decide", "both bad", 4),
    Action("vote.next", "enter", "next", "Next pair", "Go on after a vote: any key does.",
           "Decide", "next pair", 5),
    Action("vote.skip", "s", "skip", "Skip this pair",
           "Set this pair aside without a vote; S asks it again.", "Decide", "skip", 20),
    Action("vote.bring_back", "S", "bring_back", "Ask skipped pairs again",
           "Bring back every pair that was set aside.", "Decide", "skipped", 22),
    Action("vote.turn_previous", "left_square_bracket", "turn(-1)", "Previous turn",
           "Show the turn before this one.", "Look", "turn", 8),
    Action("vote.turn_next", "right_square_bracket", "turn(1)", "Next turn",
           "Show the next turn of the conversation.", "Look", "turn", 8),
    Action("vote.reasons", "r", "reasons", "Give reasons",
           "Choose why; the reasons are stored with the vote.", "Decide", "reasons", 27),
    Action("vote.note", "i", "note", "Write a note", "A note that is stored with the vote.",
           "Decide", "note", 26),
    Action("vote.unmask", "m", "unmask", "Show hidden words",
           "Show names that were hidden in the texts; the vote is marked as not blind.", "Look",
           "unmask", 7),
    Action("vote.sync", "W", "sync", "Scroll together",
           "Scroll both sides together, or each on its own.", "Look", "scroll", 60),
    Action("vote.pan_left", "h", "pan(-8)", "To the left",
           "Move both sides to the left while lines are not wrapped.", "Move"),
    Action("vote.pan_right", "l", "pan(8)", "To the right",
           "Move both sides to the right while lines are not wrapped.", "Move"),
    Action("vote.pane", "tab", "pane", "Next pane", "Move to the next pane.", "Move",
           "pane", 62),
    Action("vote.yank", "y", "yank", "Copy", "Copy the prompt and both responses as shown.",
           "Take away", "copy", 66),
)  # fmt: skip

_LACKING = {
    "unmask": "no word is hidden in these texts",
}

SCOPES = (Scope("vote", _ACTIONS, panes=("reader",), lacking=_LACKING),)
