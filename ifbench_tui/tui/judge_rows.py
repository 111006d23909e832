"""How a run is drawn: its rows, its sums, and the verdict in a reply."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ifbench_tui.engine.judged import verdicts
from ifbench_tui.engine.judged.verdicts import Verdict, answer_part
from ifbench_tui.judge.accounts import Prices
from ifbench_tui.judge.run import COMPLETE
from ifbench_tui.judge.standing import RunRow, Tally
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.tui.columns import left
from ifbench_tui.tui.ink import Line, safe

__all__ = ["ORDERS", "counts", "failed", "faults", "heads", "in_order", "row_line", "verdict_of"]

ORDERS = ("as asked", "errors first", "errors only")

_OUTCOME = 23
_NUMBERS = (("sent", 8), ("received", 9), ("requests", 10))
_TAIL = _OUTCOME + sum(width for _, width in _NUMBERS)
_NAME = 44
_NOTE_FROM = 100


def verdict_of(protocol: str, text: str, *, strip: bool) -> Verdict | None:
    """The verdict in a reply with its place in the whole text; None where the protocol has none
    in texts."""
    parse = verdicts.PROTOCOLS.get(protocol)
    if parse is None:
        return None
    part = answer_part(text) if strip else text
    found = parse(part)
    if found.span is None or len(part) == len(text):
        return found
    cut = len(text) - len(part)
    return replace(found, span=(found.span[0] + cut, found.span[1] + cut))


def failed(row: RunRow) -> bool:
    """Whether a row is done without all that was asked for."""
    return row.state == "done" and not set(row.outcomes) <= COMPLETE


def in_order(rows: Sequence[RunRow], order: str) -> list[int]:
    """The rows to be drawn."""
    if order == ORDERS[0]:
        return list(range(len(rows)))
    wrong = [index for index, row in enumerate(rows) if failed(row)]
    if order == ORDERS[2]:
        return wrong
    return [*wrong, *(index for index, row in enumerate(rows) if not failed(row))]


def heads(width: int) -> str:
    """The titles of the columns."""
    name = _name_width(width)
    numbers = "".join(f"{head:>{room}}" for head, room in _NUMBERS)
    note = "  note" if width >= _NOTE_FROM else ""
    return f" {'row':<{name}}{'outcome':<{_OUTCOME}}{numbers}{note}"


def _name_width(width: int) -> int:
    room = width - _TAIL - 2
    return max(12, min(_NAME, room) if width >= _NOTE_FROM else room)


def row_line(row: RunRow, protocol: str, width: int, glyphs: Glyphs, *, strip: bool) -> Line:
    """A row: what it is, what came of it, tokens, requests, and what it waits for."""
    sign, word, ink = _outcome(row, protocol, glyphs, strip)
    numbers = (row.prompt_tokens, row.completion_tokens, row.attempts)
    line: list[tuple[str, str]] = [
        (f" {left(row.name, _name_width(width) - 1)} ", "" if row.state != "waiting" else "dim"),
        (f"{sign} ", ink),
        (f"{left(word, _OUTCOME - 3)} ", ink),
    ]
    for (_, room), number in zip(_NUMBERS, numbers, strict=True):
        line.append((f"{number or glyphs.none:>{room},}" if number else f"{glyphs.none:>{room}}",
                     "" if number else "dim"))  # fmt: skip
    if width >= _NOTE_FROM:
        kept = "answered before" if row.cached and not row.fresh and not row.note else ""
        line.append((f"  {safe(row.note) or kept}", "dim"))
    return line


def _outcome(row: RunRow, protocol: str, glyphs: Glyphs, strip: bool) -> tuple[str, str, str]:
    """Sign, word and ink of what came of a row."""
    if row.state == "waiting":
        return glyphs.pending, "waiting", "dim"
    if row.state == "asking":
        return glyphs.pending, safe(row.note) or "asking", "accent"
    wrong = [one for one in row.outcomes if one not in COMPLETE]
    if wrong:
        more = f" ({len(wrong)} of {len(row.outcomes)})" if len(row.outcomes) > 1 else ""
        sign, ink = _sign(wrong[0], glyphs)
        return sign, f"{wrong[0]}{more}", ink
    word = "discrete" if "discrete" in row.outcomes else "ok"
    said = _said(row, protocol, strip)
    return glyphs.holds, f"{word}{': ' if said else ''}{said}", "pass"


def _sign(outcome: str, glyphs: Glyphs) -> tuple[str, str]:
    """Sign and ink of an outcome: a text without a verdict is one thing, no text another."""
    if outcome in COMPLETE:
        return glyphs.holds, "pass"
    return (glyphs.fails, "fail") if outcome == "no_verdict" else (glyphs.error, "error")


def _said(row: RunRow, protocol: str, strip: bool) -> str:
    found = [verdict_of(protocol, reply.text, strip=strip) for _, reply in row.exchanges]
    return ", ".join(str(one.stored)[:8] for one in found if one is not None and one.usable)


def counts(
    tally: Tally, prices: tuple[float, float] | None, *, going: bool
) -> tuple[Line, list[Line]]:
    """How far a run is, and at the right edge what it took: the fullest line first."""
    open_calls = f"  {tally.in_flight:,} {'under way' if going else 'cut off'}"
    cached = [(f"{tally.cached:,} answered before", "")] if tally.cached else []
    left_end: Line = [
        (f" {tally.done:,} of {tally.total:,} rows", "strong"),
        (f"  {tally.fresh:,} calls made", ""),
        *((f"  {text}", ink) for text, ink in cached),
        *([(open_calls, "accent" if going else "error")] if tally.in_flight else []),
    ]
    sent, received = tally.tokens.prompt, tally.tokens.completion
    uncounted = f" ({tally.uncounted:,} uncounted)" if tally.uncounted else ""
    cost = f"  cost {Prices(*prices).cost(tally.tokens):.4f}" if prices else ""
    tokens = f"tokens {sent:,} sent, {received:,} received"
    return left_end, [
        [(f"{tokens}{uncounted}{cost} ", "")],
        [(f"{sent:,} + {received:,} tokens{cost} ", "")],
        [(f"{cost.strip()} ", "")],
    ]


def faults(tally: Tally, glyphs: Glyphs) -> Line:
    """Verdicts by what came of them, and failed requests that were made again."""
    return [part for one in _faults(tally, glyphs) for part in one]


def _faults(tally: Tally, glyphs: Glyphs) -> Iterator[Line]:
    if not tally.outcomes and not tally.retried:
        yield [(" nothing has ended yet", "dim")]
    for outcome, count in sorted(tally.outcomes.items(), key=lambda one: one[0] != "ok"):
        sign, ink = _sign(outcome, glyphs)
        yield [(f" {sign} ", ink), (f"{outcome} {count:,} ", "" if outcome == "ok" else ink)]
    if tally.retried:
        words = ", ".join(f"{name} {count:,}" for name, count in tally.retried.items())
        yield [("  asked again after ", "dim"), (words, "rescued")]
