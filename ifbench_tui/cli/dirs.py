"""Print where settings, themes and sessions are kept: NAME and PATH, tab
between them.

--json writes one object, a path by name:
  config   the config file
  themes   folder of your own themes
  data     folder of session files
  session  the session file that is used where none is named"""

from __future__ import annotations

import argparse
from pathlib import Path

SUMMARY = "print where settings, themes and sessions are kept"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one object")


def run(args: argparse.Namespace) -> int:
    import json

    from ifbench_tui.cli._output import emit

    places = {name: str(path) for name, path in folders().items()}
    if args.json:
        emit((json.dumps(places, indent=2), "\n"))
    else:
        emit(f"{name}\t{path}\n" for name, path in places.items())
    return 0


def folders() -> dict[str, Path]:
    """The user's places by name: `config` and `session` are files."""
    from platformdirs import PlatformDirs

    from ifbench_tui.config import config_path
    from ifbench_tui.store.places import default_session_path

    dirs = PlatformDirs("ifbench-tui", appauthor=False)
    return {
        "config": config_path(),
        "themes": dirs.user_config_path / "themes",
        "data": dirs.user_data_path,
        "session": default_session_path(),
    }
