"""Columns of battles, filled from rows; what cannot be read for certain is refused."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import count
from types import NoneType
from typing import Any, Literal

from ifbench_tui.formats.battle_block import UNKNOWN, BattleBlock, BattleLabel, LabelColumn
from ifbench_tui.formats.battle_fields import (
    CATEGORIES,
    categories,
    flag,
    label_of,
    moment,
    number,
    sampled,
    weight_of,
    whole,
)
from ifbench_tui.formats.battle_style import FEATURES, STYLED, side_style
from ifbench_tui.formats.lines import BadRow
from ifbench_tui.formats.records import Problem
from ifbench_tui.formats.tables import Table

__all__ = ["BattleColumns", "BattleRow"]

BattleRow = Mapping[str, Any]
"""A battle by FastChat's field names: model_a, model_b, winner, and what else is known."""

CHUNK = 512
QUESTIONS = ("question_id", "uid", "id", "prompt")
LABELS: dict[BattleLabel, tuple[str, ...]] = {
    "judge": ("judge", "judge_hash", "annotator"),
    "session": ("evaluation_session_id", "session_id"),
    "language": ("language",),
}
TIMES = ("tstamp", "timestamp")
OTHERS = ("turn", "anony", "dedup_tag")
NAMELESS = "the name of a model is missing"
ODD_COUNTS = "the row's style counts are no counts: not used for style control"
WORDS = "the row has no token counts: lengths are whitespace words"


class _Names(dict[str, int]):
    """Gives each new name the next code. Raises `BadRow` for a blank one."""

    def __missing__(self, name: str) -> int:
        if not name.strip():
            raise BadRow(NAMELESS)
        code = self[name] = len(self)
        return code


