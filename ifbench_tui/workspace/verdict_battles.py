"""A judge's preferences as battles: each AlpacaEval annotation is one, for Ratings."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence

from ifbench_tui.engine.judged.rows import Annotation, usable_preference
from ifbench_tui.formats.battle_block import ANYONE, UNKNOWN, BattleBlock, LabelColumn
from ifbench_tui.formats.records import JudgedRow

__all__ = ["NOTICE", "annotation_battles"]

NOTICE = "for Ratings each annotation is a battle with the baseline; the preference is its score"


def annotation_battles(path: str, rows: Sequence[JudgedRow]) -> BattleBlock | None:
    """The usable annotations among a file's rows as battles, the candidate on side A.

    None where there is none. A candidate against itself is no battle.
    """
    used = [
        (row.line, one, preference - 1.0)
        for row in rows
        if isinstance(one := row.value, Annotation)
        and one.model != one.baseline
        and (preference := usable_preference(one.preference)) is not None
    ]
    if not used:
        return None
    names = _Codes()
    sides = [(names.code(one.model), names.code(one.baseline)) for _, one, _ in used]
    judges, subsets = _Codes(), _Codes()
    judge = [judges.maybe(one.annotator, one.annotator) for _, one, _ in used]
    subset = [subsets.maybe(one.dataset, (one.dataset,)) for _, one, _ in used]
    nothing = [UNKNOWN] * len(used)
    unknown = LabelColumn(array("i", nothing), ())
    return BattleBlock(
        path,
        tuple(map(str, names.known)),
        array("i", [a for a, _ in sides]),
        array("i", [b for _, b in sides]),
        array("d", [score for _, _, score in used]),
        bytearray(len(used)),
        array("q", [line for line, _, _ in used]),
        [_question(one) for _, one, _ in used],
        {
            "judge": judges.column(judge),
            "session": unknown,
            "language": unknown,
            "category": subsets.column(subset),
        },
        array("i", bytes(4 * len(used))),
        array("d", [float("nan")] * len(used)),
        array("b", nothing),
        array("b", nothing),
        cluster="question",
        model_judges=ANYONE,
    )


def _question(one: Annotation) -> str | None:
    if one.instruction is not None:
        return one.instruction
    return None if one.instruction_index is None else str(one.instruction_index)


class _Codes:
    """Values numbered in the order they come."""

    def __init__(self) -> None:
        self.known: dict[Hashable, int] = {}

    def code(self, value: Hashable) -> int:
        return self.known.setdefault(value, len(self.known))

    def maybe(self, told: str | None, value: Hashable) -> int:
        """The code of a value, or that of one that is not told."""
        return UNKNOWN if told is None else self.code(value)

    def column(self, codes: list[int]) -> LabelColumn:
        return LabelColumn(array("i", codes), tuple(self.known))
