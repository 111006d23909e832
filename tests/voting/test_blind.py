"""Identity words are hidden, other words are not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifbench_tui.voting.blind import MASK, PLAIN_MASK, Blindfold

NAMES = ("alpha-7b", "org/Beta_9b", "claude-3-haiku-20240307", "gpt4-20231107", "sea (v2)", "o1")
FOLD = Blindfold(NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "I am alpha-7b.",
        "I am ALPHA 7B, hello",
        "alpha\n7b",
        "xalpha-7bx",
        "by org/Beta_9b",
        "Beta 9b",
        "This is Claude 3.5 Sonnet by Anthropic",
        "CLAUDE",
        "haiku",
        "As ChatGPT, a model of OpenAI",
        "I am GPT-4o",
        "gpt4",
        "Qwen2.5-7B-Instruct, from Alibaba Cloud",
        "a model trained by Google",
        "DeepSeek-R1",
        "Llama 3.1",
        "I'm o1-mini",
        "o1",
    ],
)
def test_identity_words_are_hidden(text: str) -> None:
    masked = FOLD.response(text)
    assert MASK in masked.text
    for name in ("alpha", "beta", "claude", "haiku", "gpt", "qwen", "google", "deepseek", "llama",
                 "openai", "anthropic", "alibaba", "o1", "7b", "9b"):  # fmt: skip
        assert name not in masked.text.casefold()


@pytest.mark.parametrize(
    "text",
    [
        "A bloom in spring; the minimax rule; a dolly; a falcon; a granite wall.",
        "The metal is alphabetical, the season seasoned.",
        "Google it. Apple pie. Made by hand.",
        "",
        "to01 o12",
    ],
)
def test_other_words_stay(text: str) -> None:
    assert FOLD.response(text).text == text


def test_names_with_four_characters_are_hidden_inside_words_shorter_ones_are_not() -> None:
    fold = Blindfold(["care", "sea"])
    assert fold.response("careful seasons by the sea").text == f"{MASK}ful seasons by the {MASK}"


def test_a_prompt_keeps_what_it_is_about_but_not_the_names_that_take_part() -> None:
    masked = FOLD.prompt("Compare Claude with Gemini in one haiku for alpha-7b.")
    assert masked.text == f"Compare Claude with Gemini in one haiku for {MASK}."


def test_every_mask_is_alike_so_that_its_length_tells_nothing() -> None:
    masked = FOLD.response("gpt4 and claude-3-haiku-20240307")
    assert masked.text == f"{MASK} and {MASK}"
    assert Blindfold(["gpt4"], ascii_only=True).response("gpt4").text == PLAIN_MASK


def test_the_signs_stand_where_the_words_were() -> None:
    masked = FOLD.response("x alpha-7b y GPT-4 z")
    assert masked.text == f"x {MASK} y {MASK} z"
    assert [masked.text[a:b] for a, b in masked.spans] == [MASK, MASK]


def test_odd_names_do_not_break_it() -> None:
    fold = Blindfold(["", "x", "[/]", "(((", "a" * 500, "=", "漢字モデル", "\ud800\x00"])
    assert fold.response("the 漢字モデル says (((").text == f"the {MASK} says {MASK}"
    assert fold.response("x marks").text == "x marks", "one character cannot be told from text"


@given(st.text(max_size=80), st.lists(st.text(min_size=4, max_size=8), max_size=3))
def test_no_full_name_survives_and_the_rest_does(text: str, names: list[str]) -> None:
    fold = Blindfold(names)
    masked = fold.response(text + "".join(names))
    outside, at = [], 0
    for start, end in masked.spans:
        outside.append(masked.text[at:start])
        at = end
    outside.append(masked.text[at:])
    for name in names:
        if len([c for c in name if c.isalnum()]) >= 4:
            assert all(name not in part for part in outside)
    # What stands between the signs is the original's, in its order, and a sign stands for text.
    assert re.fullmatch("(?s:.+)".join(map(re.escape, outside)), text + "".join(names))
