"""Dispatch, exit codes, light start-up, quiet endings: in real processes where it matters."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ifbench_tui import __version__
from ifbench_tui.cli import judge, judgments, keys, main, parse, vote
from ifbench_tui.cli._commands import command_names, load_command
from ifbench_tui.config import MOST_JOBS, parse_config
from ifbench_tui.engine.judged import verdicts
from ifbench_tui.judge import plan
from ifbench_tui.report.judgments import listing
from ifbench_tui.resources import sample_data_folder
from ifbench_tui.voting import pairs
from tests.cli.data import PROMPTS, program, write_rows, write_suite

HEAVY = {"textual", "numpy", "langdetect", "rich", "httpx", "sqlite3", "multiprocessing"}


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["score", "--help"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    script = (
        "import sys; from ifbench_tui.cli import main; code = main(sys.argv[1:]);"
        "print(*sorted(sys.modules), file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True
    )
    assert HEAVY.isdisjoint(done.stderr.split())
    assert done.stdout


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"ifbench-tui {__version__}\n"


def test_overview_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    for name in command_names():
        assert f"  {name} " in shown
        assert load_command(name).SUMMARY in shown


@pytest.mark.parametrize("name", command_names())
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: ifbench-tui {name}")
    assert "130  interrupted" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["score"], "PATH"),
        (["score", "x", "--think", "maybe"], "--think"),
        (["score", "x", "--fail-under", "prompt_strict"], "NAME=VALUE"),
        (["score", "x", "--fail-under", "prompt_strict=75"], "between 0 and 1"),
        (["score", "-", "--map", "colour=x"], "colour"),
        (["score", "x", "--limit-line-bytes", "0"], "whole number"),
        (["export", "-", "--as", "ifeval-results"], "-o"),
        (["themes", "list", "moss"], "themes new moss"),
        (["scroe"], "'score'"),
        (["nowhere/at/all.jsonl"], "nowhere/at/all.jsonl"),
        (["score", "nowhere/at/all.jsonl"], "nowhere/at/all.jsonl"),
    ],
)
def test_bad_usage_is_2_and_says_why(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert "Traceback" not in captured.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "SAMPLE", "MISSING", "-q", "--fail-under", "prompt_strict=0.1"),
        ("export", "SAMPLE", "MISSING", "--as", "csv", "-q"),
        ("rate", "MISSING"),
        ("check", "MISSING"),
        ("parse", "MISSING", "--protocol", "mt-single"),
        ("vote", "SAMPLE", "MISSING"),
        ("judge", "SAMPLE", "--protocol", "mt-single", "--reference", "MISSING", "--dry-run"),
        ("session", "import", "MISSING", "--session", "NEW"),
        ("session", "merge", "MISSING", "--session", "NEW"),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_an_input_that_is_not_there_ends_every_command_before_it_begins(
    arguments: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing, new = tmp_path / "missing.jsonl", tmp_path / "new.ifb"
    named = {"SAMPLE": str(sample_data_folder()), "MISSING": str(missing), "NEW": str(new)}
    assert main([named.get(argument, argument) for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [
        f"ifbench-tui: no file or directory is called {str(missing)!r}"
    ]
    assert not new.exists()


def test_without_a_terminal_the_app_names_the_headless_command(tmp_path: Path) -> None:
    for arguments in ([*write_suite(tmp_path)], ["demo"]):
        done = program(*arguments, stdin=subprocess.DEVNULL)
        assert done.returncode == 2
        assert "ifbench-tui score" in done.stderr
        assert done.stdout == ""


def test_a_dumb_terminal_is_no_place_for_the_app() -> None:
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "ifbench_tui", "demo"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "dumb"},
            timeout=60,
            check=False,
        )
        assert done.returncode == 2
        assert b"ifbench-tui score" in os.read(ours, 4096)
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    prompts = [{**PROMPTS[0], "key": n, "prompt": f"prompt {n}"} for n in range(800)]
    paths = (
        write_rows(tmp_path / "prompts.jsonl", prompts),
        write_rows(
            tmp_path / "model.jsonl",
            ({"prompt": row["prompt"], "response": "a, b"} for row in prompts),
        ),
    )
    command = [sys.executable, "-m", "ifbench_tui", "score", *map(str, paths), "--jsonl"]
    with subprocess.Popen(
        [*command, "--fail-under", "prompt_strict=0.5"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"benchmark": "ifeval"')
        process.stdout.close()
        talk = process.stderr.read().decode()
        assert process.wait(timeout=60) == 1, "the gate still decides"
    assert talk.splitlines() == ["gate failed: model: prompt_strict 0.0000 < 0.5"]


def test_interrupt_is_130() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "ifbench_tui", "check"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write('{"type":"punctuation:no_comma","response":"a"}\n')
        process.stdin.flush()
        assert '"strict": true' in process.stdout.readline(), "answered before more input came"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stderr.read() == "interrupted\n"


def test_output_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_text("before")
    target.chmod(0o640)
    paths = write_suite(tmp_path)
    assert main(["score", *paths, "--json", "-o", str(target), "--model", "nobody"]) == 2
    assert target.read_text() == "before"
    assert main(["score", *paths, "--json", "-o", str(target), "--model", "careful"]) == 0
    assert target.read_text().startswith("{")
    assert target.stat().st_mode & 0o777 == 0o640
    assert not list(tmp_path.glob(".*")), "no draft is left behind"


def test_an_output_folder_that_is_missing_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = write_suite(tmp_path)
    assert main(["score", *paths, "--json", "-q", "-o", str(tmp_path / "no" / "out.json")]) == 2
    assert "No such file or directory" in capsys.readouterr().err


def test_a_fault_of_the_program_is_one_line_and_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(args: object) -> int:
        raise LookupError("no such\nthing \x1b[31m\u3164")

    monkeypatch.setattr(keys, "run", run)
    assert main(["keys"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "LookupError: no such thing ␛[31m⟨U+3164⟩" in line
    assert "report" in line


@pytest.mark.parametrize(
    "arguments", [["keys"], ["score", "PATHS", "-q"], ["prompts", "PATHS", "-q"]]
)
def test_nobody_listening_at_all_is_no_fault(tmp_path: Path, arguments: list[str]) -> None:
    paths = " ".join(write_suite(tmp_path))
    command = " ".join(arguments).replace("PATHS", paths)
    for closed in (">&-", "2>&-"):
        line = f"{sys.executable} -m ifbench_tui {command} {closed}"
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "PATHS"],
        ["score", "PATHS", "--json"],
        ["score", "PATHS", "--format", "md"],
        ["prompts", "PATHS"],
        ["export", "PATHS", "--as", "html"],
        ["export", "PATHS", "--as", "csv"],
        ["explain", "PATHS", "--key", "7", "--model", "careful"],
    ],
)
def test_a_file_that_was_written_is_named_unless_quiet(
    tmp_path: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "written"
    paths = write_suite(tmp_path)
    line = [one for part in arguments for one in (paths if part == "PATHS" else [part])]
    assert main([*line, "-o", str(target)]) == 0
    assert capsys.readouterr().err.splitlines()[-1] == f"wrote {target}"
    assert main([*line, "-o", str(target), "-q"]) == 0
    assert capsys.readouterr() == ("", "")


def test_what_help_repeats_is_what_the_program_does() -> None:
    assert tuple(plan.PROTOCOLS) == judge._PROTOCOLS
    assert tuple(verdicts.PROTOCOLS) == parse._PROTOCOLS
    assert tuple(pairs.POLICIES) == vote.POLICIES
    assert tuple(listing.STATES) == judgments.STATES


@pytest.mark.parametrize(("jobs", "wrong"), [(MOST_JOBS, False), (MOST_JOBS + 1, True)])
def test_as_many_calls_at_once_may_be_asked_for_by_flag_as_in_the_config_file(
    jobs: int, wrong: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prompts = write_rows(tmp_path / "prompts.jsonl", PROMPTS)
    command = ["generate", str(prompts), "--model", "m", "--dry-run", "--jobs", str(jobs)]
    assert bool(main(command)) is wrong
    assert (f"above {MOST_JOBS}" in capsys.readouterr().err) is wrong
    assert bool(parse_config(f"[settings]\njobs = {jobs}").problems) is wrong
