"""The rows that files of judged benchmarks hold. Reading them needs none of the scoring code."""

from __future__ import annotations

import random
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal, NamedTuple

__all__ = [
    "LEGACY_BASELINE",
    "Annotation",
    "ArenaJudgment",
    "JudgeScore",
    "KnownPair",
    "PairJudgment",
    "Rules",
    "SingleJudgment",
    "StyleTotals",
    "Winner",
    "outputs_swapped",
    "usable_preference",
]

Winner = Literal["model_1", "model_2", "tie", "error"]
Rules = Literal["v0.1", "v2"]

LEGACY_BASELINE = "gpt-4-0314"


@dataclass(frozen=True, slots=True)
class Annotation:
    """One judged instruction: the baseline's response 1 against the candidate's response 2.

    `preference` is about response 2 whatever order the judge saw: 1 baseline, 2 candidate, 1.5 or
    0 tie, None unparsed. Lengths are code points. `index` is the row's own difficulty index,
    `instruction_index` the instruction's place in the official set, where a file tells them;
    `annotator` is the judge's configuration.
    """

    model: str
    baseline: str
    preference: float | None
    length_1: int
    length_2: int
    same_output: bool
    instruction: str | None = None
    dataset: str | None = None
    index: int | None = None
    instruction_index: int | None = None
    difficulty: float | None = None
    swapped: bool | None = None
    annotator: str | None = None

    @property
    def longer(self) -> int:
        """Characters of the candidate beyond the baseline."""
        return self.length_2 - self.length_1


def usable_preference(preference: float | None) -> float | None:
    """A preference from 1 (baseline) to 2 (candidate), 0 read as a tie; None: it does not count."""
    if preference == 0:
        return 1.5
    return preference if preference is not None and 1.0 <= preference <= 2.0 else None


def outputs_swapped(instruction: str) -> bool:
    """Whether the judge was shown the candidate first: the coin the reference flips per text."""
    # A generator of its own: the global one stays as it is.
    # Bytes and the text they encode are one seed; JSON can hold half a surrogate, UTF-8 cannot.
    seed = f"is_switched_outputs{instruction}0".encode(errors="surrogatepass")
    coin = random.Random(seed)
    return coin.choices([False, True])[0]


@dataclass(frozen=True, slots=True)
class ArenaJudgment:
    """Two games on one question: A is the baseline in game 1 and the model in game 2.

    A label is None where the game failed or its text has no verdict. `rules` are those of the
    file's generation: v2 drops a question with a missing game, v0.1 only the game.
    """

    question: str
    category: str
    judge: str
    model: str
    baseline: str
    label_1: str | None
    label_2: str | None
    rules: Rules = "v2"
    text_1: str | None = None
    text_2: str | None = None


@dataclass(frozen=True, slots=True)
class StyleTotals:
    """Length of a response in tokens and how many headers, list items and bold phrases it has.

    `counted` is False where whitespace words stand for tokens.
    """

    tokens: int
    header: int
    list: int
    bold: int
    counted: bool = True


@dataclass(frozen=True, slots=True)
class SingleJudgment:
    """A rating of one turn of one model's answer; None (or -1 in the file) is missing."""

    question: int | str
    model: str
    judge: tuple[str, str]
    turn: int
    score: float | None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class PairJudgment:
    """Two games of one pair: game 1 shows model 1 as A, game 2 shows model 2 as A."""

    question: int | str
    model_1: str
    model_2: str
    judge: tuple[str, str]
    turn: int
    winner_1: Winner
    winner_2: Winner
    text_1: str | None = None
    text_2: str | None = None


class KnownPair(NamedTuple):
    """An item whose better side is known, and the verdict ("A", "B", "tie") under each template;
    any other verdict is an error."""

    correct: str
    default: str
    guided: str


class JudgeScore(NamedTuple):
    """A judge's score of one model's answer to one question."""

    question: Hashable
    model: str
    family: str
    judge: str
    judge_family: str
    score: float | None
