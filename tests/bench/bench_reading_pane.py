"""First paint and a page down: the reading pane against one plain `Static`, in one run.

Prints CPU times and their ratio for a response of 200,000 characters and one of a megabyte on a
single line. Run it as a script: `python -m tests.bench.bench_reading_pane`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Static

from ifbench_tui.tui.ink import INK_CLASSES
from ifbench_tui.tui.themes import role_defaults
from ifbench_tui.tui.widgets.reading_pane import ReadingPane

TEXTS = {
    "200,000 characters of prose": "the sea is wide and calm tonight " * 6_000,
    "1,000,000 characters on one line": "x" * 1_000_000,
}


class Bench(App[None]):
    """Both widgets side by side."""

    CSS_PATH = "../../ifbench_tui/tui/styles/base.tcss"
    COMPONENT_CLASSES = INK_CLASSES
    CSS = "ReadingPane, VerticalScroll { height: 1fr; }"

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return role_defaults(True)

    def compose(self) -> ComposeResult:
        yield ReadingPane(id="pane")
        with VerticalScroll(id="scroll"):
            yield Static(id="plain", markup=False)


async def timed(pilot: Pilot[None], act: Callable[[], object]) -> float:
    """CPU seconds until the effect of `act` is painted."""
    start = time.process_time()
    act()
    await pilot.pause()
    return time.process_time() - start


async def main() -> None:
    app = Bench()
    app.animation_level = "none"
    async with app.run_test(size=(80, 24)) as pilot:
        pane = app.query_one("#pane", ReadingPane)
        plain, scroll = app.query_one("#plain", Static), app.query_one("#scroll")
        for name, text in TEXTS.items():
            ours = await timed(pilot, lambda text=text: pane.show(text))  # type: ignore[misc]
            naive = await timed(pilot, lambda text=text: plain.update(Content(text)))  # type: ignore[misc]
            print(f"{name}: first paint {1e3 * ours:.0f} ms, plain {1e3 * naive:.0f} ms, "
                  f"ratio {naive / ours:.1f}")  # fmt: skip
            ours = await timed(pilot, lambda: pane.action_scroll_pages(2))
            naive = await timed(pilot, lambda: scroll.scroll_page_down(animate=False))
            print(f"{name}: page down {1e3 * ours:.1f} ms, plain {1e3 * naive:.1f} ms")


if __name__ == "__main__":
    asyncio.run(main())
