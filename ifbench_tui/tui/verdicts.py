"""What has been judged so far, for one suite: filled by workers, read by every screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from ifbench_tui import scoring
from ifbench_tui.engine.benchmark import Benchmark, JudgedResponse
from ifbench_tui.engine.summary import Summary
from ifbench_tui.scoring import Scored
from ifbench_tui.workspace import Suite

__all__ = ["Verdicts"]


class Verdicts:
    """Judged responses of one suite. Any thread may add and read: nothing is ever taken out, the
    same response is judged the same by all, and readers go by the suite's prompts, never through a
    dict that grows. At worst a response is judged, or a model summed up, twice.
    """

    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        self.benchmark: Benchmark = scoring.benchmark_for(suite.benchmark_id)
        self._judged: dict[str, dict[str, JudgedResponse]] = {model: {} for model in suite.models}
        self._summaries: dict[str, Summary] = {}

    @property
    def total(self) -> int:
        """Responses there are."""
        return sum(len(self.suite.responses(model)) for model in self.suite.models)

    @property
    def done(self) -> int:
        """Responses judged."""
        return sum(map(len, self._judged.values()))

    def of(self, model: str) -> dict[str, JudgedResponse]:
        """What is judged of one model, by prompt key. To be read only."""
        return self._judged.get(model, {})

    def get(self, model: str, key: str) -> JudgedResponse | None:
        """One judged response; None while it is pending, or where there is no response."""
        return self.of(model).get(key)

    def complete(self, model: str) -> bool:
        """Whether every response of a model is judged."""
        return len(self.of(model)) == len(self.suite.responses(model))

    def summary(self, model: str) -> Summary | None:
        """The benchmark's numbers for a model, once all its responses are judged."""
        return self._summaries.get(model)

    def add(self, batch: Iterable[Scored]) -> None:
        """Take judged responses over; sums a model up when its last one arrives."""
        models = set()
        for scored in batch:
            self._judged[scored.model][scored.judged.key] = scored.judged
            models.add(scored.model)
        for model in models:
            if model not in self._summaries and self.complete(model):
                self._summaries[model] = self._summarise(model)

    def _summarise(self, model: str) -> Summary:
        judged = self._judged[model]
        rows = [judged[prompt.key] for prompt in self.suite.prompts if prompt.key in judged]
        return scoring.summarise(self.suite, rows)

    def judge_now(self, model: str, key: str) -> JudgedResponse | None:
        """Judge one response at once, unless it is known; None where there is no response."""
        known = self.get(model, key)
        response = self.suite.response(model, key)
        if known is not None or response is None:
            return known
        prompt = next(prompt for prompt in self.suite.prompts if prompt.key == key)
        judged = scoring.judge_text(self.benchmark, prompt, response.text)
        self.add([Scored(model, judged)])
        return judged

    def pending(self, first: str) -> list[str]:
        """Models with responses still to be judged, `first` before the others."""
        models = [model for model in self.suite.models if not self.complete(model)]
        return sorted(models, key=partial(_differs, first))

    def judge_all(self, first: str, cancelled: Callable[[], bool]) -> Iterable[int]:
        """Judge what is pending, beginning with one model; yields the number done so far."""
        for batch in scoring.score_stream(self.suite, self.pending(first), cancelled=cancelled):
            self.add(batch)
            yield self.done


def _differs(wanted: str, model: str) -> bool:
    return model != wanted
