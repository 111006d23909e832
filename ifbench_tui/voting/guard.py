"""Keeps pasted text and held keys from voting."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["Guard"]


class Guard:
    """Lets a key act once what it acts on has been in view for `dwell` seconds, and only after
    `quiet` seconds without any key.

    What is pasted, and what a held key repeats, comes closer together than `quiet`; what waits in
    a queue while the screen is busy comes before `dwell` is over. So of any burst at most the first
    key acts.
    """

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.monotonic,
        dwell: float = 0.4,
        quiet: float = 0.15,
    ) -> None:
        self._clock = clock
        self._dwell = dwell
        self._quiet = quiet
        self._shown = self._last = clock()

    def shown(self) -> None:
        """Something else is in view now."""
        self._shown = self._clock()

    def disturbed(self) -> None:
        """Something came that is no key of its own, such as pasted text."""
        self._last = self._clock()

    def key(self, *, looked: bool = True) -> bool:
        """Count a key that came now; whether it may act.

        With `looked` off, for what can be taken back, `dwell` is not asked for.
        """
        now = self._clock()
        before, self._last = self._last, now
        seen = not looked or now - self._shown >= self._dwell
        return seen and now - before >= self._quiet
