"""Draws the pictures of the documentation from the running app: ``python docs/screenshots.py``."""

from __future__ import annotations

import asyncio
import re
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
from ifbench_tui.workspace import LoadOptions

HERE = Path(__file__).parent
SIZE = (110, 34)


async def settled(app: AuditApp, pilot: Pilot[None]) -> None:
    """Wait until nothing is loading or being judged; work that was overtaken does not count."""
    while any(not worker.is_finished for worker in app.workers):
        with suppress(WorkerCancelled):
            await app.workers.wait_for_complete()
        await pilot.pause()
    await pilot.pause()


async def audit() -> None:
    """A rescued failure: the bullet that the model signed its letter with."""
    with throwaway_session() as session:
        sample = str(sample_data_folder() / "ifeval")
        bench = Bench([sample], LoadOptions(), Decisions(session, "ana"), UNICODE)
        app = AuditApp(bench, start="audit", theme="hearth")
        async with app.run_test(size=SIZE) as pilot:
            await settled(app, pilot)
            app.use(model="magpie-chat")
            await app.audit(key="101")
            await settled(app, pilot)
            await pilot.press("l", "l", "l", "l")
            await settled(app, pilot)
            svg = app.export_screenshot(title="ifbench-tui")
    # Fonts of the reader's own: a picture must not fetch anything.
    svg = re.sub(r"\s*@font-face \{[^}]*\}", "", svg)
    (HERE / "audit.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(audit())
