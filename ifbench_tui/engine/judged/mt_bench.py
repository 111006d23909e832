"""MT-Bench: boards from single and pairwise judgments, and judges against humans (spec 2)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from ifbench_tui.engine.judged.rows import PairJudgment, SingleJudgment, Winner
from ifbench_tui.engine.judged.verdicts import MISSING_RATING
from ifbench_tui.engine.ratings.distributions import normal_quantile
from ifbench_tui.engine.ratings.pair_votes import (
    AgreementShare,
    PairVote,
    agreement_between,
    agreement_within,
    judge_kind,
)

__all__ = [
    "CATEGORIES",
    "Agreement",
    "Mean",
    "PairRecord",
    "SingleBoard",
    "agreement",
    "category_of",
    "match_winner",
    "normalised",
    "only_common_model",
    "pair_board",
    "pair_votes",
    "single_board",
]


CATEGORIES = (
    "writing",
    "roleplay",
    "reasoning",
    "math",
    "coding",
    "extraction",
    "stem",
    "humanities",
)
_FIRST_QUESTION, _BLOCK = 81, 10
REFERENCE_CATEGORIES = frozenset({"math", "reasoning", "coding", "arena-hard-200"})


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean rating of `n` judgments with the normal interval over questions; None without any."""

    n: int
    value: float | None
    lower: float | None
    upper: float | None

    def to_dict(self) -> dict[str, float | int | None]:
        """Plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class SingleBoard:
    """One model's ratings; `average` pools the rows of both turns, as the reference does."""

    model: str
    turn_1: Mean
    turn_2: Mean
    average: Mean
    by_category: Mapping[str, Mean]
    missing: int


@dataclass(frozen=True, slots=True)
class PairRecord:
    """Wins, losses and ties of one model; rates are shares of their sum, None where it is 0."""

    model: str
    win: int
    loss: int
    tie: int

    @property
    def n(self) -> int:
        return self.win + self.loss + self.tie

    @property
    def win_rate(self) -> float | None:
        return self.win / self.n if self.n else None

    @property
    def loss_rate(self) -> float | None:
        return self.loss / self.n if self.n else None

    @property
    def win_rate_adjusted(self) -> float | None:
        """Win rate with a tie as half a win."""
        return (self.win + self.tie / 2) / self.n if self.n else None

    def to_dict(self) -> dict[str, float | int | None]:
        """Plain values for JSON."""
        return {
            "win": self.win,
            "loss": self.loss,
            "tie": self.tie,
            "win_rate": self.win_rate,
            "loss_rate": self.loss_rate,
            "win_rate_adjusted": self.win_rate_adjusted,
        }


def category_of(question: int | str, known: Mapping[str, str]) -> str | None:
    """A question's category: of the question file, else by the official ids 81 to 160."""
    if found := known.get(str(question)):
        return found
    if isinstance(question, int):
        block = (question - _FIRST_QUESTION) // _BLOCK
        if 0 <= block < len(CATEGORIES):
            return CATEGORIES[block]
    return None


def single_board(
    rows: Sequence[SingleJudgment], categories: Mapping[str, str] | None = None
) -> tuple[SingleBoard, ...]:
    """Boards of all models, the best average first; ratings of -1 count as missing, rows that
    stand twice count twice."""
    by_model: defaultdict[str, list[SingleJudgment]] = defaultdict(list)
    for row in rows:
        by_model[row.model].append(row)
    boards = [_single(model, own, categories or {}) for model, own in by_model.items()]
    return tuple(sorted(boards, key=lambda one: -(one.average.value or -math.inf)))


def _single(
    model: str, rows: Sequence[SingleJudgment], categories: Mapping[str, str]
) -> SingleBoard:
    rated = [row for row in rows if row.score is not None and row.score != MISSING_RATING]
    groups: defaultdict[str, list[SingleJudgment]] = defaultdict(list)
    for row in rated:
        groups[category_of(row.question, categories) or "other"].append(row)
    order = {name: place for place, name in enumerate(CATEGORIES)}
    named = sorted(groups, key=lambda name: (order.get(name, len(order)), name))
    return SingleBoard(
        model,
        _mean([row for row in rated if row.turn == 1]),
        _mean([row for row in rated if row.turn == 2]),
        _mean(rated),
        {name: _mean(groups[name]) for name in named},
        len(rows) - len(rated),
    )


