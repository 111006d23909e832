"""Which prompt a response answers: by key, exact text, an alias, or text without outer blanks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ifbench_tui.engine.benchmark import Prompt
from ifbench_tui.formats.records import AliasRow, PromptRow, ResponseRow

__all__ = ["Place", "Prompts", "Unmatched"]

Place = tuple[str, str]
"""Benchmark id and prompt key."""


class Unmatched(Exception):  # noqa: N818 - an outcome of joining, not a fault of the program
    """No prompt, or no single one, belongs to a response: why."""


class Match(NamedTuple):
    """A prompt found, and what a person should know about how; "" where nothing."""

    place: Place
    notice: str


class Prompts:
    """All prompts by benchmark and key, in input order, and the ways to find them."""

    def __init__(self) -> None:
        self.suites: dict[str, dict[str, Prompt]] = {}
        self._text: dict[str, Place] = {}
        self._alias: dict[str, Place] = {}
        self._stripped: dict[str, Place | None] | None = None

    def known(self, row: PromptRow) -> Place | None:
        """The place of a prompt with this key, or without one with this text."""
        key, text = row.prompt.key, row.prompt.text
        if key and key in self.suites.get(row.benchmark, ()):
            return row.benchmark, key
        place = self._text.get(text)
        return place if place and place[0] == row.benchmark else None

    def at(self, place: Place) -> Prompt:
        return self.suites[place[0]][place[1]]

    def add(self, row: PromptRow) -> Place:
        """Add a prompt, or put it in the place of the one it repeats."""
        suite = self.suites.setdefault(row.benchmark, {})
        place = self.known(row)
        prompt = row.prompt
        if place:
            old = suite[place[1]]
            self._text.pop(old.text, None)
            prompt = Prompt(place[1], prompt.text, prompt.constraints, prompt.attributes)
        else:
            place = row.benchmark, prompt.key or self._free_key(row)
            prompt = Prompt(place[1], prompt.text, prompt.constraints, prompt.attributes)
        suite[place[1]] = prompt
        self._text[prompt.text] = place
        self._stripped = None
        for text in row.aliases:
            self._alias[text] = place
        return place

    def _free_key(self, row: PromptRow) -> str:
        suite = self.suites[row.benchmark]
        number = row.line
        while str(number) in suite:
            number += 1
        return str(number)

    def alias(self, row: AliasRow) -> bool:
        """Add earlier wordings; False where no prompt has the key."""
        places = self._by_key(row.key)
        for text in row.texts:
            self._alias.update((text, place) for place in places)
        return bool(places)

    def _by_key(self, key: str) -> list[Place]:
        return [(benchmark, key) for benchmark, suite in self.suites.items() if key in suite]

    def match(self, row: ResponseRow) -> Match:
        """The prompt a response answers. Raises `Unmatched`.

        The exact text wins over the key, since the text is what the model was asked. A key whose
        prompt reads differently holds only while the two texts are alike.
        """
        text = row.prompt
        keyed = self._by_key(row.key) if row.key is not None else []
        if row.benchmark:
            keyed = [place for place in keyed if place[0] == row.benchmark]
        if text is None:
            if len(keyed) == 1:
                return Match(keyed[0], "")
            several = f"key {row.key} stands in several benchmarks and the row has no prompt text"
            raise Unmatched(several if keyed else f"no prompt has the key {row.key}")
        place = self._text.get(text)
        if place:
            differs = bool(keyed) and place not in keyed
            return Match(place, "the key names another prompt: joined by text" if differs else "")
        if place := self._alias.get(text):
            return Match(place, "joined by an earlier wording of the prompt (alias)")
        for place in keyed:
            if _alike(self.at(place).text, text):
                return Match(place, "joined by key, though the prompt text differs a little")
        return self._match_stripped(text, row.key if keyed else None)

    def _match_stripped(self, text: str, key: str | None) -> Match:
        if self._stripped is None:
            self._stripped = _unique(self._text.items())
        stripped = text.strip()
        place = self._stripped.get(stripped)
        if place:
            return Match(place, "joined by prompt text without the blanks around it")
        if stripped in self._stripped:
            raise Unmatched("the prompt text fits several prompts that differ only in outer blanks")
        if key is not None:
            raise Unmatched(f"the prompt with the key {key} reads quite differently")
        raise Unmatched("no prompt has this text")


def _unique(texts: Iterable[tuple[str, Place]]) -> dict[str, Place | None]:
    """Stripped text to its prompt; None where several share it."""
    found: dict[str, Place | None] = {}
    for text, place in texts:
        stripped = text.strip()
        found[stripped] = None if stripped in found else place
    return found


def _alike(one: str, other: str) -> bool:
    """Whether two texts share more than half of their words."""
    words, others = set(one.split()), set(other.split())
    return 2 * len(words & others) > len(words | others)
