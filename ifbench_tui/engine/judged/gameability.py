"""How far a model's win rate moves when it is asked to be verbose or concise."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

__all__ = ["STYLES", "gameability", "styled_names"]

STYLES = ("concise", "verbose")
"""Endings of the names under which AlpacaEval lists a model that was asked to write so."""


def gameability(plain: float | None, styled: float | None) -> float | None:
    """SD/mean of two win rates, SD with divisor n - 1; None where that is nothing."""
    if plain is None or styled is None or plain + styled <= 0:
        return None
    mean = (plain + styled) / 2.0
    return abs(plain - styled) / math.sqrt(2.0) / mean


def styled_names(models: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """(model, style, name of the model in that style), where both names are there."""
    known = list(models)
    for model in known:
        for style in STYLES:
            if (name := f"{model}_{style}") in known:
                yield model, style, name
