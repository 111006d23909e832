"""A reply that arrives in pieces (server-sent events), put together as if it had come whole."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["EVENT_STREAM", "StreamCutError", "whole"]

EVENT_STREAM = "text/event-stream"
_END = "[DONE]"
_TEXTS = ("content", "refusal", "reasoning_content", "reasoning")


class StreamCutError(Exception):
    """The stream ends early, or a piece of it cannot be read."""


def whole(body: bytes) -> bytes:
    """The body that the endpoint would have sent without streaming.

    Raises `StreamCutError` for a piece that is no JSON object, and where no piece says why the text
    ended: the rest of it is lost then.
    """
    texts: dict[str, list[str]] = {name: [] for name in _TEXTS}
    tokens: list[Any] = []
    made: dict[str, Any] = {}
    finish, called = None, False
    for piece in _pieces(body):
        made |= {name: piece[name] for name in ("usage", "error") if piece.get(name)}
        choice = _first(piece.get("choices"))
        delta = choice.get("delta")
        for name, parts in texts.items():
            value = delta.get(name) if isinstance(delta, dict) else None
            if isinstance(value, str):
                parts.append(value)
        called = called or (isinstance(delta, dict) and bool(delta.get("tool_calls")))
        logprobs = choice.get("logprobs")
        found = logprobs.get("content") if isinstance(logprobs, dict) else None
        tokens += found if isinstance(found, list) else ()
        finish = choice.get("finish_reason") or finish
    if "error" in made:
        return json.dumps({"error": made["error"]}).encode()
    if finish is None:
        raise StreamCutError("the stream ends before the reply does")
    message = {name: "".join(parts) for name, parts in texts.items() if parts}
    choice = {"message": {**message, "tool_calls": called}, "finish_reason": finish}
    return json.dumps({**made, "choices": [{**choice, "logprobs": {"content": tokens}}]}).encode()


def _pieces(body: bytes) -> Iterator[Mapping[str, Any]]:
    """The objects of the events' data; comments and other fields are passed over."""
    for event in body.decode("utf-8", "replace").replace("\r\n", "\n").split("\n\n"):
        lines = [line[len("data:") :] for line in event.split("\n") if line.startswith("data:")]
        data = "\n".join(line.removeprefix(" ") for line in lines)
        if data.strip() == _END:
            return
        if not data.strip():
            continue
        try:
            piece = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise StreamCutError("a piece of the stream is no JSON") from error
        if not isinstance(piece, dict):
            raise StreamCutError("a piece of the stream is no JSON object")
        yield piece


def _first(choices: object) -> Mapping[str, Any]:
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else {}
