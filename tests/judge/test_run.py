"""Runs: the cache, equal calls, hopeless endpoints, cancelling, estimates."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

import pytest

from ifbench_tui.judge.accounts import Prices, Tokens, estimated_tokens
from ifbench_tui.judge.call import Call, Reply
from ifbench_tui.judge.errors import EndpointError
from ifbench_tui.judge.run import Result, Steps, Task, estimate, run_tasks

URL = "http://127.0.0.1/v1"


def call(text: str) -> Call:
    return Call("m", (("user", text),), 0.0, 10)


def steps(texts: Sequence[str]) -> Steps:
    replies = yield [call(text) for text in texts]
    return Result({"texts": [one.text for one in replies]}, tuple(one.outcome for one in replies))


def tasks(*texts: str) -> list[Task]:
    return [Task(text, partial(steps, [text])) for text in texts]


class Kept(dict[str, str]):
    """A cache in memory."""

    def put(self, digest: str, reply: str) -> None:
        self[digest] = reply


class Model:
    """Answers with the text asked, or with the outcome that it names; counts calls."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def __call__(self, one: Call) -> Reply:
        text = one.messages[0][1]
        self.asked.append(text)
        await asyncio.sleep(0)
        outcome = text.partition(":")[0] if ":" in text else "ok"
        return Reply(outcome, text, prompt_tokens=2, completion_tokens=1)


async def test_results_are_in_order_and_equal_calls_are_paid_once() -> None:
    model, cache = Model(), Kept()
    results, run = await run_tasks(tasks("a", "b", "a", "a"), model, URL, cache, jobs=4)
    assert [one.row for one in results] == [{"texts": [text]} for text in "abaa"]
    assert sorted(model.asked) == ["a", "b"]
    assert (run.fresh, run.cached, run.prompt_tokens, run.completion_tokens) == (2, 2, 4, 2)
    _, run = await run_tasks(tasks("a", "b"), model, URL, cache)
    assert (run.fresh, len(model.asked)) == (0, 2)
    _, run = await run_tasks(tasks("a"), model, "http://other/v1", cache)
    assert run.fresh == 1


async def test_what_was_not_answered_is_asked_again_and_what_was_only_on_request() -> None:
    model, cache = Model(), Kept()
    texts = ("http_500: x", "empty: y", "fine")
    for again, fresh in ((False, 3), (False, 1), (True, 2)):
        _, run = await run_tasks(tasks(*texts), model, URL, cache, again=again)
        assert run.fresh == fresh


async def test_one_failure_aborts_nothing_but_many_in_a_row_do() -> None:
    model = Model()
    mixed = [text for number in range(30) for text in (f"http_500: {number}", f"ok {number}")]
    results, _ = await run_tasks(tasks(*mixed), model, URL, Kept(), jobs=1)
    assert len(results) == 60
    for outcome, least in (("http_401", 3), ("connect", 10)):
        model = Model()
        broken = tasks(*(f"{outcome}: {number}" for number in range(60)))
        with pytest.raises(EndpointError, match=outcome):
            await run_tasks(broken, model, URL, Kept(), jobs=2)
        assert least <= len(model.asked) <= least + 2


async def test_cancelling_keeps_what_was_answered() -> None:
    cache, held = Kept(), asyncio.Event()

    async def slow(one: Call) -> Reply:
        if one.messages[0][1] == "last":
            held.set()
            await asyncio.Event().wait()
        return Reply("ok", "x")

    run = asyncio.create_task(run_tasks(tasks("a", "b", "last"), slow, URL, cache, jobs=1))
    await held.wait()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert set(cache) == {call("a").digest(URL), call("b").digest(URL)}


async def test_an_estimate_counts_equal_calls_once_and_leaves_out_what_is_kept() -> None:
    cache = Kept()
    await run_tasks(tasks("a"), Model(), URL, cache)
    calls, known = estimate(tasks("a", "b" * 400, "b" * 400), URL, cache)
    assert (len(calls), known) == (1, 1)
    assert estimated_tokens(calls) == Tokens(104, 10)
    assert Prices(2.0, 10.0).cost(Tokens(500_000, 100_000)) == pytest.approx(2.0)
