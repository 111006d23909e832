"""Two further biases of judges, from files made to measure them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ifbench_tui.engine.judged.bias import Estimate
from ifbench_tui.engine.judged.reference_effect import Accuracy, ReferenceEffect, reference_effect
from ifbench_tui.engine.judged.rows import JudgeScore, KnownPair
from ifbench_tui.engine.judged.self_enhancement import SelfEnhancement, self_enhancement
from ifbench_tui.report.boards.base import Board, BoardResult, bias_sheet, values_of
from ifbench_tui.report.boards.options import BoardOptions
from ifbench_tui.report.sheets import Cell, Column, Share, Sheet
from ifbench_tui.workspace import JudgedFile

__all__ = ["JudgeBias"]


class JudgeBias(Board):
    """Self-enhancement of each judge that has a family among the models, and reference effect."""

    id = "judge_bias"
    title = "Judge bias"

    def result(self, files: Sequence[JudgedFile], options: BoardOptions) -> BoardResult | None:
        scores, pairs = values_of(files, JudgeScore), values_of(files, KnownPair)
        if not scores and not pairs:
            return None
        favours = [
            one for one in _favours(scores) if not options.judges or one.judge in options.judges
        ]
        effect = reference_effect(pairs) if pairs else None
        sheets = tuple(_sheets(favours, effect))
        return BoardResult(
            self.id,
            self.title,
            {},
            sheets,
            (),
            warnings=(),
            extra={
                "self_enhancement": [one.to_dict() for one in favours],
                **({"reference_effect": effect.to_dict()} if effect else {}),
            },
            judge_sheets=sheets,
        )


def _favours(scores: Sequence[JudgeScore]) -> list[SelfEnhancement]:
    """Every judge with models of its family, against every judge of another family."""
    families = {one.judge: one.judge_family for one in scores}
    with_models = {one.family for one in scores}
    return [
        self_enhancement(scores, judge, reference)
        for judge, family in families.items()
        if family in with_models
        for reference, other in families.items()
        if other != family
    ]


def _sheets(favours: Iterable[SelfEnhancement], effect: ReferenceEffect | None) -> Iterable[Sheet]:
    columns = (
        *(Column(name, name) for name in ("judge", "reference")),
        *(
            Column(name, title, numeric=True, digits=3)
            for name, title in (
                ("n_own", "own n"),
                ("n_other", "other n"),
                ("own_gap", "own gap"),
                ("other_gap", "other gap"),
                ("effect", "effect"),
                ("lower", "from"),
                ("upper", "to"),
            )
        ),
        Column("note", "note"),
    )
    rows = tuple(_favour_row(one) for one in favours)
    if rows:
        yield Sheet("Self-enhancement: points more for the judge's own family", columns, rows)
    if effect:
        found = [*_accuracy_rows("default", effect.default)]
        found += _accuracy_rows("with reference", effect.guided)
        by = Column("template", "template")
        yield bias_sheet("Grading with and without a reference answer", found, by=by)


def _favour_row(one: SelfEnhancement) -> tuple[Cell, ...]:
    effect = one.effect
    note = "" if effect.enough else "not enough data"
    bounds = (effect.value, effect.lower, effect.upper)
    gaps = (one.own_gap, one.other_gap)
    return one.judge, one.reference, one.n_own, one.n_other, *gaps, *bounds, note


def _accuracy_rows(template: str, found: Accuracy) -> Iterable[tuple[Cell, ...]]:
    parts: tuple[tuple[str, Estimate], ...] = (
        ("accuracy", found.accuracy),
        ("wrong winner", found.wrong_winner_rate),
        ("tie", found.tie_rate),
    )
    for name, one in parts:
        note = "" if one.enough else "not enough data"
        yield template, name, one.n, Share(one.value, one.lower, one.upper), note