def _mean(rows: Sequence[SingleJudgment], level: float = 0.95) -> Mean:
    """Mean of all rows; its interval takes the ratings of a question as one cluster."""
    scores = [float(row.score) for row in rows if row.score is not None]
    n = len(scores)
    if not n:
        return Mean(0, None, None, None)
    value = math.fsum(scores) / n
    residuals: defaultdict[int | str, float] = defaultdict(float)
    for row, score in zip(rows, scores, strict=True):
        residuals[row.question] += score - value
    clusters = len(residuals)
    if clusters < 2:
        return Mean(n, value, None, None)
    squares = math.fsum(one * one for one in residuals.values())
    se = math.sqrt(clusters / (clusters - 1) * squares) / n
    half = normal_quantile(level) * se
    return Mean(n, value, value - half, value + half)


def match_winner(row: PairJudgment) -> Winner:
    """The result of both games: a tie where either says so or they differ; error if either is."""
    if "error" in (row.winner_1, row.winner_2):
        return "error"
    return row.winner_1 if row.winner_1 == row.winner_2 else "tie"


def normalised(row: PairJudgment) -> tuple[tuple[str, str], str]:
    """Models in name order, and model_1, model_2, tie, error or inconsistent between them."""
    winner: str = row.winner_1 if row.winner_1 == row.winner_2 else "inconsistent"
    if row.model_1 <= row.model_2:
        return (row.model_1, row.model_2), winner
    mirrored = {"model_1": "model_2", "model_2": "model_1"}
    return (row.model_2, row.model_1), mirrored.get(winner, winner)


def only_common_model(rows: Iterable[PairJudgment]) -> str | None:
    """The model that takes part in every row while its opponents change: a baseline."""
    pairs = {frozenset((row.model_1, row.model_2)) for row in rows}
    common = frozenset.intersection(*pairs) if len(pairs) > 1 else frozenset[str]()
    return next(iter(common)) if len(common) == 1 else None


def pair_board(
    rows: Iterable[PairJudgment], *, baseline: str | None = None
) -> tuple[PairRecord, ...]:
    """Win, loss and tie counts, the best adjusted win rate first; rows with an error are left out.

    With a baseline: only rows against it, and no line for itself.
    """
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        winner = match_winner(row)
        sides = {"model_1": row.model_1, "model_2": row.model_2}
        if winner == "error" or (baseline is not None and baseline not in sides.values()):
            continue
        for side, model in sides.items():
            result = "tie" if winner == "tie" else "win" if winner == side else "loss"
            counts.setdefault(model, Counter())[result] += 1
    records = [
        PairRecord(model, count["win"], count["loss"], count["tie"])
        for model, count in counts.items()
        if model != baseline
    ]
    return tuple(sorted(records, key=lambda one: -(one.win_rate_adjusted or 0.0)))


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often two kinds of judges agree on one turn, ties counted or skipped."""

    judge: str
    against: str
    turn: int
    with_tie: AgreementShare
    without_tie: AgreementShare


def pair_votes(rows: Iterable[PairJudgment]) -> list[PairVote]:
    """Judgments as votes, for the agreement with humans and for ratings; errors are left out."""
    names = {"model_1": "model_a", "model_2": "model_b"}
    votes = []
    for row in rows:
        winner = match_winner(row)
        if winner != "error":
            inconsistent = winner == "tie" and row.winner_1 != row.winner_2
            label = "tie (inconsistent)" if inconsistent else names.get(winner, winner)
            judge = judge_kind(row.judge)
            votes.append(PairVote(row.question, row.model_1, row.model_2, label, judge, row.turn))
    return votes


def agreement(votes: Iterable[PairVote]) -> tuple[Agreement, ...]:
    """Every kind of judge against humans, and humans among themselves, by turn.

    `judge` of a vote is its kind (see `judge_kind`). The model judge must have exactly one vote on
    an item.
    """
    kinds: defaultdict[str, list[PairVote]] = defaultdict(list)
    for vote in votes:
        kinds[vote.judge].append(vote)
    humans = kinds.pop("human", [])
    kinds.pop("author", None)
    turns = sorted({vote.turn for vote in humans})
    found = []
    for kind in sorted(kinds):
        for turn in turns:
            own = [vote for vote in kinds[kind] if vote.turn == turn]
            them = [vote for vote in humans if vote.turn == turn]
            shares = [agreement_between(own, them, count_ties=ties) for ties in (True, False)]
            found.append(Agreement(kind, "human", turn, *shares))
    for turn in turns:
        them = [vote for vote in humans if vote.turn == turn]
        shares = [agreement_within(them, count_ties=ties) for ties in (True, False)]
        found.append(Agreement("human", "human", turn, *shares))
    return tuple(found)
