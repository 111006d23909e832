"""How much of a file is read before it counts as hostile, and what a caller may choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Limits", "LoadOptions", "bytes_in_words"]

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one file. Each is named in the message that reports it.

    `file_bytes`, `line_bytes` and `document_bytes` count decompressed bytes; a document is a JSON
    file that is one value and has to be read whole. `expansion` is the greatest ratio of
    decompressed to compressed bytes, looked at once `expansion_from` bytes came out.
    `problems` bounds the messages of each kind for a file; the rest is summed up in one.
    """

    file_bytes: int = 4096 * MIB
    line_bytes: int = 64 * MIB
    document_bytes: int = 512 * MIB
    depth: int = 100
    expansion: int = 200
    expansion_from: int = 64 * MIB
    entries: int = 50_000
    problems: int = 200


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """What a person may choose about reading files.

    `mapping` names the column of a generic table for `prompt`, `response`, `model` and `key`.
    `think` says whether a reasoning trace is graded. `model` names the responses of a file whose
    rows name no model. `filter` is the lm-eval filter to use, by default a file's first.
    `battle_style` has the style of both sides of a battle counted; for battles `mapping` may name
    the columns of `model_a`, `model_b`, `winner`, `score` (side A's, from 0 to 1), `weight`,
    `question`, `judge`, `session` and `language`. `judged` reads judgments of pairs for the boards
    of their benchmarks rather than as battles.
    """

    mapping: Mapping[str, str] = field(default_factory=dict)
    think: Literal["keep", "strip"] = "keep"
    model: str | None = None
    limits: Limits = Limits()
    filter: str | None = None
    battle_style: bool = False
    judged: bool = False


def bytes_in_words(count: int) -> str:
    """A byte count for a message: "64 MiB"."""
    for unit, size in (("GiB", 1 << 30), ("MiB", MIB), ("KiB", 1 << 10)):
        if count >= size:
            return f"{count / size:.1f}".removesuffix(".0") + f" {unit}"
    return f"{count} bytes"
