"""AlpacaEval's judgment as a text: a preference, and the log probabilities it was made from."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from ifbench_tui.engine.judged.rows import Annotation
from ifbench_tui.engine.judged.verdicts import weighted_preference
from ifbench_tui.engine.verdict import Span, SpanRole
from ifbench_tui.report.judgments.sections import Section
from ifbench_tui.report.visible import drawn_line

__all__ = ["preference_section"]

_CLOSE = 1e-6
"""Published preferences are rounded to ten decimals."""


def preference_section(row: Annotation, raw: Mapping[str, Any] | None) -> Section:
    """What the judge preferred, and, where the file has it, what that was made of."""
    judge = f"judgment of {drawn_line(row.annotator)}" if row.annotator else "judgment"
    words, what = _words(row)
    text = f"{words}{what}\n"
    role: SpanRole = "missing" if row.preference is None else "counts"
    spans = [Span(0, len(words), role, _note(row))]
    completion = _completion(raw)
    if row.swapped is not None:
        first, second = _names(row)
        text += f"{first}; {second}\n"
    text += f"characters: {row.length_1:,} against {row.length_2:,} of {drawn_line(row.model)}\n"
    tokens = _first_tokens(completion)
    if tokens:
        text += "\nthe judge's token      share\n"
        first, second = _names(row)
        for token, meaning in (("m", first), ("M", second)):
            share = next((_share(one) for one in tokens if one.get("token") == token), 0.0)
            text += f"{token:<16} {100 * share:>9.2f} %   {meaning}\n"
        made = weighted_preference(tokens, swapped=bool(row.swapped))
        same = made is not None and row.preference is not None
        same = same and abs((made or 0) - (row.preference or 0)) < _CLOSE
        shown = "none" if made is None else f"{made:.6f}"
        text += f"\nweighted from these: {shown}, {'as' if same else 'not as'} in the file\n"
        if not same:
            spans = [Span(0, spans[0].end, "offends", f"the log probabilities give {shown}")]
    elif isinstance(completion, str) and completion:
        text += f"\n{completion}"
    return Section("judgment", judge, text.rstrip("\n"), tuple(spans))


def _words(row: Annotation) -> tuple[str, str]:
    """The preference, and how to read it."""
    if row.preference is None:
        return "no preference", ": the judge's answer could not be read"
    meaning = f": 1 is {drawn_line(row.baseline)}, 2 is {drawn_line(row.model)}"
    return f"preference {row.preference:g}", meaning


def _note(row: Annotation) -> str:
    preference = row.preference
    if preference is None:
        return "null in the file: in no win rate and no fit"
    if row.same_output:
        return "the outputs are the same: no judge was asked"
    if preference == 0:
        return "0 is a tie, as old files write it"
    if not 1 <= preference <= 2:
        return "outside 1 to 2: in no win rate and no fit"
    return f"{drawn_line(row.model)} is preferred with {100 * (preference - 1):.2f} %"


def _names(row: Annotation) -> tuple[str, str]:
    names = (f"{drawn_line(row.baseline)}", f"{drawn_line(row.model)}")
    first, second = names[::-1] if row.swapped else names
    return f"{first}, shown first", f"{second}, shown second"


def _completion(raw: Mapping[str, Any] | None) -> Any:
    if raw is None:
        return None
    found = raw.get("preference_raw_completion", raw.get("raw_completion"))
    if isinstance(found, str) and found.startswith("{"):
        try:
            return json.loads(found)
        except (ValueError, RecursionError):
            return found
    return found


def _first_tokens(completion: Any) -> Sequence[Mapping[str, Any]]:
    """The alternatives of the judge's only token; nothing where it said more."""
    logprobs = completion.get("logprobs") if isinstance(completion, dict) else None
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    only = content[0] if isinstance(content, list) and len(content) == 1 else None
    found = only.get("top_logprobs") if isinstance(only, dict) else None
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _share(token: Mapping[str, Any]) -> float:
    value = token.get("logprob")
    if not isinstance(value, int | float) or isinstance(value, bool) or not value <= 0:
        return 0.0
    return math.exp(value)
