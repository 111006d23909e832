"""The documentation says what the code does: generated blocks, links, commands, contracts."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import pytest

from ifbench_tui.cli import main
from ifbench_tui.cli._commands import PROGRAM, command_names, load_command, parser_for
from ifbench_tui.filters import ALL, parse_filter
from ifbench_tui.tui.actions import SCOPES

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
GENERATOR = DOCS / "generate.py"

if not GENERATOR.is_file():
    pytest.skip("this is no checkout: there is no documentation", allow_module_level=True)

PAGES = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md")))
IDS = [page.name for page in PAGES]

LINK = re.compile(r"!?\[[^]]*\]\(([^)\s]+)\)")
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
BLOCK = re.compile(r"^<!-- generated: (keys|command) ([^>]*) -->$", re.MULTILINE)

DRAWS = ("open", "vote")
"""Commands that need a terminal."""


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def prose(page: Path) -> str:
    return FENCE.sub("", text_of(page))


def anchors(page: Path) -> set[str]:
    """The anchors that a page's headings get."""
    found = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in found}


def shell_lines(page: Path) -> Iterator[str]:
    """The lines of a page's shell blocks, with the continued ones joined."""
    for block in SHELL.findall(text_of(page)):
        yield from block.replace("\\\n", " ").splitlines()


def arguments(line: str) -> Iterator[list[str]]:
    """What follows the program's name in a line, for each time it is called."""
    words = shlex.split(line, comments=True)
    while words:
        ends = [place for place, word in enumerate(words) if word in ("|", "&&", ";", "<", ">")]
        end = ends[0] if ends else len(words)
        first, words = words[:end], words[end + 1 :]
        if first and Path(first[0]).name == PROGRAM:
            yield first[1:]


def command_of(argv: list[str]) -> str:
    return argv[0] if argv and argv[0] in command_names() else "open"


def parses(argv: list[str]) -> bool:
    """Whether the program's own parsers take these arguments."""
    if argv in (["--version"], ["--help"]):
        return True
    name = command_of(argv)
    rest = argv[1:] if argv[:1] == [name] else argv
    try:
        parser_for(name).parse_intermixed_args(rest)
    except SystemExit as stop:
        return stop.code == 0
    return True


