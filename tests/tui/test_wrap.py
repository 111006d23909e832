"""Lines cover the text exactly, fit the pane, and never cut a character in two."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len, split_graphemes

from ifbench_tui.tui.wrap import wrap

PIECES = st.sampled_from(
    ["a", "word", " ", "  ", "\n", "\n\n", "漢字", "👨‍👩‍👧", "e\u0301", "x" * 30, "❤️", "🇫🇷", "1️⃣"]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join)


@given(TEXTS, st.integers(2, 30))
@settings(max_examples=200, deadline=None)
def test_lines_are_the_text_and_fit(text: str, width: int) -> None:
    lines = wrap(text, width)
    drawn = [text[start:end] for start, end in lines]
    between = [
        text[end:start] for (_, end), (start, _) in zip(lines, list(lines)[1:], strict=False)
    ]
    assert "".join(a + b for a, b in zip(drawn, [*between, ""], strict=True)) == text
    assert set(between) <= {"", "\n"}
    assert all(cell_len(line.rstrip(" ")) <= width for line in drawn)


@given(TEXTS, st.integers(2, 12))
@settings(max_examples=100, deadline=None)
def test_no_character_is_cut_in_two(text: str, width: int) -> None:
    for line in text.split("\n"):
        whole = {start for start, _, _ in split_graphemes(line)[0]} | {len(line)}
        assert all(start in whole for start, _ in wrap(line, width))


def test_words_stay_whole_where_they_can() -> None:
    text = "the quick brown fox"
    assert [text[a:b] for a, b in wrap(text, 10)] == ["the quick ", "brown fox"]


def test_a_word_wider_than_the_pane_is_cut() -> None:
    text = "see abcdefghijkl now"
    assert [text[a:b] for a, b in wrap(text, 5)] == ["see ", "abcde", "fghij", "kl ", "now"]


def test_unfolded_lines_run_on() -> None:
    assert len(wrap("a b c " * 100, 5, fold=False)) == 1


def test_line_at_finds_the_line_that_draws_an_offset() -> None:
    lines = wrap("ab\n\ncd", 10)
    assert [lines.line_at(offset) for offset in range(6)] == [0, 0, 0, 1, 2, 2]
