"""From a model on a board to the judgments it came from: what each decided, what is odd in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ifbench_tui.engine.judged.arena_hard import ArenaSettings, row_outcomes, short_name
from ifbench_tui.engine.judged.mt_bench import category_of
from ifbench_tui.engine.judged.rows import (
    Annotation,
    ArenaJudgment,
    PairJudgment,
    SingleJudgment,
)
from ifbench_tui.engine.quantity import quantity
from ifbench_tui.formats.judged import Question
from ifbench_tui.formats.mt_bench_inputs import JudgePrompt
from ifbench_tui.report.judgments.games import (
    Game,
    Outcome,
    annotation_game,
    arena_games,
    pair_games,
    single_game,
)
from ifbench_tui.workspace import JudgedFile

__all__ = [
    "BENCHMARKS",
    "STATES",
    "Judgment",
    "Wanted",
    "chosen",
    "counts",
    "decided",
    "judged_models",
    "judgments_of",
    "record",
]

State = Literal["disagree", "unparsed", "inconsistent", "lost", "won"]

STATES: Mapping[State, str] = {
    "disagree": "text and score differ",
    "unparsed": "unparsed",
    "inconsistent": "games disagree",
    "lost": "lost",
    "won": "won",
}
"""What judgments may be filtered by, in words."""

Value = SingleJudgment | PairJudgment | ArenaJudgment | Annotation


@dataclass(frozen=True, slots=True)
class Judgment:
    """One row of a judged benchmark as it bears on `model`; `other` is the model it was compared
    with, "" for a rating.

    `points` are what the board adds up: a rating, or outcomes from 0 (lost) to 1 (won), strong
    ones counted several times. `value` is the row as it was loaded, from `path`, `line`.
    """

    benchmark: str
    question: str
    category: str
    turn: int
    judge: str
    template: str
    model: str
    other: str
    games: tuple[Game, ...]
    points: tuple[float, ...]
    value: Value
    path: str
    line: int

    @property
    def rating(self) -> bool:
        """Whether a score of ten was given, and not a winner."""
        return not self.other

    @property
    def turns(self) -> bool:
        """Whether the benchmark's conversations have turns."""
        return self.benchmark == "mt_bench"

    @property
    def about(self) -> tuple[str, int]:
        """What was judged, whoever answered: the instruction or question, and the turn."""
        instruction = getattr(self.value, "instruction", None)
        return instruction or self.question, self.turn

    @property
    def unparsed(self) -> bool:
        """Whether a game has no usable verdict."""
        return any(not game.usable for game in self.games)

    @property
    def disagrees(self) -> bool:
        """Whether a text says otherwise than the file's verdict."""
        return any(game.disagrees for game in self.games)

    @property
    def inconsistent(self) -> bool:
        """Whether the games have different results."""
        return len({game.outcome for game in self.games if game.usable}) > 1

    @property
    def outcome(self) -> Outcome | None:
        """The result of all games, None where they differ or one has no usable verdict."""
        found = {game.outcome for game in self.games}
        return next(iter(found)) if len(found) == 1 and not self.unparsed else None

    @property
    def states(self) -> frozenset[State]:
        """The filters that this judgment passes."""
        found: list[State] = []
        if self.disagrees:
            found.append("disagree")
        if self.unparsed:
            found.append("unparsed")
        if self.inconsistent:
            found.append("inconsistent")
        if self.outcome == "lost":
            found.append("lost")
        elif self.outcome == "won":
            found.append("won")
        return frozenset(found)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without the texts."""
        return {
            "benchmark": self.benchmark,
            "question": self.question,
            "category": self.category or None,
            "turn": self.turn if self.turns else None,
            "judge": self.judge,
            "template": self.template or None,
            "model": self.model,
            "other": self.other or None,
            "score": self.points[0] if self.rating and self.points else None,
            "outcome": self.outcome,
            "states": [state for state in STATES if state in self.states],
            "games": [game.to_dict() for game in self.games],
            "path": self.path,
            "line": self.line,
        }


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which judgments to list; "" means any."""

    state: State | Literal[""] = ""
    category: str = ""

    def passes(self, judgment: Judgment) -> bool:
        """Whether a judgment is wanted."""
        fits = not self.category or self.category == judgment.category
        return fits and (not self.state or self.state in judgment.states)

    @property
    def words(self) -> str:
        """The filter as a person reads it."""
        state = STATES[self.state] if self.state else ""
        return ", ".join(filter(None, (state, self.category)))


