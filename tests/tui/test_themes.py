"""Every shipped theme can be read on every ground; a broken one is named, never worn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.color import Color

from ifbench_tui.config import load_config
from ifbench_tui.resources import themes_folder
from ifbench_tui.tui import score_columns
from ifbench_tui.tui.app import AuditApp
from ifbench_tui.tui.ink import HEAT_LEVELS
from ifbench_tui.tui.themes import (
    COLORS,
    HOUSE,
    MONO,
    ROLES,
    load_themes,
    read_theme,
    role_defaults,
)

from .conftest import MakeApp, settle

THEMES, PROBLEMS = load_themes([themes_folder()])
GROUNDS = ("background", "panel", "cursor", "cursor-blurred")
TEXTS = (
    *(role for role in ROLES if role not in ("rule", "removed", "cursor", "cursor-blurred")),
    *("foreground", "accent", "primary", "error", "warning", "success"),
)


def luminance(colour: str) -> float:
    """Relative luminance after WCAG 2.2."""
    parts = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in Color.parse(colour).normalized
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def colours(name: str) -> dict[str, str]:
    theme = THEMES[name]
    return {**theme.variables, **{colour: getattr(theme, colour) for colour in COLORS}}


def test_all_shipped_themes_load() -> None:
    assert PROBLEMS == ()
    assert len(THEMES) >= 6
    assert {HOUSE, MONO} <= THEMES.keys()


@pytest.mark.parametrize("name", THEMES)
def test_text_is_readable_on_every_ground(name: str) -> None:
    worn = colours(name)
    weak = {
        (text, ground): round(ratio, 2)
        for text in TEXTS
        for ground in GROUNDS
        if (ratio := contrast(worn[text], worn[ground])) < 4.5
    }
    assert weak == {}
    # Removed text stands in a reading pane only.
    assert contrast(worn["removed"], worn["background"]) >= 4.5


TINTS = re.findall(
    r"ink--heat-\d { background: \$([a-z-]+) (\d+)%; }",
    (Path(score_columns.__file__).parent / "styles" / "base.tcss").read_text(encoding="utf-8"),
)


@pytest.mark.parametrize("name", THEMES)
def test_numbers_are_readable_on_every_tint_of_a_heat_map(name: str) -> None:
    worn = colours(name)
    assert len(TINTS) == HEAT_LEVELS - 1
    for role, share in TINTS:
        ground = Color.parse(worn["background"]).blend(Color.parse(worn[role]), int(share) / 100)
        assert contrast(worn["foreground"], ground.hex) >= 4.5, (role, share)


def test_inks_are_colours_of_the_theme_only() -> None:
    """So that the contrasts above are of every ink there is."""
    folder = Path(score_columns.__file__).parent / "styles"
    for sheet in folder.glob("*.tcss"):
        used = re.findall(r"(?:color|background|border[a-z-]*): ([^;]+);", sheet.read_text("utf-8"))
        for value in used:
            assert not re.search("#|rgb|hsl", value), (sheet.name, value)
            for variable in re.findall(r"\$([a-z-]+)", value):
                assert variable in ROLES or variable in COLORS, (sheet.name, variable)


@pytest.mark.parametrize("name", THEMES)
def test_pass_and_fail_differ_in_grey(name: str) -> None:
    worn = colours(name)
    assert contrast(worn["verdict-pass"], worn["verdict-fail"]) >= 1.4


@pytest.mark.parametrize("dark", [True, False])
def test_foreign_themes_get_every_role(dark: bool) -> None:
    assert set(role_defaults(dark)) == set(ROLES)


GOOD = (themes_folder() / f"{HOUSE}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (GOOD.replace('evidence = "', 'evidence = "no colour '), "is no colour"),
        (GOOD.replace("evidence =", "evidense ="), "lacks evidence"),
        (GOOD + '\nextra = "#fff"', "unknown names: extra"),
        (GOOD.replace('name = "hearth"', "name = 3"), "`name` must be"),
        (GOOD.replace("dark = true", 'dark = "yes"'), "`dark` must be"),
        ("[colors", "is no TOML"),
    ],
)
def test_a_broken_theme_is_named(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=reason):
        read_theme(path)
    assert reason in str(load_themes([tmp_path])[1][0])


async def test_a_theme_of_the_users_own_can_be_worn(make_app: MakeApp, tmp_path: Path) -> None:
    folder = tmp_path / "config" / "ifbench-tui" / "themes"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text(GOOD.replace('"hearth"', '"mine"'), encoding="utf-8")
    app = make_app(theme="mine")
    async with app.run_test(size=(80, 24)):
        assert app.theme == "mine"


async def test_an_unknown_theme_is_said_and_the_house_theme_worn(make_app: MakeApp) -> None:
    app = make_app(theme="nope")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        assert app.theme == HOUSE
        assert "no theme is called 'nope'" in app.theme_problems[0]


@pytest.mark.parametrize("name", ["textual-dark", "textual-light", "gruvbox"])
async def test_themes_of_the_framework_can_be_worn(make_app: MakeApp, name: str) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.theme = name
        await settle(pilot)
        assert app.is_running


async def test_the_picker_previews_and_escape_puts_the_theme_back(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("T", "j")
        assert app.theme != HOUSE
        await pilot.press("escape")
        assert app.theme == HOUSE


async def test_a_theme_that_is_kept_is_worn_next_time(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("T", "j", "enter")
        kept = app.theme
    assert f'theme = "{kept}"' in (tmp_path / "config.toml").read_text(encoding="utf-8")
    assert isinstance(app, AuditApp)


async def test_a_theme_is_kept_in_the_config_that_was_read(
    make_app: MakeApp, tmp_path: Path
) -> None:
    other = tmp_path / "other.toml"
    other.write_text('[settings]\ntheme = "moss" # by night\n\n[keys]\n', encoding="utf-8")
    app = make_app(config=load_config(other))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("T", "j", "enter")
        assert app.config.settings.theme == app.theme != "moss"
    kept = other.read_text(encoding="utf-8")
    assert kept == f'[settings]\ntheme = "{app.theme}" # by night\n\n[keys]\n'
    assert not (tmp_path / "config.toml").exists()


async def test_broken_themes_are_told_of_in_one_message(make_app: MakeApp, tmp_path: Path) -> None:
    folder = tmp_path / "config" / "ifbench-tui" / "themes"
    folder.mkdir(parents=True)
    for name in ("a", "b", "c"):
        (folder / f"{name}.toml").write_text("[colors", encoding="utf-8")
    app = make_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        (words,) = app.theme_problems
        assert "a.toml is no TOML" in words
        assert "(and 2 more: ifbench-tui themes)" in words
        assert app.theme == HOUSE
