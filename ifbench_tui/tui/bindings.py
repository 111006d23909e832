"""The registry of actions as Textual bindings."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from ifbench_tui.tui.actions import ACTIONS

__all__ = ["bindings"]


def bindings(scope: str) -> list[BindingType]:
    """The bindings of one scope."""
    return [
        Binding(
            action.keys,
            action.method,
            action.title,
            id=action.id,
            tooltip=action.help,
            show=bool(action.hint),
        )
        for action in ACTIONS
        if action.scope == scope
    ]
