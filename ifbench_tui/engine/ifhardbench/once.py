"""An attribute found when first asked for.

`functools.cached_property` does the same, but takes a lock each first time on Python 3.11, which
is most of the cost of a short answer. Finding a value twice in two threads harms nothing here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

__all__ = ["once"]

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801 - a decorator
    """Turns a method into an attribute that is kept in the instance."""

    def __init__(self, find: Callable[[Any], T]) -> None:
        self._find = find
        self._name = find.__name__
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> Self | T:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._find(instance)
        return value
