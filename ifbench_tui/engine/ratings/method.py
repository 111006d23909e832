"""What a method of rating is: the choices it listens to, and what it finds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

from ifbench_tui.engine.ratings.battles import Battles, Codes, Counts, Floats, Ties
from ifbench_tui.engine.ratings.bootstrap import Bootstrap, Progress
from ifbench_tui.engine.ratings.bradley_terry import Fit, FitSettings
from ifbench_tui.engine.ratings.elo import EloSpread
from ifbench_tui.engine.ratings.intervals import Intervals, Simultaneous
from ifbench_tui.engine.ratings.style import StyleFit, StylePreset

__all__ = ["BoardSettings", "Found", "IntervalKind", "Method", "RateTask", "Takes"]

IntervalKind: TypeAlias = Literal["sandwich", "fisher", "bootstrap", "none"]

Takes: TypeAlias = Literal["style", "anchor", "cluster", "weights"]
"""A choice, or a column of the battles, that a method may listen to."""


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """Every choice that shapes a board. `cluster` names one of the battles' groups, `method` one of
    `methods.METHOD_IDS`."""

    method: str = "bt"
    ties: Ties = "half"
    style: StylePreset | None = None
    interval: IntervalKind = "sandwich"
    level: float = 0.95
    rounds: int = 1000
    seed: int = 0
    cluster: str | None = None
    simultaneous: Simultaneous = "none"
    k_factor: float = 4.0
    fit: FitSettings = field(default_factory=FitSettings)


@dataclass(frozen=True, slots=True)
class RateTask:
    """What is rated: battles that count, their sums, and style counts of both sides by feature."""

    battles: Battles
    counts: Counts
    settings: BoardSettings
    clusters: Codes | None = None
    sides: Mapping[str, tuple[Floats, Floats]] | None = None
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a method found. `fit` tells which models met; where `ratings` are not its own, it is
    not part of the board."""

    fit: Fit
    warnings: tuple[str, ...]
    ratings: Floats
    bars: Intervals | None = None
    rounds: Bootstrap | None = None
    style: StyleFit | None = None

    @property
    def likelihood(self) -> bool:
        """Whether the ratings are those of the fit, with its bounds and its regularisation."""
        return self.ratings is self.fit.ratings


class Method(ABC):
    """A method of rating. A module of `methods` holds one; nothing else names it."""

    id: ClassVar[str]
    title: ClassVar[str]
    words: ClassVar[str]
    """The title, with what a person should know who chooses it."""
    takes: ClassVar[frozenset[Takes]] = frozenset()

    @abstractmethod
    def rate(self, task: RateTask) -> Found:
        """Rate the battles. Raises ValueError where the settings ask for what is not there."""

    def gauge(self, settings: BoardSettings) -> str:
        """What fixes the level of the ratings where no anchor does, in words; "" where nothing has
        to, as with shares of wins."""
        return ""

    def spread(
        self, battles: Battles, settings: BoardSettings, orders: int, progress: Progress | None
    ) -> EloSpread | None:
        """How far random orders of the battles move the ratings; None where order is nothing."""
        return None

    @property
    def ordered(self) -> bool:
        """Whether the order of the battles matters."""
        return type(self).spread is not Method.spread
