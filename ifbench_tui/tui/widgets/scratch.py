"""A scratch copy of a response to edit. What cannot be seen is drawn as a sign and kept."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import TextArea

from ifbench_tui.report.display import scratch_decode, scratch_encode, scratch_glyphs

__all__ = ["ScratchArea"]


class ScratchArea(TextArea):
    """An editor for untrusted text: `scratch` is the exact text, unseen characters included."""

    def __init__(self, *, ascii_only: bool = False, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, soft_wrap=True, tab_behavior="focus", show_line_numbers=False)
        self.cursor_blink = False
        self._ascii = ascii_only

    @property
    def scratch(self) -> str:
        """The text as a checker should see it."""
        return scratch_decode(self.text)

    def begin(self, text: str) -> None:
        """Start over with a copy of `text`."""
        self.load_text(scratch_encode(text))

    def get_line(self, line_index: int) -> Text:
        line = self.document.get_line(line_index)
        return Text(scratch_glyphs(line, ascii_only=self._ascii), end="", no_wrap=True)
