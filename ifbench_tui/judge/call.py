"""A call to a model, and what came of it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["PAID", "Alternatives", "Call", "Message", "Reply", "count_of", "finite"]

Message = tuple[str, str]
"""Role and text."""

Alternatives = tuple[tuple[str, float], ...]
"""Tokens with their log probabilities at one place of a text."""

PAID = frozenset({"ok", "truncated", "empty", "refused", "no_logprobs"})
"""Outcomes for which a model has worked: they are kept and not asked for again."""


@dataclass(frozen=True, slots=True)
class Call:
    """What is asked of a model. `top_logprobs` is 0 where no log probabilities are wanted.

    `sample` tells apart calls that are to be answered independently though they read the same.
    """

    model: str
    messages: tuple[Message, ...]
    temperature: float
    max_tokens: int
    top_logprobs: int = 0
    top_p: float | None = None
    sample: int = 0

    def payload(self) -> dict[str, Any]:
        """The JSON body of the request."""
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": role, "content": text} for role, text in self.messages],
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }
        if self.top_p is not None:
            body["top_p"] = self.top_p
        if self.top_logprobs:
            body |= {"logprobs": True, "top_logprobs": self.top_logprobs}
        return body

    def digest(self, base_url: str) -> str:
        """SHA-256 of everything that the reply depends on."""
        known = [base_url.rstrip("/"), self.payload(), self.sample]
        text = json.dumps(known, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def characters(self) -> int:
        """Length of all messages."""
        return sum(len(text) for _, text in self.messages)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a call.

    `outcome` is ok or what went wrong: truncated, empty, refused, no_logprobs, bad_json,
    too_large, timeout, connect, stream_cut, http_STATUS. `detail` says more, in words. `at` is the
    Unix time it was read; `tokens` has the alternatives of the first tokens, where asked for.
    """

    outcome: str
    text: str = ""
    detail: str = ""
    thought: str = ""
    finish_reason: str = ""
    tokens: tuple[Alternatives, ...] = ()
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    at: float = 0.0

    @property
    def ok(self) -> bool:
        return self.outcome == "ok"

    def to_json(self) -> str:
        """Text that `from_json` reads."""
        value = {name: getattr(self, name) for name in self.__slots__}
        return json.dumps(value, sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Reply | None:
        """A stored reply; None where the text is none, as in a damaged or forged session."""
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return None
        return _reply(value) if isinstance(value, dict) else None


def count_of(value: object) -> int | None:
    """A count that sums and prices can be made of; None for anything else."""
    return value if type(value) is int and 0 <= value < 1 << 53 else None


def finite(value: object) -> float | None:
    """A finite number; None for anything else."""
    if not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _alternative(value: Any) -> tuple[str, float]:
    """A token and its log probability. Raises TypeError or ValueError."""
    token, logprob = value
    number = finite(logprob)
    if number is None:
        raise ValueError("the log probability is not a finite number")
    return str(token), number


_TEXTS = ("outcome", "text", "detail", "thought", "finish_reason")


def _reply(value: Mapping[str, Any]) -> Reply | None:
    texts = {name: value.get(name) for name in _TEXTS}
    counts = [value.get(name) for name in ("prompt_tokens", "completion_tokens")]
    at, tokens = finite(value.get("at")), value.get("tokens")
    if (
        not all(isinstance(one, str) for one in texts.values())
        or texts["outcome"] not in PAID
        or not all(one is None or count_of(one) is not None for one in counts)
        or at is None
        or not isinstance(tokens, list)
    ):
        return None
    try:
        places = tuple(tuple(map(_alternative, place)) for place in tokens)
    except (TypeError, ValueError):
        return None
    return Reply(
        **{name: str(one) for name, one in texts.items()},
        tokens=places,
        prompt_tokens=counts[0],
        completion_tokens=counts[1],
        at=at,
    )
