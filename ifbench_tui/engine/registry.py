"""The benchmarks by id."""

from __future__ import annotations

from collections.abc import Callable

from ifbench_tui.engine.benchmark import Benchmark
from ifbench_tui.engine.ifeval import IFEval
from ifbench_tui.engine.ifhardbench import IFHardBench
from ifbench_tui.engine.patterns import PatternFinder
from ifbench_tui.errors import IfbenchError

__all__ = ["BENCHMARKS", "UnknownBenchmarkError", "create_benchmark"]


class UnknownBenchmarkError(IfbenchError):
    """No benchmark has this id."""


BENCHMARKS: dict[str, Callable[[PatternFinder | None], Benchmark]] = {
    IFEval.id: IFEval,
    IFHardBench.id: IFHardBench,
}


def create_benchmark(benchmark_id: str, finder: PatternFinder | None = None) -> Benchmark:
    """The benchmark of that id, searching risky patterns with `finder`."""
    make = BENCHMARKS.get(benchmark_id)
    if make is None:
        known = ", ".join(sorted(BENCHMARKS))
        raise UnknownBenchmarkError(f"no benchmark is called {benchmark_id!r}; known: {known}")
    return make(finder)
