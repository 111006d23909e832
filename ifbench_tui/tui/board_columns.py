"""The columns of judged benchmarks' boards, of the same values that `score --json` prints."""

from __future__ import annotations

from ifbench_tui.report.boards.base import BoardResult
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.tui import board_alpaca, board_arena, board_mt_bench
from ifbench_tui.tui.board_column import BoardColumn

__all__ = ["columns_of", "fit_words", "model_words"]

_BENCHMARKS = {
    "alpaca_eval": board_alpaca,
    "mt_bench": board_mt_bench,
    "arena_hard": board_arena,
}


def columns_of(result: BoardResult, glyphs: Glyphs) -> list[BoardColumn]:
    """The columns of one benchmark's board; none where it has no models."""
    own = _BENCHMARKS.get(result.benchmark)
    return [] if own is None else list(own.columns(result, glyphs))


def model_words(result: BoardResult, model: str, glyphs: Glyphs) -> str:
    """A model's numbers in a sentence."""
    own, values = _BENCHMARKS.get(result.benchmark), result.models.get(model)
    return "" if values is None or own is None else own.words(values, glyphs)


def fit_words(result: BoardResult) -> str:
    """By which fit the numbers were made: never left to be guessed. "" where there is only one."""
    if result.benchmark == "arena_hard":
        style = result.extra["style"]
        return "no style control" if style == "none" else f"style control: {style}"
    if result.benchmark != "alpaca_eval":
        return ""
    fits = {
        (values["fit"]["preset"], values["fit"]["cross_validated"], values["c"])
        for values in result.models.values()
        if values["length_controlled_winrate"] is not None and any(values["glm"].values())
    }
    presets = ", ".join(sorted({preset for preset, _, _ in fits}))
    fixed = sorted({c for _, sure, c in fits if c is not None and not sure})
    if fixed:
        some = "some of " if any(sure for _, sure, _ in fits) else ""
        return f"{some}{presets}, fixed C {fixed[0]:.6g}"
    return f"{presets}, cross-validated" if any(sure for _, sure, _ in fits) else presets
