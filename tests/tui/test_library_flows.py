"""What a person does in the Library, told as flows."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from ifbench_tui.tui.app import AuditApp
from ifbench_tui.tui.mappings import fitting_mapping
from ifbench_tui.tui.screens.library import LibraryScreen
from ifbench_tui.tui.screens.mapping_sheet import MappingSheet
from ifbench_tui.tui.screens.open_sheet import OpenSheet
from ifbench_tui.tui.screens.problems import ProblemsScreen
from ifbench_tui.tui.widgets.row_list import RowList
from ifbench_tui.workspace import Problem, SourceReport, Workspace, preview

from .conftest import HOSTILE, PROMPTS, MakeApp, resize, screen_text, settle
from .test_hostile_text import ACTS, NAME
from .test_places import write_files


def names(app: AuditApp) -> list[str]:
    """The files that are loaded."""
    workspace = app.bench.workspace
    return [] if workspace is None else [Path(one.path).name for one in workspace.sources]


async def paste(app: AuditApp, pilot: Pilot[None], text: str) -> None:
    app.post_message(events.Paste(text))
    await pilot.pause()
    await settle(pilot)


def broken_file(folder: Path) -> Path:
    """Responses with a broken row, a duplicate, one to no prompt, and a reasoning trace."""
    prompt = PROMPTS[0][1]
    rows = [
        json.dumps({"prompt": prompt, "response": "first"}),
        '{"prompt": "cut off',
        json.dumps({"prompt": "Nobody asked this.", "response": "so"}),
        json.dumps({"prompt": prompt, "response": "<think>well</think> last"}),
    ]
    path = folder / "rough.jsonl"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def odd_table(folder: Path) -> Path:
    """A table whose columns nobody can guess."""
    path = folder / "odd.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["Frage", "eins", "zwei"])
        writer.writerow([PROMPTS[0][1], "The sea.", "A lake, perhaps."])
    return path


async def test_an_empty_library_says_what_to_do(make_app: MakeApp) -> None:
    app = make_app(workspace=Workspace({}, (), ()), start="library")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        text = screen_text(app)
        assert "Nothing is loaded." in text
        assert "o opens a file or a directory" in text
        await pilot.press("enter", "d", "p", "m", "y", "w", "t")
        await settle(pilot)
        assert app.is_running


async def test_drop_a_directory_to_load_it(make_app: MakeApp, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    write_files(folder)
    app = make_app(workspace=Workspace({}, (), ()), start="library")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await paste(app, pilot, f"'{folder}' ")
        assert names(app) == ["chatty.jsonl", "prompts.jsonl"]
        text = screen_text(app)
        row = next(line for line in text.splitlines() if "prompts.jsonl" in line)
        assert row.split()[-7:] == ["–", "6", "–", "6", "0", "0", "0"]
        assert "IFEval prompts" in text


async def test_pasted_text_that_is_no_path_loads_nothing(make_app: MakeApp) -> None:
    app = make_app(start="library")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await paste(app, pilot, "rm -rf \x1b[2J nothing")
        assert "no path of a file" in screen_text(app)
        assert names(app) == []


async def test_open_a_file_by_completing_its_path(make_app: MakeApp, tmp_path: Path) -> None:
    prompts, responses = write_files(tmp_path)
    app = make_app(paths=(prompts,), start="library")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("o")
        await pilot.pause()
        assert isinstance(app.screen, OpenSheet)
        assert app.screen.query_one(Input).value == f"{tmp_path}{os.sep}"
        await pilot.press("c", "tab")
        assert app.screen.query_one(Input).value == responses
        await pilot.press("enter")
        await settle(pilot)
        assert names(app) == ["prompts.jsonl", "chatty.jsonl"]
        await pilot.press("o", "x", "enter")
        await pilot.pause()
        assert "no file or directory is called" in screen_text(app)
        await pilot.press("escape")
        assert isinstance(app.screen, LibraryScreen)


async def test_read_why_rows_were_not_used(make_app: MakeApp, tmp_path: Path) -> None:
    prompts, _ = write_files(tmp_path)
    rough = broken_file(tmp_path)
    app = make_app(paths=(prompts, str(rough)), start="library")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        row = next(line for line in screen_text(app).splitlines() if "rough.jsonl" in line)
        assert row.split()[-5:] == ["1", "1", "1", "1", "▸"]
        await pilot.press("j")
        await pilot.pause()
        assert "reasoning traces are part of the graded text" in screen_text(app).replace("\n", "")
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ProblemsScreen)
        text = screen_text(app)
        assert "rough.jsonl:2" in text
        assert "rough.jsonl:3" in text
        assert "what to do:" in text
        await pilot.press("y")
        assert app.clipboard.startswith(f"{rough}:1: duplicate: line 4 responds")
        await pilot.press("Y")
        assert len(app.clipboard.splitlines()) == 1 + app.screen.query_one(RowList).count
        target = tmp_path / "problems.csv"
        await pilot.press("w")
        await pilot.pause()
        app.screen.query_one(Input).value = str(target)
        await pilot.press("enter")
        await pilot.pause()
        rows = list(csv.DictReader(target.read_text("utf-8").splitlines()))
        assert {row["kind"] for row in rows} == {"broken", "duplicate", "unmatched", "notice"}
        await pilot.press("a")
        await pilot.pause()
        assert "all files" in screen_text(app)
        await pilot.press("q")
        assert isinstance(app.screen, LibraryScreen)


async def test_detach_a_file_and_then_the_last(make_app: MakeApp, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    write_files(folder)
    app = make_app(paths=(str(folder),), start="library")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("d")
        await settle(pilot)
        assert names(app) == ["prompts.jsonl"]
        await pilot.press("d")
        await settle(pilot)
        assert app.bench.workspace is None
        assert "Nothing is loaded." in screen_text(app)
        await pilot.press("2", "3", "1")
        assert app.is_running


async def test_choose_the_columns_of_an_unknown_table(make_app: MakeApp, tmp_path: Path) -> None:
    prompts, _ = write_files(tmp_path)
    odd = odd_table(tmp_path)
    app = make_app(paths=(prompts,), start="library")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await paste(app, pilot, str(odd))
        assert isinstance(app.screen, MappingSheet)
        assert names(app) == ["prompts.jsonl"]
        assert "A lake, perhaps." in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert "name the column of the response" in screen_text(app)
        await pilot.press("l", "j", "h", "enter")
        await settle(pilot)
        assert names(app) == ["prompts.jsonl", "odd.csv"]
        suite = app.bench.suite
        assert suite is not None
        assert suite.models == ("eins", "zwei")
        remembered = fitting_mapping(preview(str(odd)), app.bench.decisions, app.config)
        assert remembered == {"prompt": "Frage", "response": "*"}


async def test_leaving_the_columns_open_loads_nothing(make_app: MakeApp, tmp_path: Path) -> None:
    prompts, _ = write_files(tmp_path)
    app = make_app(paths=(prompts,), start="library")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await paste(app, pilot, str(odd_table(tmp_path)))
        await pilot.press("l", "x", "escape")
        await settle(pilot)
        assert names(app) == ["prompts.jsonl"]


async def test_columns_chosen_once_are_used_again(make_app: MakeApp, tmp_path: Path) -> None:
    prompts, _ = write_files(tmp_path)
    odd = odd_table(tmp_path)
    for run in range(2):
        app = make_app(paths=(prompts, str(odd)), start="library")
        async with app.run_test(size=(120, 40)) as pilot:
            await settle(pilot)
            suite = app.bench.suite
            assert suite is not None
            if run:
                assert suite.models == ("odd",)
                continue
            assert suite.models == ()
            await pilot.press("j", "m")
            await settle(pilot)
            await pilot.press("l", "j", "l", "l", "enter")
            await settle(pilot)
            assert app.bench.suite is not None
            assert app.bench.suite.models == ("odd",)


async def test_cut_off_reasoning_traces(make_app: MakeApp, tmp_path: Path) -> None:
    prompts, _ = write_files(tmp_path)
    app = make_app(paths=(prompts, str(broken_file(tmp_path))), start="library")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)

        def text() -> str:
            suite = app.bench.suite
            response = None if suite is None else suite.response("rough", PROMPTS[0][0])
            assert response is not None
            return response.text

        assert text() == "<think>well</think> last"
        await pilot.press("t")
        await settle(pilot)
        assert text() == "last"
        assert "reasoning traces cut off" in screen_text(app)


async def test_a_file_that_cannot_be_loaded_says_why(make_app: MakeApp, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("<!DOCTYPE html><html></html>", encoding="utf-8")
    app = make_app(paths=(str(path),), start="library")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        text = screen_text(app)
        assert "page.html" in text
        assert "nothing could be loaded" in text


async def test_take_the_list_away(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(paths=write_files(tmp_path), start="library")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("y")
        head, *rows = [line.split("\t") for line in app.clipboard.splitlines()]
        assert head[0] == "path"
        assert len(rows) == 2


def hostile_library() -> Workspace:
    source = SourceReport(NAME, "table", HOSTILE, 1, 1, 1, 1, 1, 1, 1)
    problems = tuple(
        Problem(NAME, line, kind, HOSTILE, NAME)
        for line, kind in enumerate(("broken", "unmatched", "duplicate", "notice"), start=1)
    )
    return Workspace({}, (source,), problems)  # type: ignore[arg-type]


@pytest.mark.parametrize("keys", [(), ("enter",), ("p", "j", "j"), ("y",), ("w",), ("o",)])
async def test_names_and_reasons_from_files_never_act(
    make_app: MakeApp, keys: tuple[str, ...]
) -> None:
    app = make_app(workspace=hostile_library(), start="library")
    async with app.run_test(size=(100, 40), notifications=True, tooltips=True) as pilot:
        await settle(pilot)
        for key in keys:
            await pilot.press(key)
            await settle(pilot)
        text = screen_text(app).replace("\n", "")
        assert not (found := ACTS.search(text)), f"{found!r} is on the screen"
        assert app.is_running


async def test_columns_of_a_hostile_table_never_act(make_app: MakeApp, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps({NAME: HOSTILE, "漢字 x": NAME}) + "\n", encoding="utf-8")
    app = make_app(start="library")
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await paste(app, pilot, str(path))
        assert isinstance(app.screen, MappingSheet)
        await pilot.press("l", "j", "l", "l")
        await settle(pilot)
        text = screen_text(app).replace("\n", "")
        assert not (found := ACTS.search(text)), f"{found!r} is on the screen"


ROW = '{"prompt": "Sing.", "response": "La."}\n'


async def test_files_of_the_same_name_are_told_apart_by_their_folders(
    make_app: MakeApp, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    for folder in ("north/answers", "south/answers", "east"):
        (data / folder).mkdir(parents=True)
        (data / folder / "rows.jsonl").write_text(ROW)
    (data / "other.jsonl").write_text(ROW)
    app = make_app(paths=(str(data),), start="library")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        rows = [line[1:].split()[0] for line in screen_text(app).splitlines()[3:7]]
        assert sorted(rows) == [
            "east/rows.jsonl", "north/answers/rows.jsonl", "other.jsonl",
            "south/answers/rows.jsonl",
        ]  # fmt: skip
        await resize(pilot, 80, 24)
        rows = [line[1:].split()[0] for line in screen_text(app).splitlines()[3:7]]
        assert sorted(rows) == ["east/rows.jsonl", "north/answ…ows.jsonl", "other.jsonl",
                                "south/answ…ows.jsonl"]  # fmt: skip


async def test_a_title_keeps_the_name_of_a_file_deep_in_folders(
    make_app: MakeApp, tmp_path: Path
) -> None:
    folder = tmp_path / ("folder_" * 5) / ("of_responses_" * 4)
    folder.mkdir(parents=True)
    prompts, _ = write_files(tmp_path)
    rough = broken_file(folder)
    odd = odd_table(folder)
    app = make_app(paths=(prompts, str(rough)), start="library")
    async with app.run_test(size=(60, 16)) as pilot:
        await settle(pilot)
        await pilot.press("j", "enter")
        await settle(pilot)
        assert isinstance(app.screen, ProblemsScreen)
        assert rough.name in screen_text(app).splitlines()[0]
        await pilot.press("q")
        await paste(app, pilot, str(odd))
        assert isinstance(app.screen, MappingSheet)
        assert f"columns of {odd.name}" in screen_text(app)


async def test_problems_of_files_of_the_same_name_are_told_apart(
    make_app: MakeApp, tmp_path: Path
) -> None:
    prompts, _ = write_files(tmp_path)
    paths = []
    for name in ("east", "west"):
        (tmp_path / name).mkdir()
        paths.append(str(broken_file(tmp_path / name)))
    app = make_app(paths=(prompts, *paths), start="library")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("p")
        await settle(pilot)
        text = screen_text(app)
        for name in ("east", "west"):
            assert f"{name}/rough.jsonl:" in text
