"""`demo`, `themes`, `keys`, `dirs`, `doctor`, `completion`."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from ifbench_tui.cli import main
from ifbench_tui.cli._commands import PROGRAM, command_names, parser_for
from ifbench_tui.tui.actions import ACTIONS


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, so that nobody's settings are read or written."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    return tmp_path


def test_demo_lists_and_copies_its_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--list"]) == 0
    listed = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert any(path.name == "prompts.jsonl" for path in listed)
    target = tmp_path / "sample"
    assert main(["demo", "--copy", str(target), "-q"]) == 0
    copies = {
        path.relative_to(target): path.read_bytes() for path in target.rglob("*") if path.is_file()
    }
    folder = next(path.parent for path in listed if path.name == "README.md")
    assert copies == {path.relative_to(folder): path.read_bytes() for path in listed}
    assert main(["demo", "--copy", str(target)]) == 2, "nothing is overwritten"


def test_the_demo_says_how_to_go_on_with_its_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "my data"
    assert main(["demo", "--copy", str(target)]) == 0
    said = capsys.readouterr().err.splitlines()[-1]
    program, *words = shlex.split(said.partition(": ")[2])
    assert (program, words) == (PROGRAM, ["open", str(target)])
    assert parser_for(words[0]).parse_args(words[1:]).paths == [str(target)]


def test_the_demos_data_can_be_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "sample"
    assert main(["demo", "--copy", str(target), "-q"]) == 0
    assert main(["score", str(target), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["models"]) == 3


def test_themes_are_listed_and_a_new_one_joins_them(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["themes"]) == 0
    before = capsys.readouterr().out
    assert before.count("the package") >= 6
    assert main(["themes", "new", "dusk", "--like", "paper"]) == 0
    written = next(home.rglob("dusk.toml"))
    assert tomllib.loads(written.read_text())["name"] == "dusk"
    capsys.readouterr()
    assert main(["themes"]) == 0
    assert "dusk" in capsys.readouterr().out
    assert main(["themes", "new", "dusk"]) == 2, "nothing is overwritten"


@pytest.mark.parametrize("arguments", [["new"], ["new", "../x"], ["new", "x", "--like", "none"]])
def test_a_theme_that_cannot_be_made(
    arguments: list[str], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["themes", *arguments]) == 2
    assert not list(home.rglob("*.toml"))


def test_a_broken_theme_is_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = home / "config" / "ifbench-tui" / "themes"
    folder.mkdir(parents=True)
    (folder / "broken.toml").write_text("name = 3")
    assert main(["themes"]) == 2
    assert "broken.toml" in capsys.readouterr().err


def test_keys_lists_every_action(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["keys", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [one["id"] for one in listed] == [action.id for action in ACTIONS]
    assert main(["keys"]) == 0
    shown = capsys.readouterr().out
    for action in ACTIONS:
        assert action.id in shown


def test_keys_shows_the_users_keymap_and_its_faults(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = home / "config" / "ifbench-tui"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('[keys]\n"audit.mark" = "X"\n"audit.mrak" = "Y"\n')
    assert main(["keys", "--json"]) == 2
    captured = capsys.readouterr()
    keys = {one["id"]: one["keys"] for one in json.loads(captured.out)}
    assert keys["audit.mark"] == "X"
    assert "config.toml:3" in captured.err
    assert main(["doctor", "-q"]) == 2
    assert "audit.mark?" in capsys.readouterr().out


def test_dirs_are_inside_the_home(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dirs", "--json"]) == 0
    places = json.loads(capsys.readouterr().out)
    assert list(places) == ["config", "themes", "data", "session"]
    for place in places.values():
        assert Path(place).is_relative_to(home)
    assert main(["dirs"]) == 0
    assert dict(line.split("\t") for line in capsys.readouterr().out.splitlines()) == places
    assert not any(Path(place).exists() for place in places.values()), "looking creates nothing"


def test_doctor_checks_the_verdicts(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TMUX", "x")
    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert "ok   verdicts  language:response_language" in shown
    assert "bad" not in {line.split()[0] for line in shown.splitlines()}
    assert "NO_COLOR is set" in shown
    assert "set-clipboard on" in shown


def test_doctor_finds_a_folder_that_cannot_be_used(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "config").write_text("a file where a folder should be")
    assert main(["doctor", "-q"]) == 2
    assert any(line.startswith("bad  folders") for line in capsys.readouterr().out.splitlines())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_every_command(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for name in command_names():
        assert name in script
    assert "fail-under" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ifbench-tui", "sc"], {"score"}),
        (["ifbench-tui", "score", "--fail"], {"--fail-under"}),
        (["ifbench-tui", "export", "--as", "h"], {"html"}),
        (["ifbench-tui", "themes", "n"], {"new"}),
    ],
)
def test_bash_completes(
    words: list[str], expected: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    if not shutil.which("bash"):
        pytest.skip("bash is not on this machine")
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    asked = (
        f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _ifbench_tui;"
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash"], input=script + asked, capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == expected


def test_doctor_knows_a_theme_that_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "config.toml"
    monkeypatch.setenv("IFBENCH_CONFIG", str(config))
    for name, code in (("paper", 0), ("nope", 2)):
        config.write_text(f'[settings]\ntheme = "{name}"\n')
        assert main(["doctor"]) == code
        assert name in capsys.readouterr().out
