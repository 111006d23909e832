"""Protocols as generators: what they ask, and what they make of every kind of reply."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.engine.judged.rows import outputs_swapped
from ifbench_tui.formats.mt_bench_inputs import JudgePrompt
from ifbench_tui.judge.alpaca_eval import alpaca_tasks
from ifbench_tui.judge.arena_hard import arena_v01_tasks, arena_v2_tasks
from ifbench_tui.judge.call import Call, Reply
from ifbench_tui.judge.errors import InputError, TemplateError
from ifbench_tui.judge.mt_bench import pair_tasks, single_tasks, unguided
from ifbench_tui.judge.own_templates import OWN
from ifbench_tui.judge.protocol import Judging
from ifbench_tui.judge.questions import read_material
from ifbench_tui.judge.run import Result, Task
from ifbench_tui.judge.templates import Role, Template, template_set

from .data import arena_files, mt_files, write_rows

Answering = Callable[[Call], Reply]


def finish(task: Task, answer: Answering) -> tuple[Result, list[Call]]:
    asked: list[Call] = []
    steps = task.steps()
    try:
        calls = next(steps)
        while True:
            asked += calls
            calls = steps.send([answer(call) for call in calls])
    except StopIteration as end:
        return end.value, asked


def rows_of(tasks: Sequence[Task], answer: Answering) -> list[dict[str, Any]]:
    return [dict(finish(task, answer)[0].row or {}) for task in tasks]


def says(text: str, outcome: str = "ok") -> Answering:
    return lambda call: Reply(outcome, text, at=5.0)


@pytest.fixture
def mt(tmp_path: Path) -> Judging:
    material = read_material(mt_files(tmp_path))
    assert material.problems == []
    return Judging("j", material, references={"1": ("ref one", "ref two")})


# ---- MT-Bench ----------------------------------------------------------------------------------


def test_single_rates_each_turn_of_each_answer_with_the_reference_where_it_belongs(
    mt: Judging,
) -> None:
    rows = rows_of(single_tasks(mt), says("Good. Rating: [[8]]"))
    assert [(row["question_id"], row["model"], row["turn"]) for row in rows] == [
        (number, model, turn) for model in ("tern", "wren") for number in (1, 2) for turn in (1, 2)
    ]
    assert {row["score"] for row in rows} == {8}
    guided = ["ref one" in row["user_prompt"] for row in rows]
    assert guided == [row["question_id"] == 1 for row in rows]
    assert rows[0]["judge"] == ["j", "own-single-reference-turn1-v1"]
    second = rows[1]["user_prompt"]
    for text in ("Q1 first?", "tern 1.1", "Q1 second?", "tern 1.2", "ref one", "ref two"):
        assert text in second
    assert "wren" not in second
    assert unguided(mt) == 0
    assert unguided(replace(mt, references={})) == 1


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Reply("http_500"), "http_500"),
        (Reply("timeout"), "timeout"),
        (Reply("truncated", "so far [[9]]"), "truncated"),
        (Reply("empty"), "empty"),
        (Reply("refused", "I will not"), "refused"),
        (Reply("ok", "no number here"), "no_verdict"),
        (Reply("ok", "[[08]]"), "no_verdict"),
    ],
)
def test_what_is_no_verdict_is_named_and_never_a_score_or_tie(
    mt: Judging, reply: Reply, outcome: str
) -> None:
    result, _ = finish(single_tasks(mt)[0], lambda _: reply)
    assert result.row is not None
    assert (result.row["score"], result.row["outcome"]) == (-1, outcome)
    assert result.row["judgment"] == (reply.text or "$ERROR$")
    assert result.outcomes == (outcome,)
    pair, _ = finish(pair_tasks(mt)[0], lambda _: reply)
    assert pair.row is not None
    assert (pair.row["g1_winner"], pair.row["g2_winner"]) == ("error", "error")
    assert pair.row["g1_outcome"] == outcome


def test_pairs_swap_sides_and_map_the_winner_back(mt: Judging) -> None:
    (first, *_) = tasks = pair_tasks(mt)
    assert len(tasks) == 4
    _, calls = finish(first, says("[[A]]"))
    for call, order in zip(calls, (("tern", "wren"), ("wren", "tern")), strict=True):
        text = call.messages[-1][1]
        assert text.index(f"{order[0]} 1.1") < text.index(f"{order[1]} 1.1")
    (row, *_) = rows_of(tasks, says("[[A]]"))
    assert (row["model_1"], row["model_2"]) == ("tern", "wren")
    assert (row["g1_winner"], row["g2_winner"]) == ("model_1", "model_2")
    (row, *_) = rows_of(tasks, says("[[C]]"))
    assert (row["g1_winner"], row["g2_winner"]) == ("tie", "tie")


def test_pairs_against_a_baseline_and_without_enough_models(mt: Judging) -> None:
    tasks = pair_tasks(replace(mt, baseline="tern"))
    assert {row["model_2"] for row in rows_of(tasks, says("[[B]]"))} == {"tern"}
    with pytest.raises(InputError, match="two models"):
        pair_tasks(replace(mt, models=("tern",)))
    with pytest.raises(InputError, match="baseline"):
        pair_tasks(replace(mt, baseline="nobody"))
    with pytest.raises(InputError, match="nobody"):
        single_tasks(replace(mt, models=("nobody",)))


def test_a_trace_is_read_or_stripped_as_wanted(mt: Judging) -> None:
    answer = says("<think>[[2]]</think> Rating: [[9]]")
    assert rows_of(single_tasks(mt)[:1], answer)[0]["score"] == 2
    assert rows_of(single_tasks(replace(mt, strip_thoughts=True))[:1], answer)[0]["score"] == 9


# ---- templates ---------------------------------------------------------------------------------


def official(shared: Path) -> list[JudgePrompt]:
    path = shared / "data" / "mt_bench" / "judge_prompts.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    names = ("name", "type", "system_prompt", "prompt_template", "output_format")
    return [JudgePrompt(*(row[name] for name in names)) for row in rows]


def test_official_templates_render_as_the_reference_does(shared: Path, tmp_path: Path) -> None:
    templates = template_set(official(shared))
    assert set(templates) == {role for role in OWN if role.kind in ("single", "pairwise")}
    data = shared / "data" / "mt_bench"
    material = read_material([str(data / "question.jsonl")])
    given = read_material([str(data / "reference_answer")]).answers["gpt-4"]
    cases = json.loads((shared / "golden/judges/mtbench_prompt_render_cases.json").read_text())
    assert len(cases) == 8
    for case in cases:
        key = str(case["question_id"])
        material.answers = {"a": {key: tuple(case["answer_a"])}}
        tasks = single_tasks
        if case["answer_b"]:
            material.answers["b"] = {key: tuple(case["answer_b"])}
            tasks = pair_tasks
        judging = Judging("j", material, references=given, templates=templates)
        turn = 2 if "multi-turn" in case["template"] else 1
        row = rows_of(tasks(judging), says("x"))[turn - 1]
        assert row["judge"][1] == case["template"]
        text = row["g1_user_prompt" if case["answer_b"] else "user_prompt"]
        assert hashlib.sha256(text.encode()).hexdigest() == case["expected_user_prompt_sha256"]


def test_filling_is_one_pass_and_runs_nothing() -> None:
    template = Template("t", "", "{{x}} {question} {answer}")
    assert template.fill({"question": "{answer} {0}", "answer": "{{"}) == "{x} {answer} {0} {{"
    with pytest.raises(TemplateError, match="answer"):
        template.fill({"question": "q"})
    for text in ("{answer.__class__}", "{answer[0]}", "{", "}", "{password}", "{}"):
        with pytest.raises(TemplateError):
            _ = Template("t", "", text).fields


def test_template_files_that_cannot_be_used() -> None:
    good = JudgePrompt("a", "single", "s", "{question} {answer}", "[[rating]]")
    assert list(template_set([good])) == [Role("single", 1, False)]
    for bad in (
        [],
        [good, replace(good, name="b")],
        [replace(good, kind="triple")],
        [replace(good, output_format="[[A]]")],
    ):
        with pytest.raises(TemplateError):
            template_set(bad)


# ---- AlpacaEval --------------------------------------------------------------------------------


@pytest.fixture
def alpaca(tmp_path: Path) -> Judging:
    texts = [f"Do {number}" for number in range(8)]
    assert len({outputs_swapped(text) for text in texts}) == 2
    for name in ("base", "tern"):
        rows = [
            {"instruction": text, "output": f"{name} {text}", "generator": name, "dataset": "koala"}
            for text in texts
        ]
        rows.append({"instruction": "Same", "output": "=", "generator": name})
        write_rows(tmp_path / f"{name}.jsonl", rows)
    return Judging("j", read_material([str(tmp_path)]), baseline="base")


def weighing(first: float, second: float) -> Answering:
    place = (("m", math.log(first)), ("M", math.log(second)))
    return lambda _: Reply("ok", "m", tokens=(place,), finish_reason="length")


def test_a_weighted_preference_is_unswapped(alpaca: Judging) -> None:
    orders = set()
    for task in alpaca_tasks(alpaca):
        result, calls = finish(task, weighing(0.75, 0.25))
        row = result.row
        assert row is not None
        if row["instruction"] == "Same":
            assert (row["preference"], row["method"], calls) == (1.5, "identical", [])
            continue
        (call,) = calls
        text = call.messages[-1][1]
        shown_first = text.index("tern Do") < text.index("base Do")
        assert shown_first == outputs_swapped(row["instruction"])
        assert row["preference"] == pytest.approx(1.75 if shown_first else 1.25)
        assert (row["generator_1"], row["generator_2"], row["dataset"]) == ("base", "tern", "koala")
        assert (call.max_tokens, call.temperature, call.top_logprobs) == (1, 1.0, 5)
        orders.add(shown_first)
    assert orders == {True, False}


@pytest.mark.parametrize(
    ("reply", "preference", "outcome", "method"),
    [
        (Reply("no_logprobs", " M "), 2.0, "no_logprobs", "discrete"),
        (Reply("no_logprobs", "m"), 1.0, "no_logprobs", "discrete"),
        (Reply("no_logprobs", "Model m"), None, "no_logprobs", None),
        (Reply("ok", "x", tokens=((("x", -0.1),),)), None, "no_verdict", "weighted"),
        (
            Reply("ok", "mm", tokens=((("m", -0.1),), (("m", -0.1),))),
            None,
            "no_verdict",
            "weighted",
        ),
        (Reply("http_503"), None, "http_503", None),
    ],
)
def test_without_log_probabilities_nothing_is_passed_off_as_weighted(
    alpaca: Judging, reply: Reply, preference: float | None, outcome: str, method: str | None
) -> None:
    rows = rows_of(alpaca_tasks(alpaca), lambda _: reply)
    (row, *_) = [row for row in rows if not outputs_swapped(row["instruction"])]
    found = row["preference"], row["outcome"], row["method"]
    assert found == (preference, outcome, method)


def test_alpaca_needs_its_baseline(alpaca: Judging) -> None:
    with pytest.raises(InputError, match="gpt4_1106_preview"):
        alpaca_tasks(replace(alpaca, baseline=None))


# ---- Arena-Hard --------------------------------------------------------------------------------


@pytest.fixture
def arena(tmp_path: Path) -> Judging:
    return Judging("j", read_material(arena_files(tmp_path)), baseline="base")


def test_v2_games_show_the_baseline_first_and_then_second(arena: Judging) -> None:
    first, second = rows_of(arena_v2_tasks(arena), says("So: [[B>>A]]"))
    assert (first["uid"], first["category"]) == ("q1", "hard_prompt")
    assert (first["model"], first["baseline"]) == ("tern", "base")
    assert [game["score"] for game in first["games"]] == ["B>>A", "B>>A"]
    texts = [game["prompt"][-1]["content"] for game in first["games"]]
    assert texts[0].index("base on") < texts[0].index("tern on")
    assert texts[1].index("tern on") < texts[1].index("base on")
    systems = [row["games"][0]["prompt"][0]["content"] for row in (first, second)]
    assert ["your own answer" in text for text in systems] == [True, False]


def test_v2_without_a_usable_label_is_null(arena: Judging) -> None:
    (row, _) = rows_of(arena_v2_tasks(arena), says("[[A]]"))
    assert [game["score"] for game in row["games"]] == [None, None]
    assert row["outcomes"] == ["no_verdict", "no_verdict"]
    (row, _) = rows_of(arena_v2_tasks(arena), says("", "http_500"))
    assert row["games"] == [None, None]


def test_v01_asks_once_more_only_where_there_is_no_label(arena: Judging) -> None:
    def answer(call: Call) -> Reply:
        return Reply("ok", "[[A>B]]" if len(call.messages) > 2 else "Well, let me see.")

    result, calls = finish(arena_v01_tasks(arena)[0], answer)
    assert result.row is not None
    assert [len(call.messages) for call in calls] == [2, 2, 4, 4]
    assert [game["score"] for game in result.row["games"]] == ["A>B", "A>B"]
    assert result.row["games"][0]["judgment"] == "Well, let me see.\n[[A>B]]"
    assert "category" not in result.row
    _, calls = finish(arena_v01_tasks(arena)[0], says("[[A>B]] or [[B>A]]"))
    assert len(calls) == 2


# ---- files -------------------------------------------------------------------------------------


def test_rows_of_no_use_are_told_with_their_line(tmp_path: Path) -> None:
    path = write_rows(
        tmp_path / "a.jsonl",
        [
            {"question_id": 1, "category": "x", "turns": ["a"]},
            {"question_id": 1, "category": "x", "turns": ["b"]},
            {"question_id": 2, "turns": [3]},
            {"hello": 1},
            {"uid": "u", "messages": None},
        ],
    )
    material = read_material([str(path), str(tmp_path / "absent")])
    assert list(material.questions) == ["1"]
    lines = [problem.split(": ")[0] for problem in material.problems]
    assert lines == [f"{path}:{n}" for n in (2, 3, 4, 5)] + [str(tmp_path / "absent")]
