"""Ratings that follow one vote at a time: two cells change and the last fit is the start."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ifbench_tui.engine.ratings.battles import (
    BOTH_BAD,
    OUTCOME_SCORES,
    WINNER_LABELS,
    Battles,
    Counts,
    outcome_codes,
)
from ifbench_tui.engine.ratings.bradley_terry import Fit, FitSettings, fit_scores
from ifbench_tui.engine.ratings.connectivity import structure_of

__all__ = ["LiveRatings"]


class LiveRatings:
    """A board that is refitted after each vote and goes back exactly on undo.

    The default keeps every component under the prior, as a young session needs; pass settings with
    prior "where-needed" for plain likelihood where it exists.
    """

    def __init__(self, models: Sequence[str], *, settings: FitSettings | None = None) -> None:
        """Raises ValueError when a model is named twice."""
        if len(set(models)) != len(models):
            raise ValueError("a model is named twice")
        self._models = tuple(models)
        self._index = {name: i for i, name in enumerate(self._models)}
        self._settings = settings or FitSettings(prior="always")
        k = len(self._models)
        self._table = np.zeros((k, k, 4), dtype=np.int64)
        self._scores = np.zeros((k, k))
        self._votes: list[tuple[int, int, int]] = []
        self._fits = [fit_scores(self._models, self._scores, settings=self._settings)]

    @property
    def fit(self) -> Fit:
        """The ratings after the last vote."""
        return self._fits[-1]

    def __len__(self) -> int:
        return len(self._votes)

    def add(self, model_a: str, model_b: str, winner: str) -> Fit:
        """Count one vote and refit.

        Raises KeyError for an unknown model or winner label, ValueError for a model against itself.
        """
        a, b, outcome = self._index[model_a], self._index[model_b], WINNER_LABELS[winner]
        if a == b:
            raise ValueError(f"{model_a!r} against itself")
        self._votes.append((a, b, outcome))
        self._change(self._votes[-1], 1)
        before = self.fit
        structure = structure_of(self._scores)
        self._fits.append(
            fit_scores(
                self._models,
                self._scores,
                settings=self._settings,
                start=before.beta,
                known=before.structure if structure == before.structure else structure,
            )
        )
        return self.fit

    def load(self, battles: Battles) -> Fit:
        """Count earlier battles of the same models and fit once; they cannot be undone.

        Raises ValueError when the models differ, votes were added, or battles carry weights.
        """
        if battles.models != self._models or self._votes or battles.weight is not None:
            raise ValueError("load unweighted battles of the same models, before the first vote")
        outcome = outcome_codes(battles.y, battles.both_bad)
        if outcome is None:
            raise ValueError("load battles that were won, lost or tied")
        np.add.at(self._table, (battles.a, battles.b, outcome), 1)
        self._scores = self.counts().score_matrix()
        self._fits = [fit_scores(self._models, self._scores, settings=self._settings)]
        return self.fit

    def undo(self) -> Fit:
        """Take the last vote back; the ratings are those before it, to the digit.

        Raises IndexError when there is no vote.
        """
        self._change(self._votes.pop(), -1)
        self._fits.pop()
        return self.fit

    def counts(self) -> Counts:
        """The votes so far, for intervals and matrices."""
        a, b, outcome = np.nonzero(self._table)
        return Counts(
            self._models,
            a,
            b,
            OUTCOME_SCORES[outcome],
            outcome == BOTH_BAD,
            np.ones(len(a)),
            self._table[a, b, outcome],
        )

    def _change(self, vote: tuple[int, int, int], by: int) -> None:
        a, b, outcome = vote
        y = OUTCOME_SCORES[outcome]
        self._table[a, b, outcome] += by
        self._scores[a, b] += by * y
        self._scores[b, a] += by * (1.0 - y)
