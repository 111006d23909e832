"""The fold: against two slow models that share no code with it, and its algebra."""

from __future__ import annotations

import shutil
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ifbench_tui.store import Event, Session, State, replay, setting_subject
from ifbench_tui.store.events import canonical, parse
from tests.store.helpers import (
    CELL,
    START,
    TURN,
    contents,
    logged,
    mark,
    open_repeatably,
    vote,
)

ANNOTATORS = ("ana", "ben")
DECISIONS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("mark", CELL, mark("agree")),
    ("mark", CELL, mark("should_pass")),
    ("mark", CELL, mark(None)),
    ("mark", {**CELL, "variant": 3}, mark("unclear")),
    ("note", CELL, {"text": "hm"}),
    ("note", CELL, {"text": ""}),
    ("bookmark", CELL, {"on": True}),
    ("bookmark", CELL, {"on": False}),
    ("vote", TURN, vote("tie")),
    ("vote", TURN, vote("model_b")),
]
CLEARING = (mark(None), {"text": ""}, {"on": False})


class Editor:
    """One annotator's decisions as a text editor would keep them: whole snapshots on two stacks."""

    def __init__(self) -> None:
        self.past: list[dict[Any, Any]] = []
        self.present: dict[Any, Any] = {}
        self.future: list[dict[Any, Any]] = []

    def decide(self, slot: tuple[str, ...], body: dict[str, Any]) -> None:
        self.past.append(self.present)
        self.present = {key: value for key, value in self.present.items() if key != slot}
        if body not in CLEARING:
            self.present[slot] = body
        self.future = []

    def undo(self) -> bool:
        if self.past:
            self.future.append(self.present)
            self.present = self.past.pop()
            return True
        return False

    def redo(self) -> bool:
        if self.future:
            self.past.append(self.present)
            self.present = self.future.pop()
            return True
        return False


Step = tuple[str, int]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(ANNOTATORS),
        st.one_of(
            st.tuples(st.just("decide"), st.integers(0, len(DECISIONS) - 1)),
            st.tuples(st.sampled_from(["undo", "redo", "setting", "reopen"]), st.just(0)),
        ),
        st.integers(-5, 5),
    ),
    max_size=30,
)
QUICK = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


class Desk:
    """A session in a folder of its own beside the slow model of each annotator."""

    def __init__(self, folder: str, name: str) -> None:
        self.path = Path(folder) / f"{name}.ifb"
        self.now = START
        self.session = self.open()
        self.editors: dict[str, Editor] = {}

    def open(self) -> Session:
        return Session.open(self.path, clock=lambda: self.now)

    def act(self, annotator: str, step: Step, seconds: int) -> None:
        """Do one step on both; the clock jumps by `seconds`, backwards too."""
        self.now += timedelta(seconds=seconds)
        editor = self.editors.setdefault(annotator, Editor())
        name, number = step
        if name == "decide":
            kind, subject, body = DECISIONS[number]
            event = self.session.append(kind, subject, body, annotator)
            editor.decide((kind, *event.slot), body)
        elif name == "setting":
            self.session.append("setting", setting_subject("at"), {"value": seconds}, annotator)
        elif name == "undo":
            assert (self.session.undo(annotator) is not None) == editor.undo()
        elif name == "redo":
            assert (self.session.redo(annotator) is not None) == editor.redo()
        else:
            self.session.close()
            self.session = self.open()

    def expected(self) -> dict[tuple[str, ...], Any]:
        return {
            slot: body for editor in self.editors.values() for slot, body in editor.present.items()
        }


def decisions(state: State) -> dict[tuple[str, ...], Any]:
    return {slot: body for slot, body in contents(state).items() if slot[0] != "setting"}


