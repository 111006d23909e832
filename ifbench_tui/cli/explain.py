"""Explain one response: every verdict, what was measured, and the evidence in the
text.

Evidence is listed as LINE:COLUMN in the text of the variant shown; on a
terminal it is painted in the text as well.

example:
  ifbench-tui explain prompts.jsonl responses.jsonl --model gpt-4 --key 1019"""

from __future__ import annotations

import argparse
import difflib
from typing import TYPE_CHECKING

from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._options import add_input, add_look, add_output, add_quiet

if TYPE_CHECKING:
    from ifbench_tui.engine.benchmark import Prompt
    from ifbench_tui.report.explain import Audit
    from ifbench_tui.workspace import Suite

SUMMARY = "explain one response: verdicts, measures, evidence"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("--model", metavar="M", help="the model (needed where there are several)")
    parser.add_argument("--key", required=True, metavar="K", help="the prompt's key")
    parser.add_argument("--variant", metavar="NAME", help="show and explain this variant's text")
    parser.add_argument(
        "--constraint", type=int, metavar="N", help="explain only the N-th constraint"
    )
    parser.add_argument("--benchmark", metavar="ID", help="only this benchmark")
    add_output(parser)
    add_look(parser)
    add_quiet(parser)


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.cli._loading import chosen_models, chosen_suites, load_workspace
    from ifbench_tui.cli._output import glyphs_for, print_rich
    from ifbench_tui.report.explain import audit_text

    suites = chosen_suites(load_workspace(args), args)
    chosen_models(suites, [args.model] if args.model else None)
    suite, prompt = _find_prompt(suites, args.key)
    model = args.model or (suite.models[0] if len(suite.models) == 1 else None)
    if model is None:
        raise UsageError(f"--model is needed; loaded: {', '.join(suite.models)}")
    audit = _audit(suite, prompt, model, args)
    print_rich(audit_text(audit, glyphs_for(args)), args, args.output)
    return 0


def _find_prompt(suites: list[Suite], key: str) -> tuple[Suite, Prompt]:
    for suite in suites:
        for prompt in suite.prompts:
            if prompt.key == key:
                return suite, prompt
    known = [prompt.key for suite in suites for prompt in suite.prompts]
    near = ", ".join(difflib.get_close_matches(key, known, 3) or known[:3])
    raise UsageError(f"no prompt has the key {key!r}; there are, for example, {near}")


def _audit(suite: Suite, prompt: Prompt, model: str, args: argparse.Namespace) -> Audit:
    from ifbench_tui.report.explain import Audit
    from ifbench_tui.scoring import benchmark_for, judge_text

    benchmark = benchmark_for(suite.benchmark_id)
    response = suite.response(model, prompt.key)
    if response is None:
        raise UsageError(f"{model} has no response to prompt {prompt.key}")
    names = benchmark.variant_names
    variant = args.variant or names[0]
    if variant not in names:
        raise UsageError(f"no variant is called {variant!r}; there are {', '.join(names)}")
    total = len(prompt.constraints)
    if args.constraint is not None and not 1 <= args.constraint <= total:
        raise UsageError(f"--constraint: prompt {prompt.key} has the constraints 1 to {total}")
    chosen = range(total) if args.constraint is None else (args.constraint - 1,)
    judged = judge_text(benchmark, prompt, response.text)
    return Audit(benchmark, model, prompt, response, judged, names.index(variant), tuple(chosen))
