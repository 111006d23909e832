"""What the judge protocols share: their settings, and how a reply becomes a verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ifbench_tui.engine.judged.verdicts import Verdict, answer_part
from ifbench_tui.judge.call import Call, Message, Reply
from ifbench_tui.judge.own_templates import OWN
from ifbench_tui.judge.questions import Material
from ifbench_tui.judge.templates import TemplateSet

__all__ = ["FAILED_TEXT", "Judging", "Reading", "read_verdict"]

FAILED_TEXT = "$ERROR$"
"""What FastChat stores as the judgment of a call that failed."""


@dataclass(frozen=True, slots=True)
class Judging:
    """Who judges what. `models` and `baseline` None: all, and the protocol's own.

    `references` are answers by question key. `temperature` and `max_tokens` None: as the protocol
    has them. `strip_thoughts` reads only what follows a reasoning trace in the judge's text.
    """

    judge: str
    material: Material
    models: tuple[str, ...] | None = None
    baseline: str | None = None
    references: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    templates: TemplateSet = field(default_factory=lambda: OWN)
    temperature: float | None = None
    max_tokens: int | None = None
    strip_thoughts: bool = False

    def call(
        self, messages: Sequence[Message], temperature: float, max_tokens: int, **more: Any
    ) -> Call:
        """A call to the judge with the protocol's settings, unless others were chosen."""
        return Call(
            self.judge,
            tuple(messages),
            temperature if self.temperature is None else self.temperature,
            max_tokens if self.max_tokens is None else self.max_tokens,
            **more,
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """A verdict as the benchmark stores it; None unless `outcome` is ok."""

    stored: float | int | str | None
    outcome: str
    flags: tuple[str, ...] = ()


def read_verdict(
    reply: Reply, parse: Callable[[str], Verdict], judging: Judging, text: str | None = None
) -> Reading:
    """The verdict in a reply, or in `text` where that holds more than the reply alone.

    Nothing is read from a text that was cut off: its verdict would have come last.
    """
    if not reply.ok:
        return Reading(None, reply.outcome, (reply.detail,) if reply.detail else ())
    whole = reply.text if text is None else text
    found = parse(answer_part(whole) if judging.strip_thoughts else whole)
    if not found.usable:
        return Reading(None, "no_verdict", found.flags)
    return Reading(found.stored, "ok", found.flags)
