"""The requirement types by id. A module of this folder adds one by decorating its class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ifbench_tui.engine.ifhardbench.checks import Check
from ifbench_tui.engine.ifhardbench.params import Params, fail

__all__ = ["TYPES", "build", "constraint_type"]

C = TypeVar("C", bound=type[Check])

TYPES: dict[str, type[Check]] = {}


def constraint_type(type_id: str) -> Callable[[C], C]:
    """Register a requirement class under its id."""

    def register(cls: C) -> C:
        TYPES[type_id] = cls
        return cls

    return register


def build(type_id: Any, params: Any) -> Check:
    """The requirement. Raises `CheckFailed` for an unknown type."""
    cls = TYPES.get(type_id) if isinstance(type_id, str) else None
    if cls is None:
        message = f"no IFHardBench requirement is called {type_id!r}"
        fail("unknown_constraint", message[:200], "KeyError")
    return cls(Params(params))
