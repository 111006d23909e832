"""What a run costs, before it and after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ifbench_tui.judge.call import Call

__all__ = ["Prices", "Tokens", "estimated_tokens"]

_CHARACTERS = 4
"""Characters of a token, roughly: right within a factor of two for most languages and models."""

_MESSAGE = 4
"""Tokens around each message."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens sent and received."""

    prompt: int
    completion: int


@dataclass(frozen=True, slots=True)
class Prices:
    """Money for a million tokens, in any currency."""

    prompt: float
    completion: float

    def cost(self, tokens: Tokens) -> float:
        """Money for these tokens."""
        return (tokens.prompt * self.prompt + tokens.completion * self.completion) / 1e6


def estimated_tokens(calls: Iterable[Call]) -> Tokens:
    """Prompt tokens told by the length of the texts, and the most tokens that may come back."""
    prompt = completion = 0
    for call in calls:
        prompt += call.characters // _CHARACTERS + _MESSAGE * len(call.messages)
        completion += call.max_tokens
    return Tokens(prompt, completion)
