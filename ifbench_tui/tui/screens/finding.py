"""Places with one text to read: a search in it, beside the keys."""

from __future__ import annotations

from textual import on

from ifbench_tui.tui import looking
from ifbench_tui.tui.screens.find_line import FindLine
from ifbench_tui.tui.screens.place import Place
from ifbench_tui.tui.widgets.reading_pane import ReadingPane

__all__ = ["FindingPlace"]


class FindingPlace(Place):
    """A place whose `pane` can be searched; the pane steps through what was found."""

    def __init__(self) -> None:
        super().__init__()
        self.query_text = ""
        """What is searched for; "" while nothing is."""
        self._finding = 0

    @property
    def pane(self) -> ReadingPane:
        """The text that is read."""
        raise NotImplementedError

    def action_search(self) -> None:
        self.app.push_screen(FindLine(self.find), lambda query: self.find(query or ""))

    def find(self, query: str) -> None:
        """Search the text, and those read after it; "" ends the search."""
        self._finding += 1
        self.query_text = query
        if not query:
            self.pane.find(None)
            return
        text, generation = self.pane.text, self._finding
        self.in_thread("find", lambda: looking.find(query, text, generation, self.post_message))

    def find_again(self) -> None:
        """Search the text that is read now for what was searched before."""
        if self.query_text:
            self.find(self.query_text)

    @on(looking.Found)
    def _found(self, message: looking.Found) -> None:
        if message.generation == self._finding:
            self.pane.find(message.spans)
            if message.failure:
                self.audit_app.say(message.failure, "warning")

    def leave(self) -> bool:
        if not self.pane.finding:
            return False
        self.find("")
        return True
