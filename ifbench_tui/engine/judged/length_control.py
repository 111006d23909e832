"""Length-controlled win rates: what the win rate would be if lengths were equal (spec 1.4)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

import numpy as np

from ifbench_tui.engine.judged.alpaca_eval import Floats, usable_preferences
from ifbench_tui.engine.judged.length_fit import C_GRID, FOLDS, Design, choose_c, fit_at
from ifbench_tui.engine.judged.rows import Annotation
from ifbench_tui.engine.ratings.bradley_terry import sigmoid

__all__ = [
    "FAST_C",
    "PRESETS",
    "CurvePoint",
    "GamedBaseline",
    "LengthControlled",
    "Preset",
    "counterfactual_curve",
    "extreme_change",
    "length_controlled",
]

Preset = Literal["v1", "noreg", "minimal", "simple"]
PRESETS: Mapping[Preset, tuple[str, ...]] = MappingProxyType(
    {
        "v1": ("length", "difficulty", "quality"),
        "noreg": ("length", "difficulty", "quality"),
        "minimal": ("length", "quality"),
        "simple": ("length", "quality"),
    }
)
"""Features of each preset. "v1" is the leaderboard's; "noreg" leaves out the gamed baseline,
"minimal" difficulty too. "simple" has an L2 penalty of 1 on the length weight alone, its sign
turned to candidate minus baseline, and needs no cross-validation."""
FAST_C = C_GRID[6]
_GAMED_WEIGHT = 0.1
_SIMPLE_RIDGE = 1.0


@dataclass(frozen=True, slots=True)
class GamedBaseline:
    """The regulariser's rows: standardised length difference, difficulty, preference in [0, 1]."""

    length: Floats
    difficulty: Floats
    preference: Floats


@dataclass(frozen=True, slots=True)
class LengthControlled:
    """A length-controlled win rate in percent, and the fit behind it.

    `value` is None where it is undefined, with the reason in `warnings`. `c` None stands for a
    preset without one; `scores` are the cross-validation's, empty for a fixed C. `predictions` are
    the modelled win probabilities per row at equal lengths, `length_sd` is in characters.
    """

    preset: Preset
    value: float | None
    standard_error: float | None
    coefficients: Mapping[str, float]
    c: float | None
    cross_validated: bool
    converged: bool
    scores: tuple[float, ...]
    predictions: Floats
    length_sd: float | None
    warnings: tuple[str, ...]

    @property
    def shown(self) -> str:
        """Which fit the number comes from, in words."""
        if self.c is None:
            return self.preset
        how = "cross-validated" if self.cross_validated else "fixed, not cross-validated"
        return f"{self.preset}, C = {self.c:.6g} ({how})"


def length_controlled(
    rows: Sequence[Annotation],
    difficulty: Floats | None,
    gamed: GamedBaseline | None,
    *,
    preset: Preset = "v1",
    c: float | None = None,
) -> LengthControlled:
    """The length-controlled win rate of one candidate's rows; `c` None chooses it by 5 folds.

    Features: tanh(Δ/SD) with Δ = length 1 - length 2 and SD of all rows (divisor n - 1, not
    centred), difficulty, 1. The win rate is the mean over all rows of σ(z) without the length term.
    Where a table is missing the next simpler preset is used and told. A candidate that is the
    baseline has 50 without a fit.
    """
    chosen, notes = _possible(preset, difficulty, gamed)
    empty = LengthControlled(
        chosen, None, None, {}, None, False, True, (), np.array([]), None, notes
    )
    if rows and all(row.model == row.baseline for row in rows):
        half = np.full(len(rows), 0.5)
        zeros = dict.fromkeys(PRESETS[chosen], 0.0)
        return replace(
            empty, value=50.0, standard_error=0.0, coefficients=zeros, predictions=half, warnings=()
        )
    delta = np.array([-row.longer for row in rows], dtype=np.float64)
    target = usable_preferences([row.preference for row in rows]) - 1.0
    reason = _undefined(delta, target)
    if reason is not None:
        return replace(empty, warnings=(*notes, f"the length-controlled win rate {reason}"))
    sd = float(delta.std(ddof=1))
    with np.errstate(divide="ignore"):
        bent = np.tanh(delta / sd if sd else np.sign(delta) * math.inf)
    if chosen == "simple":
        return _simple(-bent, target, sd, empty)
    own = [bent, np.ones(len(rows))]
    if "difficulty" in PRESETS[chosen] and difficulty is not None:
        own.insert(1, difficulty)
    design = _design(np.stack(own, axis=1), target, gamed if chosen == "v1" else None)
    result = replace(empty, length_sd=sd)
    return _predicted(result, design, own, c)


def _possible(
    preset: Preset, difficulty: Floats | None, gamed: GamedBaseline | None
) -> tuple[Preset, tuple[str, ...]]:
    if preset in ("v1", "noreg") and difficulty is None:
        return "minimal", ("without difficulties: fitted with length and quality only (minimal)",)
    if preset == "v1" and gamed is None:
        return "noreg", ("without the gamed baseline's rows: fitted without that guard (noreg)",)
    return preset, ()


