"""Formats find themselves, and each sniffs by content."""

from __future__ import annotations

import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import ifbench_tui
from ifbench_tui.formats import formats
from tests.formats.helpers import prompt, read, write_rows

NEW_FORMAT = """
    from ifbench_tui.formats.base import Format

    class Cups(Format):
        id = "cups"
        title = "cups"
        order = 1

        def sniff(self, table):
            return "rows have cup" if table.has("cup") else None

        def reader(self, table):
            return lambda row: ()
"""


def test_ids_are_unique_and_the_last_takes_everything() -> None:
    ids = [one.id for one in formats()]
    assert len(ids) == len(set(ids))
    assert ids[-1] == "unsupported"
    assert {"ifeval-prompts", "ifeval-responses", "ifeval-results", "lm-eval", "table"} <= set(ids)


def test_a_new_format_is_one_new_file(tmp_path: Path) -> None:
    copy = tmp_path / "ifbench_tui"
    package = Path(ifbench_tui.__file__).parent
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__", "tui", "cli"))
    (copy / "formats" / "cups.py").write_text(textwrap.dedent(NEW_FORMAT))
    rows = write_rows(tmp_path / "x.jsonl", [{"cup": 1}])
    code = (
        "import sys; from ifbench_tui.workspace import preview; print(preview(sys.argv[1]).format)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, rows], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "cups"


def test_names_do_not_decide(tmp_path: Path) -> None:
    prompts = write_rows(tmp_path / "eval_results_strict.jsonl", [prompt(1, "p")])
    assert read(prompts)[0] == "ifeval-prompts"
    responses = write_rows(tmp_path / "input_data.json", [{"prompt": "p", "response": "r"}])
    assert read(responses)[0] == "ifeval-responses"
