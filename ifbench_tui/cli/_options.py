"""Options that several commands share, each defined once."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ifbench_tui.cli._errors import UsageError

if TYPE_CHECKING:
    from ifbench_tui.formats.limits import Limits
    from ifbench_tui.workspace import LoadOptions

__all__ = [
    "add_app",
    "add_format",
    "add_input",
    "add_jobs",
    "add_limits",
    "add_look",
    "add_models",
    "add_output",
    "add_quiet",
    "limits_from",
    "load_options",
    "mapping_from",
    "pair",
    "positive",
]


def pair(text: str) -> tuple[str, str]:
    """`NAME=VALUE` in two; raises `argparse.ArgumentTypeError`."""
    name, sign, value = text.partition("=")
    if not (name and sign and value):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=VALUE")
    return name, value


def positive(text: str) -> int:
    """A whole number above 0; raises `argparse.ArgumentTypeError`."""
    try:
        number = int(text.replace("_", ""))
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return number


def add_input(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """What to read, and how."""
    parser.add_argument(
        "paths",
        nargs="+" if required else "*",
        metavar="PATH",
        help="file or directory; - is standard input",
    )
    group = parser.add_argument_group("reading")
    group.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="FIELD=COLUMN,…",
        help="columns of a table of unknown shape (fields: prompt, response, model, key), "
        "or the name of a mapping in the config file",
    )
    group.add_argument(
        "--think",
        choices=("keep", "strip"),
        help="grade reasoning traces with the answer, or cut them off (default: keep)",
    )
    group.add_argument("--filter", metavar="NAME", help="the lm-eval filter to use")
    group.add_argument(
        "--as-model", metavar="NAME", help="model name for responses whose rows name none"
    )
    add_limits(group)


def add_limits(parser: argparse._ActionsContainer) -> None:
    """An option for each bound on a hostile file."""
    from ifbench_tui.formats.limits import Limits

    for limit in dataclasses.fields(Limits):
        parser.add_argument(
            f"--limit-{limit.name.replace('_', '-')}",
            dest=f"limit_{limit.name}",
            type=positive,
            default=limit.default,
            metavar="N",
            help=f"default {limit.default:,}",
        )


def limits_from(args: argparse.Namespace) -> Limits:
    """The bounds as the options have them."""
    from ifbench_tui.formats.limits import Limits

    names = [limit.name for limit in dataclasses.fields(Limits)]
    return Limits(**{name: getattr(args, f"limit_{name}") for name in names})


def load_options(args: argparse.Namespace) -> LoadOptions:
    """What `add_input` read. Raises `UsageError`."""
    from ifbench_tui.workspace import LoadOptions

    return LoadOptions(
        mapping=mapping_from(args.map, config=getattr(args, "config", None)),
        think=args.think or "keep",
        model=args.as_model,
        limits=limits_from(args),
        filter=args.filter,
    )


_FIELDS = ("prompt", "response", "model", "key")


def mapping_from(
    parts: Sequence[str], fields: Sequence[str] = _FIELDS, *, config: str | None = None
) -> dict[str, str]:
    """Field to column, from pairs and from mappings of a config file, by default the user's own,
    by their name.

    Raises `UsageError` where a field is not one of `fields`.
    """
    mapping: dict[str, str] = {}
    for part in parts:
        if "=" in part:
            for one in part.split(","):
                name, _, column = one.partition("=")
                mapping[name.strip()] = column.strip()
        else:
            mapping.update(_named_mapping(part, config))
    for name, column in mapping.items():
        if name not in fields or not column:
            raise UsageError(f"--map {name}={column}: wanted {', '.join(fields)}=COLUMN")
    return mapping


def _named_mapping(name: str, path: str | None) -> Mapping[str, str]:
    from ifbench_tui.config import load_config

    config = load_config(Path(path) if path else None)
    if name not in config.mappings:
        known = ", ".join(config.mappings) or "none"
        raise UsageError(f"--map: {config.path} has no [mappings.{name}] (it has {known})")
    return config.mappings[name]


def add_models(parser: argparse.ArgumentParser) -> None:
    """Which of the loaded models and benchmarks."""
    parser.add_argument(
        "--model",
        dest="models",
        action="append",
        metavar="NAME",
        help="only this model (repeatable)",
    )
    parser.add_argument("--benchmark", metavar="ID", help="only this benchmark")


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """How many processes score."""
    parser.add_argument(
        "--jobs",
        type=positive,
        default=0,
        metavar="N",
        help="processes to score with (default: as the work is worth)",
    )


def add_output(parser: argparse.ArgumentParser, what: str = "FILE") -> None:
    """Where the data goes."""
    parser.add_argument(
        "-o", "--output", metavar=what, help="write there instead of standard output, atomically"
    )


def add_format(parser: argparse.ArgumentParser, **objects: str) -> None:
    """How the data is written: as tables, or as `json=` and `jsonl=` say."""
    form = parser.add_mutually_exclusive_group()
    choices = ("table", "csv", "md", *objects)
    form.add_argument("--format", choices=choices, default="table", help="default: table")
    for name, what in objects.items():
        form.add_argument(f"--{name}", dest="format", action="store_const", const=name, help=what)


def add_look(parser: argparse.ArgumentParser) -> None:
    """How it looks."""
    group = parser.add_argument_group("look")
    group.add_argument("--no-color", action="store_true", help="no colours (also: NO_COLOR)")
    group.add_argument("--ascii", action="store_true", help="plain signs: + x o ! -")


def add_quiet(parser: argparse.ArgumentParser) -> None:
    """How much is said."""
    parser.add_argument("-q", "--quiet", action="store_true", help="only data and errors")


def add_app(parser: argparse.ArgumentParser, *, start: str | None = None) -> None:
    """How the app starts; in the place `start` where that is not open."""
    from ifbench_tui.tui.modes import PLACES

    parser.add_argument("--theme", metavar="NAME", help="theme to start with (see themes)")
    parser.add_argument("--config", metavar="FILE", help="settings and keymap (default: see dirs)")
    if start is not None:
        parser.set_defaults(start=start)
    else:
        parser.add_argument(
            "--start",
            choices=tuple(PLACES),
            default="library",
            help="place to start in (default: library)",
        )
    add_look(parser)
