"""What Audit says in words about the cell under the cursor."""

from __future__ import annotations

from ifbench_tui.engine.verdict import Explanation, Lattice
from ifbench_tui.filters import disagreements
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.tui.audit_state import AuditState
from ifbench_tui.tui.bench import Bench
from ifbench_tui.tui.board_names import board_words
from ifbench_tui.tui.decisions import OPINIONS
from ifbench_tui.tui.ink import Line, joined, safe
from ifbench_tui.tui.widgets.lattice import column_name

__all__ = ["asked", "cell_facts", "cell_words", "column_words", "nothing_to_read", "response_names"]

_THINK = {
    "kept": "the reasoning trace is part of this text",
    "stripped": "the reasoning trace was left out",
    "unclosed": "the reasoning trace has no end, so nothing is graded",
}


def column_words(state: AuditState) -> str:
    """The column under the cursor: "strict", "variant first", "loose"."""
    name = column_name(state.columns, state.column)
    verdicts = state.bench.verdicts
    if isinstance(name, int) and verdicts is not None:
        return f"variant {verdicts.benchmark.variant_names[name]}"
    return str(name) if len(state.columns) > 1 else "verdict"


def response_names(
    bench: Bench, state: AuditState, stepped: tuple[int, int, str], *, finding: bool
) -> list[str]:
    """The response pane's title, the fullest first: where room is short the word "response" goes,
    then the variant."""
    verdicts, response = bench.verdicts, state.response
    place, total, _ = stepped
    variant = ""
    parts = ["response"]
    if verdicts is not None and response is not None:
        variant = f"variant: {verdicts.benchmark.variant_names[state.variant]}"
        parts += [safe(state.key, 16), variant]
    if finding:
        found = f"match {place} of {total}" if total else "no match"
        parts = [found, "esc ends the search", *parts]
    elif total > 1:
        parts.append(f"evidence {place or 1} of {total}")
    gone: tuple[tuple[str, ...], ...] = ((), ("response",), ("response", variant))
    dot = f" {bench.glyphs.dot} "
    return [dot.join(part for part in parts if part not in less) for less in gone]


def nothing_to_read(bench: Bench, state: AuditState) -> str:
    """What to say, and what to do next, where there is no response; "" where there is one."""
    if bench.workspace is None:
        if bench.progress:
            return "Loading; esc stops."
        return f"Nothing is loaded. Press 1 for the Library, then o to open files.\n{bench.failure}"
    if bench.suite is None or not bench.suite.prompts:
        if boards := board_words(bench.workspace):
            return f"Audit needs prompts and responses. Press 2 for {boards}."
        return (
            f"No prompts are loaded. Press 1 for the Library, then o to open them.\n{bench.failure}"
        )
    if not bench.suite.models:
        return "Prompts are loaded, but no responses. Press 1 for the Library, then o to open some."
    if not state.rows:
        words = safe(state.filter.words())
        return f"No prompt fits the filter: {words}\n\nF shows all prompts, f changes the filter."
    if state.response is None:
        return f"{bench.model} has no response to this prompt. [ and ] change the model."
    return ""


def cell_words(state: AuditState, explanation: Explanation | None, glyphs: Glyphs) -> Line:
    """Measured and required, for exactly this cell."""
    lattice = state.lattice
    if state.response is None or state.spec is None:
        return []
    if lattice is None:
        return [("pending", "dim")]
    sign, ink, word = _verdict(state.verdict, glyphs)
    start: list[tuple[str, str]] = [(f"{sign} ", ink), (f"{column_words(state)} ", "dim")]
    error = explanation.error if explanation is not None else lattice.error
    if error is not None and state.verdict is None:
        return [*start, (safe(error.message), "error")]
    measured = lattice.measured if explanation is None else explanation.measured
    if explanation is None and state.variant != 0:
        measured = word
    required = lattice.required if explanation is None else explanation.required
    wording = asked(state)
    return [
        *start,
        (safe(measured) or word, "strong"),
        (f" {glyphs.arrow} ", "dim"),
        (safe(required), ""),
        *([(f"  {glyphs.dot}  ", "dim"), (wording, "dim")] if wording else []),
    ]


def asked(state: AuditState) -> str:
    """The requirement as the model read it; "" where the benchmark has no words for it."""
    verdicts, spec = state.bench.verdicts, state.spec
    return "" if verdicts is None or spec is None else safe(verdicts.benchmark.wording(spec))


def _verdict(verdict: bool | None, glyphs: Glyphs) -> tuple[str, str, str]:
    if verdict is None:
        return glyphs.error, "error", "the checker failed"
    return (glyphs.holds, "pass", "holds") if verdict else (glyphs.fails, "fail", "fails")


def cell_facts(state: AuditState, stepped: tuple[int, int, str], glyphs: Glyphs) -> Line:
    """What else is known: the rescue, the evidence in view, marks, the file's own verdict."""
    lattice, response, spec = state.lattice, state.response, state.spec
    if lattice is None or response is None or spec is None:
        return []
    facts: list[tuple[str, str]] = []
    place, total, note = stepped
    if total and note:
        facts.append((f"{place or 1}/{total} {note}", ""))
    facts += _rescue(state, lattice)
    if opinion := _opinion(state):
        facts.append((f"{glyphs.marked} you say: {opinion}", "marked"))
    if state.scratch is None:
        facts += _recorded(state, glyphs)
    if state.judged is not None and state.judged.blank:
        facts.append(("the answer is blank: it fails as a whole", "fail"))
    verdicts = state.bench.verdicts
    if verdicts is not None:
        if words := verdicts.benchmark.note(spec):
            facts.append((words, "dim"))
        place_of = (verdicts.benchmark.id, state.key, state.bench.model)
        if words := state.bench.decisions.response_note(*place_of):
            facts.append((f"{glyphs.note} {safe(words)}", "dim"))
    if response.think in _THINK:
        facts.append((_THINK[response.think], "dim"))
    return joined([[fact] for fact in facts], f"  {glyphs.dot}  ")


def _rescue(state: AuditState, lattice: Lattice) -> list[tuple[str, str]]:
    verdicts = state.bench.verdicts
    if verdicts is None or lattice.strict:
        return []
    if lattice.rescued_by is not None:
        name = verdicts.benchmark.variant_names[lattice.rescued_by]
        return [(f"rescued by {name}", "rescued")]
    return [("near miss", "rescued")] if lattice.near_miss else []


def _opinion(state: AuditState) -> str:
    cell = state.cell
    opinion = None if cell is None else state.bench.decisions.mark_on(cell)
    return OPINIONS.get(opinion or "", "")


def _recorded(state: AuditState, glyphs: Glyphs) -> list[tuple[str, str]]:
    response = state.response
    differs = disagreements(response, state.judged)
    if response is None or response.recorded is None:
        return []
    index = state.constraint
    words = [
        f"{name} {_verdict(verdicts[index], glyphs)[0]}"
        for name, verdicts in (
            ("strict", response.recorded.strict),
            ("loose", response.recorded.loose),
        )
        if verdicts is not None and index < len(verdicts)
    ]
    if not words:
        return []
    if index < len(differs) and differs[index]:
        return [(f"{glyphs.differs} the file says {', '.join(words)}", "marked")]
    return [("as the file has it", "dim")]
