"""lm-eval sample logs in all their shapes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.formats import LoadOptions
from ifbench_tui.formats.records import Record, Recorded, ResponseRow
from tests.formats.helpers import broken, notices, prompt, read, write_rows


def sample(doc_id: int, **fields: Any) -> dict[str, Any]:
    return {
        "doc_id": doc_id,
        "doc": prompt(1000 + doc_id, f"p{doc_id}"),
        "target": 0,
        "resps": [["text"]],
        "filtered_resps": ["text"],
        **fields,
    }


def rows_of(path: Path, rows: list[dict[str, Any]]) -> tuple[list[ResponseRow], list[Record]]:
    name = path / "meta__llama" / "samples_ifeval_2024-07-01T10-00-00.000000.jsonl"
    found, records = read(write_rows(name, rows))
    assert found == "lm-eval"
    return [one for one in records if isinstance(one, ResponseRow)], records


def test_a_new_log(tmp_path: Path) -> None:
    row = sample(
        0,
        arguments={"gen_args_0": {"arg_0": "templated", "arg_1": {"until": []}}},
        filter="none",
        prompt_level_strict_acc=False,
        inst_level_strict_acc=[False],
        inst_level_loose_acc=[True],
    )
    (one,), _ = rows_of(tmp_path, [row])
    assert (one.model, one.key, one.prompt, one.response) == (
        "meta/llama",
        "1000",
        "p0",
        "text",
    )
    assert one.recorded == Recorded((False,), (True,))
    assert one.variant == "none"
    assert one.carried is not None
    assert one.carried.prompt.text == "p0"


@pytest.mark.parametrize(
    ("shape", "response", "more"),
    [
        (["a"], "a", 0),
        ("a", "a", 0),
        ([["a"]], "a", 0),
        (["a", "b"], "a", 1),
        ([["a", "b", "c"]], "a", 1),
        ([None], None, 0),
    ],
)
def test_shapes_of_filtered_resps(
    tmp_path: Path, shape: Any, response: str | None, more: int
) -> None:
    (one,), records = rows_of(tmp_path, [sample(0, filtered_resps=shape)])
    assert one.response == response
    assert len(notices(records)) == more


@pytest.mark.parametrize("shape", [[], [[]], 7, [{}]])
def test_no_text_is_a_broken_row(tmp_path: Path, shape: Any) -> None:
    found, records = rows_of(tmp_path, [sample(0, filtered_resps=shape)])
    assert not found
    assert len(broken(records)) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        {"gen_args_0": {"arg_0": "asked", "arg_1": {}}},
        [["asked", {"until": []}]],
        ["asked"],
        None,
    ],
)
def test_arguments_of_any_age(tmp_path: Path, arguments: Any) -> None:
    row = {"doc_id": 3, "arguments": arguments, "resps": [["a"]], "filtered_resps": ["a"]}
    (one,), _ = rows_of(tmp_path, [row])
    assert (one.key, one.prompt) == ((None, "asked") if arguments else ("3", None))
    assert one.carried is None


def test_unfiltered_logs_use_the_raw_generation(tmp_path: Path) -> None:
    row = sample(0)
    del row["filtered_resps"]
    (one,), _ = rows_of(tmp_path, [row])
    assert one.response == "text"


def test_filters_that_are_not_named_are_blocks(tmp_path: Path) -> None:
    first = [sample(n, filtered_resps=["A"]) for n in range(2)]
    second = [sample(n, filtered_resps=["B"]) for n in range(2)]
    rows, _ = rows_of(tmp_path, first + second)
    assert [one.variant for one in rows] == ["", "", "block 2", "block 2"]


def test_a_rerun_is_no_filter(tmp_path: Path) -> None:
    rerun = sample(0, resps=[["other"]], filtered_resps=["other"])
    rows, _ = rows_of(tmp_path, [sample(0), rerun, sample(0)])
    assert [one.variant for one in rows] == ["", "", ""]


def test_other_tasks_carry_no_prompt(tmp_path: Path) -> None:
    doc = {"question": "1+1?", "answer": "2"}
    other = {**prompt(1, "p"), "instruction_id_list": ["count:word_count_range"]}
    rows, _ = rows_of(tmp_path, [sample(0, doc=doc), sample(1, doc=other)])
    assert [one.carried for one in rows] == [None, None]


STAMP = "2026-01-03T09-12-44.118204"


@pytest.mark.parametrize("results", [None, f"results_{STAMP}.json", "results_2020.json"])
@pytest.mark.parametrize("folder", ["downloads", "meta__llama"])
def test_the_model_is_the_one_of_the_run_else_the_folders_name_and_maybe_a_guess(
    tmp_path: Path, folder: str, results: str | None
) -> None:
    path = tmp_path / folder / f"samples_ifeval_{STAMP}.jsonl"
    write_rows(path, [sample(0), sample(1)])
    if results:
        said = {"results": {"ifeval": {}}, "config": {}, "model_name": "org/model"}
        (path.parent / results).write_text(json.dumps(said, indent=2))
    _, records = read(path)
    model = "org/model" if results and STAMP in results else folder.replace("__", "/")
    assert {one.model for one in records if isinstance(one, ResponseRow)} == {model}
    guesses = [one for one in notices(records) if "a guess" in one.reason]
    assert len(guesses) == (model == "downloads")


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"model_name": 7}', b"\x00\x01"])
def test_a_results_file_that_says_nothing_is_as_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "downloads" / f"samples_ifeval_{STAMP}.jsonl"
    write_rows(path, [sample(0)])
    (path.parent / f"results_{STAMP}.json").write_bytes(content)
    assert "'downloads'" in notices(read(path)[1])[0].reason
    _, records = read(path, LoadOptions(model="mine"))
    assert [one.model for one in records if isinstance(one, ResponseRow)] == ["mine"]
    assert not notices(records)
