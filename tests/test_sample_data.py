"""The sample data shows every state an audit can meet, each where its README says."""

from __future__ import annotations

from pathlib import Path

import pytest

from ifbench_tui.engine.benchmark import JudgedResponse
from ifbench_tui.engine.verdict import Lattice
from ifbench_tui.report.validation import validate
from ifbench_tui.scoring import benchmark_for, judge_text, score, summarise
from ifbench_tui.workspace import LoadOptions, Suite, Workspace, load

SAMPLE_DATA = Path(__file__).resolve().parents[1] / "sample_data"
HERON, MAGPIE, WREN = "heron-2", "magpie-chat", "wren-mini"

RESCUED = {
    1: (MAGPIE, "103", "startend:end_checker"),
    2: (MAGPIE, "102", "punctuation:no_comma"),
    3: (MAGPIE, "101", "detectable_format:number_bullet_lists"),
    4: (MAGPIE, "105", "detectable_format:json_format"),
    5: (MAGPIE, "107", "combination:repeat_prompt"),
    6: (MAGPIE, "122", "startend:end_checker"),
    7: (MAGPIE, "106", "startend:quotation"),
}
"""For each variant but the untouched text, a constraint that it is the first to rescue."""

NEAR_MISSES = {
    (HERON, "123", "length_constraints:number_sentences"),
    (HERON, "124", "punctuation:no_comma"),
    (MAGPIE, "118", "length_constraints:number_words"),
    (WREN, "102", "length_constraints:number_words"),
    (WREN, "113", "keywords:letter_frequency"),
    (WREN, "116", "detectable_content:number_placeholders"),
}

Judged = dict[str, dict[str, JudgedResponse]]


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return load([str(SAMPLE_DATA / "ifeval")])


@pytest.fixture(scope="module")
def suite(workspace: Workspace) -> Suite:
    return workspace.suites["ifeval"]


@pytest.fixture(scope="module")
def judged(suite: Suite) -> Judged:
    return {
        model: {response.key: response for response in responses}
        for model, responses in score(suite).items()
    }


def lattices(judged: Judged) -> list[tuple[str, str, Lattice]]:
    return [
        (model, key, lattice)
        for model, responses in judged.items()
        for key, response in responses.items()
        for lattice in response.lattices
    ]


def test_every_prompt_and_response_is_loaded(suite: Suite) -> None:
    assert len(suite.prompts) == 24
    assert set(suite.models) == {HERON, MAGPIE, WREN}
    assert all(suite.missing(model) == () for model in suite.models)


def test_prompts_have_one_to_three_constraints_of_all_types(suite: Suite) -> None:
    assert {len(prompt.constraints) for prompt in suite.prompts} == {1, 2, 3}
    types = {spec.type for prompt in suite.prompts for spec in prompt.constraints}
    assert types == set(benchmark_for("ifeval").types)


def test_each_source_accounts_for_its_rows(workspace: Workspace) -> None:
    counts = {
        (source.used, source.duplicate, source.unmatched, source.broken)
        for source in workspace.sources
        if source.path.endswith("wren-mini.csv")
    }
    assert counts == {(24, 1, 1, 0)}
    others = [s for s in workspace.sources if not s.path.endswith("wren-mini.csv")]
    assert [s for s in others if s.unmatched or s.broken] == []
    assert len({source.format for source in workspace.sources}) == 4


def test_the_last_of_two_rows_counts(suite: Suite, judged: Judged) -> None:
    response = suite.response(WREN, "103")
    assert response is not None
    assert response.text.startswith("There are three causes.")
    assert judged[WREN]["103"].strict


@pytest.mark.parametrize("variant", RESCUED)
def test_each_variant_is_the_first_to_rescue_something(judged: Judged, variant: int) -> None:
    model, key, constraint = RESCUED[variant]
    found = {lattice.constraint: lattice.rescued_by for lattice in judged[model][key].lattices}
    assert found[constraint] == variant


