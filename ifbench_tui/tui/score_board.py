"""The two tables of the Scores place: which models and groups, in which order, what a cell says."""

from __future__ import annotations

from dataclasses import dataclass

from ifbench_tui.engine.summary import GroupScore, Summary
from ifbench_tui.filters import ALL, Filter
from ifbench_tui.report.glyphs import UNICODE, Glyphs
from ifbench_tui.tui.ink import Line
from ifbench_tui.tui.score_columns import (
    Headline,
    Measure,
    group_cell,
    group_filter,
    group_names,
    group_of,
    group_words,
    headlines,
    measures,
    percent,
)
from ifbench_tui.tui.verdicts import Verdicts
from ifbench_tui.tui.widgets.cell_grid import NAMES

__all__ = ["Chosen", "ScoreBoard"]

_FEW_MODELS = 5


@dataclass(frozen=True, slots=True)
class Chosen:
    """A cell in words, and the responses behind it: None where no filter can say them."""

    model: str
    what: str
    words: str
    where: Filter | None = ALL


class ScoreBoard:
    """State of both tables. `order` are the models of both; `groups` those of the heat map."""

    def __init__(self) -> None:
        self.glyphs: Glyphs = UNICODE
        self.verdicts: Verdicts | None = None
        self.order: list[str] = []
        self.columns: list[Headline] = []
        self.groups: list[str] = []
        self.kind = "type"
        self.sorting: tuple[str, int, bool] | None = None
        """Models by a column of the upper table ("") or of the heat map (its kind of group)."""
        self.group_sorting: tuple[int, bool] | None = None
        """Groups by a model's column, where the heat map is flipped."""
        self._measure = 0
        self._flip: bool | None = None
        self._complete = 0

    # ---- what there is -----------------------------------------------------------------------

    def stale(self, verdicts: Verdicts | None) -> bool:
        """Whether models became complete, or another suite is in use, since the last rebuild."""
        return verdicts is not self.verdicts or self._complete != len(self.summaries)

    def rebuild(self, verdicts: Verdicts | None) -> None:
        """Columns and order again, from what is judged now."""
        if verdicts is not self.verdicts:
            self.verdicts = verdicts
            self.sorting = self.group_sorting = None
            self.kind, self._measure = "type", 0
        summaries = self.summaries
        self._complete = len(summaries)
        self.order = [] if verdicts is None else list(verdicts.suite.models)
        shape = next(iter(summaries.values()), None)
        if shape is None and verdicts is not None:
            shape = verdicts.benchmark.summarise([])
        self.columns = [] if shape is None else headlines(shape, self.glyphs)
        self.groups = group_names(summaries.values(), self.kind)
        if not summaries and verdicts is not None:
            prompts = verdicts.suite.prompts
            self.groups = sorted({spec.type for one in prompts for spec in one.constraints})
        self._sort_models()
        self._sort_groups()

    @property
    def summaries(self) -> dict[str, Summary]:
        """Summaries of the models that are judged completely."""
        verdicts = self.verdicts
        models = () if verdicts is None else verdicts.suite.models
        return {model: found for model in models if (found := self.summary(model)) is not None}

    def summary(self, model: str) -> Summary | None:
        """A model's numbers, once it is judged completely."""
        return None if self.verdicts is None else self.verdicts.summary(model)

    @property
    def measure(self) -> Measure:
        """What the heat map shows."""
        variants = 2 if self.verdicts is None else len(self.verdicts.benchmark.variant_names)
        product = any(score.factor is not None for score in self._scores)
        found = measures(variants, product=product)
        return found[self._measure % len(found)]

    @property
    def has_thin(self) -> bool:
        """Whether some group has too few constraints to count."""
        return any(score.thin for score in self._scores)

    @property
    def _scores(self) -> list[GroupScore]:
        """All cells of the heat map."""
        return [one for found in self.summaries.values() for one in found.groups.get(self.kind, ())]

    @property
    def flipped(self) -> bool:
        """Whether models are the heat map's columns: with few of them, unless a person chose."""
        return len(self.order) <= _FEW_MODELS if self._flip is None else self._flip

    def model_at(self, row: int) -> str:
        """The model of a row; "" where there is none."""
        return self.order[row] if 0 <= row < len(self.order) else ""

    def heat_at(self, row: int, column: int) -> tuple[str, str]:
        """(model, group) of a cell of the heat map; either is "" where there is none."""
        if self.flipped:
            row, column = column, row
        group = self.groups[column] if 0 <= column < len(self.groups) else ""
        return self.model_at(row), group

    # ---- choices -----------------------------------------------------------------------------

    def next_measure(self) -> None:
        """Show the next measure in the heat map."""
        self._measure += 1

    def next_kind(self) -> bool:
        """Group the heat map by the next kind of group; False where none is known yet."""
        kinds = list(next((one.groups for one in self.summaries.values()), {}))
        if not kinds:
            return False
        place = kinds.index(self.kind) + 1 if self.kind in kinds else 0
        self.kind = kinds[place % len(kinds)]
        if self.sorting is not None and self.sorting[0]:
            self.sorting = None
        return True

    def flip(self) -> None:
        """Swap the heat map's rows and columns."""
        self._flip = not self.flipped

    def sort(self, column: int, *, in_heat: bool) -> None:
        """Sort by a column of one of the tables: best first, again for the other direction."""
        down = column != NAMES
        if in_heat and self.flipped:
            self.group_sorting = column, down ^ (self.group_sorting == (column, down))
        else:
            kind = self.kind if in_heat else ""
            self.sorting = kind, column, down ^ (self.sorting == (kind, column, down))

    def _sort_models(self) -> None:
        """Models still pending, or without a value, come last."""
        if self.sorting is None:
            return
        kind, column, down = self.sorting
        if column == NAMES:
            self.order.sort(key=str.casefold, reverse=down)
            return
        values = {model: self._value(model, kind, column) for model in self.order}
        there = [model for model in self.order if values[model] is not None]
        there.sort(key=lambda model: values[model] or 0.0, reverse=down)
        self.order = there + [model for model in self.order if values[model] is None]

    def _value(self, model: str, kind: str, column: int) -> float | None:
        summary = self.summary(model)
        if summary is None:
            return None
        if not kind:
            return self.columns[column].value(summary) if column < len(self.columns) else None
        name = self.groups[column] if column < len(self.groups) else ""
        score = group_of(summary, kind, name)
        return None if score is None else self.measure.value(score)

    def _sort_groups(self) -> None:
        if self.group_sorting is None or not self.flipped:
            return
        column, down = self.group_sorting
        if column == NAMES:
            self.groups.sort(reverse=down)
            return
        summary = self.summary(self.model_at(column))

        def value(name: str) -> float:
            score = group_of(summary, self.kind, name)
            found = None if score is None else self.measure.value(score)
            return (-2.0 if down else 2.0) if found is None else found

        self.groups.sort(key=value, reverse=down)

    # ---- cells -------------------------------------------------------------------------------

    def pending(self, model: str) -> str:
        """How far a model is judged, in words."""
        if self.verdicts is None or not model:
            return ""
        done, total = len(self.verdicts.of(model)), len(self.verdicts.suite.responses(model))
        share = percent(done / max(1, total), self.glyphs, 0)
        return f"{'judged' if done else 'pending'} {share} %"

    def model_cell(self, row: int, column: int) -> Line:
        """A cell of the upper table."""
        model = self.order[row]
        summary = self.summary(model)
        if summary is not None:
            return self.columns[column].cell(summary)
        return [(self.glyphs.pending if column else self.pending(model), "dim")]

    def heat_cell(self, row: int, column: int) -> Line:
        """A cell of the heat map."""
        model, group = self.heat_at(row, column)
        summary = self.summary(model)
        if summary is None:
            return [(f"{self.glyphs.pending} ", "dim")]
        return group_cell(group_of(summary, self.kind, group), self.measure, self.glyphs)

    def chosen_model(self, row: int, column: int) -> Chosen:
        """What a cell of the upper table says."""
        model = self.model_at(row)
        summary = self.summary(model)
        if summary is None:
            return Chosen(model, "", self.pending(model))
        if not 0 <= column < len(self.columns):
            sizes = f"{summary.n_prompts:,} prompts, {summary.n_constraints:,} constraints"
            return Chosen(model, "", f"{sizes}; enter reads them all in Audit")
        headline = self.columns[column]
        return Chosen(model, headline.title, headline.words(summary), headline.where)

    def chosen_group(self, row: int, column: int) -> Chosen:
        """What a cell of the heat map says."""
        model, group = self.heat_at(row, column)
        summary = self.summary(model)
        if summary is None:
            return Chosen(model, group, self.pending(model))
        if not group:
            return Chosen(model, "", "all types; enter reads all prompts in Audit")
        words = group_words(group_of(summary, self.kind, group), self.measure, self.glyphs)
        return Chosen(model, group, words, group_filter(self.kind, group, self.measure))
