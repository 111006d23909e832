"""AlpacaEval's board: raw, discrete and length-controlled win rates with their fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ifbench_tui.engine.judged.alpaca_eval import (
    DifficultyTable,
    Floats,
    WinRate,
    difficulties,
    usable_preferences,
    win_rates,
)
from ifbench_tui.engine.judged.bias import Estimate, Verbosity, one_order_position, verbosity
from ifbench_tui.engine.judged.gameability import gameability, styled_names
from ifbench_tui.engine.judged.length_control import (
    CurvePoint,
    GamedBaseline,
    LengthControlled,
    counterfactual_curve,
    extreme_change,
    length_controlled,
)
from ifbench_tui.engine.judged.rows import Annotation
from ifbench_tui.formats.alpaca_eval import AlpacaOutput
from ifbench_tui.formats.alpaca_eval_tables import DifficultyRow, GamedRow, Weights
from ifbench_tui.formats.judged import Leaderboard
from ifbench_tui.report.boards.base import (
    MODEL,
    Board,
    BoardResult,
    bias_sheet,
    estimate_row,
    percent,
    values_of,
)
from ifbench_tui.report.boards.options import BoardOptions
from ifbench_tui.report.boards.outputs import unmatched_outputs
from ifbench_tui.report.sheets import Cell, Column, Share, Sheet
from ifbench_tui.workspace import JudgedFile

__all__ = ["AlpacaEval", "Progress"]

_CURVE_STEPS = 33
_CURVE_SHOWN = 4
"""Of so many points of the curve one is printed, equal lengths among them."""

Progress = Callable[[int, int], object]
"""Told how many models are fitted, of how many; what it raises ends the work."""


@dataclass(frozen=True, slots=True)
class _Model:
    """Everything about one candidate."""

    rows: Sequence[Annotation]
    rates: WinRate
    controlled: LengthControlled
    curve: tuple[CurvePoint, ...]
    first: tuple[Estimate, Estimate]
    verbosity: Verbosity
    avg_length: int | None
    avg_longer: float
    published: Mapping[str, Any]
    warnings: tuple[str, ...]

    @property
    def extreme(self) -> bool:
        raw, value = self.rates.win_rate, self.controlled.value
        return raw is not None and value is not None and extreme_change(raw, value)

    def to_dict(self) -> dict[str, Any]:
        lc = self.controlled
        return {
            **self.rates.to_dict(),
            "n_rows": len(self.rows),
            "length_controlled_winrate": lc.value,
            "lc_standard_error": lc.standard_error,
            "avg_length": self.avg_length,
            "avg_longer": self.avg_longer,
            "glm": dict(lc.coefficients),
            "c": lc.c,
            "fit": {
                "preset": lc.preset,
                "cross_validated": lc.cross_validated,
                "converged": lc.converged,
                "scores": list(lc.scores),
                "length_sd": lc.length_sd,
            },
            "extreme_change": self.extreme,
            "curve": [{"longer": one.longer, "win_rate": one.win_rate} for one in self.curve],
            "bias": {
                "mean_first_position_preference": self.first[0].to_dict(),
                "first_position_win_share": self.first[1].to_dict(),
                "verbosity": self.verbosity.to_dict(),
            },
            **({"published": dict(self.published)} if self.published else {}),
            "warnings": list(self.warnings),
        }


class AlpacaEval(Board):
    """One candidate at a time against the baseline."""

    id = "alpaca_eval"
    title = "AlpacaEval 2"

    def result(
        self,
        files: Sequence[JudgedFile],
        options: BoardOptions,
        progress: Progress | None = None,
    ) -> BoardResult | None:
        candidates, notes = _candidates(files)
        outputs = values_of(files, AlpacaOutput)
        if not candidates and not outputs:
            return None
        table, gamed = _difficulty_table(files), _gamed_baseline(files)
        lengths = _output_lengths(outputs)
        published = _published(files)
        models: dict[str, _Model] = {}
        wanted = [name for name in candidates if options.wants(name)]
        for name in wanted:
            if progress is not None:
                progress(len(models), len(wanted))
            rows, known = candidates[name], published.get(name, {})
            models[name] = _model(rows, table, gamed, options, lengths.get(name), known)
        unused = (*notes, *unmatched_outputs(outputs, candidates))
        warnings = [
            *unused,
            *(f"{name}: {text}" for name, model in models.items() for text in model.warnings),
        ]
        judge = _bias_sheet(models)
        return BoardResult(
            self.id,
            self.title,
            {name: model.to_dict() for name, model in models.items()},
            (*_sheets(models), judge),
            ("win_rate", "discrete_win_rate", "length_controlled_winrate"),
            100.0,
            tuple(warnings),
            {"difficulty_by": options.difficulty_by, **_gameability(models)},
            unused=unused,
            judge_sheets=(judge,),
        )


def _candidates(files: Iterable[JudgedFile]) -> tuple[dict[str, list[Annotation]], list[str]]:
    """Rows by candidate; where several files judge one, the first counts."""
    found: dict[str, list[Annotation]] = {}
    places: dict[str, str] = {}
    notes = []
    for file in files:
        own: dict[str, list[Annotation]] = {}
        for row in file.of(Annotation):
            own.setdefault(row.model, []).append(row)
        for name, rows in own.items():
            if name in found:
                notes.append(
                    f"{name}: {len(rows)} annotations of {file.path} are not used, those of "
                    f"{places[name]} count"
                )
            else:
                found[name], places[name] = rows, file.path
    return found, notes


def _difficulty_table(files: Iterable[JudgedFile]) -> DifficultyTable | None:
    rows = sorted(values_of(files, DifficultyRow), key=lambda row: row.index)
    if not rows:
        return None
    lengths = tuple(row.length for row in rows if row.length is not None)
    datasets = tuple(row.dataset for row in rows if row.dataset is not None)
    texts = tuple(row.instruction for row in rows if row.instruction is not None)
    n = len(rows)
    return DifficultyTable(
        tuple(row.value for row in rows),
        lengths if len(lengths) == n else (),
        datasets if len(datasets) == n else (),
        texts if len(texts) == n else (),
    )


def _gamed_baseline(files: Iterable[JudgedFile]) -> GamedBaseline | None:
    """The rows in the order that cross-validation counts: by model as they come, then index."""
    rows = values_of(files, GamedRow)
    order = {name: place for place, name in enumerate(dict.fromkeys(row.model for row in rows))}
    rows.sort(key=lambda row: (order[row.model], row.index))
    if not rows:
        return None
    return GamedBaseline(
        np.array([row.length for row in rows]),
        np.array([row.difficulty for row in rows]),
        np.array([row.preference for row in rows]),
    )


def _published(files: Iterable[JudgedFile]) -> dict[str, dict[str, Any]]:
    """Numbers and coefficients of leaderboard files by model."""
    found: dict[str, dict[str, Any]] = {}
    for line in values_of(files, Leaderboard):
        found.setdefault(line.model, {}).update(line.values)
    for weights in values_of(files, Weights):
        found.setdefault(weights.model, {})["glm"] = dict(weights.coefficients)
    return found


def _output_lengths(outputs: Iterable[AlpacaOutput]) -> dict[str, list[int]]:
    lengths: dict[str, list[int]] = {}
    for one in outputs:
        lengths.setdefault(one.model, []).append(one.length)
    return lengths


def _model(
    rows: Sequence[Annotation],
    table: DifficultyTable | None,
    gamed: GamedBaseline | None,
    options: BoardOptions,
    lengths: Sequence[int] | None,
    published: Mapping[str, Any],
) -> _Model:
    difficulty, notes = difficulties(rows, table, options.difficulty_by)
    controlled = length_controlled(
        rows, difficulty, gamed, preset=options.lc_preset, c=options.lc_c
    )
    if controlled.preset in ("minimal", "simple") or not controlled.coefficients:
        notes = tuple(note for note in notes if "left out" in note or "order" in note)
    preferences = usable_preferences([row.preference for row in rows])
    known = ~np.isnan(preferences)
    wanted = [row for row, there in zip(rows, known, strict=True) if there]
    share = preferences[known] - 1.0
    longer = [float(row.longer) for row in wanted]
    answered = lengths or [row.length_2 for row in rows]
    return _Model(
        rows,
        win_rates([row.preference for row in rows]),
        controlled,
        counterfactual_curve(controlled, difficulty, _curve_steps(rows)),
        one_order_position(_for_first(wanted, share)),
        verbosity(longer, share.tolist()),
        sum(answered) // len(answered) if answered else None,
        sum(row.longer for row in rows) / len(rows),
        published,
        (*controlled.warnings, *notes),
    )


def _curve_steps(rows: Sequence[Annotation]) -> list[float]:
    """Length differences over the range in which nine tenths of the rows lie, 0 among them."""
    low, high = np.quantile([row.longer for row in rows], (0.05, 0.95)).tolist()
    low, high = min(low, 0.0), max(high, 0.0)
    step = (high - low) / (_CURVE_STEPS - 1)
    below = round(-low / step) if step else 0
    # Where lengths hardly differ several round to one.
    return list(dict.fromkeys(float(round((n - below) * step)) for n in range(_CURVE_STEPS)))


def _for_first(rows: Sequence[Annotation], share: Floats) -> list[float]:
    """The judge's preference for the response it was shown first."""
    return [
        p if row.swapped else 1.0 - p
        for row, p in zip(rows, share.tolist(), strict=True)
        if row.swapped is not None
    ]


