"""One judgment as a document: conversation, judgment, and the verdict marked in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ifbench_tui.report.judgments.sections import Section
from tests.judged_files import JUDGE, alpaca, arena, loaded, mt_bench, of, one, read, write


def test_the_conversation_comes_turn_by_turn_before_the_judgment(tmp_path: Path) -> None:
    files = loaded(mt_bench(tmp_path))
    sections = read(files, one(of(files, "mt_bench"), "81", 2, rating=False))
    assert [(part.kind, part.title) for part in sections] == [
        ("question", "question, turn 1"),
        ("answer", "answer of tall, turn 1"),
        ("answer", "answer of short, turn 1"),
        ("question", "question, turn 2"),
        ("answer", "answer of tall, turn 2"),
        ("answer", "answer of short, turn 2"),
        ("judgment", "judgment of umpire, turn 2, game 1: A is tall, B is short"),
        ("judgment", "judgment of umpire, turn 2, game 2: A is short, B is tall"),
        ("asked", "what the judge was asked, game 1"),
        ("asked", "what the judge was asked, game 2"),
    ]
    first, second = (part.spans for part in sections if part.kind == "judgment")
    assert [span.note for span in (*first, *second)] == ["tall is better", "short is better"]


def test_references_are_those_of_the_turns_judged(tmp_path: Path) -> None:
    files = loaded(mt_bench(tmp_path))
    sections = read(files, one(of(files, "mt_bench"), "111", rating=True))
    assert [part.text for part in sections if part.kind == "reference"] == ["It is 144."]
    assert "question, turn 2, after what was judged" in [part.title for part in sections]


def test_a_verdict_that_the_file_contradicts_is_marked_so(tmp_path: Path) -> None:
    files = loaded(mt_bench(tmp_path))
    sections = read(files, one(of(files, "mt_bench"), "101", rating=True))
    (judged,) = [part for part in sections if part.kind == "judgment"]
    decisive, other = judged.spans
    assert (judged.text[decisive.start : decisive.end], decisive.role) == ("[[7]]", "offends")
    assert decisive.note.startswith("rating 7; the file says 4; 2 ratings in the text")
    assert (judged.text[other.start : other.end], other.role) == ("[[4]]", "limit")


def test_a_trace_is_folded_unless_it_holds_the_verdict(tmp_path: Path) -> None:
    files = loaded(mt_bench(tmp_path))
    found = of(files, "mt_bench")

    def judgment(question: str, turn: int, *, full: bool = False) -> Section:
        sections = read(files, one(found, question, turn, rating=True), full=full)
        return next(part for part in sections if part.kind == "judgment")

    folded = judgment("111", 1)
    assert folded.text == "(a reasoning trace of 35 characters, folded)\nRight: [[10]]"
    (span,) = folded.spans
    assert folded.text[span.start : span.end] == "[[10]]"
    assert folded.text[slice(*folded.quiet[0])].startswith("(a reasoning trace")
    assert judgment("111", 1, full=True).text.startswith("<think>12 * 12")
    kept = judgment("81", 2)
    assert kept.text.startswith("<think>Is it [[3]]?")
    assert "it stands in a reasoning trace" in kept.spans[0].note


def test_a_text_without_a_verdict_has_a_mark_where_it_is_missing(tmp_path: Path) -> None:
    files = loaded(mt_bench(tmp_path))
    sections = read(files, one(of(files, "mt_bench"), "101", 2, rating=True))
    (span,) = next(part for part in sections if part.kind == "judgment").spans
    assert (span.start, span.end, span.role) == (23, 23, "missing")
    assert span.note.startswith("no usable verdict in the text")


def test_without_questions_the_files_to_load_are_named_and_the_prompt_is_shown(
    tmp_path: Path,
) -> None:
    files = loaded(mt_bench(tmp_path, judgments_only=True))
    sections = read(files, one(of(files, "mt_bench"), "81", rating=True))
    assert [part.kind for part in sections] == ["notice", "judgment", "asked"]
    assert "question.jsonl, model_answer/tall.jsonl" in sections[0].text
    assert sections[2].text == "Please rate the answer to 81."


def test_arena_shows_both_answers_and_folds_the_judges_thought(tmp_path: Path) -> None:
    files = loaded(arena(tmp_path))
    first = of(files, "arena_hard")[0]
    sections = read(files, first)
    assert [part.title for part in sections][:5] == [
        "question", "answer of base", "answer of tall",
        "reasoning trace, game 1: A is base, B is tall",
        "judgment of umpire, game 1: A is base, B is tall",
    ]  # fmt: skip
    assert sections[3].text == "(a reasoning trace of 13 characters, folded)"
    assert sections[4].spans[0].note == "tall is much better than base"
    assert read(files, first, full=True)[3].text == "Hmm, [[A>B]]?"
    unparsed = read(files, of(files, "arena_hard")[3])
    notes = [span.note for part in unparsed for span in part.spans]
    assert notes == ["no usable verdict in the text; A>>>B is no verdict"]
    assert "(no text; the file says no verdict)" in [part.text for part in unparsed]


def test_letters_that_grow_in_upper_case_do_not_hide_the_label(tmp_path: Path) -> None:
    game = {"score": "A>B", "judgment": {"answer": "Der Spaß siegt: [[a>b]], nicht [A>B]."}}
    row = {"uid": "u", "category": "c", "judge": JUDGE, "model": "tall", "baseline": "base",
           "games": [game, game]}  # fmt: skip
    files = loaded([write(tmp_path / "j.jsonl", [row])])
    sections = read(files, of(files, "arena_hard")[0])
    judged = next(part for part in sections if part.kind == "judgment")
    marks = [(judged.text[span.start : span.end], span.role) for span in judged.spans]
    assert marks == [("[[a>b]]", "counts")]


@pytest.mark.parametrize("indent", [None, 2])
def test_alpaca_reads_the_outputs_again_and_recomputes_the_preference(
    tmp_path: Path, indent: int | None
) -> None:
    files = loaded(alpaca(tmp_path / "annotations.json", indent=indent))
    agreeing = set()
    for number, judgment in enumerate(of(files, "alpaca_eval"), start=1):
        sections = read(files, judgment)
        texts = {part.text for part in sections if part.kind == "answer"}
        assert texts == {f"base {number}", f"tall does {number}"}
        judged = sections[-1]
        assert judged.title == "judgment of umpire"
        shown_first = judgment.games[0].shown[0]
        assert f"90.00 %   {shown_first}, shown first" in judged.text
        made = 1.1 if shown_first == "base" else 1.9
        same = judgment.points and abs(judgment.points[0] + 1 - made) < 1e-6
        assert (f"{made:.6f}, as in the file" in judged.text) == bool(same)
        assert (judged.spans[0].role == "counts") == bool(same)
        agreeing.add(bool(same))
    assert agreeing == {True, False}


def test_a_file_that_changed_since_is_said_and_not_misread(tmp_path: Path) -> None:
    path = tmp_path / "annotations.json"
    files = loaded(alpaca(path))
    path.write_text(path.read_text().replace("Do 1.", "Do something else."))
    changed, same = of(files, "alpaca_eval")[:2]
    assert "gone or has changed" in read(files, changed)[0].text
    assert [part.kind for part in read(files, same)][:3] == ["question", "answer", "answer"]


def test_compact_rows_say_which_file_has_the_texts(tmp_path: Path) -> None:
    row = {"row": 0, "instruction_index": 4, "dataset": "koala", "preference": 1.25,
           "len_output_1": 9, "len_output_2": 30, "swapped": True}  # fmt: skip
    files = loaded([write(tmp_path / "tall.jsonl", [row, row | {"instruction_index": 5}])])
    found = of(files, "alpaca_eval")
    assert [judgment.question for judgment in found] == ["4", "5"]
    notice, judged = read(files, found[0])
    assert "annotations.json" in notice.text
    assert judged.text.startswith("preference 1.25: 1 is gpt4_1106_preview, 2 is tall\n")
