"""The language of a text: the answer of langdetect 1.0.9 with seed 0, bit for bit, much faster.

langdetect lists the n-grams (1 to 3 characters) of a text that its 55 language profiles know, then
draws from that list at random in seven trials. A trial is a naive Bayes update that ends when one
language holds almost all of the probability. Three facts make it fast without changing a bit:

- which n-grams end at a character depends on the two characters before it only, and a separator
  forgets them, so the n-grams of a token can be remembered;
- the generator is seeded anew for every text, so all texts share one table of its output;
- the updates of the 55 languages are independent IEEE operations, so they can run as vectors.

Probabilities are summed from left to right, as CPython 3.11 does (3.12 and later compensate). The
languages stand in alphabetical order: langdetect takes them as the file system lists them, which
would let the last bits of a probability depend on the machine.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

__all__ = ["UNKNOWN", "Detection", "detect", "warm_up"]

UNKNOWN = "unknown"
"""The code of a detection when no language has a probability above 0.1."""

_KEPT = 10_000
# How far a clean-up looks ahead: the longest URL, mail address and accented letter, added up.
_MARGIN = 2084 + 575 + 2

_TRIALS = 7
_ALPHA, _ALPHA_WIDTH = 0.5, 0.05
_BASE_FREQUENCY = 10_000
_CONVERGED = 0.99999
_REPORTED = 0.1

# A trial draws one n-gram, then up to 200 groups of five. Even if every second output of the
# generator is rejected, as happens when n is a power of two, the table outlasts seven such trials.
_GROUP, _MOST_GROUPS = 5, 200
_OUTPUTS = 16_384
_PEEK = 96
_PEEKED_GROUPS = 12

# langdetect's Latin letters are all characters from A to z, brackets included.
_LATIN = re.compile("[A-z]+")
_TOKEN = re.compile("[^{0}]+[{0}]?".format("\0-@\\[-`{-\x7f\xa0\xab\xb0\xbb\u2000-\u206f"))
_LONGEST_KEY = 64

_Value = TypeVar("_Value")
_Vector = npt.NDArray[np.float64]
_Matrix = npt.NDArray[np.float64]
_Numbers = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Detection:
    """The most probable language of a text, or ``UNKNOWN`` with probability 0."""

    language: str
    probability: float


def detect(text: str) -> Detection | None:
    """Return langdetect's first answer, or None where it finds no features in the text."""
    model = _model()
    numbers = model.ngrams(_kept(text, model.clean))
    if not numbers.size:
        return None
    return _first(_Trials(numbers, model).mean(), model.languages)


def warm_up() -> None:
    """Read the profiles now instead of at the first text, so that forked processes share them."""
    _model()


def _first(probabilities: _Vector, languages: list[str]) -> Detection:
    best = int(probabilities.argmax())
    probability = float(probabilities[best])
    if probability > _REPORTED:
        return Detection(languages[best], probability)
    return Detection(UNKNOWN, 0.0)


def _kept(text: str, clean: Callable[[str], str]) -> str:
    """Return the first ``_KEPT`` characters of the cleaned text without cleaning all of it."""
    size = 2 * _KEPT
    while True:
        cleaned = clean(text[:size])
        if size >= len(text) or len(cleaned) >= _KEPT + _MARGIN:
            return cleaned[:_KEPT]
        size *= 4


class _Memo(dict[str, _Value]):
    """A bounded cache that computes missing values; a race only computes a value twice."""

    def __init__(self, compute: Callable[[str], _Value], limit: int) -> None:
        super().__init__()
        self._compute = compute
        self._limit = limit

    def __missing__(self, key: str) -> _Value:
        value = self._compute(key)
        if len(key) <= _LONGEST_KEY:
            if len(self) >= self._limit:
                self.clear()
            self[key] = value
        return value


def _read_profiles(folder: Path) -> tuple[list[str], dict[str, int], _Matrix]:
    """Return the languages, a number for each n-gram, and its row of probabilities by language."""
    languages: list[str] = []
    numbers: dict[str, int] = {}
    columns: list[tuple[npt.NDArray[np.int64], _Vector]] = []
    for name in sorted(os.listdir(folder)):
        if name.startswith(".") or not (folder / name).is_file():
            continue
        profile = json.loads((folder / name).read_bytes())
        counts: dict[str, int] = profile["freq"]
        known = [numbers.setdefault(ngram, len(numbers)) for ngram in counts]
        sizes = np.fromiter(map(len, counts), np.intp, len(counts))
        totals = np.array(profile["n_words"], float)[sizes - 1]
        languages.append(profile["name"])
        columns.append((np.array(known), np.fromiter(counts.values(), float, len(counts)) / totals))
    rows = np.zeros((len(numbers), len(languages)))
    for language, (column, probabilities) in enumerate(columns):
        rows[column, language] = probabilities
    return languages, numbers, rows


