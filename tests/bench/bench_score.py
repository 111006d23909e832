"""Scoring against the plain way, in one run: ``python -m tests.bench.bench_score``.

The plain way judges the same responses with the same constraint classes, but with langdetect
itself, with tokenisers written straight from their description, and one variant after another
whether or not its text has been checked before: what a first implementation does.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time
from typing import Any
from unittest import mock

import langdetect
from langdetect.lang_detect_exception import LangDetectException

from ifbench_tui.engine.benchmark import ConstraintSpec, Prompt, judge
from ifbench_tui.engine.ifeval import IFEval
from ifbench_tui.engine.text.language import Detection
from ifbench_tui.scoring import judge_text
from tests.conftest import SHARED
from tests.engine.slow_tokenisers import slow_sentence_spans, slow_word_tokens

IFEVAL = IFEval()
DATA = SHARED / "data" / "ifeval"


def main() -> None:
    """Print CPU seconds of both ways and their ratio, and that they agree."""
    if not DATA.is_dir():
        sys.exit("needs the reference data beside the checkout")
    langdetect.DetectorFactory.seed = 0
    rows = list(load("gpt4-20231107"))
    IFEVAL.warm_up()
    langdetect.detect("load the profiles")
    ours, fast = timed(lambda: [judge_text(IFEVAL, prompt, text).lattices for prompt, text in rows])
    with plain_tools():
        theirs, slow = timed(lambda: [judge_plainly(prompt, text) for prompt, text in rows])
    same = sum(
        lattice.cells == cells
        for lattices, row in zip(fast, slow, strict=True)
        for lattice, cells in zip(lattices, row, strict=True)
    )
    print(f"{len(rows)} responses: plain {theirs:.2f} s, ours {ours:.2f} s, {theirs / ours:.1f} x")
    print(f"{same} of {sum(map(len, slow))} lattices agree")


def load(model: str) -> Iterator[tuple[Prompt, str]]:
    """Each prompt with the model's response."""
    prompts = {}
    for line in (DATA / "input_data.jsonl").read_text(encoding="utf-8").split("\n"):
        if line:
            row = json.loads(line)
            specs = tuple(map(ConstraintSpec, row["instruction_id_list"], row["kwargs"]))
            prompts[row["prompt"]] = Prompt(str(row["key"]), row["prompt"], specs)
    text = (DATA / "responses" / f"{model}.jsonl").read_text(encoding="utf-8")
    for line in text.split("\n"):
        if line:
            row = json.loads(line)
            yield prompts[row["prompt"]], row["response"] or ""


def judge_plainly(prompt: Prompt, text: str) -> list[tuple[bool | None, ...]]:
    """Every variant checked on its own."""
    variants = IFEVAL.variants(text)
    return [
        tuple(judge(IFEVAL, spec, (variant,)).cells[0] for variant in variants)
        for spec in prompt.constraints
    ]


def plain_detect(text: str) -> Detection | None:
    """langdetect's answer in our shape."""
    try:
        best = langdetect.detect_langs(text)[0]
    except LangDetectException:
        return None
    return Detection(best.lang, best.prob)


@contextmanager
def plain_tools() -> Iterator[None]:
    """Put the plain tools in the place of ours."""
    package = "ifbench_tui.engine.ifeval"
    replaced: dict[str, Callable[[str], Any]] = {
        f"{package}.language.detected": plain_detect,
        f"{package}.change_case.detected": plain_detect,
        f"{package}.length_constraints.count_sentences": lambda t: len(slow_sentence_spans(t)),
        f"{package}.change_case.capital_spans": lambda text: [
            (0, 0) for token in slow_word_tokens(text) if token.isupper()
        ],
    }
    patches = [mock.patch(name, tool) for name, tool in replaced.items()]
    for patch in patches:
        patch.start()
    try:
        yield
    finally:
        mock.patch.stopall()


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of one call, and what it returned."""
    start = process_time()
    result = work()
    return process_time() - start, result


if __name__ == "__main__":
    main()