_COLUMNS = (
    MODEL,
    Column("n", "n", numeric=True),
    Column("length_controlled_winrate", "LC win rate %", numeric=True),
    Column("lc_standard_error", "LC SE", numeric=True),
    Column("win_rate", "win rate %", numeric=True),
    Column("standard_error", "SE", numeric=True),
    Column("discrete_win_rate", "discrete %", numeric=True),
    Column("avg_length", "avg length", numeric=True, detail=True),
    Column("length", "w length", numeric=True, detail=True, digits=3),
    Column("difficulty", "w difficulty", numeric=True, detail=True, digits=3),
    Column("quality", "w quality", numeric=True, detail=True, digits=3),
    Column("fit", "fit", detail=True),
    Column("note", "note", detail=True),
)
_PUBLISHED = (
    Column("published_lc", "published LC %", numeric=True, detail=True),
    Column("lc_difference", "LC less published", numeric=True, detail=True),
    Column("published_raw", "published win rate %", numeric=True, detail=True),
    Column("raw_difference", "win rate less published", numeric=True, detail=True),
)


def _sheets(models: Mapping[str, _Model]) -> Iterable[Sheet]:
    known = any("win_rate" in model.published for model in models.values())
    rows = tuple(
        (*_row(name, model), *(_published_row(model) if known else ()))
        for name, model in _ranked(models)
    )
    columns = (*_COLUMNS, *_PUBLISHED) if known else _COLUMNS
    yield Sheet("AlpacaEval 2: win rates against the baseline", columns, rows)
    if len(models) == 1:
        yield from _curve_sheets(models)


