"""The methods of rating: a module each, named as the method's id and found by being here."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ifbench_tui.engine.ratings.method import Method

__all__ = ["METHOD_IDS", "method_of"]

METHOD_IDS: tuple[str, ...] = tuple(
    sorted(module.name for module in pkgutil.iter_modules(__path__))
)


@cache
def method_of(name: str) -> Method:
    """The method with this id. Raises KeyError."""
    if name not in METHOD_IDS:
        raise KeyError(f"no method of rating is called {name!r}")
    found: Method = importlib.import_module(f"{__name__}.{name}").METHOD
    return found
