"""Slow twins of the sentence and word tokenisers, and the golden cases both tests share.

The twins follow the written description of the reference step by step, with its own patterns and
without any care for speed, so that an error in the fast code cannot hide in them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import punkt

__all__ = ["golden_cases", "relation_holds", "slow_sentence_spans", "slow_word_tokens", "variants"]

_MODEL = punkt.load_model("english")

_NONWORD = r"(?:[)\";}\]\*:@\'\({\[!?])"
_MULTI = r"(?:\-{2,}|\.{2,}|(?:\.\s){2,}\.)"
_WORDSTART = r"[^\(\"\`{\[:;&\#\*@\)}\]\-,]"
_END = rf"\s|$|{_NONWORD}|{_MULTI}|,(?=$|\s|{_NONWORD}|{_MULTI})"
_WORD = re.compile(rf"{_MULTI}|(?={_WORDSTART})\S+?(?={_END})|\S")
_CONTEXT = re.compile(rf"[.?!](?=(?P<after>{_NONWORD}|\s+(?P<next>\S+)))")
_REALIGN = re.compile(r"[\"')\]}]+?(?:\s+|(?=--)|$)", re.MULTILINE)
_NUMBER = re.compile(r"^-?[\.,]?\d[\d,\.-]*\.?$")


class _Token:
    """One word of a context with the marks of the first pass."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.type = _NUMBER.sub("##number##", text.lower())
        self.initial = re.match(r"[^\W\d]\.$", text) is not None
        self.ellipsis = self.abbreviation = self.breaks = False
        if text in (".", "?", "!"):
            self.breaks = True
        elif re.match(r"\.\.+$", text):
            self.ellipsis = True
        elif text.endswith(".") and not text.endswith(".."):
            base = text[:-1].lower()
            abbreviations = _MODEL.abbrev_types
            if base in abbreviations or base.split("-")[-1] in abbreviations:
                self.abbreviation = True
            else:
                self.breaks = True

    def without_period(self) -> str:
        return self.type[:-1] if len(self.type) > 1 and self.type.endswith(".") else self.type

    def as_next(self) -> str:
        return self.without_period() if self.breaks else self.type


def _orthographic(token: _Token) -> bool | None:
    if token.text in (";", ":", ",", ".", "!", "?"):
        return False
    seen = _MODEL.ortho_context.get(token.as_next(), 0)
    if token.text[0].isupper() and seen & 112 and not seen & 4:
        return True
    if token.text[0].islower() and (seen & 14 or not seen & 16):
        return False
    return None


def _second_pass(x: _Token, y: _Token) -> None:
    if not x.text.endswith("."):
        return
    p, q = x.without_period(), y.as_next()
    upper = y.text[0].isupper()
    if (p, q) in _MODEL.collocations:
        x.breaks = False
        return
    starter = _orthographic(y) is True or (upper and q in _MODEL.sent_starters)
    if (x.abbreviation or x.ellipsis) and not x.initial and starter:
        x.breaks = True
        return
    if x.initial or p == "##number##":
        starts = _orthographic(y)
        if starts is False:
            x.breaks = False
        lower_seen = _MODEL.ortho_context.get(q, 0) & 112
        if starts is None and x.initial and upper and not lower_seen:
            x.breaks = False


def _has_boundary(context: str) -> bool:
    tokens = [
        _Token(word) for line in context.split("\n") if line.strip() for word in _WORD.findall(line)
    ]
    for i in range(len(tokens) - 1):
        _second_pass(tokens[i], tokens[i + 1])
    return any(token.breaks for token in tokens[:-1])


def _candidates(text: str) -> Iterator[tuple[re.Match[str], str]]:
    start = stop = 0
    previous: re.Match[str] | None = None
    for match in _CONTEXT.finditer(text):
        between = text[stop : match.start()]
        index = max((i for i, c in enumerate(between) if c in " \t\n\r\v\f"), default=0)
        a = stop + index + 1 if index else start
        if previous is not None and stop <= a:
            yield previous, text[start:stop] + previous.group() + previous["after"]
        start, stop, previous = a, match.start(), match
    if previous is not None:
        yield previous, text[start:stop] + previous.group() + previous["after"]


def _slices(text: str) -> Iterator[tuple[int, int]]:
    last = 0
    for match, context in _candidates(text):
        if _has_boundary(context):
            yield last, match.end()
            last = match.end() if match["next"] is None else match.start("next")
    yield last, len(text.rstrip())