def test_near_misses_occur_for_every_model(judged: Judged) -> None:
    near = {(m, k, lattice.constraint) for m, k, lattice in lattices(judged) if lattice.near_miss}
    assert near >= NEAR_MISSES


def test_only_the_bad_keyword_pattern_is_an_error(judged: Judged) -> None:
    errors = {
        (model, key, lattice.constraint, lattice.error.kind)
        for model, key, lattice in lattices(judged)
        if lattice.error is not None
    }
    assert errors == {
        (model, "119", "keywords:existence", "bad_pattern") for model in (HERON, MAGPIE, WREN)
    }


def test_recorded_verdicts_differ_in_two_places(suite: Suite, judged: Judged) -> None:
    differ = []
    for key, response in suite.responses(MAGPIE).items():
        recorded = response.recorded
        assert recorded is not None
        assert recorded.strict is not None
        assert recorded.loose is not None
        now = judged[MAGPIE][key].lattices
        for position, lattice in enumerate(now):
            was = (recorded.strict[position], recorded.loose[position])
            if was != (lattice.strict, lattice.loose):
                differ.append((key, lattice.constraint, was))
    assert sorted(differ) == [
        ("113", "keywords:letter_frequency", (False, False)),
        ("120", "language:response_language", (False, False)),
    ]


def test_only_one_response_is_null(suite: Suite, judged: Judged) -> None:
    null = [
        (model, key)
        for model in suite.models
        for key, response in suite.responses(model).items()
        if response.raw is None
    ]
    assert null == [(HERON, "112")]
    assert judged[HERON]["112"].blank


def test_broken_json_is_placed(judged: Judged) -> None:
    assert "10:1" in judged[WREN]["105"].lattices[0].measured


def test_a_thinking_trace_decides_a_verdict(suite: Suite, judged: Judged) -> None:
    kept = suite.response(WREN, "109")
    assert kept is not None
    assert kept.text.startswith("<think>")
    assert not judged[WREN]["109"].loose
    options = LoadOptions(think="strip")
    stripped_suite = load([str(SAMPLE_DATA / "ifeval")], options).suites["ifeval"]
    stripped = stripped_suite.response(WREN, "109")
    prompt = next(one for one in suite.prompts if one.key == "109")
    assert stripped is not None
    assert judge_text(benchmark_for("ifeval"), prompt, stripped.text).strict


def test_other_scripts_and_hostile_text_occur(suite: Suite) -> None:
    texts = {model: suite.responses(model) for model in suite.models}
    assert "雨" in texts[HERON]["120"].text
    assert "bottega di Venezia" in texts[HERON]["104"].text
    for hostile in ("\x1b[", "\x1b]", "\x07", "\u202e", "[Your Name]"):
        assert hostile in texts[MAGPIE]["121"].text
    for hostile in ("[/red]", "[@click=", "[/]", "[[", "\t"):
        assert hostile in texts[WREN]["121"].text


def test_every_model_passes_and_fails_and_the_careful_one_is_best(judged: Judged) -> None:
    strict = {m: sum(r.strict for r in rs.values()) for m, rs in judged.items()}
    loose = {m: sum(r.loose for r in rs.values()) for m, rs in judged.items()}
    assert strict == {HERON: 20, MAGPIE: 8, WREN: 6}
    assert loose == {HERON: 20, MAGPIE: 18, WREN: 8}


def test_the_files_are_small() -> None:
    size = sum(path.stat().st_size for path in SAMPLE_DATA.rglob("*") if path.is_file())
    assert size < 600_000


@pytest.fixture(scope="module")
def hard() -> Suite:
    return load([str(SAMPLE_DATA)]).suites["ifhardbench"]


@pytest.fixture(scope="module")
def hard_judged(hard: Suite) -> Judged:
    return {model: {row.key: row for row in rows} for model, rows in score(hard).items()}


