"""Speed of the rating engine as ratios to a naive way, measured in one run.

Run: OPENBLAS_NUM_THREADS=1 python -m tests.bench.bench_ratings [--battles N] [--models K]
CPU time of this process, all threads. One thread, as the app sets it: on busy machines a threaded
solve of 129 equations waits a hundred times longer than it computes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from ifbench_tui.engine.ratings.battles import Battles, Floats, aggregate, encode
from ifbench_tui.engine.ratings.bootstrap import bootstrap
from ifbench_tui.engine.ratings.bradley_terry import FitSettings, fit
from ifbench_tui.engine.ratings.intervals import intervals
from ifbench_tui.engine.ratings.live import LiveRatings
from ifbench_tui.engine.ratings.style import FEATURES, fit_style

LABELS = ("model_b", "tie", "model_a")


def cpu(run: Callable[[], object], repeat: int = 3) -> float:
    """Least CPU seconds of a few runs."""
    spent = []
    for _ in range(repeat):
        start = time.process_time()
        run()
        spent.append(time.process_time() - start)
    return min(spent)


def report(what: str, ours: float, naive: float, note: str = "") -> None:
    """One line of the result table."""
    print(f"{what:<46}{ours * 1e3:10.1f} ms{naive * 1e3:12.1f} ms{naive / ours:9.1f}x  {note}")


def synthetic(k: int, n: int) -> Battles:
    """Battles with uneven traffic and a quarter of ties."""
    rng = np.random.default_rng(3)
    traffic = 1.0 / np.arange(1, k + 1) ** 0.7
    traffic /= traffic.sum()
    beta = rng.normal(0.0, 0.8, k)
    a, b = rng.choice(k, n, p=traffic), rng.choice(k, n, p=traffic)
    b = np.where(a == b, (b + 1) % k, b)
    won = rng.random(n) < 1.0 / (1.0 + np.exp(beta[b] - beta[a]))
    y = np.where(rng.random(n) < 0.25, 0.5, won.astype(float))
    return Battles(tuple(f"model-{i:03d}-chat" for i in range(k)), a, b, y)


def naive_codes(left: Sequence[str], right: Sequence[str], won: Sequence[str]) -> Battles:
    """Sort the names, then look each row up in a loop."""
    names = sorted(set(left) | set(right))
    index = {name: i for i, name in enumerate(names)}
    score = {"model_a": 1.0, "model_b": 0.0}
    rows = [
        (index[x], index[z], score.get(w, 0.5)) for x, z, w in zip(left, right, won, strict=True)
    ]
    a, b, y = map(np.array, zip(*rows, strict=True))
    return Battles(tuple(names), a, b, y)


def naive_fit(battles: Battles, tolerance: float = 1e-10) -> Floats:
    """Newton with a pass over all battles per iteration, then the sandwich the same way."""
    k = len(battles.models)
    a, b, y = battles.a, battles.b, battles.y
    beta = np.zeros(k)

    def laplacian(weight: Floats) -> Floats:
        cells = np.bincount(a * k + b, weight, k * k).reshape(k, k)
        cells = cells + cells.T
        return np.asarray(np.diag(cells.sum(axis=1)) - cells)

    for _ in range(50):
        p = 1.0 / (1.0 + np.exp(beta[b] - beta[a]))
        gradient = np.bincount(a, y - p, k) - np.bincount(b, y - p, k)
        step = np.linalg.solve(laplacian(p * (1.0 - p)) + 1.0, gradient)
        beta = beta + step
        if np.abs(step).max() < tolerance:
            break
    p = 1.0 / (1.0 + np.exp(beta[b] - beta[a]))
    inverse = np.linalg.inv(laplacian(p * (1.0 - p)) + 1.0)
    return np.asarray(inverse @ laplacian((y - p) ** 2) @ inverse)


def naive_style(battles: Battles, z: Floats) -> Floats:
    """Newton on a dense design matrix."""
    n, k = len(battles), len(battles.models)
    x = np.zeros((n, k + len(z)))
    x[np.arange(n), battles.a], x[np.arange(n), battles.b], x[:, k:] = 1.0, -1.0, z.T
    theta = np.zeros(x.shape[1])
    for _ in range(6):
        p = 1.0 / (1.0 + np.exp(-x @ theta))
        information = (x * (p * (1.0 - p))[:, None]).T @ x + 1e-6 * np.eye(len(theta))
        theta += np.linalg.solve(information, x.T @ (battles.y - p))
    return theta


def bench_fit(battles: Battles) -> None:
    """Strings to codes, fit and sandwich."""
    left = [battles.models[i] for i in battles.a.tolist()]
    right = [battles.models[i] for i in battles.b.tolist()]
    won = [LABELS[i] for i in (battles.y * 2).astype(int).tolist()]

    def from_codes(coded: Battles) -> None:
        counts = aggregate(coded)
        intervals(fit(counts), counts)

    ours = cpu(lambda: from_codes(encode(left, right, won).battles))
    naive = cpu(lambda: naive_fit(naive_codes(left, right, won)), 1)
    report("strings to codes, fit, sandwich", ours, naive, "budget 350 ms")
    ours, naive = cpu(lambda: from_codes(battles)), cpu(lambda: naive_fit(battles), 1)
    report("from codes: fit, sandwich", ours, naive, "budget 30 ms")


def bench_bootstrap(battles: Battles, rounds: int = 1000) -> None:
    """Bootstrap rounds, all converged; the naive way redraws rows and fits from zero."""
    counts = aggregate(battles)
    full = fit(counts)
    rng = np.random.default_rng(0)
    ours = cpu(lambda: bootstrap(full, counts, rounds=rounds, rng=rng), 1)

    def one_round() -> None:
        drawn = battles.select(rng.integers(0, len(battles), len(battles)))
        fit(aggregate(drawn))

    naive = cpu(one_round, 3) * rounds
    report(f"bootstrap, {rounds} rounds", ours, naive, "budget 6000 ms; naive scaled from 1")


def bench_style(battles: Battles) -> None:
    """Four style features."""
    rng = np.random.default_rng(1)
    n = len(battles)
    means = dict(zip(FEATURES, (300, 2, 5, 4), strict=True))
    sides = {f: (rng.poisson(m, n) * 1.0, rng.poisson(m, n) * 1.0) for f, m in means.items()}
    ours = cpu(lambda: fit_style(battles, sides), 1)
    few = np.arange(min(n, 20_000))
    z = rng.normal(size=(4, len(few)))
    naive = cpu(lambda: naive_style(battles.select(few), z), 1) * n / len(few)
    report("style control, 4 features", ours, naive, "budget 2000 ms; naive scaled from 20 000")


def bench_live(battles: Battles, votes: int = 1000) -> None:
    """One vote, refitted warm, on a board of 30 000 votes and on an empty one."""
    for seen, settings in ((30_000, FitSettings()), (0, None)):
        live = LiveRatings(battles.models, settings=settings)
        live.load(battles.select(np.arange(seen)))
        spent, waits = [], []
        for row in range(seen, seen + votes):
            names = battles.models[battles.a[row]], battles.models[battles.b[row]]
            label = LABELS[int(battles.y[row] * 2)]
            start, clock = time.process_time(), time.perf_counter()
            live.add(*names, label)
            spent.append(time.process_time() - start)
            waits.append(time.perf_counter() - clock)
        again = battles.select(np.arange(seen + votes))
        naive = cpu(partial(refit_all, again, live.fit.settings))
        report(f"a vote after {seen} more", float(np.median(spent)), naive, "median")
        counts = live.counts()
        sandwich = cpu(partial(intervals, live.fit, counts))
        undo = cpu(live.undo, 100)
        late, felt = np.quantile(spent, 0.99) * 1e3, np.quantile(waits, 0.99) * 1e3
        print(
            f"    p99 {late:.1f} ms CPU, {felt:.1f} ms wall (budget 16 ms); "
            f"undo {undo * 1e3:.3f} ms, sandwich {sandwich * 1e3:.1f} ms (budget 50 ms)"
        )


def refit_all(battles: Battles, settings: FitSettings) -> None:
    """The naive way after a vote: count everything again and fit from zero."""
    fit(aggregate(battles), settings=settings)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--battles", type=int, default=1_000_000)
    parser.add_argument("--models", type=int, default=129)
    options = parser.parse_args()
    battles = synthetic(options.models, options.battles)
    print(f"{options.battles} battles, {options.models} models")
    print(f"{'':<46}{'ours':>13}{'naive':>15}{'ratio':>10}")
    bench_fit(battles)
    bench_bootstrap(battles)
    bench_style(battles)
    bench_live(battles)


if __name__ == "__main__":
    main()
