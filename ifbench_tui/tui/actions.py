"""Every action a key can do: the one list behind bindings, palette, help, footer and `keys`.

An action's id is what a keymap names. `scope` is where its key works: in the whole app, on one
screen, or while one kind of pane has the focus; inner scopes win over outer ones. Textual is not
needed to read this list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

__all__ = ["ACTIONS", "PARENTS", "Action", "Clash", "clashes", "key_words", "remapped"]

PARENTS: Mapping[str, tuple[str, ...]] = {
    "list": ("library", "scores", "audit", "compare", "problems", "versus", "agreement", "ratings"),
    "grid": ("scores", "ratings"),
    "reader": ("audit", "compare", "vote"),
    "lattice": ("audit",),
    "library": ("app",),
    "scores": ("app",),
    "audit": ("app",),
    "compare": ("app",),
    "problems": ("app",),
    "versus": ("app",),
    "agreement": ("app",),
    "vote": ("app",),
    "ratings": ("app",),
}
"""Which scopes may lie around a scope."""


@dataclass(frozen=True, slots=True)
class Action:
    """One action. `hint` is its word in the footer ("" = not there; actions that share a hint
    share a place), lower `rank` comes first."""

    id: str
    keys: str
    method: str
    title: str
    help: str
    group: str
    hint: str = ""
    rank: int = 50

    @property
    def scope(self) -> str:
        """Where the key works."""
        return self.id.partition(".")[0]


ACTIONS: tuple[Action, ...] = (
    Action("app.library", "1", "go('library')", "Library", "What is loaded, and what was not.",
           "Places"),
    Action("app.scores", "2", "go('scores')", "Scores", "Who follows what: all models, all types.",
           "Places"),
    Action("app.audit", "3", "go('audit')", "Audit", "Why a response failed, constraint by "
           "constraint.", "Places"),
    Action("app.vote", "4", "go('vote')", "Vote", "Blind votes: which of two responses is better.",
           "Places"),
    Action("app.ratings", "5", "go('ratings')", "Ratings", "What the votes say: a board with "
           "honest intervals.", "Places"),
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
    Action("app.undo", "u", "undo", "Undo", "Take back your latest mark, note or bookmark.",
           "Decide", "undo", 70),
    Action("app.redo", "ctrl+r", "redo", "Redo", "Bring back what undo took.", "Decide"),
    Action("app.stop", "escape", "stop", "Stop", "Stop loading or scoring; leave a zoomed pane.",
           "Everywhere"),
    Action("app.back", "q", "back", "Back or quit", "Go back; from a place, leave the app.",
           "Everywhere", "quit", 99),
    Action("app.suspend", "ctrl+z", "suspend_process", "Suspend", "Back to the shell; `fg` "
           "returns.", "Everywhere"),
    Action("list.down", "j,down", "cursor(1)", "Next row", "Move down one row.", "Move"),
    Action("list.up", "k,up", "cursor(-1)", "Previous row", "Move up one row.", "Move"),
    Action("list.half_down", "ctrl+d", "page(1)", "Half a page down", "Move half a page down.",
           "Move"),
    Action("list.half_up", "ctrl+u", "page(-1)", "Half a page up", "Move half a page up.", "Move"),
    Action("list.page_down", "pagedown,ctrl+f", "page(2)", "Page down", "Move a page down.",
           "Move"),
    Action("list.page_up", "pageup", "page(-2)", "Page up", "Move a page up.", "Move"),
    Action("list.first", "g,home", "first", "First row", "Jump to the first row.", "Move"),
    Action("list.last", "G,end", "last", "Last row", "Jump to the last row.", "Move"),
    Action("list.open", "enter", "open", "Open", "Open the row under the cursor.", "Move"),
    Action("reader.down", "j,down", "scroll_lines(1)", "Down", "Scroll down one line.", "Move"),
    Action("reader.up", "k,up", "scroll_lines(-1)", "Up", "Scroll up one line.", "Move"),
    Action("reader.half_down", "ctrl+d", "scroll_pages(1)", "Half a page down",
           "Scroll half a page down.", "Move"),
    Action("reader.half_up", "ctrl+u", "scroll_pages(-1)", "Half a page up",
           "Scroll half a page up.", "Move"),
    Action("reader.page_down", "pagedown,space,ctrl+f", "scroll_pages(2)", "Page down",
           "Scroll a page down.", "Move"),
    Action("reader.page_up", "pageup", "scroll_pages(-2)", "Page up", "Scroll a page up.", "Move"),
    Action("reader.first", "g,home", "scroll_top", "Top", "Jump to the first line.", "Move"),
    Action("reader.last", "G,end", "scroll_bottom", "Bottom", "Jump to the last line.", "Move"),
    Action("reader.wrap", "w", "toggle_wrap", "Wrap lines", "Wrap long lines, or let them run.",
           "Read"),
    Action("lattice.down", "j,down", "constraint(1)", "Next constraint", "Move down one "
           "constraint.", "Move"),
    Action("lattice.up", "k,up", "constraint(-1)", "Previous constraint", "Move up one "
           "constraint.", "Move"),
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
    Action("grid.down", "j,down", "cursor(1, 0)", "Next row", "Move down one row.", "Move"),
    Action("grid.up", "k,up", "cursor(-1, 0)", "Previous row", "Move up one row.", "Move"),
    Action("grid.left", "h,left", "cursor(0, -1)", "Column to the left",
           "Move one column to the left; the first one names the row.", "Move", "cell", 22),
    Action("grid.right", "l,right", "cursor(0, 1)", "Column to the right",
           "Move one column to the right; hidden columns come into view.", "Move", "cell", 22),
    Action("grid.half_down", "ctrl+d", "page(1)", "Half a page down", "Move half a page down.",
           "Move"),
    Action("grid.half_up", "ctrl+u", "page(-1)", "Half a page up", "Move half a page up.", "Move"),
    Action("grid.page_down", "pagedown,ctrl+f", "page(2)", "Page down", "Move a page down.",
           "Move"),
    Action("grid.page_up", "pageup", "page(-2)", "Page up", "Move a page up.", "Move"),
    Action("grid.first", "g,home", "row('first')", "First row", "Jump to the first row.", "Move"),
    Action("grid.last", "G,end", "row('last')", "Last row", "Jump to the last row.", "Move"),
    Action("grid.first_column", "0,circumflex_accent", "column('first')", "First column",
           "Jump to the names.", "Move"),
    Action("grid.last_column", "dollar_sign", "column('last')", "Last column",
           "Jump to the last column.", "Move"),
    Action("grid.open", "enter", "open", "Open in Audit",
           "Audit exactly the responses this cell counts as failed.", "Move", "audit", 10),
    Action("grid.sort", "s", "sort", "Sort by this column",
           "Sort rows by the column under the cursor; again for the other direction.", "Look",
           "sort", 26),
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
    Action("problems.scope", "a", "scope", "This file or all files",
           "List the problems of one file, or of all.", "Look", "this/all", 20),
    Action("problems.pane", "tab", "app.focus_next", "Next pane", "Move to the next pane.", "Move",
           "pane", 30),
    Action("problems.yank", "y", "yank", "Copy", "Copy this problem as text.", "Take away",
           "copy", 40),
    Action("problems.yank_all", "Y", "yank_all", "Copy all",
           "Copy all problems listed, for a spreadsheet.", "Take away", "copy all", 42),
    Action("problems.write", "w", "write", "Write the list",
           "Write the problems listed as CSV or Markdown.", "Take away", "write", 44),
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
    Action("audit.agreement", "a", "app.agreement", "Human against verifier",
           "What your marks say about the verifier, type by type.", "Look", "agreement", 67),
    Action("scores.yank", "y", "yank", "Copy the table",
           "Copy the table in use, for a spreadsheet.", "Take away", "copy", 50),
    Action("scores.yank_markdown", "Y", "yank_markdown", "Copy as Markdown",
           "Copy the table in use as a Markdown table.", "Take away"),
    Action("scores.write", "w", "write", "Write the table",
           "Write the table in use as CSV or Markdown.", "Take away", "write", 52),
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
    Action("agreement.pane", "tab", "app.focus_next", "Next pane", "Move to the next pane.",
           "Move", "pane", 30),
    Action("agreement.yank", "y", "yank", "Copy the table",
           "Copy the agreement table, for a spreadsheet.", "Take away", "copy", 50),
    Action("agreement.yank_markdown", "Y", "yank_markdown", "Copy as Markdown",
           "Copy the tables as Markdown.", "Take away"),
    Action("agreement.write", "w", "write", "Write the table",
           "Write the agreement table as CSV or Markdown.", "Take away", "write", 52),
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
    Action("ratings.yank", "y", "yank", "Copy the table",
           "Copy the table in use, for a spreadsheet.", "Take away", "copy", 50),
    Action("ratings.yank_markdown", "Y", "yank_markdown", "Copy as Markdown",
           "Copy the table in use as a Markdown table.", "Take away"),
    Action("ratings.yank_command", "C", "yank_command", "Copy the command",
           "Copy the command line that prints the same numbers.", "Take away", "command", 54),
    Action("ratings.write", "w", "write", "Write the table",
           "Write the table in use as CSV or Markdown.", "Take away", "write", 52),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Clash:
    """Two actions on one key where only one of them could answer."""

    key: str
    first: Action
    second: Action

    def __str__(self) -> str:
        return (
            f"key {self.key!r} is taken twice: {self.first.id} ({self.first.title}) "
            f"and {self.second.id} ({self.second.title})"
        )


def remapped(keymap: Mapping[str, str], actions: Iterable[Action] = ACTIONS) -> tuple[Action, ...]:
    """The actions with the keys a keymap gives them; ids it does not name keep theirs."""
    return tuple(
        replace(action, keys=keymap[action.id]) if action.id in keymap else action
        for action in actions
    )


def _chain(scope: str) -> set[str]:
    return {scope}.union(*(_chain(parent) for parent in PARENTS.get(scope, ())))


def clashes(actions: Iterable[Action] = ACTIONS) -> tuple[Clash, ...]:
    """Pairs of actions that claim one key in one scope, or in a scope and one around it."""
    found = []
    seen: dict[str, list[Action]] = {}
    for action in actions:
        for key in map(str.strip, action.keys.split(",")):
            for other in seen.get(key, ()):
                if other.id != action.id and (
                    other.scope in _chain(action.scope) or action.scope in _chain(other.scope)
                ):
                    found.append(Clash(key, other, action))
            seen.setdefault(key, []).append(action)
    return tuple(found)


_KEY_WORDS = {
    "question_mark": "?", "slash": "/", "colon": ":", "exclamation_mark": "!", "enter": "enter",
    "left_square_bracket": "[", "right_square_bracket": "]", "escape": "esc", "down": "↓",
    "up": "↑", "left": "←", "right": "→", "pagedown": "pgdn", "pageup": "pgup",
}  # fmt: skip


def key_words(keys: str) -> str:
    """Keys as a person writes them: "question_mark,f1" is "? f1"."""
    return " ".join(_KEY_WORDS.get(key.strip(), key.strip()) for key in keys.split(","))
