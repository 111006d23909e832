"""What the battles say about those who decided them: side preference, agreement, odd voters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ifbench_tui.engine.agreement import Kappa
from ifbench_tui.engine.ratings.battles import Battles, Codes, aggregate
from ifbench_tui.engine.ratings.bradley_terry import ELO_PER_NAT
from ifbench_tui.engine.ratings.pair_votes import (
    PairVote,
    PooledAgreement,
    judge_kappas,
    pooled_agreement,
)
from ifbench_tui.engine.ratings.raters import PositionBias, position_bias, suspicious_raters
from ifbench_tui.formats.battle_block import UNKNOWN
from ifbench_tui.report.sheets import Cell, Column, Share, Sheet
from ifbench_tui.workspace.battles import BattleChoice

__all__ = ["Annotator", "Annotators", "annotator_sheets", "annotators_of"]

MOST = 50
"""Annotators shown, those with most battles: public battles have a hundred thousand."""


@dataclass(frozen=True, slots=True)
class Annotator:
    """One annotator or judge. `evidence` above 1 is suspicious; None below five battles."""

    name: str
    battles: int
    ties: int
    bias: PositionBias
    evidence: float | None

    @property
    def suspicious(self) -> bool:
        """Votes differ from everyone else's more than chance allows."""
        return self.evidence is not None and self.evidence > 1.0

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "name": self.name,
            "battles": self.battles,
            "ties": self.ties,
            "position_bias": self.bias.to_dict(),
            "evidence": self.evidence,
            "suspicious": self.suspicious,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Annotators:
    """All battles together, each annotator, and how often they agree on the same two responses.

    `more` counts annotators that are not listed; `pooled` is None where no two battles are about
    the same question and models.
    """

    everyone: Annotator
    rows: tuple[Annotator, ...]
    more: int
    kappas: Mapping[tuple[str, str], Kappa]
    pooled: PooledAgreement | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        pooled = None
        if self.pooled is not None:
            pooled = {
                "alpha": self.pooled.alpha.to_dict(),
                "fleiss": self.pooled.fleiss.to_dict(),
                "items": len(self.pooled.majority),
            }
        kappas = [
            {"first": first, "second": second, **kappa.to_dict()}
            for (first, second), kappa in self.kappas.items()
        ]
        return {
            "everyone": self.everyone.to_dict(),
            "annotators": [row.to_dict() for row in self.rows],
            "not_listed": self.more,
            "kappas": kappas,
            "pooled": pooled,
        }


def annotators_of(choice: BattleChoice) -> Annotators:
    """Everyone and each annotator; `choice` must know its questions for agreement."""
    codes, values = choice.labels["judge"]
    known = codes[codes != UNKNOWN]
    sizes = np.bincount(known, minlength=len(values))
    order = np.argsort(-sizes, kind="stable")
    listed = [int(code) for code in order[:MOST] if sizes[code]]
    # Whoever is not listed counts as part of the crowd, not as a voter.
    of_whom = np.where(np.isin(codes, listed), codes, UNKNOWN)
    evidence = {
        one.judge: one.evidence
        for one in suspicious_raters(choice.battles, of_whom)
        if one.judge != UNKNOWN
    }
    votes = _repeated(choice, of_whom)
    return Annotators(
        _annotator(choice, "everyone", np.arange(len(codes)), None),
        tuple(
            _annotator(
                choice, _name(values[code]), np.flatnonzero(codes == code), evidence.get(code)
            )
            for code in listed
        ),
        int((sizes > 0).sum()) - len(listed),
        judge_kappas(votes),
        pooled_agreement(votes) if votes else None,
    )


def _annotator(choice: BattleChoice, name: str, rows: Codes, evidence: float | None) -> Annotator:
    battles = _among_themselves(choice.battles.select(rows))
    ties = int(np.count_nonzero(battles.y == 0.5))
    return Annotator(name, len(battles), ties, position_bias(aggregate(battles)), evidence)


def _among_themselves(battles: Battles) -> Battles:
    """The same battles over just the models that fight in them: most annotators see a few."""
    used, codes = np.unique(np.stack([battles.a, battles.b]), return_inverse=True)
    a, b = codes.reshape(2, -1)
    return replace(battles, models=tuple(battles.models[code] for code in used), a=a, b=b)


def _repeated(choice: BattleChoice, judges: Codes) -> list[PairVote]:
    """Battles of listed annotators on questions and models that more than one battle is about."""
    if choice.questions is None:
        return []
    battles, (questions, texts) = choice.battles, choice.questions
    low, high = np.minimum(battles.a, battles.b), np.maximum(battles.a, battles.b)
    rows = np.flatnonzero((questions != UNKNOWN) & (judges != UNKNOWN))
    items = np.stack([questions[rows], low[rows], high[rows], choice.turns[rows]])
    _, place, count = np.unique(items, axis=1, return_inverse=True, return_counts=True)
    names = {code: _name(value) for code, value in enumerate(choice.labels["judge"].values)}
    models = battles.models
    return [
        PairVote(
            str(texts[questions[row]]),
            models[battles.a[row]],
            models[battles.b[row]],
            "tie" if battles.y[row] == 0.5 else "model_a" if battles.y[row] > 0.5 else "model_b",
            names[int(judges[row])],
            int(choice.turns[row]),
        )
        for row in rows[count[place.reshape(-1)] > 1].tolist()
    ]


def _name(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def annotator_sheets(found: Annotators) -> list[Sheet]:
    """Annotators, and the agreement of every two of them."""
    columns = (
        Column("annotator", "annotator"),
        Column("battles", "battles", numeric=True),
        Column("wins_a", "A wins", numeric=True),
        Column("wins_b", "B wins", numeric=True),
        Column("ties", "ties", numeric=True),
        Column("share_a", "A %", numeric=True),
        Column("p_value", "p", numeric=True),
        Column("evidence", "odd", numeric=True, digits=3),
        Column("side_elo", "A in Elo", numeric=True, digits=1),
        Column("side_se", "se", numeric=True, digits=1),
    )
    tables = [
        Sheet("Annotators", columns, tuple(_cells(row) for row in (found.everyone, *found.rows)))
    ]
    if found.kappas:
        pairs = (
            Column("first", "annotator"),
            Column("second", "annotator"),
            Column("n", "same pairs", numeric=True),
            Column("observed", "agree %", numeric=True),
            Column("kappa", "kappa", numeric=True, digits=3),
            Column("lower", "from", numeric=True, digits=3),
            Column("upper", "to", numeric=True, digits=3),
        )
        rows = tuple(
            (first, second, k.n, Share(k.observed), k.kappa, k.lower, k.upper)
            for (first, second), k in found.kappas.items()
        )
        tables.append(Sheet("Agreement of annotators", pairs, rows))
    return tables


def _cells(row: Annotator) -> tuple[Cell, ...]:
    bias = row.bias
    decisive = bias.wins_a + bias.wins_b
    elo, se = (None if np.isnan(x) else x for x in (bias.elo, ELO_PER_NAT * bias.se))
    share = Share(bias.wins_a / decisive if decisive else None)
    counts = (row.battles, bias.wins_a, bias.wins_b, row.ties)
    return (row.name, *counts, share, bias.p_value, row.evidence, elo, se)
