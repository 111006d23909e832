"""Draws the pictures of the documentation from the running app: ``python docs/screenshots.py``.

Names of pictures as arguments draw only those. Every picture is of the sample data.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from ifbench_tui.report.glyphs import UNICODE
from ifbench_tui.resources import sample_data_folder
from ifbench_tui.store import throwaway_session
from ifbench_tui.tui.app import AuditApp
from ifbench_tui.tui.bench import Bench
from ifbench_tui.tui.decisions import Decisions
from ifbench_tui.voting.pairs import Plan
from ifbench_tui.workspace import LoadOptions

HERE = Path(__file__).parent
SIZE = (110, 34)

Scene = Callable[[AuditApp, Pilot[None]], Awaitable[None]]


async def settled(app: AuditApp, pilot: Pilot[None]) -> None:
    """Wait until nothing is loading or being judged; work that was overtaken does not count."""
    while any(not worker.is_finished for worker in app.workers):
        with suppress(WorkerCancelled):
            await app.workers.wait_for_complete()
        await pilot.pause()
    await pilot.pause()


async def audit(app: AuditApp, pilot: Pilot[None]) -> None:
    """A rescued failure: the bullet that the model signed its letter with."""
    app.use(model="magpie-chat")
    await app.audit(key="101")
    await settled(app, pilot)
    await pilot.press("l", "l", "l", "l")


async def scores(app: AuditApp, pilot: Pilot[None]) -> None:
    """Accuracies, and the heat map of the types."""


async def vote(app: AuditApp, pilot: Pilot[None]) -> None:
    """A pair before the vote."""


async def ratings(app: AuditApp, pilot: Pilot[None]) -> None:
    """A board, and who beats whom."""


async def boards(app: AuditApp, pilot: Pilot[None]) -> None:
    """MT-Bench as its judge rated it."""
    await pilot.press("b")


SCENES: dict[str, tuple[str, str, Scene]] = {
    "audit": ("audit", "ifeval", audit),
    "scores": ("scores", "ifeval", scores),
    "vote": ("vote", "ifeval", vote),
    "ratings": ("ratings", "battles", ratings),
    "boards": ("scores", "mt_bench", boards),
}
"""By the name of the picture: the place to start in, the folder of the sample data, what to do."""


async def draw(name: str) -> None:
    """Write one picture."""
    start, folder, scene = SCENES[name]
    with throwaway_session() as session:
        sample = str(sample_data_folder() / folder)
        bench = Bench([sample], LoadOptions(), Decisions(session, "ana"), UNICODE)
        app = AuditApp(bench, start=start, theme="hearth", plan=Plan(seed=1))
        async with app.run_test(size=SIZE) as pilot:
            await settled(app, pilot)
            await scene(app, pilot)
            await settled(app, pilot)
            svg = app.export_screenshot(title="ifbench-tui")
    # Fonts of the reader's own: a picture must not fetch anything.
    svg = re.sub(r"\s*@font-face \{[^}]*\}", "", svg)
    (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    for chosen in sys.argv[1:] or SCENES:
        asyncio.run(draw(chosen))