def test_generated_blocks_are_what_the_code_says() -> None:
    done = subprocess.run(
        [sys.executable, str(GENERATOR), "--check"], capture_output=True, text=True, check=False
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, f"run python docs/generate.py and commit what it writes: {said}"


def test_a_page_that_drifted_is_named(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    (checkout / "docs").mkdir(parents=True)
    for name in ("ifbench_tui", "themes", "sample_data"):
        (checkout / name).symlink_to(ROOT / name)
    (checkout / "README.md").write_text("# Read me\n", encoding="utf-8")
    page = checkout / "docs" / "page.md"
    page.write_text("<!-- generated: exit-codes -->\nold\n<!-- end -->\n", encoding="utf-8")
    generator = checkout / "docs" / "generate.py"
    for name in ("generate.py", "blocks.py"):
        (checkout / "docs" / name).write_text(text_of(DOCS / name), encoding="utf-8")

    def run(*options: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, str(generator), *options], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout

    assert run("--check") == (1, "differs from the code: docs/page.md\n")
    assert run() == (0, "wrote: docs/page.md\n")
    assert "| `130` | interrupted |" in text_of(page)
    assert run("--check") == (0, "")


def imported_by(room: Path) -> set[str]:
    """The rooms of the package that the modules of a room import, lazily or for types alike."""
    files = room.rglob("*.py") if room.is_dir() else [room.with_suffix(".py")]
    names = {
        name
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module
        for name in (node.module, *(f"{node.module}.{one.name}" for one in node.names))
    }
    return {name.split(".")[1] for name in names if name.startswith("ifbench_tui.")} - {room.name}


def test_the_picture_of_the_rooms_is_what_they_import() -> None:
    picture = text_of(DOCS / "architecture.md").split("```")[1]
    drawn = {
        name: set(names.split()) - {"nothing"}
        for name, names in re.findall(r"^ (\w+) {2,}.*? {2,}([a-z_ ]+)$", picture, re.MULTILINE)
    }
    drawn.pop("room")
    assert len(drawn) == 11
    package = ROOT / "ifbench_tui"
    assert {name: imported_by(package / name) & drawn.keys() for name in drawn} == drawn
    beside = {path.stem for path in package.iterdir() if not path.name.startswith("_")}
    assert beside - drawn.keys() - {"py"} == {
        "cli",
        "tui",
        "errors",
        "config",
        "files",
        "resources",
    }


def test_every_command_and_every_key_is_on_one_page() -> None:
    found: dict[str, list[str]] = {"keys": [], "command": []}
    for page in PAGES:
        for block, words in BLOCK.findall(text_of(page)):
            found[block] += words.split()
    assert sorted(found["command"]) == list(command_names())
    assert sorted(found["keys"]) == sorted(name for name, scope in SCOPES.items() if scope.actions)


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(prose(page)):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_file(), f"{page.name}: {link}"
        assert not anchor or anchor in anchors(target), f"{page.name}: {link}"


def test_every_picture_is_shown_somewhere_and_small() -> None:
    shown = {
        (page.parent / link).resolve() for page in PAGES for link in LINK.findall(text_of(page))
    }
    pictures = list(DOCS.glob("*.svg"))
    assert pictures
    for picture in pictures:
        assert picture in shown, picture.name
        assert picture.stat().st_size < 150_000, picture.name


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_command_shown_parses(page: Path) -> None:
    for line in shell_lines(page):
        for argv in arguments(line):
            assert parses(argv), f"{page.name}: {line}"
    for line in re.findall(rf"`({PROGRAM} [^`]+)`", prose(page)):
        for argv in arguments(line):
            # A sentence may name a command alone, and a usage line says what is to be put there.
            named = argv[1:] == [] and argv[0] in command_names()
            assert named or "OPTION" in line or parses(argv), f"{page.name}: {line}"


def walk(page: Path) -> list[str]:
    """The lines about the sample data that need no terminal, no server and nothing of one's own."""
    return [
        line
        for line in shell_lines(page)
        for argv in arguments(line)
        if (re.search(r"\bsample\b", line) or command_of(argv) == "check")
        and command_of(argv) not in DRAWS
        and (command_of(argv) not in ("judge", "generate") or "--dry-run" in argv)
        and not re.search(r"--session|\bmy-", line)
    ]


def test_there_are_pages_links_commands_and_walks_to_test() -> None:
    assert len(PAGES) > 5
    assert sum(len(LINK.findall(prose(page))) for page in PAGES) > 20
    assert len([line for page in PAGES for line in shell_lines(page)]) > 20
    assert len([page for page in PAGES if walk(page)]) > 2


@pytest.mark.parametrize("page", [page for page in PAGES if walk(page)], ids=lambda page: page.name)
def test_the_walk_works_as_written(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("CONFIG", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    monkeypatch.delenv("IFBENCH_CONFIG", raising=False)
    bin_folder = Path(sys.executable).parent
    for line in walk(page):
        expected = int(found[1]) if (found := re.search(r"# exit code (\d+)", line)) else 0
        if "|" in line:
            path = f"{bin_folder}{os.pathsep}{os.environ['PATH']}"
            monkeypatch.setenv("PATH", path)
            line = line.replace(PROGRAM, f"{sys.executable} -m ifbench_tui")
            code = subprocess.run(["bash", "-c", line], env=os.environ, check=False).returncode
        else:
            (argv,) = arguments(line)
            code = main(argv)
        said = capfd.readouterr()
        assert code == expected, f"{line}\n{said.err}"
        written = [word for flag, word in pairwise(line.split()) if flag == "-o"]
        assert said.out or said.err or "--quiet" in line or written, line
        assert all(Path(word).exists() for word in written), line


def test_every_condition_of_a_filter_is_explained() -> None:
    section = text_of(DOCS / "audit.md").partition("## Filters")[2].partition("## Keys")[0]
    shown = re.findall(r"^\| (`.+`) \|", section, re.MULTILINE)
    conditions = [one for row in shown for one in re.findall(r"`([^`]+)`", row)]
    explained = set()
    for words in conditions:
        found = parse_filter(words)
        assert not found.text or words.startswith(('"text:', "/")), words
        explained |= {
            part.name
            for part in fields(found)
            if getattr(found, part.name) != getattr(ALL, part.name)
        }
    assert explained == {part.name for part in fields(ALL)}


CONTRACTS = (
    ("score", "sample/ifeval", "--compare", "heron-2", "wren-mini"),
    ("score", "sample/ifeval", "sample/ifhardbench"),
    ("rate", "sample/battles", "--method", "elo", "--show", "matrix"),
    ("judgments", "sample/mt_bench", "--model", "magpie-chat"),
    ("validate", "sample/ifhardbench"),
    ("dirs",),
)


@pytest.mark.parametrize("argv", CONTRACTS, ids=lambda argv: " ".join(argv[:2]))
def test_help_names_every_field_of_the_json(
    argv: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "sample").symlink_to(ROOT / "sample_data")
    monkeypatch.chdir(tmp_path)
    assert main([*argv, "--json"]) == 0
    words = load_command(argv[0]).__doc__ or ""
    fields = json.loads(capsys.readouterr().out)
    assert fields
    assert [name for name in fields if not re.search(rf"\b{name}\b", words)] == []


def test_help_names_every_field_of_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    main(["keys", "--json"])
    words = load_command("keys").__doc__ or ""
    first = json.loads(capsys.readouterr().out)[0]
    assert [name for name in first if not re.search(rf"\b{name}\b", words)] == []
