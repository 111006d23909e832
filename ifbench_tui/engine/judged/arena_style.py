"""Arena-Hard scores with length and markdown taken out (ratings spec 8.2, 9.2, 9.3).

Solved to the exact optimum. "v0.1": features (A - B)/(A + B + 1) with the Arena's ridge. "v2":
relative length without the +1, densities of markdown per token, standardised with divisor n - 1,
no ridge; a subset of features is a subset of columns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from ifbench_tui.engine.judged.arena_hard import (
    ArenaBoard,
    ArenaScore,
    ArenaSettings,
    Floats,
    Outcomes,
    finished,
    outcomes,
    short_name,
)
from ifbench_tui.engine.judged.rows import ArenaJudgment, StyleTotals
from ifbench_tui.engine.ratings.battles import Battles
from ifbench_tui.engine.ratings.matrices import anchored_win_rate
from ifbench_tui.engine.ratings.style import (
    FEATURES,
    StyleFit,
    fit_style,
    fit_style_matrix,
    relative_difference,
    standardised,
)
from ifbench_tui.engine.ratings.style_bootstrap import style_bootstrap

__all__ = ["CONTROLS", "Control", "board_with_style"]

Control = Literal["both", "length", "markdown"]
CONTROLS: Mapping[Control, tuple[str, ...]] = {
    "both": FEATURES,
    "length": FEATURES[:1],
    "markdown": FEATURES[1:],
}


def board_with_style(
    rows: Sequence[ArenaJudgment],
    category: str,
    styles: Mapping[tuple[str, str], StyleTotals],
    control: Control = "both",
    settings: ArenaSettings | None = None,
) -> ArenaBoard:
    """`board` with style control; `styles` by question and model.

    Rows whose model's or baseline's style is not known are left out, and told.
    """
    settings = settings or ArenaSettings()
    keyed = {(question, short_name(model)): one for (question, model), one in styles.items()}
    known = [row for row in rows if _styles_of(row, keyed)]
    notes = []
    if len(known) < len(rows):
        notes.append(f"{len(rows) - len(known)} questions left out: no style counts of an answer")
    data = outcomes(known, settings)
    plain = replace(finished(category, [], data, known, settings), style=control)
    if not len(data):
        return replace(plain, warnings=(*notes, "no outcome has style counts on both sides"))
    if not all(keyed[question, name].counted for question, name in _used(data)):
        notes.append("lengths are whitespace words: the answers carry no token counts")
    fit = _fit(data, keyed, control, legacy=known[0].rules == "v0.1")
    scores = _scores(fit, data, settings)
    found = finished(category, scores, data, known, settings, [*notes, *fit.warnings])
    coefficients = dict(zip(fit.features, fit.coefficients.tolist(), strict=True))
    return replace(found, style=control, coefficients=coefficients)


def _styles_of(row: ArenaJudgment, styles: Mapping[tuple[str, str], StyleTotals]) -> bool:
    names = short_name(row.model), short_name(row.baseline)
    return all((row.question, name) in styles for name in names)


def _used(data: Outcomes) -> list[tuple[str, str]]:
    questions = [data.questions[code] for code in data.question]
    models = [data.models[code] for code in data.model]
    bases = [data.baselines[code] for code in data.baseline]
    return [*zip(questions, models, strict=True), *zip(questions, bases, strict=True)]


def _fit(
    data: Outcomes,
    styles: Mapping[tuple[str, str], StyleTotals],
    control: Control,
    *,
    legacy: bool,
) -> StyleFit:
    """v0.1: side A is the baseline, as there; v2: side A is the model."""
    names = tuple(sorted({*data.models, *data.baselines}))
    places = {name: place for place, name in enumerate(names)}
    model = np.array([places[name] for name in data.models])[data.model]
    base = np.array([places[name] for name in data.baselines])[data.baseline]
    used = _used(data)
    columns = {
        name: np.array([getattr(styles[key], name) for key in used], dtype=np.float64)
        for name in FEATURES
    }
    n = len(data)
    own = {name: column[:n] for name, column in columns.items()}
    theirs = {name: column[n:] for name, column in columns.items()}
    if legacy:
        battles = Battles(names, base, model, 1.0 - data.y)
        sides = {name: (theirs[name], own[name]) for name in CONTROLS[control]}
        return fit_style(battles, sides, preset="fastchat", clusters=data.question)
    battles = Battles(names, model, base, data.y)
    features = [(name, *_density(name, own, theirs)) for name in CONTROLS[control]]
    kept = [(name, column) for name, column, sd in features if sd]
    z = np.array([column for _, column in kept]).reshape(len(kept), n)
    found = fit_style_matrix(battles, z, tuple(name for name, _ in kept), clusters=data.question)
    constant = [name for name, _, sd in features if not sd]
    lost = tuple(
        f"the style feature {name!r} is the same everywhere: left out" for name in constant
    )
    return replace(found, warnings=(*found.warnings, *lost))


def _density(
    name: str, own: Mapping[str, Floats], theirs: Mapping[str, Floats]
) -> tuple[Floats, float]:
    if name == "tokens":
        raw = relative_difference(own[name], theirs[name])
    else:
        raw = relative_difference(
            own[name] / (own["tokens"] + 1.0), theirs[name] / (theirs["tokens"] + 1.0), plus=1.0
        )
    return standardised(raw, ddof=1)


def _scores(fit: StyleFit, data: Outcomes, settings: ArenaSettings) -> list[ArenaScore]:
    """Win rates against each model's baseline: σ of the difference, its bounds likewise."""
    models = fit.fit.models
    drawn = _bootstrap(fit, data, settings)
    scores = []
    for code, name in enumerate(data.models):
        own = data.model == code
        n, null = int(own.sum()), data.nulls.get(name, 0)
        if not n:
            scores.append(ArenaScore(name, None, None, None, 0, null))
            continue
        i = models.index(name)
        j = models.index(data.baselines[int(data.baseline[own][0])])
        score = anchored_win_rate(*fit.fit.ratings[[i, j]].tolist())
        lower, upper = _bounds(fit, drawn, (i, j), settings)
        scores.append(ArenaScore(name, score, lower, upper, n, null))
    return scores


def _bootstrap(fit: StyleFit, data: Outcomes, settings: ArenaSettings) -> Floats | None:
    if settings.interval not in ("bootstrap", "rows"):
        return None
    clusters = data.question if settings.interval == "bootstrap" else None
    rng = np.random.default_rng(settings.seed)
    found = style_bootstrap(fit, rounds=settings.rounds, rng=rng, clusters=clusters)
    return found.ratings.samples


def _bounds(
    fit: StyleFit, drawn: Floats | None, pair: tuple[int, int], settings: ArenaSettings
) -> tuple[float | None, float | None]:
    if settings.interval == "none":
        return None, None
    if drawn is None:
        gap = replace(fit.intervals, level=settings.level).difference(*pair)
        lower, upper = gap.lower, gap.upper
    else:
        gaps = drawn[:, pair[0]] - drawn[:, pair[1]]
        gaps = gaps[np.isfinite(gaps)]
        if 2 * len(gaps) < len(drawn):
            return None, None
        tail = (1.0 - settings.level) / 2.0
        lower, upper = np.quantile(gaps, (tail, 1.0 - tail)).tolist()
    if math.isnan(lower):
        return None, None
    return anchored_win_rate(lower, 0.0), anchored_win_rate(upper, 0.0)
