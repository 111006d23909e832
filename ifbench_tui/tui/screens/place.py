"""What all places have in common: a head, a foot, a size below which they give up politely."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from ifbench_tui.filters import Filter
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.tui.actions import BY_ID, lacking
from ifbench_tui.tui.bench import Bench
from ifbench_tui.tui.host import Host
from ifbench_tui.tui.ink import Line
from ifbench_tui.tui.widgets.bar import Bar
from ifbench_tui.tui.widgets.foot import Foot

__all__ = ["Place", "title"]

SMALLEST = (60, 16)


def title(text: str) -> Content:
    """Safe text as a border title: never markup."""
    return Content(f" {text} ")


class Place(Screen[Any]):
    """A screen of the app. Subclasses fill `body` and answer what changed."""

    ALLOW_IN_MAXIMIZED_VIEW = "#head,#foot,#too-small"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - as Textual declares it
        (0, "-tiny"),
        (SMALLEST[0], "-narrow"),
        (100, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-flat"),
        (SMALLEST[1], "-short"),
        (20, "-low"),
        (32, "-tall"),
    ]

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    """The widget with the focus, which draws it itself: the rest of the screen stays as it is."""

    PLACE: ClassVar[str] = ""
    SHOWS_VOTES: ClassVar[bool] = False
    """Whether undo may be about a vote here: elsewhere nobody would see that one is gone."""
    BLIND: ClassVar[bool] = False
    """Whether names of models and files must stay off this screen, whoever draws there."""

    number: str = ""
    """The key of the place. A screen that is pushed belongs to the place it was opened from."""

    @property
    def audit_app(self) -> Host:
        """The app, with its own type."""
        return cast(Host, self.app)

    @property
    def bench(self) -> Bench:
        """What all screens share."""
        return self.audit_app.bench

    @property
    def glyphs(self) -> Glyphs:
        """The signs in use."""
        return self.bench.glyphs

    def compose(self) -> ComposeResult:
        yield Bar(id="head")
        yield from self.body()
        yield Foot()
        width, height = SMALLEST
        yield Static(
            f"too small: {width} by {height} is the least; make the window larger",
            id="too-small",
            markup=False,
        )

    def body(self) -> Iterator[Widget]:
        """The widgets between head and foot."""
        yield from ()

    def on_mount(self) -> None:
        app = self.audit_app
        self.number = self.number or getattr(app.screen_stack[0], "number", "")
        app.bench_changed.subscribe(self, self._bench_changed)
        app.verdicts_changed.subscribe(self, self._verdicts_changed)
        app.decisions_changed.subscribe(self, self._decisions_changed)
        app.progress_changed.subscribe(self, self._progress_changed)
        self._bench_changed(None)

    def on_screen_resume(self) -> None:
        self.refresh_head()

    # ---- what changed ------------------------------------------------------------------------

    def bench_changed(self) -> None:
        """Another workspace, suite or model is in use."""

    def verdicts_changed(self) -> None:
        """More responses are judged."""

    def decisions_changed(self) -> None:
        """A mark, note or bookmark was set, removed, undone or redone."""

    def progress_changed(self) -> None:
        """Other words say what is being loaded or judged; "" where nothing is."""

    def _bench_changed(self, _: Any) -> None:
        self.bench_changed()
        self.refresh_head()

    def _verdicts_changed(self, _: Any) -> None:
        self.verdicts_changed()
        self.refresh_head()

    def _decisions_changed(self, _: Any) -> None:
        self.decisions_changed()
        self.refresh_head()

    def _progress_changed(self, _: Any) -> None:
        self.progress_changed()
        self.refresh_head()

    def choose(self, chosen: Filter | None, key: str | None = None) -> None:
        """Show what a filter chooses (None keeps the one in use), the cursor on one prompt."""

    def in_thread(self, group: str, work: Callable[[], None]) -> None:
        """Run work in a thread; work of the same group that still runs is told to stop."""
        self.run_worker(
            work, group=group, thread=True, exclusive=True, exit_on_error=False, description=group
        )

    def on_key(self, event: events.Key) -> None:
        """A key that has nothing to act on here says so: one that is silent seems broken."""
        active = self.active_bindings.get(event.key)
        if active is not None and not active.enabled:
            action = BY_ID.get(active.binding.id or "")
            if action is not None and (words := lacking(action)):
                self.audit_app.say(words)

    def leave(self) -> bool:
        """What Escape ends here before it stops anything else; False if there is nothing."""
        return False

    # ---- head --------------------------------------------------------------------------------

    def refresh_head(self) -> None:
        """Draw the head line again."""
        left: list[tuple[str, str]] = [
            (f" {self.number} ", "accent strong"),
            (self.PLACE, "strong"),
        ]
        for part in self.head():
            left += [("   ", ""), *part]
        rights = list(self.head_ends())
        # What is being loaded has a name.
        if (progress := self.bench.progress) and not self.BLIND:
            rights = [[(progress, "accent"), (" ", "")], *rights]
        self.query_one("#head", Bar).show(left, *rights)

    def head(self) -> list[Line]:
        """What stands after the place's name, most important first."""
        return []

    def head_ends(self) -> list[Line]:
        """What may stand at the right edge: the fullest first, the first that fits is drawn."""
        return []
