"""The last line: the keys that do something here and now."""

from __future__ import annotations

from collections.abc import Iterator

from textual import events
from textual.screen import Screen
from textual.strip import Strip

from ifbench_tui.tui.actions import BY_ID, key_words
from ifbench_tui.tui.ink import Inked, cells

__all__ = ["Foot"]


class Foot(Inked):
    """Keys and their words, most useful first; what does not fit is left to `?`."""

    DEFAULT_CSS = "Foot { height: 1; width: 1fr; dock: bottom; }"

    def __init__(self) -> None:
        super().__init__(id="foot")
        self._places: list[tuple[int, int, str]] = []

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def _changed(self, screen: Screen[object]) -> None:
        self.redraw()

    def _hints(self) -> list[tuple[list[str], str]]:
        """(keys, word) of what works now, by rank."""
        hints: dict[str, tuple[int, list[str]]] = {}
        for key, active in self.screen.active_bindings.items():
            action = BY_ID.get(active.binding.id or "")
            if action is not None and action.hint and active.enabled:
                hints.setdefault(action.hint, (action.rank, []))[1].append(key)
        ranked = sorted(hints.items(), key=lambda item: item[1][0])
        return [(_brief(keys), word) for word, (_, keys) in ranked]

    def line(self, y: int) -> Strip:
        width = self.size.width
        hints = [(keys, "/".join(map(self._shown, keys)), word) for keys, word in self._hints()]
        last = [hint for hint in hints if hint[2] in ("help", "quit")]
        # Help and quit stay when room runs out: help knows all the rest.
        room = width - 1 - sum(len(shown) + len(word) + 4 for _, shown, word in last)
        line: list[tuple[str, str]] = [(" ", "")]
        self._places = []
        at = 1
        for keys, shown, word in hints:
            size = len(shown) + 1 + len(word) + 3
            if word not in ("help", "quit"):
                if size > room:
                    continue
                room -= size
            line += [(shown, "key"), (f" {word}   ", "dim")]
            self._places += self._places_of(keys, at, at + size - 3)
            at += size
        return self.draw(line if cells(line) <= width else line[:-1], width)

    def _shown(self, key: str) -> str:
        return key_words(key, ascii_only=self.app.has_class("-ascii"))

    def _places_of(self, keys: list[str], start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Where a click means which key: one key's own words too, of several only each key."""
        if len(keys) == 1:
            yield start, end, keys[0]
            return
        for key in keys:
            size = len(self._shown(key))
            yield start, start + size, key
            start += size + 1

    def on_click(self, event: events.Click) -> None:
        # A click is the key itself, and whoever is wary of keys is wary of it.
        for start, end, key in self._places:
            if start <= event.x < end:
                self.app.simulate_key(key)


def _brief(keys: list[str]) -> list[str]:
    """Letters before named keys: of "h", "left", "l", "right" only "h" and "l"."""
    letters = [key for key in keys if len(words := key_words(key)) == 1 and words.isascii()]
    return letters[:2] or keys[:1]
