"""Bradley-Terry ratings: exact maximum likelihood by damped Newton on the k x k score matrix.

P(i beats j) = sigma(beta_i - beta_j); rating R = 1000 + (400 / ln 10) * beta, natural beta with
mean 0 in every connected component. Where the likelihood has no maximum the ratings are the mode
under a normal prior on beta (standard deviation 565.7 Elo) and are marked as regularised.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from ifbench_tui.engine.ratings.battles import Bools, Counts, Floats
from ifbench_tui.engine.ratings.connectivity import Structure, structure_of

__all__ = [
    "ELO_PER_NAT",
    "PRIOR_PRECISION",
    "Anchor",
    "Fit",
    "FitSettings",
    "Prior",
    "Solution",
    "arena_anchor",
    "fit",
    "fit_scores",
    "sigmoid",
    "solve",
    "win_probabilities",
]

ELO_PER_NAT = 400.0 / math.log(10.0)
PRIOR_PRECISION = 0.5 / math.log(10.0) ** 2
TOLERANCE = 1e-10
_MAX_ITERATIONS = 100

Prior: TypeAlias = Literal["where-needed", "always"]


class Anchor(NamedTuple):
    """A model held at a rating; its component moves with it."""

    model: str
    rating: float


class Solution(NamedTuple):
    """What the optimiser reached: mean-zero natural strengths and how it stopped."""

    beta: Floats
    iterations: int
    converged: bool
    largest_step: float
    gradient_norm: float


@dataclass(frozen=True, slots=True)
class FitSettings:
    """Conventions of one fit. `prior` "always" regularises every component (the live default)."""

    prior: Prior = "where-needed"
    prior_precision: float = PRIOR_PRECISION
    centre: float = 1000.0
    anchor: Anchor | None = None
    tolerance: float = TOLERANCE


@dataclass(frozen=True, slots=True)
class Fit:
    """Ratings in Elo with the settings, the structure of the data and the state of convergence."""

    models: tuple[str, ...]
    ratings: Floats
    beta: Floats
    regularised: Bools
    structure: Structure
    settings: FitSettings
    log_likelihood: float
    iterations: int
    converged: bool
    largest_step: float
    gradient_norm: float
    warnings: tuple[str, ...]

    @property
    def ridge(self) -> Floats:
        """Prior precision that acted on each model (0 where the fit is plain likelihood)."""
        return np.where(self.regularised, self.settings.prior_precision, 0.0)

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON; components by model name."""
        return {
            "method": "bt",
            "settings": asdict(self.settings),
            "ratings": dict(zip(self.models, self.ratings.tolist(), strict=True)),
            "regularised": [m for m, r in zip(self.models, self.regularised, strict=True) if r],
            "components": _names(self.models, self.structure.weak),
            "strong_components": _names(self.models, self.structure.strong),
            "unbounded": {
                m: u for m, u in zip(self.models, self.structure.unbounded, strict=True) if u
            },
            "log_likelihood": self.log_likelihood,
            "iterations": self.iterations,
            "converged": self.converged,
            "gradient_norm": self.gradient_norm,
            "warnings": list(self.warnings),
        }