def _ranked(models: Mapping[str, _Model]) -> list[tuple[str, _Model]]:
    return sorted(models.items(), key=lambda item: -(item[1].controlled.value or -1.0))


def _bias_sheet(models: Mapping[str, _Model]) -> Sheet:
    biases = [row for name, model in _ranked(models) for row in _bias_rows(name, model)]
    return bias_sheet("The judge: position and length", [*biases, *_gameability_rows(models)])


def _gameability(models: Mapping[str, _Model]) -> dict[str, Any]:
    """By model and style: how far that style moves the raw and the length-controlled win rate."""
    found: dict[str, dict[str, dict[str, float | None]]] = {}
    for model, style, name in styled_names(models):
        plain, styled = models[model], models[name]
        found.setdefault(model, {})[style] = {
            "raw": gameability(plain.rates.win_rate, styled.rates.win_rate),
            "length_controlled": gameability(plain.controlled.value, styled.controlled.value),
        }
    return {"gameability": found} if found else {}


def _gameability_rows(models: Mapping[str, _Model]) -> Iterable[tuple[Cell, ...]]:
    for model, styles in _gameability(models).get("gameability", {}).items():
        for style, moved in styles.items():
            for what, value in moved.items():
                measure = f"{what.replace('_', '-')} win rate moved by asking for {style}"
                yield model, measure, 2, Share(value), "SD / mean"


def _row(name: str, model: _Model) -> tuple[Cell, ...]:
    lc, rates = model.controlled, model.rates
    weights = (lc.coefficients.get(one) for one in ("length", "difficulty", "quality"))
    return (
        name,
        rates.n,
        percent(lc.value),
        # With length and quality alone every row is predicted alike: that spread says nothing.
        percent(lc.standard_error if "difficulty" in lc.coefficients else None),
        percent(rates.win_rate),
        percent(rates.standard_error),
        percent(rates.discrete_win_rate),
        model.avg_length,
        *weights,
        lc.shown,
        "length control changes this a lot" if model.extreme else "",
    )


def _published_row(model: _Model) -> Iterable[Cell]:
    """Published numbers, each with how far ours lies above it, in points."""
    pairs = (
        (model.published.get("length_controlled_winrate"), model.controlled.value),
        (model.published.get("win_rate"), model.rates.win_rate),
    )
    for known, ours in pairs:
        yield percent(known)
        yield percent(None if known is None or ours is None else ours - known)


def _curve_sheets(models: Mapping[str, _Model]) -> Iterable[Sheet]:
    columns = (
        MODEL,
        Column("longer", "characters longer", numeric=True),
        Column("win_rate", "modelled win rate %", numeric=True),
        Column("bar", "0 to 100 %"),
    )
    for name, model in models.items():
        equal = next((place for place, one in enumerate(model.curve) if not one.longer), 0)
        rows = tuple(
            (name, int(one.longer), percent(one.win_rate), "#" * round(one.win_rate / 4))
            for one in model.curve[equal % _CURVE_SHOWN :: _CURVE_SHOWN]
        )
        yield Sheet("Were all responses this much longer than the baseline's", columns, rows)


def _bias_rows(name: str, model: _Model) -> Iterable[tuple[Cell, ...]]:
    if model.first[0].n:
        yield estimate_row(name, "preference for the position shown first", model.first[0])
    found = model.verbosity
    yield estimate_row(name, "longer response wins", found.longer_wins)
    yield estimate_row(
        name, "preference gained per 1000 characters", found.slope, "least squares, points"
    )
