"""The votes of a session as battles beside those of files."""

from __future__ import annotations

import math
from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from types import MappingProxyType

from ifbench_tui.engine.ratings.battles import BOTH_BAD, OUTCOME_SCORES, WINNER_LABELS, factorise
from ifbench_tui.engine.registry import create_benchmark
from ifbench_tui.formats.battle_block import UNKNOWN, BattleBlock, LabelColumn
from ifbench_tui.formats.battle_style import FEATURES, side_style
from ifbench_tui.store import Event, text_digest
from ifbench_tui.workspace import Suite

__all__ = ["votes_block"]

_NO_SUITES: Mapping[str, Suite] = MappingProxyType({})
_NO_STYLE = (math.nan,) * len(FEATURES)


def votes_block(
    votes: Iterable[Event],
    path: str,
    suites: Mapping[str, Suite] = _NO_SUITES,
    *,
    style: bool = False,
) -> BattleBlock:
    """Votes as battles with side A on the left, as an export as FastChat's battles has them.

    The categories of a vote are its benchmark and, where the prompt is among `suites`, the families
    of its constraints. With `style` the responses are counted that are loaded as they were voted
    on; the others have nan.
    """
    events = list(votes)
    lefts = [str(event.body["left"]) for event in events]
    sides = [("model_a", "model_b") if left == "model_a" else ("model_b", "model_a")
             for left in lefts]  # fmt: skip
    named = [tuple(str(e.body[s]) for s in pair) for e, pair in zip(events, sides, strict=True)]
    codes, models = factorise([name for pair in named for name in pair])
    outcomes = [_outcome(event, pair) for event, pair in zip(events, sides, strict=True)]
    families = _families(suites)
    categories: list[Hashable] = [
        (benchmark := str(e.subject["benchmark"]), *families.get((benchmark, e.subject["key"]), ()))
        for e in events
    ]
    unknown = LabelColumn(array("i", [UNKNOWN] * len(events)), ())
    return BattleBlock(
        path,
        tuple(map(str, models)),
        array("i", codes[0::2].tolist()),
        array("i", codes[1::2].tolist()),
        array("d", [OUTCOME_SCORES[one] for one in outcomes]),
        bytearray(one == BOTH_BAD for one in outcomes),
        array("q", range(1, len(events) + 1)),
        [str(event.subject["key"]) for event in events],
        {
            "judge": _labels([event.annotator for event in events]),
            "session": unknown,
            "language": unknown,
            "category": _labels(categories),
        },
        array("i", [int(event.subject["turn"]) for event in events]),
        array("d", [datetime.fromisoformat(event.at).timestamp() for event in events]),
        array("b", [int(not event.body["unblinded"]) for event in events]),
        array("b", [UNKNOWN] * len(events)),
        style=_style(events, sides, suites) if style else {},
    )


def _outcome(event: Event, sides: Sequence[str]) -> int:
    winner = str(event.body["winner"])
    return WINNER_LABELS[("model_a", "model_b")[sides.index(winner)] if winner in sides else winner]


def _labels(values: Sequence[Hashable]) -> LabelColumn:
    codes, known = factorise(values)
    return LabelColumn(array("i", codes.tolist()), tuple(str(one) if isinstance(one, str) else one
                                                         for one in known))  # fmt: skip


def _families(suites: Mapping[str, Suite]) -> dict[tuple[str, str], list[str]]:
    found = {}
    for name, suite in suites.items():
        family_of = create_benchmark(suite.benchmark_id).family_of
        for prompt in suite.prompts:
            families = dict.fromkeys(map(family_of, prompt.constraints))
            found[name, prompt.key] = list(families)
    return found


@lru_cache(maxsize=8192)
def _counts(text: str) -> tuple[float, ...]:
    found = side_style({"response_a": text}, "a", encoded=False)
    return _NO_STYLE if found is None else found.counts


def _style(
    events: Sequence[Event], sides: Sequence[Sequence[str]], suites: Mapping[str, Suite]
) -> dict[str, tuple[array[float], array[float]]]:
    columns = {name: (array("d"), array("d")) for name in FEATURES}
    for event, pair in zip(events, sides, strict=True):
        for place, side in enumerate(pair):
            counts = _side_counts(event, side, suites)
            for both, value in zip(columns.values(), counts, strict=True):
                both[place].append(value)
    return columns


def _side_counts(event: Event, side: str, suites: Mapping[str, Suite]) -> tuple[float, ...]:
    suite = suites.get(event.subject["benchmark"])
    response = suite and suite.response(event.body[side], event.subject["key"])
    if not response or text_digest(response.text) != event.body[f"digest_{side[-1]}"]:
        return _NO_STYLE
    return _counts(response.text)