def chosen(judgments: Sequence[Judgment], wanted: Wanted) -> list[Judgment]:
    """The judgments that a filter lets through, in order."""
    return [one for one in judgments if wanted.passes(one)]


def counts(judgments: Iterable[Judgment]) -> Counter[Wanted]:
    """How many judgments each single state and each category has."""
    found: Counter[Wanted] = Counter()
    for one in judgments:
        found.update(Wanted(state) for state in one.states)
        if one.category:
            found[Wanted(category=one.category)] += 1
    return found


def judged_models(files: Iterable[JudgedFile], benchmark: str) -> list[str]:
    """All models with judgments in a benchmark's files, as its board names them, in load order."""
    named = (_names(value) for _, _, value in _rows(files, benchmark))
    return list(dict.fromkeys(name for names in named for name in names))


def judgments_of(files: Sequence[JudgedFile], benchmark: str, model: str) -> list[Judgment]:
    """The rows that a model's numbers on a benchmark's board are made of.

    MT-Bench's in the order of questions and turns, all others in file order. AlpacaEval's board
    takes one file for a model, the first; so does this.
    """
    questions = [one for file in files for one in file.of(Question) if one.benchmark == benchmark]
    categories = {one.key: one.category for one in questions}
    formats = {one.name: one.output_format for file in files for one in file.of(JudgePrompt)}
    found: list[Judgment] = []
    for path, line, value in _rows(files, benchmark):
        if model in _names(value):
            if isinstance(value, Annotation) and found and found[0].path != path:
                break
            known = _Known(categories, formats, path, line, len(found) + 1)
            found.append(_judgment(value, model, known))
    if benchmark == "mt_bench":
        found.sort(key=_place)
    return found


_KINDS: Mapping[str, tuple[type[Value], ...]] = {
    "alpaca_eval": (Annotation,),
    "mt_bench": (SingleJudgment, PairJudgment),
    "arena_hard": (ArenaJudgment,),
}
BENCHMARKS = tuple(_KINDS)
"""The benchmarks that have judgments to read."""


def _rows(files: Iterable[JudgedFile], benchmark: str) -> Iterator[tuple[str, int, Any]]:
    kinds = _KINDS.get(benchmark, ())
    for file in files:
        for row in file.rows:
            if isinstance(row.value, kinds):
                yield file.path, row.line, row.value


def _names(value: Value) -> tuple[str, ...]:
    """The models that a row is about."""
    if isinstance(value, PairJudgment):
        return value.model_1, value.model_2
    if isinstance(value, ArenaJudgment):
        return short_name(value.model), short_name(value.baseline)
    return (value.model,)


