"""Bursts of keys act once at most."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ifbench_tui.voting.guard import Guard

from .helpers import HandClock


def at_rest() -> tuple[Guard, HandClock]:
    clock = HandClock()
    guard = Guard(clock=clock, dwell=0.4, quiet=0.15)
    guard.shown()
    clock.pass_by(1)
    return guard, clock


def test_a_key_after_a_look_acts() -> None:
    guard, _ = at_rest()
    assert guard.key()


def test_a_key_right_after_the_pair_came_does_not_act() -> None:
    guard, clock = at_rest()
    guard.shown()
    clock.pass_by(0.39)
    assert not guard.key()
    clock.pass_by(0.16)
    assert guard.key()


def test_what_can_be_taken_back_needs_no_long_look_but_is_no_burst_either() -> None:
    guard, clock = at_rest()
    guard.shown()
    clock.pass_by(0.2)
    assert guard.key(looked=False)
    clock.pass_by(0.1)
    assert not guard.key(looked=False)


@given(st.lists(st.floats(0, 0.14), min_size=1, max_size=60))
def test_of_a_burst_only_the_first_key_acts(gaps: list[float]) -> None:
    guard, clock = at_rest()
    acted = [guard.key()]
    for gap in gaps:
        clock.pass_by(gap)
        acted.append(guard.key())
    assert acted == [True] + [False] * len(gaps)


def test_a_held_key_votes_once_and_at_most_turns_the_page() -> None:
    """Held, a key comes again after half a second, then thirty times a second."""
    guard, clock = at_rest()
    acted = 0
    for wait in (0, 0.5, *[0.033] * 300):
        clock.pass_by(wait)
        if guard.key():
            acted += 1
            guard.shown()
    assert acted == 2, "the vote, and going on from its reveal"


def test_a_queue_behind_a_slow_disk_acts_once() -> None:
    """Handling the first key took a second; the others were waiting all along."""
    guard, clock = at_rest()
    acted = []
    for _ in range(9):
        acted.append(guard.key())
        if acted[-1]:
            clock.pass_by(1)
            guard.shown()
    assert acted == [True] + [False] * 8


def test_a_key_right_after_pasted_text_does_not_act() -> None:
    guard, _ = at_rest()
    guard.disturbed()
    assert not guard.key()
