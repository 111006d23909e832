"""The audit of one response as text: verdicts, lattice, what was measured, the evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.text import Text

from ifbench_tui.engine.benchmark import Benchmark, ConstraintSpec, JudgedResponse, Prompt
from ifbench_tui.engine.verdict import Explanation, Lattice, Span
from ifbench_tui.report.evidence import evidence_lines, pieces, removed_lines
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.report.sheets import verdict_sign
from ifbench_tui.report.visible import drawn_line, visible
from ifbench_tui.scoring import explain_text
from ifbench_tui.workspace import Response

__all__ = ["ROLE_STYLES", "Audit", "audit_text"]

_EVIDENCE = 20
"""Spans listed for one constraint; more are counted."""

ROLE_STYLES = {
    "counts": "green underline",
    "offends": "red reverse",
    "limit": "yellow underline",
    "missing": "magenta reverse",
}
"""How evidence is painted in a text that is printed."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What is audited: one model's response to one prompt, seen as one variant.

    `chosen` are the indices of the constraints to explain.
    """

    benchmark: Benchmark
    model: str
    prompt: Prompt
    response: Response
    judged: JudgedResponse
    variant: int
    chosen: tuple[int, ...]


def audit_text(audit: Audit, glyphs: Glyphs) -> Iterator[Text]:
    """The audit, part by part; every text from a file is made visible."""
    response = audit.response
    explained = {
        index: explain_text(
            audit.benchmark, audit.prompt.constraints[index], response.text, audit.variant
        )
        for index in audit.chosen
    }
    yield _head(audit, glyphs)
    yield Text("\nPROMPT", "bold")
    yield Text(visible(audit.prompt.text))
    variant = audit.benchmark.variant_names[audit.variant]
    yield Text(f"\nRESPONSE  variant: {variant}", "bold")
    checked = audit.benchmark.variants(response.text)[audit.variant]
    yield _painted(checked, [span for _, found in explained.values() for span in found.spans])
    removed = list(removed_lines(response.text, audit.benchmark.kept(response.text, audit.variant)))
    for line in removed:
        yield Text(f"  removed   {line}", "dim")
    labels = audit.benchmark.variant_labels
    variants = f"  variants: {' '.join(labels)}" if len(labels) > 1 else ""
    yield Text(f"\nCONSTRAINTS{variants}", "bold")
    for index, (text, found) in explained.items():
        spec = audit.prompt.constraints[index]
        yield _constraint(index, audit.judged.lattices[index], audit.benchmark, glyphs)
        yield from _because(text, found, audit.benchmark, spec)


def _head(audit: Audit, glyphs: Glyphs) -> Text:
    key = drawn_line(audit.prompt.key)
    judged, response = audit.judged, audit.response
    head = Text.assemble(
        (f"{drawn_line(audit.model)} · {audit.benchmark.title} · {key}\n", "bold"),
        *_pair(judged.strict, _verdict(judged.loose, glyphs), audit.benchmark, glyphs, " " * 3),
    )
    if response.raw is None:
        head.append("\nthe response is null in the file: judged as empty")
    if judged.blank:
        head.append("\nthe response is blank: it fails as a whole")
    if response.think:
        head.append(f"\nreasoning trace: {response.think}")
    recorded = response.recorded
    for name, ours in (
        ("strict", [lattice.strict for lattice in judged.lattices]),
        ("loose", [lattice.loose for lattice in judged.lattices]),
    ):
        theirs = getattr(recorded, name, None)
        if theirs is not None:
            same = "the same" if list(theirs) == ours else "differs from the verdicts here"
            signs = " ".join(verdict_sign(verdict, glyphs) for verdict in theirs)
            head.append(f"\nrecorded {name}: {signs}  {same}")
    return head


def _verdict(passed: bool | None, glyphs: Glyphs) -> Text:
    sign = verdict_sign(passed, glyphs)
    if passed is None:
        return Text(f"{sign} error", "magenta")
    return Text(f"{sign} pass", "green") if passed else Text(f"{sign} fail", "red")


def _constraint(index: int, lattice: Lattice, benchmark: Benchmark, glyphs: Glyphs) -> Text:
    loose = _verdict(lattice.loose_cell, glyphs)
    if lattice.rescued_by is not None:
        rescuer = benchmark.variant_names[lattice.rescued_by]
        loose = Text(f"{glyphs.rescued} pass, rescued by {rescuer}", "yellow")
    line = Text.assemble(
        f"{index + 1} {drawn_line(lattice.constraint)}  ",
        *_pair(lattice.strict_cell, loose, benchmark, glyphs),
    )
    if len(lattice.cells) > 1:
        line.append("  variants")
        for cell in lattice.cells:
            line.append(" ")
            line.append(verdict_sign(cell, glyphs), "green" if cell else "red")
    return line


def _pair(
    strict: bool | None, loose: Text, benchmark: Benchmark, glyphs: Glyphs, gap: str = "  "
) -> tuple[str | Text, ...]:
    """The strict verdict, and the loose one where there are variants."""
    if len(benchmark.variant_names) == 1:
        return (_verdict(strict, glyphs),)
    return "strict ", _verdict(strict, glyphs), f"{gap}loose ", loose


def _because(
    text: str, found: Explanation, benchmark: Benchmark, spec: ConstraintSpec
) -> Iterator[Text]:
    if found.error:
        yield Text(f"    error     {drawn_line(found.error.message)}")
    if found.measured:
        yield Text(f"    measured  {drawn_line(found.measured)}")
    yield Text(f"    required  {drawn_line(found.required)}")
    wording = benchmark.wording(spec)
    if wording:
        yield Text(f"    as asked  {drawn_line(wording)}")
    if found.distance is not None and found.distance < 0:
        yield Text(f"    distance  {found.distance:g}")
    for line in evidence_lines(text, found.spans, _EVIDENCE):
        yield Text(f"    evidence  {line}")
    note = benchmark.note(spec)
    if note:
        yield Text(f"    note      {drawn_line(note)}")


def _painted(text: str, spans: list[Span]) -> Text:
    shown = Text()
    for piece in pieces(text, spans):
        style = ROLE_STYLES[piece.spans[-1].role] if piece.spans else ""
        shown.append(visible(piece.text), style)
    return shown
