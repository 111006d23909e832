"""Battles as integer codes, and the order-free counts every rating is computed from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BOTH_BAD",
    "OUTCOME_SCORES",
    "WINNER_LABELS",
    "Battles",
    "Bools",
    "Codes",
    "Counts",
    "Encoded",
    "Floats",
    "Refused",
    "Tally",
    "Ties",
    "aggregate",
    "encode",
    "factorise",
    "outcome_codes",
    "pair_weights",
]

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.integer]
Bools: TypeAlias = NDArray[np.bool_]
Labels: TypeAlias = Sequence[object] | NDArray[Any]
Ties: TypeAlias = Literal["half", "drop", "drop-bothbad"]

B_WINS, TIE, BOTH_BAD, A_WINS = range(4)
OUTCOME_SCORES = np.array([0.0, 0.5, 0.5, 1.0])

WINNER_LABELS: Mapping[str, int] = MappingProxyType(
    {
        "model_b": B_WINS,
        "tie": TIE,
        "model_a": A_WINS,
        "tie (bothbad)": BOTH_BAD,
        "tie(bothbad)": BOTH_BAD,
        "bothbad": BOTH_BAD,
        "both_bad": BOTH_BAD,
    }
)
"""Every winner label that is understood; anything else is refused, never read as a tie."""


class Refused(NamedTuple):
    """One input row that was not rated: its index in the input and why."""

    row: int
    reason: str


@dataclass(frozen=True, slots=True)
class Battles:
    """One row per battle. `y` is the score of side A (1, 0.5, 0, or anything between).

    `weight` None means 1 for every row; `both_bad` marks the ties in which both responses were bad;
    `groups` holds further codes by name ("judge", "question", "session", "language").
    """

    models: tuple[str, ...]
    a: Codes
    b: Codes
    y: Floats
    weight: Floats | None = None
    both_bad: Bools | None = None
    groups: Mapping[str, Codes] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.y)

    def with_ties(self, ties: Ties) -> Bools:
        """Mask of the rows that a ties convention keeps (see `Counts.with_ties`)."""
        if ties == "drop":
            return np.asarray(self.y != 0.5)
        if ties == "drop-bothbad" and self.both_bad is not None:
            return ~self.both_bad
        return np.ones(len(self), dtype=bool)

    def select(self, keep: Bools | Codes) -> Battles:
        """The rows picked by a mask or an index array; the list of models stays."""
        return replace(
            self,
            a=self.a[keep],
            b=self.b[keep],
            y=self.y[keep],
            weight=None if self.weight is None else self.weight[keep],
            both_bad=None if self.both_bad is None else self.both_bad[keep],
            groups={name: codes[keep] for name, codes in self.groups.items()},
        )


@dataclass(frozen=True, slots=True)
class Encoded:
    """What `encode` made: the battles, the input row of each, and the rows it refused."""

    battles: Battles
    rows: Codes
    refused: tuple[Refused, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """Battles of each model by result; `both_bad` battles are among the ties."""

    battles: Codes
    wins: Codes
    losses: Codes
    ties: Codes
    both_bad: Codes


@dataclass(frozen=True, slots=True)
class Counts:
    """Distinct battles with their multiplicity, sorted: the order of the input has no influence."""

    models: tuple[str, ...]
    a: Codes
    b: Codes
    y: Floats
    both_bad: Bools
    weight: Floats
    count: Codes

    @property
    def total(self) -> int:
        """Number of battles."""
        return int(self.count.sum())

    @property
    def mass(self) -> Floats:
        """Weight of each row: battles times weight per battle."""
        return np.asarray(self.count * self.weight, dtype=np.float64)

    def with_ties(self, ties: Ties) -> Counts:
        """Keep ties as half a win each, drop them all, or drop only the both-bad ones."""
        if ties == "half":
            return self
        keep = ~self.both_bad if ties == "drop-bothbad" else self.y != 0.5
        return Counts(
            self.models,
            self.a[keep],
            self.b[keep],
            self.y[keep],
            self.both_bad[keep],
            self.weight[keep],
            self.count[keep],
        )

    def score_matrix(self) -> Floats:
        """S[i, j]: weighted score of i against j; S + S.T is the weight of the pair."""
        k = len(self.models)
        mass = self.mass
        forward = np.bincount(self.a * k + self.b, mass * self.y, k * k)
        backward = np.bincount(self.b * k + self.a, mass * (1.0 - self.y), k * k)
        return np.asarray((forward + backward).reshape(k, k))

    def tally(self) -> Tally:
        """Battles, wins, losses and ties per model."""

        def per_model(side_a: Bools, side_b: Bools) -> Codes:
            k = len(self.models)
            counted = np.bincount(self.a, self.count * side_a, k)
            return np.asarray(counted + np.bincount(self.b, self.count * side_b, k), dtype=np.int64)

        won, lost, tied = self.y > 0.5, self.y < 0.5, self.y == 0.5
        return Tally(
            battles=per_model(tied | ~tied, tied | ~tied),
            wins=per_model(won, lost),
            losses=per_model(lost, won),
            ties=per_model(tied, tied),
            both_bad=per_model(self.both_bad, self.both_bad),
        )

    def outcomes(self) -> dict[str, int]:
        """How many battles side A won, side B won, tied, or were bad on both sides."""
        parts = {
            "model_a": self.y > 0.5,
            "model_b": self.y < 0.5,
            "tie": (self.y == 0.5) & ~self.both_bad,
            "tie (bothbad)": self.both_bad,
        }
        return {label: int(self.count[rows].sum()) for label, rows in parts.items()}


class _CodeBook(dict[object, int]):
    """Gives each new key the next code; filled by plain look-ups, which stay in C."""

    def __missing__(self, key: object) -> int:
        code = self[key] = len(self)
        return code

    def read(self, values: Labels) -> NDArray[np.int64]:
        try:
            return np.fromiter(map(self.__getitem__, values), np.int64, len(values))
        except TypeError:
            hashable = [v if isinstance(v, str) else None for v in values]
            return np.fromiter(map(self.__getitem__, hashable), np.int64, len(values))


def factorise(values: Labels) -> tuple[NDArray[np.int64], tuple[object, ...]]:
    """Codes in order of first appearance, and the value of each code (judges, languages)."""
    book = _CodeBook()
    return book.read(values), tuple(book)


def outcome_codes(y: Floats, both_bad: Bools | None) -> NDArray[np.int8] | None:
    """0 B wins, 1 tie, 2 both bad, 3 A wins; None when some score lies between these."""
    codes = (3.0 * y).astype(np.int8)
    if not np.array_equal(OUTCOME_SCORES.take(codes, mode="clip"), y):
        return None
    if both_bad is not None:
        codes[both_bad] = BOTH_BAD
    return codes


def encode(
    names_a: Sequence[object],
    names_b: Sequence[object],
    winners: Labels,
    *,
    weights: Sequence[object] | Floats | None = None,
    groups: Mapping[str, Sequence[object]] | None = None,
) -> Encoded:
    """Turn columns into integer-coded battles with models sorted by name.

    `winners` holds labels (`WINNER_LABELS`), or is a float array of side A's scores in [0, 1].
    Refused with row and reason: a missing name, a model against itself, an unknown winner, a weight
    that is not a finite number above 0 (within 1e-100 to 1e100, so that sums stay finite).
    Raises ValueError when the columns differ in length.
    """
    n = len(names_a)
    if len(names_b) != n or len(winners) != n or (weights is not None and len(weights) != n):
        raise ValueError("the columns of battles differ in length")
    book = _CodeBook()
    a, b = book.read(names_a), book.read(names_b)
    names = list(book)
    missing = np.array([not (isinstance(x, str) and x.strip()) for x in names], dtype=bool)
    y, both_bad, unknown = _read_winners(winners)
    weight = None if weights is None else _read_weights(weights)
    bad = unknown | (a == b)
    if missing.any():
        bad |= missing[a] | missing[b]
    if weight is not None:
        bad |= ~((weight > 1e-100) & (weight < 1e100))
    coded = {name: factorise(column)[0] for name, column in (groups or {}).items()}
    rows = np.flatnonzero(~bad)
    refused: tuple[Refused, ...] = ()
    if len(rows) < n:
        refused = tuple(_refusals(np.flatnonzero(bad), a, b, missing, winners, unknown, weight))
    models, recoded = _sorted_codes(names, a[rows], b[rows])
    raw = Battles(models, a, b, y, weight, both_bad, coded).select(rows)
    return Encoded(replace(raw, a=recoded[raw.a], b=recoded[raw.b]), rows, refused)


def _read_weights(weights: Sequence[object] | Floats) -> Floats:
    """Weights as floats, nan for what is no number."""
    try:
        return np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        plain = [w if isinstance(w, int | float) else np.nan for w in weights]
        return np.asarray(plain, dtype=np.float64)


def _read_winners(winners: Labels) -> tuple[Floats, Bools, Bools]:
    """Score of side A, the both-bad flags, and which rows cannot be read."""
    if isinstance(winners, np.ndarray) and winners.dtype.kind == "f":
        unknown = ~((winners >= 0.0) & (winners <= 1.0))
        return np.where(unknown, 0.5, winners), np.zeros(len(winners), dtype=bool), unknown
    codes = _CodeBook(WINNER_LABELS).read(winners)
    unknown = codes > A_WINS
    known = np.where(unknown, TIE, codes) if unknown.any() else codes
    return OUTCOME_SCORES[known], codes == BOTH_BAD, unknown


def _refusals(
    rows: Codes,
    a: Codes,
    b: Codes,
    missing: Bools,
    winners: Labels,
    unknown: Bools,
    weight: Floats | None,
) -> Iterable[Refused]:
    for row in rows.tolist():
        if missing[a[row]] or missing[b[row]]:
            reason = "missing model name"
        elif a[row] == b[row]:
            reason = "a model against itself"
        elif unknown[row]:
            reason = f"unknown winner {_short(winners[row])}"
        else:
            reason = (
                f"weight {'' if weight is None else weight[row]} is not a usable number above 0"
            )
        yield Refused(row, reason)


def _short(value: object) -> str:
    text = repr(value[:40] if isinstance(value, str) else value)
    return text if len(text) <= 60 else text[:59] + "…"


def _sorted_codes(names: list[object], a: Codes, b: Codes) -> tuple[tuple[str, ...], Codes]:
    """Sorted names of the models that fight, and the map from first-seen code to sorted code."""
    size = len(names)
    used = np.bincount(a, minlength=size) + np.bincount(b, minlength=size)
    order = sorted((str(names[code]), int(code)) for code in np.flatnonzero(used))
    recoded = np.zeros(size, dtype=np.int64)
    recoded[[code for _, code in order]] = np.arange(len(order))
    return tuple(name for name, _ in order), recoded


def pair_weights(k: int, a: Codes, b: Codes, minimum: int) -> Floats:
    """1/max(n, minimum) per battle, n = battles of its unordered pair (arena-rank reweighting)."""
    key = np.minimum(a, b) * k + np.maximum(a, b)
    n = np.bincount(key, minlength=k * k)
    return np.asarray(1.0 / np.maximum(n, minimum)[key], dtype=np.float64)


def aggregate(battles: Battles) -> Counts:
    """Count equal battles. Sides stay apart; rows are sorted by sides, outcome and weight."""
    k = len(battles.models)
    outcome = outcome_codes(battles.y, battles.both_bad) if battles.weight is None else None
    if outcome is None or 4 * k * k > max(8 * len(battles), 1 << 16):
        return _aggregate_sorted(battles)
    code = battles.a * np.int64(k)
    code += battles.b
    code *= 4
    code += outcome
    table = np.bincount(code, minlength=4 * k * k)
    seen = np.flatnonzero(table)
    pair, kind = np.divmod(seen, 4)
    return Counts(
        battles.models,
        pair // k,
        pair % k,
        OUTCOME_SCORES[kind],
        kind == BOTH_BAD,
        np.ones(len(seen)),
        table[seen],
    )


def _aggregate_sorted(battles: Battles) -> Counts:
    n = len(battles)
    both_bad = np.zeros(n, dtype=bool) if battles.both_bad is None else battles.both_bad
    weight = np.ones(n) if battles.weight is None else battles.weight
    columns = (battles.a.astype(np.int64), battles.b.astype(np.int64), battles.y, both_bad, weight)
    order = np.lexsort(columns[::-1])
    a, b = columns[0][order], columns[1][order]
    y, bad, w = battles.y[order], both_bad[order], weight[order]
    first = np.ones(n, dtype=bool)
    if n:
        first[1:] = (
            (np.diff(a) != 0)
            | (np.diff(b) != 0)
            | (np.diff(y) != 0)
            | (bad[1:] != bad[:-1])
            | (np.diff(w) != 0)
        )
    start = np.flatnonzero(first)
    count = np.diff(np.append(start, n))
    return Counts(battles.models, a[start], b[start], y[start], bad[start], w[start], count)
