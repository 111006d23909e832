"""What the screens look like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .conftest import MakeApp, pressing

SIZES = [(80, 24), (120, 40)]
SCENES: dict[str, tuple[str, ...]] = {
    "audit": (),
    "audit_rescued": ("j", "r"),
    "audit_error": ("j", "j", "j"),
    "audit_marked": ("m", "p", "b"),
    "audit_hostile": ("right_square_bracket", "j", "j", "tab", "tab"),
    "what_if": ("e",),
    "compare": ("c",),
    "filter": ("f", "l", "l"),
    "mark": ("m",),
    "help": ("question_mark",),
}

Snap = Callable[..., Any]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", SCENES)
def test_house_theme(
    snap_compare: Snap, make_app: MakeApp, scene: str, size: tuple[int, int]
) -> None:
    app = make_app(model="chatty")
    assert snap_compare(app, terminal_size=size, run_before=pressing(SCENES[scene]))


@pytest.mark.parametrize("scene", ["audit", "audit_rescued", "audit_marked"])
def test_mono_and_ascii(snap_compare: Snap, make_app: MakeApp, scene: str) -> None:
    app = make_app(model="chatty", theme="mono", ascii_only=True)
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(SCENES[scene]))


@pytest.mark.parametrize("theme", ["paper", "contrast", "okabe", "fjord", "moss"])
def test_other_themes(snap_compare: Snap, make_app: MakeApp, theme: str) -> None:
    app = make_app(model="chatty", theme=theme)
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(SCENES["audit_rescued"]))


def test_too_small(snap_compare: Snap, make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    assert snap_compare(app, terminal_size=(50, 14), run_before=pressing(SCENES["audit"]))
