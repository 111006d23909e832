"""Check single constraints: JSON lines in, JSON lines out, each flushed as it is
done.

input, one object a line:
  {"type": "punctuation:no_comma",     or "instruction_id" or "category"
   "params": {…},                      or "kwargs"; null values count as absent
   "response": "…",                    null counts as empty
   "id": …, "benchmark": "ifeval", "prompt": "…"}    optional

output, one object a line, in input order:
  id         as given, any JSON value; null where there is none
  strict     the verdict on the untouched response; null where the check raised
  loose      the first variant that is not false; null where that one raised
  variants   a verdict for each variant, null where its check raised
  error      null, or {"kind", "message", "raises"}: why a variant is null
  measured   what was found, in words
  required   what is required, in words
  distance   signed distance to passing where a number decides, else null

A benchmark whose responses have one variant, such as ifhardbench, answers with
one verdict in place of strict, loose and variants:
  pass       the verdict on the text as given (no trace is cut out of it); null
             where the check raised

A constraint that cannot be built has an error and null everywhere else. A line
that cannot be used gives an error of kind "bad_input"; the rest is still
checked, and the exit code is 2 at the end. Fields may be added to the output in
later versions; none is removed or changed.

example:
  echo '{"type":"punctuation:no_comma","response":"a, b"}' | ifbench-tui check"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ifbench_tui.cli._lines import BadInput, add_lines_input, answer_lines

if TYPE_CHECKING:
    from ifbench_tui.engine.benchmark import Benchmark
    from ifbench_tui.engine.verdict import Lattice

SUMMARY = "check single constraints, JSON lines in and out"

_DEFAULT_BENCHMARK = "ifeval"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_lines_input(parser)


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.report.json import check_dict, refused_dict
    from ifbench_tui.scoring import benchmark_for

    # A line that names no benchmark at all is refused in the shape of the one before.
    width = len(benchmark_for(_DEFAULT_BENCHMARK).variant_names)

    def answer(row: dict[str, Any]) -> dict[str, Any]:
        nonlocal width
        benchmark = _benchmark(row)
        width = len(benchmark.variant_names)
        return check_dict(row.get("id"), _lattice(benchmark, row))

    return answer_lines(
        args, answer, lambda identity, reason: refused_dict(identity, width, reason)
    )


def _benchmark(row: dict[str, Any]) -> Benchmark:
    """The benchmark a row names. Raises `BadInput`."""
    from ifbench_tui.engine.registry import UnknownBenchmarkError
    from ifbench_tui.scoring import benchmark_for

    try:
        return benchmark_for(_text(row, "benchmark") or _DEFAULT_BENCHMARK)
    except UnknownBenchmarkError as error:
        raise BadInput(str(error)) from error


def _lattice(benchmark: Benchmark, row: dict[str, Any]) -> Lattice:
    """Judge the constraint of a row. Raises `BadInput`."""
    from ifbench_tui.engine.benchmark import ConstraintSpec, judge

    type_id = _text(row, "type", "instruction_id", "category")
    if not type_id:
        raise BadInput("type (or instruction_id, category) is missing")
    if "response" not in row:
        raise BadInput("response is missing")
    _text(row, "prompt")
    params = _first(row, "params", "kwargs")
    if params is not None and not isinstance(params, dict):
        raise BadInput(f"params must be an object, not {type(params).__name__}")
    spec = ConstraintSpec(type_id, params or {})
    return judge(benchmark, spec, benchmark.as_given(_text(row, "response") or ""))


def _first(row: dict[str, Any], *names: str) -> Any:
    """The first of several names for one field that is there and not null."""
    return next((row[name] for name in names if row.get(name) is not None), None)


def _text(row: dict[str, Any], *names: str) -> str | None:
    value = _first(row, *names)
    if value is not None and not isinstance(value, str):
        raise BadInput(f"{names[0]} must be text, not {type(value).__name__}")
    return value
