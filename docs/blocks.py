"""What the generated blocks of the documentation hold, each a function that yields lines."""

# ruff: noqa: E402 - the package of this checkout is meant, whatever else is installed

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from ifbench_tui.cli._commands import EXIT_CODES, PROGRAM, command_names, load_command, parser_for
from ifbench_tui.config import SETTINGS
from ifbench_tui.formats import formats
from ifbench_tui.formats.judged import JudgedFormat
from ifbench_tui.report.glyphs import ASCII, UNICODE
from ifbench_tui.tui.actions import SCOPES, Action, key_words

PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))

BLOCK = re.compile(
    r"^<!-- generated: (?P<name>[a-z-]+)(?P<words>[^\n]*?) -->\n(?P<body>.*?)^<!-- end -->$",
    re.DOTALL | re.MULTILINE,
)

WIDTH = 92
"""Columns of a command's output on a page."""

SHARED = ("reading", "look", "endpoint")
"""Groups of options that several commands have: each stands on a page once."""

SHARED_OPTIONS = {"--output", "--quiet", "--jobs"}

VARIABLES = {
    "IFBENCH_CONFIG": "the config file, instead of the usual place",
    "IFBENCH_API_KEY": "the key of the endpoint of `judge` and `generate`",
    "OPENAI_API_KEY": "the same, looked at after `IFBENCH_API_KEY`",
    "OPENAI_BASE_URL": "the endpoint, where `--base-url` is not given; wins over the config file",
    "NO_COLOR": "not empty: no colours; the app starts with the theme `mono`",
    "TERM": "`dumb`: the app is not drawn, and commands print without colours",
    "OPENBLAS_NUM_THREADS": "set to 1 where you do not set it: more threads are slower here",
}
"""Meaning of every variable the program itself reads; `read_variables` finds them in the code.
`doctor` only shows some more."""

GLYPHS = {
    "holds": "the constraint holds",
    "fails": "it does not hold",
    "rescued": "it does not hold on the response as it is, but on this variant: the loose verdict",
    "error": "the check raised an error; counts as not followed",
    "none": "nothing to judge",
    "pending": "not judged yet",
    "marked": "you have marked it",
    "bookmark": "you have bookmarked it",
    "note": "you have written a note",
    "differs": "the verdict recorded in the file is another one",
    "opens": "the row in use, or a row that opens",
}


class DocsError(Exception):
    """A page asks for a block that cannot be made, or the code has something no page explains."""


def cell(text: object) -> str:
    """A text as a cell of a Markdown table."""
    return " ".join(str(text).replace("|", "\\|").split())


