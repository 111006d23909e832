"""The constraint types by id. A module of this folder adds one by decorating its class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ifbench_tui.engine.benchmark import Constraint
from ifbench_tui.engine.ifeval.params import Params
from ifbench_tui.engine.patterns import PatternFinder

__all__ = ["TYPES", "ConstraintType", "constraint_type"]

Reader = Callable[[Params], Constraint]
R = TypeVar("R", bound=Reader)


@dataclass(frozen=True, slots=True)
class ConstraintType:
    """How a constraint of this type is made from its parameters."""

    id: str
    parameters: tuple[str, ...]
    read: Reader

    def build(self, given: Mapping[str, Any], finder: PatternFinder) -> Constraint:
        """Read the parameters. Raises `CheckFailed`."""
        return self.read(Params(given, self.parameters, finder))


TYPES: dict[str, ConstraintType] = {}


def constraint_type(type_id: str, *parameters: str) -> Callable[[R], R]:
    """Register a constraint class under its id; its constructor takes `Params`."""

    def register(cls: R) -> R:
        TYPES[type_id] = ConstraintType(type_id, parameters, cls)
        return cls

    return register
