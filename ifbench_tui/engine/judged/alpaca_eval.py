"""AlpacaEval 2: annotations, win rates, and which difficulty belongs to which row (spec 1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ifbench_tui.engine.judged.rows import Annotation, usable_preference

__all__ = [
    "OFFICIAL_ROWS",
    "DifficultyTable",
    "Lookup",
    "WinRate",
    "difficulties",
    "win_rates",
]

Floats = NDArray[np.float64]
Lookup = Literal["position", "instruction"]

OFFICIAL_ROWS = 805
_TIES = (0.0, 1.5)


@dataclass(frozen=True, slots=True)
class WinRate:
    """Shares in percent over `n` usable preferences; None where nothing is left to divide by."""

    n: int
    win_rate: float | None
    standard_error: float | None
    discrete_win_rate: float | None
    n_wins: int
    n_wins_base: int
    n_draws: int

    def to_dict(self) -> dict[str, float | int | None]:
        """Plain values for JSON."""
        return asdict(self)


def usable_preferences(preferences: Sequence[float | None]) -> Floats:
    """Preferences in [1, 2], 0 read as a tie, unusable ones as nan."""
    usable = map(usable_preference, preferences)
    return np.array([math.nan if one is None else one for one in usable], dtype=np.float64)


def win_rates(preferences: Sequence[float | None]) -> WinRate:
    """Win rate 100·mean(v - 1), its standard error 100·SD/√n, and the share of rounded wins.

    Rounded: 1.5 and 0 are ties, every other value goes to the nearest integer (ties to even), and
    counts if that is 1 or 2. SD has divisor n - 1; one row has no standard error.
    """
    values = usable_preferences(preferences)
    v = values[~np.isnan(values)]
    n = len(v)
    rounded = [_rounded(one) for one in preferences if one is not None]
    discrete = [one for one in rounded if one is not None]
    return WinRate(
        n,
        100.0 * float((v - 1.0).mean()) if n else None,
        100.0 * float(v.std(ddof=1)) / math.sqrt(n) if n > 1 else None,
        100.0 * math.fsum(discrete) / len(discrete) if discrete else None,
        int((v > 1.5).sum()),
        int((v < 1.5).sum()),
        int((v == 1.5).sum()),
    )


def _rounded(preference: float) -> float | None:
    if preference in _TIES:
        return 0.5
    if not math.isfinite(preference):
        return None
    nearest = round(preference)
    return nearest - 1.0 if nearest in (1, 2) else None


@dataclass(frozen=True, slots=True)
class DifficultyTable:
    """Instruction difficulties in official order, and what identifies each instruction.

    `lengths` are the baseline's response lengths and `datasets` the subsets, `instructions` the
    texts; each may be empty.
    """

    values: tuple[float, ...]
    lengths: tuple[int, ...] = ()
    datasets: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()


def difficulties(
    rows: Sequence[Annotation], table: DifficultyTable | None, by: Lookup = "position"
) -> tuple[Floats | None, tuple[str, ...]]:
    """The difficulty of every row, or None where the term must be left out; and what to tell.

    By position (the reference's way) row i takes value i, or that of its own `index`, so that a
    file with missing rows is shifted. By instruction each row takes the value of its text. Rows
    that are not of the official set have no difficulty.
    """
    places = _official_places(rows, table)
    notes = _order_notes(rows, places)
    if by == "position" and all(row.difficulty is not None for row in rows):
        return np.array([row.difficulty for row in rows], dtype=np.float64), notes
    if table is None:
        return None, ("no instruction difficulties were given: the term is left out", *notes)
    if places is None:
        if _identifies(table):
            return None, (
                "the rows are not the official instructions: the difficulty term is left out",
            )
        notes = (*notes, "the difficulty file names no instructions: used without a check")
    if by == "position":
        places = [i if row.index is None else row.index for i, row in enumerate(rows)]
    elif places is None:
        return None, ("rows cannot be matched by instruction: the difficulty term is left out",)
    outside = [place for place in places if not 0 <= place < len(table.values)]
    if outside:
        return None, (
            f"row {outside[0]} has no difficulty (there are {len(table.values)}): "
            "the difficulty term is left out",
            *notes,
        )
    return np.array([table.values[place] for place in places]), notes


def _identifies(table: DifficultyTable) -> bool:
    return bool(table.instructions or table.lengths)


def _official_places(rows: Sequence[Annotation], table: DifficultyTable | None) -> list[int] | None:
    """Each row's place in the official order; None where that cannot be told."""
    own = [row.instruction_index for row in rows if row.instruction_index is not None]
    if len(own) == len(rows):
        return own
    if table is None:
        return None
    if table.instructions:
        known = {text: place for place, text in enumerate(table.instructions)}
        found = [known.get(row.instruction or "") for row in rows]
        return [one for one in found if one is not None] if None not in found else None
    return _aligned(rows, table) if table.lengths else None


def _aligned(rows: Sequence[Annotation], table: DifficultyTable) -> list[int] | None:
    """Rows as a subsequence of the official set by length of the baseline's response and subset."""
    places: list[int] = []
    start = 0
    for row in rows:
        for place in range(start, len(table.lengths)):
            dataset = table.datasets[place] if table.datasets else row.dataset
            if table.lengths[place] == row.length_1 and row.dataset in (None, dataset):
                break
        else:
            return None
        places.append(place)
        start = place + 1
    return places


def _order_notes(rows: Sequence[Annotation], places: Sequence[int] | None) -> tuple[str, ...]:
    notes = []
    if len(rows) != OFFICIAL_ROWS:
        notes.append(
            f"{len(rows)} rows, not {OFFICIAL_ROWS}: difficulty by position may be shifted "
            "(by instruction is the other choice)"
        )
    if places is not None and any(place != i for i, place in enumerate(places)):
        notes.append("the rows are not in the order of the official set")
    return tuple(notes)
