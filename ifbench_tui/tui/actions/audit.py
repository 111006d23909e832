"""Audit: why a response failed."""

from __future__ import annotations

from ifbench_tui.tui.actions.base import Action, Scope

__all__ = ["SCOPES"]

_ACTIONS = (
    Action("audit.pane", "tab", "app.focus_next", "Next pane", "Move to the next pane.", "Move",
           "pane", 30),
    Action("audit.variant_left", "h,left", "variant(-1)", "Variant to the left",
           "Move one cell to the left: the text as that variant reads it.", "Look", "variant", 10),
    Action("audit.variant_right", "l,right", "variant(1)", "Variant to the right",
           "Move one cell to the right: the text as that variant reads it.", "Look", "variant", 10),
    Action("audit.constraint_up", "K", "constraint(-1)", "Constraint above",
           "Explain the constraint above, from any pane.", "Look"),
    Action("audit.constraint_down", "J", "constraint(1)", "Constraint below",
           "Explain the constraint below, from any pane.", "Look"),
    Action("audit.rescue", "r", "rescue", "Rescuing variant",
           "Jump to the cell that turns a strict failure into a loose pass.", "Look"),
    Action("audit.evidence_next", "n", "evidence(1)", "Next evidence",
           "Step to the next piece of evidence, or the next match of a search.", "Look",
           "evidence", 20),
    Action("audit.evidence_previous", "N", "evidence(-1)", "Previous evidence",
           "Step back through evidence, or through the matches of a search.", "Look",
           "evidence", 20),
    Action("audit.search", "slash", "search", "Search in the response",
           "Find text in this response; n and N step through the matches, Escape ends it.",
           "Look", "search", 45),
    Action("audit.model_previous", "left_square_bracket", "model(-1)", "Previous model",
           "The same prompt, as the previous model answered it.", "Look", "model", 40),
    Action("audit.model_next", "right_square_bracket", "model(1)", "Next model",
           "The same prompt, as the next model answered it.", "Look", "model", 40),
    Action("audit.compare", "c", "compare", "Compare models",
           "Other models' responses to this prompt, side by side.", "Look", "compare", 64),
    Action("audit.filter", "f", "filter", "Filter prompts",
           "Show only prompts in a certain state, or that contain a text.", "Choose", "filter", 42),
    Action("audit.unfilter", "F", "unfilter", "Clear the filter", "Show all prompts again.",
           "Choose"),
    Action("audit.invert", "exclamation_mark", "invert", "Invert the filter",
           "Show exactly the prompts that the filter hides.", "Choose"),
    Action("audit.mark", "m", "mark", "Mark this cell",
           "Record your own verdict: agree, should pass, should fail, unclear.", "Decide",
           "mark", 60),
    Action("audit.note", "i", "note", "Write a note", "A note on this response, kept in the "
           "session.", "Decide", "note", 61),
    Action("audit.bookmark", "b", "bookmark", "Bookmark", "Set or remove a bookmark on this "
           "response.", "Decide", "bookmark", 65),
    Action("audit.what_if", "e", "what_if", "What if",
           "Edit a scratch copy; the lattice judges it while you type. Nothing is saved.",
           "Look", "what-if", 62),
    Action("audit.yank", "y", "yank", "Copy", "Copy the text on screen, as this variant reads it.",
           "Take away", "copy", 66),
    Action("audit.yank_json", "Y", "yank_json", "Copy as JSON",
           "Copy this prompt, response and its verdicts as JSON.", "Take away"),
    Action("audit.agreement", "a", "app.agreement", "Human against verifier",
           "What your marks say about the verifier, type by type.", "Look", "agreement", 67),
)  # fmt: skip

_LACKING = {
    **dict.fromkeys(
        ("variant", "rescue", "search", "note", "bookmark", "what_if", "yank", "yank_json"),
        "there is no response here",
    ),
    "evidence": "there is nothing to step to",
    **dict.fromkeys(("model", "compare"), "there is no other model"),
    "filter": "nothing is loaded to filter",
    "unfilter": "no filter is set",
    "invert": "there is no filter to invert; f sets one",
    "mark": "there is no cell to mark here",
}

SCOPES = (Scope("audit", _ACTIONS, panes=("list", "reader", "lattice"), lacking=_LACKING),)