class _Label:
    """One column of labels: the first value seen has code 0; none, or "", is `UNKNOWN`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._book: dict[Hashable, int] = {None: UNKNOWN, "": UNKNOWN}
        self._codes = array("i")

    def extend(self, values: list[Any]) -> None:
        """Append labels that are hashable."""
        book = self._book
        new = [one for one in dict.fromkeys(values) if one not in book]
        book.update(zip(new, count(len(book) - 2)))
        self._codes.extend(map(book.__getitem__, values))

    def extend_texts(self, values: list[Any]) -> None:
        """Append what a file holds as labels."""
        self.extend(_texts(values))

    def column(self) -> LabelColumn:
        return LabelColumn(self._codes, tuple(self._book)[2:])


class BattleColumns:
    """The battles of one file. Rows are checked one by one and turned into columns in chunks."""

    def __init__(self, table: Table, labels: Mapping[str, str], encoded: bool) -> None:
        from ifbench_tui.engine.ratings.battles import BOTH_BAD, OUTCOME_SCORES, WINNER_LABELS

        self._path = table.path
        self._encoded = encoded
        self._styled = table.options.battle_style
        named, there = table.options.mapping, frozenset(table.columns)
        self._side_a, self._side_b = (named.get(one, one) for one in ("model_a", "model_b"))
        self._winner, self._score = named.get("winner", "winner"), named.get("score")
        self._weight = named.get("weight", "weight")
        self._time = _first(TIMES, there)
        codes = {**WINNER_LABELS, **{one: WINNER_LABELS[own] for one, own in labels.items()}}
        scores = OUTCOME_SCORES.tolist()
        self._outcomes = {one: (scores[code], int(code == BOTH_BAD)) for one, code in codes.items()}
        self._labels = {
            label: _Label(named.get(label) or _first(names, there))
            for label, names in LABELS.items()
        }
        self._question = named.get("question") or _first(QUESTIONS, there)
        self._questions: list[str | None] = []
        self._categories = _Label("category")
        self._models = _Names()
        self._a, self._b = array("i"), array("i")
        self._y, self._both_bad = array("d"), bytearray()
        self._weights, self._lines = array("d"), array("q")
        self._turns, self._times = array("i"), array("d")
        self._hidden, self._sampled = array("b"), array("b")
        self._style = {name: (array("d"), array("d")) for name in FEATURES}
        self._words = self._odd = 0
        self._waiting: list[tuple[int, int, int, tuple[float, int], float, BattleRow]] = []

    @property
    def names(self) -> list[str]:
        """Every column that is looked at."""
        labels = [label.name for label in self._labels.values()]
        score = [self._score] if self._score else []
        style = STYLED if self._styled else ()
        own = (self._side_a, self._side_b, self._winner, self._weight, self._time, self._question)
        return [*own, *score, *labels, *OTHERS, *CATEGORIES, *style]

    def add(self, line: int, data: BattleRow) -> None:
        """Take one battle. Raises `BadRow` where it cannot be rated."""
        a, b = data.get(self._side_a), data.get(self._side_b)
        if type(a) is not str or type(b) is not str:
            raise BadRow(NAMELESS)
        if self._score is None:
            winner = data.get(self._winner)
            outcome = self._outcomes.get(winner) if type(winner) is str else None
        else:
            outcome = _scored(data.get(self._score)), 0
        weight = weight_of(data[self._weight]) if self._weight in data else 1.0
        if a == b and a.strip():
            raise BadRow("the same model is on both sides")
        code_a, code_b = self._models[a], self._models[b]
        if outcome is None:
            raise BadRow(f"unknown winner {_short(data.get(self._winner))}")
        self._waiting.append((line, code_a, code_b, outcome, weight, data))
        if len(self._waiting) >= CHUNK:
            self._flush()

    def _flush(self) -> None:
        """Turn the battles that wait into columns."""
        if not self._waiting:
            return
        lines, a, b, outcomes, weights, rows = zip(*self._waiting, strict=True)
        self._waiting.clear()
        self._lines.extend(lines)
        self._a.extend(a)
        self._b.extend(b)
        self._y.extend([y for y, _ in outcomes])
        self._both_bad.extend([bad for _, bad in outcomes])
        self._weights.extend(weights)
        question = self._question
        self._questions += _texts([row.get(question) for row in rows])
        for label in self._labels.values():
            name = label.name
            label.extend_texts([row.get(name) for row in rows])
        time = self._time
        _extend(self._turns, [row.get("turn") for row in rows], int, whole)
        _extend(self._times, [row.get(time) for row in rows], float, moment)
        _extend(self._hidden, [row.get("anony") for row in rows], bool, flag)
        _extend(self._sampled, [row.get("dedup_tag") for row in rows], bool, sampled)
        self._categories.extend([categories(row) for row in rows])
        if self._styled:
            for row in rows:
                self._add_style(row)

    def _add_style(self, row: BattleRow) -> None:
        try:
            sides = [side_style(row, side, encoded=self._encoded) for side in ("a", "b")]
        except (ValueError, OverflowError):
            sides = [None, None]
            self._odd += 1
        for side, found in enumerate(sides):
            counts = (math.nan,) * len(FEATURES) if found is None else found.counts
            for columns, value in zip(self._style.values(), counts, strict=True):
                columns[side].append(value)
        self._words += any(found is not None and found.words for found in sides)

    def notices(self) -> Iterator[Problem]:
        """What a person should know about the file as a whole."""
        for reason, rows in ((ODD_COUNTS, self._odd), (WORDS, self._words)):
            if rows:
                yield Problem(self._path, None, "notice", reason, rows=rows)

    def block(
        self, cluster: Literal["question", ""], judged_by_model: Callable[[str], bool] | None
    ) -> BattleBlock:
        """All battles taken. `judged_by_model` tells judges that are models; None: all are."""
        self._flush()
        labels = {**self._labels, "category": self._categories}
        return BattleBlock(
            self._path,
            tuple(self._models),
            self._a,
            self._b,
            self._y,
            self._both_bad,
            self._lines,
            self._questions,
            {name: label.column() for name, label in labels.items()},
            self._turns,
            self._times,
            self._hidden,
            self._sampled,
            self._weights if any(one != 1.0 for one in self._weights) else None,
            self._style if self._styled else {},
            cluster,
            None if judged_by_model is None else frozenset(filter(judged_by_model, self._judges())),
        )

    def _judges(self) -> list[str]:
        return [str(one) for one in self._labels["judge"].column().values]


def _texts(values: list[Any]) -> list[str | None]:
    """What a file holds as labels, as texts."""
    if set(map(type, values)) <= {str, NoneType}:
        return values
    return [one if type(one) is str else label_of(one) for one in values]


def _extend(
    column: array[Any], values: list[Any], kind: type, read: Callable[[Any], float]
) -> None:
    """Append values, each by itself only where they are not all absent, or all of one kind."""
    kinds = set(map(type, values))
    try:
        if kinds == {kind}:
            column.extend(array(column.typecode, values))
            return
    except OverflowError:
        pass
    if kinds == {NoneType}:
        column.extend([read(None)] * len(values))
    else:
        column.extend([read(value) for value in values])


def _first(names: tuple[str, ...], there: frozenset[str]) -> str:
    return next((name for name in names if name in there), names[0])


def _scored(value: Any) -> float:
    """Side A's score. Raises `BadRow`."""
    score = number(value)
    if score is None or not 0.0 <= score <= 1.0:
        raise BadRow(f"the score {_short(value)} is not between 0 and 1")
    return score


def _short(value: Any) -> str:
    text = repr(value[:40] if isinstance(value, str) else value)
    return text if len(text) <= 60 else text[:59] + "…"
