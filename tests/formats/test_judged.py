"""Files of judged benchmarks: recognised by content, values right, odd rows told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.engine.judged.rows import Annotation, ArenaJudgment, PairJudgment, SingleJudgment
from ifbench_tui.formats import LoadOptions
from ifbench_tui.formats.arena_hard import ArenaAnswer
from ifbench_tui.formats.judged import Question
from ifbench_tui.formats.mt_bench_inputs import Conversation
from ifbench_tui.formats.records import JudgedRow, Problem, Record
from tests.engine.judged.data import cases
from tests.formats.helpers import broken, notices, read, write_rows

JUDGED = LoadOptions(judged=True)

ANNOTATION: dict[str, Any] = {
    "instruction": "What is tea?",
    "output_1": "A drink.",
    "generator_1": "base",
    "output_2": "A hot drink made of leaves.",
    "generator_2": "tall-model",
    "dataset": "koala",
    "annotator": "weighted",
    "preference": 1.25,
}
SINGLE: dict[str, Any] = {
    "question_id": 81,
    "model": "m",
    "judge": ["gpt-4", "single-v1"],
    "user_prompt": "",
    "judgment": "[[7]]",
    "score": 7,
    "turn": 1,
}
PAIR: dict[str, Any] = {
    "question_id": 81,
    "model_1": "m",
    "model_2": "n",
    "g1_winner": "model_1",
    "g2_winner": "tie",
    "judge": ["gpt-4", "pair-v2"],
    "turn": 2,
}
ARENA: dict[str, Any] = {
    "uid": "u",
    "category": "hard_prompt",
    "judge": "j",
    "model": "m",
    "baseline": "b",
    "games": [{"score": "A>B", "judgment": {"answer": "[[A>B]]"}}, None],
}


def values(records: list[Record]) -> list[Any]:
    return [one.value for one in records if isinstance(one, JudgedRow)]


def test_annotations(tmp_path: Path) -> None:
    rows = [
        ANNOTATION,
        ANNOTATION,
        ANNOTATION | {"preference": None},
        ANNOTATION | {"preference": -1},
        ANNOTATION | {"preference": "high"},
        ANNOTATION | {"output_2": None},
    ]
    name, records = read(write_rows(tmp_path / "annotations.json", rows))
    assert name == "alpaca-annotations"
    first, *others = values(records)
    assert first == Annotation(
        "tall-model",
        "base",
        1.25,
        8,
        27,
        False,
        "What is tea?",
        "koala",
        # As the reference's coin falls for this instruction.
        swapped=True,
        annotator="weighted",
    )
    assert [one.preference for one in others] == [None, -1.0]
    kinds = [one.kind for one in records if isinstance(one, Problem)]
    assert kinds == ["duplicate", "notice", "notice", "broken", "broken"]


def test_lengths_are_code_points(tmp_path: Path, shared: Path) -> None:
    for case in cases(shared, "BR-111"):
        text = case["input"]["text"]
        row = ANNOTATION | {"output_1": text, "output_2": text}
        _, records = read(write_rows(tmp_path / "a.json", [row]))
        (found,) = values(records)
        assert (found.length_1, found.length_2) == (case["expect"]["length"],) * 2
        assert found.same_output
        assert found.swapped is None


def test_compact_rows_take_the_files_name(tmp_path: Path) -> None:
    row = {"preference": 2, "len_output_1": 5, "len_output_2": 9, "instruction_difficulty": 0.5}
    bad = [row | {"len_output_2": -1}, row | {"len_output_1": 1.5}, row | {"preference": True}]
    name, records = read(write_rows(tmp_path / "my-7b-v1.5.jsonl", [row, *bad]))
    assert name == "alpaca-compact"
    (found,) = values(records)
    assert (found.model, found.longer, found.difficulty) == ("my-7b-v1.5", 4, 0.5)
    assert len(broken(records)) == 3


def test_outputs_are_told_by_their_subsets(tmp_path: Path) -> None:
    row = {"instruction": "i", "output": "é", "generator": "m", "dataset": "vicuna"}
    name, records = read(write_rows(tmp_path / "model_outputs.json", [row]))
    assert name == "alpaca-outputs"
    assert values(records)[0].length == 1
    other, _ = read(write_rows(tmp_path / "x.json", [row | {"dataset": "mine"}]))
    assert other not in ("alpaca-outputs", "unsupported")


@pytest.mark.parametrize(
    ("name", "head", "row", "bad"),
    [
        ("alpaca-difficulty", "index,instruction_difficulty", "0,1.5", "1,x"),
        ("alpaca-difficulty", ",instruction_difficulty", "0,1.5", "1,"),
        (
            "alpaca-gamed-baseline",
            "model,index,preference,std_delta_len,instruction_difficulty,not_gamed_baseline",
            "m,0,0.5,-1,0.1,False",
            "m,0,1.5,-1,0.1,False",
        ),
        (
            "alpaca-leaderboard",
            ",win_rate,n_total,avg_length,mode",
            "m,50.5,805,1000,minimal",
            "m,inf,805,1000,minimal",
        ),
        ("alpaca-weights", "model,length,difficulty,quality", "m,-1,0.5,2", "m,-1,0.5,"),
    ],
)
def test_tables(tmp_path: Path, name: str, head: str, row: str, bad: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"{head}\n{row}\n{bad}\n")
    found, records = read(path)
    assert found == name
    assert len(values(records)) == 1
    assert [one.line for one in broken(records)] == [3]


def test_mt_bench_judgments(tmp_path: Path) -> None:
    name, records = read(write_rows(tmp_path / "s.jsonl", [SINGLE, SINGLE | {"turn": 3}]))
    assert name == "mt-bench-single"
    want = SingleJudgment(81, "m", ("gpt-4", "single-v1"), 1, 7.0, "[[7]]")
    assert values(records) == [want]
    assert len(broken(records)) == 1
    rows = [PAIR, PAIR | {"g1_winner": "model_3"}]
    name, records = read(write_rows(tmp_path / "p.jsonl", rows), JUDGED)
    assert name == "mt-bench-pair-boards"
    want_pair = PairJudgment(81, "m", "n", ("gpt-4", "pair-v2"), 2, "model_1", "tie")
    assert values(records) == [want_pair]
    assert len(broken(records)) == 1


def test_old_pair_files_have_one_winner(tmp_path: Path) -> None:
    row = {k: v for k, v in PAIR.items() if k not in ("g1_winner", "g2_winner", "turn")}
    _, records = read(write_rows(tmp_path / "p.jsonl", [row | {"winner": "model_2"}]), JUDGED)
    (found,) = values(records)
    assert (found.winner_1, found.winner_2, found.turn) == ("model_2", "model_2", 1)


def test_pairs_are_battles_unless_boards_are_wanted(tmp_path: Path) -> None:
    vote = {k: PAIR[k] for k in ("question_id", "turn")}
    vote |= {"model_a": "m", "model_b": "n", "winner": "tie", "judge": "expert_1"}
    for row, judged in (
        (PAIR, "mt-bench-pair-boards"),
        (ARENA, "arena-hard-boards"),
        (vote, "mt-bench-vote-boards"),
    ):
        path = write_rows(tmp_path / "p.jsonl", [row])
        assert read(path, JUDGED)[0] == judged
        plain, records = read(path)
        assert plain != judged
        assert not values(records)


def test_mt_bench_inputs(tmp_path: Path) -> None:
    question = {"question_id": 81, "category": "writing", "turns": ["a", "b"]}
    name, records = read(write_rows(tmp_path / "q.jsonl", [question, question | {"turns": []}]))
    assert name == "mt-bench-questions"
    assert values(records) == [Question("mt_bench", "81", "writing", ("a", "b"))]
    answer = {"question_id": 81, "choices": [{"index": 0, "turns": ["x", "y"]}], "model_id": "z"}
    name, records = read(write_rows(tmp_path / "tall.jsonl", [answer, answer | {"choices": []}]))
    assert name == "mt-bench-answers"
    assert values(records) == [Conversation("tall", "81", ("x", "y"))]
    assert len(broken(records)) == 1
    (tmp_path / "reference_answer").mkdir()
    _, records = read(write_rows(tmp_path / "reference_answer" / "judge.jsonl", [answer]))
    assert values(records) == [Conversation("judge", "81", ("x", "y"), reference=True)]


def test_arena_hard_judgments(tmp_path: Path) -> None:
    legacy = {"question_id": "q", "model": "m", "judge": "j"}
    legacy |= {"games": [{"user_prompt": "", "judgment": "[[B>A]]", "score": "B>A"}]}
    name, records = read(write_rows(tmp_path / "v2.jsonl", [ARENA]), JUDGED)
    assert name == "arena-hard-boards"
    want = ArenaJudgment("u", "hard_prompt", "j", "m", "b", "A>B", None, "v2", "[[A>B]]", None)
    assert values(records) == [want]
    _, records = read(write_rows(tmp_path / "v01.jsonl", [legacy]), JUDGED)
    (found,) = values(records)
    assert (found.rules, found.baseline, found.category) == (
        "v0.1",
        "gpt-4-0314",
        "arena-hard-v0.1",
    )
    assert (found.label_1, found.label_2, found.text_1) == ("B>A", None, "[[B>A]]")
    rows = [ARENA | {"games": "x"}, ARENA, ARENA | {"games": []}]
    _, records = read(write_rows(tmp_path / "x.jsonl", [ARENA, *rows[2:]]), JUDGED)
    assert len(broken(records)) == 1


def test_arena_hard_answers(tmp_path: Path) -> None:
    text = "# Head\n- one\n**bold** word"
    answer = {"uid": "u", "ans_id": "a", "model": "m"}
    messages = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": {"answer": text}},
    ]
    counts = {
        "token_len": 9,
        "header_count": {"h1": 2},
        "list_count": {"ordered": 1, "unordered": 1},
        "bold_count": {"**": 3, "__": 0},
    }
    rows = [
        answer | {"messages": messages},
        answer | {"messages": [messages[0], {"role": "assistant", "content": text}]},
        answer | {"messages": messages, "metadata": counts},
        answer | {"messages": [], "metadata": counts | {"token_len": -1}},
        answer | {"messages": []},
    ]
    name, records = read(write_rows(tmp_path / "m.jsonl", rows))
    assert name == "arena-hard-answers"
    plain, same, counted = values(records)
    assert isinstance(plain, ArenaAnswer)
    assert plain == same
    style = plain.style
    assert (style.tokens, style.header, style.list, style.bold) == (6, 1, 1, 1)
    assert not style.counted
    assert (counted.style.tokens, counted.style.header, counted.style.counted) == (9, 2, True)
    assert len(broken(records)) == 2


def test_shared_files_are_read_without_a_broken_row(shared: Path) -> None:
    for path, name, count in (
        ("arena_hard/v0.1/question.jsonl", "arena-hard-questions", 500),
        ("arena_hard/v0.1-legacy/model_answer/gpt-4-0613.jsonl", "arena-hard-legacy-answers", None),
        ("arena_hard/v0.1-legacy/question.jsonl", "arena-hard-legacy-questions", None),
        ("mt_bench/question.jsonl", "mt-bench-questions", 80),
        ("mt_bench/reference_answer/gpt-4.jsonl", "mt-bench-answers", 30),
        ("mt_bench/judge_prompts.jsonl", "mt-bench-judge-prompts", 8),
        ("alpaca_eval/gamed_baseline.csv", "alpaca-gamed-baseline", 1610),
        ("alpaca_eval/instruction_difficulty.csv", "alpaca-difficulty", 805),
        ("alpaca_eval/raw/NullModel/annotations.json", "alpaca-annotations", 40),
        ("alpaca_eval/raw/reference_outputs.json", "alpaca-outputs", 40),
        ("judges/math_pairs.jsonl", "judge-known-pairs", 120),
        ("judges/judge_scores_by_family.jsonl", "judge-family-scores", None),
    ):
        found, records = read(shared / "data" / path)
        assert found == name, path
        assert not broken(records), path
        assert not notices(records), path
        assert count in (None, len(values(records))), path


def test_hostile_values_are_broken_rows(tmp_path: Path) -> None:
    rows = [SINGLE] + [
        SINGLE | {name: value}
        for name in SINGLE
        if name not in ("user_prompt", "judgment")
        for value in ({}, [], True, "\x1b[31m", 10**400)
    ]
    name, records = read(write_rows(tmp_path / "s.jsonl", rows))
    assert name == "mt-bench-single"
    assert len(values(records)) + len(broken(records)) == len(rows)


@pytest.mark.parametrize("odd", [[], {}, [["koala"]], 7, None])
def test_a_subset_that_is_no_text_is_no_outputs_file(tmp_path: Path, odd: Any) -> None:
    row = {"instruction": "i", "output": "o", "generator": "m", "dataset": odd}
    name, _ = read(write_rows(tmp_path / "model_outputs.json", [row]), JUDGED)
    assert name != "alpaca-outputs"


def test_an_instruction_with_half_a_surrogate_is_read(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "annotations.json", [ANNOTATION | {"instruction": "tea \ud800"}])
    (row,) = (one for one in read(path, JUDGED)[1] if isinstance(one, JudgedRow))
    assert isinstance(row.value, Annotation)
    assert row.value.swapped is not None


@pytest.mark.parametrize("count", [10**400, -1, 0.5, "7", [10**400]])
def test_style_counts_that_are_no_counts_are_refused(tmp_path: Path, count: Any) -> None:
    style = {"token_len": count, "header_count": {}, "list_count": {}, "bold_count": {}}
    row = {"uid": "u", "model": "m", "metadata": style}
    assert broken(read(write_rows(tmp_path / "m.jsonl", [row]), JUDGED)[1])


def test_an_empty_row_of_a_leaderboard_is_broken(tmp_path: Path) -> None:
    row = {"": "m", "win_rate": 50.0, "n_total": 805, "avg_length": 1000}
    path = write_rows(tmp_path / "leaderboard.jsonl", [row, row, {}])
    assert [one.line for one in broken(read(path, JUDGED)[1])] == [3]
