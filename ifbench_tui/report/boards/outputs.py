"""Outputs beside annotations: which of them belong to no judged instruction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ifbench_tui.engine.judged.rows import Annotation
from ifbench_tui.formats.alpaca_eval import BASELINE, AlpacaOutput
from ifbench_tui.report.visible import drawn_line

__all__ = ["match_note", "unmatched_outputs"]

_SHOWN = 60


def match_note(reference: Iterable[str], instructions: Sequence[str]) -> str | None:
    """How many instructions are exactly among the reference's and the first that is not; None
    where all are."""
    known = set(reference)
    missing = [text for text in instructions if text not in known]
    if not missing:
        return None
    found = len(instructions) - len(missing)
    shown = drawn_line(missing[0][:_SHOWN])
    return (
        f"{found} of {len(instructions)} outputs match the reference instructions; "
        f"the first that does not: {shown!r}"
    )


def unmatched_outputs(
    outputs: Iterable[AlpacaOutput], candidates: Mapping[str, Sequence[Annotation]]
) -> list[str]:
    """What to say about each model's outputs: those not judged, or not of the reference."""
    by_model: dict[str, list[str]] = {}
    for one in outputs:
        by_model.setdefault(one.model, []).append(one.instruction)
    baselines = {row.baseline for rows in candidates.values() for row in rows} or {BASELINE}
    reference = next((by_model[name] for name in baselines if name in by_model), None)
    notes = []
    for name, instructions in by_model.items():
        judged = candidates.get(name)
        if judged is not None:
            texts = [row.instruction for row in judged if row.instruction is not None]
            note = match_note(texts, instructions) if texts else None
            if note:
                notes.append(f"{name}: not every output was judged: {note}")
        elif name not in baselines:
            notes.append(f"{name}: there are outputs, but no annotations to score")
            note = match_note(reference, instructions) if reference else None
            if note:
                notes.append(f"{name}: {note}")
    return notes
