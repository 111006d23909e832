"""Style counts of battles: carried, stated in the turns, or counted in the responses."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.engine.ratings import style as engine
from ifbench_tui.formats import LoadOptions
from ifbench_tui.formats.battle_block import BattleBlock
from ifbench_tui.formats.battle_style import FEATURES
from tests.formats.battles import battle, block_of, read_battles
from tests.formats.helpers import notices, read, write_rows

STYLED = LoadOptions(battle_style=True)
TEXT_A = "# Title\n\n- one\n- two\n\n**bold** text of nine words here."
TEXT_B = "1. first"


def turns(text: str, **fields: Any) -> list[dict[str, Any]]:
    return [
        {"role": "user", "content": "# not counted"},
        {"role": "assistant", "content": text, **fields},
    ]


def counts(block: BattleBlock, row: int = 0) -> dict[str, tuple[float, float]]:
    return {name: (a[row], b[row]) for name, (a, b) in block.style.items()}


def carried(**fields: Any) -> dict[str, Any]:
    sides = {
        "sum_assistant_a_tokens": 12,
        "sum_assistant_b_tokens": 0,
        "header_count_a": {"h1": 1, "h2": 2},
        "header_count_b": 3.0,
        "list_count_a": {"ordered": 0, "unordered": 4},
        "list_count_b": 0,
        "bold_count_a": {"**": 1, "__": 1},
        "bold_count_b": {},
    }
    return {**sides, **fields}


def test_the_features_are_the_engines() -> None:
    assert FEATURES == engine.FEATURES


def test_nothing_is_counted_unless_asked_for(tmp_path: Path) -> None:
    assert block_of(tmp_path, battle(conv_metadata=carried())).style == {}


def test_carried_counts_are_summed(tmp_path: Path) -> None:
    whole = block_of(tmp_path, battle(conv_metadata=carried()), options=STYLED)
    assert counts(whole) == {"tokens": (12, 0), "header": (3, 3), "list": (4, 0), "bold": (2, 0)}
    text = block_of(tmp_path, battle(conv_metadata=json.dumps(carried())), options=STYLED)
    assert counts(text) == counts(whole)


@pytest.mark.parametrize(
    "fields",
    [
        {"conversation_a": turns(TEXT_A), "conversation_b": turns(TEXT_B)},
        {"conversation_a": json.dumps(turns(TEXT_A)), "conversation_b": json.dumps(turns(TEXT_B))},
        {"response_a": json.dumps([TEXT_A]), "response_b": json.dumps([TEXT_B])},
        {
            "conversation_a": [
                {"role": "assistant", "content": [{"type": "text", "text": TEXT_A, "image": None}]}
            ],
            "conversation_b": [
                {"role": "assistant", "content": [{"type": "image"}, {"text": TEXT_B}]}
            ],
        },
    ],
)
def test_counted_in_the_responses(fields: dict[str, Any], tmp_path: Path) -> None:
    path = write_rows(tmp_path / "b.jsonl", [battle(**fields)])
    _, block, _ = read_battles(path, STYLED)
    assert counts(block) == {"tokens": (12, 2), "header": (1, 0), "list": (2, 1), "bold": (1, 0)}
    told = [one for one in notices(read(path, STYLED)[1]) if "whitespace words" in one.reason]
    assert [one.rows for one in told] == [1]


def test_stated_tokens_of_turns(tmp_path: Path) -> None:
    row = battle(
        conversation_a=turns(TEXT_A, num_tokens=40), conversation_b=turns(TEXT_B, num_tokens=5)
    )
    assert counts(block_of(tmp_path, row, options=STYLED))["tokens"] == (40, 5)


def test_the_turns_of_a_side_are_one_text(tmp_path: Path) -> None:
    row = battle(conversation_a=turns("# a") + turns("# b"), conversation_b=turns(""))
    found = counts(block_of(tmp_path, row, options=STYLED))
    assert found["header"] == (2, 0)
    assert found["tokens"] == (4, 0)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"conv_metadata": "no JSON"},
        {"conv_metadata": {"sum_assistant_a_tokens": 4}},
        {"conv_metadata": carried(bold_count_b=None)},
        {"conversation_a": turns(TEXT_A)},
        {"response_a": "plain, not a list", "response_b": "[]"},
    ],
)
def test_unknown_style_is_nan(fields: dict[str, Any], tmp_path: Path) -> None:
    block = block_of(tmp_path, battle(**fields), options=STYLED)
    assert any(math.isnan(side) for pair in counts(block).values() for side in pair)


@pytest.mark.parametrize("bad", [-1, 1.5, True, "many", {"h1": -2}, [3]])
def test_counts_that_are_none_are_told(bad: Any, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "b.jsonl", [battle(conv_metadata=carried(header_count_a=bad))])
    _, records = read(path, STYLED)
    assert any("are no counts" in one.reason for one in notices(records))
    _, block, _ = read_battles(path, STYLED)
    assert all(math.isnan(side) for pair in counts(block).values() for side in pair)
