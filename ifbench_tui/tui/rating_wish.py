"""What a person asks of the board: which battles count, and how they are rated."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from ifbench_tui.engine.ratings.methods import METHOD_IDS, method_of
from ifbench_tui.formats.battle_block import BattleBlock, BattleLabel
from ifbench_tui.rating import RatingOptions
from ifbench_tui.tui.conditions import Condition
from ifbench_tui.workspace.battles import BattleFilter

__all__ = ["DECIDERS", "Source", "Wish", "command", "conditions"]

Source: TypeAlias = Literal["both", "votes", "files"]

_MOST_VALUES = 200
"""Values of a label offered, the most frequent first."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One state of all choices."""

    source: Source = "both"
    options: RatingOptions = field(default_factory=RatingOptions)
    filters: BattleFilter = field(default_factory=BattleFilter)

    @property
    def settled(self) -> Wish:
        """The same without choices that another one leaves no room for, as `rate` refuses them."""
        options = self.options
        takes = method_of(options.method).takes
        if "style" not in takes:
            options = replace(options, style=None)
        if "anchor" not in takes:
            options = replace(options, anchor=None, arena=False)
        if "cluster" not in takes or options.interval in ("fisher", "none"):
            options = replace(options, cluster=None)
        filters = replace(self.filters, with_style=options.style is not None)
        return replace(self, options=options, filters=filters)


SOURCES = Condition("source", "battles", (
    ("both", "votes and files"), ("votes", "votes of the session"), ("files", "loaded files"),
))  # fmt: skip
DECIDERS = Condition("filters.by", "decided by", (
    ("any", "people and judges"), ("people", "people"), ("models", "judge models"),
))  # fmt: skip
METHOD = Condition(
    "options.method", "method", tuple((name, method_of(name).words) for name in METHOD_IDS)
)
TIES = Condition("options.ties", "ties", (
    ("half", "half a win each"), ("drop-bothbad", "both bad left out"), ("drop", "all left out"),
))  # fmt: skip
STYLE = Condition("options.style", "style control", (
    (None, "none"), ("plain", "plain"), ("fastchat", "as FastChat"),
    ("arena-rank", "as arena-rank"),
))  # fmt: skip
INTERVAL = Condition("options.interval", "intervals", (
    ("sandwich", "sandwich"), ("fisher", "Fisher"), ("bootstrap", "bootstrap"), ("none", "none"),
))  # fmt: skip
_FIXED = (
    Condition("options.cluster", "depend on each other", (
        (None, "as the files suggest"), ("judge", "of one annotator"),
        ("question", "on one question"), ("session", "of one session"), ("none", "none"),
    )),
    Condition("options.arena", "scale", (
        (False, "mean 1000"), (True, "the Arena's anchor at 1114"),
    )),
    Condition("filters.blinding", "names", (
        ("hidden", "hidden from the voter"), ("shown", "shown to the voter"), ("any", "either"),
    )),
    Condition("filters.sampled", "repeated prompts", (
        (True, "only as sampled"), (False, "all"),
    )),
)  # fmt: skip
_LABELS: Mapping[BattleLabel, tuple[str, str]] = {
    "judge": ("judges", "annotator"),
    "category": ("categories", "category"),
    "language": ("languages", "language"),
}


def conditions(blocks: Sequence[BattleBlock]) -> list[Condition]:
    """Every choice there is over these battles."""
    labels = (
        Condition(f"filters.{name}", words, [((), "all"), *_values(blocks, label)])
        for label, (name, words) in _LABELS.items()
    )
    return [SOURCES, *labels, DECIDERS, METHOD, TIES, STYLE, INTERVAL, *_FIXED]


def _values(blocks: Sequence[BattleBlock], label: BattleLabel) -> Iterator[tuple[Any, str]]:
    counts: dict[str, int] = {}
    for block in blocks:
        codes, values = block.labels[label]
        for code, value in enumerate(values):
            for name in value if isinstance(value, tuple) and label == "category" else (value,):
                counts[str(name)] = counts.get(str(name), 0) + codes.count(code)
            if len(counts) > _MOST_VALUES:
                break
    for name in sorted(counts, key=lambda name: (-counts[name], name)):
        yield (name,), name


def command(wish: Wish, paths: Sequence[str], session: str, show: str = "") -> str:
    """The command line that prints the same numbers."""
    options, filters = wish.settled.options, wish.filters
    words = ["ifbench-tui", "rate", *paths]
    if wish.source != "files":
        words += ["--session", session]
    plain = RatingOptions()
    for name in ("method", "ties", "style", "interval", "cluster"):
        if (value := getattr(options, name)) != getattr(plain, name):
            words += [f"--{name}", str(value)]
    if options.arena:
        words += ["--preset", "arena"]
    if filters.blinding != "hidden":
        words += ["--anony", {"shown": "no", "any": "any"}[filters.blinding]]
    if filters.by != "any":
        words += ["--by", filters.by]
    if not filters.sampled:
        words.append("--repeats")
    for name, chosen in (("judge", filters.judges), ("category", filters.categories),
                         ("language", filters.languages)):  # fmt: skip
        words += [word for one in chosen for word in (f"--{name}", one)]
    return shlex.join([*words, *(["--show", show] if show else [])])
