"""Parquet: the same rows as elsewhere, only the needed columns, plain words without pyarrow."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.formats import LoadOptions, Source, open_table
from tests.formats.battles import battle, outcomes, read_battles
from tests.formats.helpers import broken, read, write_rows

ROWS = [
    battle(
        f"m{i % 3}",
        f"m{3 + i % 2}",
        ("model_a", "model_b", "tie")[i % 3],
        question_id=str(i),
        conversation_a=[{"role": "assistant", "content": f"# {i}"}],
        conversation_b=[{"role": "assistant", "content": "x"}],
    )
    for i in range(50)
]


def write_parquet(path: Path, rows: list[dict[str, Any]]) -> Path:
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow (the parquet extra) is not installed")
    from pyarrow import parquet

    parquet.write_table(pyarrow.Table.from_pylist(rows), str(path))
    return path


def test_without_pyarrow_it_says_what_to_install(tmp_path: Path) -> None:
    path = tmp_path / "b.parquet"
    path.write_bytes(b"PAR1" + bytes(100))
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from ifbench_tui.cli import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "rate", str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "needs the package pyarrow" in done.stderr
    assert "pip install 'ifbench-tui[parquet]'" in done.stderr


def test_the_same_battles_as_json_lines(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "b.dat", ROWS)
    _, want, _ = read_battles(write_rows(tmp_path / "b.jsonl", ROWS))
    name, block, refused = read_battles(path)
    assert (name, refused) == ("battles", [])
    assert outcomes(block) == outcomes(want)
    assert block.line == want.line
    packed = tmp_path / "b.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert outcomes(read_battles(packed)[1]) == outcomes(want)
    styled = read_battles(path, LoadOptions(battle_style=True))[1]
    assert styled.style["header"][0].tolist() == [1.0] * 50


def test_columns_nobody_needs_are_passed_over(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "b.parquet", ROWS)
    table = open_table(Source(str(path)), LoadOptions())
    table.needed += ["model_a", "winner"]
    rows = list(table.read())
    assert len(rows) == 50
    assert rows[-1].data.keys() == {"model_a", "winner"}  # type: ignore[union-attr]


def test_damaged_and_empty_files(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "b.parquet", ROWS)
    path.write_bytes(path.read_bytes()[:500])
    assert "Parquet that cannot be read" in broken(read(path)[1])[0].reason
    none = write_parquet(tmp_path / "none.parquet", [])
    assert "holds no rows" in broken(read(none)[1])[0].reason