class _Model:
    """langdetect's profiles, and the n-grams of the tokens met so far."""

    def __init__(self) -> None:
        # langdetect reads a file of its own when it is imported.
        from langdetect.detector import Detector
        from langdetect.detector_factory import PROFILES_DIRECTORY
        from langdetect.utils.ngram import NGram

        self.languages, self._numbers, self.rows = _read_profiles(Path(PROFILES_DIRECTORY))
        generator = random.Random(0)
        self.outputs = np.array([generator.getrandbits(32) for _ in range(_OUTPUTS)], np.uint32)

        self._url, self._mail = Detector.URL_RE, Detector.MAIL_RE
        self._accents, self._compose = NGram.DMARK_CLASS, NGram.normalize_vi
        self._letters = _Memo(NGram.normalize, 1 << 14)
        self._windows = _Memo(self._window, 1 << 16)
        self._tokens = _Memo(self._token, 1 << 16)

    def clean(self, text: str) -> str:
        """Blank URLs, then mail addresses, and compose Vietnamese letters."""
        if "://" in text:
            text = self._url.sub(" ", text)
        if "@" in text:
            text = self._mail.sub(" ", text)
        if any(accent in text for accent in self._accents):
            text = self._compose(text)
        return text

    def ngrams(self, text: str) -> _Numbers:
        """Return the numbers of the n-grams of a cleaned text that a profile knows, in order."""
        if not text.isascii():
            points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
            other = np.count_nonzero(points >= 0x300)
            if other > 2 * np.count_nonzero((points >= ord("A")) & (points <= ord("z"))):
                text = _LATIN.sub("", text)
        packed = b"".join(map(self._tokens.__getitem__, _TOKEN.findall(text)))
        return np.frombuffer(packed, "<u4")

    def _token(self, token: str) -> bytes:
        text = " " + "".join(map(self._letters.__getitem__, token))
        windows = [text[:2], *[text[start : start + 3] for start in range(len(text) - 2)]]
        return b"".join(map(self._windows.__getitem__, windows))

    def _window(self, window: str) -> bytes:
        """Return the n-grams that end with the window; after two capitals there are none."""
        if window[-1].isupper() and window[-2].isupper():
            return b""
        numbers = [self._numbers.get(window[-size:]) for size in range(1, len(window) + 1)]
        return np.array([n for n in numbers if n is not None], "<u4").tobytes()


class _Trials:
    """The seven trials of one text, on the output of a generator seeded with 0."""

    def __init__(self, numbers: _Numbers, model: _Model) -> None:
        self._numbers = numbers
        self._rows, self._outputs = model.rows, model.outputs
        self._shift = 32 - numbers.size.bit_length()
        self._at = 0
        languages = len(model.languages)
        self._prior = np.full(languages, 1.0 / languages)
        # A step is the probabilities before it and the factors of five n-grams, to be multiplied.
        self._steps = np.empty((_PEEKED_GROUPS + 1, 1 + _GROUP, languages))
        self._views: list[tuple[_Matrix, _Vector]] = [(step, step[0]) for step in self._steps]

    def mean(self) -> _Vector:
        """Return the mean over the trials of the probability of each language."""
        mean = np.zeros(self._prior.size)
        for trial in range(_TRIALS):
            if trial % 2 == 0:
                gaussians = self._two_gaussians()
            alpha = _ALPHA + gaussians[trial % 2] * _ALPHA_WIDTH
            mean += self._trial(alpha / _BASE_FREQUENCY) / _TRIALS
        return mean

    def _two_gaussians(self) -> tuple[float, float]:
        """Return what two calls of ``random.gauss(0, 1)`` return."""
        a, b, c, d = self._outputs[self._at : self._at + 4].tolist()
        self._at += 4
        angle = _unit(a, b) * math.tau
        radius = math.sqrt(-2.0 * math.log(1.0 - _unit(c, d)))
        return math.cos(angle) * radius, math.sin(angle) * radius

    def _peek(self) -> tuple[_Matrix, npt.NDArray[np.intp]]:
        """Return the rows of the next n-grams, and where in the output the draw of each ends.

        A draw takes as many bits as n has and is repeated while it is not below n.
        """
        picks = self._outputs[self._at : self._at + _PEEK] >> self._shift
        places = (picks < self._numbers.size).nonzero()[0][: 1 + _GROUP * _PEEKED_GROUPS]
        return self._rows.take(self._numbers[picks[places]], 0), places + (self._at + 1)

    def _trial(self, weight: float) -> _Vector:
        """Update the probabilities with one n-gram, then groups of five, until one is near 1."""
        rows, ends = self._peek()
        product = self._prior * (rows[0] + weight)
        sums = np.add.accumulate(product)
        total = sums[-1:]
        probabilities: _Vector = product / total
        # No test yet: the weights of the other 54 languages alone are a share above 1e-5.
        rows, ends = rows[1:], ends[1:]
        leader, groups_left = 0, _MOST_GROUPS
        while True:
            groups = min(len(rows) // _GROUP, groups_left)
            factors = rows[: groups * _GROUP].reshape(groups, _GROUP, -1)
            np.add(factors, weight, self._steps[:groups, 1:])
            self._steps[0, 0] = probabilities
            for group in range(groups):
                np.multiply.reduce(self._views[group][0], 0, None, product)
                np.add.accumulate(product, 0, None, sums)
                probabilities = self._views[group + 1][1]
                np.divide(product, total, probabilities)
                share = probabilities.item(leader)
                # While the leader holds half, no other language can be near 1.
                if share < 0.5:
                    leader = int(probabilities.argmax())
                    share = probabilities.item(leader)
                if share > _CONVERGED:
                    break
            self._at = int(ends[group * _GROUP + _GROUP - 1])
            groups_left -= groups
            if share > _CONVERGED or not groups_left:
                return probabilities
            rows, ends = self._peek()


def _unit(high: int, low: int) -> float:
    """Return the number in [0, 1) that the generator makes of two outputs."""
    return ((high >> 5) * 67108864.0 + (low >> 6)) * (1.0 / 9007199254740992.0)


_LOCK = threading.Lock()
_LOADED: list[_Model] = []


def _model() -> _Model:
    if not _LOADED:
        with _LOCK:
            if not _LOADED:
                _LOADED.append(_Model())
    return _LOADED[0]