def code(text: object) -> str:
    return f"`{text}`" if str(text) else ""


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The lines of a Markdown table."""
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(map(cell, row))} |"


def fence(lines: Iterable[str]) -> Iterator[str]:
    yield "```text"
    yield from lines
    yield "```"


def keys(*names: str) -> Iterator[str]:
    """Every key of some scopes."""
    for name in names:
        scope = SCOPES[name]
        if scope.actions:
            if len(names) > 1:
                yield from ("", f"While {scope.words or name} has the focus:", "")
            yield from table(("key", "", "id"), map(_key_row, scope.actions))


def _key_row(action: Action) -> tuple[str, str, str]:
    pressed = " ".join(code(key) for key in key_words(action.keys).split())
    return pressed, f"**{action.title}**. {action.help}", code(action.id)


def command(name: str) -> Iterator[str]:
    """What a command does, its own options, and the rest of its help as it is printed."""
    about, _, details = (load_command(name).__doc__ or "").partition("\n\n")
    parser = parser_for(name)
    shared = [group for group in _groups(parser) if group in SHARED]
    own = [one for group, one in _options(parser) if group not in SHARED and not _is_shared(one)]
    yield from (" ".join(about.split()), "", f"`{_usage(name, parser)}`", "")
    if own:
        yield from table(("option", ""), map(_option_row, own))
        yield ""
    common = {word for _, one in _options(parser) if _is_shared(one) for word in one.option_strings}
    also = [code(word) for word in sorted(common) if word.startswith("--")]
    links = [f"[{group}](headless.md#options-of-several-commands)" for group in shared]
    if links or also:
        yield f"Also: {', '.join([*also, *links])}."
    if details:
        yield from ("", *fence(details.strip("\n").split("\n")))


def _groups(parser: argparse.ArgumentParser) -> list[str]:
    return [str(group.title) for group in parser._action_groups if group._group_actions]


def _options(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """(group, argument) of everything the parser takes but --help."""
    for group in parser._action_groups:
        for one in group._group_actions:
            if not isinstance(one, argparse._HelpAction):
                yield str(group.title), one


def _is_shared(one: argparse.Action) -> bool:
    return bool(SHARED_OPTIONS & set(one.option_strings))


def _usage(name: str, parser: argparse.ArgumentParser) -> str:
    places = [one for _, one in _options(parser) if not one.option_strings]
    words = [_place(one) for one in places]
    needed = [
        f"{one.option_strings[-1]} {_value(one)}"
        for _, one in _options(parser)
        if one.option_strings and one.required
    ]
    return " ".join((PROGRAM, name, *words, *needed, "[OPTION …]"))


def _place(one: argparse.Action) -> str:
    word = _value(one)
    many = {"+": f"{word} …", "*": f"[{word} …]", "?": f"[{word}]"}
    return many.get(str(one.nargs), word)


def _value(one: argparse.Action) -> str:
    if one.nargs == 0:
        return ""
    if isinstance(one.metavar, tuple):
        return " ".join(one.metavar)
    if one.metavar:
        return one.metavar
    return "{" + ",".join(map(str, one.choices)) + "}" if one.choices else one.dest.upper()


def _option_row(one: argparse.Action) -> tuple[str, str]:
    words = ", ".join(one.option_strings)
    # As argparse prints it, which wants a doubled % sign.
    return code(f"{words} {_value(one)}".strip()), (one.help or "") % vars(one)


def options(*groups: str) -> Iterator[str]:
    """The options that several commands have, of these groups; "" are those in no group."""
    found: dict[str, dict[str, argparse.Action]] = {}
    for name in command_names():
        for group, one in _options(parser_for(name)):
            if group in SHARED or _is_shared(one):
                place = found.setdefault(group if group in SHARED else "any", {})
                place.setdefault(" ".join(one.option_strings), one)
    for group in groups:
        if len(groups) > 1:
            yield from ("", f"**{group}**", "")
        yield from table(("option", ""), map(_option_row, found[group].values()))


def commands() -> Iterator[str]:
    """All commands, each with the page that explains it."""
    rows = [
        (f"[`{name}`]({page}#{name})", load_command(name).SUMMARY)
        for name, page in sorted(_pages_of("command").items())
    ]
    yield from table(("command", ""), rows)


def _pages_of(block: str) -> dict[str, str]:
    """The page with the block about a thing, by the thing's name."""
    return {
        name: page.name
        for page in PAGES
        for found in BLOCK.finditer(page.read_text(encoding="utf-8"))
        if found["name"] == block
        for name in found["words"].split()
    }


def exit_codes() -> Iterator[str]:
    rows = (line.split(maxsplit=1) for line in EXIT_CODES.splitlines()[1:])
    yield from table(("exit code", ""), ((code(number), words) for number, words in rows))


def settings() -> Iterator[str]:
    kinds = {bool: "true or false", str: "text", int: "whole number", float: "number"}
    rows = []
    for one in SETTINGS:
        # Whose login it is would differ from machine to machine.
        value = "your login name" if one.name == "annotator" else code(_toml(one.default))
        rows.append((code(one.name), kinds[type(one.default)], value, one.words))
    yield from table(("setting", "type", "default", ""), rows)


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def variables() -> Iterator[str]:
    """The environment variables. Raises `DocsError` where the code reads others."""
    odd = read_variables() ^ set(VARIABLES)
    if odd:
        raise DocsError(f"VARIABLES and the code differ in {', '.join(sorted(odd))}")
    yield from table(("variable", ""), ((code(name), words) for name, words in VARIABLES.items()))


