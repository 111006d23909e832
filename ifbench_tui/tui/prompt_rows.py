"""How a prompt looks in a list: strict and loose, key, what failed, what a person did with it."""

from __future__ import annotations

from ifbench_tui.engine.benchmark import JudgedResponse, Prompt
from ifbench_tui.engine.summary import Summary
from ifbench_tui.filters import disagreements
from ifbench_tui.report.glyphs import Glyphs, Sign
from ifbench_tui.tui.bench import Bench
from ifbench_tui.tui.ink import Line, safe, spread

__all__ = ["flags", "headline", "prompt_line", "response_signs"]


def response_signs(glyphs: Glyphs, judged: JudgedResponse | None, there: bool) -> tuple[Sign, Sign]:
    """Strict and loose of a whole response: a rescue and a checker's error have own signs.

    With one variant there is no loose verdict, and its place stays empty.
    """
    if not there:
        return (glyphs.none, "dim"), (glyphs.none, "dim")
    if judged is None:
        return (glyphs.pending, "dim"), (glyphs.pending, "dim")
    error = any(lattice.error is not None for lattice in judged.lattices)
    failed = (glyphs.error, "error") if error else (glyphs.fails, "fail")
    strict = (glyphs.holds, "pass") if judged.strict else failed
    if judged.lattices and len(judged.lattices[0].cells) == 1:
        return strict, (" ", "")
    if not judged.loose:
        return strict, failed
    return strict, (glyphs.holds, "pass") if judged.strict else (glyphs.rescued, "rescued")


def prompt_line(
    glyphs: Glyphs,
    prompt: Prompt,
    judged: JudgedResponse | None,
    width: int,
    *,
    there: bool = True,
    signs: str = "",
    key_width: int = 0,
) -> Line:
    """One row: `✗◦ 1019 json_format +1   ●◆`."""
    strict, loose = response_signs(glyphs, judged, there)
    kinds = [spec.type for spec in prompt.constraints]
    if judged is not None and not judged.strict:
        kinds = [lattice.constraint for lattice in judged.lattices if not lattice.strict]
    names = safe(kinds[0].rpartition(":")[2]) if kinds else ""
    if not there:
        names = "no response"
    elif len(kinds) > 1:
        names += f" +{len(kinds) - 1}"
    ink = "" if judged is not None and not judged.strict and there else "dim"
    right: Line = [(f" {signs}", "marked")] if signs else []
    room = width - 3 - len(signs)
    key = f"{safe(prompt.key, 12):<{min(key_width, 12)}}"
    left = [
        (" ", ""),
        strict,
        loose,
        (f" {key} ", ""),
        (safe(names, max(1, room - len(key) - 4)), ink),
    ]
    return spread(left, right, width)


def flags(bench: Bench, prompt: Prompt) -> str:
    """Signs of what a person did with a response, and of a file that says otherwise."""
    verdicts, decisions, glyphs = bench.verdicts, bench.decisions, bench.glyphs
    if verdicts is None:
        return ""
    place = (verdicts.benchmark.id, prompt.key, bench.model)
    response = verdicts.suite.response(bench.model, prompt.key)
    judged = verdicts.get(bench.model, prompt.key)
    signs = (
        (any(disagreements(response, judged)), glyphs.differs),
        (bool(decisions.response_note(*place)), glyphs.note),
        (decisions.bookmarked(*place), glyphs.bookmark),
        (decisions.marked(*place), glyphs.marked),
    )
    return "".join(sign for is_so, sign in signs if is_so)


def headline(summary: Summary | None, glyphs: Glyphs) -> list[Line]:
    """A model's numbers in per cent, the fullest line first; strict and loose in pairs."""
    if summary is None:
        return []
    value = {metric.name: metric.value for metric in summary.metrics}
    titles = {metric.name: metric.title for metric in summary.metrics}
    pairs = ("prompt_strict", "inst_strict", "prompt_loose", "inst_loose")
    if all(name in value for name in pairs):
        a, b, c, d = (_share(value[name]) for name in pairs)
        full = [("strict ", "dim"), (f"{a}/{b}", ""), ("  loose ", "dim"), (f"{c}/{d}", "")]
        return [[*full, (" % ", "dim")], [(f"{a} {glyphs.arrow} {c} % ", "dim")]]
    line: list[tuple[str, str]] = []
    for name, share in value.items():
        line += [(f"{titles[name]} ", "dim"), (f"{_share(share)} ", "")]
    shares = "/".join(map(_share, value.values()))
    return [line, [(f"{shares} % ", "dim")]]


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"
