"""Scoring keys: which rows can be scored, and which requirements fail by themselves."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ifbench_tui.engine.ifhardbench.key import KeyUnusable, read_key

GOOD = {"category": "style:no_caps", "family": "style", "params": {}}


def keyed(key: Any, lines: str = "") -> dict[str, Any]:
    return {"meta": {"constraints": key}, "inputs": {"constraints": lines}}


@pytest.mark.parametrize(
    ("row", "raises"),
    [
        ({}, "KeyError"),
        ({"meta": {}}, "KeyError"),
        (keyed(" \n"), "ValueError"),
        (keyed("[{"), "ValueError"),
        (keyed("[" * 100_000), "ValueError"),
        (keyed("null"), "TypeError"),
        (keyed(None), "TypeError"),
        (keyed(5), "TypeError"),
        (keyed("{}"), "TypeError"),
        (keyed([None]), "TypeError"),
        (keyed([{"category": "style:no_caps"}]), "KeyError"),
        (keyed([{"family": "style"}]), "KeyError"),
    ],
)
def test_rows_that_cannot_be_scored(row: dict[str, Any], raises: str) -> None:
    with pytest.raises(KeyUnusable) as caught:
        read_key(row)
    assert caught.value.raises == raises


def test_text_and_list_are_the_same_key_and_extra_fields_are_nothing() -> None:
    entry = {**GOOD, "is_terminal": True, "note": "x"}
    assert read_key(keyed(json.dumps([entry]))) == read_key(keyed([GOOD]))


@pytest.mark.parametrize("params", [None, [], 5, "x"])
def test_params_that_are_no_object_are_a_flaw_of_their_requirement(params: Any) -> None:
    good, bad = read_key(keyed([GOOD, {**GOOD, "params": params}]))
    assert not good.flaw
    assert bad.flaw
    missing = {name: GOOD[name] for name in ("category", "family")}
    assert read_key(keyed([missing]))[0].flaw


def test_the_row_s_own_lines_are_the_wordings_where_they_pair_up() -> None:
    specs = read_key(keyed([GOOD, GOOD], "- Без заглавных.\n- Только строчные — все.\n"))
    assert [spec.wording for spec in specs] == ["Без заглавных.", "Только строчные — все."]
    assert [spec.wording for spec in read_key(keyed([GOOD], "- раз\n- два"))] == [""]
