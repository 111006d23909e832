"""Two models on the same prompts: a paired test, who wins where, and what only one passes."""

from __future__ import annotations

from collections.abc import Iterator

from textual import on
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.worker import get_current_worker

from ifbench_tui.engine.intervals import PairedComparison
from ifbench_tui.filters import Filter
from ifbench_tui.report import sheets
from ifbench_tui.report.results import Comparison, Results, compare
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.columns import kind_name, left
from ifbench_tui.tui.ink import Line, safe
from ifbench_tui.tui.screens.place import Place, title
from ifbench_tui.tui.screens.save_sheet import SaveSheet, as_markdown, as_tsv
from ifbench_tui.tui.verdicts import Verdicts
from ifbench_tui.tui.widgets.bar import Bar
from ifbench_tui.tui.widgets.list_head import ListHead
from ifbench_tui.tui.widgets.row_list import RowList

__all__ = ["VersusScreen", "p_words", "signed"]


def signed(value: float | None, none: str) -> str:
    """A difference of shares in points, with its sign."""
    return none if value is None else f"{100 * value:+.1f}"


def p_words(p: float) -> str:
    """A p-value as it is printed."""
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


_INTERVAL = 18


class VersusScreen(Place):
    """A on the left, B on the right, everywhere; only prompts that both answered count."""

    PLACE = "Compare"
    BINDINGS = bindings("versus")
    AUTO_FOCUS = "#types"
    CSS_PATH = "../styles/scores.tcss"

    def __init__(self, verdicts: Verdicts, a: str, b: str) -> None:
        super().__init__()
        self._verdicts = verdicts
        self._a, self._b = a, b
        self._loose = False
        self._generation = 0
        self._found: Comparison | None = None
        self._types: list[tuple[str, PairedComparison]] = []
        self._only: list[tuple[str, bool]] = []
        self._keys: dict[str, str] = {}

    def body(self) -> Iterator[Widget]:
        with Vertical(id="verdict"):
            yield Bar(id="names")
            yield Bar(id="difference")
            yield Bar(id="counts")
        types = RowList(self._type_row, id="types")
        prompts = RowList(self._prompt_row, id="prompts", classes="pane")
        yield Horizontal(
            Vertical(ListHead(types, self._heads), types, id="by-type", classes="pane"),
            prompts,
            id="sides",
        )

    def head(self) -> list[Line]:
        return [[("A ", "dim"), (safe(self._a, 28), "side-a strong")],
                [("B ", "dim"), (safe(self._b, 28), "side-b strong")]]  # fmt: skip

    @property
    def measure(self) -> str:
        """The verdicts compared: strict or loose."""
        return "loose" if self._loose else "strict"

    # ---- compute -----------------------------------------------------------------------------

    def bench_changed(self) -> None:
        if self.bench.verdicts is not self._verdicts:
            self.app.pop_screen()
        elif self._found is None:
            self._compare()

    def _compare(self) -> None:
        self._generation += 1
        generation, verdicts, a, b = self._generation, self._verdicts, self._a, self._b

        def work() -> None:
            worker, suite = get_current_worker(), verdicts.suite
            judged = {
                model: [known[p.key] for p in suite.prompts if p.key in known]
                for model in (a, b)
                if (known := verdicts.of(model))
            }
            found = compare(Results(suite, judged, {}), a, b)
            if not worker.is_cancelled:
                self.app.call_from_thread(self._compared, generation, found)

        self.in_thread("versus", work)

    def _compared(self, generation: int, found: Comparison) -> None:
        if generation == self._generation:
            self._found = found
            self._keys = {
                str(prompt.attributes.get("key", prompt.key)): prompt.key
                for prompt in self._verdicts.suite.prompts
            }
            self._show()

    def _show(self) -> None:
        found = self._found
        if found is None:
            return
        paired = found.measures[self.measure]
        by_type = found.types[self.measure].items()
        self._types = sorted(by_type, key=lambda item: -abs(item[1].difference or 0.0))
        only_a, only_b = found.only_a[self.measure], found.only_b[self.measure]
        self._only = [(str(key), True) for key in only_a] + [(str(key), False) for key in only_b]
        self._say(paired)
        types, prompts = self.query_one("#types", RowList), self.query_one("#prompts", RowList)
        heading = f"who wins where {self.glyphs.dot} {self.measure}, %"
        self.query_one("#by-type").border_title = title(heading)
        types.set_rows(len(self._types), types.cursor)
        prompts.border_title = title(f"only one passes: {len(only_a)} A, {len(only_b)} B")
        prompts.set_rows(len(self._only), prompts.cursor)
        self.query_one(ListHead).redraw()
        self.refresh_head()

    def _say(self, paired: PairedComparison) -> None:
        none = self.glyphs.none
        a, b = paired.both + paired.only_a, paired.both + paired.only_b
        n = max(1, paired.n)
        words: Line = [
            (f" {self.measure} ", "dim"),
            (f"A {100 * a / n:.1f} %", "side-a strong"),
            ("   ", ""),
            (f"B {100 * b / n:.1f} %", "side-b strong"),
            (f"   of {paired.n:,} prompts that both answered", "dim"),
        ]
        self.query_one("#names", Bar).show(words)
        lower, upper = signed(paired.lower, none), signed(paired.upper, none)
        clear = paired.p_value < 0.05
        verdict = "undecided"
        if clear:
            verdict = "A is better" if (paired.difference or 0) > 0 else "B is better"
        self.query_one("#difference", Bar).show(
            [
                (" A-B ", "dim"),
                (f"{signed(paired.difference, none)} points", "strong"),
                (f" [{lower}, {upper}]", "interval"),
                (f"  {p_words(paired.p_value)} exact McNemar", ""),
                (f"  {verdict}", "accent strong" if clear else "dim"),
            ]
        )
        self.query_one("#counts", Bar).show(
            [
                (f" both pass {paired.both}   ", "dim"),
                (f"only A {paired.only_a}", "side-a"),
                ("   ", ""),
                (f"only B {paired.only_b}", "side-b"),
                (f"   neither {paired.neither}", "dim"),
            ]
        )

    # ---- drawing -----------------------------------------------------------------------------

    def _heads(self, width: int) -> str:
        name, with_interval = self._type_widths(width)
        bounds = f"{'95 %':>{_INTERVAL}}" if with_interval else ""
        return f" {'constraint':<{name}}{'n':>5}{'A':>7}{'B':>7}{'A-B':>8}{bounds}"

    def _type_widths(self, width: int) -> tuple[int, bool]:
        """Cells for a type's name, and whether the interval has room."""
        room = width - 29
        with_interval = room >= 24 + _INTERVAL
        return max(12, room - (_INTERVAL if with_interval else 0)), with_interval

    def _type_row(self, row: int, width: int) -> Line:
        kind, paired = self._types[row]
        name, with_interval = self._type_widths(width)
        n, none = max(1, paired.n), self.glyphs.none
        difference = paired.difference or 0.0
        ink = "side-a" if difference > 0 else "side-b" if difference < 0 else "dim"
        line: list[tuple[str, str]] = [
            (f" {left(kind_name(kind, name - 1), name - 1)} ", ""),
            (f"{paired.n:>5}", "dim"),
            (f"{100 * (paired.both + paired.only_a) / n:>7.1f}", ""),
            (f"{100 * (paired.both + paired.only_b) / n:>7.1f}", ""),
            (f"{signed(paired.difference, none):>8}", f"{ink} strong"),
        ]
        if with_interval:
            bounds = f"[{signed(paired.lower, none)}, {signed(paired.upper, none)}]"
            line.append((f"{bounds:>{_INTERVAL}}", "interval"))
        return line

    def _prompt_row(self, row: int, width: int) -> Line:
        key, is_a = self._only[row]
        holds, fails = (self.glyphs.holds, "pass"), (self.glyphs.fails, "fail")
        own = self._keys.get(key, key)
        loser = self._b if is_a else self._a
        judged = self._verdicts.get(loser, own)
        failed = [
            lattice.constraint.rpartition(":")[2]
            for lattice in (() if judged is None else judged.lattices)
            if not getattr(lattice, self.measure)
        ]
        words = "blank" if not failed else safe(failed[0])
        more = f" +{len(failed) - 1}" if len(failed) > 1 else ""
        first, second = (holds, fails) if is_a else (fails, holds)
        return [
            (" A", "side-a"),
            first,
            (" B", "side-b"),
            second,
            (f" {left(key, 10)} ", ""),
            (f"{words}{more}", "dim"),
        ]

    # ---- actions -----------------------------------------------------------------------------

    @on(RowList.Opened, "#prompts")
    async def _open_prompt(self, message: RowList.Opened) -> None:
        key, is_a = self._only[message.row]
        self.audit_app.use(model=self._b if is_a else self._a)
        await self.audit_app.audit(where="", key=self._keys.get(key, key))

    @on(RowList.Opened, "#types")
    async def _open_type(self, message: RowList.Opened) -> None:
        kind, paired = self._types[message.row]
        loser, winner = (self._b, self._a) if (paired.difference or 0) > 0 else (self._a, self._b)
        self.audit_app.use(model=loser)
        await self.audit_app.audit(where=Filter(type=kind, differs=winner))

    def action_measure(self) -> None:
        if len(self._verdicts.benchmark.variant_names) < 2:
            self.audit_app.say("with one variant no verdict is loose")
            return
        self._loose = not self._loose
        self._show()

    def action_swap(self) -> None:
        self._a, self._b = self._b, self._a
        self._compare()

    def action_other(self, step: int) -> None:
        models = [
            model
            for model in self._verdicts.suite.models
            if model != self._a and self._verdicts.summary(model) is not None
        ]
        self._b = models[(models.index(self._b) + step) % len(models)]
        self._compare()

    # ---- take away ---------------------------------------------------------------------------

    def _tables(self) -> list[sheets.Sheet]:
        found = self._found
        if found is None:
            return []
        return [sheets.compared(found), sheets.compared_types(found), sheets.one_sided(found)]

    def action_yank(self) -> None:
        if tables := self._tables():
            text = "\n\n".join(map(as_tsv, tables))
            self.audit_app.yank(text, f"{self._a} against {self._b}, tab-separated")

    def action_yank_markdown(self) -> None:
        if tables := self._tables():
            text = as_markdown(tables, self.glyphs)
            self.audit_app.yank(text, f"{self._a} against {self._b}, Markdown")

    def action_write(self) -> None:
        if self._tables():
            self.app.push_screen(SaveSheet(self._tables, "comparison.csv"))
