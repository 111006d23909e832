"""Take decisions out of a session file, put them into another, and look after it.

  session export [PATH…]   write votes, or every event
  session import FILE…     take over events that were exported (- is standard input)
  session merge FILE…      take over the events of other session files
  session verify           check the file; exit code 1 where something is wrong
  session vacuum           give unused space back

Importing and merging may be repeated: what is there already is not taken twice.

--as says what export writes:
  events          every event, a JSON object a line, for import (the default)
  jsonl           a vote a line with all that is known of it
  fastchat        FastChat's clean battles, one JSON array
  arena-rank      a CSV of model_a, model_b, winner; no cell can start a formula
  llm-comparator  the JSON of LLM Comparator, on two models
  dpo             {prompt, chosen, rejected} a line; ties are left out
Side A is the left one, as the annotator saw it. The files named with PATH are the
prompts and responses that were voted on: dpo and llm-comparator need them, jsonl
and fastchat add the conversations. A vote whose responses are not loaded, or are
other ones now, has no texts.

examples:
  ifbench-tui session export --as fastchat --session mine.ifb -o battles.json
  ifbench-tui session merge theirs.ifb --session mine.ifb"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._options import add_input, add_output, add_quiet

if TYPE_CHECKING:
    from ifbench_tui.report.votes import Vote
    from ifbench_tui.store import Event, Incoming, Session

SUMMARY = "export, import, merge, verify or vacuum a session"

ACTIONS = ("export", "import", "merge", "verify", "vacuum")
FORMATS = ("events", "jsonl", "fastchat", "arena-rank", "llm-comparator", "dpo")
_NEED_TEXTS = ("llm-comparator", "dpo")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=ACTIONS, help="see below")
    add_input(parser, required=False)
    parser.add_argument("--session", metavar="FILE", help="the session (default: see dirs)")
    parser.add_argument("--as", dest="format", choices=FORMATS, default="events", help="see below")
    parser.add_argument(
        "--annotator", action="append", metavar="NAME", help="only these votes (repeatable)"
    )
    parser.add_argument("--models", metavar="A,B", help="only votes between these models")
    parser.add_argument(
        "--blind-only", action="store_true", help="leave out votes that were not blind"
    )
    add_output(parser)
    add_quiet(parser)
    parser.set_defaults(no_color=False)


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.store import Session, default_session_path

    path = Path(args.session) if args.session else default_session_path()
    taking = args.action in ("import", "merge")
    if taking and not args.paths:
        raise UsageError(f"session {args.action} needs the files to take from")
    if args.action in ("verify", "vacuum") and args.paths:
        raise UsageError(f"session {args.action} looks at the session named with --session only")
    if taking:
        return _take(path, args)
    if not path.exists():
        raise UsageError(
            f"there is no session at {path}: name one with --session; a vote, or a mark in Audit, "
            "starts one"
        )
    with Session.open(path, read_only=args.action in ("export", "verify")) as session:
        if args.action == "export":
            return _export(session, args)
        if args.action == "verify":
            return _verify(session, args)
        session.vacuum()
    return 0


def _verify(session: Session, args: argparse.Namespace) -> int:
    from ifbench_tui.cli._output import emit, say
    from ifbench_tui.engine.quantity import quantity

    problems = session.verify()
    emit(f"{problem}\n" for problem in problems)
    if not problems and not args.quiet:
        say(f"{session.path}: sound, {quantity(len(session.events()), 'event')}")
    return 1 if problems else 0


# ---- taking over -------------------------------------------------------------------------------


def _take(path: Path, args: argparse.Namespace) -> int:
    """Exit code 2 where something was refused; the rest is taken. All is read before the session
    is opened, and none is begun for nothing."""
    from ifbench_tui.cli._output import say
    from ifbench_tui.engine.quantity import quantity
    from ifbench_tui.store import Intake, Session

    if args.action == "merge":
        for name in args.paths:
            if Path(name).resolve() == path.resolve():
                raise UsageError(f"{name} is the session itself")
    read = _merged if args.action == "merge" else _imported
    found = [(name, read(name)) for name in args.paths]
    begun = path.exists() or any(incoming.events for _, incoming in found)
    refused = 0
    with Session.open(path) if begun else nullcontext() as session:
        for name, incoming in found:
            intake = session.take(incoming) if session else Intake(0, 0, incoming.broken)
            refused += len(intake.refused)
            for line in intake.refused:
                say(line)
            if not args.quiet:
                say(f"{name}: {quantity(intake.added, 'event')} taken, {intake.known:,} known")
    return 2 if refused else 0


def _merged(name: str) -> Incoming:
    from ifbench_tui.store import Session

    with Session.open(name, read_only=True) as session:
        return session.outgoing()


def _imported(name: str) -> Incoming:
    import io
    import sys

    from ifbench_tui.store import incoming_lines

    if name != "-":
        with open(name, encoding="utf-8", errors="surrogateescape") as lines:
            return incoming_lines(lines, name)
    # The bytes: text would be read in the locale's encoding, and bad bytes end it.
    lines = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="surrogateescape")
    try:
        return incoming_lines(lines, "standard input")
    finally:
        lines.detach()


# ---- export ------------------------------------------------------------------------------------


def _export(session: Session, args: argparse.Namespace) -> int:
    from ifbench_tui.cli._output import write

    if args.format == "events":
        if args.paths or args.annotator or args.models or args.blind_only:
            raise UsageError("events are exported whole; name a format of votes with --as")
        write((line + "\n" for line in session.export_jsonl()), args)
        return 0
    if args.format in _NEED_TEXTS and not args.paths:
        raise UsageError(f"--as {args.format} needs the prompts and responses voted on: PATH…")
    write(_written(_votes(session, args), session, args), args)
    return 0


def _votes(session: Session, args: argparse.Namespace) -> list[Vote]:
    from ifbench_tui.report.votes import votes_with_texts

    events = _chosen(list(session.state().live("vote").values()), args)
    if not args.paths:
        return votes_with_texts(events, {})
    from ifbench_tui.cli import _loading
    from ifbench_tui.cli._output import say

    votes = votes_with_texts(events, _loading.load_workspace(args).suites)
    bare = sum(vote.prompt is None for vote in votes)
    if bare and not args.quiet:
        say(f"{bare:,} of {len(votes):,} votes are on responses that are not loaded, or changed")
    return votes


def _chosen(events: list[Event], args: argparse.Namespace) -> list[Event]:
    if args.annotator:
        known = sorted({event.annotator for event in events})
        for name in args.annotator:
            if name not in known:
                raise UsageError(f"{name!r} has no vote here; votes are by: {', '.join(known)}")
        events = [event for event in events if event.annotator in args.annotator]
    if args.models:
        wanted = set(_names(args.models))
        events = [e for e in events if {e.body["model_a"], e.body["model_b"]} <= wanted]
    if args.blind_only:
        events = [event for event in events if not event.body["unblinded"]]
    return events


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _written(votes: list[Vote], session: Session, args: argparse.Namespace) -> Iterable[str]:
    from ifbench_tui.report import votes as write

    if args.format == "fastchat":
        return write.arena_battles(votes)
    if args.format == "arena-rank":
        return write.arena_rank_csv(votes)
    if args.format == "jsonl":
        return write.vote_lines(votes)
    if args.format == "dpo":
        return write.preference_lines(votes)
    named = _names(args.models) if args.models else []
    models = named or sorted({name for vote in votes for name in (vote.model_a, vote.model_b)})
    if len(models) != 2:
        raise UsageError(
            f"LLM Comparator compares two models, here are {len(models)}: choose with --models A,B"
        )
    return [write.comparator_json(votes, (models[0], models[1]), session.path.name)]
