"""The terminal app. Nothing here is imported until a screen is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ifbench_tui.tui.app import AuditApp, run

__all__ = ["AuditApp", "run"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from ifbench_tui.tui import app

        return getattr(app, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
