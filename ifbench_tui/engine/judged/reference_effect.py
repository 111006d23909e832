"""How well a judge finds the better of two answers where one is known to be better (spec 5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ifbench_tui.engine.judged.bias import Estimate, share
from ifbench_tui.engine.judged.rows import KnownPair

__all__ = ["Accuracy", "ReferenceEffect", "reference_effect"]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Verdicts on items with a known better side; a tie is a failure."""

    accuracy: Estimate
    failure_rate: Estimate
    wrong_winner_rate: Estimate
    tie_rate: Estimate

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "n": self.accuracy.n,
            "accuracy": self.accuracy.value,
            "failure_rate": self.failure_rate.value,
            "wrong_winner_rate": self.wrong_winner_rate.value,
            "tie_rate": self.tie_rate.value,
            "lower": self.accuracy.lower,
            "upper": self.accuracy.upper,
            "enough": self.accuracy.enough,
        }


@dataclass(frozen=True, slots=True)
class ReferenceEffect:
    """What a reference answer in the prompt does for grading maths, reasoning and code.

    `fixed`/`broken`: items (valid under both) that only the guided / only the default template gets
    right. `failure_rate_reduction` = failure rate default - guided.
    """

    default: Accuracy
    guided: Accuracy
    n_paired: int
    fixed: int
    broken: int
    failure_rate_reduction: float | None

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "default": self.default.to_dict(),
            "reference_guided": self.guided.to_dict(),
            "paired": {"n": self.n_paired, "fixed": self.fixed, "broken": self.broken},
            "failure_rate_reduction": self.failure_rate_reduction,
        }


_VALID = frozenset({"A", "B", "tie"})


def reference_effect(pairs: Iterable[KnownPair]) -> ReferenceEffect:
    """Accuracy under the default and the reference-guided template, and the paired table."""
    items = list(pairs)
    default = _accuracy([(one.correct, one.default) for one in items])
    guided = _accuracy([(one.correct, one.guided) for one in items])
    paired = [
        (one.default == one.correct, one.guided == one.correct)
        for one in items
        if one.default in _VALID and one.guided in _VALID
    ]
    failures = default.failure_rate.value, guided.failure_rate.value
    reduction = None
    if failures[0] is not None and failures[1] is not None:
        reduction = failures[0] - failures[1]
    return ReferenceEffect(
        default,
        guided,
        len(paired),
        paired.count((False, True)),
        paired.count((True, False)),
        reduction,
    )


def _accuracy(verdicts: Sequence[tuple[str, str]]) -> Accuracy:
    valid = [(correct, found) for correct, found in verdicts if found in _VALID]
    n = len(valid)
    right = sum(correct == found for correct, found in valid)
    ties = sum(found == "tie" for _, found in valid)
    return Accuracy(
        share(right, n), share(n - right, n), share(n - right - ties, n), share(ties, n)
    )