def arena_anchor(models: tuple[str, ...]) -> Anchor | None:
    """The Arena's convention: mixtral-8x7b-instruct-v0.1 at 1114 when it takes part."""
    name = "mixtral-8x7b-instruct-v0.1"
    return Anchor(name, 1114.0) if name in models else None


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x)), with full relative precision for small results."""
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + np.exp(-x)))


def win_probabilities(beta: Floats) -> Floats:
    """P[i, j] = sigma(beta_i - beta_j)."""
    return sigmoid(beta[:, None] - beta[None, :])


def fit(counts: Counts, *, settings: FitSettings | None = None, start: Floats | None = None) -> Fit:
    """Rate the models of `counts`; `start` (natural strengths) warms the optimiser up.

    No battles: every rating is the centre. Raises KeyError when the anchor is not among the models.
    """
    return fit_scores(counts.models, counts.score_matrix(), settings=settings, start=start)


def fit_scores(
    models: tuple[str, ...],
    scores: Floats,
    *,
    settings: FitSettings | None = None,
    start: Floats | None = None,
    known: Structure | None = None,
) -> Fit:
    """`fit` from the score matrix; `known` is its structure where the caller has it already."""
    settings = settings or FitSettings()
    structure = known or structure_of(scores)
    always = np.full(len(models), settings.prior == "always")
    regularised = always | structure.separated()
    ridge = np.where(regularised, settings.prior_precision, 0.0)
    found = solve(scores, structure, ridge, start=start, tolerance=settings.tolerance)
    ratings = gauge(models, found.beta, structure, settings)
    return Fit(
        models,
        ratings,
        found.beta,
        regularised,
        structure,
        settings,
        _log_likelihood(scores, found.beta),
        found.iterations,
        found.converged,
        found.largest_step,
        found.gradient_norm,
        _warnings(models, structure, found, settings),
    )


def solve(
    scores: Floats,
    structure: Structure,
    ridge: Floats,
    *,
    start: Floats | None = None,
    tolerance: float = TOLERANCE,
) -> Solution:
    """Maximise sum S_ij ln sigma(beta_i - beta_j) - sum ridge_i beta_i^2 / 2 by damped Newton.

    A step is halved while it overshoots the maximum along its own line by more than a quarter of
    the initial slope. The gauge is fixed by adding ones to the information inside each component.
    """
    k = len(scores)
    if k == 0:
        return Solution(np.zeros(0), 0, True, 0.0, 0.0)
    owner = np.asarray(structure.component_of())
    together = (owner[:, None] == owner[None, :]).astype(np.float64)
    weight = scores + scores.T
    beta = np.zeros(k) if start is None else _centred(start, together)
    p = win_probabilities(beta)
    gradient = _gradient(scores, p, ridge, beta)
    largest = math.inf
    for iteration in range(1, _MAX_ITERATIONS + 1):
        information = information_matrix(weight, p, ridge)
        step = np.linalg.solve(information + gauge_scale(information) * together, gradient)
        slope = float(gradient @ step)
        largest = float(np.abs(step).max())
        if not math.isfinite(largest):
            return Solution(beta, iteration, False, largest, math.inf)
        size = 1.0
        while True:
            moved = _centred(beta + size * step, together)
            p = win_probabilities(moved)
            gradient = _gradient(scores, p, ridge, moved)
            if largest < 1.0 or float(gradient @ step) >= -0.25 * slope or size < 1e-6:
                break
            size *= 0.5
        beta = moved
        if largest < tolerance:
            return Solution(beta, iteration, True, largest, float(np.abs(gradient).max()))
    return Solution(beta, _MAX_ITERATIONS, False, largest, float(np.abs(gradient).max()))


def information_matrix(weight: Floats, p: Floats, ridge: Floats) -> Floats:
    """Negative second derivative: -N_ij p_ij p_ji off the diagonal, rows summing to the ridge."""
    cells = weight * p * p.T
    information = -cells
    information.flat[:: len(cells) + 1] = cells.sum(axis=1) - cells.diagonal() + ridge
    return information


def gauge_scale(information: Floats) -> float:
    """Size of the gauge term that keeps the system well conditioned."""
    return float(information.trace()) / len(information) ** 2 or 1.0


def gauge(
    models: tuple[str, ...], beta: Floats, structure: Structure, settings: FitSettings
) -> Floats:
    """Ratings in Elo: every component has the centre as its mean, or holds the anchor."""
    ratings = settings.centre + ELO_PER_NAT * beta
    if settings.anchor is not None:
        if settings.anchor.model not in models:
            raise KeyError(f"the anchor {settings.anchor.model!r} is not among the models")
        anchor = models.index(settings.anchor.model)
        component = next(list(members) for members in structure.weak if anchor in members)
        ratings[component] += settings.anchor.rating - ratings[anchor]
        ratings[anchor] = settings.anchor.rating
    return ratings


def _centred(beta: Floats, together: Floats) -> Floats:
    return np.asarray(beta - together @ beta / together.sum(axis=1))


def _gradient(scores: Floats, p: Floats, ridge: Floats, beta: Floats) -> Floats:
    """S_ij p_ji - S_ji p_ij summed over j: no cancellation between large counts."""
    earned = scores * p.T
    return np.asarray(earned.sum(axis=1) - earned.sum(axis=0) - ridge * beta)


def _log_likelihood(scores: Floats, beta: Floats) -> float:
    scored = scores > 0
    return float((scores[scored] * np.log(win_probabilities(beta)[scored])).sum())


def _names(models: tuple[str, ...], groups: tuple[tuple[int, ...], ...]) -> list[list[str]]:
    return [[models[m] for m in members] for members in groups]


def _warnings(
    models: tuple[str, ...], structure: Structure, found: Solution, settings: FitSettings
) -> tuple[str, ...]:
    notes = []
    if not structure.connected:
        notes.append(
            f"the models fall into {len(structure.weak)} groups that never met: "
            "ratings and ranks compare only inside a group"
        )
    if not structure.mle_finite:
        notes += [
            "some models never lost to, or never won against, the others, so no finite "
            f"maximum-likelihood rating exists; order: {order}; "
            "the ratings shown are held together by a prior"
            for order in _orders(models, structure)
        ]
    if settings.prior == "always" and structure.mle_finite:
        notes.append("the ratings are held together by a prior (standard deviation 566 Elo)")
    if not found.converged:
        notes.append(f"the fit stopped after {found.iterations} steps without converging")
    return tuple(notes)


def _orders(models: tuple[str, ...], structure: Structure) -> list[str]:
    """Strong sets of each separated component from the top, sets of one level side by side."""
    owner = structure.component_of()
    chains: list[dict[int, list[str]]] = [{} for _ in structure.weak]
    for group, level in zip(structure.strong, structure.level, strict=True):
        names = "{" + ", ".join(models[m] for m in group) + "}"
        chains[owner[group[0]]].setdefault(level, []).append(names)
    return [
        " > ".join(", ".join(sorted(chain[level])) for level in sorted(chain))
        for chain in chains
        if len(chain) > 1
    ]
