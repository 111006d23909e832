"""A judgment as a document: the conversation, and the judge's texts with the verdict marked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ifbench_tui.engine.judged.arena_hard import short_name
from ifbench_tui.engine.judged.rows import (
    Annotation,
    ArenaJudgment,
    PairJudgment,
)
from ifbench_tui.formats.arena_hard import ArenaAnswer
from ifbench_tui.formats.judged import Question
from ifbench_tui.formats.mt_bench_inputs import Conversation
from ifbench_tui.formats.reread import reread
from ifbench_tui.report.judgments.games import Game
from ifbench_tui.report.judgments.listing import Judgment
from ifbench_tui.report.judgments.marks import folded, marked, stored_words
from ifbench_tui.report.judgments.preference import preference_section
from ifbench_tui.report.judgments.sections import Section
from ifbench_tui.report.visible import drawn_line
from ifbench_tui.workspace import JudgedFile, Limits

__all__ = ["Texts", "document", "raw_row"]

Row = Mapping[str, Any]


# ---- texts beside the judgments --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Texts:
    """What was asked and answered, of the files that are loaded: turns by question key, answers by
    (model, key), references by key and who wrote them."""

    questions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    answers: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    references: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Iterable[JudgedFile], benchmark: str) -> Texts:
        """All texts of one benchmark; a later answer to the same question replaces an earlier."""
        questions: dict[str, tuple[str, ...]] = {}
        answers: dict[tuple[str, str], tuple[str, ...]] = {}
        references: dict[str, dict[str, tuple[str, ...]]] = {}
        for value in (row.value for file in files for row in file.rows):
            if isinstance(value, Question) and value.benchmark == benchmark:
                questions.setdefault(value.key, value.turns)
            elif isinstance(value, ArenaAnswer) and benchmark == "arena_hard":
                if value.text is not None:
                    answers[short_name(value.model), value.key] = (value.text,)
            elif isinstance(value, Conversation) and benchmark == "mt_bench":
                if value.reference:
                    references.setdefault(value.key, {})[value.model] = value.turns
                else:
                    answers[value.model, value.key] = value.turns
        return cls(questions, answers, references)

    def reference(self, key: str, judge: str) -> tuple[str, ...]:
        """The reference answer of a judge, else of anyone who wrote one."""
        known = self.references.get(key, {})
        return known.get(judge) or next(iter(known.values()), ())


def raw_row(
    judgment: Judgment,
    limits: Limits | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Row | None:
    """The row of a judgment as its file has it now; None where it cannot be had once more.

    Raises `SourceError`, `LoadCancelled`.
    """
    return reread(
        judgment.path,
        judgment.line,
        lambda data: _is_row(judgment, data),
        limits=limits,
        cancelled=cancelled,
    )


def _is_row(judgment: Judgment, data: Row) -> bool:
    value = judgment.value
    if isinstance(value, Annotation):
        return "preference" in data and data.get("instruction") == value.instruction
    if str(data.get("uid", data.get("question_id"))) != judgment.question:
        return False
    if isinstance(value, PairJudgment):
        return (data.get("model_1"), data.get("model_2")) == (value.model_1, value.model_2)
    return data.get("model") == value.model


# ---- the document ----------------------------------------------------------------------------


def document(
    judgment: Judgment, texts: Texts, raw: Row | None, *, full: bool = False
) -> list[Section]:
    """The conversation from its first turn, then each text of the judge, to be read downwards.

    `raw` is the judgment's row in its file. `full`: with reasoning traces and the judge's prompts,
    which are folded otherwise; a trace that holds the verdict is never folded, nor are the
    prompts where the conversation is not loaded.
    """
    if isinstance(judgment.value, Annotation):
        conversation, missing = _annotated(judgment.value, raw)
        judged = [preference_section(judgment.value, raw)]
    else:
        conversation, missing = _conversation(judgment, texts)
        judged = [
            section
            for game in judgment.games
            for section in _judged(judgment, game, raw, full=full)
        ]
    asked = _asked(judgment, raw, full=full or bool(missing))
    notice = [Section("notice", "not loaded", missing)] if missing else []
    return [*notice, *conversation, *judged, *asked]


def _conversation(judgment: Judgment, texts: Texts) -> tuple[list[Section], str]:
    """Turn by turn what was asked and answered, and what to load where that is not known."""
    key = judgment.question
    questions = texts.questions.get(key, ())
    models = _models(judgment)
    answers = {model: texts.answers.get((model, key), ()) for model in models}
    turns = max(len(questions), *(len(found) for found in answers.values()))
    sections = []
    for turn in range(1, turns + 1):
        unseen = judgment.turns and turn > judgment.turn
        when = f", turn {turn}" if judgment.turns else ""
        when += ", after what was judged" if unseen else ""
        if turn <= len(questions):
            sections.append(_plain("question", f"question{when}", questions[turn - 1], unseen))
        for model, found in answers.items():
            if turn <= len(found):
                title = f"answer of {drawn_line(model)}{when}"
                sections.append(_plain("answer", title, found[turn - 1], unseen))
    for turn, text in enumerate(texts.reference(key, judgment.judge), start=1):
        if turn <= judgment.turn:
            sections.append(_plain("reference", f"reference answer, turn {turn}", text))
    return sections, _missing(judgment, not questions, [m for m in models if not answers[m]])


def _models(judgment: Judgment) -> list[str]:
    """The models of a judgment, the one shown first in game 1 first."""
    value = judgment.value
    if isinstance(value, PairJudgment):
        return [value.model_1, value.model_2]
    if isinstance(value, ArenaJudgment):
        return [short_name(value.baseline), short_name(value.model)]
    return [judgment.model]


def _missing(judgment: Judgment, question: bool, models: Sequence[str]) -> str:
    wanted = [f"model_answer/{drawn_line(model)}.jsonl" for model in models]
    if question:
        wanted.insert(0, "question.jsonl")
    if not wanted:
        return ""
    what = "The conversation" if question else "An answer"
    return f"{what} is not loaded. To read it here, load also: {', '.join(wanted)}"


def _annotated(value: Annotation, raw: Row | None) -> tuple[list[Section], str]:
    """An instruction and both outputs: only the file itself holds these."""
    if value.instruction is None:
        return [], "These compact rows hold no texts. Load annotations.json to read them here."
    sections = [_plain("question", "instruction", value.instruction)]
    if raw is None:
        return sections, "The outputs cannot be read once more: the file is gone or has changed."
    names = {"output_1": value.baseline, "output_2": value.model}
    order = sorted(names, reverse=bool(value.swapped))
    for place, field_name in zip(("first", "second"), order, strict=True):
        shown = "" if value.swapped is None else f", shown {place}"
        title = f"answer of {drawn_line(names[field_name])}{shown}"
        sections.append(_plain("answer", title, _text(raw.get(field_name))))
    return sections, ""


def _plain(kind: str, title: str, text: str, quiet: bool = False) -> Section:
    return Section(kind, title, text, quiet=((0, len(text)),) if quiet and text else ())


# ---- the judge's texts -----------------------------------------------------------------------


def _judged(judgment: Judgment, game: Game, raw: Row | None, *, full: bool) -> Iterator[Section]:
    where = _game_words(judgment, game)
    if thought := _thought(raw, game.number):
        title = f"reasoning trace{where}"
        text = thought if full else folded(len(thought))
        yield _plain("trace", title, text, quiet=True)
    title = f"judgment of {drawn_line(judgment.judge)}{where}"
    if game.text is None or game.found is None:
        yield Section("judgment", title, f"(no text; the file says {stored_words(game)})")
        return
    text, spans, quiet = marked(game, game.text, game.found, full=full)
    yield Section("judgment", title, text, spans, quiet)


def _game_words(judgment: Judgment, game: Game) -> str:
    if judgment.rating:
        return f", turn {judgment.turn}"
    if len(game.shown) == 1:
        return f" on {drawn_line(game.shown[0])}"
    turn = f", turn {judgment.turn}" if judgment.turns else ""
    a, b = map(drawn_line, game.shown)
    return f"{turn}, game {game.number}: A is {a}, B is {b}"


# ---- out of the file's row -------------------------------------------------------------------


def _game_of(raw: Row | None, number: int) -> Row:
    """A game of Arena-Hard; empty where the row has none."""
    games = raw.get("games") if raw is not None else None
    found = games[number - 1] if isinstance(games, list) and number <= len(games) else None
    return found if isinstance(found, dict) else {}


def _thought(raw: Row | None, number: int) -> str:
    judgment = _game_of(raw, number).get("judgment")
    return _text(judgment.get("thought")) if isinstance(judgment, dict) else ""


def _asked(judgment: Judgment, raw: Row | None, *, full: bool) -> Iterator[Section]:
    """What the judge was asked, where the row tells it; only its length unless `full`."""
    if raw is None:
        return
    for game in judgment.games:
        names = ("user_prompt", "prompt") if judgment.rating else (f"g{game.number}_user_prompt",)
        text = next((_text(raw.get(name)) for name in names if raw.get(name)), "")
        text = text or _prompt(_game_of(raw, game.number))
        if text:
            many = f", game {game.number}" if len(judgment.games) > 1 else ""
            shown = text if full else f"({len(text):,} characters, folded)"
            yield _plain("asked", f"what the judge was asked{many}", shown, quiet=True)


def _prompt(game: Row) -> str:
    """The messages of a game, or its prompt of v0.1."""
    messages = game.get("prompt")
    if not isinstance(messages, list):
        return _text(game.get("user_prompt"))
    found = [one for one in messages if isinstance(one, dict)]
    return "\n\n".join(
        f"{drawn_line(_text(one.get('role')))}: {_text(one.get('content'))}" for one in found
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
