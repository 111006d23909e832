"""Who can be compared with whom: weak and strong components of the graph "took points from"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from ifbench_tui.engine.ratings.battles import Bools, Floats

__all__ = ["Structure", "Unbounded", "structure_of"]

Unbounded: TypeAlias = Literal["above", "below"]


@dataclass(frozen=True, slots=True)
class Structure:
    """Components of a score matrix, as model indices.

    `weak`: sets of models linked by battles, largest first; ratings compare only inside one.
    `strong`: sets in which everyone took points from everyone along some chain, in condensation
    order (a set that only ever won stands first); `level` is the depth of each in that order: sets
    of equal level are not ordered by the data.
    `unbounded`: per model, "above" or "below" where its likelihood rises without end towards that
    side: sets nobody outside took a point from, and sets that took none outside. The largest strong
    set of a weak component, where there is one, is what the others are held against.
    """

    weak: tuple[tuple[int, ...], ...]
    strong: tuple[tuple[int, ...], ...]
    level: tuple[int, ...]
    unbounded: tuple[Unbounded | None, ...]

    @property
    def connected(self) -> bool:
        """All models are linked by battles."""
        return len(self.weak) <= 1

    @property
    def mle_finite(self) -> bool:
        """Maximum-likelihood ratings exist: every weak component is strongly connected."""
        return len(self.weak) == len(self.strong)

    def component_of(self) -> list[int]:
        """Number of each model's weak component."""
        owner = [0] * len(self.unbounded)
        for number, members in enumerate(self.weak):
            for model in members:
                owner[model] = number
        return owner

    def separated(self) -> Bools:
        """Mask of the models in weak components that are not strongly connected."""
        mask = np.zeros(len(self.unbounded), dtype=bool)
        if not self.mle_finite:
            strong = set(self.strong)
            for members in self.weak:
                mask[list(members)] = members not in strong
        return mask


def structure_of(scores: Floats) -> Structure:
    """Components of S, where S[i, j] > 0 means that i took points from j.

    Linear in k * k / 64 word operations: rows are held as bit sets.
    """
    k = len(scores)
    beat = _bit_rows(scores > 0)
    beaten_by = _bit_rows((scores > 0).T)
    everyone = (1 << k) - 1
    if k and _flood(beat, 1, everyone) == everyone == _flood(beaten_by, 1, everyone):
        members = tuple(range(k))
        return Structure((members,), (members,), (0,), (None,) * k)
    strong = _strong_sets(beat, beaten_by, everyone)
    weak = _weak_sets([x | y for x, y in zip(beat, beaten_by, strict=True)], everyone)
    return Structure(
        weak=tuple(_members(group) for group in weak),
        strong=tuple(_members(group) for group in strong),
        level=_levels(strong, beat),
        unbounded=_unbounded(k, weak, strong, beat, beaten_by),
    )


def _bit_rows(linked: Bools) -> list[int]:
    packed = np.packbits(linked, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def _bits(group: int) -> Iterator[int]:
    while group:
        low = group & -group
        yield low.bit_length() - 1
        group ^= low


def _members(group: int) -> tuple[int, ...]:
    return tuple(_bits(group))


def _union(rows: list[int], group: int) -> int:
    total = 0
    for node in _bits(group):
        total |= rows[node]
    return total


def _flood(rows: list[int], start: int, allowed: int) -> int:
    seen = frontier = start
    while frontier and seen != allowed:
        frontier = _union(rows, frontier) & allowed & ~seen
        seen |= frontier
    return seen


def _weak_sets(linked: list[int], everyone: int) -> list[int]:
    groups = []
    while everyone:
        group = _flood(linked, everyone & -everyone, everyone)
        groups.append(group)
        everyone &= ~group
    return sorted(groups, key=lambda group: (-group.bit_count(), group & -group))


def _strong_sets(beat: list[int], beaten_by: list[int], everyone: int) -> list[int]:
    """Kosaraju: floods of the reversed graph by falling finishing time give condensation order."""
    unvisited, finished = everyone, []
    while unvisited:
        path = [(unvisited & -unvisited).bit_length() - 1]
        unvisited &= unvisited - 1
        while path:
            step = beat[path[-1]] & unvisited
            if step:
                low = step & -step
                unvisited ^= low
                path.append(low.bit_length() - 1)
            else:
                finished.append(path.pop())
    remaining, groups = everyone, []
    for node in reversed(finished):
        if remaining >> node & 1:
            group = _flood(beaten_by, 1 << node, remaining)
            groups.append(group)
            remaining &= ~group
    return groups


def _levels(strong: list[int], beat: list[int]) -> tuple[int, ...]:
    level = [0] * len(strong)
    for upper, group in enumerate(strong):
        below = _union(beat, group) & ~group
        for lower in range(upper + 1, len(strong) if below else 0):
            if below & strong[lower]:
                level[lower] = max(level[lower], level[upper] + 1)
    return tuple(level)


def _unbounded(
    k: int, weak: list[int], strong: list[int], beat: list[int], beaten_by: list[int]
) -> tuple[Unbounded | None, ...]:
    flags: list[Unbounded | None] = [None] * k
    reference = _references(weak, strong)
    for group in strong:
        won, lost = _union(beat, group) & ~group, _union(beaten_by, group) & ~group
        if group in reference or bool(won) == bool(lost):
            continue
        for model in _bits(group):
            flags[model] = "above" if won else "below"
    return tuple(flags)


def _references(weak: list[int], strong: list[int]) -> set[int]:
    """The strong set with most models of each weak component that has a single largest one."""
    owner = {model: number for number, group in enumerate(weak) for model in _bits(group)}
    by_component: list[list[int]] = [[] for _ in weak]
    for group in strong:
        by_component[owner[group.bit_length() - 1]].append(group)
    found = set()
    for groups in by_component:
        size = max(map(int.bit_count, groups))
        largest = [group for group in groups if group.bit_count() == size]
        if len(largest) == 1:
            found.add(largest[0])
    return found
