"""What the Vote screen says: lines made of what a ballot holds, no widgets."""

from __future__ import annotations

from dataclasses import dataclass

from ifbench_tui.engine.quantity import quantity
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.tui.ink import Line, cells, joined, safe
from ifbench_tui.voting.arena import Arena
from ifbench_tui.voting.ballot import Ballot, Choice, Draft, Matchup, Progress
from ifbench_tui.voting.standing import Standing

__all__ = [
    "Reveal",
    "Voted",
    "draft_lines",
    "nothing_to_ask",
    "progress_lines",
    "side_title",
    "voted_lines",
]

_ROOMY = 90


@dataclass(frozen=True, slots=True)
class Voted:
    """A vote that is stored, after which the names are not told yet."""

    matchup: Matchup
    choice: Choice


@dataclass(frozen=True, slots=True)
class Reveal(Voted):
    """A vote that is stored, and what may be told of it."""

    left: Standing
    right: Standing
    pair_done: int
    pair_total: int
    blind: bool

    def progress(self) -> list[Line]:
        """How far this pair of models is, the fullest first."""
        line: Line = [(f"this pair {self.pair_done:,} of {self.pair_total:,}", "dim")]
        if self.blind:
            return [line]
        why: Line = [("not blind: no rating counts it", "error")]
        return [[*why, ("   ", ""), *line], why]


def progress_lines(progress: Progress, glyphs: Glyphs) -> list[Line]:
    """How far the sitting is, the fullest first."""
    dot = f" {glyphs.dot} "
    votes, today = quantity(progress.votes, "vote"), f"{progress.today:,} today"
    left, skipped = f"{progress.left:,} left", f"{progress.skipped:,} skipped"
    parts = [votes, today, left, *([skipped] if progress.skipped else [])]
    return [
        [(dot.join(parts), "dim"), (" ", "")],
        [(dot.join(parts[:3]), "dim"), (" ", "")],
        [(votes, "dim"), (" ", "")],
    ]


def draft_lines(draft: Draft, matchup: Matchup, glyphs: Glyphs) -> list[Line]:
    """What will be stored with the vote, as no line, one or two."""
    lines: list[Line] = []
    if draft.unblinded:
        why = "names were seen" if matchup.names_seen else "unmasked"
        lines.append([(f"{glyphs.error} {why}: the vote is marked as not blind", "error")])
    parts: list[Line] = []
    if draft.reasons:
        parts.append([("because: ", "dim"), (safe(", ".join(draft.reasons)), "accent")])
    if draft.note:
        parts.append([(f"{glyphs.note} ", "accent"), (safe(draft.note), "")])
    return [*lines, joined(parts)] if parts else lines


def side_title(side: str, hidden: int, voted: Voted | None, glyphs: Glyphs) -> str:
    """The title of one response: its letter, and its name only when that may be told."""
    parts = ["A" if side == "left" else "B"]
    if isinstance(voted, Reveal):
        model = voted.left.model if side == "left" else voted.right.model
        parts[0] += f" = {safe(model, 40)}"
    elif hidden:
        parts.append(f"{quantity(hidden, 'name')} hidden")
    if voted is not None:
        said = {"tie": "tie", "both_bad": "bad", side: f"{glyphs.holds} better"}
        parts += filter(None, [said.get(voted.choice)])
    return f" {glyphs.dot} ".join(parts)


def voted_lines(voted: Voted, glyphs: Glyphs, width: int) -> list[Line]:
    """Two lines after a vote: who was voted on, or why that is not told."""
    if isinstance(voted, Reveal):
        return _reveal_lines(voted, glyphs, width)
    return [
        [("The vote is stored.", "")],
        [("The names are told once this pair has its vote in the other order too.", "dim")],
    ]


def _reveal_lines(reveal: Reveal, glyphs: Glyphs, width: int) -> list[Line]:
    """One line a side: who it was, and what the vote did to its rating."""
    both = (reveal.left, reveal.right)
    room = max(len(_interval(one)) for one in both)
    word = "rating " if width >= _ROOMY else ""
    numbers = [[(word, "dim"), *_standing(one, glyphs, room)] for one in both]
    across = max(map(cells, numbers))
    longest = max(len(safe(one.model)) for one in both)
    room = max(8, min(longest, width - across - 16))
    lines: list[Line] = []
    sides = (("A", "left", reveal.left), ("B", "right", reveal.right))
    for (letter, side, standing), line in zip(sides, numbers, strict=True):
        sign = glyphs.holds if reveal.choice == side else " "
        name = safe(standing.model, room)
        lines.append(
            [
                (f"{letter} ", f"side-{letter.lower()} strong"),
                (f"{sign} ", "pass"),
                (name + " " * (room - cells([(name, "")])), "strong"),
                ("  ", ""),
                *line,
            ]
        )
    return lines


def _interval(one: Standing) -> str:
    if one.lower is None or one.upper is None:
        return "no interval yet"
    return f"[{one.lower:.0f}, {one.upper:.0f}]"


def _standing(one: Standing, glyphs: Glyphs, room: int) -> Line:
    change = f"{one.change:+.0f}".replace("-", glyphs.none if not glyphs.ascii_only else "-")
    rank = f"{one.rank_low}"
    if one.rank_high != one.rank_low:
        rank += f"–{one.rank_high}"
    return [
        (f"{one.rating:>4.0f}", "strong"),
        (f" {f'({change})':>6}", "accent"),
        (f" {_interval(one):<{room}}", "interval"),
        (" rank ", "dim"),
        (rank, ""),
    ]


def nothing_to_ask(arena: Arena | None, ballot: Ballot | None, loading: bool) -> str:
    """Why there is no pair, and what to do."""
    if loading:
        return "Loading. The first pair comes as soon as the responses are there."
    if arena is None or not arena.models:
        return (
            "Nothing to vote on yet.\n\n"
            "A vote compares two models' responses to the same prompt. Load the prompts and the "
            "responses of at least two models: o in Library (1)."
        )
    if len(arena.models) == 1:
        return (
            "Only one model takes part.\n\n"
            "A vote compares two models' responses to the same prompt: load the responses of "
            "another model, o in Library (1), or name two of those loaded with --models."
        )
    if not arena.spots:
        equal = f" {quantity(arena.equal, 'pair')} of responses are equal." if arena.equal else ""
        return (
            f"No two models here have different responses to the same prompt.{equal}\n\n"
            "Load more responses: o in Library (1)."
        )
    if ballot is None:
        return ""
    progress = ballot.progress
    lines = [
        "No pair is left to vote on.",
        "",
        f"{quantity(progress.votes, 'vote')}, {progress.today:,} of them today.",
    ]
    if progress.skipped:
        lines.append(f"{quantity(progress.skipped, 'pair')} skipped: S asks them again.")
    if progress.equal:
        lines.append(f"{quantity(progress.equal, 'pair')} not asked: both responses are equal.")
    lines += ["", "u takes the last vote back; ifbench-tui session export writes the votes."]
    return "\n".join(lines)
