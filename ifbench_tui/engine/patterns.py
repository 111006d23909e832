"""Patterns that come from files: plain ones are searched directly, the rest by a finder.

A keyword of a data set is a regular expression. One without quantifiers and alternatives cannot
run away; any other can take exponential time, so it goes through the `PatternFinder` that a
benchmark was given. The scoring layer supplies one that stops a search which takes too long.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Protocol

from ifbench_tui.engine.verdict import CheckError, CheckFailed

__all__ = ["DirectFinder", "PatternFinder", "Searcher", "compile_pattern", "is_plain"]

_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")
_RISKY = re.compile(r"[*+?{|]")


class PatternFinder(Protocol):
    """Finds matches of a pattern that may be hostile."""

    def find(self, pattern: str, flags: int, text: str, limit: int) -> list[tuple[int, int]]:
        """Spans of at most `limit` matches (0: all), left to right, not overlapping.

        Raises `CheckFailed` with kind "pattern_timeout" when the search takes too long, and
        "pattern_failed" when it cannot be made.
        """

    def count_split(self, pattern: str, flags: int, text: str) -> int:
        """`len(re.split(pattern, text))`, groups included; raises as `find` does."""


class DirectFinder:
    """Searches with `re` and no time limit: for trusted patterns and tests."""

    def find(self, pattern: str, flags: int, text: str, limit: int) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        for match in re.finditer(pattern, text, flags):
            found.append(match.span())
            if len(found) == limit:
                break
        return found

    def count_split(self, pattern: str, flags: int, text: str) -> int:
        return len(re.split(pattern, text, flags=flags))


def is_plain(pattern: str) -> bool:
    """True when the pattern matches nothing but its own characters."""
    return not _SPECIAL.search(pattern)


def compile_pattern(pattern: object, flags: int = 0) -> re.Pattern[str]:
    """Compile, or raise `CheckFailed` naming what is wrong with the pattern."""
    if not isinstance(pattern, str):
        message = f"a pattern must be text, not {type(pattern).__name__}: {pattern!r}"
        raise CheckFailed(CheckError("bad_pattern", message, "TypeError"))
    try:
        return re.compile(pattern, flags)
    except re.error as error:
        message = f"not a valid pattern: {pattern!r} ({error})"
        raise CheckFailed(CheckError("bad_pattern", message, "re.error")) from None
    except (RecursionError, OverflowError) as error:
        message = f"too large a pattern: {pattern[:80]!r} ({error})"
        raise CheckFailed(CheckError("bad_pattern", message, type(error).__name__)) from None


class Searcher:
    """A pattern from a file inside a fixed frame, ready to search; compiled when first used.

    Only the part from the file decides whether the search could run away.
    """

    def __init__(
        self,
        pattern: object,
        finder: PatternFinder,
        *,
        before: str = "",
        after: str = "",
        flags: int = 0,
    ) -> None:
        self._pattern = pattern
        self._frame = (before, after)
        self._flags = flags
        self._finder = finder

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        before, after = self._frame
        framed = f"{before}{self._pattern}{after}" if isinstance(self._pattern, str) else None
        return compile_pattern(self._pattern if framed is None else framed, self._flags)

    @property
    def _runs_away(self) -> bool:
        return _RISKY.search(str(self._pattern)) is not None

    def find(self, text: str, limit: int = 0) -> list[tuple[int, int]]:
        """Spans of at most `limit` matches (0: all). Raises `CheckFailed`."""
        compiled = self._compiled
        if self._runs_away:
            return self._finder.find(compiled.pattern, self._flags, text, limit)
        return DirectFinder().find(compiled.pattern, self._flags, text, limit)

    def count_split(self, text: str) -> int:
        """Number of pieces `re.split` makes, captured groups included. Raises `CheckFailed`."""
        compiled = self._compiled
        finder = self._finder if self._runs_away else DirectFinder()
        return finder.count_split(compiled.pattern, self._flags, text)
