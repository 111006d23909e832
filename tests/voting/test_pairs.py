"""What is asked next follows from the seed and the votes, and from nothing else."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifbench_tui.voting.arena import Spot, VoteRow, make_arena
from ifbench_tui.voting.pairs import (
    PairListError,
    Past,
    Plan,
    Policy,
    Question,
    left_model,
    next_question,
    questions_left,
    read_pairs,
    ticket,
    unknown_in_list,
)

from .helpers import arena_with

THREE = ("alpha-7b", "beta-9b", "gamma")


def sitting(
    plan: Plan, seed: int = 7, *, models: tuple[str, ...] = THREE, prompts: int = 4
) -> list[Question]:
    """Every question until none is left, each answered by a tie."""
    arena = arena_with(models, prompts)
    asked: list[Question] = []
    times: Counter[Spot] = Counter()
    votes: list[VoteRow] = []
    while question := next_question(arena, plan, seed, Past(votes, times)):
        assert questions_left(arena, plan, Past(votes, times)) > 0
        asked.append(question)
        times[question.spot] += 1
        votes.append(VoteRow(*question.spot.pair, "tie"))
    assert questions_left(arena, plan, Past(votes, times)) == 0
    return asked


@pytest.mark.parametrize("policy", ["active", "uniform", "round-robin"])
def test_every_pair_on_every_prompt_is_asked_once(policy: Policy) -> None:
    asked = sitting(Plan(policy=policy))
    assert len(asked) == len(set(asked)) == 3 * 4


@pytest.mark.parametrize("policy", ["active", "uniform", "round-robin"])
def test_with_both_orders_every_spot_is_asked_twice_with_sides_swapped(policy: Policy) -> None:
    asked = sitting(Plan(policy=policy, both_orders=True))
    assert len(asked) == len(set(asked)) == 2 * 3 * 4
    for question in asked:
        if question.showing:
            first = left_model(7, "ifeval", Question(question.spot, 0))
            assert left_model(7, "ifeval", question) != first


def test_the_same_seed_asks_the_same_and_another_does_not() -> None:
    assert sitting(Plan(), 3) == sitting(Plan(), 3)
    assert sitting(Plan(), 3) != sitting(Plan(), 4)


def test_round_robin_keeps_the_pairs_level() -> None:
    asked = sitting(Plan(policy="round-robin"))
    for start in range(0, len(asked), 3):
        assert len({question.spot.pair for question in asked[start : start + 3]}) == 3


def test_active_and_uniform_join_all_models_first() -> None:
    models = tuple(f"model-{letter}" for letter in "abcdef")
    for policy in ("active", "uniform"):
        asked = sitting(Plan(policy=policy), models=models, prompts=3)
        joined = set()
        for question in asked[: len(models) - 1]:
            joined |= set(question.spot.pair)
        assert joined == set(models)


def test_active_prefers_the_least_certain_pair() -> None:
    arena = arena_with(("alpha-7b", "beta-9b", "gamma"), 500)
    certain = [VoteRow("alpha-7b", "beta-9b", "model_a")] * 60
    certain += [VoteRow("beta-9b", "gamma", "model_a")] * 60
    drawn = Counter(
        question.spot.pair
        for seed in range(40)
        if (question := next_question(arena, Plan(), seed, Past(certain)))
    )
    assert drawn["alpha-7b", "gamma"] >= 30


def test_sides_are_even_and_depend_on_the_seed_alone() -> None:
    """Case BR-139: 200 prompts, the first model on the left in 40 to 60 of a hundred."""
    for seed in (0, 1, 7, 2**31):
        questions = [Question(Spot(str(key), "alpha-7b", "beta-9b"), 0) for key in range(200)]
        sides = [left_model(seed, "ifeval", question) for question in questions]
        assert 0.4 <= sides.count("alpha-7b") / 200 <= 0.6
        assert sides == [left_model(seed, "ifeval", question) for question in questions]
    assert sides != [left_model(5, "ifeval", question) for question in questions]


def test_what_is_set_aside_is_not_asked() -> None:
    arena = arena_with(prompts=3)
    spots = [Spot(str(key), "alpha-7b", "beta-9b") for key in range(3)]
    question = next_question(arena, Plan(), 1, Past(skipped={spots[0], spots[2]}))
    assert question == Question(spots[1], 0)
    assert next_question(arena, Plan(), 1, Past(skipped=set(spots))) is None
    assert questions_left(arena, Plan(), Past(skipped={spots[0]})) == 2


def test_setting_a_pair_aside_does_not_stir_the_rest() -> None:
    arena = arena_with(prompts=30)
    order = sitting(Plan(), models=("alpha-7b", "beta-9b"), prompts=30)
    skipped = {order[0].spot}
    assert next_question(arena, Plan(), 7, Past(skipped=skipped)) == order[1]


def test_equal_responses_are_not_asked_and_counted() -> None:
    same = {"1": ("yes",), "2": ("no",)}
    arena = make_arena(
        "ifeval",
        {"1": ("one?",), "2": ("two?",), "3": ("three?",)},
        {"alpha-7b": same, "beta-9b": {"1": ("yes",), "2": ("maybe",), "3": ("who knows",)}},
        (),
    )
    assert arena.spots == {("alpha-7b", "beta-9b"): ("2",)}
    assert arena.equal == 1


def test_a_fixed_list_is_asked_in_its_order() -> None:
    listed = (("3", "beta-9b", "alpha-7b"), ("0", "alpha-7b", "beta-9b"), ("9", "alpha-7b", "x"))
    plan = Plan(policy="list", listed=listed)
    asked = sitting(plan, models=("alpha-7b", "beta-9b"))
    assert [question.spot.key for question in asked] == ["3", "0"]
    assert unknown_in_list(arena_with(), plan) == 1


@pytest.mark.parametrize(
    "lines",
    [
        [
            '{"key": 3, "model_a": "x", "model_b": "y"}',
            "",
            '{"key": "4", "model_a": "y", "model_b": "x"}',
        ],
        ["model_a,key,model_b", "x,3,y", "y,4,x"],
    ],
)
def test_lists_are_read_from_json_lines_and_csv(lines: list[str]) -> None:
    assert read_pairs(lines) == (("3", "x", "y"), ("4", "y", "x"))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "list:1: wanted the columns"),
        (["key,model_a,model_b"], "there is no pair"),
        (['{"key": 3, "model_a": "x"}'], "list:1: model_b is None"),
        (['{"key": true, "model_a": "x", "model_b": "y"}'], "list:1: key is True"),
        (['{"key": 3, "model_a": "x", "model_b": "y"}', "{"], "list:2: no JSON"),
        (["a,b", "1,2"], "list:1: wanted the columns"),
        (["key,model_a,model_b", "1,x"], "list:2: model_b is None"),
    ],
)
def test_a_list_that_cannot_be_read_says_where(lines: list[str], said: str) -> None:
    with pytest.raises(PairListError, match=said):
        read_pairs(lines, "list")


@given(st.integers(0, 2**40), st.text(max_size=9), st.text(min_size=1, max_size=9))
def test_a_ticket_gives_nothing_away(seed: int, key: str, model: str) -> None:
    name = ticket(seed, "ifeval", Question(Spot(key, model, model + "2"), 0))
    assert len(name) == 32
    assert set(name) <= set("0123456789abcdef")
    assert name != ticket(seed + 1, "ifeval", Question(Spot(key, model, model + "2"), 0))


def test_pairs_of_real_responses(shared: Path) -> None:
    from ifbench_tui.voting.arena import arena_of
    from ifbench_tui.workspace import load

    folder = shared / "data" / "ifeval"
    paths = [folder / "input_data.jsonl", *(
        folder / "responses" / f"{name}.jsonl" for name in ("gpt4-20231107", "aya-23-8B")
    )]  # fmt: skip
    arena = arena_of(load([str(path) for path in paths]).suites["ifeval"])
    assert len(arena.models) == 2
    assert {"gpt4-20231107.jsonl", "aya-23-8B.jsonl"} < set(arena.hidden_names)
    assert questions_left(arena, Plan(), Past()) + arena.equal <= 541


def test_a_spot_voted_on_in_both_orders_closes_no_other_where_one_order_is_asked() -> None:
    arena = arena_with(prompts=3)
    past = Past(times={Spot("0", "alpha-7b", "beta-9b"): 2})
    assert questions_left(arena, Plan(), past) == 2
    assert next_question(arena, Plan(), 7, past) is not None


def test_a_pair_listed_twice_is_asked_once() -> None:
    listed = (("0", "alpha-7b", "beta-9b"), ("1", "beta-9b", "alpha-7b"))
    plan = Plan(policy="list", listed=(*listed, *listed))
    assert questions_left(arena_with(), plan, Past()) == 2
    assert len(sitting(plan, models=("alpha-7b", "beta-9b"))) == 2
