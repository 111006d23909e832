"""Files that measure a judge: scores by family, and pairs whose better side is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ifbench_tui.engine.judged.rows import JudgeScore, KnownPair
from ifbench_tui.formats.fields import key_of
from ifbench_tui.formats.judged import JudgedFormat, name_of, optional_text, real
from ifbench_tui.formats.lines import BadRow
from ifbench_tui.formats.tables import Table

__all__ = ["FamilyScores", "KnownPairs"]


class FamilyScores(JudgedFormat):
    """Scores of several judges with the families of judges and models."""

    id = "judge-family-scores"
    title = "judge scores by family"
    order = 20
    columns = ("question_id", "model", "family", "judge", "judge_family", "score")

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        return JudgeScore(
            key_of(data.get("question_id")),
            name_of(data, "model"),
            name_of(data, "family"),
            name_of(data, "judge"),
            name_of(data, "judge_family"),
            real(data.get("score"), "score"),
        )


class KnownPairs(JudgedFormat):
    """Verdicts with and without a reference answer on pairs with a known better side."""

    id = "judge-known-pairs"
    title = "pairs with a known better side"
    order = 20
    columns = ("correct", "verdict_default", "verdict_reference_guided")

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        correct = data.get("correct")
        if correct not in ("A", "B"):
            raise BadRow(f"the correct side {correct!r:.40} is neither A nor B")
        default, guided = (
            optional_text(data.get(name)) or "error"
            for name in ("verdict_default", "verdict_reference_guided")
        )
        return KnownPair(correct, default, guided)
