"""Every action a key can do: the one list behind bindings, palette, help, footer and `keys`.

An action's id is what a keymap names. Its scope is where its key works; inner scopes win over outer
ones. Each module of this package holds the scopes of one screen, and is found by being here.
Textual is not needed to read this list.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ifbench_tui.tui.actions.base import Action, Scope

__all__ = [
    "ACTIONS",
    "ACTION_IDS",
    "ARROWS",
    "BY_ID",
    "PARENTS",
    "SCOPES",
    "Action",
    "Clash",
    "clashes",
    "key_words",
    "lacking",
    "remapped",
]

_APP = "app"


def _scopes() -> Iterator[Scope]:
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    for name in sorted(names, key=lambda name: name != _APP):
        yield from getattr(importlib.import_module(f"{__name__}.{name}"), "SCOPES", ())


SCOPES: Mapping[str, Scope] = {scope.name: scope for scope in _scopes()}

ACTIONS: tuple[Action, ...] = tuple(action for scope in SCOPES.values() for action in scope.actions)


BY_ID: dict[str, Action] = {action.id: action for action in ACTIONS}


ACTION_IDS = frozenset(BY_ID)
"""What a keymap may name."""


def _around(scope: Scope) -> tuple[str, ...]:
    if scope.name == _APP:
        return ()
    if not scope.pane:
        return (_APP,)
    return tuple(other.name for other in SCOPES.values() if scope.name in other.panes)


PARENTS: Mapping[str, tuple[str, ...]] = {
    name: around for name, scope in SCOPES.items() if (around := _around(scope))
}
"""Which scopes may lie around a scope."""


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


def lacking(action: Action) -> str:
    """What to say where an action is switched off; "" where that needs no words."""
    return SCOPES[action.scope].lacking.get(action.method_name, "")


_KEY_WORDS = {
    "question_mark": "?", "slash": "/", "colon": ":", "exclamation_mark": "!", "enter": "enter",
    "left_square_bracket": "[", "right_square_bracket": "]", "escape": "esc", "down": "↓",
    "up": "↑", "left": "←", "right": "→", "pagedown": "pgdn", "pageup": "pgup",
}  # fmt: skip


ARROWS = {words: key for key, words in _KEY_WORDS.items() if not words.isascii()}
"""What the arrows are called where there are none: a "v" would be another key."""


def key_words(keys: str, *, ascii_only: bool = False) -> str:
    """Keys as a person writes them: "question_mark,f1" is "? f1"."""
    words = (_KEY_WORDS.get(key, key) for key in map(str.strip, keys.split(",")))
    return " ".join(ARROWS.get(word, word) if ascii_only else word for word in words)
