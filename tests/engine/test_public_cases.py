"""Public bug reports about IFEval verdicts, as cases: the right answer stays right."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.engine.benchmark import ConstraintSpec, JudgedResponse, Prompt, judge
from ifbench_tui.engine.ifeval import IFEval
from ifbench_tui.pattern_guard import PatternGuard
from ifbench_tui.scoring import judge_text

from .test_ifeval_golden import rows

FLAGS = {
    "unknown_instruction": {"unknown_constraint"},
    "verifier_error": {"bad_pattern", "invalid_parameter"},
    "timeout": {"pattern_timeout"},
}


def cases(shared: Path, *areas: str) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    return [
        (group["id"], case["input"], case["expect"])
        for group in rows(shared / "cases/cases.jsonl")
        if group["area"] in areas
        for case in group["cases"]
    ]


def response_of(given: dict[str, Any]) -> str:
    if "response" in given:
        return str(given["response"])
    return str(value_of(ast.parse(given["response_expr"], mode="eval").body))


def value_of(node: ast.expr) -> Any:
    """Literals joined by + and *, which is all that the expressions are."""
    if isinstance(node, ast.BinOp):
        left, right = value_of(node.left), value_of(node.right)
        return left + right if isinstance(node.op, ast.Add) else left * right
    return ast.literal_eval(node)


@pytest.fixture(scope="module")
def ifeval() -> IFEval:
    return IFEval(PatternGuard())


def test_single_constraints(shared: Path, ifeval: IFEval) -> None:
    wrong = []
    seen = 0
    for case, given, expect in cases(shared, "ifeval", "think"):
        if given.get("bench") != "ifeval" or "instruction_id" not in given:
            continue
        seen += 1
        spec = ConstraintSpec(given["instruction_id"], given["kwargs"])
        lattice = judge(ifeval, spec, ifeval.variants(response_of(given)))
        got = {
            "strict": lattice.strict,
            "loose": lattice.loose,
            "variants": [cell is True for cell in lattice.cells],
        }
        if any(got[name] != expect[name] for name in got if name in expect):
            wrong.append((case, given, expect, lattice))
        flag = expect.get("flag")
        if flag == "reference_nondeterministic":
            if not ifeval.note(spec):
                wrong.append((case, given, "no note", lattice))
        elif (lattice.error.kind if lattice.error else None) not in FLAGS.get(flag, {None}):
            wrong.append((case, given, flag, lattice))
    assert wrong == []
    assert seen > 80


def test_several_constraints_on_one_response(shared: Path, ifeval: IFEval) -> None:
    seen = 0
    for case, given, expect in cases(shared, "ifeval"):
        if "instruction_ids" not in given:
            continue
        seen += 1
        specs = tuple(map(ConstraintSpec, given["instruction_ids"], given["kwargs_list"]))
        judged = judge_text(ifeval, Prompt("1", "", specs), given["response"])
        assert [lattice.strict for lattice in judged.lattices] == expect["strict"], case
        assert [lattice.loose for lattice in judged.lattices] == expect["loose"], case
        assert judged.loose == expect["prompt_loose"], case
    assert seen


def test_the_stored_threshold_decides_and_not_the_prompt(shared: Path, ifeval: IFEval) -> None:
    prompts = {row["key"]: row for row in rows(shared / "data/ifeval/input_data.jsonl")}
    seen = 0
    for case, given, expect in cases(shared, "ifeval-data"):
        if "dataset_key" not in given:
            continue
        seen += 1
        row = prompts[given["dataset_key"]]
        specs = tuple(map(ConstraintSpec, row["instruction_id_list"], row["kwargs"]))
        judged = judge_text(ifeval, Prompt("1", row["prompt"], specs), response_of(given))
        got = [lattice.strict for lattice in judged.lattices]
        assert got[: len(expect["strict"])] == expect["strict"], case
    assert seen


def test_aggregates(shared: Path, ifeval: IFEval) -> None:
    for case, given, expect in cases(shared, "aggregate"):
        if "strict" not in given:
            continue
        judged = [
            JudgedResponse(
                str(number), tuple(judge(ifeval, ConstraintSpec("x"), ("y",) * 8) for _ in row)
            )
            for number, row in enumerate(given["strict"])
        ]
        summary = ifeval.summarise(judged)
        for name in ("prompt_strict", "inst_strict"):
            if name in expect:
                assert summary.metric(name).value == expect[name], case
        left_out = summary.extras["prompts_without_constraints"]
        assert left_out == expect.get("rows_without_instructions", left_out), case


def test_reading_the_cases_does_not_change_them(shared: Path, ifeval: IFEval) -> None:
    """Rows are never modified, in whatever order strict and loose are asked for."""
    for _, given, _ in cases(shared, "ifeval"):
        if given.get("bench") == "ifeval" and "kwargs" in given:
            before = json.dumps(given)
            judge(ifeval, ConstraintSpec(given["instruction_id"], given["kwargs"]), ("a b",) * 8)
            assert json.dumps(given) == before
