"""Arena-Hard-Auto: scores against a baseline from five-level labels (spec 3.4, ratings spec 9)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ifbench_tui.engine.intervals import clustered
from ifbench_tui.engine.judged.bias import Match, PositionDiagnostics, Slot, position_diagnostics
from ifbench_tui.engine.judged.rows import ArenaJudgment
from ifbench_tui.engine.judged.verdicts import V01_LABELS, label_outcomes
from ifbench_tui.engine.ratings.distributions import normal_quantile

__all__ = [
    "PRESETS",
    "ArenaBoard",
    "ArenaScore",
    "ArenaSettings",
    "IntervalKind",
    "Outcomes",
    "Reliability",
    "board",
    "outcomes",
    "reliability",
]

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
IntervalKind = Literal["clustered", "bootstrap", "rows", "none"]


@dataclass(frozen=True, slots=True)
class ArenaSettings:
    """How outcomes become scores.

    `weight`: times a strong verdict counts. `interval` "clustered": Wilson's on the effective
    number of outcomes, those of a question going together; "bootstrap": questions resampled;
    "rows": outcomes resampled as if independent (the references' way).
    """

    weight: int = 3
    first_game_only: bool = False
    interval: IntervalKind = "clustered"
    level: float = 0.95
    rounds: int = 1000
    seed: int = 0


PRESETS: Mapping[str, ArenaSettings] = {
    "default": ArenaSettings(),
    "v0.1": ArenaSettings(interval="rows", rounds=100, seed=42),
    "v2": ArenaSettings(interval="rows", level=0.90, rounds=100, seed=42),
}
"""Conventions by name: ours, and those of the two reference programs without their faults."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """One entry per counted outcome, from the model's point of view: 1 won, 0.5 tie, 0 lost."""

    models: tuple[str, ...]
    baselines: tuple[str, ...]
    model: Codes
    baseline: Codes
    question: Codes
    questions: tuple[str, ...]
    y: Floats
    nulls: Mapping[str, int]
    unusable: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.y)


@dataclass(frozen=True, slots=True)
class ArenaScore:
    """A model's score in percent against the baseline, with its interval.

    `n` outcomes (strong verdicts counted `weight` times); `null` questions (v0.1: games) without a
    usable verdict. The baseline's own line is 50 by definition.
    """

    model: str
    score: float | None
    lower: float | None
    upper: float | None
    n: int
    null: int
    is_baseline: bool = False

    def to_dict(self) -> dict[str, float | int | bool | None]:
        """Plain values for JSON."""
        return {
            "score": self.score,
            "lower": self.lower,
            "upper": self.upper,
            "n": self.n,
            "null": self.null,
            "baseline": self.is_baseline,
        }


@dataclass(frozen=True, slots=True)
class ArenaBoard:
    """The scores of one category (or of all rows), best first, and the settings that made them.

    `coefficients` are logits per standard deviation of a style feature, empty without control.
    """

    category: str
    scores: tuple[ArenaScore, ...]
    settings: ArenaSettings
    reliability: Reliability
    style: str = "none"
    coefficients: Mapping[str, float] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reliability:
    """What the judge's verdicts are worth: position bias, nulls, strong verdicts, separability.

    `agreement`: share of questions whose games name the same winner. `separability`: share of model
    pairs with disjoint intervals, None with less than two models.
    """

    position: PositionDiagnostics
    null_rate: float | None
    strong_share: float | None
    separability: float | None

    @property
    def agreement(self) -> float | None:
        rate = self.position.inconsistency.value
        return None if rate is None else 1.0 - rate

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "game_agreement": self.agreement,
            "null_rate": self.null_rate,
            "strong_share": self.strong_share,
            "separability": self.separability,
            "position": self.position.to_dict(),
        }


def short_name(model: str) -> str:
    """What follows the last slash, as the reference shows it."""
    return model.rpartition("/")[2]


def row_outcomes(row: ArenaJudgment, settings: ArenaSettings) -> tuple[list[float], int]:
    """Outcomes from the model's point of view, and how many units (questions, games) are null."""
    known = V01_LABELS if row.rules == "v0.1" else None
    games: list[list[float] | None] = []
    labels = (row.label_1,) if settings.first_game_only else (row.label_1, row.label_2)
    for game, label in enumerate(labels):
        found = label_outcomes(label, settings.weight)
        if found is None or (known is not None and label not in known):
            games.append(None)
        else:
            games.append([1.0 - one for one in found] if game == 0 else list(found))
    if row.rules == "v0.1":
        return [one for game in games for one in game or ()], games.count(None)
    if None in games:
        return [], 1
    return [one for game in reversed(games) for one in game or ()], 0


def outcomes(rows: Iterable[ArenaJudgment], settings: ArenaSettings) -> Outcomes:
    """Outcomes of all rows in order. A model is called by what follows the last slash."""
    models: dict[str, int] = {}
    baselines: dict[str, int] = {}
    questions: dict[str, int] = {}
    found: list[tuple[int, int, int, float]] = []
    nulls: Counter[str] = Counter()
    unusable: Counter[str] = Counter()
    for row in rows:
        name = short_name(row.model)
        own, missing = row_outcomes(row, settings)
        nulls[name] += missing
        labels = (row.label_1, row.label_2)
        unusable.update(one for one in labels if one is not None and not label_outcomes(one))
        model = models.setdefault(name, len(models))
        baseline = baselines.setdefault(short_name(row.baseline), len(baselines))
        question = questions.setdefault(row.question, len(questions))
        found += [(model, baseline, question, outcome) for outcome in own]
    table = np.array(found, dtype=np.float64).reshape(len(found), 4)
    codes = table[:, :3].astype(np.int64)
    return Outcomes(
        tuple(models),
        tuple(baselines),
        codes[:, 0],
        codes[:, 1],
        codes[:, 2],
        tuple(questions),
        table[:, 3],
        nulls,
        unusable,
    )


