"""Battle rows and files for the tests of reading battles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ifbench_tui.formats import LoadOptions
from ifbench_tui.formats.battle_block import BattleBlock
from ifbench_tui.formats.records import Problem
from tests.formats.helpers import broken, read, write_rows

__all__ = ["battle", "block_of", "outcomes", "read_battles"]


def battle(
    a: str = "ant", b: str = "bee", winner: Any = "model_a", **fields: Any
) -> dict[str, Any]:
    """One row in FastChat's shape."""
    return {"model_a": a, "model_b": b, "winner": winner, **fields}


def read_battles(
    path: Path | str, options: LoadOptions | None = None
) -> tuple[str, BattleBlock, list[Problem]]:
    """The format's id, the block, and the rows refused."""
    name, records = read(path, options)
    (block,) = [one for one in records if isinstance(one, BattleBlock)]
    return name, block, broken(records)


def block_of(path: Path, *rows: dict[str, Any], options: LoadOptions | None = None) -> BattleBlock:
    """The block of a file of these rows, none of which may be refused."""
    _, block, refused = read_battles(write_rows(path / "battles.jsonl", rows), options)
    assert not refused
    return block


def outcomes(block: BattleBlock) -> list[tuple[str, str, float, bool]]:
    """Model A, model B, side A's score and whether both were bad, in file order."""
    return [
        (block.models[a], block.models[b], y, bad == 1)
        for a, b, y, bad in zip(block.a, block.b, block.y, block.both_bad, strict=True)
    ]
