"""What one annotator's votes say about the models, refitted after every vote."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ifbench_tui.engine.ratings.battles import (
    BOTH_BAD,
    OUTCOME_SCORES,
    WINNER_LABELS,
    Battles,
)
from ifbench_tui.engine.ratings.intervals import intervals, rank_intervals
from ifbench_tui.engine.ratings.live import LiveRatings
from ifbench_tui.voting.arena import VoteRow

__all__ = ["Standing", "Standings", "battles_of"]


def battles_of(models: Sequence[str], votes: Sequence[VoteRow]) -> Battles:
    """Votes as battles of these models, sorted by name, whether or not each has a vote."""
    names = tuple(sorted(models))
    code = {name: index for index, name in enumerate(names)}
    outcome = np.array([WINNER_LABELS[vote.winner] for vote in votes], dtype=np.int64)
    return Battles(
        names,
        np.array([code[vote.model_a] for vote in votes], dtype=np.int64),
        np.array([code[vote.model_b] for vote in votes], dtype=np.int64),
        OUTCOME_SCORES[outcome],
        both_bad=outcome == BOTH_BAD,
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """One model: rating in Elo (mean 1000), its change by the last vote, the 95 % sandwich
    interval (None while the votes allow none) and the ranks it may have."""

    model: str
    rating: float
    change: float
    lower: float | None
    upper: float | None
    rank_low: int
    rank_high: int


class Standings:
    """Follows a list of votes that grows and shrinks at its end.

    Only blind votes count, as in every rating of battles. While few votes exist a prior holds the
    ratings (spec 4), so they are nearer to each other than those of the plain fit.
    """

    def __init__(self, models: Sequence[str]) -> None:
        self._models = tuple(sorted(models))
        self._votes: list[VoteRow] = []
        self._live = LiveRatings(self._models)
        self._before = self._live.fit.ratings

    def follow(self, votes: Sequence[VoteRow]) -> None:
        """Count exactly these votes, but for those of models that are not here or not blind."""
        known = set(self._models)
        wanted = [v for v in votes if v.blind and {v.model_a, v.model_b} <= known]
        if wanted == self._votes:
            self._before = self._live.fit.ratings
        elif wanted[:-1] == self._votes:
            self._before = self._live.fit.ratings
            last = wanted[-1]
            self._live.add(last.model_a, last.model_b, last.winner)
        else:
            if wanted == self._votes[:-1] and len(self._live):
                self._live.undo()
            else:
                self._live = LiveRatings(self._models)
                if wanted:
                    self._live.load(battles_of(self._models, wanted))
            self._before = self._live.fit.ratings
        self._votes = wanted

    def standings(self) -> dict[str, Standing]:
        """The standing of every model. Changes are those of the last vote: 0 if it is left out."""
        fit = self._live.fit
        bars = intervals(fit, self._live.counts(), kind="sandwich")
        ranks = rank_intervals(bars)
        return {
            model: Standing(
                model,
                float(fit.ratings[i]),
                float(fit.ratings[i] - self._before[i]),
                _number(bars.lower[i]),
                _number(bars.upper[i]),
                int(ranks.best[i]),
                int(ranks.worst[i]),
            )
            for i, model in enumerate(self._models)
        }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