def read_variables() -> set[str]:
    """Names of the environment variables that the package reads, but for `doctor`."""
    found: set[str] = set()
    for path in sorted((ROOT / "ifbench_tui").rglob("*.py")):
        if path.name == "doctor.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and any(
                isinstance(one, ast.Name) and re.fullmatch(r"[A-Z_]*VARIABLES?", one.id)
                for one in node.targets
            ):
                found.update(_texts(node.value))
            elif (isinstance(node, ast.Call) and "environ" in ast.unparse(node.func)) or (
                isinstance(node, ast.Subscript) and "environ" in ast.unparse(node.value)
            ):
                first = node.args[:1] if isinstance(node, ast.Call) else [node.slice]
                found.update(text for one in first for text in _texts(one))
    return found


def _texts(node: ast.expr) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def themes() -> Iterator[str]:
    rows = []
    for path in sorted((ROOT / "themes").glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        rows.append((code(data["name"]), "dark" if data["dark"] else "light", data["title"]))
    yield from table(("theme", "shade", ""), rows)


def theme_names() -> Iterator[str]:
    from ifbench_tui.tui.themes import COLORS, ROLES

    rows = (
        ("`name`", "letters, digits and hyphens; a theme of yours replaces ours of that name"),
        ("`title`", "a line about it, optional"),
        ("`dark`", "`true` or `false`"),
        ("`[colors]`", ", ".join(map(code, COLORS))),
        ("`[roles]`", ", ".join(map(code, ROLES))),
    )
    yield from table(("name", ""), rows)


def file_formats() -> Iterator[str]:
    """The formats in the order they are asked."""
    gives = {"both": "prompts, responses", "aliases": "wordings", "judged": "board rows"}
    rows = []
    for one in formats():
        if one.id == "unsupported":
            continue
        words = (type(one).__doc__ or "").split("\n\n")[0]
        columns = one.columns if isinstance(one, JudgedFormat) else ()
        told = f" Columns: {', '.join(map(code, columns))}." if columns else ""
        rows.append((one.title, code(one.id), gives.get(one.gives, one.gives), words + told))
    yield from table(("format", "id", "gives", "recognised by"), rows)


def sources() -> Iterator[str]:
    """What the files of the sample data are recognised as, and why."""
    report = json.loads(printed("score", "sample", "--json", "--quiet"))
    rows = ((code(one["path"]), one["format"], one["why"]) for one in report["sources"])
    yield from table(("file", "format", "because"), rows)


def glyphs() -> Iterator[str]:
    rows = (
        (code(getattr(UNICODE, name)), code(getattr(ASCII, name)), words)
        for name, words in GLYPHS.items()
    )
    yield from table(("sign", "`--ascii`", ""), rows)


def variants(benchmark_id: str) -> Iterator[str]:
    from ifbench_tui.scoring import benchmark_for

    benchmark = benchmark_for(benchmark_id)
    names = zip(benchmark.variant_labels, benchmark.variant_names, strict=True)
    yield from table(("column", "variant"), ((code(label), name) for label, name in names))


def run(*words: str) -> Iterator[str]:
    """A command and what it prints."""
    lines = [line.rstrip() for line in printed(*words).rstrip().split("\n")]
    yield from fence([f"$ {PROGRAM} {' '.join(words)}", *lines])


def printed(*words: str) -> str:
    """The data that a command writes about the sample data, which is in the folder `sample`."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "sample").symlink_to(ROOT / "sample_data")
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "PYTHONIOENCODING": "utf-8",
            "COLUMNS": str(WIDTH),
            "HOME": folder,
        }
        program = [sys.executable, "-m", "ifbench_tui", *words]
        done = subprocess.run(
            program, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
        )
    if done.returncode != 0:
        raise DocsError(f"{' '.join(words)} ends with {done.returncode}: {done.stderr}")
    return done.stdout


BLOCKS: dict[str, Callable[..., Iterator[str]]] = {
    "keys": keys,
    "command": command,
    "commands": commands,
    "options": options,
    "exit-codes": exit_codes,
    "settings": settings,
    "variables": variables,
    "themes": themes,
    "theme-file": theme_names,
    "formats": file_formats,
    "sources": sources,
    "glyphs": glyphs,
    "variants": variants,
    "run": run,
}
"""By the name that a page uses; the words after it are the arguments."""
