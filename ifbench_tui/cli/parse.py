"""Read verdicts out of judges' texts as the reference programs do: JSON lines in,
JSON lines out.

input, one object a line:
  {"id": …, "text": "…"}    a null text counts as empty

output, one object a line, in input order:
  id        as given, any JSON value; null where there is none
  verdict   what the reference stores. mt-single: the rating, -1 without one.
            mt-pair, mt-pair-scores: A, B, tie, or error. arena-v0.1, arena-v2:
            the label, null without one. null where the reference stops
  usable    whether a score follows from it: false for -1, error, null and
            for labels that are no verdict
  flags     what to look at: several ratings in the text, single brackets, …
  span      the characters of the text that decided, [start, end], or null

mt-pair-scores reads judgments of templates that rate both sides ([[a,b]]).
The references read a reasoning trace like the rest; --think strip reads only
what follows it. A line that cannot be used has an error field and a null
verdict; the exit code is 2 at the end. Fields may be added in later versions.

example:
  echo '{"id":1,"text":"Rating: [[8]]"}' | ifbench-tui parse --protocol mt-single"""

from __future__ import annotations

import argparse
from typing import Any

from ifbench_tui.cli._lines import BadInput, add_lines_input, answer_lines

SUMMARY = "read verdicts out of judges' texts, JSON lines in and out"

_PROTOCOLS = ("mt-single", "mt-pair", "mt-pair-scores", "arena-v0.1", "arena-v2")
"""As `engine.judged.verdicts` has them; named here so that help costs no imports."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--protocol", choices=_PROTOCOLS, required=True, help="how to read")
    parser.add_argument(
        "--think",
        choices=("keep", "strip"),
        default="keep",
        help="read reasoning traces too, as the references, or only what follows (default: keep)",
    )
    add_lines_input(parser)


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.engine.judged.verdicts import PROTOCOLS, answer_part

    parse = PROTOCOLS[args.protocol]

    def answer(row: dict[str, Any]) -> dict[str, Any]:
        if "text" not in row:
            raise BadInput("text is missing")
        whole = row["text"] or ""
        if not isinstance(whole, str):
            raise BadInput(f"text must be text, not {type(whole).__name__}")
        text = answer_part(whole) if args.think == "strip" else whole
        found = parse(text)
        cut = len(whole) - len(text)
        span = [place + cut for place in found.span] if found.span else None
        return {
            "id": row.get("id"),
            "verdict": found.stored,
            "usable": found.usable,
            "flags": list(found.flags),
            "span": span,
        }

    return answer_lines(args, answer, _refused)


def _refused(identity: Any, reason: str) -> dict[str, Any]:
    return {
        "id": identity,
        "verdict": None,
        "usable": False,
        "flags": [],
        "span": None,
        "error": reason,
    }
