"""Readers of the shared rating data, and random battles for the property tests."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from ifbench_tui.engine.ratings.battles import Battles, Counts, Encoded, aggregate, encode

BATTLE_SETS = (
    "tiny",
    "duplicates",
    "medium_ties",
    "medium_style",
    "sparse129",
    "disconnected",
    "separated",
)


def folder(shared: Path) -> Path:
    """Where the golden rating data lies."""
    return shared / "golden" / "ratings"


def expected(shared: Path, name: str) -> Any:
    """The expectations of one battle set."""
    return json.loads((folder(shared) / name / "expected.json").read_text())


def rows_of(shared: Path, name: str) -> list[dict[str, Any]]:
    """The battle rows of one set."""
    path = folder(shared) / name / "battles.jsonl"
    if path.exists():
        return [json.loads(line) for line in path.read_text().splitlines()]
    with gzip.open(f"{path}.gz", "rt") as lines:
        return [json.loads(line) for line in lines]


def coded(rows: Iterable[Mapping[str, Any]]) -> Encoded:
    """Encode FastChat-style rows; `count` repeats a row, `weight` weighs it."""
    rows = [row for row in rows for _ in range(row.get("count", 1))]
    weights = [row.get("weight", 1.0) for row in rows]
    return encode(
        [row["model_a"] for row in rows],
        [row["model_b"] for row in rows],
        [row["winner"] for row in rows],
        weights=weights if any(w != 1.0 for w in weights) else None,
    )


def battles_of(shared: Path, name: str) -> Battles:
    """One battle set as codes."""
    return coded(rows_of(shared, name)).battles


def simple(*rows: tuple[str, str, str, int]) -> Battles:
    """Battles from (model a, model b, winner, count) rows."""
    names = ("model_a", "model_b", "winner", "count")
    return coded(dict(zip(names, row, strict=True)) for row in rows).battles


def worst(models: tuple[str, ...], values: Any, wanted: Mapping[str, float | None]) -> float:
    """Largest absolute deviation over the models that have an expectation."""
    return max(
        abs(values[models.index(model)] - value)
        for model, value in wanted.items()
        if value is not None
    )


def worst_ratio(models: tuple[str, ...], values: Any, wanted: Mapping[str, float]) -> float:
    """Largest relative deviation over the models whose expectation is not 0."""
    return max(
        abs(values[models.index(model)] / value - 1.0) for model, value in wanted.items() if value
    )


def real_counts(shared: Path) -> Counts:
    """The real Arena pair counts of 2024-08-14."""
    data = json.loads((folder(shared) / "real_arena_20240814" / "pair_counts.json").read_text())
    rows = [
        (i, j, y, bad, count)
        for i, j, won, lost, tied, both in data["pairs"]
        for y, bad, count in (
            (1.0, False, won),
            (0.0, False, lost),
            (0.5, False, tied),
            (0.5, True, both),
        )
        if count
    ]
    i, j, y, bad, count = map(np.array, zip(*rows, strict=True))
    return Counts(tuple(data["models"]), i, j, y, bad, np.ones(len(i)), count)


def random_battles(
    rng: np.random.Generator, k: int, n: int, *, spread: float = 1.0, ties: float = 0.2
) -> Battles:
    """Battles of k models with normal strengths."""
    beta = rng.normal(0.0, spread, k)
    a = rng.integers(0, k, n)
    b = (a + rng.integers(1, k, n)) % k
    won = rng.random(n) < 1.0 / (1.0 + np.exp(beta[b] - beta[a]))
    tied = rng.random(n) < ties
    y = np.where(tied, 0.5, won.astype(float))
    return Battles(tuple(f"m{i:02d}" for i in range(k)), a, b, y)


@st.composite
def battle_sets(draw: st.DrawFn, *, most_models: int = 6, most_battles: int = 40) -> Battles:
    """Small battle sets of any structure: disconnected, separated, with ties."""
    k = draw(st.integers(2, most_models))
    pair = st.tuples(st.integers(0, k - 1), st.integers(1, k - 1), st.sampled_from([0.0, 0.5, 1.0]))
    rows = draw(st.lists(pair, min_size=1, max_size=most_battles))
    a = np.array([row[0] for row in rows])
    b = (a + np.array([row[1] for row in rows])) % k
    y = np.array([row[2] for row in rows])
    return Battles(tuple(f"m{i}" for i in range(k)), a, b, y)


def finite_battles(seed: int, k: int, n: int) -> Battles:
    """Random battles made strongly connected by a ring of ties."""
    battles = random_battles(np.random.default_rng(seed), k, n)
    ring = np.arange(k)
    return Battles(
        battles.models,
        np.concatenate([battles.a, ring]),
        np.concatenate([battles.b, (ring + 1) % k]),
        np.concatenate([battles.y, np.full(k, 0.5)]),
    )


def counts_of(shared: Path, name: str) -> Counts:
    """One battle set, aggregated."""
    return aggregate(battles_of(shared, name))


def reweighted(counts: Counts, minimum: int = 50) -> Counts:
    """As arena-rank weighs battles: by 1 / max(battles of the unordered pair, minimum)."""
    pairs = np.stack([np.minimum(counts.a, counts.b), np.maximum(counts.a, counts.b)])
    _, place = np.unique(pairs, axis=1, return_inverse=True)
    battles = np.bincount(place.reshape(-1), counts.count)[place.reshape(-1)]
    return replace(counts, weight=counts.weight / np.maximum(battles, minimum))
