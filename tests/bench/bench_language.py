"""Language detection against langdetect, in one run: ``python -m tests.bench.bench_language``."""

from __future__ import annotations

import json
from collections.abc import Callable
from time import process_time

from langdetect.detector_factory import PROFILES_DIRECTORY, DetectorFactory
from langdetect.lang_detect_exception import LangDetectException

from ifbench_tui.engine.text.language import detect, warm_up
from tests.conftest import SHARED

RESPONSES = SHARED / "data" / "ifeval" / "responses" / "gpt4-20231107.jsonl"


def main() -> None:
    """Print the CPU time of both and their ratio: loading, first pass over texts, second pass."""
    if RESPONSES.is_file():
        rows = map(json.loads, RESPONSES.read_text(encoding="utf-8").splitlines())
        texts = [row["response"] for row in rows if row["response"]]
    else:
        texts = [f"Sentence {i} tells the reader that langdetect is slow. " * 30 for i in range(99)]

    factory = DetectorFactory()
    factory.set_seed(0)

    def reference(text: str) -> str | None:
        detector = factory.create()
        detector.append(text)
        try:
            return str(detector.detect())
        except LangDetectException:
            return None

    def ours(text: str) -> str | None:
        found = detect(text)
        return found.language if found else None

    load = (cpu(lambda: factory.load_profile(PROFILES_DIRECTORY)), cpu(warm_up))
    show("load profiles", *load, 1)
    for name in ("first pass", "second pass"):
        theirs = cpu(lambda: [reference(text) for text in texts])
        show(name, theirs, cpu(lambda: [ours(text) for text in texts]), len(texts))
    same = sum(reference(text) == ours(text) for text in texts)
    print(f"{same} of {len(texts)} answers are the same ({sum(map(len, texts)):,} characters)")


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds of one call."""
    start = process_time()
    work()
    return process_time() - start


def show(name: str, theirs: float, ours: float, count: int) -> None:
    """Print milliseconds per item of both sides, and how many times faster ours is."""
    left, right = theirs / count * 1e3, ours / count * 1e3
    print(f"{name:14} langdetect {left:8.3f} ms   ours {right:8.3f} ms   {theirs / ours:5.1f} x")


if __name__ == "__main__":
    main()
