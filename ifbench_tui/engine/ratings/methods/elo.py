"""Elo, for comparison: ratings that depend on the order of the battles, and how much they do."""

from __future__ import annotations

import numpy as np

from ifbench_tui.engine.ratings.battles import Battles
from ifbench_tui.engine.ratings.bootstrap import Progress
from ifbench_tui.engine.ratings.bradley_terry import fit
from ifbench_tui.engine.ratings.elo import START, EloSpread, elo, elo_spread
from ifbench_tui.engine.ratings.method import BoardSettings, Found, Method, RateTask

__all__ = ["METHOD"]


class _Elo(Method):
    id = "elo"
    title = "Elo"
    words = "Elo, in their order"

    def rate(self, task: RateTask) -> Found:
        found = elo(task.battles, k_factor=task.settings.k_factor)
        warning = "sequential Elo depends on the order of the battles: see its spread"
        return Found(fit(task.counts), (warning,), found.ratings)

    def gauge(self, settings: BoardSettings) -> str:
        return f"mean {START:g}"

    def spread(
        self, battles: Battles, settings: BoardSettings, orders: int, progress: Progress | None
    ) -> EloSpread:
        return elo_spread(
            battles,
            rng=np.random.default_rng(settings.seed),
            orders=orders,
            k_factor=settings.k_factor,
            progress=progress,
        )


METHOD = _Elo()
