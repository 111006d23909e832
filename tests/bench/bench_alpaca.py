"""Speed of the length-controlled win rate as a ratio to fitting fold by fold, in one run.

Run: OPENBLAS_NUM_THREADS=1 python -m tests.bench.bench_alpaca [--rows N]
CPU time of this process. The naive way is a cold start for every C and fold on its own rows.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from ifbench_tui.engine.judged.length_control import FAST_C, GamedBaseline, length_controlled
from ifbench_tui.engine.judged.length_fit import C_GRID, FOLDS, Design, choose_c, fit_at
from ifbench_tui.engine.judged.rows import Annotation


def cpu(run: Callable[[], object], repeat: int = 3) -> float:
    """Least CPU seconds of a few runs."""
    spent = []
    for _ in range(repeat):
        start = time.process_time()
        run()
        spent.append(time.process_time() - start)
    return min(spent)


def synthetic(n: int) -> tuple[list[Annotation], np.ndarray, GamedBaseline]:
    """Rows as long as a leaderboard file, and twice as many regulariser rows."""
    rng = np.random.default_rng(1)
    lengths = rng.integers(10, 4000, size=(n, 2))
    difficulty = rng.normal(0, 1.5, n)
    logit = 0.7 * difficulty - 1.5 + 0.0005 * (lengths[:, 1] - lengths[:, 0])
    p = 1 / (1 + np.exp(-logit + rng.logistic(size=n)))
    rows = [
        Annotation("m", "b", 1 + float(v), int(a), int(b), False)
        for v, (a, b) in zip(p, lengths, strict=True)
    ]
    gamed = GamedBaseline(rng.normal(size=2 * n), np.tile(difficulty, 2), rng.random(2 * n))
    return rows, difficulty, gamed


def naive(design: Design) -> None:
    """Every fold and C by itself, from zero."""
    n = len(design)
    fold = (n - 1 - np.arange(n)) % FOLDS
    for c in C_GRID:
        for held in range(FOLDS):
            own = fold != held
            fit_at(Design(design.x[own], design.target[own], design.weight[own]), c)
        fit_at(design, c)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=805)
    n = parser.parse_args().rows
    rows, difficulty, gamed = synthetic(n)
    full = cpu(lambda: length_controlled(rows, difficulty, gamed))
    fast = cpu(lambda: length_controlled(rows, difficulty, gamed, c=FAST_C))
    x = np.random.default_rng(2).normal(size=(3 * n, 3))
    design = Design(x, 1 / (1 + np.exp(-x.sum(axis=1))), np.ones(3 * n))
    together, alone = cpu(lambda: choose_c(design)), cpu(lambda: naive(design), 1)
    print(f"one model, cross-validated {full * 1e3:8.1f} ms")
    print(f"one model, fixed C         {fast * 1e3:8.1f} ms  {full / fast:5.1f}x less")
    print(f"51 fits side by side       {together * 1e3:8.1f} ms")
    print(f"51 fits one by one         {alone * 1e3:8.1f} ms  {alone / together:5.1f}x more")


if __name__ == "__main__":
    main()
