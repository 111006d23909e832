"""Reading the parameters of a requirement, each when the check gets there and not before.

What is missing or wrong gets a name, and `raises` records what the reference raises there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from ifbench_tui.engine.ifhardbench.text import fold
from ifbench_tui.engine.verdict import CheckError, CheckFailed, ErrorKind

__all__ = ["Params", "fail", "integer", "shown", "sift"]

_SHOWN = 12
_LENGTH = 300


def fail(kind: ErrorKind, message: str, raises: str) -> NoReturn:
    """Raise the named error."""
    raise CheckFailed(CheckError(kind, message, raises))


def integer(name: str, value: Any) -> int:
    """`int(value)`: also of numbers in text, of floats (cut) and of true and false."""
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError) as error:
        message = f"{name} must be a whole number, not {_short(value)}"
        fail("invalid_parameter", message, type(error).__name__)


class Params:
    """The parameters of one requirement as they stand in the data."""

    __slots__ = ("given",)

    def __init__(self, given: Any) -> None:
        self.given = given

    def __contains__(self, name: str) -> bool:
        return isinstance(self.given, dict) and name in self.given

    def value(self, name: str) -> Any:
        """The value; absent is an error."""
        given = self.given
        if not isinstance(given, dict):
            message = f"{name} cannot be read: parameters must be an object, not {_short(given)}"
            fail("invalid_parameter", message, "TypeError")
        if name not in given:
            fail("missing_parameter", f"missing {name}", "KeyError")
        return given[name]

    def get(self, name: str, default: Any = None) -> Any:
        """The value, or the default where it is absent."""
        given = self.given
        if not isinstance(given, dict):
            message = f"{name} cannot be read: parameters must be an object, not {_short(given)}"
            fail("invalid_parameter", message, "AttributeError")
        return given.get(name, default)

    def inner(self, name: str) -> Params:
        """A parameter that is an object of parameters itself."""
        return Params(self.value(name))

    def integer(self, name: str) -> int:
        """A whole number, as `integer` reads it."""
        return integer(name, self.value(name))

    def text(self, name: str) -> str:
        """A text."""
        value = self.value(name)
        if not isinstance(value, str):
            message = f"{name} must be text, not {_short(value)}"
            fail("invalid_parameter", message, "AttributeError")
        return value

    def folded(self, name: str) -> str:
        """A text, folded."""
        return fold(self.text(name))

    def many(self, name: str) -> list[Any]:
        """The values of a list; a text is its characters."""
        value = self.value(name)
        if not isinstance(value, list | str | dict | tuple):
            message = f"{name} must be a list, not {_short(value)}"
            fail("invalid_parameter", message, "TypeError")
        return list(value)

    def shown(self, name: str) -> str:
        """A value for a sentence about it."""
        value = self.value(name)
        return ", ".join(map(shown, value[:_SHOWN])) if isinstance(value, list) else shown(value)


def _short(value: Any) -> str:
    return "null" if value is None else repr(value)[:60]


def shown(value: Any) -> str:
    """One value as a person reads it: texts in quotation marks."""
    if not isinstance(value, str):
        return _short(value)
    return f"«{value}»" if len(value) <= _LENGTH else f"«{value[:_LENGTH]}…»"


def sift(
    values: Iterable[Any], test: Callable[[str], bool], decided: bool
) -> tuple[list[str], list[str]]:
    """The texts whose folded form passes a test, and those whose form does not.

    The reference stops at the first outcome `decided`, so what comes after it cannot raise.
    """
    sorted_out: dict[bool, list[str]] = {True: [], False: []}
    for value in values:
        if isinstance(value, str):
            sorted_out[test(fold(value))].append(value)
        elif not sorted_out[decided]:
            fail("invalid_parameter", f"a word must be text, not {_short(value)}", "AttributeError")
    return sorted_out[True], sorted_out[False]
