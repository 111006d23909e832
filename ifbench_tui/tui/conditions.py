"""Choices a person makes about a board: where each stands, and the values it may take, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["Condition", "chosen", "turned"]

Wish = TypeVar("Wish", bound="DataclassInstance")
"""Whatever holds one state of all choices."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A choice: where it stands in the wish, its name, and the values it may take, in words."""

    name: str
    words: str
    values: Sequence[tuple[Any, str]]

    def value(self, wish: object) -> Any:
        """What is chosen."""
        owner: Any = wish
        for part in self.name.split("."):
            owner = getattr(owner, part)
        return owner

    def words_of(self, wish: object) -> str:
        """What is chosen, in words."""
        value = self.value(wish)
        return str(dict(self.values).get(value, value))


def turned(wish: Wish, condition: Condition, step: int) -> Wish:
    """The wish with the next value of one choice."""
    values = [value for value, _ in condition.values]
    now = condition.value(wish)
    place = values.index(now) if now in values else 0
    return chosen(wish, condition, values[(place + step) % len(values)])


def chosen(wish: Wish, condition: Condition, value: Any) -> Wish:
    """The wish with another value of one choice."""
    name = condition.name
    outer, dot, inner = name.partition(".")
    if dot:
        value = replace(getattr(wish, outer), **{inner: value})
    return replace(wish, **{outer: value})
