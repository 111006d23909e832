"""The four accuracies and their intervals."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifbench_tui.engine.accuracy import compare
from ifbench_tui.engine.benchmark import JudgedResponse
from ifbench_tui.engine.ifeval import IFEval
from ifbench_tui.engine.intervals import clustered, compare_paired, wilson
from ifbench_tui.engine.verdict import CheckError, Lattice

from .test_ifeval_golden import GOLDEN_MODELS, judged_lattices

IFEVAL = IFEval()


def lattice(strict: bool, loose: bool = False, *, error: CheckError | None = None) -> Lattice:
    cells = (strict, False, strict or loose, *(False,) * 5)
    return Lattice("punctuation:no_comma", cells, "no commas", "", error=error)


@pytest.mark.parametrize("model", GOLDEN_MODELS)
def test_the_summary_of_a_real_model_agrees(shared: Path, model: str) -> None:
    golden = json.loads((shared / "golden/ifeval/summary.json").read_text(encoding="utf-8"))
    expected = golden["models"][model]
    lattices = judged_lattices(shared, model)
    summary = IFEVAL.summarise([JudgedResponse(key, row) for key, row in lattices.items()])
    assert (summary.n_prompts, summary.n_constraints) == (
        expected["prompts"],
        expected["instructions"],
    )
    for ours, theirs in {
        "prompt_strict": "prompt_strict",
        "inst_strict": "instruction_strict",
        "prompt_loose": "prompt_loose",
        "inst_loose": "instruction_loose",
    }.items():
        metric = summary.metric(ours)
        assert metric.hits == expected[theirs]["correct"]
        assert metric.value == pytest.approx(expected[theirs]["accuracy"], abs=1e-12)
        assert metric.value is not None
        assert metric.lower is not None
        assert metric.upper is not None
        assert metric.lower < metric.value < metric.upper
    for kind, table in {"type": "types", "category": "categories"}.items():
        scores = {
            score.name: (score.n, score.strict, score.loose) for score in summary.groups[kind]
        }
        assert scores == {
            name: (row["total"], row["strict_correct"], row["loose_correct"])
            for name, row in expected[table].items()
        }


def test_nothing_to_divide_by_is_none_and_not_zero() -> None:
    summary = IFEVAL.summarise([])
    assert [metric.value for metric in summary.metrics] == [None] * 4
    assert summary.extras["strict_loose_gap"] is None


def test_a_prompt_without_constraints_is_left_out_and_counted() -> None:
    summary = IFEVAL.summarise([JudgedResponse("1", ()), JudgedResponse("2", (lattice(True),))])
    assert summary.n_prompts == 1
    assert summary.extras["prompts_without_constraints"] == 1


def test_an_erring_check_stays_in_every_denominator() -> None:
    error = CheckError("bad_pattern", "no", "re.error")
    rows = [JudgedResponse(str(i), (lattice(i < 2),)) for i in range(6)]
    rows += [JudgedResponse(str(i), (lattice(False, error=error),)) for i in (6, 7)]
    summary = IFEVAL.summarise(rows)
    assert summary.metric("inst_strict").value == 0.25
    assert summary.extras["errors"] == 2


def test_loose_is_decided_constraint_by_constraint() -> None:
    one = Lattice("a:a", (False, True, False), "", "")
    other = Lattice("a:b", (False, False, True), "", "")
    row = JudgedResponse("1", (one, other))
    assert (row.strict, row.loose) == (False, True)


def test_formatting_only_failures_name_the_variant_that_rescues() -> None:
    rows = [JudgedResponse("1", (lattice(False, True),)), JudgedResponse("2", (lattice(False),))]
    extras = IFEVAL.summarise(rows).extras
    assert extras["formatting_only_share"] == 0.5
    assert extras["rescued_by"] == {"first": 1}


@given(st.integers(0, 60), st.integers(1, 60))
def test_wilson_solves_the_score_equation(hits: int, n: int) -> None:
    hits = min(hits, n)
    bounds = wilson(hits, n)
    assert bounds is not None
    for bound, edge in zip(bounds, (0.0, 1.0), strict=True):
        if bound != edge:
            score = (hits / n - bound) / math.sqrt(bound * (1 - bound) / n)
            assert abs(score) == pytest.approx(1.959963984540054, rel=1e-6)


def test_constraints_that_always_agree_within_a_prompt_count_once_each_prompt() -> None:
    hits = [3, 0] * 20
    alone = wilson(20, 40)
    together = clustered(hits, [3] * 40)
    assert alone is not None
    assert together is not None
    assert together == pytest.approx(alone, abs=5e-3)


def test_independent_constraints_gain_from_their_number() -> None:
    hits = [sum(bits) for bits in product((0, 1), repeat=3)] * 10
    pooled = wilson(sum(hits), 3 * len(hits))
    got = clustered(hits, [3] * len(hits))
    assert pooled is not None
    assert got is not None
    assert got == pytest.approx(pooled, abs=1e-3)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=14))
def test_mcnemar_is_what_flipping_every_discordant_pair_gives(
    pairs: list[tuple[bool, bool]],
) -> None:
    result = compare_paired([a for a, _ in pairs], [b for _, b in pairs])
    discordant = [a for a, b in pairs if a != b]
    observed = abs(2 * sum(discordant) - len(discordant))
    flips = list(product((0, 1), repeat=len(discordant)))
    extreme = sum(abs(2 * sum(flip) - len(flip)) >= observed for flip in flips)
    assert result.p_value == pytest.approx(extreme / len(flips))
    assert result.both + result.only_a + result.only_b + result.neither == len(pairs)


def test_swapping_two_models_mirrors_the_comparison() -> None:
    a = [True, True, False, True, False]
    b = [True, False, False, False, True]
    one, other = compare_paired(a, b), compare_paired(b, a)
    assert one.difference is not None
    assert one.difference == -(other.difference or 0)
    assert (one.lower, one.upper) == (-(other.upper or 0), -(other.lower or 0))
    assert one.lower is not None
    assert one.lower <= one.difference


def test_models_are_compared_on_the_prompts_both_answered() -> None:
    a = [JudgedResponse("1", (lattice(True),)), JudgedResponse("2", (lattice(True),))]
    b = [JudgedResponse("2", (lattice(False, True),)), JudgedResponse("3", (lattice(True),))]
    assert (compare(a, b).n, compare(a, b).only_a) == (1, 1)
    assert compare(a, b, loose=True).both == 1
