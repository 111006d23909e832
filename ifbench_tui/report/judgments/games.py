"""The games of a judgment: who was shown where, the stored verdict, and what its text says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from ifbench_tui.engine.judged.rows import (
    Annotation,
    ArenaJudgment,
    PairJudgment,
    SingleJudgment,
    Winner,
)
from ifbench_tui.engine.judged.verdicts import (
    MISSING_RATING,
    V01_LABELS,
    Verdict,
    arena_v01_label,
    arena_v2_label,
    label_outcomes,
    mt_pair,
    mt_pair_scores,
    mt_single,
)

__all__ = [
    "Game",
    "Outcome",
    "annotation_game",
    "arena_games",
    "pair_games",
    "single_game",
]

Outcome = Literal["won", "lost", "tie"]
Parse = Callable[[str], Verdict]
Stored = float | int | str | None

_TIE_BAND = 0.1


@dataclass(frozen=True, slots=True)
class Game:
    """One text of a judge. `shown` are the models in the order the judge saw them, one for a
    rating.

    `stored` is the verdict in the file as its parser would write it, None where there is none.
    `found` is the parser's reading of `text`, None without a text. `outcome` is the model's whose
    judgments are listed; None where there is none, and for a rating.
    """

    number: int
    shown: tuple[str, ...]
    stored: Stored
    usable: bool
    outcome: Outcome | None
    text: str | None = None
    found: Verdict | None = None

    @property
    def disagrees(self) -> bool:
        """Whether the text says otherwise than the file."""
        return self.found is not None and _comparable(self.found.stored) != _comparable(self.stored)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; `parsed` and `span` (characters of the text) are null where there
        is no text to read."""
        found = self.found
        return {
            "game": self.number,
            "shown": list(self.shown),
            "stored": self.stored,
            "outcome": self.outcome,
            "parsed": None if found is None else found.stored,
            "span": None if found is None or found.span is None else list(found.span),
            "flags": [] if found is None else list(found.flags),
            "disagrees": self.disagrees,
        }


def _comparable(stored: Stored) -> Stored:
    """The references write "no verdict" in several ways."""
    return None if stored in (MISSING_RATING, "error") else stored


def single_game(row: SingleJudgment) -> Game:
    """A rating of one answer."""
    found = None if row.text is None else mt_single(row.text)
    usable = row.score is not None and row.score != MISSING_RATING
    return Game(1, (row.model,), row.score, usable, None, row.text, found)


def pair_games(row: PairJudgment, model: str, formats: Mapping[str, str]) -> tuple[Game, ...]:
    """Two games with swapped sides, seen by `model`. `formats` are the output formats of templates
    by name, where they are known."""
    ours: Winner = "model_1" if model == row.model_1 else "model_2"
    if row.judge[1].startswith("single"):
        return _rated_games(row, ours)
    scored = formats.get(row.judge[1]) == "[[rating_a,rating_b]]"
    parse = mt_pair_scores if scored else mt_pair
    sides: tuple[Winner, Winner] = ("model_1", "model_2")
    games = []
    for number, (winner, text) in enumerate(
        ((row.winner_1, row.text_1), (row.winner_2, row.text_2)), start=1
    ):
        first, second = sides if number == 1 else sides[::-1]
        stored = {first: "A", second: "B"}.get(winner, winner)
        names = {"model_1": row.model_1, "model_2": row.model_2}
        found = None if text is None else parse(text)
        outcome = _outcome(winner, ours)
        shown = (names[first], names[second])
        games.append(Game(number, shown, stored, winner != "error", outcome, text, found))
    return tuple(games)


def _rated_games(row: PairJudgment, ours: Winner) -> tuple[Game, ...]:
    """A pair judged with a template for one answer: each text rates one of the two, and the rating
    that is greater by more than a tenth wins."""
    texts = (row.text_1, row.text_2)
    found = [None if text is None else mt_single(text) for text in texts]
    ratings = [one.stored for one in found if one and isinstance(one.stored, int | float)]
    said: Winner = "error"
    if len(ratings) == 2:
        gap = ratings[0] - ratings[1]
        said = "tie" if abs(gap) <= _TIE_BAND else "model_1" if gap > 0 else "model_2"
    games = []
    models = (row.model_1, row.model_2)
    for number, (model, winner) in enumerate(
        zip(models, (row.winner_1, row.winner_2), strict=True), start=1
    ):
        verdict = found[number - 1]
        # The file holds no rating: it is what the text says, unless the winner contradicts it.
        agrees = verdict is None or winner == said
        stored = verdict.stored if verdict is not None and agrees else winner
        outcome = _outcome(winner, ours)
        games.append(
            Game(number, (model,), stored, winner != "error", outcome, texts[number - 1], verdict)
        )
    return tuple(games)


def _outcome(winner: Winner, ours: Winner) -> Outcome | None:
    if winner == "error":
        return None
    return "tie" if winner == "tie" else "won" if winner == ours else "lost"


_FLIPPED: Mapping[Outcome, Outcome] = MappingProxyType({"won": "lost", "lost": "won", "tie": "tie"})


def arena_games(row: ArenaJudgment, *, ours: bool) -> tuple[Game, ...]:
    """Game 1 shows the baseline as A, game 2 the model. `ours`: seen by the model, else by the
    baseline."""
    legacy = row.rules == "v0.1"
    parse: Parse = arena_v01_label if legacy else arena_v2_label
    sides = (row.baseline.rpartition("/")[2], row.model.rpartition("/")[2])
    games = []
    for number, (label, text) in enumerate(
        ((row.label_1, row.text_1), (row.label_2, row.text_2)), start=1
    ):
        shown = sides if number == 1 else sides[::-1]
        points = label_outcomes(label)
        if legacy and label not in V01_LABELS:
            points = None
        outcome: Outcome | None = None
        if points is not None:
            outcome = "tie" if points[0] == 0.5 else "won" if points[0] == 1.0 else "lost"
            if ours == (number == 1):
                outcome = _FLIPPED[outcome]
        found = None if text is None else parse(text)
        games.append(Game(number, shown, label, points is not None, outcome, text, found))
    return tuple(games)


def annotation_game(row: Annotation) -> Game:
    """One preference for the model over the baseline; the judge may have seen either first."""
    names = (row.baseline, row.model)
    preference = row.preference
    shown = names[::-1] if row.swapped else names
    if preference is None or (preference != 0 and not 1 <= preference <= 2):
        return Game(1, shown, preference, False, None)
    share = (preference or 1.5) - 1.0
    outcome: Outcome = "tie" if share == 0.5 else "won" if share > 0.5 else "lost"
    return Game(1, shown, preference, True, outcome)
