"""Library: what is loaded, and what was not."""

from __future__ import annotations

from ifbench_tui.tui.actions.base import Action, Scope

__all__ = ["SCOPES"]

_ACTIONS = (
    Action("library.open", "o", "open_path", "Open a file or directory",
           "Type a path, Tab completes it. Pasting or dropping a path does the same.", "Files",
           "open", 10),
    Action("library.detach", "d", "detach", "Detach", "Leave this file out; it stays on disk.",
           "Files", "detach", 12),
    Action("library.map", "m", "map", "Choose columns",
           "Say which column of an unknown table is the prompt and which the response.", "Files",
           "columns", 16),
    Action("library.problems", "p", "problems", "Problems of all files",
           "Every row that was not used, and every notice: where, why, what to do.", "Files",
           "problems", 14),
    Action("library.think", "t", "think", "Reasoning traces",
           "Grade reasoning traces with the answer, or cut them off; the files are read again.",
           "Files", "traces", 40),
    Action("library.yank", "y", "yank", "Copy the table",
           "Copy the list of files with its counts, for a spreadsheet.", "Take away", "copy", 50),
    Action("library.write", "w", "write", "Write the table",
           "Write the list of files as CSV or Markdown.", "Take away", "write", 52),
)  # fmt: skip

_LACKING = {
    **dict.fromkeys(("detach", "map", "think", "yank", "write"), "no file is loaded"),
    "problems": "there is no problem",
}

SCOPES = (Scope("library", _ACTIONS, panes=("list",), lacking=_LACKING),)
