"""IFHardBench against plain verifiers, in one run: ``python -m tests.bench.bench_ifhardbench``.

Both check the same verdicts from the raw answer on. The plain ones give a verdict and nothing
else; ours also give what was measured, what is required, and the distance. Further lines show
that time per character does not grow on hostile texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time

from ifbench_tui.engine.benchmark import ConstraintSpec, Prompt
from ifbench_tui.engine.ifhardbench.ifhardbench import IFHardBench
from ifbench_tui.scoring import judge_text
from tests.engine.ifhardbench import slow

BENCH = IFHardBench()
ROWS = 1260
PARAGRAPH = (
    "Утро начинается с тишины. Чайник шумит, ёлка пахнет смолой, и снег за окном ещё синий! "
    "Кто придёт сегодня? Наверное, сосед: он обещал вернуть книгу."
)
PARAMS = {
    "structure:word_count": {"op": "between", "min": 20, "max": 30},
    "structure:sentence_count": {"op": "ge", "value": 4},
    "structure:paragraph_count": {"value": 1},
    "structure:char_count": {"value": 150},
    "structure:sentence_words": {"each": {"op": "le", "value": 11}},
    "structure:paragraph_sentences": {"each": {"value": 4}},
    "lexical:exclude_word": {"words": ["лето"], "stems": ["лет"]},
    "lexical:word_cap": {"stem": "книг", "cap": 2},
    "lexical:ring_word": {},
    "style:forbid_letter": {"letter": "ф"},
    "style:no_commas": {},
    "style:comma_count": {"value": 4},
    "style:no_digits": {},
}
PROMPTS = [
    Prompt(str(index), "", tuple(ConstraintSpec(name, PARAMS[name]) for name in stack))
    for index, stack in enumerate(
        [tuple(PARAMS)[start::3] for start in range(3)] + [tuple(PARAMS)[:5], tuple(PARAMS)[8:]]
    )
]


def answers(repeat: int) -> list[tuple[Prompt, str]]:
    """Raw answers, no two the same, some with a reasoning trace."""
    text = "\n\n".join([PARAGRAPH] * repeat)
    traces = ("", "<think>Посчитаю слова.</think>\n")
    return [(PROMPTS[i % 5], f"{traces[i % 2]}{text} {i:x}.") for i in range(ROWS)]


def ours(rows: Sequence[tuple[Prompt, str]]) -> list[bool]:
    judged = [judge_text(BENCH, prompt, raw) for prompt, raw in rows]
    return [lattice.strict for row in judged for lattice in row.lattices]


def plain(rows: Sequence[tuple[Prompt, str]]) -> list[bool]:
    found = []
    for prompt, raw in rows:
        text = slow.normalise(raw)
        for spec in prompt.constraints:
            found.append(slow.VERIFIERS[spec.type](text, dict(spec.params)))
    return found


def cpu(work: Callable[[], list[bool]]) -> tuple[float, list[bool]]:
    """The least CPU seconds of three calls, and the result."""
    times = []
    for _ in range(3):
        start = process_time()
        found = work()
        times.append(process_time() - start)
    return min(times), found


def hostile() -> None:
    """Print microseconds per 1000 characters of one response at two sizes."""
    everything = Prompt("all", "", tuple(ConstraintSpec(name, PARAMS[name]) for name in PARAMS))
    for name, unit in (
        ("dots", "а. "),
        ("marks", "."),
        ("opening tags", "<think>"),
        ("blanks", " \n"),
        ("stars", "*"),
        ("fences", "``` "),
        ("digits", "1"),
    ):
        costs = []
        for size in (50_000, 500_000):
            text = unit * (size // len(unit)) + "а"
            seconds, _ = cpu(lambda text=text: ours([(everything, text)]))  # type: ignore[misc]
            costs.append(seconds / size * 1e9)
        print(f"{name:13} {costs[0]:9.1f} ns/char at 50 K   {costs[1]:9.1f} ns/char at 500 K")


def main() -> None:
    """Print verdicts a second of both, and how many times faster ours is."""
    for name, repeat in (("short", 1), ("long", 10)):
        rows = answers(repeat)
        slow_time, expected = cpu(lambda rows=rows: plain(rows))  # type: ignore[misc]
        our_time, found = cpu(lambda rows=rows: ours(rows))  # type: ignore[misc]
        assert found == expected
        count = len(found)
        print(
            f"{name:5} {count:,} verdicts on {len(rows[0][1]):,} characters   "
            f"plain {count / slow_time:9,.0f}/s   ours {count / our_time:9,.0f}/s   "
            f"{slow_time / our_time:5.1f} x"
        )
    hostile()


if __name__ == "__main__":
    main()