def test_one_folder_opens_as_two_suites_with_the_same_models() -> None:
    loaded = load([str(SAMPLE_DATA)])
    assert list(loaded.suites) == ["ifeval", "ifhardbench"]
    assert [set(one.models) for one in loaded.suites.values()] == [{HERON, MAGPIE, WREN}] * 2
    ours = [source for source in loaded.sources if "ifhardbench" in source.path]
    assert [(one.used, one.unmatched, one.broken) for one in ours if one.used] == [(14, 0, 0)] * 4
    assert {one.format for one in ours if one.responses} == {
        "ifhardbench-submission", "ifhardbench-lm-eval", "table"
    }  # fmt: skip


def test_the_russian_tasks_are_of_all_families(hard: Suite) -> None:
    specs = [spec for prompt in hard.prompts for spec in prompt.constraints]
    assert (len(hard.prompts), len(specs)) == (14, 66)
    assert len({spec.type for spec in specs}) == 36
    assert {spec.family for spec in specs} == {"structure", "lexical", "style", "format", "logic"}
    logic = {spec.type for spec in specs if spec.family == "logic"}
    assert {"logic:override", "logic:conditional_include", "logic:conditional_format"} == logic
    assert all(spec.wording for spec in specs)
    text = "".join(prompt.text for prompt in hard.prompts)
    assert all(sign in text for sign in "ё«»—")


def test_every_witness_passes_and_nothing_contradicts() -> None:
    loaded = load([str(SAMPLE_DATA / "ifhardbench")])
    found = validate(loaded, loaded.suites["ifhardbench"])
    assert (found.rows, found.witnesses, found.faults) == (14, 14, ())


def test_the_places_the_readme_names(hard: Suite, hard_judged: Judged) -> None:
    passed = {m: sum(row.strict for row in rows.values()) for m, rows in hard_judged.items()}
    assert passed == {HERON: 10, MAGPIE: 0, WREN: 0}
    said = {
        (model, key, lattice.constraint.partition(":")[2]): lattice
        for model, rows in hard_judged.items()
        for key, row in rows.items()
        for lattice in row.lattices
    }
    assert said[HERON, "302", "comma_count"].near_miss
    assert said[HERON, "302", "conditional_include"].measured.startswith("the condition does not")
    assert "numbered_list wins" in said[HERON, "305", "override"].measured
    assert said[MAGPIE, "306", "quote_task"].strict
    assert said[MAGPIE, "311", "checksum"].measured == "states 20, has 21 words"
    assert hard_judged[WREN]["314"].blank
    assert not hard_judged[WREN]["312"].blank
    recorded = hard.responses(MAGPIE)["306"].recorded
    assert recorded is not None
    assert recorded.strict is not None
    ours = [lattice.strict for lattice in hard_judged[MAGPIE]["306"].lattices]
    assert [a != b for a, b in zip(recorded.strict, ours, strict=True)] == [False] * 3 + [True]


@pytest.mark.parametrize(
    ("model", "blind"),
    [
        (MAGPIE, {"structure:char_count": [0, 7], "style:no_commas": [0, 5]}),
        (WREN, {"structure:word_count": [0, 5]}),
    ],
)
def test_blind_spots(
    hard: Suite, hard_judged: Judged, model: str, blind: dict[str, list[int]]
) -> None:
    extras = summarise(hard, list(hard_judged[model].values())).extras
    counted = extras["counted_types"]
    assert {name: tally for name, tally in counted.items() if tally[0] == 0} == blind
    lowest = min(extras["balance_factors"].values())
    assert {n for n, factor in extras["balance_factors"].items() if factor == lowest} == set(blind)


def test_each_file_reports_its_own_responses_though_models_span_benchmarks() -> None:
    workspace = load([str(SAMPLE_DATA)])
    for source in workspace.sources:
        assert source.responses in (0, source.used), source.path
    assert len(workspace.suites) == 2
