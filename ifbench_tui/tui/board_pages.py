"""What stands below a judged benchmark's board: tables, the length curve, dropped rows, notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ifbench_tui.report.boards.base import BoardResult
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.report.sheets import Cell, Column, Share, Sheet
from ifbench_tui.tui.board_column import Values
from ifbench_tui.tui.board_state import Shelf
from ifbench_tui.tui.widgets.plot import Chart, Point

__all__ = ["BENCHMARKS", "BoardPage", "notices", "page_of", "pages_of"]

_PAGES: Mapping[str, Mapping[str, str]] = {
    "alpaca_eval": {"length": "length", "fit": "fit"},
    "mt_bench": {
        "categories": "categories",
        "profile": "profile",
        "pairs": "pairs",
        "agreement": "agreement",
    },
    "arena_hard": {"categories": "categories", "reliability": "reliability", "style": "style"},
    "judge_bias": {"family": "own family", "reference": "with a reference"},
}
"""The pages of each benchmark in order, with their titles; then those of `_COMMON`."""

BENCHMARKS = tuple(_PAGES)
"""The benchmarks that have boards."""

_COMMON = {"judge": "the judge", "dropped": "dropped", "notes": "notes"}
_BAR = 20
_HIGHEST = 10.0
_MOST_LINES = 300


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A page: lines of text and ink, else a chart, else the tables of which one is shown.

    `sheets` are also what is copied; `words` stand under the page.
    """

    sheets: tuple[Sheet, ...] = ()
    words: str = ""
    chart: Chart | None = None
    lines: tuple[tuple[str, str], ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing on it but words why."""
        return not (self.sheets or self.chart or self.lines)


def pages_of(benchmark: str) -> dict[str, str]:
    """The pages of a benchmark by name, with their titles."""
    common = {name: words for name, words in _COMMON.items() if name != "judge"}
    return {**_PAGES[benchmark], **(common if benchmark == "judge_bias" else _COMMON)}


def page_of(name: str, result: BoardResult, model: str, shelf: Shelf, glyphs: Glyphs) -> BoardPage:
    """One page; some are about the model under the cursor."""
    if name == "dropped":
        return _dropped(result, shelf)
    if name == "judge":
        return _judge(result)
    values = result.models.get(model)
    if name == "length":
        return _length(model, values, glyphs)
    if name == "fit":
        return _fit(result, model, values, glyphs)
    if name == "profile":
        return _profile(result, model, values, glyphs)
    if name == "style":
        return _style(result)
    columns, nothing = _TABLES[name]
    found = tuple(_with_columns(result, *columns))[:1]
    return BoardPage(found, "" if found else nothing)


_TABLES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "pairs": (("win", "loss", "tie"), "No judgments of pairs are loaded."),
    "agreement": (("judge", "against"), "No votes of people or judges on pairs are loaded."),
    "reliability": (("game_agreement",), "No game has a verdict."),
    "family": (("own_gap",), "No judge has models of its own family here."),
    "reference": (("template",), "No pairs with a known better side are loaded."),
    "categories": ((), "No category is known."),
}
"""The columns that tell a table of the board from the others, and what to say without it."""


def _with_columns(result: BoardResult, *names: str) -> Iterator[Sheet]:
    """The board's tables with these columns; those after the first where none is asked for."""
    for place, sheet in enumerate(result.sheets):
        there = {column.name for column in sheet.columns}
        wanted = _categories(result, place, there) if not names else there.issuperset(names)
        if wanted:
            yield sheet


def _categories(result: BoardResult, place: int, columns: set[str]) -> bool:
    """MT-Bench's table by category has one column each; Arena-Hard's first table one row each."""
    if result.benchmark == "arena_hard":
        return place == 0
    known = {name for values in result.models.values() for name in values["by_category"]}
    return bool(known) and columns == {"model", *known}


def _judge(result: BoardResult) -> BoardPage:
    found = result.judge_sheets
    return BoardPage(found, "" if found else "Nothing here shows how the judge is biased.")


# ---- AlpacaEval ----------------------------------------------------------------------------------


def _length(model: str, values: Values | None, glyphs: Glyphs) -> BoardPage:
    """The modelled win rate against length, and what was observed in fifths of the rows."""
    if values is None:
        return BoardPage()
    curve = [(one["longer"], one["win_rate"]) for one in values["curve"]]
    if not curve:
        why = next(iter(values["warnings"]), "the baseline itself has no fit")
        return BoardPage((), f"No curve: {why}")
    observed = [
        (one["longer"], 100.0 * one["preference"]) for one in values["bias"]["verbosity"]["bins"]
    ]
    lc, raw, longer = values["length_controlled_winrate"], values["win_rate"], values["avg_longer"]
    marks = [Point(x, y, glyphs.rescued, "side-b") for x, y in observed]
    marks += [Point(longer, raw, glyphs.marked, "strong")] if raw is not None else []
    marks.append(Point(0.0, lc, glyphs.bookmark, "accent strong"))
    words = [
        f"{glyphs.bookmark} {lc:.1f} % at equal length",
        f"{glyphs.marked} {raw:.1f} % raw at {longer:+,.0f}",
        f"{glyphs.rescued} fifths of the rows",
    ]
    columns = (
        Column("model", "model"),
        Column("longer", "characters longer", numeric=True),
        Column("win_rate", "modelled win rate %", numeric=True),
    )
    rows = tuple((model, int(x), Share(y / 100.0)) for x, y in curve)
    title = "Were all responses this much longer than the baseline's"
    return BoardPage(
        (Sheet(title, columns, rows),),
        "   ".join(words),
        Chart(curve, marks, unit=" %", x_name="characters longer"),
    )


def _fit(result: BoardResult, model: str, values: Values | None, glyphs: Glyphs) -> BoardPage:
    known = any("glm" in one.get("published", {}) for one in result.models.values())
    names = ("length", "difficulty", "quality")
    columns = [
        Column("model", "model"),
        *(Column(name, f"w {name}", numeric=True) for name in names),
        Column("c", "C"),
        Column("length_sd", "length SD", numeric=True),
        Column("preset", "preset"),
    ]
    if known:
        columns += [Column(f"published_{name}", f"publ. {name}", numeric=True) for name in names]
    rows = []
    for name, one in result.models.items():
        fit, c = one["fit"], one["c"]
        shown = None if c is None else f"{c:.6g} {'cv' if fit['cross_validated'] else 'fixed'}"
        sd = None if fit["length_sd"] is None else round(fit["length_sd"])
        row: list[Cell] = [name, *(one["glm"].get(part) for part in names), shown, sd]
        row.append(fit["preset"])
        if known:
            there = one.get("published", {}).get("glm", {})
            row += [there.get(part) for part in names]
        rows.append(tuple(row))
    weights = Sheet("Coefficients of the fit, in logits", tuple(columns), tuple(rows))
    scores = _scores(model, values, glyphs)
    words = "logits; length is tanh of the difference over its SD, baseline less model"
    return BoardPage((weights, *([scores] if scores else [])), words)


def _scores(model: str, values: Values | None, glyphs: Glyphs) -> Sheet | None:
    """The cross-validation of one model; None where there was none."""
    from ifbench_tui.engine.judged.length_fit import C_GRID

    scores = [] if values is None else values["fit"]["scores"]
    if values is None or not scores:
        return None
    best = max(scores)
    rows = tuple(
        (
            f"{c:.6g}",
            f"{score:.7f}",
            f"{best - score:.1e}" if score < best else "0",
            glyphs.holds if c == values["c"] else "",
        )
        for c, score in zip(C_GRID, scores, strict=True)
    )
    names = ("C", "mean score", "below the best", "chosen")
    return Sheet(f"Cross-validation of {model}", tuple(Column(n, n) for n in names), rows)


# ---- MT-Bench ------------------------------------------------------------------------------------


def _profile(result: BoardResult, model: str, values: Values | None, glyphs: Glyphs) -> BoardPage:
    """A model's ratings by category as bars, beside the mean of all models."""
    own = {} if values is None else values["by_category"]
    if not own:
        return BoardPage((), "This model has no ratings of single answers.")
    columns = (
        Column("category", "category"),
        Column("rating", "rating", numeric=True),
        Column("bar", "0 to 10"),
        Column("mean", "all models", numeric=True),
        Column("difference", "less all", numeric=True),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, rating in own.items():
        others = [
            one["by_category"][name] for one in result.models.values() if name in one["by_category"]
        ]
        mean = sum(others) / len(others)
        rows.append((name, f"{rating:.2f}", _bar(rating, glyphs), f"{mean:.2f}",
                     f"{rating - mean:+.2f}"))  # fmt: skip
    return BoardPage(
        (Sheet(f"{model} by category: mean rating of both turns", columns, tuple(rows)),),
        f"{model}: mean rating of both turns, of 10",
    )


def _bar(rating: float, glyphs: Glyphs) -> str:
    halves = max(0, min(2 * _BAR, round(2 * _BAR * rating / _HIGHEST)))
    if glyphs.ascii_only:
        return "#" * (halves // 2) + "." * (_BAR - halves // 2)
    full = "━" * (halves // 2) + "╸" * (halves % 2)
    return full + "·" * (_BAR - len(full))


# ---- Arena-Hard ----------------------------------------------------------------------------------


def _style(result: BoardResult) -> BoardPage:
    found = {
        category: one["coefficients"]
        for category, one in result.extra["reliability"].items()
        if "coefficients" in one
    }
    if not found:
        chosen = result.extra["style"] != "none"
        why = "No answers with style counts are loaded." if chosen else (
            "No style control. Press c: it takes out the pull of length and markdown."
        )  # fmt: skip
        return BoardPage((), why)
    features = list(dict.fromkeys(name for one in found.values() for name in one))
    columns = (
        Column("category", "category"),
        *(Column(name, name, numeric=True) for name in features),
    )
    rows = tuple(
        (category, *(one.get(name) for name in features)) for category, one in found.items()
    )
    return BoardPage(
        (Sheet("Style coefficients", columns, rows),),
        "logits per standard deviation: above 0 the judge favours more of it",
    )


# ---- rows that do not count ----------------------------------------------------------------------


def _dropped(result: BoardResult, shelf: Shelf) -> BoardPage:
    """What was not used and why: rows without a verdict, unmatched ones, problems of the files."""
    rows: list[tuple[Cell, ...]] = list(_unjudged(result))
    rows += [(None, None, text) for text in result.unused]
    kinds = ("broken", "unmatched", "duplicate")
    unused = [problem for problem in shelf.problems if problem.kind in kinds]
    for problem in sorted(unused, key=lambda one: kinds.index(one.kind)):
        said = f"{problem.kind}: {problem.reason}"
        whole = f"{said}; {problem.advice}" if problem.advice else said
        rows.append((problem.where, problem.rows, whole))
    columns = (
        Column("where", "where"),
        Column("rows", "rows", numeric=True),
        Column("reason", "reason"),
    )
    if not rows:
        return BoardPage((), "Every row that was read counts.")
    sheet = Sheet("Rows that do not count", columns, tuple(rows))
    lines = [
        (f"{place}: {reason}" if place else str(reason), "")
        for place, _, reason in rows[:_MOST_LINES]
    ]
    if more := len(rows) - len(lines):
        lines.append((f"and {more:,} more: w writes them all", "dim"))
    return BoardPage((sheet,), lines=tuple(lines))


def notices(shelf: Shelf) -> list[str]:
    """What the files' readers remarked, where no row was lost."""
    return [
        f"{one.path if one.line is None else f'{one.path}:{one.line}'}: {one.reason}"
        for one in shelf.problems
        if one.kind == "notice"
    ][:_MOST_LINES]


def _unjudged(result: BoardResult) -> Iterator[tuple[Cell, ...]]:
    say: dict[str, Callable[[Values], tuple[int, str]]] = {
        "alpaca_eval": lambda one: (
            one["n_rows"] - one["n"],
            f"of {one['n_rows']:,} rows have no usable preference: not in the win rate",
        ),
        "mt_bench": lambda one: (one.get("missing", 0), "judgments have no rating"),
        "arena_hard": lambda one: (one["null"], "questions (v0.1: games) have no usable verdict"),
    }
    if result.benchmark not in say:
        return
    for model, values in result.models.items():
        count, why = say[result.benchmark](values)
        if count:
            yield model, count, f"{count:,} {why}"