def slow_sentence_spans(text: str) -> list[tuple[int, int]]:
    """Sentences as the description gives them, quadratic time and worse."""
    found = []
    moved = 0
    slices = list(_slices(text))
    for i, (s, e) in enumerate(slices):
        s += moved
        moved = 0
        if i + 1 < len(slices):
            s2, e2 = slices[i + 1]
            match = _REALIGN.match(text[s2:e2])
            if match is not None:
                found.append((s, s2 + len(match.group().rstrip())))
                moved = match.end()
                continue
        if text[s:e]:
            found.append((s, e))
    return found


_PAIRS = (
    (r"([«“‘„]|[`]+)", r" \1 "),
    (r'^"', "``"),
    (r"(``)", r" \1 "),
    (r"([ \(\[{<])(\"|'{2})", r"\1 `` "),
    (r"(?i)(')(?!re|ve|ll|m|t|s|d|n)(\w)\b", r"\1 \2"),
    (r"([^\.])(\.)([\]\)}>\"'»”’ ]*)\s*$", r"\1 \2 \3 "),
    (r"([:,])([^\d])", r" \1 \2"),
    (r"([:,])$", r" \1 "),
    (r"\.{2,}", r" \g<0> "),
    (r"[;@#$%&]", r" \g<0> "),
    (r"([^\.])(\.)([\]\)}>\"']*)\s*$", r"\1 \2\3 "),
    (r"[?!]", r" \g<0> "),
    (r"([^'])' ", r"\1 ' "),
    (r"[*]", r" \g<0> "),
    (r"[\]\[\(\)\{\}\<\>]", r" \g<0> "),
    (r"--", r" -- "),
    (r"(?s)\A(.*)\Z", r" \1 "),
    (r"([»”’])", r" \1 "),
    (r"''", r" '' "),
    (r'"', r" '' "),
    (r"\s+", r" "),
    (r"([^' ])('[sS]|'[mM]|'[dD]|') ", r"\1 \2 "),
    (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
    (r"(?i)\b(can)(not)\b", r" \1 \2 "),
    (r"(?i)\b(d)('ye)\b", r" \1 \2 "),
    (r"(?i)\b(gim)(me)\b", r" \1 \2 "),
    (r"(?i)\b(gon)(na)\b", r" \1 \2 "),
    (r"(?i)\b(got)(ta)\b", r" \1 \2 "),
    (r"(?i)\b(lem)(me)\b", r" \1 \2 "),
    (r"(?i)\b(more)('n)\b", r" \1 \2 "),
    (r"(?i)\b(wan)(na)(?=\s)", r" \1 \2 "),
    (r"(?i) ('t)(is)\b", r" \1 \2 "),
    (r"(?i) ('t)(was)\b", r" \1 \2 "),
)
_RULES = [(re.compile(pattern), replacement) for pattern, replacement in _PAIRS]


def slow_word_tokens(text: str) -> list[str]:
    """Word tokens, one sentence and one substitution at a time."""
    tokens = []
    for s, e in slow_sentence_spans(text):
        sentence = text[s:e]
        for pattern, replacement in _RULES:
            sentence = pattern.sub(replacement, sentence)
        tokens += sentence.split()
    return tokens


def variants(response: str) -> list[str]:
    """The eight text variants of a response, identity first."""
    lines = response.split("\n")
    cuts = ["\n".join(part).strip() for part in (lines[1:], lines[:-1], lines[1:-1])]
    return [response, response.replace("*", ""), *cuts, *(cut.replace("*", "") for cut in cuts)]


def relation_holds(count: int, relation: str, threshold: int) -> bool:
    """Whether a count satisfies a constraint's relation."""
    return {"less than": count < threshold, "at least": count >= threshold}[relation]


def golden_cases(shared: Path, type_id: str) -> Iterator[tuple[dict[str, Any], str, bool]]:
    """(kwargs, variant text, expected verdict) of the adversarial golden cases of one type."""
    with (shared / "golden" / "ifeval" / "fuzz.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            if case["id"] != type_id or case["build_error"] or case.get("random_default"):
                continue
            texts = variants(case["response"] or "")
            for text, expected in zip(texts, case["variants"], strict=True):
                if text.strip():
                    yield case["kwargs"], text, expected
