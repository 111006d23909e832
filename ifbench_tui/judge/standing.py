"""How far a run is: its rows one by one, and the sums over them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ifbench_tui.judge.accounts import Prices, Tokens
from ifbench_tui.judge.call import PAID, Call, Reply

__all__ = ["Exchange", "Run", "RunRow", "Tally"]

Exchange = tuple[Call, Reply]
"""What was asked, and what came of it."""


@dataclass(slots=True)
class RunRow:
    """A row of the output while it comes to be.

    `outcomes` are those of its verdicts once it is done. Tokens are those of fresh replies.
    `attempts` counts requests, also those that failed; `note` says what it waits for.
    """

    name: str
    state: Literal["waiting", "asking", "done"] = "waiting"
    outcomes: tuple[str, ...] = ()
    exchanges: list[Exchange] = field(default_factory=list)
    fresh: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    attempts: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """The sums of a run at one moment.

    `outcomes` counts verdicts by what came of them, `retried` failed requests that were made again.
    `in_flight` calls were under way. Tokens are those of fresh replies, `uncounted` of which came
    without a count.
    """

    done: int
    total: int
    fresh: int
    cached: int
    in_flight: int
    tokens: Tokens
    uncounted: int
    outcomes: Mapping[str, int]
    retried: Mapping[str, int]

    def words(self, prices: Prices | None = None) -> list[str]:
        """What was done and paid for, a line each, for people."""
        uncounted = f" ({self.uncounted:,} replies without a count)" if self.uncounted else ""
        lines = [
            f"{self.fresh:,} calls made, {self.cached:,} answered before; "
            f"{self.tokens.prompt:,} tokens sent, {self.tokens.completion:,} received{uncounted}"
        ]
        if self.in_flight:
            lines.append(f"{self.in_flight:,} calls were under way, which may have been paid for")
        if prices is not None:
            lines.append(f"cost: {prices.cost(self.tokens):.4f}")
        return lines


class Run:
    """What a run has done so far; `run_tasks` keeps it while it runs, and it stays when that is
    stopped.

    Rows may be looked at from another thread at any time; sums are to be taken by `tally` in the
    thread that runs.
    """

    def __init__(self) -> None:
        self.rows: list[RunRow] = []
        self.done = 0
        self.fresh = 0
        self.cached = 0
        self.prompt_tokens = 0
        self.completion_tokens = 0
        self.uncounted = 0
        self.outcomes: Counter[str] = Counter()
        self.retried: Counter[str] = Counter()
        self.latest = 0
        """The row that was begun last."""
        self._asking: dict[Call, RunRow] = {}

    def begin(self, names: Sequence[str]) -> None:
        """There are these rows to come."""
        self.rows = [RunRow(name) for name in names]

    def start(self, index: int) -> RunRow:
        """A row is being asked for."""
        row = self.rows[index]
        row.state, self.latest = "asking", index
        return row

    def finish(self, index: int, outcomes: tuple[str, ...]) -> None:
        """A row is done."""
        row = self.rows[index]
        row.state, row.outcomes = "done", outcomes
        self.done += 1
        self.outcomes.update(outcomes)

    def ask(self, call: Call, row: RunRow) -> None:
        """A call goes out."""
        self._asking[call] = row
        row.attempts += 1

    def retry(self, call: Call, reply: Reply, wait: float) -> None:
        """A request has failed and will be made again after `wait` seconds."""
        self.retried[reply.outcome] += 1
        row = self._asking.get(call)
        if row is not None:
            row.attempts += 1
            row.note = f"{reply.outcome}: wait {wait:.0f} s"

    def forget(self, call: Call) -> None:
        """A call is over, whatever came of it."""
        self._asking.pop(call, None)

    def take(self, call: Call, reply: Reply, row: RunRow, *, fresh: bool) -> None:
        """A reply came, from the endpoint or from what was kept."""
        row.exchanges.append((call, reply))
        row.note = "" if reply.ok else reply.detail
        if not fresh:
            self.cached += 1
            row.cached += 1
            return
        self.fresh += 1
        row.fresh += 1
        for one in (self, row):
            one.prompt_tokens += reply.prompt_tokens or 0
            one.completion_tokens += reply.completion_tokens or 0
        self.uncounted += reply.prompt_tokens is None and reply.outcome in PAID

    def break_off(self) -> None:
        """Rows that are not done wait for another run."""
        for row in self.rows:
            if row.state == "asking":
                row.state, row.note = "waiting", ""

    def tally(self) -> Tally:
        """The sums now."""
        return Tally(
            self.done,
            len(self.rows),
            self.fresh,
            self.cached,
            len(self._asking),
            Tokens(self.prompt_tokens, self.completion_tokens),
            self.uncounted,
            dict(self.outcomes),
            dict(self.retried),
        )
