"""What counts now: a pure fold over the event log.

Replaying a file, merging several and recovering after a crash are this one operation. The order of
the log is (time, uid), so the result depends on the set of events only. An undo or a redo names the
event it speaks of; the last word about an event decides whether it counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from ifbench_tui.store.events import KINDS, Event, Order, Slot, canonical, setting_subject

__all__ = ["State", "replay"]


@dataclass(frozen=True, slots=True)
class State:
    """The decisions of a log. Values are read only; `replay` makes new ones."""

    decisions: dict[str, Event] = field(default_factory=dict)
    """Every event but undo and redo, by uid, in order."""
    undone: Set[str] = frozenset()
    """The uids of decisions that do not count at present."""
    redoable: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each annotator the uids that redo would bring back, next one last."""
    last: Order = ("", "")
    """Order of the latest event."""

    def live(self, kind: str) -> dict[Slot, Event]:
        """What counts of one kind: the last event of each slot that was neither undone nor cleared.

        Slots are (annotator, canonical subject), for votes (annotator, uid); votes come in the
        order they were cast.
        """
        newest = {
            event.slot: event
            for event in self.decisions.values()
            if event.kind == kind and event.uid not in self.undone
        }
        return {slot: event for slot, event in newest.items() if not event.clears}

    def setting(self, name: str, default: Any = None, *, annotator: str = "") -> Any:
        """The value of a setting of the session, or of one annotator in it."""
        event = self.live("setting").get((annotator, canonical(setting_subject(name))))
        return default if event is None else event.body["value"]

    def undo_target(self, annotator: str) -> Event | None:
        """The decision that undo would take back: the annotator's latest one that counts."""
        for event in reversed(self.decisions.values()):
            if (
                event.annotator == annotator
                and KINDS[event.kind].undoable
                and event.uid not in self.undone
            ):
                return event
        return None

    def redo_target(self, annotator: str) -> Event | None:
        """The decision that redo would bring back; none after a newer decision."""
        stack = self.redoable.get(annotator)
        return self.decisions[stack[-1]] if stack else None


def replay(events: Iterable[Event], onto: State | None = None) -> State:
    """Fold events into a state.

    `onto` continues from an earlier state; its `last` must come before all `events`. An undo or
    redo counts only for a decision of the same annotator and only where it changes something, so
    repeated or foreign ones do nothing.
    """
    onto = State() if onto is None else onto
    decisions, undone = dict(onto.decisions), set(onto.undone)
    redoable = {annotator: list(stack) for annotator, stack in onto.redoable.items()}
    last = onto.last
    for event in sorted(events, key=attrgetter("order")):
        last = event.order
        if event.kind not in ("undo", "redo"):
            decisions[event.uid] = event
            if KINDS[event.kind].undoable:
                redoable.pop(event.annotator, None)
            continue
        target = decisions.get(event.body["target"])
        if (
            target is None
            or target.annotator != event.annotator
            or not KINDS[target.kind].undoable
            or (target.uid in undone) != (event.kind == "redo")
        ):
            continue
        stack = redoable.setdefault(event.annotator, [])
        if event.kind == "undo":
            undone.add(target.uid)
            stack.append(target.uid)
        else:
            undone.discard(target.uid)
            if target.uid in stack:
                stack.remove(target.uid)
    frozen = {annotator: tuple(stack) for annotator, stack in redoable.items() if stack}
    return State(decisions, undone, frozen, last)
