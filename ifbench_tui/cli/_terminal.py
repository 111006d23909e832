"""Starts the app on a terminal, or says what to do without one."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ifbench_tui.cli._errors import UsageError

if TYPE_CHECKING:
    from ifbench_tui.voting.pairs import Plan
    from ifbench_tui.workspace import LoadOptions

__all__ = ["start_app"]

_HEADLESS = "for the numbers without it: ifbench-tui score PATH…"


def start_app(
    paths: Sequence[str],
    options: LoadOptions,
    args: argparse.Namespace,
    *,
    session: str | None = None,
    throwaway: bool = False,
    read_only: bool = False,
    annotator: str | None = None,
    plan: Plan | None = None,
) -> int:
    """Run the app until it is left, with the options of `add_app`.

    Raises `UsageError` where no app can be drawn.
    """
    if os.environ.get("TERM") == "dumb":
        raise UsageError(f"TERM is dumb, so no screen can be drawn; {_HEADLESS}")
    if not (sys.__stderr__ and sys.__stderr__.isatty()):
        raise UsageError(f"the app needs a terminal to draw on; {_HEADLESS}")
    if args.config and not os.path.exists(args.config):
        raise UsageError(f"{args.config}: there is no such file of settings; see ifbench-tui dirs")
    _keys_from_terminal()
    if args.no_color:
        os.environ["NO_COLOR"] = "1"
    from ifbench_tui.tui.app import run

    run(
        paths,
        options,
        session,
        start=args.start,
        throwaway=throwaway,
        read_only=read_only,
        ascii=args.ascii,
        theme=args.theme,
        config_path=Path(args.config) if args.config else None,
        annotator=annotator,
        plan=plan,
    )
    return 0


def _keys_from_terminal() -> None:
    """Make file descriptor 0 the terminal, where keys are read; piped data stays `sys.stdin`."""
    if os.isatty(0):
        return
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError as error:
        raise UsageError(f"the app needs a terminal to read keys from; {_HEADLESS}") from error
    sys.stdin = os.fdopen(os.dup(0), encoding="utf-8")
    os.dup2(terminal, 0)
    os.close(terminal)
