"""One self-contained page: scores, every response with its evidence, every row not used.

Nothing on it runs and nothing is loaded: no script, no link, no image, one inline style sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ifbench_tui.engine.benchmark import JudgedResponse, Prompt
from ifbench_tui.engine.verdict import Lattice, Span
from ifbench_tui.report import sheets
from ifbench_tui.report.evidence import pieces
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.report.results import Results
from ifbench_tui.report.sheets import Sheet, verdict_sign, written
from ifbench_tui.report.visible import visible
from ifbench_tui.scoring import explain_text
from ifbench_tui.workspace import Workspace

__all__ = ["html_report"]

_STYLE = """\
:root{color-scheme:light dark;--pass:#14633a;--fail:#a3261b;--rescued:#7a5200;--error:#6b2f8a;
--rule:#8884}
@media(prefers-color-scheme:dark){:root{--pass:#7fd6a2;--fail:#ff9d91;--rescued:#f0c267;
--error:#d7a9f2}}
body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}
td,th{padding:.2rem .6rem;border-bottom:1px solid var(--rule);text-align:left;vertical-align:top}
.n{text-align:right;font-variant-numeric:tabular-nums}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border-left:3px solid var(--rule);
padding-left:.8rem;font:14px/1.5 ui-monospace,monospace}
summary{cursor:pointer}
.pass{color:var(--pass)}.fail{color:var(--fail)}.rescued{color:var(--rescued)}
.error{color:var(--error)}
mark{color:inherit;background:none;border-bottom:3px solid var(--pass)}
mark.offends{border-bottom:3px double var(--fail);background:#f002}
mark.limit{border-bottom:3px dotted var(--rescued)}
mark.missing{border-bottom:3px dashed var(--error)}
"""

_HEAD = f"""\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>Instruction-following report</title>
<style>
{_STYLE}</style>
<h1>Instruction-following report</h1>
"""


def html_report(
    workspace: Workspace, all_results: Sequence[Results], glyphs: Glyphs
) -> Iterator[str]:
    """The page, in chunks."""
    yield _HEAD
    for results in all_results:
        yield from _table(sheets.overview(results), glyphs)
        yield from _table(sheets.breakdown(results, "type"), glyphs)
        for model, judged in results.judged.items():
            yield f"<h2>{_text(model)}</h2>\n"
            for row in judged:
                yield from _response(results, model, row, glyphs)
    yield from _table(sheets.sources(workspace), glyphs)
    if workspace.problems:
        yield from _table(sheets.problems(workspace), glyphs)


def _text(text: str) -> str:
    return escape(visible(text))


def _table(sheet: Sheet, glyphs: Glyphs) -> Iterator[str]:
    yield f"<h2>{_text(sheet.title)}</h2>\n<table>\n<tr>"
    yield "".join(f"<th>{_text(column.title)}</th>" for column in sheet.columns)
    yield "</tr>\n"
    for row in written(sheet, glyphs):
        cells = (
            f"<td{' class=n' if column.numeric else ''}>{_text(cell)}</td>"
            for column, cell in zip(sheet.columns, row, strict=True)
        )
        yield f"<tr>{''.join(cells)}</tr>\n"
    yield "</table>\n"


def _response(
    results: Results, model: str, judged: JudgedResponse, glyphs: Glyphs
) -> Iterator[str]:
    prompt = results.prompts[judged.key]
    response = results.suite.responses(model)[judged.key]
    verdict = _verdict(judged.strict, glyphs)
    if many := len(results.benchmark.variant_names) > 1:
        verdict = f"strict {verdict}, loose {_verdict(judged.loose, glyphs)}"
    yield f"<details{'' if judged.strict else ' open'}>"
    yield f"<summary>{_text(prompt.key)}: {verdict}</summary>\n"
    yield f"<h4>Prompt</h4>\n<pre>{_text(prompt.text)}</pre>\n<h4>Response</h4>\n"
    yield f"<pre>{_painted(response.text, _evidence(results, prompt, response.text))}</pre>\n"
    labels = " ".join(results.benchmark.variant_labels)
    wordings = [results.benchmark.wording(spec) for spec in prompt.constraints]
    heads = ["#", "constraint"]
    heads += ["strict", "loose", f"variants: {labels}"] if many else ["verdict"]
    heads += ["measured", "required", *(["as asked"] if any(wordings) else [])]
    yield f"<table>\n<tr>{''.join(f'<th>{_text(head)}</th>' for head in heads)}</tr>\n"
    for number, (lattice, wording) in enumerate(zip(judged.lattices, wordings, strict=True), 1):
        cells = [
            *_constraint(lattice, results, glyphs),
            *([_text(wording)] if any(wordings) else []),
        ]
        yield f"<tr><td>{number}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>\n"
    yield "</table></details>\n"


def _evidence(results: Results, prompt: Prompt, text: str) -> list[Span]:
    found = []
    for number, spec in enumerate(prompt.constraints, start=1):
        _, explanation = explain_text(results.benchmark, spec, text, 0)
        for span in explanation.spans:
            note = f"{number} {spec.type}: {span.role} {span.note}".rstrip()
            found.append(Span(span.start, span.end, span.role, note))
    return found


def _painted(text: str, spans: Sequence[Span]) -> str:
    shown = []
    for piece in pieces(text, spans):
        if not piece.spans:
            shown.append(_text(piece.text))
            continue
        title = _text("; ".join(span.note for span in piece.spans))
        inner = _text(piece.text) or "‸"
        shown.append(f'<mark class="{piece.spans[-1].role}" title="{title}">{inner}</mark>')
    return "".join(shown)


def _verdict(passed: bool | None, glyphs: Glyphs) -> str:
    word = "error" if passed is None else "pass" if passed else "fail"
    return f'<span class="{word}">{verdict_sign(passed, glyphs)} {word}</span>'


def _constraint(lattice: Lattice, results: Results, glyphs: Glyphs) -> list[str]:
    verdicts = [_verdict(lattice.strict_cell, glyphs)]
    if len(lattice.cells) > 1:
        loose = _verdict(lattice.loose_cell, glyphs)
        if lattice.rescued_by is not None:
            rescuer = _text(results.benchmark.variant_names[lattice.rescued_by])
            loose = f'<span class="rescued">{glyphs.rescued} pass, rescued by {rescuer}</span>'
        verdicts += [loose, " ".join(verdict_sign(cell, glyphs) for cell in lattice.cells)]
    measured = lattice.error.message if lattice.error else lattice.measured
    return [_text(lattice.constraint), *verdicts, _text(measured), _text(lattice.required)]
