"""Kappa and alpha: published examples and degenerate tables."""

from __future__ import annotations

import math
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifbench_tui.engine.agreement import (
    cohen_kappa,
    cohen_kappa_from_table,
    fleiss_kappa,
    krippendorff_alpha,
    majority_label,
)

labels = st.sampled_from("abc")
ratings = st.lists(st.lists(labels, max_size=5), max_size=12)


def test_cohen_by_hand() -> None:
    table = Counter({("y", "y"): 20, ("y", "n"): 5, ("n", "y"): 10, ("n", "n"): 15})
    found = cohen_kappa_from_table(table)
    assert (found.n, found.observed, found.expected) == (50, 0.7, 0.5)
    assert found.kappa == pytest.approx(0.4)
    p = {pair: count / 50 for pair, count in table.items()}
    rows, columns = {"y": 0.5, "n": 0.5}, {"y": 0.6, "n": 0.4}
    total = sum(p[i, i] * (0.5 - (rows[i] + columns[i]) * 0.3) ** 2 for i in "yn")
    total += 0.09 * sum(p[i, j] * (columns[i] + rows[j]) ** 2 for i, j in permutations("yn", 2))
    total -= (0.7 * 0.5 - 2 * 0.5 + 0.7) ** 2
    assert found.se == pytest.approx(math.sqrt(total / 50) / 0.25)


def test_cohen_of_perfect_and_undefined_tables() -> None:
    perfect = cohen_kappa("aabb", "aabb")
    assert (perfect.kappa, perfect.se, perfect.lower, perfect.upper) == (1.0, 0.0, 1.0, 1.0)
    assert cohen_kappa("aaa", "aaa").kappa is None
    assert cohen_kappa("", "").kappa is None
    assert cohen_kappa("ab", "ba").kappa == -1.0
    with pytest.raises(ValueError, match="shorter"):
        cohen_kappa("ab", "a")


@given(st.lists(st.tuples(labels, labels), min_size=1, max_size=30))
def test_cohen_does_not_care_who_is_first(pairs: list[tuple[str, str]]) -> None:
    first, second = zip(*pairs, strict=True)
    one, two = cohen_kappa(first, second), cohen_kappa(second, first)
    assert (one.kappa is None) == (two.kappa is None)
    if one.kappa is not None and two.kappa is not None:
        assert one.kappa == pytest.approx(two.kappa)
        assert one.se == pytest.approx(two.se)
        assert one.lower is not None
        assert one.upper is not None
        assert -1 <= one.lower <= one.kappa <= one.upper <= 1


def test_fleiss_published_example() -> None:
    table = [
        (0, 0, 0, 0, 14),
        (0, 2, 6, 4, 2),
        (0, 0, 3, 5, 6),
        (0, 3, 9, 2, 0),
        (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0),
        (3, 2, 6, 3, 0),
        (2, 5, 3, 2, 2),
        (6, 5, 2, 1, 0),
        (0, 2, 2, 3, 7),
    ]
    items = [[c for c, count in enumerate(row) for _ in range(count)] for row in table]
    found = fleiss_kappa(items)
    assert (found.items, found.raters) == (10, 14)
    assert found.kappa == pytest.approx(0.20993, abs=1e-5)


def test_fleiss_needs_equal_panels() -> None:
    with pytest.raises(ValueError, match="same number"):
        fleiss_kappa(["ab", "abc"])
    with pytest.raises(ValueError, match="same number"):
        fleiss_kappa(["a", "b"])
    assert fleiss_kappa([]).kappa is None
    assert fleiss_kappa(["aa", "aa"]).kappa is None


def test_krippendorff_published_example() -> None:
    units = [
        "aaa",
        "bbcb",
        "cccc",
        "cccc",
        "bbbb",
        "abcd",
        "dddd",
        "aaba",
        "bbbb",
        "eee",
        "aa",
        "c",
    ]
    found = krippendorff_alpha(units)
    assert (found.items, found.ratings) == (11, 40)
    assert found.alpha == pytest.approx(0.743, abs=5e-4)


@given(ratings)
def test_krippendorff_agrees_with_counting_pairs(items: list[list[str]]) -> None:
    kept = [item for item in items if len(item) > 1]
    pooled = [label for item in kept for label in item]
    observed = sum(sum(x != y for x, y in permutations(item, 2)) / (len(item) - 1) for item in kept)
    expected = sum(x != y for x, y in permutations(pooled, 2))
    found = krippendorff_alpha(items)
    if expected:
        assert found.alpha == pytest.approx(1 - observed * (len(pooled) - 1) / expected)
    else:
        assert found.alpha is None


def test_majority_needs_a_strict_lead() -> None:
    assert majority_label(["a", "a", "b"]) == "a"
    assert majority_label(["a", "b"]) == "tie"
    assert majority_label([]) == "tie"
    assert majority_label(["tie", "tie", "a"]) == "tie"
