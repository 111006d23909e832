"""A sitting: the question at hand, what was decided so far, and the one way to a stored vote.

Everything is read from the session's log, so a sitting goes on where it was left, whatever ended
it. Only one annotator's decisions are looked at.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

from ifbench_tui.errors import IfbenchError
from ifbench_tui.store import Event, Session, State, setting_subject, text_digest, turn_subject
from ifbench_tui.store.errors import after_storing
from ifbench_tui.voting.arena import Arena, Spot, VoteRow
from ifbench_tui.voting.pairs import (
    Past,
    Plan,
    Question,
    is_asked,
    left_model,
    next_question,
    questions_left,
    ticket,
)

__all__ = ["Ballot", "Choice", "Draft", "Matchup", "Progress", "StaleQuestionError"]

Choice: TypeAlias = Literal["left", "right", "tie", "both_bad"]

_SEED, _DRAFT, _SKIP = "vote-seed", "vote-draft", "vote-skip:"

_HIDDEN = "names_hidden"
"""Field of a vote after which the names were not told."""


class StaleQuestionError(IfbenchError):
    """The question was answered meanwhile; nothing was stored."""


@dataclass(frozen=True, slots=True)
class Matchup:
    """A question ready to be shown. `ticket` names it without giving anything away.

    `turns` hold (prompt, left response, right response). `names_seen`: this annotator voted on it
    before and was told the names. `last`: the vote is the last one on these responses, so the names
    may be told; before that they may not, or the other order would not be blind.
    """

    ticket: str
    question: Question
    left: str
    right: str
    turns: tuple[tuple[str, str, str], ...]
    names_seen: bool
    last: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """What goes with the vote to come."""

    unblinded: bool = False
    reasons: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts of one annotator: votes in all, votes of this day (local time), questions left,
    questions set aside, and prompts not asked because both responses are equal."""

    votes: int
    today: int
    left: int
    skipped: int
    equal: int


def _now() -> datetime:
    return datetime.now(UTC)


