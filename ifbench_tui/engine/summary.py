"""The shape of every benchmark's result, so that screens and reports need to know only one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["GroupScore", "Metric", "Summary"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A share in [0, 1] with its interval. `value` is None where there is nothing to divide by."""

    name: str
    title: str
    value: float | None
    lower: float | None
    upper: float | None
    n: int
    hits: float = 0.0
    method: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "lower": self.lower,
            "upper": self.upper,
            "n": self.n,
            "method": self.method,
        }


@dataclass(frozen=True, slots=True)
class GroupScore:
    """How one group (a type, a category, a tier) was followed: shares of `n` constraints.

    `factor` is the number by which the group multiplies a metric that is a product; a `thin` group
    has too few constraints to count in it.
    """

    name: str
    n: int
    strict: int
    loose: int
    near_misses: int = 0
    errors: int = 0
    rescued_by: tuple[int, ...] = ()
    thin: bool = False
    factor: float | None = None

    @property
    def strict_rate(self) -> float | None:
        """Share followed strictly; None for an empty group."""
        return self.strict / self.n if self.n else None

    @property
    def loose_rate(self) -> float | None:
        """Share followed loosely; None for an empty group."""
        return self.loose / self.n if self.n else None

    def to_dict(self) -> dict[str, Any]:
        return {
            "n": self.n,
            "strict": self.strict_rate,
            "loose": self.loose_rate,
            "strict_correct": self.strict,
            "loose_correct": self.loose,
            "near_misses": self.near_misses,
            "errors": self.errors,
            "rescued_by": list(self.rescued_by),
        }


@dataclass(frozen=True, slots=True)
class Summary:
    """One model's numbers on one benchmark.

    `metrics` are the headline numbers in the benchmark's order; `groups` maps a kind of group
    ("type", "category") to its scores in reporting order; `extras` holds further named values.
    """

    benchmark: str
    n_prompts: int
    n_constraints: int
    metrics: tuple[Metric, ...]
    groups: Mapping[str, tuple[GroupScore, ...]] = field(default_factory=dict)
    extras: Mapping[str, Any] = field(default_factory=dict)

    def metric(self, name: str) -> Metric:
        """The headline metric of that name; KeyError when the benchmark has none."""
        for metric in self.metrics:
            if metric.name == name:
                return metric
        raise KeyError(name)

    def to_dict(self) -> dict[str, Any]:
        """The JSON contract of `score --json` for one model."""
        return {
            "n_prompts": self.n_prompts,
            "n_constraints": self.n_constraints,
            **{metric.name: metric.value for metric in self.metrics},
            "intervals": {metric.name: metric.to_dict() for metric in self.metrics},
            **{
                f"by_{kind}": {score.name: score.to_dict() for score in scores}
                for kind, scores in self.groups.items()
            },
            **self.extras,
        }
