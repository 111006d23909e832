"""A small suite of our own and ways to run the program on it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

__all__ = ["HOSTILE", "PROMPTS", "program", "rows_of", "write_rows", "write_suite"]

HOSTILE = "=cmd\x1b[31m|red, \u202e</script><b>\ud835"
"""Escape sequence, direction mark, markup, a lone surrogate, a formula and a comma."""

PROMPTS: list[dict[str, Any]] = [
    {
        "key": 7,
        "prompt": "Name a river. No commas, please.",
        "instruction_id_list": ["punctuation:no_comma"],
        "kwargs": [{}],
    },
    {
        "key": 3,
        "prompt": "Answer in at least 4 words of lower case.",
        "instruction_id_list": [
            "length_constraints:number_words",
            "keywords:existence",
        ],
        "kwargs": [{"relation": "at least", "num_words": 4}, {"keywords": ["[", "rhine"]}],
    },
    {
        "key": 12,
        "prompt": "Reply in JSON.",
        "instruction_id_list": ["detectable_format:json_format"],
        "kwargs": [{}],
    },
]

_RESPONSES: dict[str, list[str | None]] = {
    "careful": ["The Rhine.", "the rhine is long", '{"river": "Rhine"}'],
    "chatty": ["Well, the Rhine.", "rhine", 'Sure!\n{"river": "Rhine"}'],
    "hostile": [HOSTILE, None, "[" * 40],
}


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="ascii")
    return path


def write_suite(folder: Path) -> list[str]:
    """Three prompts and three models; `careful` passes, `chatty` is rescued once."""
    paths = [write_rows(folder / "prompts.jsonl", PROMPTS)]
    for model, responses in _RESPONSES.items():
        rows = [
            {"prompt": prompt["prompt"], "response": response}
            for prompt, response in zip(PROMPTS, responses, strict=True)
        ]
        paths.append(write_rows(folder / f"{model}.jsonl", rows))
    return [str(path) for path in paths]


def rows_of(text: str) -> list[dict[str, Any]]:
    """JSON lines, read strictly: NaN and infinities are refused."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    return [json.loads(line, parse_constant=refuse) for line in text.splitlines()]


def program(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own."""
    command = [sys.executable, "-m", "ifbench_tui", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, **options
    )
