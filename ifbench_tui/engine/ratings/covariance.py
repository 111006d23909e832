"""Covariance of fitted strengths: model-based, sandwich, and sandwich with clustered battles."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ifbench_tui.engine.ratings.battles import Battles, Codes, Counts, Floats
from ifbench_tui.engine.ratings.bradley_terry import (
    Fit,
    gauge_scale,
    information_matrix,
    sigmoid,
    win_probabilities,
)

__all__ = ["CovarianceKind", "cluster_blocks", "covariance", "score_outer"]

CovarianceKind: TypeAlias = Literal["sandwich", "fisher"]
_BLOCK_CELLS = 1 << 20


def covariance(
    fit: Fit,
    counts: Counts,
    *,
    kind: CovarianceKind = "sandwich",
    clustered: tuple[Battles, Codes] | None = None,
    information_ridge: float = 0.0,
) -> Floats:
    """Covariance of the natural strengths in the mean-zero gauge of each component.

    Fisher: H^+. Sandwich: H^+ B H^+ with B the sum over battles of squared scores, or over the
    squared score sums of clusters when `clustered` gives the battles and the cluster of each.
    Where the fit is regularised, (H + ridge)^-1 stands for H^+. `information_ridge` > 0 adds
    that multiple of the identity to H before inverting (the arena-rank convention).
    """
    k = len(fit.models)
    scores = counts.score_matrix()
    p = win_probabilities(fit.beta)
    information = information_matrix(scores + scores.T, p, fit.ridge + information_ridge)
    owner = np.asarray(fit.structure.component_of(), dtype=np.int64)
    together = (owner[:, None] == owner[None, :]).astype(np.float64)
    scale = gauge_scale(information) if k else 1.0
    inverse = np.linalg.inv(information + scale * together)
    if kind == "fisher":
        centring = np.eye(k) - together / together.sum(axis=1)
        return np.asarray(centring @ inverse @ centring)
    if clustered is None:
        meat = score_outer(counts, fit.beta)
    else:
        meat = _clustered_score_outer(clustered[0], clustered[1], fit.beta)
    return np.asarray(inverse @ meat @ inverse)


def score_outer(counts: Counts, beta: Floats) -> Floats:
    """Sum over battles of (weight * (y - p))^2 x x^T, x = e_a - e_b."""
    k = len(beta)
    residual = counts.weight * (counts.y - sigmoid(beta[counts.a] - beta[counts.b]))
    cells = np.bincount(counts.a * k + counts.b, counts.count * residual**2, k * k).reshape(k, k)
    cells = cells + cells.T
    outer = -cells
    outer.flat[:: k + 1] = cells.sum(axis=1)
    return np.asarray(outer)


def _clustered_score_outer(battles: Battles, clusters: Codes, beta: Floats) -> Floats:
    k = len(beta)
    residual = battles.y - sigmoid(beta[battles.a] - beta[battles.b])
    if battles.weight is not None:
        residual = residual * battles.weight
    meat = np.zeros((k, k))
    for rows, local, size in cluster_blocks(clusters, k):
        cell = local * k
        earned = np.bincount(cell + battles.a[rows], residual[rows], size * k)
        earned -= np.bincount(cell + battles.b[rows], residual[rows], size * k)
        sums = earned.reshape(size, k)
        meat += sums.T @ sums
    return meat


def cluster_blocks(
    clusters: Codes, width: int
) -> list[tuple[NDArray[np.int64], NDArray[np.int64], int]]:
    """Rows grouped so that a block of whole clusters times `width` cells stays small.

    Each block: row indices, the cluster of each row counted from 0, and the number of clusters.
    """
    order = np.argsort(clusters, kind="stable")
    _, dense = np.unique(clusters[order], return_inverse=True)
    per_block = max(1, _BLOCK_CELLS // max(width, 1))
    blocks = []
    for first in range(0, int(dense[-1]) + 1 if len(dense) else 0, per_block):
        start, stop = np.searchsorted(dense, (first, first + per_block))
        local = dense[start:stop] - first
        blocks.append((order[start:stop], local, int(local[-1]) + 1))
    return blocks
