"""The tables beside AlpacaEval's annotations: difficulties, the gamed baseline, leaderboards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ifbench_tui.formats.judged import (
    JudgedFormat,
    Leaderboard,
    integer,
    name_of,
    optional_text,
    real,
)
from ifbench_tui.formats.lines import BadRow
from ifbench_tui.formats.tables import Table

__all__ = [
    "COMPANIONS",
    "AlpacaDifficulty",
    "AlpacaGamedBaseline",
    "AlpacaLeaderboard",
    "AlpacaWeights",
    "DifficultyRow",
    "GamedRow",
    "Weights",
]

COMPANIONS = ("instruction_difficulty.csv", "gamed_baseline.csv", "df_gamed.csv")
"""Names under which the tables of the length-controlled fit are looked for."""


@dataclass(frozen=True, slots=True)
class DifficultyRow:
    """The difficulty of the instruction at `index`, and what identifies it."""

    index: int
    value: float
    dataset: str | None
    length: int | None
    instruction: str | None


@dataclass(frozen=True, slots=True)
class GamedRow:
    """A regulariser row of the length-controlled fit. Its preference is an input of the fit and is
    not shown: published copies hold reconstructed values, no judgments."""

    model: str
    index: int
    preference: float
    length: float
    difficulty: float


@dataclass(frozen=True, slots=True)
class Weights:
    """A model's published coefficients: length, difficulty, quality."""

    model: str
    coefficients: Mapping[str, float]


class AlpacaGamedBaseline(JudgedFormat):
    """`df_gamed.csv`: the baseline prompted to be verbose and concise, against itself."""

    id = "alpaca-gamed-baseline"
    title = "AlpacaEval gamed baseline"
    order = 22
    columns = ("model", "index", "preference", "std_delta_len", "instruction_difficulty")

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        preference = _needed(data, "preference")
        if not 0 <= preference <= 1:
            raise BadRow("the field preference is not from 0 to 1")
        return GamedRow(
            name_of(data, "model"),
            int(_needed(data, "index")),
            preference,
            _needed(data, "std_delta_len"),
            _needed(data, "instruction_difficulty"),
        )


class AlpacaDifficulty(JudgedFormat):
    """`instruction_difficulty.csv`: a number for each of the 805 instructions."""

    id = "alpaca-difficulty"
    title = "AlpacaEval instruction difficulties"
    order = 23
    columns = ("instruction_difficulty",)

    def fits(self, table: Table) -> bool:
        return table.has("index") or table.has("instruction") or table.has("")

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        index = integer(data.get("index", data.get("")), "index")
        return DifficultyRow(
            -1 if index is None else index,
            _needed(data, "instruction_difficulty"),
            optional_text(data.get("dataset")),
            integer(data.get("len_output_1"), "len_output_1"),
            optional_text(data.get("instruction")),
        )


class AlpacaLeaderboard(JudgedFormat):
    """A leaderboard CSV: the model in the first column."""

    id = "alpaca-leaderboard"
    title = "AlpacaEval leaderboard"
    order = 24
    columns = ("win_rate", "n_total", "avg_length")

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        first, *others = data or ("model",)
        model = name_of(data, first)
        values = {name: real(data[name], name) for name in others if name != "mode"}
        known = {name: value for name, value in values.items() if value is not None}
        return Leaderboard(model, known)


class AlpacaWeights(JudgedFormat):
    """Coefficients of the length-controlled fit as published, in logits."""

    id = "alpaca-weights"
    title = "AlpacaEval fit coefficients"
    order = 24
    columns = ("model", "length", "difficulty", "quality")

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        names = self.columns[1:]
        return Weights(name_of(data, "model"), {name: _needed(data, name) for name in names})


def _needed(data: Mapping[str, Any], name: str) -> float:
    value = real(data.get(name), name)
    if value is None:
        raise BadRow(f"the field {name} is missing")
    return value
