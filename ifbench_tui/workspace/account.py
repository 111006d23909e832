"""What became of every row of a file."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from ifbench_tui.formats.records import Problem, ProblemKind

__all__ = ["Account", "SourceReport"]

LINES_SHOWN = 5


@dataclass(frozen=True, slots=True)
class SourceReport:
    """One file: what it is, why that was decided, and what became of its rows.

    `used`, `duplicate`, `unmatched` and `broken` add up to the rows read. A file that cannot be
    read, or not to its end, counts as one broken row more.
    """

    path: str
    format: str
    why: str
    models: int
    prompts: int
    responses: int
    used: int
    duplicate: int
    unmatched: int
    broken: int
    battles: int = 0
    judged: int = 0

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(slots=True)
class _Notice:
    line: int | None
    advice: str
    rows: int = 0
    lines: list[int] = field(default_factory=list)


class Account:
    """Counts rows and keeps problems: those of a kind up to a limit, notices by what they say."""

    def __init__(self, path: str, limit: int) -> None:
        self.path = path
        self.used = 0
        self.counts: Counter[str] = Counter()
        self._limit = limit
        self._single: dict[ProblemKind, list[Problem]] = {}
        self._more: Counter[ProblemKind] = Counter()
        self._notices: dict[str, _Notice] = {}

    @property
    def rows(self) -> int:
        """Rows accounted for so far."""
        return self.used + sum(self.counts.values())

    def add(self, problem: Problem) -> None:
        """Take a problem into account."""
        if problem.kind == "notice":
            self.notice(problem.line, problem.reason, problem.advice, problem.rows)
            return
        self.counts[problem.kind] += problem.rows
        kept = self._single.setdefault(problem.kind, [])
        if len(kept) < self._limit:
            kept.append(problem)
        else:
            self._more[problem.kind] += problem.rows

    def row(
        self, kind: ProblemKind, line: int | None, reason: str, advice: str = "", rows: int = 1
    ) -> None:
        """Rows that were not used."""
        self.add(Problem(self.path, line, kind, reason, advice, rows))

    def notice(self, line: int | None, reason: str, advice: str = "", rows: int = 1) -> None:
        """Something to know about a row; equal ones are told once, with their number."""
        if reason not in self._notices and len(self._notices) >= self._limit:
            self._more["notice"] += rows
            return
        notice = self._notices.setdefault(reason, _Notice(line, advice))
        notice.rows += rows
        if line is not None and len(notice.lines) < LINES_SHOWN:
            notice.lines.append(line)

    def problems(self) -> list[Problem]:
        """All problems: single ones in the order of their lines, then notices, each with the sum of
        those beyond the limit."""
        single = [problem for kept in self._single.values() for problem in kept]
        single.sort(key=lambda problem: problem.line or 0)
        sums = [self._sum(kind, f"{kind} rows") for kind in self._single if self._more[kind]]
        notices = [self._told(*item) for item in self._notices.items()]
        if self._more["notice"]:
            notices.append(self._sum("notice", "rows with notices"))
        return single + sums + notices

    def _sum(self, kind: ProblemKind, what: str) -> Problem:
        """The problems of a kind that are not listed."""
        count = self._more[kind]
        advice = f"only the first {self._limit} are listed (the limit problems)"
        return Problem(self.path, None, kind, f"{count} more {what}", advice, count)

    def _told(self, reason: str, notice: _Notice) -> Problem:
        if notice.rows > 1:
            shown = ", ".join(map(str, notice.lines))
            dots = ", …" if len(notice.lines) < notice.rows else ""
            where = f"; lines {shown}{dots}" if shown else ""
            reason = f"{reason} ({notice.rows} rows{where})"
        return Problem(self.path, notice.line, "notice", reason, notice.advice, notice.rows)

    def report(
        self, name: str, why: str, models: int, prompts: int, responses: int, battles: int = 0
    ) -> SourceReport:
        """The file's line in the list of sources."""
        count = self.counts
        return SourceReport(
            self.path,
            name,
            why,
            models,
            prompts,
            responses,
            self.used,
            count["duplicate"],
            count["unmatched"],
            count["broken"],
            battles,
        )
