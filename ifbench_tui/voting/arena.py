"""What can be voted on: prompts, and the responses of several models to each of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import PurePath
from typing import Any, NamedTuple

from ifbench_tui.workspace import Suite

__all__ = ["Arena", "ModelPair", "Spot", "VoteRow", "arena_of", "make_arena"]

ModelPair = tuple[str, str]
"""Two models in the order of `Arena.models`."""


class Spot(NamedTuple):
    """A prompt and the two models whose responses to it are compared."""

    key: str
    model_a: str
    model_b: str

    @property
    def pair(self) -> ModelPair:
        """The models."""
        return self.model_a, self.model_b


class VoteRow(NamedTuple):
    """One vote that counts; `blind` unless the names were seen before it."""

    model_a: str
    model_b: str
    winner: str
    blind: bool = True

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> VoteRow:
        """The vote in the body of its event."""
        return cls(body["model_a"], body["model_b"], body["winner"], not body["unblinded"])


@dataclass(frozen=True, slots=True)
class Arena:
    """Conversations by prompt key: the turns of the prompt, and of each model's responses.

    `spots` holds the prompts that can be asked for each pair of models. `equal` counts what cannot,
    because both models said the same. `hidden_names` are texts that must not be seen while blind.
    """

    benchmark: str
    prompts: Mapping[str, tuple[str, ...]]
    responses: Mapping[str, Mapping[str, tuple[str, ...]]]
    spots: Mapping[ModelPair, tuple[str, ...]]
    equal: int
    hidden_names: tuple[str, ...]

    @property
    def models(self) -> tuple[str, ...]:
        """The models that take part, in load order."""
        return tuple(self.responses)

    def turns(self, spot: Spot) -> tuple[tuple[str, str, str], ...]:
        """Prompt and both responses turn by turn, as far as all three go."""
        return tuple(
            zip(
                self.prompts[spot.key],
                self.responses[spot.model_a][spot.key],
                self.responses[spot.model_b][spot.key],
                strict=False,
            )
        )

    def holds(self, spot: Spot) -> bool:
        """Whether both models have a response to the prompt."""
        return all(spot.key in self.responses.get(model, ()) for model in spot.pair)

    def in_order(self, key: str, one: str, other: str) -> Spot | None:
        """The spot of two models named in any order; None unless both are here and differ."""
        models = self.models
        if one == other or one not in models or other not in models:
            return None
        first, second = sorted((one, other), key=models.index)
        return Spot(key, first, second)


def arena_of(suite: Suite, wanted: Iterable[str] = ()) -> Arena:
    """The responses of a suite's models, or of those wanted, to the prompts they share."""
    chosen = list(wanted)
    models = [model for model in suite.models if not chosen or model in chosen]
    files = {PurePath(r.path).name for m in suite.models for r in suite.responses(m).values()}
    return make_arena(
        suite.benchmark_id,
        {prompt.key: (prompt.text,) for prompt in suite.prompts},
        {
            model: {key: (response.text,) for key, response in suite.responses(model).items()}
            for model in models
        },
        (*suite.models, *sorted(files)),
    )


def make_arena(
    benchmark: str,
    prompts: Mapping[str, tuple[str, ...]],
    responses: Mapping[str, Mapping[str, tuple[str, ...]]],
    hidden_names: tuple[str, ...],
) -> Arena:
    """An arena of conversations of any number of turns."""
    spots: dict[ModelPair, tuple[str, ...]] = {}
    equal = 0
    for one, other in combinations(responses, 2):
        ours, theirs = responses[one], responses[other]
        shared = [key for key in prompts if key in ours and key in theirs]
        asked = tuple(key for key in shared if ours[key] != theirs[key])
        equal += len(shared) - len(asked)
        if asked:
            spots[one, other] = asked
    return Arena(benchmark, prompts, responses, spots, equal, hidden_names)
