"""Cost of `rate` on a large JSON Lines file, end to end, against decoding the same file alone.

Run: python -m tests.bench.bench_rate [--battles N] [--models K]
CPU time (user and system) and peak memory of the program's own process; the naive way is a loop of
`json.loads` over the lines in one more process, which reads everything and rates nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

DECODE = "import json, sys; print(sum(1 for line in open(sys.argv[1]) if json.loads(line)))"
LABELS = ("model_a", "model_b", "tie", "tie (bothbad)")


class Cost(NamedTuple):
    """CPU seconds and peak memory in MiB of one process."""

    cpu: float
    memory: float


def write_battles(path: Path, n: int, k: int) -> None:
    """Battles as FastChat's clean files have them, without conversations."""
    draw = random.Random(1)
    names = [f"model-{i:03d}-chat" for i in range(k)]
    weights = [1 / (i + 1) ** 0.7 for i in range(k)]
    with path.open("w") as file:
        for i in range(n):
            a, b = draw.choices(range(k), weights, k=2)
            row = {
                "question_id": f"{i:032x}",
                "model_a": names[a],
                "model_b": names[b if a != b else (b + 1) % k],
                "winner": draw.choice(LABELS),
                "judge": f"arena_user_{draw.randrange(n // 16 + 1)}",
                "turn": 1,
                "anony": True,
                "language": "English",
                "tstamp": 1700000000.5 + i,
            }
            file.write(json.dumps(row) + "\n")


def cost(*command: str) -> Cost:
    """What a Python process of these arguments takes."""
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--battles", type=int, default=200_000)
    parser.add_argument("--models", type=int, default=129)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "battles.jsonl"
        write_battles(path, args.battles, args.models)
        naive = cost("-c", DECODE, str(path))
        print(f"{args.battles:,} battles, {path.stat().st_size / 2**20:.0f} MiB")
        print(f"{'json.loads alone':<34}{naive.cpu:8.2f} s{naive.memory:8.0f} MiB")
        for options in ((), ("--cluster", "question"), ("--interval", "none")):
            ours = cost("-m", "ifbench_tui", "rate", str(path), "--json", "--quiet", *options)
            title = " ".join(("rate", *options))
            ratio = ours.cpu / naive.cpu
            print(f"{title:<34}{ours.cpu:8.2f} s{ours.memory:8.0f} MiB{ratio:8.1f}x")


if __name__ == "__main__":
    main()
