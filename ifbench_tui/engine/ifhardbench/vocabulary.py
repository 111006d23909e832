"""lexical: which words are there, where, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ifbench_tui.engine.ifhardbench.checks import Check, Counted, failed, found, place, role
from ifbench_tui.engine.ifhardbench.counts import Bound, exactly, figure, quantity
from ifbench_tui.engine.ifhardbench.once import once
from ifbench_tui.engine.ifhardbench.params import Params, shown, sift
from ifbench_tui.engine.ifhardbench.registry import constraint_type
from ifbench_tui.engine.ifhardbench.text import Pair, Text, fold, stripped, trim_final
from ifbench_tui.engine.verdict import Measure, Span

__all__ = [
    "EndsWith",
    "ExcludePhrases",
    "ExcludeWord",
    "IncludeAll",
    "IncludeKeyword",
    "NoRepeatedWord",
    "NthWord",
    "NthWordFromEnd",
    "OrderWords",
    "QuoteTask",
    "StartsWith",
    "WordCap",
    "WordExactCount",
    "listed",
    "marked",
    "spotted",
]

_LISTED = 12


def listed(values: Iterable[Any]) -> str:
    """Values in a row, each in quotation marks."""
    values = list(values)
    dots = ", …" if len(values) > _LISTED else ""
    return ", ".join(map(shown, values[:_LISTED])) + dots


def spotted(text: Text, whole: bool) -> Callable[[str], bool]:
    """Whether a folded word is there: in this very form, or as the start of a word."""
    return text.cores.__contains__ if whole else text.has_stem


def marked(text: Text, values: Iterable[str], whole: bool, good: bool) -> Iterator[Span]:
    """Every word that is one of the values, or starts with one."""
    for value in values:
        wanted = fold(value)
        for pair, core in zip(text.word_spans, text.cores, strict=True):
            if core == wanted if whole else core.startswith(wanted):
                yield Span(*pair, role(good), shown(value))


@constraint_type("lexical:no_repeated_word")
class NoRepeatedWord(Check):
    """No word of some length stands twice."""

    def look(self, text: Text) -> Measure:
        if not text.words:
            return failed("no words")
        least = self._least()
        seen = Counter(core for core in text.cores if len(core) >= least)
        again = {core: number for core, number in seen.items() if number > 1}

        def locate() -> Iterator[Span]:
            met: Counter[str] = Counter()
            for pair, core in zip(text.word_spans, text.cores, strict=True):
                if core in again:
                    met[core] += 1
                    yield Span(*pair, "offends", f"«{core}», {met[core]} of {again[core]}")

        said = f"repeats {listed(again)}" if again else "no such word stands twice"
        extra = sum(again.values()) - len(again)
        return Measure(again, said, -extra, 0, locate)

    def _least(self) -> int:
        return self.params.integer("min_length") if "min_length" in self.params else 4

    def wanted(self) -> str:
        return f"no word of at least {quantity(self._least(), 'character')} twice"


@constraint_type("lexical:include_keyword")
class IncludeKeyword(Check):
    """A word is there: one of several stems, a stem, or an exact form."""

    def look(self, text: Text) -> Measure:
        params = self.params
        whole = "any_stems" not in params and "stem" not in params
        if "any_stems" in params:
            values: list[Any] = params.many("any_stems")
        else:
            values = [params.text("word" if whole else "stem")]
        there, _ = sift(values, spotted(text, whole), True)
        said = f"has {listed(there)}" if there else f"without {listed(values)}"
        return found(bool(there), said, lambda: marked(text, there, whole, True))

    def wanted(self) -> str:
        params = self.params
        if "any_stems" in params:
            return f"a word starting with one of {listed(params.many('any_stems'))}"
        if "stem" in params:
            word = f" (the word {params.shown('word')})" if "word" in params else ""
            return f"a word starting with {params.shown('stem')}{word}"
        return f"the word {params.shown('word')} in this very form"


def _stems_or_words(params: Params) -> tuple[list[Any], bool]:
    """The list and whether its words are meant in this very form."""
    if "stems" in params:
        return params.many("stems"), False
    return params.many("words"), True


@constraint_type("lexical:include_all")
class IncludeAll(Check):
    """All of several words are there."""

    def look(self, text: Text) -> Measure:
        values, whole = _stems_or_words(self.params)
        there, missing = sift(values, spotted(text, whole), False)
        said = f"{len(there):,} of {quantity(len(values), 'word')}"
        if missing:
            said += f", missing {listed(missing)}"
        return Measure(
            missing, said, -len(missing), len(values), lambda: marked(text, there, whole, True)
        )

    def wanted(self) -> str:
        values, whole = _stems_or_words(self.params)
        how = "all of the words" if whole else "a word starting with each of"
        return f"{how} {listed(values)}"


@constraint_type("lexical:exclude_word")
class ExcludeWord(Check):
    """None of several words is there."""

    def look(self, text: Text) -> Measure:
        values, whole = _stems_or_words(self.params)
        used, _ = sift(values, spotted(text, whole), True)
        said = f"uses {listed(used)}" if used else "uses none of them"
        return Measure(used, said, -len(used), 0, lambda: marked(text, used, whole, False))

    def wanted(self) -> str:
        values, whole = _stems_or_words(self.params)
        how = "none of the words" if whole else "no word starting with"
        return f"{how} {listed(values)}"


def _agreeing(body: str, wanted: str) -> int:
    """How many first characters of two texts are equal."""
    if body.startswith(wanted):
        return len(wanted)
    pairs = zip(body, wanted, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(body), len(wanted)))


@constraint_type("lexical:starts_with")
class StartsWith(Check):
    """The answer starts with a phrase, whatever its case."""

    def look(self, text: Text) -> Measure:
        wanted = fold(self.params.text("phrase").strip())
        body = fold(text.body)
        same = _agreeing(body, wanted)
        holds = same == len(wanted)

        def locate() -> Iterator[Span]:
            start, end = stripped(text.source)
            stop = text.unfolded(start + same)
            if stop > start:
                yield Span(start, stop, "counts", "as wanted")
            if not holds:
                note = f"wanted «{wanted[same : same + 20]}»"
                yield Span(stop, min(stop + 1, end), "offends" if stop < end else "missing", note)

        said = f"starts with «{body[: len(wanted) or 20][:60]}»" if body else "is blank"
        return found(holds, said, locate)

    def wanted(self) -> str:
        return f"starts with {self.params.shown('phrase')}"


@constraint_type("lexical:ends_with")
class EndsWith(Check):
    """The answer ends with a phrase, final marks aside."""

    def look(self, text: Text) -> Measure:
        wanted = fold(trim_final(self.params.text("phrase")))
        body = trim_final(text.source)
        folded = fold(body)
        holds = folded.endswith(wanted)

        def locate() -> Iterator[Span]:
            start, _ = stripped(text.source)
            first = text.unfolded(start + max(len(folded) - len(wanted), 0))
            yield Span(
                first, start + len(body), role(holds), "" if holds else f"wanted «{wanted[:60]}»"
            )

        end = folded[len(folded) - min(len(wanted) or 20, 60, len(folded)) :]
        return found(holds, f"ends with «{end}»", locate)

    def wanted(self) -> str:
        return f"ends with {self.params.shown('phrase')}"


class _Placed(Check):
    """A word stands in a place."""

    from_end = False

    def look(self, text: Text) -> Measure:
        number = self.params.integer("n")
        total = len(text.words)
        if not 1 <= number <= total:
            end = len(text.source.rstrip())
            return failed(
                f"{quantity(total, 'word')}, none in place {figure(number)}",
                lambda: (Span(end, end, "missing", f"no {self._where(number)}"),),
            )
        index = total - number if self.from_end else number - 1
        wanted = self.params.folded("word").strip()
        core = text.cores[index]
        holds = core == wanted

        def locate() -> Iterator[Span]:
            note = self._where(number) + ("" if holds else f", wanted «{wanted}»")
            yield Span(*text.word_spans[index], role(holds), note)

        return found(holds, f"the {self._where(number)} is «{core[:60]}»", locate)

    def _where(self, number: int) -> str:
        return f"{place(number)} word{' from the end' if self.from_end else ''}"

    def wanted(self) -> str:
        where = self._where(self.params.integer("n"))
        return f"the {where} is {self.params.shown('word')}"


@constraint_type("lexical:nth_word")
class NthWord(_Placed):
    """Counted from the start."""


@constraint_type("lexical:nth_word_from_end")
class NthWordFromEnd(_Placed):
    """Counted from the end."""

    from_end = True


class _StemCount(Counted):
    """Words that start with a stem are counted."""

    unit = "word"

    def find(self, text: Text) -> list[Pair]:
        return text.with_stem(self.params.folded("stem"))

    def count(self, text: Text) -> int:
        return text.stem_count(self.params.folded("stem"))

    def wanted(self) -> str:
        return f"{self.bound.required('word')} starting with {self.params.shown('stem')}"


@constraint_type("lexical:word_exact_count")
class WordExactCount(_StemCount):
    """Exactly so many."""

    @once
    def bound(self) -> Bound:
        return exactly(self.params.integer("count"))


@constraint_type("lexical:word_cap")
class WordCap(_StemCount):
    """At most so many."""

    @once
    def bound(self) -> Bound:
        cap = self.params.integer("cap")
        return Bound("le", cap, cap)


@constraint_type("lexical:order_words")
class OrderWords(Check):
    """One word comes before another."""

    def look(self, text: Text) -> Measure:
        stems = [self.params.folded("stem_a"), self.params.folded("stem_b")]
        first = [
            next((i for i, core in enumerate(text.cores) if core.startswith(stem)), None)
            for stem in stems
        ]
        a, b = first
        holds = a is not None and b is not None and a < b

        def locate() -> Iterator[Span]:
            for stem, index in zip(stems, first, strict=True):
                if index is not None:
                    note = f"first on «{stem}», word {index + 1}"
                    yield Span(*text.word_spans[index], role(holds), note)

        said = ", ".join(
            f"«{stem}» " + ("is not there" if i is None else f"is word {i + 1:,}")
            for stem, i in zip(stems, first, strict=True)
        )
        return found(holds, said, locate)

    def wanted(self) -> str:
        a, b = self.params.shown("stem_a"), self.params.shown("stem_b")
        return f"the first word on {a} before the first on {b}"


_BEFORE_PHRASE = "«\"'“„—– \t\n"


@constraint_type("lexical:exclude_phrases")
class ExcludePhrases(Check):
    """Phrases that must not stand anywhere, or not at the start."""

    def look(self, text: Text) -> Measure:
        body = fold(text.body)
        start = self.params.get("mode") == "start"
        phrases = self.params.many("phrases")
        if start:
            body = body.lstrip(_BEFORE_PHRASE)
            used, _ = sift(phrases, body.startswith, True)
        else:
            used, _ = sift(phrases, lambda phrase: phrase in body, True)

        def locate() -> Iterator[Span]:
            for phrase in used:
                wanted = fold(phrase)
                at = text.folded.find(wanted)
                while at >= 0 and wanted:
                    first, last = text.unfolded(at), text.unfolded(at + len(wanted))
                    yield Span(first, last, "offends", shown(phrase))
                    at = -1 if start else text.folded.find(wanted, at + len(wanted))

        where = " at the start" if start else ""
        said = f"has {listed(used)}{where}" if used else f"has none of them{where}"
        return Measure(used, said, -len(used), 0, locate)

    def wanted(self) -> str:
        where = " at the start" if self.params.get("mode") == "start" else ""
        return f"none of {listed(self.params.many('phrases'))}{where}"


@constraint_type("lexical:quote_task")
class QuoteTask(Check):
    """The first line repeats a text."""

    def look(self, text: Text) -> Measure:
        lines = text.body.splitlines()
        if not lines:
            return failed("the answer is blank")
        line, wanted = lines[0].strip(), self.params.text("text").strip()
        holds = line == wanted
        same = _agreeing(line, wanted)

        def locate() -> Iterator[Span]:
            start, _ = stripped(text.source)
            stop = start + same
            if same:
                yield Span(start, stop, "counts", "as wanted")
            if not holds:
                rest = wanted[same : same + 20]
                note = f"wanted «{rest}»" if rest else "more than was wanted"
                yield Span(stop, start + len(line), "offends", note)

        if holds:
            return found(True, "the first line is that text", locate)
        return failed(f"the first line differs after {quantity(same, 'character')}", locate)

    def wanted(self) -> str:
        return f"the first line is {self.params.shown('text')}"
