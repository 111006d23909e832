"""Small files of judged benchmarks: two models, four questions, judgments of every odd kind."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ifbench_tui.report.judgments.listing import Judgment, judgments_of
from ifbench_tui.report.judgments.sections import Section
from ifbench_tui.report.judgments.text import Texts, document, raw_row
from ifbench_tui.workspace import JudgedFile, LoadOptions, load

__all__ = ["JUDGE", "alpaca", "arena", "loaded", "mt_bench", "of", "one", "read", "write"]

JUDGE = "umpire"
_QUESTIONS = {
    81: ("writing", "Write a line about rain.", "Now without the letter e."),
    101: ("reasoning", "What is heavier, a stone or its shadow?", "And why?"),
    111: ("math", "What is 12 times 12?", "And half of that?"),
    151: ("humanities", "Name a river in song.", "Who sings it?"),
}
_ANSWERS = {
    "tall": "a long answer, as long as the day, about question {0}, turn {1}",
    "short": "brief {0}.{1}",
}
_SINGLE = {
    # (question, turn): what the judge wrote of tall, and the score in the file
    (81, 1): ("Vivid and to the point. Rating: [[9]]", 9),
    (81, 2): ("<think>Is it [[3]]? Let me see.</think>\nRating: [[8]]", 3),
    (101, 1): ("Correct. Rating: [[7]] though at first sight [[4]]", 4),
    (101, 2): ("I would rather not say.", -1),
    (111, 1): ("<think>12 * 12 is 144, yes.</think>\nRight: [[10]]", 10),
    (151, 1): ("Fine. Rating: [6]", 6),
}
_PAIR = {
    # (question, turn): winners of both games, and the two texts
    (81, 1): ("model_1", "model_1", "A is livelier. [[A]]", "B is livelier. [[B]]"),
    (81, 2): ("model_1", "model_2", "I prefer [[A]]", "I prefer [[A]]"),
    (101, 1): ("model_2", "model_2", "Short and right: [[B]]", "[[A]] it is."),
    (111, 1): ("tie", "tie", "[[C]]", "[[C]]"),
    (151, 1): ("model_1", "error", "[[A]]", "$ERROR$"),
    (151, 2): ("model_1", "model_1", "Clearly [[B]]", "[[B]]"),
}


def write(path: Path, rows: Iterable[dict[str, Any]]) -> str:
    """A file of JSON lines; returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="ascii")
    return str(path)


def _answers(model: str, form: str) -> list[dict[str, Any]]:
    return [
        {"question_id": key, "answer_id": f"{model}-{key}", "model_id": model,
         "choices": [{"index": 0, "turns": [form.format(key, 1), form.format(key, 2)]}]}
        for key in _QUESTIONS
    ]  # fmt: skip


def mt_bench(folder: Path, *, judgments_only: bool = False) -> list[str]:
    """FastChat's layout; `judgments_only`: without questions, answers and references."""
    single = [
        {"question_id": key, "model": "tall", "judge": [JUDGE, "single-v1"],
         "user_prompt": f"Please rate the answer to {key}.", "judgment": text, "score": score,
         "turn": turn}
        for (key, turn), (text, score) in _SINGLE.items()
    ] + [
        {"question_id": 81, "model": "short", "judge": [JUDGE, "single-v1"],
         "user_prompt": "Please rate.", "judgment": "Thin. [[2]]", "score": 2, "turn": 1}
    ]  # fmt: skip
    pair = [
        {"question_id": key, "model_1": "tall", "model_2": "short", "g1_winner": first,
         "g2_winner": second, "judge": [JUDGE, "pair-v2"], "g1_user_prompt": "A or B?",
         "g1_judgment": text_1, "g2_user_prompt": "B or A?", "g2_judgment": text_2, "turn": turn}
        for (key, turn), (first, second, text_1, text_2) in _PAIR.items()
    ]  # fmt: skip
    paths = [
        write(folder / "model_judgment" / f"{JUDGE}_single.jsonl", single),
        write(folder / "model_judgment" / f"{JUDGE}_pair.jsonl", pair),
    ]
    if judgments_only:
        return paths
    questions = [
        {"question_id": key, "category": category, "turns": list(turns)}
        for key, (category, *turns) in _QUESTIONS.items()
    ]
    reference = [
        {"question_id": 111, "answer_id": "r", "model_id": JUDGE,
         "choices": [{"index": 0, "turns": ["It is 144.", "It is 72."]}]}
    ]  # fmt: skip
    return [
        *paths,
        write(folder / "question.jsonl", questions),
        write(folder / "reference_answer" / f"{JUDGE}.jsonl", reference),
        *(
            write(folder / "model_answer" / f"{model}.jsonl", _answers(model, form))
            for model, form in _ANSWERS.items()
        ),
    ]


