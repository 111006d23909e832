"""Bradley-Terry fits of many resampled score matrices at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ifbench_tui.engine.ratings.battles import Bools, Floats
from ifbench_tui.engine.ratings.bradley_terry import (
    Fit,
    gauge_scale,
    information_matrix,
    solve,
    win_probabilities,
)
from ifbench_tui.engine.ratings.connectivity import structure_of

__all__ = ["BatchFit", "BatchSolver"]

_STEP_TOLERANCE = 1e-7
_CHORD_STEPS = 40


class BatchFit(NamedTuple):
    """Strengths per round (nan for a model without battles in it) and which rounds were finite."""

    beta: Floats
    finite: Bools


class BatchSolver:
    """Fits batches of score matrices that scatter around one full-sample matrix.

    All rounds step together with the inverse information of the full sample (a chord Newton method:
    one division per cell and step); a round that is not strongly connected, or does not settle,
    is solved by itself. A round without a finite maximum is fitted under the prior as a whole.
    """

    def __init__(self, scores: Floats, full: Fit) -> None:
        self._structure = full.structure
        self._beta = full.beta
        self._prior = full.settings.prior_precision
        always = full.settings.prior == "always"
        self._ridge = full.ridge if always else np.zeros(len(full.beta))
        k = len(full.beta)
        owner = np.asarray(full.structure.component_of(), dtype=np.int64)
        together = (owner[:, None] == owner[None, :]).astype(np.float64)
        p = win_probabilities(full.beta)
        information = information_matrix(scores + scores.T, p, self._ridge)
        if full.structure.mle_finite:
            centring = np.eye(k) - together / together.sum(axis=1)
            scale = gauge_scale(information)
            self._inverse = np.linalg.inv(information + scale * together) @ centring
        self._roots = [members[0] for members in full.structure.weak]

    def solve(self, scores: Floats) -> BatchFit:
        """Fit each of `scores` (rounds x k x k)."""
        rounds, k, _ = scores.shape
        beta = np.empty((rounds, k))
        finite = np.ones(rounds, dtype=bool)
        alone = np.ones(rounds, dtype=bool)
        if self._structure.mle_finite:
            whole = np.flatnonzero(self._strongly_connected(scores))
            beta[whole], settled = self._chord(scores[whole])
            alone[whole] = ~settled
        for r in np.flatnonzero(alone):
            beta[r], finite[r] = self._alone(scores[r])
        return BatchFit(beta, finite)

    def _strongly_connected(self, scores: Floats) -> Bools:
        """Rounds in which every component of the full sample is still strongly connected."""
        linked = (scores > 0).astype(np.float32)
        return _all_reached(linked, self._roots) & _all_reached(
            linked.transpose(0, 2, 1), self._roots
        )

    def _chord(self, scores: Floats) -> tuple[Floats, Bools]:
        weight = scores + scores.transpose(0, 2, 1)
        earned = scores.sum(axis=2)
        beta = np.tile(self._beta, (len(scores), 1))
        settled = np.zeros(len(scores), dtype=bool)
        active = np.arange(len(scores))
        for _ in range(_CHORD_STEPS):
            strength = np.exp(beta[active])
            shares = strength[:, :, None] + strength[:, None, :]
            np.divide(weight, shares, out=shares)
            expected = strength * shares.sum(axis=2)
            step = (earned - expected - self._ridge * beta[active]) @ self._inverse
            beta[active] += step
            done = np.abs(step).max(axis=1) < _STEP_TOLERANCE
            settled[active[done]] = True
            if done.all():
                break
            if done.any():
                active, weight, earned = active[~done], weight[~done], earned[~done]
            if not np.abs(beta[active]).max() < 100.0:
                break
        return beta, settled

    def _alone(self, scores: Floats) -> tuple[Floats, bool]:
        """Exact fit of one round; models without battles are nan."""
        structure = structure_of(scores)
        finite = structure.mle_finite
        ridge = self._ridge if finite else np.full(len(scores), self._prior)
        beta = solve(scores, structure, ridge, start=self._beta).beta
        absent = (scores.sum(axis=0) + scores.sum(axis=1)) == 0.0
        return np.where(absent, np.nan, beta), finite


def _all_reached(linked: NDArray[np.float32], roots: list[int]) -> Bools:
    reached = np.zeros((linked.shape[0], 1, linked.shape[2]), dtype=np.float32)
    reached[:, 0, roots] = 1.0
    count = len(roots) * len(reached)
    while True:
        reached = ((reached @ linked + reached) > 0).astype(np.float32)
        now = int(reached.sum(dtype=np.float64))
        if now == count:
            return np.asarray(reached.all(axis=(1, 2)))
        count = now
