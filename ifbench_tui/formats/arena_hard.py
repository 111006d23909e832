"""Arena-Hard-Auto's judgments, questions and answers, of v2.0 and of v0.1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ifbench_tui.engine.judged.rows import LEGACY_BASELINE, ArenaJudgment, StyleTotals
from ifbench_tui.engine.ratings.style_text import feature_total, style_counts
from ifbench_tui.formats.fields import key_of, text_of
from ifbench_tui.formats.judged import JudgedFormat, Question, name_of, optional_text
from ifbench_tui.formats.lines import BadRow
from ifbench_tui.formats.tables import Table

__all__ = [
    "ArenaAnswer",
    "ArenaHardAnswers",
    "ArenaHardBoards",
    "ArenaHardLegacyAnswers",
    "ArenaHardLegacyQuestions",
    "ArenaHardQuestions",
]

LEGACY_CATEGORY = "arena-hard-v0.1"


@dataclass(frozen=True, slots=True)
class ArenaAnswer:
    """An answer, None where only its counts are known, and its style."""

    model: str
    key: str
    text: str | None
    style: StyleTotals


class ArenaHardBoards(JudgedFormat):
    """`model_judgment/<judge>/<model>.jsonl`; rows without a baseline are of v0.1."""

    id = "arena-hard-boards"
    title = "Arena-Hard judgments"
    order = 20
    columns = ("model", "judge", "games")
    also_battles = True

    def fits(self, table: Table) -> bool:
        return all(isinstance(row.data.get("games"), list) for row in table.rows)

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        games = data.get("games")
        if not isinstance(games, list) or not 1 <= len(games) <= 2:
            raise BadRow("the field games is not a list of two games")
        first, second = [*games, None][:2]
        baseline = optional_text(data.get("baseline"))
        return ArenaJudgment(
            _key(data),
            optional_text(data.get("category")) or LEGACY_CATEGORY,
            name_of(data, "judge"),
            name_of(data, "model"),
            baseline or LEGACY_BASELINE,
            _label(first),
            _label(second),
            "v0.1" if baseline is None else "v2",
            _judgment(first),
            _judgment(second),
        )


def _label(game: Any) -> str | None:
    return optional_text(game.get("score")) if isinstance(game, dict) else None


def _judgment(game: Any) -> str | None:
    text = game.get("judgment") if isinstance(game, dict) else None
    return optional_text(text.get("answer") if isinstance(text, dict) else text)


class ArenaHardQuestions(JudgedFormat):
    """`question.jsonl` of v2.0, also of the re-released v0.1."""

    id = "arena-hard-questions"
    title = "Arena-Hard questions"
    order = 20
    columns = ("uid", "category", "prompt")

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        turns = (text_of(data, "prompt"),)
        return Question("arena_hard", _key(data), name_of(data, "category"), turns)


class ArenaHardLegacyQuestions(JudgedFormat):
    """`question.jsonl` of v0.1: turns are objects."""

    id = "arena-hard-legacy-questions"
    title = "Arena-Hard v0.1 questions"
    order = 21
    columns = ("question_id", "category", "turns")

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        turns = tuple(_contents(data.get("turns")))
        return Question("arena_hard", _key(data), name_of(data, "category"), turns)


class ArenaHardAnswers(JudgedFormat):
    """`model_answer/<model>.jsonl` of v2.0, or only its style counts."""

    id = "arena-hard-answers"
    title = "Arena-Hard answers"
    order = 20
    columns = ("uid", "model")

    def fits(self, table: Table) -> bool:
        return table.has("messages") or table.has("metadata")

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        messages = data.get("messages")
        last = messages[-1] if isinstance(messages, list) and messages else None
        text = _answer(last)
        return ArenaAnswer(
            name_of(data, "model"), _key(data), text, _style(data.get("metadata"), text)
        )


class ArenaHardLegacyAnswers(JudgedFormat):
    """`model_answer/<model>.jsonl` of v0.1, or only its style counts."""

    id = "arena-hard-legacy-answers"
    title = "Arena-Hard v0.1 answers"
    order = 21
    columns = ("question_id",)

    def fits(self, table: Table) -> bool:
        return table.has("choices", "model_id") or table.has("conv_metadata", "model")

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        choices = data.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        turns = first.get("turns") if isinstance(first, dict) else None
        text = "\n".join(_contents(turns)) if turns else None
        model = name_of(data, "model_id" if "model_id" in data else "model")
        tokens = sum(_tokens(turn) for turn in turns) if isinstance(turns, list) else 0
        return ArenaAnswer(model, _key(data), text, _style(data.get("conv_metadata"), text, tokens))


def _key(data: Mapping[str, Any]) -> str:
    key = key_of(data.get("uid", data.get("question_id")))
    if key is None:
        raise BadRow("the row has neither uid nor question_id")
    return key


def _answer(message: Any) -> str | None:
    """The text of a message: plain, or the answer without the thought."""
    content = message.get("content") if isinstance(message, dict) else None
    return optional_text(content.get("answer") if isinstance(content, dict) else content)


def _contents(turns: Any) -> Iterable[str]:
    for turn in turns if isinstance(turns, list) else ():
        text = optional_text(turn.get("content")) if isinstance(turn, dict) else optional_text(turn)
        if text is None:
            raise BadRow("a turn has no text")
        yield text


def _tokens(turn: Any) -> int:
    found = turn.get("token_len") if isinstance(turn, dict) else None
    try:
        return feature_total(found)
    except ValueError:
        return 0


def _style(metadata: Any, text: str | None, tokens: int = 0) -> StyleTotals:
    """Counts as the file has them, else counted here. Raises `BadRow` without either."""
    if isinstance(metadata, dict):
        try:
            return StyleTotals(
                feature_total(metadata.get("token_len")),
                feature_total(metadata.get("header_count")),
                feature_total(metadata.get("list_count")),
                feature_total(metadata.get("bold_count")),
            )
        except ValueError as error:
            raise BadRow(f"the style counts are not usable: {error}") from error
    if text is None:
        raise BadRow("the row has neither an answer nor style counts")
    counts = style_counts(text)
    return StyleTotals(
        tokens or counts.words,
        feature_total(counts.header_count),
        feature_total(counts.list_count),
        feature_total(counts.bold_count),
        counted=bool(tokens),
    )
