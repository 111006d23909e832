"""Reads files into a workspace: prompts first, then what is joined to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from ifbench_tui.engine.registry import create_benchmark
from ifbench_tui.formats.base import PROMPTS_FIRST, Format, recognise
from ifbench_tui.formats.battle_block import BattleBlock
from ifbench_tui.formats.limits import LoadOptions
from ifbench_tui.formats.opening import open_table
from ifbench_tui.formats.records import (
    AliasRow,
    JudgedRow,
    Problem,
    PromptRow,
    Record,
    ResponseRow,
)
from ifbench_tui.formats.source import Progress, Source, SourceError
from ifbench_tui.formats.tables import Table
from ifbench_tui.formats.walk import files_of
from ifbench_tui.workspace.account import Account, SourceReport
from ifbench_tui.workspace.contents import JudgedFile, LoadError, Response, Suite, Workspace
from ifbench_tui.workspace.join import Place, Prompts, Unmatched
from ifbench_tui.workspace.models import Batch, Models
from ifbench_tui.workspace.think import ThinkState, split_think
from ifbench_tui.workspace.verdict_battles import NOTICE, annotation_battles

__all__ = ["Loader"]

THINK_NOTICES = {
    "kept": "reasoning traces are part of the graded text (think: keep)",
    "stripped": "reasoning traces were left out of the graded text (think: strip)",
    "unclosed": "the reasoning trace has no end, so nothing is graded (think: strip)",
}
NO_PROMPTS = "there is no prompt to join to"
NO_PROMPTS_ADVICE = (
    "load the prompts file (such as input_data.jsonl) too: constraints and their parameters "
    "stand only there"
)
UNMATCHED_ADVICE = "load the prompts file it belongs to, or a file of aliases"


@dataclass(slots=True)
class _File:
    """One file on its way into the workspace."""

    source: Source
    account: Account
    table: Table | None = None
    format: Format | None = None
    why: str = ""
    prompts: int = 0
    battles: BattleBlock | None = None
    judged: list[JudgedRow] = field(default_factory=list)
    batches: dict[str, Batch] = field(default_factory=dict)
    aside: Counter[str] = field(default_factory=Counter)
    chosen: str | None = None

    @property
    def phase(self) -> int:
        return PROMPTS_FIRST[self.format.gives] if self.format else 0


class Loader:
    """One load. Not to be used twice."""

    def __init__(
        self, options: LoadOptions, progress: Progress | None, cancelled: Callable[[], bool]
    ) -> None:
        self._options = options
        self._progress = progress
        self._cancelled = cancelled
        self._prompts = Prompts()
        self._origin: dict[Place, tuple[_File, int]] = {}

    def load(self, paths: Sequence[str]) -> Workspace:
        """Raises `LoadError`, `LoadCancelled`."""
        files = [self._open(path, named) for path, named in files_of(paths)]
        for file in sorted(files, key=lambda file: file.phase):
            self._read(file)
        models = Models()
        for file in files:
            self._close(file)
            models.merge(file.account, file.batches)
        told = [file for file in files if file.source.named or file.account.rows]
        held = [_battles(file, self._options) for file in files]
        battles = tuple(block for block in held if block is not None)
        sources = tuple(_report(file) for file in told)
        problems = [problem for file in files for problem in file.account.problems()]
        problems += self._unused_mapping(files)
        judged = tuple(
            JudgedFile(file.source.path, tuple(file.judged)) for file in files if file.judged
        )
        if not (self._prompts.suites or battles or judged):
            raise LoadError(_nothing(paths, files, problems), tuple(problems), sources)
        suites = {
            benchmark: Suite(benchmark, tuple(prompts.values()), models.of(benchmark))
            for benchmark, prompts in self._prompts.suites.items()
        }
        return Workspace(suites, sources, tuple(problems), battles, judged)

    def _open(self, path: str, named: bool) -> _File:
        limits = self._options.limits
        account = Account(path, limits.problems)
        source = Source(path, limits, named, self._progress, self._cancelled)
        file = _File(source, account)
        try:
            table = open_table(source, self._options)
            file.format, file.why = recognise(table)
        except SourceError as error:
            account.row("broken", None, str(error), error.advice)
            return file
        if not source.rereadable:
            file.table = table
        return file

    def _read(self, file: _File) -> None:
        if file.format is None:
            return
        try:
            table = file.table or open_table(file.source, self._options)
            for record in file.format.read(table):
                self._take(file, record)
        except SourceError as error:
            reason = f"{error}; rows before that are loaded"
            file.account.row(
                "broken", None, reason if file.account.rows else str(error), error.advice
            )

    def _take(self, file: _File, record: Record) -> None:
        if isinstance(record, ResponseRow):
            self._take_response(file, record)
        elif isinstance(record, PromptRow):
            self._take_prompt(file, record)
        elif isinstance(record, JudgedRow):
            file.judged.append(record)
            file.account.used += 1
        elif isinstance(record, BattleBlock):
            file.battles = record
            file.account.used += len(record)
        elif isinstance(record, AliasRow):
            if self._prompts.alias(record):
                file.account.used += 1
            else:
                reason = f"no prompt has the key {record.key}"
                file.account.row("unmatched", record.line, reason)
        else:
            file.account.add(record)

    def _take_prompt(self, file: _File, row: PromptRow) -> None:
        known = self._prompts.known(row)
        if known and (origin := self._origin.get(known)):
            earlier, line = origin
            where = f"line {row.line}" if earlier is file else f"{file.source.path}:{row.line}"
            earlier.account.used -= 1
            earlier.prompts -= 1
            reason = f"the prompt {known[1]} stands again in {where}: the last one counts"
            earlier.account.row("duplicate", line, reason)
        place = self._prompts.add(row)
        self._origin[place] = file, row.line
        file.account.used += 1
        file.prompts += 1

    def _take_carried(self, file: _File, row: PromptRow) -> None:
        known = self._prompts.known(row)
        if known is None:
            self._prompts.add(row)
            file.prompts += 1
        elif self._prompts.at(known).constraints != row.prompt.constraints:
            reason = "the row states other constraints than were loaded before, which count"
            file.account.notice(row.line, reason)

    def _take_response(self, file: _File, row: ResponseRow) -> None:
        if row.carried:
            self._take_carried(file, row.carried)
        if row.variant:
            if file.chosen is None:
                file.chosen = self._options.filter or row.variant
            if row.variant != file.chosen:
                file.aside[row.variant] += 1
                return
        elif file.chosen is None:
            file.chosen = ""
        if not self._prompts.suites:
            file.aside[""] += 1
            return
        try:
            match = self._prompts.match(row)
        except Unmatched as unmatched:
            file.account.row("unmatched", row.line, str(unmatched), UNMATCHED_ADVICE)
            return
        if match.notice:
            file.account.notice(row.line, match.notice)
        self._place(file, row, match.place)

    def _place(self, file: _File, row: ResponseRow, place: Place) -> None:
        account = file.account
        batch = file.batches.setdefault(row.model, {}).setdefault(place[0], {})
        if earlier := batch.get(place[1]):
            reason = f"line {row.line} responds to the same prompt: the last one counts"
            account.row("duplicate", earlier.line, reason)
        else:
            account.used += 1
        text, think = self._graded(row.response or "", place[0])
        if think:
            account.notice(row.line, THINK_NOTICES[think])
        if row.response is None:
            account.notice(row.line, "the response is null: graded as an empty text")
        recorded = row.recorded
        if recorded and not self._fits(row, place):
            recorded = None
            reason = "the recorded verdicts are not as many as the constraints: ignored"
            account.notice(row.line, reason)
        batch[place[1]] = Response(text, row.response, file.source.path, row.line, recorded, think)

    def _graded(self, raw: str, benchmark: str) -> tuple[str, ThinkState]:
        if _cuts_traces(benchmark):
            return raw, ""
        return split_think(raw, self._options.think)

    def _fits(self, row: ResponseRow, place: Place) -> bool:
        count = len(self._prompts.at(place).constraints)
        lists = (row.recorded.strict, row.recorded.loose) if row.recorded else ()
        return all(one is None or len(one) == count for one in lists)

    def _close(self, file: _File) -> None:
        """Account for rows that were set aside as a whole."""
        without_prompt = file.aside.pop("", 0)
        if without_prompt:
            file.account.row("unmatched", None, NO_PROMPTS, NO_PROMPTS_ADVICE, without_prompt)
        used = bool(file.batches) or without_prompt
        for name, count in file.aside.items():
            if used:
                reason = f"filter {name!r} gives the same responses again; used is {file.chosen!r}"
                file.account.row("duplicate", None, reason, f"choose with --filter {name}", count)
            else:
                reason = f"these rows have the filter {name!r}; none has {file.chosen!r}"
                file.account.row("unmatched", None, reason, f"choose with --filter {name}", count)

    def _unused_mapping(self, files: Sequence[_File]) -> list[Problem]:
        mapping = self._options.mapping
        read = [file.format for file in files if file.format]
        if not mapping or any(one.id == "mapped-table" or one.gives == "battles" for one in read):
            return []
        pairs = ", ".join(f"{target}={column}" for target, column in mapping.items())
        reason = f"the mapping {pairs} fits the columns of no file: not used"
        return [Problem("", None, "notice", reason, "check the columns' names")]


@cache
def _cuts_traces(benchmark_id: str) -> bool:
    return create_benchmark(benchmark_id).cuts_traces


def _battles(file: _File, options: LoadOptions) -> BattleBlock | None:
    """A file's battles; where boards are wanted, annotations are none."""
    if file.battles is not None or options.judged:
        return file.battles
    block = annotation_battles(file.source.path, file.judged)
    if block is not None:
        file.account.notice(None, NOTICE)
    return block


def _report(file: _File) -> SourceReport:
    responses = sum(len(one) for batch in file.batches.values() for one in batch.values())
    name = file.format.id if file.format else "unreadable"
    models = file.battles.models if file.battles else file.batches
    battles = len(file.battles) if file.battles else 0
    report = file.account.report(name, file.why, len(models), file.prompts, responses, battles)
    return replace(report, judged=len(file.judged))


def _nothing(paths: Sequence[str], files: Sequence[_File], problems: Sequence[Problem]) -> str:
    if not files:
        return f"there is no file to load in {', '.join(paths) or 'no path at all'}"
    worst = sorted(
        problems,
        key=lambda one: (
            ("broken", "unmatched").index(one.kind) if one.kind in ("broken", "unmatched") else 2
        ),
    )
    first = worst[0] if worst else Problem("", None, "notice", "no prompts were found")
    advice = f" ({first.advice})" if first.advice else ""
    return f"nothing could be loaded. {first.path}: {first.reason}{advice}"
