"""Human against verifier: where people's own verdicts differ from the verifier's, and by how much.

A person marks a cell: one constraint of one response in one column of the lattice. The verifier's
verdict and the person's are two ratings of that cell; a check that raised counts as not followed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ifbench_tui.engine.agreement import Kappa, cohen_kappa_from_table
from ifbench_tui.engine.benchmark import JudgedResponse
from ifbench_tui.engine.intervals import wilson
from ifbench_tui.engine.verdict import Lattice

__all__ = [
    "AgreementScore",
    "MarkedCell",
    "Place",
    "agreement_score",
    "agreement_scores",
    "corrected",
    "human_verdict",
    "majority",
]

Place = tuple[str, int, int | str]
"""Prompt key, number of the constraint from 0, column: a variant's number, "strict" or "loose"."""


@dataclass(frozen=True, slots=True)
class MarkedCell:
    """One opinion on one cell: the verifier's verdict and the person's, None for unclear."""

    type: str
    verifier: bool
    human: bool | None


@dataclass(frozen=True, slots=True)
class AgreementScore:
    """How well one group of cells (a type) was verified, people's verdicts taken as true.

    `n` counts decided cells, so n = both_pass + both_fail + false_passes + false_fails; cells
    marked unclear are counted apart. A false pass is a cell the verifier passes and the person
    fails, a false fail the other way round. `share` = agreed / n with Wilson's 95 % interval;
    `kappa` is Cohen's. Both are None-valued where they are not defined.
    """

    name: str
    both_pass: int
    both_fail: int
    false_passes: int
    false_fails: int
    unclear: int
    share: float | None
    lower: float | None
    upper: float | None
    kappa: Kappa

    @property
    def n(self) -> int:
        """Cells on which the person decided."""
        return self.agreed + self.false_passes + self.false_fails

    @property
    def agreed(self) -> int:
        """Cells on which both say the same."""
        return self.both_pass + self.both_fail

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "n": self.n,
            "agreed": self.agreed,
            "both_pass": self.both_pass,
            "both_fail": self.both_fail,
            "false_passes": self.false_passes,
            "false_fails": self.false_fails,
            "unclear": self.unclear,
            "agreement": {"value": self.share, "lower": self.lower, "upper": self.upper},
            "kappa": self.kappa.to_dict(),
        }


def human_verdict(opinion: str, verdict: bool | None) -> bool | None:
    """What an opinion says of a cell, given the verdict it was an opinion on.

    "agree" repeats the verdict, a check that raised being not followed; "unclear" is None.
    """
    if opinion == "agree":
        return verdict is True
    return {"should_pass": True, "should_fail": False}.get(opinion)


def agreement_score(name: str, cells: Iterable[MarkedCell]) -> AgreementScore:
    """The tally of one group of marked cells; empty groups have no share and no kappa.

    Kappa is (po - pe) / (1 - pe) with po = agreed / n and
    pe = (verifier passes · human passes + verifier fails · human fails) / n².
    """
    table: Counter[tuple[Hashable, Hashable]] = Counter()
    unclear = 0
    for cell in cells:
        if cell.human is None:
            unclear += 1
        else:
            table[cell.verifier, cell.human] += 1
    agreed, n = table[True, True] + table[False, False], table.total()
    lower, upper = wilson(agreed, n) or (None, None)
    return AgreementScore(
        name,
        table[True, True],
        table[False, False],
        table[True, False],
        table[False, True],
        unclear,
        agreed / n if n else None,
        lower,
        upper,
        cohen_kappa_from_table(table),
    )


def agreement_scores(cells: Iterable[MarkedCell]) -> tuple[AgreementScore, ...]:
    """A score per type, types in the order of their names."""
    members: dict[str, list[MarkedCell]] = defaultdict(list)
    for cell in cells:
        members[cell.type].append(cell)
    return tuple(agreement_score(name, members[name]) for name in sorted(members))


def majority(verdicts: Sequence[bool | None]) -> bool | None:
    """What more than half of the people who decided say; None for a tie, or if nobody did."""
    passes, fails = verdicts.count(True), verdicts.count(False)
    return None if passes == fails else passes > fails


def corrected(
    judged: Iterable[JudgedResponse], verdicts: Mapping[Place, bool]
) -> list[JudgedResponse]:
    """The responses as judged, marked cells replaced by the people's verdicts.

    Summed up by the benchmark they give the corrected score: official where nobody looked. It is
    no estimate for cells nobody marked. A verdict on "strict" decides the first variant. One on
    "loose" that differs decides all variants: none passes, or the last one does.
    """
    own: dict[tuple[str, int], dict[int | str, bool]] = defaultdict(dict)
    for (key, index, column), verdict in verdicts.items():
        own[key, index][column] = verdict
    return [
        replace(
            row,
            lattices=tuple(
                _corrected(lattice, own[row.key, index]) if (row.key, index) in own else lattice
                for index, lattice in enumerate(row.lattices)
            ),
        )
        for row in judged
    ]


def _corrected(lattice: Lattice, own: Mapping[int | str, bool]) -> Lattice:
    cells = list(lattice.cells)
    loose = own.get("loose", lattice.loose)
    if loose != lattice.loose:
        cells = [loose and cell is True for cell in cells]
        cells[-1] = loose
    for column, verdict in own.items():
        if isinstance(column, int) and column < len(cells):
            cells[column] = verdict
    if "strict" in own:
        cells[0] = own["strict"]
    return replace(lattice, cells=tuple(cells))