def _undefined(delta: Floats, target: Floats) -> str | None:
    if len(delta) < 2:
        return "needs at least 2 rows"
    if not delta.any():
        return "is undefined: every pair of responses is equally long"
    return None if np.isfinite(target).any() else "is undefined: no row has a preference"


def _design(x: Floats, target: Floats, gamed: GamedBaseline | None) -> Design:
    """The gamed rows first, then the rows with a preference, in file order."""
    known = np.isfinite(target)
    x, target = x[known], target[known]
    if gamed is None:
        return Design(x, target, np.ones(len(target)))
    extra = np.stack([np.tanh(gamed.length), gamed.difficulty, np.zeros(len(gamed.length))], axis=1)
    weight = np.concatenate([np.full(len(extra), _GAMED_WEIGHT), np.ones(len(target))])
    return Design(np.concatenate([extra, x]), np.concatenate([gamed.preference, target]), weight)


def _predicted(
    result: LengthControlled, design: Design, own: Sequence[Floats], c: float | None
) -> LengthControlled:
    scores: tuple[float, ...] = ()
    notes = result.warnings
    if c is None and len(design) >= FOLDS:
        choice = choose_c(design)
        fit, scores = choice.chosen, choice.scores
    else:
        if c is None:
            notes = (*notes, f"too few rows to cross-validate: C fixed at {FAST_C:.6g}")
        fit = fit_at(design, FAST_C if c is None else c)
    if not fit.converged:
        notes = (*notes, "the fit stopped without converging")
    w = fit.coefficients
    p = sigmoid(np.stack(own[1:], axis=1) @ w[1:])
    return replace(
        result,
        value=100.0 * float(p.mean()),
        standard_error=100.0 * float(p.std(ddof=1)) / math.sqrt(len(p)),
        coefficients=dict(zip(PRESETS[result.preset], w.tolist(), strict=True)),
        c=fit.c,
        cross_validated=bool(scores),
        converged=fit.converged,
        scores=scores,
        predictions=p,
        warnings=notes,
    )


def _simple(longer: Floats, target: Floats, sd: float, empty: LengthControlled) -> LengthControlled:
    """Newton on θ + φ·tanh((candidate - baseline)/SD) with φ²/2 added to the loss."""
    known = np.isfinite(target)
    x = np.stack([longer, np.ones(len(longer))], axis=1)[known]
    y = target[known]
    ridge = np.array([_SIMPLE_RIDGE, 0.0])
    w = np.zeros(2)
    converged = False
    for _ in range(100):
        p = sigmoid(x @ w)
        gradient = x.T @ (p - y) + ridge * w
        hessian = (x * (p * (1.0 - p))[:, None]).T @ x + np.diag(ridge)
        hessian[1, 1] += 1e-12
        step = np.linalg.solve(hessian, gradient)
        w = w - np.clip(step, -2.0, 2.0)
        if np.abs(step).max() < 1e-12 or np.abs(w).max() > 50.0:
            converged = bool(np.abs(step).max() < 1e-12)
            break
    share = float(sigmoid(w[1:])[0])
    notes = empty.warnings
    if not converged:
        notes = (*notes, "the preferences are one-sided: the quality term grows without bound")
    return replace(
        empty,
        value=100.0 * share,
        standard_error=0.0,
        coefficients=dict(zip(PRESETS["simple"], w.tolist(), strict=True)),
        converged=converged,
        predictions=np.full(len(longer), share),
        length_sd=sd,
        warnings=notes,
    )


def extreme_change(win_rate: float, controlled: float) -> bool:
    """The reference's flag: control moved the win rate (percent) by a quarter of its room and 10
    points at least."""
    low = min(win_rate - win_rate / 4.0, win_rate - 10.0)
    high = max(win_rate + (100.0 - win_rate) / 4.0, win_rate + 10.0)
    return controlled < low or controlled > high


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The modelled win rate in percent were every response `longer` characters longer."""

    longer: float
    win_rate: float


def counterfactual_curve(
    fit: LengthControlled, difficulty: Floats | None, longer: Sequence[float]
) -> tuple[CurvePoint, ...]:
    """Win rate against length difference: mean over the rows of σ with the length term put back."""
    if fit.value is None or not fit.length_sd:
        return ()
    w = fit.coefficients
    base = np.full(len(fit.predictions), w["quality"])
    if "difficulty" in w and difficulty is not None:
        base = base + w["difficulty"] * difficulty
    sign = 1.0 if fit.preset == "simple" else -1.0
    return tuple(
        CurvePoint(
            delta,
            100.0
            * float(sigmoid(base + w["length"] * math.tanh(sign * delta / fit.length_sd)).mean()),
        )
        for delta in longer
    )
