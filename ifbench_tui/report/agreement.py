"""Marks of a session set against the verdicts of a suite: the agreement table, corrected scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ifbench_tui.engine.benchmark import JudgedResponse
from ifbench_tui.engine.summary import Summary
from ifbench_tui.engine.verdict import Lattice
from ifbench_tui.engine.verifier_agreement import (
    AgreementScore,
    MarkedCell,
    Place,
    agreement_score,
    agreement_scores,
    corrected,
    human_verdict,
    majority,
)
from ifbench_tui.report.results import Results
from ifbench_tui.report.sheets import Cell, Column, Share, Sheet
from ifbench_tui.scoring import summarise
from ifbench_tui.store import Event, text_digest

__all__ = ["Agreement", "CorrectedScore", "agreement", "agreement_sheet", "corrected_sheet"]


@dataclass(frozen=True, slots=True)
class CorrectedScore:
    """One model's numbers as the verifier has them, and with marked cells as people see them."""

    official: Summary
    corrected: Summary

    def to_dict(self) -> dict[str, Any]:
        """Both summaries' metrics with their intervals."""
        sides = {"official": self.official, "corrected": self.corrected}
        return {
            name: {metric.name: metric.to_dict() for metric in summary.metrics}
            for name, summary in sides.items()
        }


@dataclass(frozen=True, slots=True)
class Agreement:
    """What the marks of one suite say.

    Marks on responses that are not loaded (`elsewhere`), or whose text or constraints are no
    longer those that were marked (`changed`), are counted and otherwise left out.
    """

    benchmark: str
    total: AgreementScore
    types: tuple[AgreementScore, ...]
    models: Mapping[str, CorrectedScore]
    annotators: tuple[str, ...]
    elsewhere: int
    changed: int

    def to_dict(self) -> dict[str, Any]:
        """The JSON contract of `agreement --json` for one benchmark."""
        return {
            "benchmark": self.benchmark,
            "annotators": list(self.annotators),
            "total": self.total.to_dict(),
            "by_type": {score.name: score.to_dict() for score in self.types},
            "models": {model: score.to_dict() for model, score in self.models.items()},
            "marks_elsewhere": self.elsewhere,
            "marks_changed": self.changed,
        }


def agreement(results: Results, marks: Iterable[Event]) -> Agreement:
    """Set marks against verdicts: the present verdict of a cell, or the one marked while pending.

    Each annotator's mark is one item of the table. Scores are corrected by the majority of those
    who marked a cell, for models whose summary is there.
    """
    suite = results.suite
    constraints = {prompt.key: prompt.constraints for prompt in suite.prompts}
    judged = {model: {row.key: row for row in rows} for model, rows in results.judged.items()}
    cells: list[MarkedCell] = []
    opinions: dict[str, dict[Place, list[bool | None]]] = defaultdict(lambda: defaultdict(list))
    annotators: set[str] = set()
    elsewhere = changed = 0
    for mark in marks:
        where, body = mark.subject, mark.body
        model, key, index = where["model"], where["key"], where["index"]
        response = suite.response(model, key)
        if where["benchmark"] != suite.benchmark_id or response is None:
            elsewhere += 1
            continue
        specs = constraints[key]
        same = index < len(specs) and specs[index].type == where["type"]
        if not same or text_digest(response.text) != body["digest"]:
            changed += 1
            continue
        verdict = _verdict(judged.get(model, {}).get(key), index, where["variant"], body["verdict"])
        human = human_verdict(body["opinion"], body["verdict"])
        cells.append(MarkedCell(where["type"], verdict, human))
        opinions[model][key, index, where["variant"]].append(human)
        annotators.add(mark.annotator)
    return Agreement(
        suite.benchmark_id,
        agreement_score("all types", cells),
        agreement_scores(cells),
        {model: _corrected(results, model, opinions[model])
         for model in results.summaries if model in opinions},
        tuple(sorted(annotators)),
        elsewhere,
        changed,
    )  # fmt: skip


def _verdict(
    judged: JudgedResponse | None, index: int, column: int | str, marked: bool | None
) -> bool:
    """A check that raised counts as not followed."""
    return (marked if judged is None else _cell(judged.lattices[index], column)) is True


def _cell(lattice: Lattice, column: int | str) -> bool | None:
    if isinstance(column, int):
        return lattice.cells[column] if column < len(lattice.cells) else None
    return lattice.loose_cell if column == "loose" else lattice.strict_cell


def _corrected(
    results: Results, model: str, opinions: Mapping[Place, list[bool | None]]
) -> CorrectedScore:
    decided = {place: majority(said) for place, said in opinions.items()}
    verdicts = {place: verdict for place, verdict in decided.items() if verdict is not None}
    rows = corrected(results.judged[model], verdicts)
    return CorrectedScore(results.summaries[model], summarise(results.suite, rows))


def agreement_sheet(found: Agreement) -> Sheet:
    """A row a type, then all types together."""
    columns = (
        Column("type", "constraint"),
        Column("n", "n", numeric=True),
        Column("agreed", "agree", numeric=True),
        Column("false_passes", "false pass", numeric=True),
        Column("false_fails", "false fail", numeric=True),
        Column("unclear", "unclear", numeric=True),
        Column("agreement", "agreement", interval=True, numeric=True),
        Column("kappa", "kappa", numeric=True, digits=3),
        Column("kappa_lower", "from", numeric=True, digits=3),
        Column("kappa_upper", "to", numeric=True, digits=3),
    )
    rows = tuple(_row(score) for score in (*found.types, found.total))
    return Sheet("Human against verifier: marked cells, %", columns, rows)


def _row(score: AgreementScore) -> tuple[Cell, ...]:
    kappa = score.kappa
    return (
        score.name,
        score.n,
        score.agreed,
        score.false_passes,
        score.false_fails,
        score.unclear,
        Share(score.share, score.lower, score.upper),
        kappa.kappa,
        kappa.lower,
        kappa.upper,
    )


def corrected_sheet(found: Agreement) -> Sheet:
    """A row a model and metric: the official value, and the one with marked cells corrected."""
    columns = (
        Column("model", "model"),
        Column("metric", "metric"),
        Column("official", "official", interval=True, numeric=True),
        Column("corrected", "corrected", interval=True, numeric=True),
    )
    rows = tuple(
        (
            model,
            official.name,
            Share(official.value, official.lower, official.upper),
            Share(own.value, own.lower, own.upper),
        )
        for model, score in found.models.items()
        for official, own in zip(score.official.metrics, score.corrected.metrics, strict=True)
    )
    return Sheet("Scores with marked cells corrected, %", columns, rows)
