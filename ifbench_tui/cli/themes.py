"""List the themes of the app, or start one of your own.

`themes new NAME` writes a copy of a theme (--like, by default the house theme)
into your themes folder, ready to be edited; the app offers it from then on."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._options import add_look, add_quiet

if TYPE_CHECKING:
    from pathlib import Path

SUMMARY = "list the themes, or start one of your own"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", nargs="?", choices=("list", "new"), default="list")
    parser.add_argument("name", nargs="?", metavar="NAME", help="name of the new theme")
    parser.add_argument("--like", metavar="THEME", help="the theme that the new one starts from")
    add_look(parser)
    add_quiet(parser)


def run(args: argparse.Namespace) -> int:
    if args.action == "new":
        return _new(args)
    if args.name:
        raise UsageError(f"themes list takes no name; did you mean: themes new {args.name}")
    return _list(args)


def _list(args: argparse.Namespace) -> int:
    from ifbench_tui.cli._output import glyphs_for, print_rich, say
    from ifbench_tui.report.sheets import Column, Sheet
    from ifbench_tui.report.table import to_table
    from ifbench_tui.tui.themes import load_themes, user_folder

    rows = []
    for folder, origin in _folders():
        themes, _ = load_themes([folder])
        rows += [
            (name, "dark" if theme.dark else "light", origin) for name, theme in themes.items()
        ]
    columns = tuple(Column(name, name) for name in ("name", "shade", "from"))
    print_rich([to_table(Sheet("Themes", columns, tuple(rows)), glyphs_for(args))], args)
    _, problems = load_themes()
    for problem in problems:
        say(str(problem))
    if not args.quiet:
        say(f"your own themes are read from {user_folder()}")
    return 2 if problems else 0


def _folders() -> list[tuple[Path, str]]:
    from ifbench_tui.resources import themes_folder
    from ifbench_tui.tui.themes import user_folder

    return [(themes_folder(), "the package"), (user_folder(), "you")]


def _new(args: argparse.Namespace) -> int:
    import tomllib

    import tomli_w

    from ifbench_tui.cli._output import say, write_file
    from ifbench_tui.tui.themes import HOUSE, user_folder

    name = args.name or ""
    if not name.replace("-", "").isalnum():
        raise UsageError("a theme needs a name of letters, digits and hyphens: themes new NAME")
    target = user_folder() / f"{name}.toml"
    if target.exists():
        raise UsageError(f"{target} exists already: edit it, or choose another name")
    theme = tomllib.loads(_theme_file(args.like or HOUSE).read_text(encoding="utf-8"))
    target.parent.mkdir(parents=True, exist_ok=True)
    write_file(target, [tomli_w.dumps({**theme, "name": name, "title": name})])
    say(f"wrote {target}: edit its colours, then choose it with T in the app")
    return 0


def _theme_file(name: str) -> Path:
    """The file of a theme, the user's own before ours. Raises `UsageError`."""
    from ifbench_tui.tui.themes import load_themes, read_theme

    for folder, _ in reversed(_folders()):
        for path in sorted(folder.glob("*.toml")) if folder.is_dir() else ():
            try:
                if read_theme(path).name == name:
                    return path
            except ValueError:
                continue
    raise UsageError(f"no theme is called {name!r}; there are {', '.join(load_themes()[0])}")
