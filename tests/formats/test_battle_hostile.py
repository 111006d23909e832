"""Any JSON in any field of a battle file: each row is used or refused, and nothing raises."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ifbench_tui.formats import LoadOptions
from ifbench_tui.workspace import load
from ifbench_tui.workspace.battles import BattleFilter, choose
from tests.formats.battles import battle, read_battles
from tests.formats.helpers import write_rows

STYLED = LoadOptions(battle_style=True)
FIELDS = (
    *("model_a", "model_b", "winner", "weight", "question_id", "judge", "language", "turn"),
    *("tstamp", "anony", "dedup_tag", "category_tag", "category", "is_code", "conv_metadata"),
    *("conversation_a", "conversation_b", "response_a", "evaluation_session_id"),
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.floats(allow_nan=False)
    | st.text(max_size=6)
    | st.sampled_from(["model_a", "tie", "ant", "2024-01-01", "0001-01-01T00:00:00+23:59", "[1"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)
METADATA = st.fixed_dictionaries(
    {},
    optional={
        "sum_assistant_a_tokens": VALUES,
        "header_count_a": VALUES,
        "list_count_a": VALUES,
        "bold_count_a": VALUES,
    },
)
ROW = st.fixed_dictionaries(
    {}, optional={name: VALUES | METADATA if name == "conv_metadata" else VALUES for name in FIELDS}
)


@settings(max_examples=150, deadline=None)
@given(rows=st.lists(ROW, max_size=6))
def test_every_row_ends_as_used_or_refused(
    rows: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("hostile")
    filling = [battle(), battle("bee", "ant", "tie")] * 10
    made = [*filling, *({**battle(), **row} for row in rows)]
    file = write_rows(path / "b.jsonl", made)
    _, block, refused = read_battles(file, STYLED)
    assert len(block) + len(refused) == len(made)
    assert all(0.0 <= y <= 1.0 for y in block.y)
    assert all(0 < weight < math.inf for weight in block.weight or ())
    columns = (block.questions, block.turn, block.time, block.hidden, block.sampled)
    assert {len(column) for column in columns} == {len(block)}
    assert {len(column.codes) for column in block.labels.values()} == {len(block)}
    wanted = BattleFilter(judges=("human",), categories=("x",), turns=(1, 2), since=0.0)
    blocks = load([file], STYLED).battles
    assert choose(blocks, wanted).battles.models is not None
    everything = BattleFilter(blinding="any", sampled=False, with_questions=True)
    assert len(choose(blocks, everything).battles) == len(block)


@pytest.mark.parametrize(
    "text",
    [
        '{"model_a": "x", "model_b": "y", "winner": "tie"}{"model_a": "x"',
        '[{"model_a": "x", "model_b": "y", "winner": "tie"}, 3, null',
        '{"model_a": "x", "model_b": "y", "winner": "tie", "weight": NaN}\n',
        '{"model_a": "x", "model_b": "y", "winner": "tie", "a": ' + "[" * 500 + "]" * 500 + "}\n",
        'model_a,model_b,winner\nx,y,"tie\n',
    ],
)
def test_damaged_files_do_not_raise(text: str, tmp_path: Path) -> None:
    path = tmp_path / "b.txt"
    path.write_text(text * 3 if text.endswith("\n") else text)
    workspace = load([str(path), write_rows(tmp_path / "good.jsonl", [battle()])])
    assert sum(map(len, workspace.battles)) >= 1
    assert json.dumps([problem.to_dict() for problem in workspace.problems]).count("reason") > 0