@QUICK
@given(STEPS)
def test_any_sequence_counts_as_in_an_editor(steps: list[tuple[str, Step, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(folder, "one")
        for annotator, step, seconds in steps:
            desk.act(annotator, step, seconds)
            assert decisions(desk.session.state()) == desk.expected()
        assert contents(replay(logged(desk.session))) == contents(desk.session.state())
        assert desk.session.verify() == ()
        desk.session.close()


@QUICK
@given(STEPS, STEPS, st.integers(0, 30))
def test_merging_two_annotators_keeps_the_decisions_of_both(
    first: list[tuple[str, Step, int]], second: list[tuple[str, Step, int]], early: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ana, ben = Desk(folder, "ana"), Desk(folder, "ben")
        for _, step, seconds in second:
            ben.act("ben", step, seconds)
        for number, (_, step, seconds) in enumerate(first):
            if number == early:
                ana.session.merge(ben.path)
            ana.act("ana", step, seconds)
        ana.session.merge(ben.path)
        assert decisions(ana.session.state()) == ana.expected() | ben.expected()
        ben.session.merge(ana.path)
        assert ben.session.export_jsonl() == ana.session.export_jsonl()
        again = ana.session.merge(ben.path)
        assert (again.added, again.refused) == (0, ())
        ana.session.close()
        ben.session.close()


@settings(QUICK, max_examples=20)
@given(st.tuples(STEPS, STEPS, STEPS))
def test_merge_commutes_associates_and_repeats_even_for_one_person_at_three_desks(
    all_steps: tuple[list[tuple[str, Step, int]], ...],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, steps in enumerate(all_steps):
            desk = Desk(folder, str(number))
            for annotator, step, seconds in steps[:8]:
                desk.act(annotator, step, seconds)
            desk.session.close()
            paths.append(desk.path)
        results = []
        for name, order in enumerate([(0, 1, 2), (2, 1, 0), (1, 2, 0, 1, 1, 2)]):
            with Session.open(Path(folder) / f"merged-{name}.ifb") as merged:
                for number in order:
                    merged.merge(paths[number])
                    merged.state()
                results.append((merged.export_jsonl(), contents(merged.state())))
                assert contents(replay(logged(merged))) == contents(merged.state())
        assert results[0] == results[1] == results[2]


# ---- arbitrary logs, honest or not -------------------------------------------------------------

UIDS = [f"{number:032x}" for number in range(6)]


@st.composite
def logs(draw: st.DrawFn) -> list[Event]:
    """Events in any order; undo and redo may name anything, others' decisions and no event too."""
    events = []
    for number in range(draw(st.integers(0, 14))):
        kind, subject, body = draw(
            st.one_of(
                st.sampled_from(DECISIONS),
                st.just(("setting", setting_subject("at"), {"value": 1})),
                st.builds(
                    lambda kind, uid: (kind, {}, {"target": uid}),
                    st.sampled_from(["undo", "redo"]),
                    st.sampled_from(UIDS),
                ),
            )
        )
        at = f"2026-01-31T12:00:{draw(st.integers(0, 9)):02}.000000Z"
        annotator = draw(st.sampled_from(ANNOTATORS))
        events.append(
            parse(f"{number:032x}", at, annotator, kind, canonical(subject), canonical(body))
        )
    return events


def counted(log: list[Event]) -> set[str]:
    """Slow: the decisions whose last undo or redo, if any, is not an undo."""
    log = sorted(log, key=lambda event: event.order)
    result = set()
    for number, decision in enumerate(log):
        words = [
            event.kind
            for event in log[number:]
            if event.body.get("target") == decision.uid
            and event.annotator == decision.annotator
            and decision.kind not in ("setting", "undo", "redo")
        ]
        if decision.kind not in ("undo", "redo") and (not words or words[-1] == "redo"):
            result.add(decision.uid)
    return result


@settings(deadline=None)
@given(logs())
def test_the_last_word_about_a_decision_decides(log: list[Event]) -> None:
    state = replay(log)
    assert state.decisions.keys() - state.undone == counted(log)


@settings(deadline=None)
@given(logs(), st.randoms(use_true_random=False), st.integers(0, 14))
def test_order_repetition_and_where_the_fold_paused_do_not_matter(
    log: list[Event], random: Any, pause: int
) -> None:
    once = replay(log)
    shuffled = [*log, *log[:5]]
    random.shuffle(shuffled)
    ordered = sorted(log, key=lambda event: event.order)
    paused = replay(ordered[pause:], onto=replay(ordered[:pause]))
    for state in (replay(shuffled), paused):
        assert state == once
        assert list(state.decisions) == list(once.decisions)


def test_continuing_leaves_the_earlier_state_as_it_was() -> None:
    def at(second: int, kind: str, subject: dict[str, Any], body: dict[str, Any]) -> Event:
        return parse(
            f"{second:032x}",
            f"2026-01-31T12:00:{second:02}.000000Z",
            "ana",
            kind,
            canonical(subject),
            canonical(body),
        )

    first = at(0, "mark", CELL, mark())
    before = replay([first])
    after = replay([at(1, "undo", {}, {"target": first.uid})], onto=before)
    assert (before.undo_target("ana"), before.redo_target("ana")) == (first, None)
    assert (after.undo_target("ana"), after.redo_target("ana")) == (None, first)
    assert before.live("mark")
    assert not after.live("mark")


def test_a_setting_between_undo_and_redo_does_not_end_redo(tmp_path: Path) -> None:
    with open_repeatably(tmp_path / "s.ifb") as session:
        made = session.append("vote", TURN, vote(), "ana")
        session.undo("ana")
        session.append("setting", setting_subject("seed"), {"value": 3}, "ana")
        assert session.redo("ana") == made
        assert session.redo("ana") is None


def test_a_vote_undone_at_two_desks_is_brought_back_once(tmp_path: Path) -> None:
    with open_repeatably(tmp_path / "s.ifb") as session:
        made = session.append("vote", TURN, vote(), "ana")
    shutil.copy(tmp_path / "s.ifb", tmp_path / "other.ifb")
    with open_repeatably(tmp_path / "other.ifb", "b") as other:
        assert other.undo("ana") == made
    with open_repeatably(tmp_path / "s.ifb", "c") as session:
        assert session.undo("ana") == made
        assert session.merge(tmp_path / "other.ifb").added == 1
        assert session.redo("ana") == made
        assert list(session.state().live("vote").values()) == [made]
        assert session.redo("ana") is None
