"""A slow twin of the whole IFEval check: building, the eight variants, and what raises where.

Every type is one function: its keyword arguments are the parameters the type knows, its body builds
and returns the check, and what the reference raises comes out by itself. `draw` stands where the
reference would draw a parameter at random. The reference patterns are used as they are given and
nothing is done for speed.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import langdetect
from langdetect import DetectorFactory
from langdetect.lang_detect_exception import LangDetectException

from tests.engine.slow_tokenisers import slow_sentence_spans, slow_word_tokens, variants

__all__ = ["TYPES", "SlowVerdict", "slow_judge"]

_CODES = "en es pt ar hi fr ru de ja it bn uk th ur ta te bg ko pl he fa vi ne sw kn mr gu pa ml fi"
LANGUAGES = dict.fromkeys(_CODES.split())
RAISED = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
    re.error,
)

T = TypeVar("T")
Check = Callable[[str], bool]
Draw = Callable[[T], T]


@dataclass(frozen=True)
class SlowVerdict:
    """What the reference says: what building raised, whether it had drawn, and a cell a variant.

    A cell is a verdict or the name of what the check raised, with a "!" before it.
    """

    build_error: str | None
    random: bool = False
    cells: tuple[bool | str, ...] = ()

    @property
    def loose(self) -> bool | str:
        """The first cell that is not False."""
        return next((cell for cell in self.cells if cell is not False), False)


def slow_judge(type_id: str, kwargs: Mapping[str, Any], response: str) -> SlowVerdict:
    """Build the constraint and check it on every variant, as the reference does."""
    drawn: list[Any] = []

    def draw(value: T) -> T:
        drawn.append(value)
        return value

    try:
        check = TYPES[type_id](draw, **kwargs)
    except RAISED as raised:
        return SlowVerdict(_name(raised), bool(drawn))
    cells = tuple(_cell(check, variant) for variant in variants(response))
    return SlowVerdict(None, bool(drawn), cells)


def _cell(check: Check, value: str) -> bool | str:
    try:
        return bool(value.strip()) and check(value)
    except RAISED as raised:
        return f"!{_name(raised)}"


def _name(raised: Exception) -> str:
    return "re.error" if isinstance(raised, re.error) else type(raised).__name__


def _number(draw: Draw[int], number: Any) -> Any:
    return draw(1) if number is None or number < 0 else number


def _relation(draw: Draw[str], relation: Any) -> Callable[[Any, Any], bool]:
    if relation is None:
        relation = draw("at least")
    elif relation not in ("less than", "at least"):
        raise ValueError(relation)
    if relation == "less than":
        return lambda count, threshold: count < threshold
    return lambda count, threshold: count >= threshold


def _stripped(text: Any) -> Any:
    return text.strip() if isinstance(text, str) else text


def _existence(draw: Draw[Any], *, keywords: Any = None) -> Check:
    ordered = sorted(keywords or draw(["x"]))

    def check(value: str) -> bool:
        return all(re.search(keyword, value, re.IGNORECASE) for keyword in ordered)

    return check


def _frequency(
    draw: Draw[Any], *, keyword: Any = None, frequency: Any = None, relation: Any = None
) -> Check:
    pattern = (keyword or draw("x")).strip()
    threshold = _number(draw, frequency)
    compare = _relation(draw, relation)
    return lambda value: compare(len(re.findall(pattern, value, re.IGNORECASE)), threshold)


def _forbidden(draw: Draw[Any], *, forbidden_words: Any = None) -> Check:
    ordered = sorted(set(forbidden_words or draw(["x"])))

    def check(value: str) -> bool:
        return not any(re.search(r"\b" + w + r"\b", value, re.IGNORECASE) for w in ordered)

    return check


def _letters(
    draw: Draw[Any], *, letter: Any = None, let_frequency: Any = None, let_relation: Any = None
) -> Check:
    if not letter or len(letter) > 1:
        letter = draw("x")
    wanted = letter.strip().lower()
    threshold = _number(draw, let_frequency)
    compare = _relation(draw, let_relation)
    return lambda value: compare(Counter(value.lower())[wanted], threshold)


def _detected(value: str) -> str:
    DetectorFactory.seed = 0
    return str(langdetect.detect(value))


def _language(draw: Draw[Any], *, language: Any = None) -> Check:
    code = draw("en") if language is None else language
    LANGUAGES[code]

    def check(value: str) -> bool:
        try:
            return bool(_detected(value) == code)
        except LangDetectException:
            return True

    return check


def _sentences(draw: Draw[Any], *, num_sentences: Any = None, relation: Any = None) -> Check:
    threshold = _number(draw, num_sentences)
    compare = _relation(draw, relation)
    return lambda value: compare(len(slow_sentence_spans(value)), threshold)


def _paragraphs(draw: Draw[Any], *, num_paragraphs: Any = None) -> Check:
    wanted = _number(draw, num_paragraphs)

    def check(value: str) -> bool:
        parts = re.split(r"\s?\*\*\*\s?", value)
        count = len(parts)
        for i, part in enumerate(parts):
            if not part.strip():
                if i not in (0, len(parts) - 1):
                    return False
                count -= 1
        return bool(count == wanted)

    return check


def _words(draw: Draw[Any], *, num_words: Any = None, relation: Any = None) -> Check:
    threshold = _number(draw, num_words)
    compare = _relation(draw, relation)
    return lambda value: compare(len(re.findall(r"\w+", value)), threshold)


def _first_word(
    draw: Draw[Any],
    *,
    num_paragraphs: Any = None,
    nth_paragraph: Any = None,
    first_word: Any = None,
) -> Check:
    wanted = _number(draw, num_paragraphs)
    if nth_paragraph is None or nth_paragraph <= 0 or nth_paragraph > wanted:
        nth_paragraph = draw(1)
    target = (draw("x") if first_word is None else first_word).lower()

    def check(value: str) -> bool:
        parts = re.split(r"\n\n", value)
        count = sum(1 for part in parts if part.strip())
        if nth_paragraph > count:
            return False
        paragraph = parts[nth_paragraph - 1].strip()
        if not paragraph:
            return False
        word = ""
        for character in paragraph.split()[0].lstrip("'").lstrip('"'):
            if character in ".,?!'\"":
                break
            word += character.lower()
        return bool(count == wanted and word == target)

    return check


def _placeholders(draw: Draw[Any], *, num_placeholders: Any = None) -> Check:
    wanted = _number(draw, num_placeholders)
    return lambda value: len(re.findall(r"\[.*?\]", value)) >= wanted


def _postscript(draw: Draw[Any], *, postscript_marker: Any = None) -> Check:
    marker = draw("P.S.") if postscript_marker is None else _stripped(postscript_marker)

    def check(value: str) -> bool:
        if marker == "P.P.S":
            pattern = r"\s*p\.\s?p\.\s?s.*$"
        elif marker == "P.S.":
            pattern = r"\s*p\.\s?s\..*$"
        else:
            pattern = r"\s*" + marker.lower() + r".*$"
        return bool(re.findall(pattern, value.lower(), re.MULTILINE))

    return check


def _bullets(draw: Draw[Any], *, num_bullets: Any = None) -> Check:
    wanted = _number(draw, num_bullets)

    def check(value: str) -> bool:
        stars = re.findall(r"^\s*\*[^\*].*$", value, re.MULTILINE)
        dashes = re.findall(r"^\s*-.*$", value, re.MULTILINE)
        return bool(len(stars) + len(dashes) == wanted)

    return check


def _constrained(draw: Draw[Any]) -> Check:
    options = ("My answer is yes.", "My answer is no.", "My answer is maybe.")
    return lambda value: any(option in value for option in options)


def _highlights(draw: Draw[Any], *, num_highlights: Any = None) -> Check:
    wanted = _number(draw, num_highlights)

    def check(value: str) -> bool:
        count = 0
        for single in re.findall(r"\*[^\n\*]*\*", value):
            count += bool(single.strip("*").strip())
        for double in re.findall(r"\*\*[^\n\*]*\*\*", value):
            count += bool(double.removeprefix("**").removesuffix("**").strip())
        return bool(count >= wanted)

    return check


def _sections(draw: Draw[Any], *, section_spliter: Any = None, num_sections: Any = None) -> Check:
    splitter = draw("Section") if section_spliter is None else _stripped(section_spliter)
    wanted = _number(draw, num_sections)

    def check(value: str) -> bool:
        return bool(len(re.split(r"\s?" + splitter + r"\s?\d+\s?", value)) - 1 >= wanted)

    return check


def _json(draw: Draw[Any]) -> Check:
    def check(value: str) -> bool:
        text = value.strip()
        for prefix in ("```json", "```Json", "```JSON", "```"):
            text = text.removeprefix(prefix)
        try:
            json.loads(text.removesuffix("```").strip())
        except ValueError:
            return False
        return True

    return check


def _title(draw: Draw[Any]) -> Check:
    def check(value: str) -> bool:
        titles = re.findall(r"<<[^\n]+>>", value)
        return any(title.lstrip("<").rstrip(">").strip() for title in titles)

    return check


def _two_responses(draw: Draw[Any]) -> Check:
    def check(value: str) -> bool:
        parts = value.split("******")
        kept = []
        for i, part in enumerate(parts):
            if part.strip():
                kept.append(part.strip())
            elif i not in (0, len(parts) - 1):
                return False
        return len(kept) == 2 and kept[0] != kept[1]

    return check


def _repeat(draw: Draw[Any], *, prompt_to_repeat: Any = None) -> Check:
    if not prompt_to_repeat:
        raise ValueError(prompt_to_repeat)
    return lambda value: value.strip().lower().startswith(prompt_to_repeat.strip().lower())


def _end(draw: Draw[Any], *, end_phrase: Any = None) -> Check:
    phrase = draw("x") if end_phrase is None else _stripped(end_phrase)
    return lambda value: value.strip().strip('"').lower().endswith(phrase.strip().lower())


def _quotation(draw: Draw[Any]) -> Check:
    def check(value: str) -> bool:
        text = value.strip()
        return len(text) > 1 and text[0] == '"' and text[-1] == '"'

    return check


def _capitals(
    draw: Draw[Any], *, capital_frequency: Any = None, capital_relation: Any = None
) -> Check:
    threshold = draw(1) if capital_frequency is None else capital_frequency
    compare = _relation(draw, capital_relation)
    return lambda value: compare(
        sum(1 for token in slow_word_tokens(value) if token.isupper()), threshold
    )


def _english(cased: Check) -> Callable[[Draw[Any]], Check]:
    def build(draw: Draw[Any]) -> Check:
        def check(value: str) -> bool:
            try:
                return cased(value) and _detected(value) == "en"
            except LangDetectException:
                return True

        return check

    return build


def _no_comma(draw: Draw[Any]) -> Check:
    return lambda value: "," not in value


TYPES: dict[str, Callable[..., Check]] = {
    "keywords:existence": _existence,
    "keywords:frequency": _frequency,
    "keywords:forbidden_words": _forbidden,
    "keywords:letter_frequency": _letters,
    "language:response_language": _language,
    "length_constraints:number_sentences": _sentences,
    "length_constraints:number_paragraphs": _paragraphs,
    "length_constraints:number_words": _words,
    "length_constraints:nth_paragraph_first_word": _first_word,
    "detectable_content:number_placeholders": _placeholders,
    "detectable_content:postscript": _postscript,
    "detectable_format:number_bullet_lists": _bullets,
    "detectable_format:constrained_response": _constrained,
    "detectable_format:number_highlighted_sections": _highlights,
    "detectable_format:multiple_sections": _sections,
    "detectable_format:json_format": _json,
    "detectable_format:title": _title,
    "combination:two_responses": _two_responses,
    "combination:repeat_prompt": _repeat,
    "startend:end_checker": _end,
    "startend:quotation": _quotation,
    "change_case:capital_word_frequency": _capitals,
    "change_case:english_capital": _english(str.isupper),
    "change_case:english_lowercase": _english(str.islower),
    "punctuation:no_comma": _no_comma,
}
