"""What `rate` can show beside the board: win matrices, annotators, votes against verdicts."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ifbench_tui.cli._errors import UsageError

if TYPE_CHECKING:
    from ifbench_tui.engine.benchmark import JudgedResponse
    from ifbench_tui.report.ratings import RatingReport
    from ifbench_tui.report.sheets import Sheet
    from ifbench_tui.store import Event
    from ifbench_tui.workspace import Workspace
    from ifbench_tui.workspace.battles import BattleChoice

__all__ = ["Extra", "add_extras", "extras_of"]

KINDS = ("matrix", "annotators", "verdicts")


@dataclass(frozen=True, slots=True)
class Extra:
    """One thing shown: its field in JSON, and its tables."""

    name: str
    value: Any
    sheets: Sequence[Sheet]


def add_extras(parser: argparse.ArgumentParser) -> None:
    """The option that asks for them."""
    parser.add_argument(
        "--show",
        choices=KINDS,
        action="append",
        default=[],
        help="also: wins of every model against every other, observed and predicted; side "
        "preference and agreement of annotators; whether the answer that follows more "
        "constraints is preferred (needs --session, prompts and responses). Repeatable",
    )


def extras_of(
    args: argparse.Namespace, report: RatingReport, choice: BattleChoice, votes: Sequence[Event]
) -> list[Extra]:
    """What was asked for, in that order. Raises `UsageError`."""
    found = []
    for name in dict.fromkeys(args.show):
        if name == "matrix":
            found.append(_matrix(report, choice))
        elif name == "annotators":
            from ifbench_tui.report.annotators import annotator_sheets, annotators_of

            people = annotators_of(choice)
            found.append(Extra(name, people.to_dict(), annotator_sheets(people)))
        else:
            found.append(_verdicts(args, report, votes))
    return found


def _matrix(report: RatingReport, choice: BattleChoice) -> Extra:
    from ifbench_tui.report.ratings import matrices, matrix_sheet

    found = matrices(report.board, choice)
    value = {name: matrix.to_dict() for name, matrix in found.items()}
    return Extra("matrix", value, [matrix_sheet(name, matrix) for name, matrix in found.items()])


def _verdicts(args: argparse.Namespace, report: RatingReport, votes: Sequence[Event]) -> Extra:
    from itertools import compress

    from ifbench_tui.report.preference import preference_sheets, votes_and_verdicts
    from ifbench_tui.workspace.battles import passing

    workspace = report.workspace
    judged = _judged(args, workspace, votes)
    if not judged:
        raise UsageError("--show verdicts needs a session with votes, prompts and responses")
    # The votes of the session are the last of the battles.
    counted = compress(votes, passing(workspace.battles[-1:], report.filters))
    found = votes_and_verdicts(
        counted, workspace.suites, lambda suite, model, key: judged.get((suite, model, key))
    )
    return Extra("verdicts", found.to_dict(), preference_sheets(found))


def _judged(
    args: argparse.Namespace, workspace: Workspace, votes: Sequence[Event]
) -> Mapping[tuple[str, str, str], JudgedResponse]:
    """The verdicts on all responses of models that were voted on."""
    from ifbench_tui.cli import _loading

    voted = {str(vote.body[side]) for vote in votes for side in ("model_a", "model_b")}
    suites = list(workspace.suites.values())
    models = [[model for model in suite.models if model in voted] for suite in suites]
    return {
        (results.suite.benchmark_id, model, one.key): one
        for results in _loading.score_suites(suites, models, args)
        for model, judged in results.judged.items()
        for one in judged
    }
