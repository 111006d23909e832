"""The loaded battles made ready to rate: chosen by filters, merged over files, integer-coded."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ifbench_tui.engine.ratings.battles import Battles, Bools, Codes, Floats, factorise
from ifbench_tui.engine.ratings.pair_votes import judge_kind
from ifbench_tui.engine.ratings.style import FEATURES
from ifbench_tui.formats.battle_block import UNKNOWN, BattleBlock, BattleLabel

__all__ = ["BattleChoice", "BattleFilter", "Blinding", "Deciders", "Labels", "choose", "passing"]

Blinding = Literal["hidden", "shown", "any"]
Deciders = Literal["any", "people", "models"]
LABELS: tuple[BattleLabel, ...] = ("judge", "session", "language", "category")
CLUSTERS: tuple[BattleLabel, ...] = ("judge", "session")


@dataclass(frozen=True, slots=True)
class BattleFilter:
    """Which battles count. Empty choices take all; a battle that does not say fails a choice.

    `blinding`: "hidden" leaves out battles whose names were shown, as the public leaderboards do.
    `sampled` leaves out repeated prompts that the file says were not drawn. `turns` is the least
    and the most number of turns. `since` and `until` are Unix seconds, the latter not included.
    A judge is named by name or by kind ("human" is any expert_N); `by` takes only people's votes or
    only judge models' verdicts. `with_style` leaves out battles
    without style counts; `with_questions` has battles grouped by question too, which costs time.
    """

    blinding: Blinding = "hidden"
    sampled: bool = True
    languages: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    by: Deciders = "any"
    turns: tuple[int, float] | None = None
    since: float | None = None
    until: float | None = None
    with_style: bool = False
    with_questions: bool = False


class Labels(NamedTuple):
    """Codes, one a battle (`UNKNOWN` where it does not say), and the value of each code."""

    codes: NDArray[np.int64]
    values: tuple[object, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BattleChoice:
    """Battles in time order where all times are known, else in file order.

    `battles.groups` has "judge", "session" and, if wanted, "question" where some battle names them;
    one that does not is a group of its own. `labels` and `questions` say which.
    `style` holds the counts of both sides. `left_out` counts what the filters took away, by reason.
    `cluster` is "question" where all files are judgments, several of which share a question.
    `turns` are numbers of turns, or which turn was judged, 0 where not known. `by_models` of the
    battles were decided by judge models.
    """

    battles: Battles
    labels: Mapping[BattleLabel, Labels]
    questions: Labels | None
    style: Mapping[str, tuple[Floats, Floats]]
    left_out: Mapping[str, int]
    cluster: str
    turns: NDArray[np.int64]
    by_models: int = 0


def choose(blocks: Sequence[BattleBlock], wanted: BattleFilter | None = None) -> BattleChoice:
    """All battles of the blocks that pass the filter."""
    wanted = wanted or BattleFilter()
    labels = {name: _merged(blocks, name) for name in LABELS}
    keep, left_out = _sieved(blocks, labels, wanted)
    rows = _in_time_order(np.flatnonzero(keep), _floats(block.time for block in blocks))
    labels = {name: Labels(one.codes[rows], one.values) for name, one in labels.items()}
    questions = _questions(blocks, rows) if wanted.with_questions else None
    grouped: dict[str, Labels | None] = {name: labels[name] for name in CLUSTERS}
    grouped["question"] = questions
    style = _style(blocks) if wanted.with_style else {}
    clusters = {block.cluster for block in blocks if len(block)}
    return BattleChoice(
        _coded(blocks, rows, grouped),
        labels,
        questions,
        {name: (a[rows], b[rows]) for name, (a, b) in style.items()},
        left_out,
        clusters.pop() if len(clusters) == 1 else "",
        _codes(block.turn for block in blocks)[rows],
        int(np.count_nonzero(_by_model(blocks)[rows])),
    )


def passing(blocks: Sequence[BattleBlock], wanted: BattleFilter) -> Bools:
    """Mask of the battles, in file order, that pass the filter."""
    return _sieved(blocks, {name: _merged(blocks, name) for name in LABELS}, wanted)[0]


def _sieved(
    blocks: Sequence[BattleBlock], labels: Mapping[BattleLabel, Labels], wanted: BattleFilter
) -> tuple[Bools, dict[str, int]]:
    """What passes, and how many battles each filter takes of what those before it let through."""
    left_out: dict[str, int] = {}
    keep = np.ones(sum(map(len, blocks)), dtype=bool)
    for reason, passes in _filters(blocks, labels, wanted):
        lost = int(np.count_nonzero(keep & ~passes))
        if lost:
            left_out[reason] = lost
            keep &= passes
    return keep, left_out


def _in_time_order(rows: Codes, times: Floats) -> Codes:
    chosen = times[rows]
    if np.isfinite(chosen).all() and (np.diff(chosen) < 0).any():
        return rows[np.argsort(chosen, kind="stable")]
    return rows


def _filters(
    blocks: Sequence[BattleBlock], labels: Mapping[BattleLabel, Labels], wanted: BattleFilter
) -> Iterator[tuple[str, Bools]]:
    """What each filter lets through, and the reason for what it does not."""
    if wanted.blinding != "any":
        hidden = _codes(block.hidden for block in blocks)
        other = 0 if wanted.blinding == "hidden" else 1
        yield f"names were {'shown' if other == 0 else 'hidden'}", hidden != other
    if wanted.sampled:
        yield "a repeated prompt, not sampled", _codes(block.sampled for block in blocks) != 0
    if wanted.by != "any":
        by_model = _by_model(blocks)
        if wanted.by == "models":
            yield "decided by a person", by_model
        else:
            yield "decided by a judge model", ~by_model
    chosen: dict[BattleLabel, tuple[str, ...]] = {
        "language": wanted.languages,
        "category": wanted.categories,
        "judge": wanted.judges,
    }
    for name, choice in chosen.items():
        if choice:
            yield f"another {name}", _among(labels[name], choice)
    if wanted.turns:
        least, most = wanted.turns
        turn = _codes(block.turn for block in blocks)
        yield "another number of turns", (turn >= max(least, 1)) & (turn <= most)
    if wanted.since is not None or wanted.until is not None:
        time = _floats(block.time for block in blocks)
        since, until = wanted.since or -math.inf, wanted.until or math.inf
        yield "another time", (time >= since) & (time < until)
    if wanted.with_style:
        sides = [side for pair in _style(blocks).values() for side in pair]
        known = np.asarray(np.isfinite(np.array(sides)).all(axis=0))
        yield "no style counts and no responses to count in", known


def _by_model(blocks: Sequence[BattleBlock]) -> Bools:
    """The battles that a judge model decided."""
    parts = [np.zeros(0, bool)]
    for block in blocks:
        models = block.model_judges
        if models is None or not models:
            parts.append(np.full(len(block), models is None))
            continue
        codes, values = block.labels["judge"]
        parts.append(np.array([*(one in models for one in values), False])[np.asarray(codes)])
    return np.concatenate(parts)


def _among(labels: Labels, choice: tuple[str, ...]) -> Bools:
    """The battles whose label is one of the choice, or names one of it."""
    folded = {one.casefold() for one in choice}
    fits = [not folded.isdisjoint(_names(value)) for value in labels.values]
    return np.array([*fits, False], dtype=bool)[labels.codes]


def _names(value: object) -> set[str]:
    if isinstance(value, tuple):
        return {str(one).casefold() for one in value}
    return {str(value).casefold(), judge_kind(str(value)).casefold()}


def _merged(blocks: Sequence[BattleBlock], name: BattleLabel) -> Labels:
    """One label over all files."""
    book: dict[Hashable, int] = {}
    parts = []
    for block in blocks:
        codes, values = block.labels[name]
        mapped = [book.setdefault(value, len(book)) for value in values]
        parts.append(np.array([*mapped, UNKNOWN])[np.asarray(codes)])
    return Labels(np.concatenate(parts) if parts else np.zeros(0, np.int64), tuple(book))


def _questions(blocks: Sequence[BattleBlock], rows: Codes) -> Labels:
    """The questions of the chosen battles: equal texts are one question, whatever the file."""
    codes, values = factorise([one or None for block in blocks for one in block.questions])
    if None in values:
        codes = np.where(codes == values.index(None), UNKNOWN, codes)
    return Labels(codes[rows], values)


def _coded(
    blocks: Sequence[BattleBlock], rows: Codes, grouped: Mapping[str, Labels | None]
) -> Battles:
    """The chosen battles with their models sorted by name."""
    known = sorted({name for block in blocks for name in block.models})
    index = {name: code for code, name in enumerate(known)}
    mapped = [np.array([index[name] for name in block.models], np.int64) for block in blocks]
    pairs = list(zip(mapped, blocks, strict=True))
    a = _codes(codes[np.asarray(block.a)] for codes, block in pairs)[rows]
    b = _codes(codes[np.asarray(block.b)] for codes, block in pairs)[rows]
    used = np.flatnonzero(np.bincount(np.append(a, b), minlength=len(known)))
    recoded = np.zeros(len(known), np.int64)
    recoded[used] = np.arange(len(used))
    weight = None
    if any(block.weight is not None for block in blocks):
        weight = _floats(block.weight or [1.0] * len(block) for block in blocks)[rows]
    return Battles(
        tuple(known[code] for code in used),
        recoded[a],
        recoded[b],
        _floats(block.y for block in blocks)[rows],
        weight,
        _codes(block.both_bad for block in blocks)[rows] == 1,
        {
            name: _own_groups(labels.codes)
            for name, labels in grouped.items()
            if labels is not None and (labels.codes != UNKNOWN).any()
        },
    )


def _own_groups(codes: Codes) -> Codes:
    """Codes in which every battle that does not say is a group of its own."""
    unknown = np.flatnonzero(codes == UNKNOWN)
    if not len(unknown):
        return codes
    codes = codes.copy()
    codes[unknown] = codes.max() + 1 + np.arange(len(unknown))
    return codes


def _style(blocks: Sequence[BattleBlock]) -> dict[str, tuple[Floats, Floats]]:
    """Counts of both sides by feature, nan for files in which they were not counted."""

    def side(name: str, which: int) -> Floats:
        return _floats(
            block.style[name][which] if block.style else [math.nan] * len(block) for block in blocks
        )

    return {name: (side(name, 0), side(name, 1)) for name in FEATURES}


def _floats(columns: Iterable[Sequence[float]]) -> Floats:
    return np.concatenate([np.zeros(0), *(np.asarray(one, np.float64) for one in columns)])


def _codes(columns: Iterable[Sequence[int] | Codes]) -> NDArray[np.int64]:
    parts = [np.asarray(memoryview(one) if isinstance(one, bytearray) else one) for one in columns]
    return np.concatenate([np.zeros(0, np.int64), *parts]).astype(np.int64, copy=False)
