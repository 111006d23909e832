"""Reads what the command line names, picks models, scores with progress."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._options import load_options
from ifbench_tui.cli._output import say, stderr_is_terminal
from ifbench_tui.report.results import Results, results_of
from ifbench_tui.scoring import score
from ifbench_tui.workspace import (
    LoadOptions,
    Problem,
    Suite,
    Workspace,
    load,
    with_companions,
)

__all__ = [
    "chosen_models",
    "chosen_suites",
    "load_workspace",
    "only_suite",
    "progress_bar",
    "score_suites",
]


def load_workspace(
    args: argparse.Namespace, options: LoadOptions | None = None, *, talk: bool = True
) -> Workspace:
    """Load the paths and say on standard error what was left out, with --quiet only which of the
    files named gave nothing. Raises `IfbenchError`.

    Judged files get the tables that lie beside them.
    """
    options = options or load_options(args)
    with progress_bar("reading", args) as update:
        workspace = load(
            args.paths,
            options,
            progress=lambda path, done, total: update(done, total),
        )
    if options.judged:
        workspace = with_companions(workspace, options)
    vain = _in_vain(workspace, args.paths)
    if talk or args.quiet:
        for problem in vain:
            say(f"nothing is used of {_line(problem)}")
    if talk and not args.quiet:
        for line in _talk(workspace, vain):
            say(line)
    return workspace


def _in_vain(workspace: Workspace, paths: Sequence[str]) -> list[Problem]:
    """The first problem of each file that was named and of which no row is used."""
    unused = {source.path for source in workspace.sources if not source.used} & set(paths)
    firsts: dict[str, Problem] = {}
    for problem in workspace.problems:
        if problem.path in unused and problem.kind != "notice":
            firsts.setdefault(problem.path, problem)
    return list(firsts.values())


def _line(problem: Problem) -> str:
    return ": ".join(filter(None, (problem.where, problem.reason, problem.advice)))


def _talk(workspace: Workspace, told: Sequence[Problem]) -> Iterator[str]:
    fates = ("duplicate", "unmatched", "broken")
    counts = {fate: sum(getattr(source, fate) for source in workspace.sources) for fate in fates}
    dropped = ", ".join(f"{count:,} {fate}" for fate, count in counts.items() if count)
    if dropped:
        yield f"rows not used: {dropped} (--json lists each under problems)"
    for problem in workspace.problems:
        if (problem.kind == "notice" or problem.line is None) and problem not in told:
            yield _line(problem)


def chosen_suites(workspace: Workspace, args: argparse.Namespace) -> list[Suite]:
    """The suites asked for that have responses. Raises `UsageError` where there is none."""
    answered = [suite for suite in _suites(workspace, args) if suite.models]
    if not answered:
        raise UsageError("no responses were loaded; name the file of a model's responses too")
    return answered


def only_suite(workspace: Workspace, args: argparse.Namespace) -> Suite:
    """The suite asked for, the only one if none is. Raises `UsageError`."""
    suites = _suites(workspace, args)
    if len(suites) > 1:
        names = ", ".join(suite.benchmark_id for suite in suites)
        raise UsageError(f"several benchmarks were loaded: choose one of {names} with --benchmark")
    return suites[0]


def _suites(workspace: Workspace, args: argparse.Namespace) -> list[Suite]:
    """The suites asked for, at least one. Raises `UsageError`."""
    suites = list(workspace.suites.values())
    if args.benchmark is not None:
        suites = [suite for suite in suites if suite.benchmark_id == args.benchmark]
        if not suites:
            known = ", ".join(workspace.suites) or "none"
            raise UsageError(f"no benchmark {args.benchmark!r} was loaded (loaded: {known})")
    if not suites and workspace.battles:
        raise UsageError("these files hold battles: rate them with ifbench-tui rate")
    if not suites:
        raise UsageError("no prompts were loaded; name the benchmark's prompt file too")
    return suites


def chosen_models(suites: Sequence[Suite], wanted: Sequence[str] | None) -> list[list[str]]:
    """Per suite the models asked for, all where none is named. Raises `UsageError`."""
    known = list(dict.fromkeys(model for suite in suites for model in suite.models))
    for name in wanted or ():
        if name not in known:
            near = difflib.get_close_matches(name, known, 3, 0.4) or known[:20]
            raise UsageError(f"no model is called {name!r}; loaded: {', '.join(near)}")
    return [[model for model in suite.models if not wanted or model in wanted] for suite in suites]


def score_suites(
    suites: Sequence[Suite], models: Sequence[Sequence[str]], args: argparse.Namespace
) -> list[Results]:
    """Judge the models of each suite, with a progress bar where someone watches."""
    found = []
    for suite, names in zip(suites, models, strict=True):
        if names:
            with progress_bar(f"scoring {suite.benchmark_id}", args) as update:
                judged = score(suite, names, jobs=args.jobs, progress=update)
            found.append(results_of(suite, judged))
    return found


@contextmanager
def progress_bar(title: str, args: argparse.Namespace) -> Iterator[Callable[[int, int], None]]:
    """Yields an update function; draws only on a terminal, and clears up after itself."""
    if args.quiet or not stderr_is_terminal():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True, no_color=args.no_color or None)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    # Refreshed by hand: a thread that refreshes would keep scoring from forking.
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total, refresh=True)
