"""Votes of several judges on the same pair of responses, and how often they agree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from ifbench_tui.engine.agreement import (
    Alpha,
    FleissKappa,
    Kappa,
    cohen_kappa_from_table,
    fleiss_kappa,
    krippendorff_alpha,
    majority_label,
)

__all__ = [
    "AgreementShare",
    "PairVote",
    "agreement_between",
    "agreement_within",
    "by_item",
    "judge_kappas",
    "judge_kind",
    "pooled_agreement",
    "vote_label",
]


class PairVote(NamedTuple):
    """One judge's verdict on two models' responses; `winner` is model_a, model_b or a tie label."""

    question: Hashable
    model_a: str
    model_b: str
    winner: str
    judge: str
    turn: int = 1


_PAIRS = ("pair", "own-pair")
"""How the names of pair templates begin, FastChat's and our own."""

Item = tuple[Hashable, str, str, int]


@dataclass(frozen=True, slots=True)
class AgreementShare:
    """Comparisons of two votes and how many agreed; `ratio` is None without a comparison."""

    agree: int
    total: int

    @property
    def ratio(self) -> float | None:
        """Share of agreeing comparisons."""
        return self.agree / self.total if self.total else None

    def to_dict(self) -> dict[str, float | int | None]:
        """Plain values for JSON."""
        return {"agree": self.agree, "total": self.total, "ratio": self.ratio}


def judge_kind(judge: str | Sequence[str]) -> str:
    """Family of a judge: a model with any of its pair templates ("gpt4-pair" for gpt-4, as the
    reference calls it), human (expert_N), author, else the name itself."""
    if not isinstance(judge, str):
        name, prompt = (*judge, "", "")[:2]
        if prompt.startswith(_PAIRS):
            return "gpt4-pair" if name == "gpt-4" else f"{name}-pair"
        return f"{name} {prompt}"
    if judge.startswith("expert"):
        return "human"
    return "author" if judge.startswith("author") else judge


def vote_label(vote: PairVote) -> str:
    """The vote with the models in name order: "first", "second" or "tie"."""
    if "tie" in vote.winner:
        return "tie"
    return "first" if (vote.winner == "model_a") == (vote.model_a < vote.model_b) else "second"


def by_item(votes: Iterable[PairVote]) -> dict[Item, list[PairVote]]:
    """Votes grouped by question, unordered pair and turn."""
    items: defaultdict[Item, list[PairVote]] = defaultdict(list)
    for vote in votes:
        low, high = sorted((vote.model_a, vote.model_b))
        items[vote.question, low, high, vote.turn].append(vote)
    return dict(items)


def agreement_between(
    single: Iterable[PairVote], many: Iterable[PairVote], *, count_ties: bool = True
) -> AgreementShare:
    """Each vote of `many` against the one vote of `single` on the same item.

    Items on which `single` has no vote or several are left out. Without ties, a comparison in which
    either vote is a tie is skipped.
    """
    one = by_item(single)
    pairs = (
        (vote_label(one[item][0]), vote_label(vote))
        for item, votes in by_item(many).items()
        if len(one.get(item, ())) == 1
        for vote in votes
    )
    return _share(pairs, count_ties)


def agreement_within(votes: Iterable[PairVote], *, count_ties: bool = True) -> AgreementShare:
    """Every unordered pair of votes on the same item."""
    pairs = (
        pair
        for group in by_item(votes).values()
        for pair in combinations(map(vote_label, group), 2)
    )
    return _share(pairs, count_ties)


def _share(pairs: Iterable[tuple[str, str]], count_ties: bool) -> AgreementShare:
    kept = [pair for pair in pairs if count_ties or "tie" not in pair]
    return AgreementShare(sum(x == y for x, y in kept), len(kept))


def judge_kappas(votes: Iterable[PairVote]) -> Mapping[tuple[str, str], Kappa]:
    """Cohen's kappa of every two judges over the items both voted on (their first vote counts)."""
    tables: defaultdict[tuple[str, str], Counter[tuple[Hashable, Hashable]]] = defaultdict(Counter)
    for group in by_item(votes).values():
        labels: dict[str, str] = {}
        for vote in group:
            labels.setdefault(vote.judge, vote_label(vote))
        for first, second in combinations(sorted(labels), 2):
            tables[first, second][labels[first], labels[second]] += 1
    return {judges: cohen_kappa_from_table(tables[judges]) for judges in sorted(tables)}


@dataclass(frozen=True, slots=True)
class PooledAgreement:
    """All judges together: alpha over all items, Fleiss over the items of one panel size, and the
    majority label of each item."""

    alpha: Alpha
    fleiss: FleissKappa
    majority: Mapping[Item, str]


def pooled_agreement(votes: Iterable[PairVote], *, panel: int | None = None) -> PooledAgreement:
    """Agreement of all judges; `panel` is the number of votes on an item that Fleiss' kappa takes
    (default: the most frequent number above one)."""
    items = {item: [vote_label(v) for v in group] for item, group in by_item(votes).items()}
    sizes = Counter(len(labels) for labels in items.values() if len(labels) > 1)
    if panel is None:
        panel = max(sizes, key=lambda size: (sizes[size], size), default=2)
    return PooledAgreement(
        krippendorff_alpha(list(items.values())),
        fleiss_kappa([labels for labels in items.values() if len(labels) == panel]),
        {item: majority_label(labels) for item, labels in items.items()},
    )
