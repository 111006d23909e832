"""What an action is, and what a scope of actions is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Action", "Scope"]


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

    @property
    def method_name(self) -> str:
        """The method without its arguments."""
        return self.method.partition("(")[0]


@dataclass(frozen=True, slots=True)
class Scope:
    """Where keys work: in the whole app, on one screen, or while a kind of `pane` has the focus.

    `panes` are the kinds of pane a screen has; `words` name the scope for people. `lacking` has by
    method what is said when a key is pressed that has nothing to act on.
    """

    name: str
    actions: tuple[Action, ...]
    panes: tuple[str, ...] = ()
    pane: bool = False
    words: str = ""
    lacking: Mapping[str, str] = field(default_factory=dict)
