"""Unseen characters become visible, and offsets survive the change."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from ifbench_tui.report.display import (
    clip,
    display_text,
    one_line,
    scratch_decode,
    scratch_encode,
    scratch_glyphs,
    typed,
)

ACTS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
TEXTS = st.text(
    st.one_of(
        st.characters(max_codepoint=0xFFFFF),
        st.sampled_from("\x00\x1b\x9b\x7f\t\r\n\u202e\u200b\u200d\ufe0f\u2028\ud800\ufeff👨❤#"),
    ),
    max_size=60,
)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a\x00b", "a␀b"),
        ("good\rEVIL", "good␍EVIL"),
        ("line\r\nnext", "line\nnext"),
        ("safe\b\b", "safe␈␈"),
        ("\x1b[8mhidden", "␛[8mhidden"),
        ("a\x7fb", "a␡b"),
        ("\x9b31m", "⟨U+009B⟩31m"),
        ("\u202eabc", "⟨U+202E⟩abc"),
        ("zero\u200bwidth", "zero⟨U+200B⟩width"),
        ("\ud800", "⟨U+D800⟩"),
        ("a\u2028b\u2029c\x85d\x0be\x0cf", "a⟨U+2028⟩b⟨U+2029⟩c⟨U+0085⟩d␋e␌f"),
        ("[/path] [b]x[/b]", "[/path] [b]x[/b]"),
        ("漢字 e\u0301 👨‍👩‍👧 ❤️ 1️⃣ 🇫🇷", "漢字 e\u0301 👨‍👩‍👧 ❤️ 1️⃣ 🇫🇷"),
        ("a\u200db", "a⟨U+200D⟩b"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("a\tb\n\tc", "a   b\n    c"),
        ("漢\tb", "漢  b"),
    ],
)
def test_what_is_shown(raw: str, shown: str) -> None:
    assert display_text(raw).text == shown


def test_ascii_signs() -> None:
    assert display_text("\x1b\x7f\u202e", ascii_only=True).text == "^[^?<U+202E>"


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_nothing_that_acts_is_left(text: str) -> None:
    assert not ACTS.search(display_text(text).text)
    assert not ACTS.search(scratch_glyphs(text))
    assert "\n" not in one_line(text)


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_offsets_go_there_and_back(text: str) -> None:
    display = display_text(text)
    assert display.to_display(0) == 0
    assert display.to_display(len(text)) == len(display.text)
    assert display.to_raw(len(display.text)) == len(text)
    places = [display.to_display(offset) for offset in range(len(text) + 1)]
    assert places == sorted(places)
    for offset, char in enumerate(text):
        shown = display.text[display.to_display(offset) : display.to_display(offset + 1)]
        inside_newline = text[max(0, offset - 1) : offset + 1] == "\r\n"
        if shown == char and not inside_newline:
            assert display.to_raw(display.to_display(offset)) == offset


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_a_scratch_copy_keeps_every_character(text: str) -> None:
    assert scratch_decode(scratch_encode(text)) == text
    assert "\r" not in scratch_encode(text)


@pytest.mark.parametrize(
    ("text", "width", "cut"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("漢字漢", 4, "漢…"),
        ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"),
        ("abc", 0, ""),
    ],
)
def test_clip(text: str, width: int, cut: str) -> None:
    assert clip(text, width) == cut


@given(TEXTS, st.integers(0, 12))
@settings(max_examples=200, deadline=None)
def test_a_clipped_text_fits(text: str, width: int) -> None:
    assert cell_len(clip(one_line(text), width)) <= width


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_a_typed_line_has_nothing_that_acts_and_stays_itself(text: str) -> None:
    line = typed(text)
    assert not ACTS.search(line)
    assert "\n" not in line
    assert typed(line) == line
