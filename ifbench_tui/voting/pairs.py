"""Which pair is asked next, and which model stands on the left.

Everything follows from the blind seed and the votes so far: a sitting that is resumed, undone or
repeated asks the same questions on the same sides.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from ifbench_tui.errors import IfbenchError
from ifbench_tui.voting.arena import Arena, ModelPair, Spot, VoteRow

__all__ = [
    "POLICIES",
    "Listed",
    "PairListError",
    "Past",
    "Plan",
    "Policy",
    "Question",
    "is_asked",
    "left_model",
    "next_question",
    "questions_left",
    "read_pairs",
    "ticket",
    "unknown_in_list",
]

Policy: TypeAlias = Literal["active", "uniform", "round-robin", "list"]
POLICIES: Mapping[Policy, str] = {
    "active": "the pair of models whose comparison is least certain",
    "uniform": "all pairs of models alike",
    "round-robin": "the pair of models with the fewest votes",
    "list": "a fixed list, in its order",
}

Listed = tuple[str, str, str]
"""A line of a fixed list: prompt key and two models."""


class PairListError(IfbenchError):
    """A fixed list of pairs that cannot be read: where and why."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a sitting asks. `models` empty means all; `seed` None means one of the session's own.

    With `both_orders` every pair is asked twice, the second time with the sides swapped.
    """

    models: tuple[str, ...] = ()
    policy: Policy = "active"
    both_orders: bool = False
    seed: int | None = None
    listed: tuple[Listed, ...] = ()

    @property
    def rounds(self) -> int:
        """How often every pair is asked."""
        return 2 if self.both_orders else 1


@dataclass(frozen=True, slots=True)
class Past:
    """What an annotator did so far: the votes in order, how often each spot was voted on, and the
    spots that were set aside."""

    votes: Sequence[VoteRow] = ()
    times: Mapping[Spot, int] = field(default_factory=dict)
    skipped: Collection[Spot] = frozenset()


class Question(NamedTuple):
    """A spot to be asked; `showing` counts from 0 how often it was voted on before."""

    spot: Spot
    showing: int


def _hash(seed: int, *parts: str) -> bytes:
    text = json.dumps([seed, *parts]).encode()
    return hashlib.sha256(text).digest()


def left_model(seed: int, benchmark: str, question: Question) -> str:
    """The model on the left: by a coin that only the seed knows; swapped at the next showing."""
    heads = _hash(seed, "side", benchmark, *question.spot)[0] & 1
    return question.spot.pair[heads ^ (question.showing & 1)]


def ticket(seed: int, benchmark: str, question: Question) -> str:
    """A name for a question that gives nothing of it away."""
    return _hash(seed, "ticket", benchmark, *question.spot, str(question.showing)).hex()[:32]


def _open_by_pair(arena: Arena, plan: Plan, past: Past) -> dict[ModelPair, int]:
    """How many questions each pair of models has left, none where there are none."""
    rounds = plan.rounds
    closed: Counter[ModelPair] = Counter()
    for spot, times in past.times.items():
        if spot not in past.skipped:
            closed[spot.pair] += min(times, rounds)
    for spot in past.skipped:
        closed[spot.pair] += rounds
    left = {pair: rounds * len(keys) - closed[pair] for pair, keys in arena.spots.items()}
    return {pair: count for pair, count in left.items() if count > 0}


def questions_left(arena: Arena, plan: Plan, past: Past) -> int:
    """How many questions are still to be asked."""
    if plan.policy == "list":
        return sum(plan.rounds - past.times.get(spot, 0) for spot in _listed(arena, plan, past))
    return sum(_open_by_pair(arena, plan, past).values())


def next_question(arena: Arena, plan: Plan, seed: int, past: Past) -> Question | None:
    """What to ask now; None when there is nothing left."""
    if plan.policy == "list":
        spots: Iterable[Spot] = _listed(arena, plan, past)
        spot = min(spots, key=lambda spot: past.times.get(spot, 0), default=None)
        return None if spot is None else Question(spot, past.times.get(spot, 0))
    pairs = list(_open_by_pair(arena, plan, past))
    if not pairs:
        return None
    pair = _draw(arena, pairs, plan.policy, seed, past)
    # A fixed order, so that what is undone or set aside does not stir the rest.
    order = sorted(arena.spots[pair], key=lambda key: _hash(seed, "order", key, *pair))
    spots = (Spot(key, *pair) for key in order)
    fresh = (spot for spot in spots if _is_open(spot, plan, past))
    spot = min(fresh, key=lambda spot: past.times.get(spot, 0))
    return Question(spot, past.times.get(spot, 0))


def is_asked(arena: Arena, plan: Plan, past: Past, spot: Spot) -> bool:
    """Whether a spot is among those still to be asked."""
    if plan.policy == "list":
        return spot in _listed(arena, plan, past)
    return spot.key in arena.spots.get(spot.pair, ()) and _is_open(spot, plan, past)


def _is_open(spot: Spot, plan: Plan, past: Past) -> bool:
    return spot not in past.skipped and past.times.get(spot, 0) < plan.rounds


def _draw(
    arena: Arena, pairs: Sequence[ModelPair], policy: Policy, seed: int, past: Past
) -> ModelPair:
    import numpy as np

    from ifbench_tui.engine.ratings.battles import aggregate
    from ifbench_tui.engine.ratings.sampling import draw_pair
    from ifbench_tui.voting.standing import battles_of

    known = set(arena.models)
    votes = [vote for vote in past.votes if {vote.model_a, vote.model_b} <= known]
    battles = battles_of(arena.models, votes)
    code = {name: index for index, name in enumerate(battles.models)}
    seats = [(code[one], code[other]) for one, other in pairs]
    rng = np.random.default_rng([seed, len(votes)])
    wanted = "uniform" if policy == "list" else policy
    drawn = draw_pair(aggregate(battles), seats, rng, policy=wanted)
    seated = zip(pairs, seats, strict=True)
    return next(pair for pair, seat in seated if drawn in (seat, seat[::-1]))


def _listed(arena: Arena, plan: Plan, past: Past) -> Iterator[Spot]:
    for key, one, other in dict.fromkeys(plan.listed):
        spot = arena.in_order(key, one, other)
        if spot and key in arena.prompts and arena.holds(spot) and _is_open(spot, plan, past):
            yield spot


def unknown_in_list(arena: Arena, plan: Plan) -> int:
    """Lines of a fixed list that name a prompt or model without a response here."""
    known = set(_listed(arena, plan, Past()))
    return sum(arena.in_order(*row) not in known for row in plan.listed)


def read_pairs(lines: Iterable[str], name: str = "input") -> tuple[Listed, ...]:
    """Pairs from JSON lines with key, model_a and model_b, or from CSV with these columns.

    Raises `PairListError` with the line of the first row that is none.
    """
    text = [line.rstrip("\r\n") for line in lines]
    first = next((line for line in text if line.strip()), "")
    rows = _json_rows(text, name) if first.lstrip().startswith("{") else _csv_rows(text, name)
    found = tuple(rows)
    if not found:
        raise PairListError(f"{name}: there is no pair in it")
    return found


_COLUMNS = ("key", "model_a", "model_b")


def _listed_row(row: Mapping[str, object], place: str) -> Listed:
    values = []
    for column in _COLUMNS:
        value = row.get(column)
        if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
            raise PairListError(f"{place}: {column} is {value!r:.40}; wanted a name")
        values.append(str(value))
    key, one, other = values
    return key, one, other


def _json_rows(lines: Sequence[str], name: str) -> Iterator[Listed]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise PairListError(f"{name}:{number}: no JSON: {error!s:.80}") from error
        if not isinstance(row, dict):
            raise PairListError(f"{name}:{number}: wanted an object with {', '.join(_COLUMNS)}")
        yield _listed_row(row, f"{name}:{number}")


def _csv_rows(lines: Sequence[str], name: str) -> Iterator[Listed]:
    reader = csv.DictReader(lines)
    try:
        if not set(_COLUMNS) <= set(reader.fieldnames or ()):
            raise PairListError(f"{name}:1: wanted the columns {', '.join(_COLUMNS)}")
        for row in reader:
            yield _listed_row(row, f"{name}:{reader.line_num}")
    except csv.Error as error:
        raise PairListError(f"{name}:{reader.line_num}: no CSV: {error}") from error
