r"""Words of a text: ``\w+`` words, and the word tokens among which capital words are counted.

Word tokens are those of the reference implementation (NLTK 3.9.2), whose rules put spaces around
whatever is to stand alone, sentence by sentence. Here each rule runs once over all sentences: they
are set between newlines, after every white space other than a space has become a tab. Each rule
takes linear time and starts with the characters it looks for, which is what the regex engine
finds fast.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate

from ifbench_tui.engine.text.sentences import sentence_spans

__all__ = ["capital_spans", "count_words", "word_spans", "word_tokens"]

_WORD = re.compile(r"\w+")
_BLANK = re.compile(r"[^\S ]")

# An opening quote mark, one character wide until the end so that tokens keep their width.
_OPEN = "\r"

_LONG_CLITICS = re.compile(
    r"(?:'(?<=[^' ]')(?:ll|LL|re|RE|ve|VE)|n(?<=[^' ]n)'t|N(?<=[^' ]N)'T)(?= )"
)
# cannot, d'ye, gimme, gonna, gotta, lemme, more'n, wanna.
_CONTRACTIONS = re.compile(
    r"([cdglmwCDGLMW](?<!\w.)(?i:(?<=c)an(?=not\b)|(?<=d)(?='ye\b)|(?<=g)im(?=me\b)|(?<=g)on(?=na\b)"
    r"|(?<=g)ot(?=ta\b)|(?<=l)em(?=me\b)|(?<=m)ore(?='n\b)|(?<=w)an(?=na\s)))(\W?\w+)"
)


def _apart(marks: Iterable[str]) -> list[tuple[str, str]]:
    return [(mark, f" {mark} ") for mark in marks]


_RULES: list[tuple[str | re.Pattern[str], str]] = [
    *_apart("«“‘„"),
    (re.compile(r"``*"), r" \g<0> "),
    ('\n"', f"\n {_OPEN} "),
    *_apart(["``"]),
    (re.compile(r"\"(?<=[ (\[{<]\")|'(?<=[ (\[{<]')'"), rf" {_OPEN}\g<0> "),
    (f"{_OPEN}''", "``"),
    (f'{_OPEN}"', _OPEN),
    (re.compile(r"'(?=\w\b)(?!(?i:[mtsdn]))"), "' "),
    # The full stop that ends the sentence.
    (re.compile(r"\.(?<=[^.\n]\.)([\])}>\"'»”’ ]*+)(?=\n)"), r" . \1 "),
    (re.compile(r"([:,])([^\d\n])"), r" \1 \2"),
    (":\n", " : \n"),
    (",\n", " , \n"),
    (re.compile(r"\.\.+"), r" \g<0> "),
    *_apart(";@#$%&?!"),
    (re.compile(r"'(?<=[^'\n]')(?= )"), " '"),
    *_apart("*][(){}<>"),
    *_apart(["--"]),
    ("\t", " "),
    *_apart("\n»”’"),
    *_apart(["''"]),
    *_apart('"'),
    # Clitics.
    (re.compile(r"'(?<=[^' ]')[sSmMdD]?(?= )"), r" \g<0>"),
    (_LONG_CLITICS, r" \g<0>"),
    (_CONTRACTIONS, r" \1 \2 "),
    (re.compile(r"'(?<= ')(t)(is)\b", re.IGNORECASE), r"'\1 \2 "),
    (re.compile(r"'(?<= ')(t)(was)\b", re.IGNORECASE), r"'\1 \2 "),
]


def _separated(text: str) -> str:
    """The text with white space between all word tokens."""
    even = _BLANK.sub("\t", text)
    sentences = "\n".join([even[start:end] for start, end in sentence_spans(text)])
    spaced = f"\n{sentences}\n"
    for old, new in _RULES:
        spaced = spaced.replace(old, new) if isinstance(old, str) else old.sub(new, spaced)
    return spaced


def word_spans(text: str) -> list[tuple[int, int]]:
    r"""Words (``\w+``) of a text as (start, end) character offsets, in order."""
    return [match.span() for match in _WORD.finditer(text)]


def count_words(text: str) -> int:
    r"""Number of words (``\w+``) of a text (the paper's ``number_words``)."""
    return len(_WORD.findall(text))


def word_tokens(text: str) -> list[str]:
    """Word tokens of a text, quotes rewritten as the reference does; linear time."""
    return _separated(text).replace(_OPEN, "``").replace('"', "''").split()


def capital_spans(text: str) -> list[tuple[int, int]]:
    """Word tokens without lower case letters as (start, end) character offsets, in order.

    These are the tokens of ``word_tokens`` for which ``str.isupper`` holds: ``DON'T`` is two.
    """
    tokens = _separated(text).replace(_OPEN, '"').split()
    capitals = [
        (end - len(token), end)
        for token, end in zip(tokens, accumulate(map(len, tokens)), strict=True)
        if token.isupper()
    ]
    # Separating adds white space only, so the n-th other character is the text's n-th.
    places = [i for i, char in enumerate(text) if not char.isspace()] if capitals else []
    return [(places[start], places[end - 1] + 1) for start, end in capitals]
