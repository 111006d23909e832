"""Loaded battles made ready to rate: filters, merging over files, groups, time order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ifbench_tui.engine.ratings.battles import encode
from ifbench_tui.workspace import LoadError, LoadOptions, Workspace, load
from ifbench_tui.workspace.battles import BattleFilter, choose
from tests.formats.battles import battle
from tests.formats.helpers import prompt, write_rows

ROWS = [
    battle("ant", "bee", "model_a", language="English", turn=1, tstamp=100.0, judge="expert_1"),
    battle("bee", "cat", "tie", language="german", turn=2, tstamp=200.0, judge="author_2"),
    battle("cat", "dog", "model_b", turn=5, anony=False, category_tag={"m": {"math": True}}),
    battle("dog", "eel", "both_bad", is_code=True, dedup_tag={"sampled": False}),
]
ANY = {"blinding": "any", "sampled": False}


def loaded(path: Path, *rows: dict[str, Any], options: LoadOptions | None = None) -> Workspace:
    return load([write_rows(path / "b.jsonl", rows)], options)


@pytest.mark.parametrize(
    ("wanted", "models", "left_out"),
    [
        ({}, "ant bee cat", {"names were shown": 1, "a repeated prompt, not sampled": 1}),
        (ANY, "ant bee cat dog eel", {}),
        ({**ANY, "blinding": "shown"}, "ant bee cat dog eel", {}),
        ({**ANY, "languages": ("German",)}, "bee cat", {"another language": 3}),
        ({**ANY, "judges": ("human",)}, "ant bee", {"another judge": 3}),
        ({**ANY, "judges": ("author_2",)}, "bee cat", {"another judge": 3}),
        ({**ANY, "categories": ("math", "CODE")}, "cat dog eel", {"another category": 2}),
        ({**ANY, "turns": (2, float("inf"))}, "bee cat dog", {"another number of turns": 2}),
        ({**ANY, "turns": (0, 1)}, "ant bee", {"another number of turns": 3}),
        ({**ANY, "since": 150.0}, "bee cat", {"another time": 3}),
        ({**ANY, "until": 200.0}, "ant bee", {"another time": 3}),
    ],
)
def test_filters(
    wanted: dict[str, Any], models: str, left_out: dict[str, int], tmp_path: Path
) -> None:
    choice = choose(loaded(tmp_path, *ROWS).battles, BattleFilter(**wanted))
    assert choice.battles.models == tuple(models.split())
    assert choice.left_out == left_out
    assert len(choice.battles) == len(ROWS) - sum(left_out.values())


def test_the_engine_encodes_the_same(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    rows = [
        battle(f"m{a}", f"m{(a + step) % 7}", winner)
        for a, step, winner in zip(
            rng.integers(0, 7, 300).tolist(),
            rng.integers(1, 7, 300).tolist(),
            rng.choice(["model_a", "model_b", "tie", "tie (bothbad)"], 300).tolist(),
            strict=True,
        )
    ]
    names = ("model_a", "model_b", "winner")
    want = encode(*([row[name] for row in rows] for name in names)).battles
    files = [write_rows(tmp_path / f"{i}.jsonl", rows[i * 100 : i * 100 + 100]) for i in range(3)]
    found = choose(load(files).battles).battles
    assert found.models == want.models
    assert found.both_bad is not None
    assert want.both_bad is not None
    for ours, theirs in (
        (found.a, want.a),
        (found.b, want.b),
        (found.y, want.y),
        (found.both_bad, want.both_bad),
    ):
        assert np.array_equal(ours, theirs)


def test_a_battle_without_a_label_is_its_own_group(tmp_path: Path) -> None:
    rows = [battle(judge="x"), battle(), battle(judge="x"), battle(judge="")]
    groups = choose(loaded(tmp_path, *rows).battles).battles.groups
    assert set(groups) == {"judge"}
    codes = groups["judge"].tolist()
    assert codes[0] == codes[2]
    assert len(set(codes)) == 3


def test_questions_are_grouped_where_wanted(tmp_path: Path) -> None:
    rows = [battle(question_id=5), battle(question_id="5"), battle(question_id=6), battle()]
    blocks = loaded(tmp_path, *rows).battles
    assert choose(blocks).questions is None
    choice = choose(blocks, BattleFilter(with_questions=True))
    codes = choice.battles.groups["question"].tolist()
    assert codes[0] == codes[1]
    assert len(set(codes)) == 3
    assert choice.questions is not None
    assert [choice.questions.values[code] for code in choice.questions.codes[:3]] == ["5", "5", "6"]


def test_time_order_where_all_times_are_known(tmp_path: Path) -> None:
    late, early = battle("x", "y", tstamp=9), battle("y", "z", tstamp=3)
    assert choose(loaded(tmp_path, late, early).battles).battles.a.tolist() == [1, 0]
    timeless = battle("z", "x")
    assert choose(loaded(tmp_path, late, early, timeless).battles).battles.a.tolist() == [0, 1, 2]


def test_style_is_that_of_the_chosen_battles(tmp_path: Path) -> None:
    said = [{"role": "assistant", "content": "# x"}]
    rows = [battle(), battle(conversation_a=said, conversation_b=[*said, *said])]
    workspace = loaded(tmp_path, *rows, options=LoadOptions(battle_style=True))
    choice = choose(workspace.battles, BattleFilter(with_style=True))
    assert choice.left_out == {"no style counts and no responses to count in": 1}
    assert [side.tolist() for side in choice.style["header"]] == [[1.0], [2.0]]
    plain = loaded(tmp_path, *rows)
    assert len(choose(plain.battles, BattleFilter(with_style=True)).battles) == 0


def test_weights_over_files(tmp_path: Path) -> None:
    one = write_rows(tmp_path / "1.jsonl", [battle()])
    two = write_rows(tmp_path / "2.jsonl", [battle(weight=2)])
    weight = choose(load([one, two]).battles).battles.weight
    assert weight is not None
    assert weight.tolist() == [1.0, 2.0]


def test_no_battles_is_an_empty_choice() -> None:
    choice = choose(())
    assert len(choice.battles) == 0
    assert choice.battles.models == ()


def test_battles_load_without_prompts_and_beside_them(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "b.jsonl", [battle(), battle(winner="x")])
    alone = load([path])
    assert alone.suites == {}
    report = alone.sources[0]
    assert (report.format, report.battles, report.used, report.broken) == ("battles", 1, 1, 1)
    assert report.models == 2
    both = load([path, write_rows(tmp_path / "p.jsonl", [prompt(1, "p")])])
    assert list(both.suites) == ["ifeval"]
    assert len(both.battles) == 1
    with pytest.raises(LoadError):
        load([write_rows(tmp_path / "r.jsonl", [{"prompt": "p", "response": "r"}])])
