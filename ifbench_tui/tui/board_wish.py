"""What a person may choose about boards of judged benchmarks, and the command that prints one."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace

from ifbench_tui.engine.judged.arena_hard import PRESETS, ArenaSettings
from ifbench_tui.engine.judged.length_control import FAST_C
from ifbench_tui.report.boards.options import BoardOptions
from ifbench_tui.tui.board_state import Shelf
from ifbench_tui.tui.conditions import Condition

__all__ = ["CONTROLS", "choices_of", "command", "settled"]


class _Settings(Condition):
    """Several settings by one name; others than the named ones are somebody's own."""

    __slots__ = ()

    def words_of(self, wish: object) -> str:
        return str(dict(self.values).get(self.value(wish), "own settings"))


_PRESET = Condition("lc_preset", "length control", (
    ("v1", "v1, as the leaderboard"), ("noreg", "noreg, no gamed baseline"),
    ("minimal", "minimal, no difficulty"), ("simple", "simple, ridge on length"),
))  # fmt: skip
_C = Condition("lc_c", "C of the fit", (
    (None, "by cross-validation"), (FAST_C, f"fixed at {FAST_C:.6g}"),
))  # fmt: skip
_LOOKUP = Condition("difficulty_by", "difficulty by", (
    ("position", "row, as the reference"), ("instruction", "instruction"),
))  # fmt: skip
_STYLE = Condition("style", "style control", (
    ("none", "none"), ("both", "length and markdown"), ("length", "length"),
    ("markdown", "markdown"),
))  # fmt: skip
_ARENA = (
    _Settings("arena", "conventions", (
        (PRESETS["default"], "usual"), (PRESETS["v0.1"], "as v0.1"), (PRESETS["v2"], "as v2"),
    )),
    Condition("arena.interval", "intervals", (
        ("clustered", "clustered by question"), ("bootstrap", "questions resampled"),
        ("rows", "outcomes resampled"), ("none", "none"),
    )),
    Condition("arena.weight", "a strong verdict is", (
        (3, "3 wins"), (1, "1 win"), (2, "2 wins"),
    )),
    Condition("arena.first_game_only", "games", ((False, "both"), (True, "the first only"))),
)  # fmt: skip

CONTROLS = {"alpaca_eval": _C, "arena_hard": _STYLE}
"""The choice of a benchmark that has a key of its own."""


def choices_of(benchmark: str, shelf: Shelf) -> list[Condition]:
    """The choices that have a part in one benchmark's board."""
    if benchmark == "alpaca_eval":
        return [_PRESET, _C, _LOOKUP]
    judges = _names("judges", "judge", shelf.judges.get(benchmark, ()))
    if benchmark == "judge_bias":
        return [judges]
    labels = [judges, _names("categories", "category", shelf.categories.get(benchmark, ()))]
    if benchmark == "mt_bench":
        models = [(name, name) for name in shelf.baselines]
        own = [(None, "the one all pairs share"), *models]
        return [*labels, Condition("baseline", "pairs against", own)]
    return [_STYLE, *labels, *_ARENA]


def _names(name: str, words: str, values: Sequence[str]) -> Condition:
    return Condition(name, words, [((), "all"), *(((one,), one) for one in values)])


def settled(wish: BoardOptions) -> BoardOptions:
    """The same without choices that have no part in the others."""
    if wish.lc_preset == "simple":
        wish = replace(wish, lc_c=None)
    if wish.lc_preset in ("minimal", "simple"):
        wish = replace(wish, difficulty_by="position")
    return wish


# ---- headless ------------------------------------------------------------------------------------


def command(wish: BoardOptions, paths: Sequence[str], benchmark: str, *, alone: bool) -> str:
    """The command line that prints the same board; `alone` where no other has to be left out."""
    words = ["ifbench-tui", "score", *paths]
    if not alone:
        words += ["--benchmark", benchmark]
    usual = BoardOptions()
    for flag, value, plain in (
        ("--lc", wish.lc_preset, usual.lc_preset),
        ("--lc-c", "fast" if wish.lc_c == FAST_C else wish.lc_c, usual.lc_c),
        ("--difficulty-by", wish.difficulty_by, usual.difficulty_by),
        ("--baseline", wish.baseline, usual.baseline),
        ("--style", wish.style, usual.style),
    ):
        if value != plain:
            words += [flag, str(value)]
    words += _arena_words(wish.arena)
    for flag, names in (("--judge", wish.judges), ("--category", wish.categories)):
        words += [word for name in names for word in (flag, name)]
    return shlex.join(words)


_FLAGS = {"interval": "--interval", "rounds": "--rounds", "seed": "--seed", "weight": "--weight"}


def _arena_words(settings: ArenaSettings) -> list[str]:
    """The preset that is nearest, and what differs from it."""
    name, changed = min(
        ((name, list(_changes(preset, settings))) for name, preset in PRESETS.items()),
        key=lambda pair: ("level" in pair[1], len(pair[1])),
    )
    words = [] if name == "default" else ["--preset", name]
    words += [word for one in changed if one in _FLAGS
              for word in (_FLAGS[one], str(getattr(settings, one)))]  # fmt: skip
    return [*words, "--first-game"] if settings.first_game_only else words


def _changes(preset: ArenaSettings, settings: ArenaSettings) -> Iterator[str]:
    for one in fields(settings):
        if getattr(preset, one.name) != getattr(settings, one.name):
            yield one.name
