"""Vote blind: two responses to a prompt, one key for the better one.

Names are hidden until the vote is on disk; sides are drawn at random from the
blind seed, and stored. A sitting goes on where it was left, whatever ended it.

--policy says which pair comes next:
  active       the pair of models whose comparison is least certain (the default);
               models that no vote joins yet come first
  uniform      all pairs of models alike
  round-robin  the pair of models with the fewest votes
  list         the rows of the file named with --pairs, in order: JSON lines or CSV
               with key, model_a, model_b

Votes leave a session by: ifbench-tui session export --as fastchat

example:
  ifbench-tui vote prompts.jsonl responses/ --models model-1,model-2"""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._options import add_app, add_input, load_options

if TYPE_CHECKING:
    from ifbench_tui.voting.pairs import Listed, Plan, Policy

SUMMARY = "vote blind on pairs of responses, in the app"

POLICIES = ("active", "uniform", "round-robin", "list")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    group = parser.add_argument_group("voting")
    group.add_argument("--models", metavar="A,B", help="only pairs of these models")
    group.add_argument("--policy", choices=POLICIES, default=None, help="see below")
    group.add_argument(
        "--pairs", metavar="FILE", help="the fixed list of --policy list; - is standard input"
    )
    group.add_argument(
        "--both-orders",
        action="store_true",
        help="ask every pair twice, with sides swapped; names are told after the second vote",
    )
    group.add_argument("--annotator", metavar="NAME", help="who votes (default: the setting)")
    group.add_argument(
        "--blind-seed", type=_seed, metavar="S", help="draws pairs and sides (default: random)"
    )
    group.add_argument(
        "--session", metavar="FILE", help="session for the votes (default: see dirs)"
    )
    add_app(parser, start="vote")


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.cli._terminal import start_app
    from ifbench_tui.config import annotator_fault, load_config

    plan = _plan(args)
    name = args.annotator
    if name is not None and (fault := annotator_fault(name)):
        raise UsageError(f"--annotator {name!r:.80}: {fault}")
    if args.think is None:
        args.think = load_config(Path(args.config) if args.config else None).settings.think
    return start_app(
        args.paths, load_options(args), args, session=args.session, annotator=name, plan=plan
    )


def _plan(args: argparse.Namespace) -> Plan:
    from ifbench_tui.voting.pairs import Plan, read_pairs

    models = tuple(name.strip() for name in (args.models or "").split(",") if name.strip())
    if args.models is not None and len(set(models)) < 2:
        raise UsageError(f"--models {args.models}: a vote needs two models")
    policy: Policy = args.policy or ("list" if args.pairs else "active")
    if (policy == "list") != (args.pairs is not None):
        raise UsageError("--policy list and --pairs FILE belong together")
    listed: tuple[Listed, ...] = ()
    if args.pairs is not None:
        listed = read_pairs(_lines(args), args.pairs)
    return Plan(models, policy, args.both_orders, args.blind_seed, listed)


def _lines(args: argparse.Namespace) -> io.StringIO:
    """The lines of the fixed list."""
    if args.pairs != "-":
        data = Path(args.pairs).read_bytes()
    elif "-" in args.paths:
        raise UsageError("standard input can be read once: as PATH or with --pairs")
    else:
        data = sys.stdin.buffer.read()
    return io.StringIO(data.decode("utf-8", "replace"), newline="")
