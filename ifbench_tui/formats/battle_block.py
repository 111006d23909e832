"""The battles of one file as columns: a million of them are a few dozen megabytes."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

__all__ = ["ANYONE", "UNKNOWN", "BattleBlock", "BattleLabel", "LabelColumn"]

UNKNOWN = -1
"""The code of a battle whose row does not say, in label columns and in `hidden`."""

ANYONE = None
"""In `model_judges`: every battle was decided by a model, whoever it names."""

BattleLabel = Literal["judge", "session", "language", "category"]


class LabelColumn(NamedTuple):
    """Codes, one a battle, and the value of each code (texts; for a category a tuple of them)."""

    codes: array[int]
    values: tuple[Hashable, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BattleBlock:
    """Battles between models, one an index of each column.

    `questions` are as the file names them: most often all different, so they have no codes.
    `a` and `b` are codes of `models`; `y` is side A's score from 0 to 1; `both_bad` marks the ties
    in which both responses were bad. `weight` None is 1 everywhere. `turn` 0 and `time` nan (else
    Unix seconds) are not known; `hidden` tells whether names were hidden from the judge; `sampled`
    is 0 where the file says a repeated prompt was not drawn. `style` holds the counts of side A and
    B by feature where they were asked for, nan where a row has none. `cluster` is the label within
    which this family's battles depend on each other, "" where none is known. `model_judges` are
    the judges that are models; all others are people.
    """

    path: str
    models: tuple[str, ...]
    a: array[int]
    b: array[int]
    y: array[float]
    both_bad: bytearray
    line: array[int]
    questions: list[str | None]
    labels: Mapping[BattleLabel, LabelColumn]
    turn: array[int]
    time: array[float]
    hidden: array[int]
    sampled: array[int]
    weight: array[float] | None = None
    style: Mapping[str, tuple[array[float], array[float]]] = field(default_factory=dict)
    cluster: Literal["question", ""] = ""
    model_judges: frozenset[str] | None = frozenset()

    def __len__(self) -> int:
        return len(self.y)
