"""Reading the parameters of an IFEval constraint: what is missing, wrong or unknown gets a name.

Where the reference draws a missing parameter at random there is no verdict to reproduce, so the
constraint is an error and never a guess. `raises` records what the reference does instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from ifbench_tui.engine.patterns import PatternFinder
from ifbench_tui.engine.verdict import CheckError, CheckFailed, ErrorKind

__all__ = ["Params", "fail"]


def fail(kind: ErrorKind, message: str, raises: str = "") -> NoReturn:
    """Raise the named error."""
    raise CheckFailed(CheckError(kind, message, raises))


class Params:
    """The parameters of one constraint. Null values count as absent (hub copies pad with null)."""

    def __init__(
        self, given: Mapping[str, Any], known: tuple[str, ...], finder: PatternFinder
    ) -> None:
        self.finder = finder
        self._given = {name: value for name, value in given.items() if value is not None}
        unknown = sorted(name for name in self._given if name not in known)
        if unknown:
            fail("unknown_parameter", f"does not take {', '.join(unknown)}", "TypeError")

    def value(self, name: str, raises: str = "random") -> Any:
        """The value as given; absent is an error."""
        if name not in self._given:
            fail("missing_parameter", f"missing {name}: not verifiable", raises)
        return self._given[name]

    def integer(self, name: str) -> int:
        """An integer; a float with integral value is that integer."""
        value = self.value(name)
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if not isinstance(value, int):
            fail("invalid_parameter", f"{name} must be a whole number, not {value!r}", "TypeError")
        return int(value)

    def count(self, name: str) -> int:
        """An integer of at least 0."""
        number = self.integer(name)
        if number < 0:
            fail("invalid_parameter", f"{name} must not be negative: {number}", "random")
        return number

    def filled(self, name: str, missing: str = "random") -> Any:
        """The value as given; absent, empty or zero is an error."""
        value = self.value(name, missing)
        if not value:
            fail("missing_parameter", f"{name} is empty: not verifiable", missing)
        return value

    def text(self, name: str, otherwise: str = "AttributeError") -> str:
        """A string; `otherwise` is what the reference raises where it is none."""
        return self._text(name, self.value(name), otherwise)

    def filled_text(
        self, name: str, missing: str = "random", otherwise: str = "AttributeError"
    ) -> str:
        """A string that is not empty."""
        return self._text(name, self.filled(name, missing), otherwise)

    def _text(self, name: str, value: Any, otherwise: str) -> str:
        if not isinstance(value, str):
            fail("invalid_parameter", f"{name} must be text, not {value!r}", otherwise)
        return value

    def sorted_words(self, name: str, *, once: bool = False) -> list[Any]:
        """A list that is not empty, sorted by code point; a plain string is its characters.

        Items that are not text stay, since the reference notices them only when it gets there.
        """
        value = self.filled(name)
        try:
            return sorted(set(value) if once else value)
        except TypeError:
            fail("invalid_parameter", f"{name} must be a list of words", "TypeError")
