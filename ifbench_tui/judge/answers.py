"""Reading a chat completion: hostile JSON in, a named outcome out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ifbench_tui.judge.call import Alternatives, Call, Reply, count_of, finite

__all__ = ["error_message", "reply_of"]

_TOKENS_KEPT = 4
_ALTERNATIVES_KEPT = 32
_DETAIL = 300


def reply_of(body: bytes, call: Call, clean: Callable[[str], str], at: float) -> Reply:
    """What the body of a successful response says. `clean` is applied to every text kept."""
    value = _object(body)
    if value is None:
        return Reply("bad_json", detail="the body is no JSON object", at=at)
    choices = value.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        said = _error_text(value) or "there is no choice with a message in it"
        return Reply("bad_json", detail=clean(said)[:_DETAIL], at=at)
    finish = _text(choice.get("finish_reason"))
    text = _content(message.get("content"))
    tokens = _tokens(choice.get("logprobs"), clean) if call.top_logprobs else ()
    outcome, detail = _outcome(call, message, text, finish, tokens)
    usage = value.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return Reply(
        outcome,
        clean(text or _text(message.get("refusal"))),
        clean(detail)[:_DETAIL],
        clean(_text(message.get("reasoning_content") or message.get("reasoning"))),
        clean(finish)[:40],
        tokens,
        count_of(counts.get("prompt_tokens")),
        count_of(counts.get("completion_tokens")),
        at,
    )


def _outcome(
    call: Call, message: Mapping[str, Any], text: str, finish: str, tokens: tuple[object, ...]
) -> tuple[str, str]:
    refusal = _text(message.get("refusal"))
    if refusal or finish == "content_filter":
        return "refused", refusal or "stopped by a content filter"
    if call.top_logprobs:
        # One token is wanted, so that it ends by length is what should be.
        return ("ok", "") if tokens else ("no_logprobs", "the reply has no log probabilities")
    if finish == "length":
        return "truncated", "the text ends at the limit of tokens"
    if not text.strip():
        called = "the model calls a tool instead" if message.get("tool_calls") else "no text"
        return "empty", called
    return "ok", ""


def error_message(body: bytes, clean: Callable[[str], str]) -> str:
    """What the body of a failed response says, cleaned and then shortened, so that nothing to be
    cleaned is cut in two; "" where it says nothing readable."""
    value = _object(body)
    said = _error_text(value) if value is not None else body.decode(errors="replace").strip()
    return clean(said)[:_DETAIL]


def _error_text(value: Mapping[str, Any]) -> str:
    error = value.get("error")
    if isinstance(error, dict):
        error = error.get("message")
    return _text(error) or _text(value.get("message")) or _text(value.get("detail"))


def _object(body: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _content(value: object) -> str:
    """A text, or the texts of a list of parts."""
    if isinstance(value, list):
        return "".join(_text(part.get("text")) for part in value if isinstance(part, dict))
    return _text(value)


def _tokens(logprobs: object, clean: Callable[[str], str]) -> tuple[Alternatives, ...]:
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    if not isinstance(content, list):
        return ()
    return tuple(
        _alternatives(one.get("top_logprobs"), clean)
        for one in content[:_TOKENS_KEPT]
        if isinstance(one, dict)
    )


def _alternatives(value: object, clean: Callable[[str], str]) -> Alternatives:
    found = []
    for one in value[:_ALTERNATIVES_KEPT] if isinstance(value, list) else ():
        token = one.get("token") if isinstance(one, dict) else None
        logprob = finite(one.get("logprob")) if isinstance(one, dict) else None
        if isinstance(token, str) and logprob is not None:
            found.append((clean(token), logprob))
    return tuple(found)
