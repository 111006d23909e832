"""The benchmarks by id, imported when first asked for: each brings a good deal of code."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from ifbench_tui.engine.benchmark import Benchmark
from ifbench_tui.engine.patterns import PatternFinder
from ifbench_tui.errors import IfbenchError

__all__ = ["BENCHMARKS", "UnknownBenchmarkError", "create_benchmark"]

BENCHMARKS = {
    "ifeval": ("ifbench_tui.engine.ifeval", "IFEval"),
    "ifhardbench": ("ifbench_tui.engine.ifhardbench.ifhardbench", "IFHardBench"),
}
"""Where each benchmark's class is: module and name."""


class UnknownBenchmarkError(IfbenchError):
    """No benchmark has this id."""


def create_benchmark(benchmark_id: str, finder: PatternFinder | None = None) -> Benchmark:
    """The benchmark of that id, searching risky patterns with `finder`."""
    if benchmark_id not in BENCHMARKS:
        known = ", ".join(sorted(BENCHMARKS))
        raise UnknownBenchmarkError(f"no benchmark is called {benchmark_id!r}; known: {known}")
    module, name = BENCHMARKS[benchmark_id]
    return cast(Benchmark, getattr(import_module(module), name)(finder))
