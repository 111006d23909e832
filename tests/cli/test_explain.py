"""`explain`: the audit of one response as text."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from ifbench_tui.cli import main
from tests.cli.data import write_suite


def explain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *options: str
) -> tuple[int, str, str]:
    code = main(["explain", *write_suite(tmp_path), "-q", *options])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_verdict_measure_requirement_and_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = explain(tmp_path, capsys, "--model", "chatty", "--key", "7")
    assert code == 0
    assert out.startswith("chatty · IFEval · 7\nstrict ✗ fail   loose ✗ fail\n")
    assert "Name a river. No commas, please." in out
    assert "measured  1 comma\n" in out
    assert "required  no commas\n" in out
    assert "evidence  1:5 offends “,” comma\n" in out


def test_the_rescuing_variant_is_named_and_can_be_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = explain(tmp_path, capsys, "--model", "chatty", "--key", "12")
    assert "loose ◦ pass, rescued by first  variants ✗ ✗ ✓ ✗ ✗ ✓ ✗ ✗" in out
    code, out, _ = explain(
        tmp_path, capsys, "--model", "chatty", "--key", "12", "--variant", "first"
    )
    assert code == 0
    assert 'RESPONSE  variant: first\n{"river": "Rhine"}\n' in out
    assert "removed   1:1 “Sure!⏎”" in out


def test_a_check_that_raises_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = explain(tmp_path, capsys, "--model", "careful", "--key", "3", "--constraint", "2")
    assert "strict ! error" in out
    assert "not a valid pattern" in out
    assert "number_words" not in out


def test_null_responses_and_hostile_text_are_shown_safely(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = explain(tmp_path, capsys, "--model", "hostile", "--key", "3")
    assert "the response is null" in out
    code, out, _ = explain(tmp_path, capsys, "--model", "hostile", "--key", "7")
    assert code == 0
    assert "=cmd␛[31m|red, ⟨U+202E⟩</script><b>⟨U+D835⟩" in out
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--key", "7"], "--model is needed"),
        (["--model", "chatty", "--key", "70"], "7"),
        (["--model", "nobody", "--key", "7"], "careful"),
        (["--model", "chatty", "--key", "7", "--variant", "middle"], "first+last"),
        (["--model", "chatty", "--key", "7", "--constraint", "2"], "1 to 1"),
    ],
)
def test_what_is_not_there_is_named(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = explain(tmp_path, capsys, *options)
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.parametrize(("extra", "coloured"), [([], True), (["--no-color"], False)])
def test_colour_is_for_terminals(extra: list[str], coloured: bool, tmp_path: Path) -> None:
    arguments = [*write_suite(tmp_path), "--model", "hostile", "--key", "7", *extra]
    ours, theirs = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"}
    try:
        subprocess.run(
            [sys.executable, "-m", "ifbench_tui", "explain", *arguments],
            stdout=theirs,
            stderr=subprocess.DEVNULL,
            env=environment,
            timeout=60,
            check=True,
        )
        os.close(theirs)
        shown = b""
        while chunk := _read(ours):
            shown += chunk
    finally:
        os.close(ours)
    assert (b"\x1b[" in shown) is coloured
    assert b"\x1b[31m|red" not in shown, "colour from the response is text, not colour"
    assert "␛[31m|red".encode() in shown


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""
