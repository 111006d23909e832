"""Replies in pieces: put together as if they had come whole, or named as cut."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ifbench_tui.judge.call import Call, Reply
from ifbench_tui.judge.client import Client
from ifbench_tui.judge.endpoint import Endpoint, Timeouts
from ifbench_tui.judge.retry import Retry
from tests.judge.server import Answer, Request, Server, chat, raw

CALL = Call("j", (("user", "Which?"),), 0.0, 16)
USAGE = {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}}


def piece(content: Any = None, finish: str | None = None, **delta: Any) -> dict[str, Any]:
    body = delta if content is None else {"content": content, **delta}
    return {"choices": [{"index": 0, "delta": body, "finish_reason": finish}]}


def stream(*pieces: dict[str, Any] | str, end: str = "\n\n") -> Answer:
    lines = [one if isinstance(one, str) else f"data: {json.dumps(one)}" for one in pieces]
    return raw(200, "".join(one + end for one in lines).encode(), "content-type: text/event-stream")


async def ask(answer: Answer, call: Call = CALL) -> tuple[Reply, Server]:
    with Server(lambda _: answer) as server:
        async with Client(Endpoint(server.base_url), Retry(attempts=1), stream=True) as client:
            return await client.ask(call), server


@pytest.mark.parametrize("end", ["\n\n", "\r\n\r\n"])
async def test_pieces_make_a_reply(end: str) -> None:
    reply, server = await ask(
        stream(": waiting", piece(role="assistant"), piece("Rating: "), ": still here",
               piece("[[7]]"), piece("", "stop"), USAGE, "data: [DONE]", end=end)
    )  # fmt: skip
    assert (reply.outcome, reply.text, reply.finish_reason) == ("ok", "Rating: [[7]]", "stop")
    assert (reply.prompt_tokens, reply.completion_tokens) == (9, 4)
    assert server.requests[0].body["stream"] is True
    assert server.requests[0].body["stream_options"] == {"include_usage": True}


async def test_reasoning_and_log_probabilities_come_in_pieces_too() -> None:
    places = [
        {"token": token, "top_logprobs": [{"token": token, "logprob": -0.5}]} for token in "mM"
    ]
    pieces = [piece(reasoning_content="hm"), piece("m"), piece(None, "length")]
    for one, place in zip(pieces[1:], places, strict=True):
        one["choices"][0]["logprobs"] = {"content": [place]}
    reply, _ = await ask(stream(*pieces), Call("j", CALL.messages, 1.0, 2, top_logprobs=5))
    assert (reply.outcome, reply.thought) == ("ok", "hm")
    assert reply.tokens == ((("m", -0.5),), (("M", -0.5),))


@pytest.mark.parametrize(
    ("pieces", "outcome", "words"),
    [
        ([piece("Rating: [[7]]")], "stream_cut", "ends before the reply"),
        ([piece("Rating: [[7]]"), "data: [DONE]"], "stream_cut", "ends before the reply"),
        ([piece("a"), 'data: {"choices": [{"del'], "stream_cut", "no JSON"),
        ([piece("a"), "data: 7"], "stream_cut", "no JSON object"),
        ([], "stream_cut", "ends before the reply"),
        ([piece("Rating: [["), piece("", "length")], "truncated", "limit of tokens"),
        ([piece("", "stop")], "empty", "no text"),
        ([piece(refusal="I will not."), piece(None, "stop")], "refused", "I will not."),
        ([{"error": {"message": "overloaded"}}], "bad_json", "overloaded"),
        ([{"choices": "odd"}, {"choices": [{"delta": 3}]}, piece("x", "stop")], "ok", ""),
    ],
)
async def test_every_way_a_stream_can_end(pieces: list[Any], outcome: str, words: str) -> None:
    reply, _ = await ask(stream(*pieces))
    assert reply.outcome == outcome
    assert words in reply.detail


async def test_a_server_that_does_not_stream_is_understood() -> None:
    reply, _ = await ask(chat("[[A]]"))
    assert (reply.outcome, reply.text) == ("ok", "[[A]]")


async def test_a_server_that_counts_no_tokens_of_streams_is_asked_without() -> None:
    def answer(request: Request) -> Answer:
        if "stream_options" in request.body:
            return raw(400, b'{"error": {"message": "unknown field stream_options"}}')
        return stream(piece("[[B]]", "stop"))

    told: list[str] = []
    with Server(answer) as server:
        async with Client(
            Endpoint(server.base_url), Retry(attempts=1), stream=True, notice=told.append
        ) as client:
            replies = [await client.ask(CALL), await client.ask(CALL)]
    assert [one.text for one in replies] == ["[[B]]", "[[B]]"]
    assert len(server.requests) == 3
    assert told == ["j: the endpoint does not count the tokens of a stream"]


async def test_a_silent_stream_times_out() -> None:
    half = stream(piece("Rating:"))
    head = half.data.replace(b"content-length: ", b"content-length: 9")
    with Server(lambda _: Answer(head, "hang")) as server:
        endpoint = Endpoint(server.base_url, timeouts=Timeouts(read=0.2))
        async with Client(endpoint, Retry(attempts=1), stream=True) as client:
            assert (await client.ask(CALL)).outcome == "timeout"
