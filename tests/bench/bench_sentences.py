"""Cost of the tokenisers: against the slow twins, and as texts grow.

Run: ``python -m tests.bench.bench_sentences``. The first table is time for the same texts (real
responses where the reference data is beside the checkout). The second is for hostile shapes:
seconds for a million characters, and their ratio to those for a quarter (4: linear, 16: quadratic).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from ifbench_tui.engine.text.sentences import count_sentences
from ifbench_tui.engine.text.words import capital_spans, count_words
from tests.conftest import SHARED
from tests.engine.slow_tokenisers import slow_sentence_spans, slow_word_tokens

SHAPES = (
    ".", ". ", "? ", "!", " .!", "a.b.c.", "a.b.c. ", '"))))', '.")))', "[", " ", "\n", "-", "a",
    "A", "dr. ", "dr.)", "1. ", "..a", ".\xa0", "A! ", "'", "DON'T ", 'A." ', ":,", "`", "(''",
    "A,", "A.\t",
)  # fmt: skip
SAMPLE = 'Dr. Smith paid $3.50 (a lot!) on Jan. 5. "Why?" asked J. Doe, of the U.S. team...\n\n'
TWIN_RESPONSES = 200


def responses() -> list[str]:
    files = sorted((SHARED / "data" / "ifeval" / "responses").glob("*.jsonl"))
    lines = (line for path in files for line in path.open(encoding="utf-8"))
    return [json.loads(line)["response"] or "" for line in lines] or [SAMPLE * 20] * 1000


def seconds(work: Callable[[str], object], texts: list[str]) -> float:
    start = time.process_time()
    for text in texts:
        work(text)
    return time.process_time() - start


def is_upper_count(text: str) -> int:
    return sum(map(str.isupper, slow_word_tokens(text)))


def against_twins(texts: list[str]) -> None:
    few = texts[:: max(1, len(texts) // TWIN_RESPONSES)]
    print(f"{len(texts)} texts, {sum(map(len, texts)):,} characters; twins on {len(few)} of them")
    print(f"{'':18}{'all, s':>9}{'twin ratio':>12}")
    pairs: tuple[tuple[str, Callable[[str], object], Callable[[str], object] | None], ...] = (
        ("sentences", count_sentences, slow_sentence_spans),
        ("capital words", capital_spans, is_upper_count),
        ("words", count_words, None),
    )
    for name, fast, slow in pairs:
        ratio = f"{seconds(slow, few) / seconds(fast, few):.1f}" if slow else "-"
        print(f"{name:18}{seconds(fast, texts):9.2f}{ratio:>12}")


def growth() -> None:
    print(f"\n{'a million of':18}{'sentences, s':>14}{'growth':>8}{'capitals, s':>14}{'growth':>8}")
    for shape in SHAPES:
        long = shape * (1_000_000 // len(shape))
        row = f"{shape!r:18}"
        for work in (count_sentences, capital_spans):
            part = min(seconds(work, [long[: len(long) // 4]]) for _ in range(3))
            whole = seconds(work, [long])
            row += f"{whole:14.3f}{whole / max(part, 1e-9):8.1f}"
        print(row)


if __name__ == "__main__":
    count_sentences("Load the model.")
    against_twins(responses())
    growth()
