"""Human against verifier: what a person's marks say, type by type, and what it does to scores."""

from __future__ import annotations

from collections.abc import Iterator

from textual import on
from textual.containers import Vertical
from textual.widget import Widget

from ifbench_tui.engine.summary import Metric
from ifbench_tui.engine.verifier_agreement import AgreementScore
from ifbench_tui.filters import Filter
from ifbench_tui.report.agreement import Agreement, agreement, agreement_sheet, corrected_sheet
from ifbench_tui.report.results import Results
from ifbench_tui.report.sheets import Sheet as Table
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.columns import kind_name, left
from ifbench_tui.tui.ink import Line, entitle, safe
from ifbench_tui.tui.score_columns import interval, percent
from ifbench_tui.tui.screens.place import Place, title
from ifbench_tui.tui.screens.save_sheet import SaveSheet, as_markdown, as_tsv
from ifbench_tui.tui.verdicts import Verdicts
from ifbench_tui.tui.widgets.bar import Bar
from ifbench_tui.tui.widgets.list_head import ListHead
from ifbench_tui.tui.widgets.notice import Notice
from ifbench_tui.tui.widgets.row_list import RowList

__all__ = ["AgreementScreen"]

_NOTHING = """\
There is nothing to mark yet.

Press 1 for the Library, then o, and open prompts and the responses to them."""

_HOW_TO = """\
You have marked nothing in this benchmark yet.

Press 3 for Audit, look at a response, and press m on a cell of the lattice: agree, should pass, \
should fail, or unclear. Each mark counts here at once.

A dozen marks per type on cells chosen without looking at the verdict tell more than a hundred \
on failures alone."""

_WIDTHS = (6, 7, 12, 12, 9)
_NARROW = (5, 7, 9, 9, 9)
_SHARE = 17
_NO_SPREAD = 1e-9
"""Standard error of a kappa that is what it is by construction: it has no interval to show."""
_KAPPA = 21


