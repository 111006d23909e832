"""What works everywhere."""

from __future__ import annotations

from ifbench_tui.tui.actions.base import Action, Scope
from ifbench_tui.tui.modes import PLACES

__all__ = ["SCOPES"]

_ACTIONS = (
    *(
        Action(f"app.{name}", place.key, f"go('{name}')", place.title, place.help, "Places")
        for name, place in PLACES.items()
    ),
    Action("app.palette", "ctrl+p", "command_palette", "Command palette",
           "Find any action, prompt, model or constraint type by name.", "Everywhere"),
    Action("app.help", "question_mark,f1", "help", "Help", "The keys of the pane in use.",
           "Everywhere", "help", 98),
    Action("app.command", "colon", "command_line", "Command line",
           "Type a command: model, prompt, filter, theme, or any action's name.", "Everywhere"),
    Action("app.themes", "T", "themes", "Choose a theme", "Pick a theme; each is shown live.",
           "Everywhere"),
    Action("app.zoom", "z", "zoom", "Zoom pane", "Give the whole screen to this pane, and back.",
           "Everywhere", "zoom", 80),
    Action("app.undo", "u", "undo", "Undo", "Take back your latest mark, note or bookmark, in Vote "
           "and Ratings your latest vote.", "Decide", "undo", 70),
    Action("app.redo", "ctrl+r", "redo", "Redo", "Bring back what undo took.", "Decide"),
    Action("app.stop", "escape", "stop", "Stop", "Stop loading or scoring; leave a zoomed pane.",
           "Everywhere"),
    Action("app.back", "q", "back", "Back or quit", "Go back; from a place, leave the app.",
           "Everywhere", "quit", 99),
    Action("app.suspend", "ctrl+z", "suspend_process", "Suspend", "Back to the shell; `fg` "
           "returns.", "Everywhere"),
)  # fmt: skip

SCOPES = (Scope("app", _ACTIONS, words="everywhere"),)
