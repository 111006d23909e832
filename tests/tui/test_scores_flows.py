"""What a person does in Scores, told as flows."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from textual.widgets import Input

from ifbench_tui.cli import main
from ifbench_tui.engine.benchmark import ConstraintSpec, Prompt
from ifbench_tui.filters import Filter
from ifbench_tui.report.agreement import agreement
from ifbench_tui.tui.app import AuditApp
from ifbench_tui.tui.screens.agreement import AgreementScreen
from ifbench_tui.tui.screens.audit import AuditScreen
from ifbench_tui.tui.screens.scores import ScoresScreen, results_so_far
from ifbench_tui.tui.screens.versus import VersusScreen
from ifbench_tui.tui.widgets.cell_grid import NAMES
from ifbench_tui.workspace import Response, Suite, Workspace

from .conftest import MakeApp, make_workspace, resize, screen_text, settle, until
from .test_hostile_text import ACTS, hostile_workspace
from .test_places import write_files


def scores(app: AuditApp) -> ScoresScreen:
    assert isinstance(app.screen, ScoresScreen)
    return app.screen


def listed(app: AuditApp) -> list[str]:
    """Keys of the prompts that Audit lists."""
    assert isinstance(app.screen, AuditScreen)
    state = app.screen.state
    return [state.prompts[row].key for row in state.rows]


def row_of(app: AuditApp, start: str) -> str:
    """The first line of the screen that begins with a word."""
    lines = screen_text(app).splitlines()
    return next(line for raw in lines if (line := raw.lstrip("▸ ")).startswith(start))


async def test_see_who_follows_what_with_intervals(make_app: MakeApp) -> None:
    app = make_app(start="scores")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        text = screen_text(app)
        assert "prompt strict" in text
        assert "inst loose" in text
        # 104 cannot be checked. Wilson for 5 of 6 by hand: (6.9207 ± 2.6250) / 9.8415.
        summary = scores(app).board.summary("careful")
        assert summary is not None
        metric = summary.metric("prompt_strict")
        assert (metric.hits, metric.n) == (5, 6)
        assert "83.3 43.6–97.0" in row_of(app, "careful")
        assert "83.3 % [43.6–97.0]   5 of 6   Wilson 95 %" in text
        await pilot.press("tab", "G")
        await pilot.pause()
        assert "punctuation:no_comma" in screen_text(app)
        assert "n 1  strict 100.0 (1)  loose 100.0 (1)" in screen_text(app)


async def test_sort_by_a_column_with_key_and_click(make_app: MakeApp) -> None:
    app = make_app(start="scores")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        board = scores(app).board
        assert board.order == ["careful", "chatty", "sloppy"]
        await pilot.press("j", "s")
        await pilot.pause()
        assert board.order[0] == "careful"
        assert "prompt strict▾" in screen_text(app)
        assert scores(app).model == "chatty"
        await pilot.press("s")
        await pilot.pause()
        assert board.order[-1] == "careful"
        assert "prompt strict▴" in screen_text(app)
        heads = next(line for line in screen_text(app).splitlines() if "inst loose" in line)
        await pilot.click(scores(app).models, offset=(heads.index("model"), 1))
        await pilot.pause()
        assert board.sorting == ("", NAMES, False)
        assert board.order == ["careful", "chatty", "sloppy"]


async def test_open_exactly_the_failed_prompts_of_a_cell(make_app: MakeApp) -> None:
    app = make_app(start="scores")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("j", "enter")
        await settle(pilot)
        failed = [
            key for key, row in app.bench.verdicts.of("chatty").items()  # type: ignore[union-attr]
            if not row.strict
        ]  # fmt: skip
        assert app.bench.model == "chatty"
        assert sorted(listed(app)) == sorted(failed)
        await pilot.press("2", "tab")
        board = scores(app).board
        heat = scores(app).heat
        heat.move(board.groups.index("keywords:existence"), board.order.index("careful"))
        await pilot.press("enter")
        await settle(pilot)
        assert app.bench.model == "careful"
        assert listed(app) == ["104"]
        assert app.screen.state.filter == Filter(strict=False, type="keywords:existence")  # type: ignore[attr-defined]


async def test_the_heat_map_shows_other_measures_and_groups(make_app: MakeApp) -> None:
    app = make_app(start="scores")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        board = scores(app).board
        seen = []
        for _ in range(4):
            seen.append(board.measure.name)
            await pilot.press("v")
        assert seen == ["strict", "loose", "gap", "near"]
        await pilot.press("t")
        await pilot.pause()
        assert board.kind == "category"
        assert "keywords" in board.groups
        assert "by category · strict" in screen_text(app)
        assert board.flipped
        await pilot.press("x")
        await pilot.pause()
        assert not board.flipped
        assert scores(app).heat.count == 3


async def test_columns_scroll_and_the_names_stay(make_app: MakeApp) -> None:
    app = make_app(start="scores")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "errors" not in screen_text(app)
        await pilot.press("dollar_sign")
        await pilot.pause()
        text = screen_text(app)
        assert "errors" in text
        assert "prompt strict" not in text
        assert row_of(app, "careful").split()[-1] == "6/8"
        await pilot.press("0")
        await pilot.pause()
        assert "enter reads them all in Audit" in screen_text(app)


async def test_compare_two_models_and_read_a_prompt_only_one_passes(make_app: MakeApp) -> None:
    app = make_app(start="scores")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("c", *"slop", "enter")
        await settle(pilot)
        assert isinstance(app.screen, VersusScreen)
        text = screen_text(app)
        # Of the 4 prompts both answered careful alone passes all: 2 · (1/2)⁴ = 0.125.
        assert "only A 4" in text
        assert "only B 0" in text
        assert "p = 0.1250 exact McNemar" in text
        assert "undecided" in text
        assert "A✓ B✗ 101" in text
        await pilot.press("v")
        await pilot.pause()
        assert "loose" in screen_text(app)
        await pilot.press("v", "tab", "enter")
        await settle(pilot)
        assert app.bench.model == "sloppy"
        assert isinstance(app.screen, AuditScreen)
        assert app.screen.state.key == "101"
        await pilot.press("2")
        assert isinstance(app.screen, VersusScreen)
        await pilot.press("x")
        await settle(pilot)
        assert "only B 4" in screen_text(app)
        await pilot.press("right_square_bracket")
        await settle(pilot)
        assert "chatty" in screen_text(app)
        await pilot.press("q")
        assert isinstance(app.screen, ScoresScreen)


async def test_mark_three_verdicts_and_read_the_agreement(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("a")
        await settle(pilot)
        assert "press m on a cell of the lattice" in screen_text(app)
        await pilot.press("q", "m", "a")
        await settle(pilot)
        await pilot.press("j", "m", "p")
        await settle(pilot)
        await pilot.press("j", "j", "j", "j", "m", "u")
        await settle(pilot)
        await pilot.press("a")
        await settle(pilot)
        assert isinstance(app.screen, AgreementScreen)
        assert row_of(app, "all types").split()[:7] == ["all", "types", "2", "1", "0", "1", "1"]
        json_row = row_of(app, "detectable_format:json_format").split()
        assert json_row[1:6] == ["1", "0", "0", "1", "0"]
        # Wilson for 1 of 2.
        assert "9.5–90.5" in row_of(app, "all types")
        summary = app.bench.verdicts.summary("chatty")  # type: ignore[union-attr]
        assert summary is not None
        strict = summary.metric("prompt_strict")
        official, own = f"{100 * strict.hits / 6:.1f}", f"{100 * (strict.hits + 1) / 6:.1f}"
        row = row_of(app, "chatty")
        assert official in row
        assert own in row
        assert "+16.7" in row
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, AuditScreen)
        assert app.screen.state.filter.marked


async def test_titles_of_the_agreement_are_shorter_where_room_is(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("m", "f", "a")
        await settle(pilot)
        assert "and with marked cells as you see them, %" in screen_text(app)
        await resize(pilot, 60, 16)
        assert " and as you see them, % " in screen_text(app)


async def test_the_agreement_follows_an_undo(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("m", "f", "a")
        await settle(pilot)
        assert row_of(app, "all types").split()[2] == "1"
        await pilot.press("u")
        await settle(pilot)
        assert "marked nothing" in screen_text(app)


async def test_the_command_line_says_the_same_agreement(
    make_app: MakeApp, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = write_files(tmp_path)
    app = make_app(paths=paths)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("m", "p")
        await pilot.press("j", "m", "a")
        await settle(pilot)
        verdicts, decisions = app.bench.verdicts, app.bench.decisions
        assert verdicts is not None, app.bench.failure
        on_screen = agreement(results_so_far(verdicts), decisions.marks()).to_dict()
    path = str(decisions.session.path)
    assert main(["agreement", *paths, "--session", path, "--json", "-q"]) == 0
    assert json.loads(capsys.readouterr().out) == on_screen
    assert on_screen["total"]["n"] == 2
    assert main(["agreement", *paths, "--session", path, "--annotator", "bob"]) == 2
    assert main(["agreement", *paths, "--session", f"{path}.none"]) == 2
    capsys.readouterr()
    assert main(["agreement", *paths, "--session", path, "--format", "csv", "-q"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert rows[-1]["type"] == "all types"


async def test_marks_on_a_text_that_changed_do_not_count(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("m", "p")
        await settle(pilot)
        before = make_workspace().suites["ifeval"]
        changed = {
            key: Response("other", "other", "f", 1) for key in before.responses("chatty")
        }  # fmt: skip
        app.bench.open(Workspace({"ifeval": Suite("ifeval", before.prompts, {"chatty": changed})},
                                 (), ()))  # fmt: skip
        app.bench_changed.publish(None)
        app.judge()
        await settle(pilot)
        verdicts = app.bench.verdicts
        assert verdicts is not None
        found = agreement(results_so_far(verdicts), app.bench.decisions.marks())
        assert (found.total.n, found.changed, found.elsewhere) == (0, 1, 0)


async def test_take_the_table_away(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="scores")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("y")
        head, *rows = [line.split("\t") for line in app.clipboard.splitlines()]
        assert head[1:5] == ["model", "n_prompts", "n_constraints", "prompt_strict"]
        assert [row[1] for row in rows] == ["careful", "chatty", "sloppy"]
        await pilot.press("Y")
        assert "| model |" in app.clipboard
        target = tmp_path / "scores.csv"
        for attempt in range(2):
            await pilot.press("w")
            await pilot.pause()
            app.screen.query_one(Input).value = str(target)
            await pilot.press("enter")
            if attempt:
                await until(pilot, lambda: "exists; enter replaces it" in screen_text(app))
                await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, ScoresScreen))
            written = list(csv.DictReader(target.read_text("utf-8").splitlines()))
            assert [row["model"] for row in written] == ["careful", "chatty", "sloppy"]
            target.write_text("old", encoding="utf-8")


async def test_pending_models_say_how_far_they_are(make_app: MakeApp) -> None:
    app = make_app(start="scores")
    async with app.run_test(size=(120, 40)) as pilot:
        app.bench.open(make_workspace())
        verdicts = app.bench.verdicts
        assert verdicts is not None
        verdicts.judge_now("chatty", "102")
        app.bench_changed.publish(None)
        await settle(pilot)
        assert "pending 0 %" in row_of(app, "careful")
        assert "judged 17 %" in row_of(app, "chatty")
        await pilot.press("c")
        await pilot.pause()
        assert isinstance(app.screen, ScoresScreen)
        app.judge()
        await settle(pilot)
        assert "83.3" in row_of(app, "careful")


async def test_scores_without_anything_loaded_say_what_to_do(make_app: MakeApp) -> None:
    app = make_app(workspace=Workspace({}, (), ()), start="scores")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Press 1 for the Library" in screen_text(app)
        await pilot.press("enter", "s", "v", "t", "x", "c", "y", "w")
        await settle(pilot)
        assert app.is_running


def hard_workspace() -> Workspace:
    prompt = Prompt(
        "q1",
        "Write three words.",
        (ConstraintSpec("structure:word_count", {"count": 3}, "structure"),),
        {"tier": "easy"},
    )
    by_model = {"m": {"q1": Response("one two three", "one two three", "f", 1)}}
    return Workspace({"ifhardbench": Suite("ifhardbench", (prompt,), by_model)}, (), ())


async def test_another_benchmark_brings_its_own_columns(make_app: MakeApp) -> None:
    app = make_app(workspace=hard_workspace(), start="scores")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        text = screen_text(app)
        assert "sample pass" in text
        assert "balance" in text
        assert "prompt strict" not in text
        await pilot.press("v")
        assert scores(app).board.measure.name == "near"
        kinds = []
        for _ in range(4):
            kinds.append(scores(app).board.kind)
            await pilot.press("t")
        assert "tier" in kinds


HOSTILE_STEPS = {
    "scores": [],
    "heat": ["tab", "j", "l"],
    "flipped": ["x", "tab"],
    "compare whom": ["c"],
    "compare": ["c", "enter"],
    "agreement": ["3", "m", "p", "2", "a"],
    "write": ["w"],
    "copy": ["y"],
}


@pytest.mark.parametrize("step", HOSTILE_STEPS)
async def test_names_from_files_never_act(make_app: MakeApp, step: str) -> None:
    app = make_app(workspace=hostile_workspace(), start="scores")
    async with app.run_test(size=(100, 40), notifications=True, tooltips=True) as pilot:
        await settle(pilot)
        for key in HOSTILE_STEPS[step]:
            await pilot.press(key)
            await settle(pilot)
        text = screen_text(app).replace("\n", "")
        assert not (found := ACTS.search(text)), f"{found!r} is on the screen"
        assert app.is_running
