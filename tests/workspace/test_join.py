"""Responses find their prompts; prompts are what the files agree on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.workspace import (
    LoadError,
    LoadOptions,
    load,
)
from tests.formats.helpers import prompt, write_rows
from tests.workspace.helpers import answer, reasons, texts


def test_the_shared_folder_just_opens(shared: Path) -> None:
    loaded = load([str(shared / "data" / "ifeval")])
    suite = loaded.suites["ifeval"]
    assert (len(suite.prompts), len(suite.models)) == (541, 18)
    assert [prompt.key for prompt in suite.prompts][:2] == ["1000", "1001"]
    assert sum(len(prompt.constraints) for prompt in suite.prompts) == 834
    assert all(not suite.missing(model) for model in suite.models)
    assert all((one.duplicate, one.unmatched, one.broken) == (0, 0, 0) for one in loaded.sources)
    assert len(loaded.sources) == 20
    nulls = [sum(one.raw is None for one in suite.responses(m).values()) for m in suite.models]
    assert sorted(nulls)[-3:] == [0, 21, 22]
    assert {one.kind for one in loaded.problems} == {"notice"}
    # The raw text is what is graded, byte for byte.
    path = shared / "data" / "ifeval" / "responses" / "gpt4-20231107.jsonl"
    for line in path.read_bytes().split(b"\n")[:20]:
        row = json.loads(line)
        key = next(one.key for one in suite.prompts if one.text == row["prompt"])
        found = suite.response("gpt4-20231107", key)
        assert found is not None
        assert (found.text, found.raw) == (row["response"], row["response"])


@pytest.mark.parametrize("name", ["ifeval_fr", "ifeval_ja", "ifeval_es", "ifeval_ru", "ifbench"])
def test_other_shared_folders_say_not_yet(shared: Path, name: str) -> None:
    with pytest.raises(LoadError, match="not supported yet") as failed:
        load([str(shared / "data" / name)])
    counted = failed.value.sources
    assert all(one.used == 0 and one.broken + one.unmatched > 0 for one in counted)


def test_everything_shared_at_once_still_gives_the_english_suite(shared: Path) -> None:
    loaded = load([str(shared / "data")])
    suite = loaded.suites["ifeval"]
    assert len(suite.prompts) == 541
    assert [m for m in suite.models if not suite.missing(m)] == list(suite.models)
    assert len(suite.models) == 18


def test_join_by_text_key_alias_and_blanks(tmp_path: Path, prompts: str) -> None:
    aliases = tmp_path / "aliases.json"
    aliases.write_text('{"2": ["Say goodbye."]}')
    rows = [answer("Say hi.", "by blanks"), answer("Say goodbye.", "by alias")]
    rows.append({"key": 3, "response": "by key"})
    loaded = load([prompts, str(aliases), write_rows(tmp_path / "m.jsonl", rows)])
    assert texts(loaded, "m") == {"1": "by blanks", "2": "by alias", "3": "by key"}
    said = [reason for _, reason in reasons(loaded, "notice")]
    assert [("blanks" in one, "alias" in one) for one in said] == [(True, False), (False, True)]


def test_a_text_between_two_prompts_is_not_guessed(tmp_path: Path) -> None:
    asked = write_rows(tmp_path / "p.jsonl", [prompt(1, "Go "), prompt(2, " Go")])
    rows = [answer("Go"), answer("Go ")]
    loaded = load([asked, write_rows(tmp_path / "m.jsonl", rows)])
    assert list(texts(loaded, "m")) == ["1"]
    assert reasons(loaded, "unmatched")[0][0] == 1


def test_the_text_wins_over_the_key(tmp_path: Path, prompts: str) -> None:
    rows = [answer("Say bye.", "bye", key=1)]
    loaded = load([prompts, write_rows(tmp_path / "m.jsonl", rows)])
    assert texts(loaded, "m") == {"2": "bye"}
    assert "joined by text" in reasons(loaded, "notice")[0][1]


def test_a_key_holds_while_the_texts_are_alike(tmp_path: Path, prompts: str) -> None:
    rows = [
        answer("Name three rivers of Asia.", "Indus", key=3),
        answer("Write a poem on the sea.", "waves", key=2),
    ]
    loaded = load([prompts, write_rows(tmp_path / "m.jsonl", rows)])
    assert texts(loaded, "m") == {"3": "Indus"}
    assert "joined by key" in reasons(loaded, "notice")[0][1]
    ((line, reason),) = reasons(loaded, "unmatched")
    assert (line, "reads quite differently" in reason) == (2, True)


def test_texts_are_alike_from_more_than_half_of_their_words_on(tmp_path: Path) -> None:
    asked = write_rows(tmp_path / "p.jsonl", [prompt(1, "a b c d"), prompt(2, "a b c e f")])
    rows = [answer("a b", "half", key=1), answer("a b c", "more", key=2)]
    loaded = load([asked, write_rows(tmp_path / "m.jsonl", rows)])
    assert texts(loaded, "m") == {"2": "more"}
    assert [line for line, _ in reasons(loaded, "unmatched")] == [1]


def test_the_last_response_counts(tmp_path: Path, prompts: str) -> None:
    rows = [answer("Say bye.", "first"), answer("Say bye.", "last"), answer("Unknown.")]
    loaded = load([prompts, write_rows(tmp_path / "m.jsonl", rows)])
    suite = loaded.suites["ifeval"]
    found = suite.response("m", "2")
    assert found is not None
    assert (found.text, found.line) == ("last", 2)
    assert reasons(loaded, "duplicate")[0][0] == 1
    assert reasons(loaded, "unmatched")[0][0] == 3
    assert suite.missing("m") == ("1", "3")
    report = loaded.sources[1]
    assert (report.used, report.duplicate, report.unmatched, report.broken) == (1, 1, 1, 0)
    assert suite.missing("nobody") == ("1", "2", "3")


def test_prompts_that_stand_twice(tmp_path: Path) -> None:
    rows = [
        prompt(1, "a"),
        prompt(2, "b"),
        prompt(1, "a", num_words=3),
        prompt(9, "b"),
        prompt(4, "d"),
    ]
    path = write_rows(tmp_path / "p.jsonl", rows)
    loaded = load([path])
    suite = loaded.suites["ifeval"]
    assert [(one.key, one.text) for one in suite.prompts] == [("1", "a"), ("2", "b"), ("4", "d")]
    assert suite.prompts[0].constraints[0].params == {"num_words": 3}
    assert [line for line, _ in reasons(loaded, "duplicate")] == [1, 2]
    assert (loaded.sources[0].used, loaded.sources[0].prompts) == (3, 3)


def test_prompts_without_keys_get_the_number_of_their_line(tmp_path: Path) -> None:
    rows = [prompt(2, "a"), {**prompt(0, "b"), "key": None}]
    loaded = load([write_rows(tmp_path / "p.jsonl", rows)])
    assert [one.key for one in loaded.suites["ifeval"].prompts] == ["2", "3"]


def sample(key: int, text: str, response: str, **fields: Any) -> dict[str, Any]:
    return {
        "doc_id": key - 1,
        "doc": prompt(key, text),
        "resps": [[response]],
        "filtered_resps": [response],
        **fields,
    }


def test_lm_eval_brings_its_own_prompts_and_reruns(tmp_path: Path) -> None:
    rows = [sample(1, "a", "old"), sample(2, "b", "s"), sample(1, "a", "new")]
    path = write_rows(tmp_path / "org__m" / "samples_ifeval_2024.jsonl", rows)
    loaded = load([path])
    assert [one.key for one in loaded.suites["ifeval"].prompts] == ["1", "2"]
    assert texts(loaded, "org/m") == {"1": "new", "2": "s"}
    assert (loaded.sources[0].used, loaded.sources[0].duplicate) == (2, 1)


def test_prompts_file_wins_over_prompts_in_rows(tmp_path: Path) -> None:
    log = write_rows(tmp_path / "m" / "samples_ifeval_2024.jsonl", [sample(1, "a", "r")])
    asked = write_rows(tmp_path / "p.jsonl", [prompt(1, "a", num_words=3)])
    loaded = load([log, asked])
    assert loaded.suites["ifeval"].prompts[0].constraints[0].params == {"num_words": 3}
    assert any("other constraints" in reason for _, reason in reasons(loaded, "notice"))


@pytest.mark.parametrize(("chosen", "wanted"), [(None, "a"), ("flex", "b")])
def test_one_filter_is_used(tmp_path: Path, chosen: str | None, wanted: str) -> None:
    rows = [sample(1, "p", "a", filter="strict"), sample(1, "p", "b", filter="flex")]
    path = write_rows(tmp_path / "m" / "samples_x.jsonl", rows)
    loaded = load([path], LoadOptions(filter=chosen))
    assert texts(loaded, "m") == {"1": wanted}
    assert (loaded.sources[0].used, loaded.sources[0].duplicate) == (1, 1)


def test_a_filter_that_is_not_there_lists_those_that_are(tmp_path: Path) -> None:
    rows = [sample(1, "p", "a", filter="strict")]
    path = write_rows(tmp_path / "m" / "samples_x.jsonl", rows)
    loaded = load([path], LoadOptions(filter="flex"))
    ((_, reason),) = reasons(loaded, "unmatched")
    assert "'strict'" in reason
    assert loaded.suites["ifeval"].models == ()