def board(
    rows: Sequence[ArenaJudgment], category: str, settings: ArenaSettings | None = None
) -> ArenaBoard:
    """Scores without style control: 100 · mean outcome, which is the exact optimum of the
    Bradley-Terry model because every model meets only the baseline."""
    settings = settings or ArenaSettings()
    data = outcomes(rows, settings)
    rng = np.random.default_rng(settings.seed)
    scores = [_score(data, code, settings, rng) for code in range(len(data.models))]
    return finished(category, scores, data, rows, settings)


def finished(
    category: str,
    scores: Sequence[ArenaScore],
    data: Outcomes,
    rows: Sequence[ArenaJudgment],
    settings: ArenaSettings,
    notes: Sequence[str] = (),
) -> ArenaBoard:
    """The board of these scores: baselines added, sorted, with what must be said."""
    baselines = [
        ArenaScore(name, 50.0, 50.0, 50.0, 0, 0, is_baseline=True)
        for name in data.baselines
        if name not in data.models
    ]
    ranked = sorted([*scores, *baselines], key=lambda one: -(one.score if one.score else -1.0))
    warnings = list(notes)
    if len(data.baselines) > 1:
        warnings.append(
            f"{len(data.baselines)} baselines ({', '.join(data.baselines)}): scores against "
            "different baselines do not compare"
        )
    warnings += [
        f"the label {label[:20]} is no verdict: {count} games are null"
        for label, count in data.unusable.items()
    ]
    return ArenaBoard(
        category, tuple(ranked), settings, reliability(rows, scores), warnings=tuple(warnings)
    )


def _score(
    data: Outcomes, code: int, settings: ArenaSettings, rng: np.random.Generator
) -> ArenaScore:
    own = data.model == code
    y, question = data.y[own], data.question[own]
    name = data.models[code]
    null = data.nulls.get(name, 0)
    n = len(y)
    if not n:
        return ArenaScore(name, None, None, None, 0, null)
    bounds = _bounds(y, question, settings, rng)
    lower, upper = (100.0 * bounds[0], 100.0 * bounds[1]) if bounds else (None, None)
    return ArenaScore(name, 100.0 * math.fsum(y) / n, lower, upper, n, null)


def _bounds(
    y: Floats, question: Codes, settings: ArenaSettings, rng: np.random.Generator
) -> tuple[float, float] | None:
    if settings.interval == "none":
        return None
    units = np.arange(len(y)) if settings.interval == "rows" else question
    _, unit = np.unique(units, return_inverse=True)
    hits, sizes = np.bincount(unit, y), np.bincount(unit)
    if settings.interval == "clustered":
        return clustered(hits.tolist(), sizes.tolist(), normal_quantile(settings.level))
    k = len(sizes)
    drawn = rng.integers(0, k, size=(settings.rounds, k))
    means = hits[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    tail = (1.0 - settings.level) / 2.0
    lower, upper = np.quantile(means, (tail, 1.0 - tail)).tolist()
    return lower, upper


_MIRROR = str.maketrans("AB", "BA")
_SPELLINGS = {"A<B": "B>A", "B<A": "A>B", "A<<B": "B>>A", "B<<A": "A>>B", "B=A": "A=B"}


def reliability(rows: Sequence[ArenaJudgment], scores: Sequence[ArenaScore]) -> Reliability:
    """Diagnostics of the judge over the rows, and separability of the scores."""
    matches = [_match(row) for row in rows]
    labels = [label for row in rows for label in (row.label_1, row.label_2)]
    usable = [label for label in labels if label_outcomes(label)]
    strong = sum(len(label_outcomes(label, 2) or ()) == 2 for label in usable)
    bounded = [
        (one.lower, one.upper) for one in scores if one.lower is not None and one.upper is not None
    ]
    pairs = [(a, b) for i, a in enumerate(bounded) for b in bounded[:i]]
    apart = sum(a[0] > b[1] or b[0] > a[1] for a, b in pairs)
    return Reliability(
        position_diagnostics(matches),
        1.0 - len(usable) / len(labels) if labels else None,
        strong / len(usable) if usable else None,
        apart / len(pairs) if pairs else None,
    )


def _match(row: ArenaJudgment) -> Match:
    mirrored = None
    if row.label_1 is not None and row.label_2 is not None:
        mirrored = _plain(row.label_2) == _plain(row.label_1.translate(_MIRROR))
    return Match(_slot(row.label_1), _slot(row.label_2), mirrored)


def _plain(label: str) -> str:
    return _SPELLINGS.get(label, label)


def _slot(label: str | None) -> Slot | None:
    found = label_outcomes(label)
    if found is None:
        return None
    return "tie" if found[0] == 0.5 else "first" if found[0] == 1.0 else "second"
