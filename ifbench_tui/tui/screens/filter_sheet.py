"""Choose which prompts are listed; the list follows every change, Escape puts it back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from ifbench_tui.engine.benchmark import Prompt
from ifbench_tui.filters import ALL, Filter, FilterError, parse_filter
from ifbench_tui.tui.ink import Line, safe
from ifbench_tui.tui.screens.sheet import Sheet
from ifbench_tui.tui.verdicts import Verdicts
from ifbench_tui.tui.widgets.entry import Entry
from ifbench_tui.tui.widgets.row_list import RowList

__all__ = ["FilterSheet"]


@dataclass(frozen=True, slots=True)
class _Condition:
    """One line of the sheet: a field of the filter and the values it may take, with words."""

    name: str
    words: str
    values: Sequence[tuple[Any, str]]


_MOST_GROUPS = 40
"""An attribute with more values, such as an id, is no group."""

_ANY_VERDICT = ((None, "any"), (True, "pass"), (False, "fail"))
_OFF_ON = ((False, "any"), (True, "only these"))


def _conditions(verdicts: Verdicts, model: str) -> list[_Condition]:
    prompts = verdicts.suite.prompts
    there = {spec.type for prompt in prompts for spec in prompt.constraints}
    types = [kind for kind in verdicts.benchmark.types if kind in there]
    types += sorted(there.difference(types))
    models = [other for other in verdicts.suite.models if other != model]
    others = [("", "any"), ("any", "from some other"), *((name, f"from {name}") for name in models)]
    many = len(verdicts.benchmark.variant_names) > 1
    attributes = _attributes(prompts)
    return [
        _Condition("strict", "strict" if many else "verdict", _ANY_VERDICT),
        *([_Condition("loose", "loose", _ANY_VERDICT)] if many else []),
        _Condition("type", "constraint type", [("", "any"), *((kind, kind) for kind in types)]),
        _Condition("category", "category", [("", "any"), *_families(verdicts, types)]),
        *([_Condition("has", "prompts with", [("", "any"), *attributes])] if attributes else []),
        _Condition("near", "near miss", _OFF_ON),
        _Condition("error", "checker error", _OFF_ON),
        _Condition("recorded", "file says otherwise", _OFF_ON),
        _Condition("differs", "model differs", others),
        _Condition("marked", "marked by you", _OFF_ON),
        _Condition("bookmarked", "bookmarked", _OFF_ON),
        _Condition("noted", "with a note", _OFF_ON),
        _Condition("missing", "no response", _OFF_ON),
        _Condition("inverted", "inverted", ((False, "no"), (True, "all the others instead"))),
    ]  # fmt: skip


def _families(verdicts: Verdicts, types: Sequence[str]) -> list[tuple[str, str]]:
    """Families that constraints are of, in the order of their types."""
    specs = [spec for prompt in verdicts.suite.prompts for spec in prompt.constraints]
    place = {kind: number for number, kind in enumerate(types)}
    specs.sort(key=lambda spec: place[spec.type])
    return [(name, name) for name in dict.fromkeys(map(verdicts.benchmark.family_of, specs))]


def _attributes(prompts: Sequence[Prompt]) -> list[tuple[str, str]]:
    """Attributes that part the prompts into a few groups, each as the filter names it."""
    found: dict[str, set[str]] = defaultdict(set)
    for prompt in prompts:
        for name, value in prompt.attributes.items():
            if isinstance(value, str) and len(found[name]) <= _MOST_GROUPS:
                found[name].add(value)
    return [
        (f"{name}={value}", f"{name} {value}")
        for name, values in found.items()
        if 1 < len(values) <= _MOST_GROUPS
        for value in sorted(values)
    ]


class FilterSheet(Sheet[Filter]):
    """Conditions as lines; the same filter in words below, to type if that is quicker."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h,left", "turn(-1)", "Previous value", show=False),
        Binding("l,right,space", "turn(1)", "Next value", show=False),
        Binding("slash,i", "words", "Type", show=False),
        Binding("F,backspace", "clear", "Clear", show=False),
    ]

    def __init__(
        self, chosen: Filter, verdicts: Verdicts, model: str, apply: Callable[[Filter], None]
    ) -> None:
        super().__init__()
        self._chosen = chosen
        self._apply = apply
        self._conditions = _conditions(verdicts, model)

    def compose(self) -> ComposeResult:
        sheet = Vertical(classes="sheet")
        sheet.border_title = "filter"
        sheet.border_subtitle = self.words("h/l change · / type · F clear · enter keep")
        with sheet:
            yield RowList(self._draw, id="conditions")
            yield Entry(self._chosen.words(), placeholder="text to find, or conditions", id="typed")
            yield Static("", id="problem", markup=False)

    def on_mount(self) -> None:
        rows = self.query_one("#conditions", RowList)
        rows.set_rows(len(self._conditions))
        rows.focus()

    def _draw(self, row: int, width: int) -> Line:
        condition = self._conditions[row]
        value = getattr(self._chosen, condition.name)
        known = dict(condition.values)
        words = safe(known.get(value, str(value)), 32)
        set_now = value != getattr(ALL, condition.name)
        return [(f" {condition.words:<20} ", "" if set_now else "dim"),
                (words, "accent strong" if set_now else "dim")]  # fmt: skip

    def action_turn(self, step: int) -> None:
        condition = self._conditions[self.query_one("#conditions", RowList).cursor]
        values = [value for value, _ in condition.values]
        value = getattr(self._chosen, condition.name)
        place = values.index(value) if value in values else 0
        turned = {condition.name: values[(place + step) % len(values)]}
        self._change(replace(self._chosen, **turned))

    def action_clear(self) -> None:
        self._change(ALL)

    def action_words(self) -> None:
        self.query_one("#typed").focus()

    def _change(self, chosen: Filter) -> None:
        self._chosen = chosen
        with self.prevent(Input.Changed):
            self.query_one("#typed", Input).value = chosen.words()
        self._show("")

    def _show(self, problem: str) -> None:
        self.query_one("#conditions", RowList).redraw()
        self.query_one("#problem", Static).update(safe(problem))
        if not problem:
            self._apply(self._chosen)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        try:
            self._chosen = parse_filter(event.value)
            self._chosen.test()
        except FilterError as error:
            self._show(str(error))
        else:
            self._show("")

    @on(Input.Submitted)
    @on(RowList.Opened)
    def _keep(self) -> None:
        self.dismiss(self._chosen)
