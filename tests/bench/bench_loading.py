"""Loading against a bare ``json.loads`` of every line: ``python -m tests.bench.bench_loading``.

The bare loop joins nothing, counts nothing and forgives nothing: it is the floor, and the ratio
says what joining, accounting and hostile files cost beside it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from ifbench_tui.workspace import load
from tests.conftest import SHARED

IFEVAL = SHARED / "data" / "ifeval"
PROMPTS = 541
RESPONSES = 100_000


def bare(paths: Sequence[Path]) -> list[object]:
    """All rows, read the naive way."""
    rows: list[object] = []
    for path in paths:
        with path.open(encoding="utf-8") as file:
            rows.extend(json.loads(line) for line in file)
    return rows


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds of one call."""
    start = process_time()
    work()
    return process_time() - start


def show(name: str, paths: Sequence[Path]) -> None:
    """Print the CPU time of both, megabytes a second of ours, and the ratio."""
    size = sum(path.stat().st_size for path in paths) / 1e6
    theirs = min(cpu(lambda: bare(paths)) for _ in range(3))
    ours = min(cpu(lambda: load([str(path) for path in paths])) for _ in range(3))
    rate = size / ours
    print(
        f"{name:22} {size:6.1f} MB   json.loads {theirs:6.2f} s   load {ours:6.2f} s "
        f"({rate:4.0f} MB/s)   {ours / theirs:4.1f} x"
    )


def generated(folder: Path, length: int) -> list[Path]:
    """A prompts file and one file of 100,000 responses by many models."""
    asked, said = folder / "prompts.jsonl", folder / "responses.jsonl"
    with asked.open("w") as file:
        for key in range(PROMPTS):
            row = {"key": key, "prompt": f"Prompt {key}. " * 20, "instruction_id_list": []}
            file.write(json.dumps({**row, "kwargs": []}) + "\n")
    with said.open("w") as file:
        for number in range(RESPONSES):
            model, key = divmod(number, PROMPTS)
            row = {"prompt": f"Prompt {key}. " * 20, "response": "Some words. " * length}
            file.write(json.dumps({**row, "model": f"model-{model}"}) + "\n")
    return [asked, said]


def main() -> int:
    """Print one line for each set of files."""
    if IFEVAL.is_dir():
        paths = [IFEVAL / "input_data.jsonl", *sorted((IFEVAL / "responses").glob("*.jsonl"))]
        show("18 models of IFEval", paths)
    with TemporaryDirectory() as name:
        show("100,000 responses", generated(Path(name), 140))
        show("100,000 short ones", generated(Path(name), 1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
