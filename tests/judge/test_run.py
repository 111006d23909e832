"""Runs: the cache, equal calls, hopeless endpoints, cancelling, estimates."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest

from ifbench_tui.judge.accounts import Prices, Tokens
from ifbench_tui.judge.call import Call, Reply
from ifbench_tui.judge.errors import EndpointError
from ifbench_tui.judge.run import Result, Steps, Task, estimate, run_tasks
from ifbench_tui.judge.standing import Run, Tally

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
    run = Run()
    results = await run_tasks(tasks("a", "b", "a", "a"), model, URL, cache, run, jobs=4)
    assert [one.row for one in results] == [{"texts": [text]} for text in "abaa"]
    assert sorted(model.asked) == ["a", "b"]
    assert (run.fresh, run.cached, run.prompt_tokens, run.completion_tokens) == (2, 2, 4, 2)
    await run_tasks(tasks("a", "b"), model, URL, cache, run := Run())
    assert (run.fresh, len(model.asked)) == (0, 2)
    await run_tasks(tasks("a"), model, "http://other/v1", cache, run := Run())
    assert run.fresh == 1


async def test_samples_of_one_call_are_answered_each_by_itself() -> None:
    def twice() -> Steps:
        replies = yield [replace(call("a"), sample=number) for number in (0, 1)]
        return Result({}, tuple(one.outcome for one in replies))

    model = Model()
    await run_tasks([Task("a", twice)], model, URL, Kept(), Run())
    assert model.asked == ["a", "a"]


async def test_what_was_not_answered_is_asked_again_and_what_was_only_on_request() -> None:
    model, cache = Model(), Kept()
    texts = ("http_500: x", "empty: y", "fine")
    for again, fresh in ((False, 3), (False, 1), (True, 2)):
        await run_tasks(tasks(*texts), model, URL, cache, run := Run(), again=again)
        assert run.fresh == fresh


async def test_progress_tells_every_row_and_all_sums_while_it_runs() -> None:
    seen: list[Tally] = []
    cache, run = Kept(), Run()
    await run_tasks(tasks("a"), Model(), URL, cache, Run())
    await run_tasks(
        tasks("a", "empty: b", "c"), Model(), URL, cache, run, jobs=1,
        progress=lambda one: seen.append(one.tally()),
    )  # fmt: skip
    assert [one.done for one in seen] == sorted(one.done for one in seen)
    assert {(one.done, one.fresh, one.cached, one.in_flight) for one in seen} >= {
        (0, 0, 1, 0), (1, 0, 1, 1), (1, 1, 1, 0), (2, 1, 1, 1), (3, 2, 1, 0),
    }  # fmt: skip
    assert seen[-1].outcomes == {"ok": 2, "empty": 1}
    assert [(row.name, row.state, row.outcomes, row.prompt_tokens) for row in run.rows] == [
        ("a", "done", ("ok",), 0), ("empty: b", "done", ("empty",), 2), ("c", "done", ("ok",), 2),
    ]  # fmt: skip
    assert [reply.text for row in run.rows for _, reply in row.exchanges] == ["a", "empty: b", "c"]


async def test_one_failure_aborts_nothing_but_many_in_a_row_do() -> None:
    model = Model()
    mixed = [text for number in range(30) for text in (f"http_500: {number}", f"ok {number}")]
    results = await run_tasks(tasks(*mixed), model, URL, Kept(), Run(), jobs=1)
    assert len(results) == 60
    for outcome, least in (("http_401", 3), ("connect", 10)):
        model = Model()
        broken = tasks(*(f"{outcome}: {number}" for number in range(60)))
        with pytest.raises(EndpointError, match=outcome):
            await run_tasks(broken, model, URL, Kept(), Run(), jobs=2)
        assert least <= len(model.asked) <= least + 2


async def test_cancelling_keeps_what_was_answered() -> None:
    cache, held = Kept(), asyncio.Event()

    async def slow(one: Call) -> Reply:
        if one.messages[0][1] == "last":
            held.set()
            await asyncio.Event().wait()
        return Reply("ok", "x")

    run = Run()
    work = run_tasks(tasks("a", "b", "last"), slow, URL, cache, run, jobs=1)
    running = asyncio.create_task(work)
    await held.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    tally = run.tally()
    assert (tally.done, tally.total, tally.fresh, tally.in_flight) == (2, 3, 2, 1)
    assert "1 calls were under way" in "\n".join(tally.words())
    assert set(cache) == {call("a").digest(URL), call("b").digest(URL)}


async def test_an_estimate_counts_equal_calls_once_and_leaves_out_what_is_kept() -> None:
    cache = Kept()
    await run_tasks(tasks("a"), Model(), URL, cache, Run())
    found = estimate(tasks("a", "b" * 400, "b" * 400), URL, cache)
    assert (len(found.calls), found.known) == (1, 1)
    assert found.tokens == Tokens(104, 10)
    assert found.words().startswith("3 rows need 1 call; 1 more is answered already; about 104")
    await run_tasks(tasks("empty: c"), Model(), URL, cache, Run())
    assert len(estimate(tasks("a", "empty: c"), URL, cache).calls) == 0
    assert len(estimate(tasks("a", "empty: c"), URL, cache, again=True).calls) == 1
    assert Prices(2.0, 10.0).cost(Tokens(500_000, 100_000)) == pytest.approx(2.0)