def arena(folder: Path) -> list[str]:
    """Arena-Hard v2.0: tall against a baseline, with a thought and a label that is none."""

    def game(label: str | None, text: str, thought: str = "") -> dict[str, Any]:
        judgment = {"answer": text, **({"thought": thought} if thought else {})}
        return {"score": label, "judgment": judgment, "prompt": [{"role": "user", "content": "?"}]}

    games = {
        "u1": [game("B>>A", "My verdict: [[B>>A]]", "Hmm, [[A>B]]?"), game("A>B", "[[A>B]]")],
        "u2": [game("A>B", "[[A>B]]"), game("B>A", "[[B>A]]")],
        "u3": [game("A=B", "[[A=B]]"), game("A>>B", "[[A>>B]]")],
        "u4": [game("A>>>B", "[[A>>>B]]"), None],
    }
    questions = [
        {"uid": key, "category": "hard_prompt", "prompt": f"Do {key} well."} for key in games
    ]
    judgments = [
        {"uid": key, "category": "hard_prompt", "judge": JUDGE, "model": "org/tall",
         "baseline": "base", "games": both}
        for key, both in games.items()
    ]  # fmt: skip
    answers = [
        {"uid": key, "model": model, "messages": [
            {"role": "user", "content": "?"},
            {"role": "assistant", "content": {"answer": f"{model} does {key}"}}]}
        for key in games for model in ("base", "org/tall")
    ]  # fmt: skip
    return [
        write(folder / "model_judgment" / JUDGE / "tall.jsonl", judgments),
        write(folder / "question.jsonl", questions),
        write(folder / "model_answer" / "all.jsonl", answers),
    ]


def alpaca(path: Path, *, indent: int | None = 2) -> list[str]:
    """AlpacaEval's annotations as one JSON list, one of them unparsed."""
    tops = [{"token": "m", "logprob": -0.1053605157}, {"token": "M", "logprob": -2.302585093}]
    rows = [
        {"instruction": f"Do {number}.", "output_1": f"base {number}", "generator_1": "base",
         "output_2": f"tall does {number}", "generator_2": "tall", "dataset": "koala",
         "annotator": JUDGE, "preference": preference,
         "raw_completion": {"logprobs": {"content": [{"token": "m", "top_logprobs": tops}]}}}
        for number, preference in enumerate((1.9, 1.1, None, 1.5), start=1)
    ]  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows, indent=indent))
    return [str(path)]


def loaded(paths: Iterable[str]) -> tuple[JudgedFile, ...]:
    """The judged files of a load."""
    return load(list(paths), LoadOptions(judged=True)).judged


def of(files: Sequence[JudgedFile], benchmark: str, model: str = "tall") -> list[Judgment]:
    """The judgments of a model."""
    return judgments_of(files, benchmark, model)


def read(files: Sequence[JudgedFile], judgment: Judgment, *, full: bool = False) -> list[Section]:
    """The document of a judgment, its row read again."""
    texts = Texts.of(files, judgment.benchmark)
    return document(judgment, texts, raw_row(judgment), full=full)


def one(judgments: Sequence[Judgment], question: str, turn: int = 1, *, rating: bool) -> Judgment:
    """The only judgment on a turn of a question that is a rating, or a pair."""
    (found,) = [
        row for row in judgments
        if (row.question, row.turn, row.rating) == (question, turn, rating)
    ]  # fmt: skip
    return found
