"""IFHardBench in the app: find a model's blind spot and read why; two suites side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from ifbench_tui.filters import Filter
from ifbench_tui.tui.app import AuditApp
from ifbench_tui.tui.screens.audit import AuditScreen
from ifbench_tui.tui.screens.scores import ScoresScreen

from .conftest import MakeApp, screen_text, settle

SAMPLE_DATA = Path(__file__).resolve().parents[2] / "sample_data"
HARD = (str(SAMPLE_DATA / "ifhardbench"),)
BOTH = (str(SAMPLE_DATA),)
SIZES = [(80, 24), (120, 40)]


def scores(app: AuditApp) -> ScoresScreen:
    assert isinstance(app.screen, ScoresScreen)
    return app.screen


def running_text(app: AuditApp) -> str:
    """The screen as if no line were broken."""
    return " ".join(screen_text(app).split())


def audit(app: AuditApp) -> AuditScreen:
    assert isinstance(app.screen, AuditScreen)
    return app.screen


@pytest.mark.parametrize("size", SIZES)
async def test_find_this_models_blind_spot_and_read_why(
    make_app: MakeApp, size: tuple[int, int]
) -> None:
    app = make_app(paths=HARD, start="scores")
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        text = screen_text(app)
        assert "5/36" in text
        assert "(n) too thin to count" in text
        board = scores(app).board
        assert set(board.groups[:3]) == {
            "structure:word_count", "structure:char_count", "style:no_commas"
        }  # fmt: skip
        thin = [name.rpartition(":")[2] for name in board.groups[5:]]
        assert "bold_words" in thin
        assert "sentence_count" not in thin

        scores(app).models.move(board.order.index("magpie-chat"), 4)
        await pilot.pause()
        assert board.columns[4].title == "counted"
        assert "char_count 0.40 (0/7), no_commas 0.40 (0/5)" in screen_text(app)

        await pilot.press("tab")
        row = board.groups.index("structure:char_count")
        scores(app).heat.move(row, board.order.index("magpie-chat"))
        await pilot.pause()
        assert "n 7  factor 0.398  followed 0.0 (0)" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)

        screen = audit(app)
        assert app.bench.model == "magpie-chat"
        assert screen.state.filter == Filter(strict=False, type="structure:char_count")
        assert len(screen.state.rows) == 7
        assert screen.state.key == "302"
        assert screen.state.spec is not None
        assert screen.state.spec.type == "structure:char_count"
        text = running_text(app)
        assert "257 characters, 37 too many" in text
        assert "at most 220 characters" in text
        assert "Не больше 220" in text
        assert "✗✗" not in text


async def test_step_through_the_evidence_of_a_condition(make_app: MakeApp) -> None:
    app = make_app(paths=HARD, start="audit", model="magpie-chat")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.use(model="magpie-chat")
        await app.audit(where="type:conditional_include strict:fail")
        await settle(pilot)
        text = screen_text(app)
        assert audit(app).state.key == "302"
        assert "the condition does not hold, «море» is there" in text
        assert "Если в контексте есть море" in text
        await app.audit(where="type:forbid_letter family:style", key="301")
        await settle(pilot)
        assert "«ф» 1 time" in screen_text(app)
        assert "Буква «ф» под запретом." in running_text(app)


async def test_a_cell_of_any_group_opens_its_prompts(make_app: MakeApp) -> None:
    app = make_app(paths=HARD, start="scores")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        board = scores(app).board
        await pilot.press("t", "t", "tab")
        await pilot.pause()
        assert board.kind == "tier"
        scores(app).heat.move(board.groups.index("expert"), board.order.index("wren-mini"))
        await pilot.press("enter")
        await settle(pilot)
        state = audit(app).state
        assert state.filter == Filter(strict=False, has="tier=expert")
        assert [state.prompts[row].key for row in state.rows] == ["304", "307", "310", "313"]


async def test_both_suites_are_a_key_or_a_name_apart(make_app: MakeApp) -> None:
    app = make_app(paths=BOTH, start="scores")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "IFEval" in screen_text(app)
        await pilot.press("right_square_bracket")
        await settle(pilot)
        assert "IFHardBench" in screen_text(app)
        assert "constraint pass" in screen_text(app)
        await app.audit(where="type:no_commas")
        await settle(pilot)
        assert "heron-2 · IFHardBench" in screen_text(app)
        await pilot.press("colon", *"suite", "space", *"ifeval", "enter")
        await settle(pilot)
        assert app.bench.suite_id == "ifeval"
        assert audit(app).state.filter.empty
        assert audit(app).state.key == "101"
        assert "Write a short" in screen_text(app)
