"""Themes: one TOML file each, ours and the user's, checked before the app may wear them.

A file has a `name`, a `title`, `dark`, a table `[colors]` and a table `[roles]`. Roles are what
this app draws with; `[colors]` are Textual's own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.color import Color, ColorParseError
from textual.theme import Theme

from ifbench_tui.resources import themes_folder

__all__ = [
    "COLORS",
    "HOUSE",
    "MONO",
    "ROLES",
    "ThemeProblem",
    "load_themes",
    "read_theme",
    "role_defaults",
    "user_folder",
]

HOUSE = "hearth"
MONO = "mono"

ROLES = (
    "verdict-pass", "verdict-fail", "verdict-rescued", "verdict-error", "evidence", "removed",
    "side-a", "side-b", "interval", "quiet", "rule", "cursor", "cursor-blurred",
)  # fmt: skip
"""What every theme defines beside Textual's colours."""

COLORS = (
    "primary", "secondary", "accent", "warning", "error", "success",
    "foreground", "background", "surface", "panel",
)  # fmt: skip

_DARK = (
    "#a9cf8e", "#e0705a", "#e8c068", "#d79be0", "#7cc4c4", "#958d85",
    "#e0a868", "#8fb4e8", "#c0b090", "#9a9a9a", "#4a4a4a", "#3a3f4a", "#2b2e35",
)  # fmt: skip
_LIGHT = (
    "#2f6b1f", "#a8281a", "#7a5200", "#7a2f8c", "#0f5e66", "#6b645c",
    "#8a4b00", "#1f4f96", "#6b5a2e", "#5c5c5c", "#b0b0b0", "#cfd6e2", "#dde0e6",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ThemeProblem:
    """Why a theme file is not offered."""

    path: Path
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


def user_folder() -> Path:
    """Where a user's own themes are looked for."""
    from platformdirs import user_config_path

    return user_config_path("ifbench-tui", appauthor=False) / "themes"


def role_defaults(dark: bool) -> dict[str, str]:
    """Roles for themes that are not ours and define none."""
    return dict(zip(ROLES, _DARK if dark else _LIGHT, strict=True))


def read_theme(path: Path) -> Theme:
    """The theme in a file. Raises `ValueError` with the reason it cannot be worn."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ValueError("is no UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"is no TOML: {error}") from error
    name, dark = data.get("name"), data.get("dark", True)
    if not isinstance(name, str) or not name.replace("-", "").isalnum():
        raise ValueError("`name` must be letters, digits and hyphens")
    if not isinstance(dark, bool):
        raise ValueError("`dark` must be true or false")
    colors = _colours(data, "colors", COLORS)
    roles = _colours(data, "roles", ROLES)
    return Theme(name=name, dark=dark, **colors, variables=roles | _chrome(colors, roles))


def _colours(data: Mapping[str, Any], table: str, names: Iterable[str]) -> dict[str, Any]:
    given = data.get(table, {})
    wanted = set(names)
    if not isinstance(given, dict):
        raise ValueError(f"[{table}] must be a table")
    if missing := sorted(wanted - given.keys()):
        raise ValueError(f"[{table}] lacks {', '.join(missing)}")
    if unknown := sorted(given.keys() - wanted):
        raise ValueError(f"[{table}] has unknown names: {', '.join(unknown)}")
    for name, value in given.items():
        try:
            Color.parse(value if isinstance(value, str) else "")
        except ColorParseError as error:
            raise ValueError(f"[{table}] {name} = {value!r} is no colour") from error
    return given


def _chrome(colors: Mapping[str, str], roles: Mapping[str, str]) -> dict[str, str]:
    """Textual's own furniture in the colours of the theme."""
    return {
        "border": roles["rule"],
        "border-blurred": roles["rule"],
        "block-cursor-background": roles["cursor"],
        "block-cursor-foreground": colors["foreground"],
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": roles["cursor-blurred"],
        "block-cursor-blurred-foreground": colors["foreground"],
        "block-cursor-blurred-text-style": "none",
        "block-hover-background": roles["cursor-blurred"],
        "input-cursor-background": colors["foreground"],
        "input-cursor-foreground": colors["background"],
        "input-selection-background": roles["cursor"],
        "screen-selection-background": roles["cursor"],
        "scrollbar": roles["rule"],
        "scrollbar-hover": roles["quiet"],
        "scrollbar-active": colors["accent"],
        "scrollbar-background": colors["background"],
        "scrollbar-background-hover": colors["background"],
        "scrollbar-background-active": colors["background"],
        "scrollbar-corner-color": colors["background"],
    }


def load_themes(
    folders: Iterable[Path] | None = None,
) -> tuple[dict[str, Theme], tuple[ThemeProblem, ...]]:
    """All themes by name, later folders over earlier ones, and the files that are none."""
    themes: dict[str, Theme] = {}
    problems: list[ThemeProblem] = []
    for folder in folders if folders is not None else (themes_folder(), user_folder()):
        for path in sorted(folder.glob("*.toml")) if folder.is_dir() else ():
            try:
                theme = read_theme(path)
            except ValueError as error:
                problems.append(ThemeProblem(path, str(error)))
            else:
                themes[theme.name] = theme
    return themes, tuple(problems)
