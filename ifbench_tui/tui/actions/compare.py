"""Models' responses to one prompt side by side."""

from __future__ import annotations

from ifbench_tui.tui.actions.base import Scope

__all__ = ["SCOPES"]

SCOPES = (Scope("compare", (), panes=("list", "reader")),)
