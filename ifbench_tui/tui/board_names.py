"""Which judged benchmarks a workspace has rows of, told without the code that scores them."""

from __future__ import annotations

from ifbench_tui.workspace import Workspace

__all__ = ["board_words", "boards_only", "judged_benchmarks", "needs_reading"]

_TITLES = {
    "alpaca-annotations": "AlpacaEval 2",
    "alpaca-compact": "AlpacaEval 2",
    "alpaca-outputs": "AlpacaEval 2",
    "mt-bench-single": "MT-Bench",
    "mt-bench-pairs": "MT-Bench",
    "mt-bench-pair-boards": "MT-Bench",
    "mt-bench-votes": "MT-Bench",
    "mt-bench-vote-boards": "MT-Bench",
    "arena-hard-judgments": "Arena-Hard-Auto",
    "arena-hard-boards": "Arena-Hard-Auto",
    "judge-family-scores": "Judge bias",
    "judge-known-pairs": "Judge bias",
}
"""Titles of boards by the id of a format that gives rows for them."""

_AS_BATTLES = frozenset({"mt-bench-pairs", "mt-bench-votes", "arena-hard-judgments"})
"""Formats that are read as battles unless boards are wanted."""


def judged_benchmarks(workspace: Workspace | None) -> list[str]:
    """Titles of the boards there are, in load order."""
    sources = () if workspace is None else workspace.sources
    found = (_TITLES.get(source.format) for source in sources if source.used)
    return list(dict.fromkeys(title for title in found if title is not None))


def boards_only(workspace: Workspace | None) -> bool:
    """Whether there is something for boards and no prompt to score responses to."""
    return workspace is not None and not workspace.suites and bool(judged_benchmarks(workspace))


def needs_reading(workspace: Workspace) -> bool:
    """Whether judgments were read as battles, so that boards need the files once more."""
    return any(source.format in _AS_BATTLES for source in workspace.sources)


def board_words(workspace: Workspace | None) -> str:
    """What boards there are, in words that go on: "the board of MT-Bench"; "" where none is."""
    names = judged_benchmarks(workspace)
    if not names:
        return ""
    last = names[-1]
    said = f"{', '.join(names[:-1])} and {last}" if len(names) > 1 else last
    boards = "the boards" if len(names) > 1 else "the board"
    return f"{boards} of {said}"
