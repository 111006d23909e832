"""What was judged so far, shared by the workers that judge and the screens that read."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from ifbench_tui.scoring import score, summarise
from ifbench_tui.tui.verdicts import Verdicts
from ifbench_tui.workspace import Suite, load
from tests.cli.data import write_suite


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return load(write_suite(tmp_path)).suites["ifeval"]


def test_threads_that_judge_the_same_responses_come_to_one_result(suite: Suite) -> None:
    verdicts = Verdicts(suite)
    start = threading.Barrier(4)
    seen: list[int] = []

    def judge_all() -> None:
        start.wait()
        list(verdicts.judge_all(suite.models[0], lambda: False))

    def judge_each() -> None:
        start.wait()
        for model in reversed(suite.models):
            for prompt in suite.prompts:
                verdicts.judge_now(model, prompt.key)

    def read() -> None:
        start.wait()
        while not all(verdicts.summary(model) for model in suite.models):
            seen.append(verdicts.done)

    threads = [threading.Thread(target=one) for one in (judge_all, judge_each, judge_each, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts.done == verdicts.total == 9
    assert seen == sorted(seen)
    for model, judged in score(suite).items():
        assert verdicts.of(model) == {one.key: one for one in judged}
        assert verdicts.summary(model) == summarise(suite, judged)