class Ballot:
    """One annotator's sitting over an arena.

    What cannot be stored raises `SessionError` and changes nothing; `StoredError` says that it is
    stored, but could not be read back.
    """

    def __init__(
        self,
        arena: Arena,
        session: Session,
        annotator: str,
        plan: Plan | None = None,
        *,
        new_seed: Callable[[], int] = lambda: secrets.randbits(31),
        now: Callable[[], datetime] = _now,
    ) -> None:
        self.arena = arena
        self.plan = plan or Plan()
        self.annotator = annotator
        self._session = session
        self._now = now
        self._digests: dict[tuple[str, str], str] = {}
        self._by_ticket: dict[str, Spot | None] = {}
        self._state: State | None = None
        self.past = Past()
        self.matchup: Matchup | None = None
        self.draft = Draft()
        self._own: list[Event] = []
        self.seed = self._settled_seed(new_seed)
        self.refresh()

    def _settled_seed(self, new_seed: Callable[[], int]) -> int:
        """The seed of the plan, else the one this annotator began with, else a new one."""
        if self.plan.seed is not None:
            return self.plan.seed
        held = self._session.state().setting(_SEED, annotator=self.annotator)
        if type(held) is int and held >= 0:
            return held
        seed = new_seed()
        if self._session.read_only_reason is None:
            self._set({_SEED: seed})
        return seed

    # ---- read --------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read what counts now, with what other windows stored."""
        state = self._session.state()
        if state is self._state:
            return
        self._own = [
            event
            for event in state.live("vote").values()
            if event.annotator == self.annotator
            and event.subject["benchmark"] == self.arena.benchmark
        ]
        rows = [VoteRow.of(event.body) for event in self._own]
        spots = (spot for event in self._own if (spot := self._spot_of(event)))
        self.past = Past(rows, Counter(spots), self._skipped(state))
        self.matchup = self._question_now(state)
        self.draft = self._draft_now(state)
        self._state = state

    def _settings(self, state: State) -> Mapping[str, Any]:
        return {
            event.subject["name"]: event.body["value"]
            for (annotator, _), event in state.live("setting").items()
            if annotator == self.annotator
        }

    def _skipped(self, state: State) -> frozenset[Spot]:
        tickets = {
            name.removeprefix(_SKIP) for name in self._settings(state) if name.startswith(_SKIP)
        }
        if not tickets <= self._by_ticket.keys():
            self._by_ticket |= dict.fromkeys(tickets) | self._every_ticket()
        return frozenset(spot for name in tickets if (spot := self._by_ticket[name]))

    def _every_ticket(self) -> dict[str, Spot | None]:
        return {
            self._ticket(Question(Spot(key, *pair), showing)): Spot(key, *pair)
            for pair, keys in self.arena.spots.items()
            for key in keys
            for showing in range(self.plan.rounds)
        }

    def _spot_of(self, event: Event) -> Spot | None:
        """Where a vote belongs, if it was cast on just these responses."""
        body = event.body
        spot = self.arena.in_order(event.subject["key"], body["model_a"], body["model_b"])
        if spot is None or not self.arena.holds(spot):
            return None
        cast_on = {body["model_a"]: body["digest_a"], body["model_b"]: body["digest_b"]}
        same = all(cast_on[model] == self._digest(model, spot.key) for model in spot.pair)
        return spot if same else None

    def _digest(self, model: str, key: str) -> str:
        held = self._digests.get((model, key))
        if held is None:
            text = "\n\n".join(self.arena.responses[model][key])
            held = self._digests[model, key] = text_digest(text)
        return held

    def _ticket(self, question: Question) -> str:
        return ticket(self.seed, self.arena.benchmark, question)

    def _question_now(self, state: State) -> Matchup | None:
        undone = self._undone(state)
        question = None if undone is None else Question(undone, self.past.times.get(undone, 0))
        if question is None:
            question = next_question(self.arena, self.plan, self.seed, self.past)
        if question is None:
            return None
        left = left_model(self.seed, self.arena.benchmark, question)
        spot = question.spot
        right = spot.model_b if left == spot.model_a else spot.model_a
        turns = self.arena.turns(spot)
        if left != spot.model_a:
            turns = tuple((prompt, theirs, ours) for prompt, ours, theirs in turns)
        last = question.showing + 1 >= self.plan.rounds
        seen = self._names_seen(state, spot)
        return Matchup(self._ticket(question), question, left, right, turns, seen, last)

    def _names_seen(self, state: State, spot: Spot) -> bool:
        """Whether a vote on a spot, taken back or not, told its names or was not blind itself."""
        return any(
            event.kind == "vote"
            and event.annotator == self.annotator
            and event.subject["benchmark"] == self.arena.benchmark
            and event.subject["key"] == spot.key
            and (event.body["unblinded"] or event.body.get(_HIDDEN) is not True)
            and self._spot_of(event) == spot
            for event in state.decisions.values()
        )

    def _undone(self, state: State) -> Spot | None:
        """Where the vote belongs that was taken back last, so that it is asked again first."""
        event = state.redo_target(self.annotator)
        if event is None or event.kind != "vote":
            return None
        if event.subject["benchmark"] != self.arena.benchmark:
            return None
        spot = self._spot_of(event)
        asked = spot is not None and is_asked(self.arena, self.plan, self.past, spot)
        return spot if asked else None

    def _draft_now(self, state: State) -> Draft:
        if self.matchup is None:
            return Draft()
        values = [
            event.body["value"]
            for event in state.decisions.values()
            if event.annotator == self.annotator and event.subject.get("name") == _DRAFT
        ]
        ticket = self.matchup.ticket
        drafts = [one for one in values if isinstance(one, dict) and one.get("ticket") == ticket]
        # What was seen stays seen, whatever was drafted for other pairs since.
        seen = self.matchup.names_seen or any(one.get("unblinded") is True for one in drafts)
        if not drafts or drafts[-1] is not values[-1]:
            return Draft(unblinded=seen)
        held = drafts[-1]
        reasons = held.get("reasons")
        return Draft(
            seen,
            tuple(map(str, reasons)) if isinstance(reasons, list) else (),
            str(held.get("note", "")),
        )

    @property
    def read_only_reason(self) -> str | None:
        """Why no vote can be stored, if so."""
        return self._session.read_only_reason

    @property
    def progress(self) -> Progress:
        """How far this annotator is."""
        today = self._now().astimezone().date()
        return Progress(
            len(self._own),
            sum(datetime.fromisoformat(e.at).astimezone().date() == today for e in self._own),
            questions_left(self.arena, self.plan, self.past),
            len(self.past.skipped),
            self.arena.equal,
        )

    def pair_progress(self, spot: Spot) -> tuple[int, int]:
        """Prompts voted on for the spot's models, and prompts there are. For after the vote: the
        counts would tell which models they are."""
        voted = sum(1 for one in self.past.times if one.pair == spot.pair)
        return voted, len(self.arena.spots.get(spot.pair, ()))

    def can(self, what: str) -> bool:
        """Whether the next "undo" or "redo" would be that of a vote."""
        if self._state is None or self.read_only_reason is not None:
            return False
        find = self._state.undo_target if what == "undo" else self._state.redo_target
        target = find(self.annotator)
        return target is not None and target.kind == "vote"

    # ---- decide ------------------------------------------------------------------------------

    def cast(self, choice: Choice) -> Event:
        """Store a vote on the question at hand; it is on disk when this returns.

        Raises `StaleQuestionError` where there is none any more.
        """
        shown = self.matchup
        draft = self.draft
        self.refresh()
        if shown is None or self.matchup is None or self.matchup.ticket != shown.ticket:
            raise StaleQuestionError("this pair has its vote already; here is the next")
        spot = shown.question.spot
        by_side = {"left": shown.left, "right": shown.right}
        winner = str(choice)
        if choice in by_side:
            winner = "model_a" if by_side[choice] == spot.model_a else "model_b"
        body: dict[str, Any] = {
            "model_a": spot.model_a,
            "model_b": spot.model_b,
            "digest_a": self._digest(spot.model_a, spot.key),
            "digest_b": self._digest(spot.model_b, spot.key),
            "left": "model_a" if shown.left == spot.model_a else "model_b",
            "winner": winner,
            "unblinded": draft.unblinded,
            "reasons": list(draft.reasons),
            "seed": self.seed,
        }
        if draft.note:
            body["note"] = draft.note
        if not shown.last:
            body[_HIDDEN] = True
        subject = turn_subject(self.arena.benchmark, spot.key, len(shown.turns))
        event = self._session.append("vote", subject, body, self.annotator)
        with after_storing():
            self.refresh()
        return event

    def undo(self) -> Event | None:
        """Take the last vote back and ask it again, with its reasons and note; None if the latest
        decision is no vote."""
        if not self.can("undo"):
            return None
        event = self._session.undo(self.annotator)
        with after_storing():
            self.refresh()
            if event is not None and self.matchup is not None:
                reasons, note = event.body["reasons"], str(event.body.get("note", ""))
                if reasons or note:
                    self._keep(replace(self.draft, reasons=tuple(reasons), note=note))
        return event

    def redo(self) -> Event | None:
        """Count the vote again that was taken back last; None if it is no vote."""
        if not self.can("redo"):
            return None
        event = self._session.redo(self.annotator)
        with after_storing():
            self.refresh()
        return event

    def skip(self) -> None:
        """Set the question aside."""
        if self.matchup is not None:
            self._change({_SKIP + self.matchup.ticket: True})

    def bring_back(self) -> int:
        """Ask again what was set aside here; returns how many questions that are."""
        state = self._session.state()
        count = len(self._skipped(state))
        tickets = (
            name
            for name in self._settings(state)
            if name.startswith(_SKIP) and self._by_ticket.get(name.removeprefix(_SKIP))
        )
        self._change(dict.fromkeys(tickets))
        return count

    def unblind(self) -> None:
        """Remember that hidden words of this question were looked at."""
        self._keep(replace(self.draft, unblinded=True))

    def give_reasons(self, reasons: tuple[str, ...]) -> None:
        """Choose the reasons that go with the vote."""
        self._keep(replace(self.draft, reasons=reasons))

    def write_note(self, note: str) -> None:
        """Write the note that goes with the vote."""
        self._keep(replace(self.draft, note=note))

    def _keep(self, draft: Draft) -> None:
        if self.matchup is None or draft == self.draft:
            return
        held = {
            "ticket": self.matchup.ticket,
            "unblinded": draft.unblinded,
            "reasons": list(draft.reasons),
            "note": draft.note,
        }
        self._change({_DRAFT: held})

    def _change(self, values: Mapping[str, Any]) -> None:
        self._set(values)
        with after_storing():
            self.refresh()

    def _set(self, values: Mapping[str, Any]) -> None:
        """Store settings of this annotator, all or none."""
        self._session.append_all(
            (("setting", setting_subject(name), {"value": v}) for name, v in values.items()),
            self.annotator,
        )
