"""Rates chosen battles by one set of choices, for the screen and for `rate` alike."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ifbench_tui.engine.ratings.battles import Ties
from ifbench_tui.engine.ratings.board import Board, Remark, rate
from ifbench_tui.engine.ratings.bootstrap import Progress
from ifbench_tui.engine.ratings.bradley_terry import Anchor, FitSettings, arena_anchor
from ifbench_tui.engine.ratings.elo import EloSpread
from ifbench_tui.engine.ratings.method import BoardSettings, IntervalKind
from ifbench_tui.engine.ratings.methods import method_of
from ifbench_tui.engine.ratings.style import StylePreset
from ifbench_tui.errors import IfbenchError
from ifbench_tui.workspace.battles import BattleChoice

__all__ = ["Cluster", "Rated", "RatingError", "RatingOptions", "rate_choice", "settings_of"]

Cluster: TypeAlias = Literal["judge", "question", "session", "none"]

FEW_MODELS = 50
FEW_BATTLES = 100_000


class RatingError(IfbenchError):
    """These battles cannot be rated in this way: why, and what can be."""


@dataclass(frozen=True, slots=True)
class RatingOptions:
    """What a person chooses about a board.

    `method` is one of `METHOD_IDS`. `rounds` are bootstrap rounds (None: 1000, or 200 above 50
    models) or random orders of Elo (100, or 20 above 100,000 battles). `cluster` None takes what
    the files suggest. `arena` holds the Arena's anchor model at its rating where it takes part.
    """

    method: str = "bt"
    ties: Ties = "half"
    style: StylePreset | None = None
    interval: IntervalKind = "sandwich"
    rounds: int | None = None
    cluster: Cluster | None = None
    anchor: Anchor | None = None
    arena: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Rated:
    """A board, what to say about its settings, and for Elo the spread over orders."""

    board: Board
    notices: tuple[Remark, ...]
    spread: EloSpread | None = None


def settings_of(choice: BattleChoice, options: RatingOptions) -> tuple[BoardSettings, list[Remark]]:
    """The settings for a choice of battles and what to say about them. Raises `RatingError`."""
    models, groups = choice.battles.models, choice.battles.groups
    notes: list[Remark] = []
    cluster: str | None = None if options.cluster == "none" else options.cluster
    if cluster and cluster not in groups:
        raise RatingError(f"--cluster {cluster}: no battle names its {cluster}")
    if 0 < choice.by_models < len(choice.battles):
        people = len(choice.battles) - choice.by_models
        words = f"{people:,} votes of people and {choice.by_models:,} verdicts of judge models"
        notes.append(Remark(f"{words} count alike", "by"))
    method = method_of(options.method)
    resampled = "cluster" in method.takes and options.interval in ("sandwich", "bootstrap")
    if options.cluster is None and resampled and choice.cluster in groups:
        cluster = choice.cluster
        notes.append(Remark("battles over one question count as one cluster", "cluster"))
    anchor = options.anchor
    if anchor is not None and anchor.model not in models:
        near = difflib.get_close_matches(anchor.model, models, 3, 0.4) or models[:10]
        raise RatingError(
            f"--anchor: no model is called {anchor.model!r}; there are: {', '.join(near)}"
        )
    if options.arena:
        anchor = arena_anchor(models)
        if anchor is None:
            notes.append(Remark("the arena's anchor model takes no part: the mean is 1000"))
    if "weights" not in method.takes and choice.battles.weight is not None:
        notes.append(Remark(f"{method.title} counts each battle once: the weights are not used"))
    settings = BoardSettings(
        method=options.method,
        ties=options.ties,
        style=options.style,
        interval=options.interval,
        rounds=options.rounds or (1000 if len(models) <= FEW_MODELS else 200),
        seed=options.seed,
        cluster=cluster,
        fit=FitSettings(anchor=anchor),
    )
    return settings, notes


def rate_choice(
    choice: BattleChoice, options: RatingOptions, progress: Progress | None = None
) -> Rated:
    """The board of the chosen battles, of which there must be some. Raises `RatingError`.

    Where `progress` answers False the rounds or orders done so far are what counts.
    """
    settings, notes = settings_of(choice, options)
    board = rate(choice.battles, settings, style_sides=choice.style or None, progress=progress)
    spread = None
    method = method_of(options.method)
    if method.ordered and options.interval != "none":
        battles = choice.battles.select(choice.battles.with_ties(options.ties))
        orders = options.rounds or (100 if len(battles) <= FEW_BATTLES else 20)
        if len(battles):
            spread = method.spread(battles, settings, orders, progress)
    return Rated(board, tuple(notes), spread)
