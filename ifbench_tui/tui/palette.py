"""Everything that can be reached by name: actions, and the prompts, models and types on the bench.

The command palette and the command line offer the same targets.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.screen import Screen

from ifbench_tui.tui.actions import BY_ID, key_words
from ifbench_tui.tui.host import Host
from ifbench_tui.tui.ink import safe

__all__ = ["Target", "Targets", "action_targets", "data_targets"]

_AT_A_TIME = 200
"""Names that are matched before keys are looked at again."""

_MOST_PROMPTS = 200

_UNLISTED = {"app.palette", "app.command"}


Run = Callable[[], Awaitable[object] | object]


@dataclass(frozen=True, slots=True)
class Target:
    """Something to do or to go to. All texts are safe to draw, but not as markup."""

    name: str
    brief: str
    help: str
    run: Run

    def line(self, name: Content) -> Content:
        """Name and key, or the beginning of what it is, as the palette shows them."""
        return Content.assemble(name, "  ", (self.brief, "$quiet not bold"))


def action_targets(app: Host, screen: Screen[object]) -> Iterator[Target]:
    """The actions that work now on a screen."""
    offered: set[str] = set()
    for active in screen.active_bindings.values():
        action = BY_ID.get(active.binding.id or "")
        if action is None or not active.enabled or action.id in offered | _UNLISTED:
            continue
        offered.add(action.id)
        if action.group != "Move":
            run = partial(app.run_action, active.binding.action, active.node)
            keys = key_words(active.binding.key, ascii_only=app.bench.glyphs.ascii_only)
            yield Target(action.title, keys, action.help, run)


def data_targets(app: Host, fits: Callable[[str], bool]) -> Iterator[Target]:
    """Models, constraint types, suites and prompts on the bench whose name fits.

    Where one votes blind, neither models nor prompts, which may name them.
    """
    suite, verdicts = app.bench.suite, app.bench.verdicts
    if suite is None or verdicts is None or app.bench.workspace is None:
        return
    for model in () if app.blind else suite.models:
        if fits(f"model {model}"):
            run: Run = partial(app.use, model=model)
            yield Target(f"model {safe(model)}", "", "Use this model.", run)
    for kind in verdicts.benchmark.types:
        if fits(f"type {kind}"):
            run = partial(app.audit, where=f"type:{kind}")
            yield Target(f"type {safe(kind)}", "", "Audit the prompts with this type.", run)
    for name in app.bench.workspace.suites:
        if fits(f"suite {name}"):
            run = partial(app.use, suite=name)
            yield Target(f"suite {safe(name)}", "", "Use this benchmark.", run)
    prompts = () if app.blind else suite.prompts
    named = (prompt for prompt in prompts if fits(f"prompt {prompt.key}"))
    for prompt in islice(named, _MOST_PROMPTS):
        text = safe(prompt.text, 48)
        run = partial(app.audit, key=prompt.key)
        yield Target(f"prompt {safe(prompt.key)}", text, text, run)


class Targets(Provider):
    """What the command palette finds."""

    @property
    def _app(self) -> Host:
        return cast(Host, self.app)

    async def discover(self) -> Hits:
        for target in action_targets(self._app, self.screen):
            yield DiscoveryHit(
                target.line(Content(target.name)),
                target.run,
                text=target.name,
            )

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        words = query.casefold().split()

        def fits(name: str) -> bool:
            # There may be a great many prompts: they are not matched loosely.
            return not name.startswith("prompt ") or all(word in name for word in words)

        for targets in (
            action_targets(self._app, self.screen),
            data_targets(self._app, fits),
        ):
            for number, target in enumerate(targets, start=1):
                if number % _AT_A_TIME == 0:
                    await asyncio.sleep(0)
                score = matcher.match(target.name)
                if score > 0:
                    yield Hit(
                        score,
                        target.line(matcher.highlight(target.name)),
                        target.run,
                        text=target.name,
                    )
