"""Verdicts in the shape of the reference's own result files."""

from __future__ import annotations

from collections.abc import Iterator

from ifbench_tui.formats.ifeval_results import result_lines
from ifbench_tui.report.results import Results

__all__ = ["ifeval_result_lines"]


def ifeval_result_lines(results: Results, model: str, *, loose: bool) -> Iterator[str]:
    """One model's lines in prompt order, each with the response as its file has it.

    A response that is null in its file is written as an empty text, as it was judged.
    """
    prompts = results.prompts
    responses = results.suite.responses(model)

    def rows() -> Iterator[tuple[str, str, list[str], list[bool]]]:
        for judged in results.judged[model]:
            prompt = prompts[judged.key]
            yield (
                prompt.text,
                responses[judged.key].raw or "",
                [spec.type for spec in prompt.constraints],
                [lattice.loose if loose else lattice.strict for lattice in judged.lattices],
            )

    return result_lines(rows())
