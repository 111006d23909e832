"""The pane that shows a response: painting, stepping, selecting, any length."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from ifbench_tui import scoring
from ifbench_tui.engine.verdict import Span
from ifbench_tui.report.display import display_text
from ifbench_tui.report.glyphs import UNICODE
from ifbench_tui.tui.ink import INK_CLASSES
from ifbench_tui.tui.painting import evidence_marks, removed_marks
from ifbench_tui.tui.runs import Mark, Runs
from ifbench_tui.tui.themes import role_defaults
from ifbench_tui.tui.widgets.reading_pane import ReadingPane

from .conftest import HOSTILE, until

TEXTS = st.text(st.sampled_from("ab *\n\t\r\x1b\u202e漢"), max_size=60)


class PaneApp(App[None]):
    """A pane and nothing else."""

    CSS_PATH = "../../ifbench_tui/tui/styles/base.tcss"
    COMPONENT_CLASSES = INK_CLASSES

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return role_defaults(True)

    def compose(self) -> ComposeResult:
        yield ReadingPane(id="pane")

    @property
    def pane(self) -> ReadingPane:
        return self.query_one("#pane", ReadingPane)


@given(TEXTS, st.integers(0, 7), st.data())
@settings(max_examples=200, deadline=None)
def test_evidence_lands_on_the_characters_it_was_found_in(
    text: str, variant: int, data: st.DataObject
) -> None:
    benchmark = scoring.benchmark_for("ifeval")
    checked = benchmark.variants(text)[variant]
    kept = benchmark.kept(text, variant)
    start = data.draw(st.integers(0, len(checked)))
    end = data.draw(st.integers(start, len(checked)))
    (mark,) = evidence_marks([Span(start, end)], kept, UNICODE)
    inside = [i for low, high in kept for i in range(low, high) if mark.start <= i < mark.end]
    assert "".join(text[i] for i in inside) == checked[start:end]


@given(TEXTS, st.integers(0, 7))
@settings(max_examples=200, deadline=None)
def test_removed_marks_are_what_a_variant_lacks(text: str, variant: int) -> None:
    benchmark = scoring.benchmark_for("ifeval")
    marks = removed_marks(benchmark, text, variant, UNICODE)
    gone = {i for mark in marks for i in range(mark.start, mark.end)}
    there = {i for low, high in benchmark.kept(text, variant) for i in range(low, high)}
    assert not gone & there
    assert all(text[i].isspace() for i in set(range(len(text))) - gone - there)


@given(TEXTS, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=6))
@settings(max_examples=200, deadline=None)
def test_runs_cover_a_range_once_and_in_order(text: str, places: list[tuple[int, int]]) -> None:
    marks = [
        Mark(min(a, b, len(text)), min(max(a, b), len(text)), ink)
        for (a, b), ink in zip(places, ["counts", "offends", "limit"] * 2, strict=False)
    ]
    display = display_text(text)
    runs = Runs(marks, display)
    if runs.stops:
        runs.current = 0
    parts = list(runs.within(0, len(display.text)))
    assert "".join(display.text[a:b] for a, b, _ in parts) == display.text
    for mark in marks:
        if mark.start < mark.end:
            first = display.to_display(mark.start)
            if first < display.to_display(mark.end):
                inks = next(inks for a, b, inks in parts if a <= first < b)
                assert mark.ink in inks.split()


LONG = {"one line": "x" * 1_000_000, "short lines": "abc\n" * 250_000, "wide": "漢" * 400_000}


@pytest.mark.parametrize("name", LONG)
async def test_a_megabyte_is_drawn_at_once_and_wrapped_to_the_end(name: str) -> None:
    app = PaneApp()
    async with app.run_test(size=(80, 24)) as pilot:
        pane = app.pane
        pane.show(LONG[name])
        # Before any worker ran there is a first screen.
        assert pane.line_count > 24
        await until(pilot, lambda: all(worker.is_finished for worker in app.workers))
        lines = {"one line": 12_988, "short lines": 250_001, "wide": 10_527}
        assert abs(pane.line_count - lines[name]) < 300
        pane.action_scroll_bottom()
        await pilot.pause()
        assert pane.scroll_offset.y == pane.max_scroll_y > 10_000


async def test_a_mouse_selection_gives_the_original_characters() -> None:
    app = PaneApp()
    async with app.run_test(size=(120, 24)) as pilot:
        app.pane.show(HOSTILE)
        await pilot.pause()
        await pilot.mouse_down("#pane", offset=(2, 0))
        await pilot.hover("#pane", offset=(119, 0))
        await pilot.mouse_up("#pane", offset=(119, 0))
        await pilot.pause()
        selected = app.screen.get_selected_text()
        assert selected is not None
        assert selected.startswith("\x1b]52;c;aGFja2Vk\x07 \x1b[2J\x1b[8mhidden")


async def test_stepping_goes_round_and_scrolls_to_each_mark() -> None:
    text = "".join(f"line {number}\n" for number in range(200))
    marks = [
        Mark(text.index(f"line {n}\n"), text.index(f"line {n}\n") + 4, "counts") for n in (5, 150)
    ]
    app = PaneApp()
    async with app.run_test(size=(40, 10)) as pilot:
        pane = app.pane
        pane.show(text, marks)
        await pilot.pause()
        assert pane.scroll_offset.y == 0
        pane.step(1)
        await pilot.pause()
        assert 140 < pane.scroll_offset.y <= 150
        pane.step(1)
        await pilot.pause()
        assert pane.scroll_offset.y <= 5


async def test_unwrapped_lines_run_on_and_marks_are_scrolled_to() -> None:
    text = "word " * 200 + "HERE"
    app = PaneApp()
    async with app.run_test(size=(40, 10)) as pilot:
        pane = app.pane
        pane.show(text, [Mark(1000, 1004, "counts")])
        await pilot.pause()
        assert pane.line_count > 1
        pane.action_toggle_wrap()
        await pilot.pause()
        assert pane.line_count == 1
        pane.step(1)
        await pilot.pause()
        assert pane.scroll_offset.x > 900


def test_a_mark_of_no_width_says_its_note_at_the_end_of_its_line() -> None:
    text = "one\n\nthree"
    runs = Runs([Mark(4, 4, "missing", tail="← here")], display_text(text))
    assert [runs.tail(0, 3), runs.tail(4, 4), runs.tail(5, 10)] == ["", "  ← here", ""]
    wrapped = Runs([Mark(2, 3, "removed", tail="← gone")], display_text("abcdef"))
    assert [wrapped.tail(0, 3), wrapped.tail(3, 6)] == ["  ← gone", ""]


async def test_an_empty_text_can_carry_a_mark() -> None:
    app = PaneApp()
    async with app.run_test(size=(40, 10)) as pilot:
        app.pane.show("", [Mark(0, 0, "missing", "nothing here", tail="← nothing here")])
        await pilot.pause()
        app.pane.step(1)
        await pilot.pause()
        assert app.is_running


async def test_a_text_with_nothing_to_read_says_so() -> None:
    app = PaneApp()
    async with app.run_test(size=(40, 6)) as pilot:
        pane = app.pane
        pane._blank = "(nothing)"
        for text, row in (("", 0), ("\n \n", 3), ("a", None)):
            pane.show(text)
            await pilot.pause()
            lines = [pane.line(y).text.strip() for y in range(6)]
            found = lines.index("(nothing)") if "(nothing)" in lines else None
            assert found == row, lines
            assert pane.text == text


async def test_blank_lines_by_the_screen_say_so_and_keep_their_marks() -> None:
    app = PaneApp()
    async with app.run_test(size=(40, 6)) as pilot:
        pane = app.pane
        pane._blank = "(nothing)"
        pane.show("\n" * 50)
        for top in (0, 20):
            pane.scroll_to(y=top, animate=False, immediate=True, force=True)
            await pilot.pause()
            lines = [pane.line(y).text.strip() for y in range(6)]
            assert lines == ["", "", "", "", "", "(nothing)"]
        pane.show("", [Mark(0, 0, "missing", "a title", tail="no title")])
        await pilot.pause()
        lines = [pane.line(y).text.strip() for y in range(2)]
        assert "no title" in lines[0]
        assert lines[1] == "(nothing)"
