"""Runs the engine over a workspace: in this process or in several, with progress and cancel."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import cache

from ifbench_tui.engine.benchmark import (
    Benchmark,
    ConstraintSpec,
    JudgedResponse,
    Prompt,
    explain,
    judge,
)
from ifbench_tui.engine.registry import create_benchmark
from ifbench_tui.engine.summary import Summary
from ifbench_tui.engine.verdict import Explanation
from ifbench_tui.pattern_guard import PatternGuard
from ifbench_tui.workspace import Suite

__all__ = [
    "Scored",
    "benchmark_for",
    "explain_text",
    "judge_text",
    "score",
    "score_stream",
    "summarise",
]

_BATCH = 48
"""Responses a worker judges before it reports: small enough for progress, large enough to pay."""

_POOL_WORTH = 400
"""Responses below which starting processes costs more than it saves."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One judged response and where it belongs."""

    model: str
    judged: JudgedResponse


@cache
def benchmark_for(benchmark_id: str) -> Benchmark:
    """The benchmark, its pattern searches guarded by a time limit; one per process.

    Raises `UnknownBenchmarkError`.
    """
    return create_benchmark(benchmark_id, PatternGuard())


def judge_text(benchmark: Benchmark, prompt: Prompt, text: str) -> JudgedResponse:
    """Judge one text against every constraint of a prompt."""
    variants = benchmark.variants(text)
    lattices = tuple(judge(benchmark, spec, variants) for spec in prompt.constraints)
    return JudgedResponse(prompt.key, lattices, benchmark.is_blank(variants[0]))


def explain_text(
    benchmark: Benchmark, spec: ConstraintSpec, text: str, variant: int
) -> tuple[str, Explanation]:
    """The exact text of a variant of a response, and one constraint explained on it."""
    checked = benchmark.variants(text)[variant]
    return checked, explain(benchmark, spec, checked)


def summarise(suite: Suite, judged: Sequence[JudgedResponse]) -> Summary:
    """The benchmark's metrics over one model's judged responses."""
    return benchmark_for(suite.benchmark_id).summarise(judged, suite.prompts)


def score(
    suite: Suite,
    models: Sequence[str] | None = None,
    *,
    jobs: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, list[JudgedResponse]]:
    """Judge all responses; per model in the order of the suite's prompts.

    `jobs` is the number of processes; 0 chooses by the amount of work.
    """
    chosen = list(suite.models if models is None else models)
    total = sum(len(suite.responses(model)) for model in chosen)
    by_model: dict[str, dict[str, JudgedResponse]] = {model: {} for model in chosen}
    done = 0
    for batch in score_stream(suite, chosen, jobs=jobs):
        for scored in batch:
            by_model[scored.model][scored.judged.key] = scored.judged
        done += len(batch)
        if progress is not None:
            progress(done, total)
    return {
        model: [judged[p.key] for p in suite.prompts if p.key in judged]
        for model, judged in by_model.items()
    }


_Task = tuple[str, list[tuple[int, str]]]


def score_stream(
    suite: Suite,
    models: Sequence[str],
    *,
    jobs: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[list[Scored]]:
    """Judge in batches, model by model in the order given, yielding batches as they are done."""
    tasks = list(_tasks(suite, models))
    total = sum(len(items) for _, items in tasks)
    if jobs == 0:
        jobs = (os.cpu_count() or 1) if total >= _POOL_WORTH else 1
    if jobs <= 1:
        benchmark = benchmark_for(suite.benchmark_id)
        for task in tasks:
            if cancelled():
                return
            yield _judge_batch(benchmark, suite.prompts, task)
        return
    yield from _pooled(suite, tasks, jobs, cancelled)


def _tasks(suite: Suite, models: Sequence[str]) -> Iterator[_Task]:
    for model in models:
        responses = suite.responses(model)
        items = [
            (index, responses[prompt.key].text)
            for index, prompt in enumerate(suite.prompts)
            if prompt.key in responses
        ]
        for start in range(0, len(items), _BATCH):
            yield model, items[start : start + _BATCH]


def _judge_batch(benchmark: Benchmark, prompts: Sequence[Prompt], task: _Task) -> list[Scored]:
    model, items = task
    return [Scored(model, judge_text(benchmark, prompts[index], text)) for index, text in items]


_worker_prompts: Sequence[Prompt] = ()
_worker_benchmark: Benchmark


def _start_worker(benchmark_id: str, prompts: Sequence[Prompt]) -> None:
    global _worker_prompts, _worker_benchmark
    benchmark_for.cache_clear()
    _worker_benchmark = benchmark_for(benchmark_id)
    _worker_prompts = prompts


def _work(task: _Task) -> list[Scored]:
    return _judge_batch(_worker_benchmark, _worker_prompts, task)


def _context() -> multiprocessing.context.BaseContext:
    """Fork is quick but safe only while there is a single thread."""
    methods = multiprocessing.get_all_start_methods()
    if "fork" in methods and threading.active_count() == 1:
        return multiprocessing.get_context("fork")
    return multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")


def _pooled(
    suite: Suite, tasks: list[_Task], jobs: int, cancelled: Callable[[], bool]
) -> Iterator[list[Scored]]:
    context = _context()
    if context.get_start_method() == "fork":
        benchmark_for(suite.benchmark_id).warm_up()
    pool = ProcessPoolExecutor(
        jobs,
        mp_context=context,
        initializer=_start_worker,
        initargs=(suite.benchmark_id, suite.prompts),
    )
    waiting = iter(tasks)
    running: set[Future[list[Scored]]] = set()
    try:
        while not cancelled():
            # Only a little is queued ahead, so that cancelling waits for almost nothing.
            while len(running) < 2 * jobs and (task := next(waiting, None)) is not None:
                running.add(pool.submit(_work, task))
            if not running:
                return
            done, running = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
