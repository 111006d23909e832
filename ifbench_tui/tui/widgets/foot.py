"""The last line: the keys that do something here and now."""

from __future__ import annotations

from textual import events
from textual.binding import ActiveBinding
from textual.screen import Screen
from textual.strip import Strip

from ifbench_tui.tui.actions import ACTIONS, key_words
from ifbench_tui.tui.ink import Inked, cells

__all__ = ["Foot"]

_BY_ID = {action.id: action for action in ACTIONS}


class Foot(Inked):
    """Keys and their words, most useful first; what does not fit is left to `?`."""

    DEFAULT_CSS = "Foot { height: 1; width: 1fr; dock: bottom; }"

    def __init__(self) -> None:
        super().__init__(id="foot")
        self._places: list[tuple[int, int, ActiveBinding]] = []

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def _changed(self, screen: Screen[object]) -> None:
        self.redraw()

    def _hints(self) -> list[tuple[str, str, ActiveBinding]]:
        """(keys, word, binding) of what works now, by rank."""
        hints: dict[str, tuple[int, list[str], ActiveBinding]] = {}
        for key, active in self.screen.active_bindings.items():
            action = _BY_ID.get(active.binding.id or "")
            if action is None or not action.hint or not active.enabled:
                continue
            _, keys, _ = hints.setdefault(action.hint, (action.rank, [], active))
            keys.append(key_words(key))
        ranked = sorted(hints.items(), key=lambda item: item[1][0])
        return [(_brief(keys), word, active) for word, (_, keys, active) in ranked]

    def line(self, y: int) -> Strip:
        width = self.size.width
        hints = self._hints()
        last = [hint for hint in hints if hint[1] in ("help", "quit")]
        # Help and quit stay when room runs out: help knows all the rest.
        room = width - 1 - sum(len(keys) + len(word) + 4 for keys, word, _ in last)
        line: list[tuple[str, str]] = [(" ", "")]
        self._places = []
        at = 1
        for keys, word, active in hints:
            size = len(keys) + 1 + len(word) + 3
            if word not in ("help", "quit"):
                if size > room:
                    continue
                room -= size
            line += [(keys, "key"), (f" {word}   ", "dim")]
            self._places.append((at, at + size - 3, active))
            at += size
        return self.draw(line if cells(line) <= width else line[:-1], width)

    async def on_click(self, event: events.Click) -> None:
        for start, end, active in self._places:
            if start <= event.x < end:
                await self.app.run_action(active.binding.action, active.node)


def _brief(keys: list[str]) -> str:
    """Letters before named keys: of "h", "←", "l", "→" only "h/l"."""
    letters = [key for key in keys if len(key) == 1 and key.isascii()]
    return "/".join(letters[:2] or keys[:1])