class AgreementScreen(Place):
    """Above a row a type, below official and corrected scores of the models that have marks."""

    PLACE = "Agreement"
    BINDINGS = bindings("agreement")
    AUTO_FOCUS = "#types"
    CSS_PATH = "../styles/scores.tcss"

    def __init__(self) -> None:
        super().__init__()
        self._found: Agreement | None = None
        self._generation = 0
        self._complete: set[str] = set()
        self._scores: list[AgreementScore] = []
        self._corrected: list[tuple[str, Metric, Metric]] = []

    def body(self) -> Iterator[Widget]:
        types = RowList(self._type_row, id="types")
        corrected = RowList(self._corrected_row, id="corrected")
        yield Vertical(ListHead(types, self._heads), types, id="by-type", classes="pane")
        yield Vertical(
            ListHead(corrected, self._corrected_heads), corrected, id="both", classes="pane"
        )
        yield Bar(id="what")
        yield Bar(id="facts")
        yield Notice(id="message")

    def head(self) -> list[Line]:
        verdicts, decisions = self.bench.verdicts, self.bench.decisions
        if verdicts is None:
            return []
        who = f"marks of {safe(decisions.annotator, 24)}"
        return [[(safe(verdicts.benchmark.title, 24), "")], [(who, "dim")]]

    def refresh_head(self) -> None:
        super().refresh_head()
        self.query_one("#message", Notice).update(self._message())

    def _message(self) -> str:
        """What to do where nothing is marked."""
        suite = self.bench.suite
        if suite is not None and suite.models:
            return _HOW_TO
        return "Loading; esc stops." if self.bench.progress else _NOTHING

    # ---- what changed ------------------------------------------------------------------------

    def bench_changed(self) -> None:
        self._count()

    def verdicts_changed(self) -> None:
        verdicts = self.bench.verdicts
        complete = {model for model in self._marked() if verdicts and verdicts.complete(model)}
        if complete != self._complete:
            self._complete = complete
            self._count()

    def decisions_changed(self) -> None:
        self._count()

    def _marked(self) -> set[str]:
        """Models of this suite that have marks."""
        suite = self.bench.suite_id
        marks = self.bench.decisions.marks()
        return {one.subject["model"] for one in marks if one.subject["benchmark"] == suite}

    def _count(self) -> None:
        """Count again in a thread: corrected scores are summed up as the official ones are."""
        self._generation += 1
        generation, verdicts = self._generation, self.bench.verdicts
        marks, models = self.bench.decisions.marks(), self._marked()
        if verdicts is None or not models:
            self._counted(generation, None)
            return

        def work() -> None:
            found = agreement(_results(verdicts, models), marks)
            self.app.call_from_thread(self._counted, generation, found)

        self.in_thread("agreement", work)

    def _counted(self, generation: int, found: Agreement | None) -> None:
        if generation == self._generation:
            self._found = found
            self._show()

    def _show(self) -> None:
        found = self._found
        self.set_class(not self._marks_count, "-empty")
        self.refresh_head()
        self.refresh_bindings()
        if found is None or not self._marks_count:
            return
        self._scores = [*found.types, found.total]
        self._corrected = [
            (model, official, own)
            for model, score in found.models.items()
            for official, own in zip(score.official.metrics, score.corrected.metrics, strict=True)
        ]
        types, corrected = self.query_one("#types", RowList), self.query_one("#corrected", RowList)
        types.set_rows(len(self._scores), types.cursor)
        corrected.styles.height = len(self._corrected)
        corrected.set_rows(len(self._corrected), corrected.cursor)
        self.query_one("#both").display = bool(self._corrected)
        self.call_after_refresh(self._show_titles)
        for head in self.query(ListHead):
            head.redraw()
        self._describe()

    def _show_titles(self) -> None:
        dot = self.glyphs.dot
        by_type = f"human against verifier {dot} by type, %"
        entitle(self.query_one("#by-type"), title(by_type))
        both = (f"scores {dot} official, and with marked cells as you see them, %",
                f"scores {dot} official, and as you see them, %")  # fmt: skip
        entitle(self.query_one("#both"), *map(title, both))

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_titles)

    @property
    def _marks_count(self) -> bool:
        """Whether a mark says anything about what is loaded."""
        found = self._found
        return found is not None and bool(found.total.n or found.total.unclear)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        of_tables = action in ("yank", "yank_markdown", "write")
        return None if of_tables and not self._marks_count else True

    @on(RowList.Moved, "#types")
    def _describe(self) -> None:
        """The row under the cursor with its intervals, which narrow tables have no room for."""
        found, row = self._found, self.query_one("#types", RowList).cursor
        if found is None or not 0 <= row < len(self._scores):
            return
        score = self._scores[row]
        share, bounds = percent(score.share, self.glyphs), self._bounds(score)
        kappa, kappa_bounds = self._kappa(score)
        words = f" {self.glyphs.dot} agreement {share} % {bounds} {self.glyphs.dot} kappa {kappa}"
        name = score.name if self._wide else score.name.rpartition(":")[2]
        line = [(f" {safe(name)}", "accent"), (f"{words} {kappa_bounds}", "")]
        self.query_one("#what", Bar).show(line)
        self.query_one("#facts", Bar).show([(f" {self._facts(found)}", "dim")])

    def _facts(self, found: Agreement) -> str:
        words = ["false pass: the verifier passes, you do not"]
        if found.elsewhere:
            words.append(f"{found.elsewhere} marks on responses not loaded")
        if found.changed:
            words.append(f"{found.changed} marks on texts that changed")
        return f" {self.glyphs.dot} ".join(words)

    def _bounds(self, score: AgreementScore) -> str:
        if score.lower is None or score.upper is None:
            return ""
        return f"[{100 * score.lower:.1f}{self.glyphs.none}{100 * score.upper:.1f}]"

    def _kappa(self, score: AgreementScore) -> tuple[str, str]:
        kappa = score.kappa
        if kappa.kappa is None:
            return self.glyphs.none, ""
        value = f"{kappa.kappa:.2f}"
        if not kappa.se or kappa.se < _NO_SPREAD or kappa.lower is None or kappa.upper is None:
            return value, ""
        return value, f"[{kappa.lower:.2f}, {kappa.upper:.2f}]"

    # ---- drawing -----------------------------------------------------------------------------

    def _name_width(self, width: int) -> int:
        rest = sum(self._widths) + (_SHARE + _KAPPA if self._wide else 8 + 7) + 1
        return max(14, min(46, width - rest))

    @property
    def _widths(self) -> tuple[int, ...]:
        return _WIDTHS if self._wide else _NARROW

    @property
    def _wide(self) -> bool:
        return self.size.width >= 100

    def _heads(self, width: int) -> str:
        name, glyphs = self._name_width(width), self.glyphs
        false = ("false pass", "false fail")
        if not self._wide:
            false = (f"false {glyphs.holds}", f"false {glyphs.fails}")
        words = ("n", "agree", *false, "unclear")
        heads = "".join(f"{head:>{room}}" for head, room in zip(words, self._widths, strict=True))
        share, kappa = (_SHARE, _KAPPA) if self._wide else (8, 7)
        ends = f"{'agree, %' if self._wide else '%':>{share}}{'kappa':>{kappa}}"
        return f" {'constraint':<{name}}{heads}{ends}"

    def _corrected_heads(self, width: int) -> str:
        model = self._model_width(width)
        return f" {'model':<{model}}{'metric':<20}{'official':>17}{'corrected':>17}{'change':>9}"

    def _type_row(self, row: int, width: int) -> Line:
        score, name = self._scores[row], self._name_width(width)
        total = row == len(self._scores) - 1
        shown = left(kind_name(score.name, name - 1), name - 1)
        counts = (score.n, score.agreed, score.false_passes, score.false_fails, score.unclear)
        inks = ("", "", "fail strong", "rescued strong", "")
        line: list[tuple[str, str]] = [(f" {shown} ", "strong" if total else "")]
        for count, ink, room in zip(counts, inks, self._widths, strict=True):
            line.append((f"{count:>{room}}", ink if count else "dim"))
        return [*line, *self._ends(score)]

    def _ends(self, score: AgreementScore) -> Line:
        """Share and kappa, with their intervals where there is room."""
        share, (kappa, kappa_bounds) = percent(score.share, self.glyphs), self._kappa(score)
        if not self._wide:
            return [(f"{share:>8}", "strong"), (f"{kappa:>7}", "")]
        return [
            (f"{share:>6}", "strong"),
            (f"{self._bounds(score)[1:-1]:>{_SHARE - 6}}", "interval"),
            (f"{kappa:>6}", "strong"),
            (f"{kappa_bounds:>{_KAPPA - 6}}", "interval"),
        ]

    def _model_width(self, width: int) -> int:
        return max(10, min(40, width - 65))

    def _corrected_row(self, row: int, width: int) -> Line:
        model, official, own = self._corrected[row]
        first = row == 0 or self._corrected[row - 1][0] != model
        room = self._model_width(width)
        name = left(model if first else "", room - 1)
        change = (own.value or 0.0) - (official.value or 0.0)
        line: list[tuple[str, str]] = [(f" {name} ", ""), (left(official.title, 20), "dim")]
        for metric in (official, own):
            line.append((f"{percent(metric.value, self.glyphs):>7}", "strong"))
            line.append((f"{interval(metric, self.glyphs):>10}", "interval"))
        words = f"{100 * change:+.1f}" if change else "0.0"
        return [*line, (f"{words:>9}", "accent strong" if change else "dim")]

    # ---- actions -----------------------------------------------------------------------------

    @on(RowList.Opened, "#types")
    async def _open_type(self, message: RowList.Opened) -> None:
        score = self._scores[message.row]
        known = any(score is one for one in (() if self._found is None else self._found.types))
        await self._audit(Filter(marked=True, type=score.name if known else ""))

    @on(RowList.Opened, "#corrected")
    async def _open_model(self, message: RowList.Opened) -> None:
        self.audit_app.use(model=self._corrected[message.row][0])
        await self._audit(Filter(marked=True))

    async def _audit(self, chosen: Filter) -> None:
        app = self.audit_app
        if app.current_mode == "audit":
            app.pop_screen()
        await app.audit(where=chosen)

    def _tables(self) -> list[Table]:
        found = self._found
        return [] if found is None else [agreement_sheet(found), corrected_sheet(found)]

    def action_yank(self) -> None:
        if tables := self._tables():
            text = "\n\n".join(map(as_tsv, tables))
            self.audit_app.yank(text, "agreement and corrected scores, tab-separated")

    def action_yank_markdown(self) -> None:
        if tables := self._tables():
            text = as_markdown(tables, self.glyphs)
            self.audit_app.yank(text, "agreement and corrected scores, Markdown")

    def action_write(self) -> None:
        if self._tables():
            self.app.push_screen(SaveSheet(self._tables, "agreement.csv"))


def _results(verdicts: Verdicts, models: set[str]) -> Results:
    """What is judged of the marked models; summaries only where a model is complete."""
    suite = verdicts.suite
    marked = [model for model in suite.models if model in models]
    judged = {
        model: [known[prompt.key] for prompt in suite.prompts if prompt.key in known]
        for model in marked
        if (known := verdicts.of(model))
    }
    found = {model: summary for model in marked if (summary := verdicts.summary(model))}
    return Results(suite, judged, found)