def _place(judgment: Judgment) -> tuple[bool, int, str, int, bool, str]:
    key = judgment.question
    number = int(key) if key.isascii() and key.isdigit() and len(key) < 19 else -1
    return number < 0, number, key, judgment.turn, not judgment.rating, judgment.other


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known beside a row: categories by question, output formats by template, its place
    in its file and in the list."""

    categories: Mapping[str, str]
    formats: Mapping[str, str]
    path: str
    line: int
    number: int


def _judgment(value: Value, model: str, known: _Known) -> Judgment:
    path, line, number = known.path, known.line, known.number
    points: tuple[float, ...]
    if isinstance(value, Annotation):
        game = annotation_game(value)
        points = (_share(value),) if game.usable else ()
        return Judgment(
            "alpaca_eval", _instruction(value, number), value.dataset or "", 1,
            value.annotator or "", "", model, value.baseline, (game,), points, value, path, line,
        )  # fmt: skip
    if isinstance(value, ArenaJudgment):
        ours = model == short_name(value.model)
        other = short_name(value.baseline if ours else value.model)
        outcomes, _ = row_outcomes(value, ArenaSettings())
        points = tuple(outcomes if ours else (1.0 - one for one in outcomes))
        return Judgment(
            "arena_hard", value.question, value.category, 1, value.judge, "", model, other,
            arena_games(value, ours=ours), points, value, path, line,
        )  # fmt: skip
    category = category_of(value.question, known.categories) or ""
    judge, template = value.judge
    if isinstance(value, PairJudgment):
        other = value.model_2 if model == value.model_1 else value.model_1
        games = pair_games(value, model, known.formats)
        points = () if any(not game.usable for game in games) else (_pair_points(games),)
    else:
        other, games = "", (single_game(value),)
        points = (value.score,) if games[0].usable and value.score is not None else ()
    return Judgment(
        "mt_bench", str(value.question), category, value.turn, judge, template, model, other,
        games, points, value, path, line,
    )  # fmt: skip


def _share(value: Annotation) -> float:
    """The preference for the model, from 0 to 1; the old value 0 is a tie."""
    return (value.preference or 1.5) - 1.0


def _pair_points(games: Sequence[Game]) -> float:
    """MT-Bench counts games that differ as a tie."""
    found = {game.outcome for game in games}
    return {"won": 1.0, "lost": 0.0}.get(next(iter(found)) or "", 0.5) if len(found) == 1 else 0.5


def _instruction(value: Annotation, number: int) -> str:
    """AlpacaEval has no ids: an instruction's own place where it is known, else the row's."""
    known = value.instruction_index if value.index is None else value.index
    return str(number if known is None else known)


# ---- in words --------------------------------------------------------------------------------


def decided(judgment: Judgment) -> str:
    """What a judgment decided, in a few words."""
    if judgment.rating:
        return f"{judgment.points[0]:g}" if judgment.points else "unparsed"
    if isinstance(judgment.value, Annotation):
        if not judgment.points:
            return "unparsed"
        words = "tie" if judgment.outcome == "tie" else str(judgment.outcome)
        return f"{words} {100 * judgment.points[0]:.1f} %"
    bad = [game.number for game in judgment.games if not game.usable]
    if len(bad) == len(judgment.games):
        return "unparsed"
    if bad:
        return f"game {bad[0]} unparsed"
    if judgment.inconsistent:
        return "games disagree"
    word = {"won": "won", "lost": "lost", "tie": "tied"}[judgment.outcome or "tie"]
    return f"{word} both games" if len(judgment.games) == 2 else word


def record(judgments: Sequence[Judgment]) -> list[str]:
    """The numbers of a list in words: the mean rating; games won, lost, even; the share of points;
    how many are unparsed."""
    ratings = [one for one in judgments if one.rating]
    others = [one for one in judgments if not one.rating]
    parts = []
    points = [one.points[0] for one in ratings if one.points]
    if ratings:
        mean = f"{sum(points) / len(points):.2f}" if points else "none"
        parts.append(f"mean {mean} ({quantity(len(points), 'rating')})")
    if others:
        tally = Counter(one.outcome for one in others if not one.unparsed)
        parts.append(f"won {tally['won']}, lost {tally['lost']}, even {tally['tie'] + tally[None]}")
        shares = [point for one in others for point in one.points]
        if shares:
            parts.append(f"{100 * sum(shares) / len(shares):.1f} %")
    if bad := sum(one.unparsed for one in judgments):
        parts.append(f"{bad} unparsed")
    return parts
