"""One call against hostile answers: each ends in its own named outcome, within bounds."""

from __future__ import annotations

import gzip
import json
import os
import socket
import time
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ifbench_tui.judge.call import Call, Reply
from ifbench_tui.judge.client import Client
from ifbench_tui.judge.endpoint import Endpoint, Timeouts, read_key
from ifbench_tui.judge.errors import EndpointError
from ifbench_tui.judge.retry import Retry, asked_wait

from .server import Answer, Request, Server, chat, choice, raw

KEY = "sk-secret-0123456789"
CALL = Call("judge", (("user", "Which?"),), 0.0, 16)
WEIGHTED = Call("judge", (("user", "Which?"),), 1.0, 1, top_logprobs=5, top_p=1.0)
QUICK = Timeouts(connect=5.0, read=0.2, attempt=0.4, call=10.0)


async def no_pause(seconds: float) -> None:
    """Waits are counted by tests that care, never waited for."""


async def ask(
    answer: Callable[[Request], Answer],
    call: Call = CALL,
    *,
    attempts: int = 1,
    timeouts: Timeouts = QUICK,
    response_bytes: int = 100_000,
) -> tuple[Reply, Server]:
    with Server(answer) as server:
        endpoint = Endpoint(server.base_url, KEY, timeouts, response_bytes=response_bytes)
        async with Client(endpoint, Retry(attempts=attempts), pause=no_pause) as client:
            reply = await client.ask(call)
    return reply, server


async def test_a_good_answer_and_what_was_sent() -> None:
    reply, server = await ask(lambda _: chat("Rating: [[7]]"))
    assert (reply.outcome, reply.text, reply.finish_reason) == ("ok", "Rating: [[7]]", "stop")
    assert (reply.prompt_tokens, reply.completion_tokens) == (7, 3)
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == CALL.payload()
    assert "stream" not in request.body


async def test_text_that_no_utf_8_can_hold_is_sent_and_kept() -> None:
    call = Call("judge", (("user", "\ud835 \x00 \u202e"),), 0.0, 16)
    reply, server = await ask(lambda one: chat(one.prompt), call)
    assert server.requests[0].prompt == call.messages[0][1] == reply.text
    assert Reply.from_json(reply.to_json()) == reply


HUGE = json.dumps(choice("x" * 200_000)).encode()
BOMB = gzip.compress(b"0" * 50_000_000)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (raw(401, b'{"error":{"message":"no"}}'), "http_401"),
        (raw(404), "http_404"),
        (raw(500, b"<html>"), "http_500"),
        (raw(302, b"", "location: http://127.0.0.1:9/steal"), "http_302"),
        (raw(307, b"", "location: https://elsewhere.invalid/"), "http_307"),
        (raw(200, b"not json"), "bad_json"),
        (raw(200, b"[" * 100_000), "bad_json"),
        (raw(200, b"[1]"), "bad_json"),
        (raw(200, b'{"choices":[]}'), "bad_json"),
        (raw(200, b'{"choices":[{"message":null}]}'), "bad_json"),
        (raw(200, b'{"error":"overloaded"}'), "bad_json"),
        (raw(200, HUGE), "too_large"),
        (raw(200, BOMB, "content-encoding: gzip"), "too_large"),
        (raw(200, b"\x1f\x8bnope", "content-encoding: gzip"), "bad_json"),
        (raw(200, b"x", "content-encoding: br"), "stream_cut"),
        (Answer(b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{", "close"), "stream_cut"),
        (Answer(b"nonsense\r\n\r\n", "close"), "stream_cut"),
        (Answer(b"", "close"), "stream_cut"),
        (Answer(b"HTTP/1.1 200 OK\r\nx: ", "hang"), "timeout"),
        (Answer(b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{", "hang"), "timeout"),
        (chat("half of a judg", "length"), "truncated"),
        (chat(""), "empty"),
        (chat(None), "empty"),
        (chat("nice", "content_filter"), "refused"),
        (chat(["not", "text"]), "empty"),
    ],
)
async def test_every_fault_has_its_name(answer: Answer, outcome: str) -> None:
    reply, server = await ask(lambda _: answer)
    assert reply.outcome == outcome
    assert reply.ok is False
    assert len(server.requests) == 1


async def test_a_gzip_bomb_is_never_held_in_memory() -> None:
    tracemalloc.start()
    try:
        reply, _ = await ask(lambda _: raw(200, BOMB, "content-encoding: gzip"))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert reply.outcome == "too_large"
    assert peak < 5_000_000


async def test_a_slow_trickle_of_headers_ends_with_the_attempt() -> None:
    # Each piece comes within the read timeout; the whole never ends.
    def trickle(request: Request) -> Answer:
        return Answer(b"HTTP/1.1 200 OK\r\n", "hang")

    reply, _ = await ask(trickle, timeouts=Timeouts(5.0, 30.0, 0.2, 10.0))
    assert reply.outcome == "timeout"


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
async def test_what_passes_is_tried_again(status: int) -> None:
    reply, server = await ask(
        lambda request: raw(status) if request.number < 3 else chat("[[5]]"), attempts=4
    )
    assert (reply.outcome, len(server.requests)) == ("ok", 3)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
async def test_what_cannot_pass_is_not_tried_again(status: int) -> None:
    reply, server = await ask(lambda _: raw(status), attempts=4)
    assert (reply.outcome, len(server.requests)) == (f"http_{status}", 1)


async def test_a_storm_of_429_is_bounded_and_named() -> None:
    reply, server = await ask(lambda _: raw(429, b"", "retry-after: 1"), attempts=5)
    assert (reply.outcome, len(server.requests)) == ("http_429", 5)


@pytest.mark.parametrize(
    ("header", "least"),
    [("retry-after: 7", 7.0), ("retry-after-ms: 2500", 2.5), ("retry-after: soon", 0.4)],
)
async def test_the_wait_is_what_the_server_asked_for(header: str, least: float) -> None:
    waits: list[float] = []

    async def pause(seconds: float) -> None:
        waits.append(seconds)

    with Server(lambda one: raw(503, b"", header) if one.number == 1 else chat("x")) as server:
        retry = Retry(first=0.8)
        async with Client(
            Endpoint(server.base_url), retry, pause=pause, chance=lambda: 0.0
        ) as client:
            assert (await client.ask(CALL)).ok
    assert waits[0] == pytest.approx(least)


async def test_a_wait_of_an_hour_is_given_up() -> None:
    reply, server = await ask(lambda _: raw(429, b"", "retry-after: 3600"), attempts=5)
    assert (reply.outcome, len(server.requests)) == ("http_429", 1)
    assert "3600 s" in reply.detail


def test_waits_grow_with_jitter_and_stay_bounded() -> None:
    retry = Retry(first=1.0, longest=60.0)
    assert [retry.wait(n, None, 0.0) for n in (1, 2, 3)] == [0.5, 1.0, 2.0]
    assert retry.wait(1000, None, 0.999) < 60.0
    assert [retry.wait(1, 5.0, chance) for chance in (0.0, 0.5)] == [5.0, 5.1875]


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "Wed, 21 Oct 2015 07:28:09 GMT"}, 9.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:09 -0000"}, 9.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:27:00 GMT"}, 0.0),
        ({"retry-after-ms": "soon", "retry-after": "3"}, 3.0),
        ({"retry-after": "-3"}, None),
        ({}, None),
    ],
)
def test_waits_are_seconds_or_dates(headers: dict[str, str], wait: float | None) -> None:
    assert asked_wait(headers, datetime(2015, 10, 21, 7, 28, tzinfo=UTC)) == wait


@pytest.mark.parametrize(("asked", "held"), [(30, True), (3600, False)])
async def test_other_calls_wait_along_but_not_for_an_hour(asked: int, held: bool) -> None:
    waits: list[float] = []

    async def pause(seconds: float) -> None:
        waits.append(seconds)

    def turn_away(request: Request) -> Answer:
        return raw(429, b"", f"retry-after: {asked}") if request.number == 1 else chat("x")

    with Server(turn_away) as server:
        client = Client(Endpoint(server.base_url), Retry(attempts=1), pause=pause)
        async with client:
            assert (await client.ask(CALL)).outcome == "http_429"
            assert (await client.ask(CALL)).ok
    assert [wait > 25 for wait in waits] == [True] * held


async def test_no_server_at_all_is_a_failure_to_connect() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        endpoint = Endpoint(f"http://127.0.0.1:{port}/v1", timeouts=QUICK)
        async with Client(endpoint, Retry(attempts=2), pause=no_pause) as client:
            assert (await client.ask(CALL)).outcome == "connect"
            assert client.requests == 2


async def test_log_probabilities_are_read_and_their_absence_is_named() -> None:
    place = {"top_logprobs": [{"token": "M", "logprob": -0.1}, {"token": 3, "logprob": "x"}]}
    reply, server = await ask(
        lambda _: chat("M", "length", logprobs={"content": [place]}), WEIGHTED
    )
    assert (reply.outcome, reply.tokens) == ("ok", ((("M", -0.1),),))
    assert server.requests[0].body["top_logprobs"] == 5
    both, _ = await ask(lambda _: chat("Mm", logprobs={"content": [place, place]}), WEIGHTED)
    assert len(both.tokens) == 2, "that more than one token came must be seen"
    for logprobs in (None, {}, {"content": None}, {"content": []}):
        reply, _ = await ask(lambda _, it=logprobs: chat("M", logprobs=it), WEIGHTED)
        assert (reply.outcome, reply.text) == ("no_logprobs", "M")


async def test_a_parameter_the_server_dislikes_is_put_otherwise_once_per_model() -> None:
    def picky(request: Request) -> Answer:
        if "max_tokens" in request.body:
            said = "Unsupported parameter: use 'max_completion_tokens' instead"
            return raw(400, json.dumps({"error": {"message": said}}).encode())
        if "temperature" in request.body:
            return raw(400, b'{"error":{"message":"temperature may not be set"}}')
        return chat("fine")

    notices: list[str] = []
    with Server(picky) as server:
        async with Client(Endpoint(server.base_url), notice=notices.append) as client:
            assert (await client.ask(CALL)).ok
            assert (await client.ask(CALL)).ok
    assert len(server.requests) == 4
    assert server.requests[-1].body["max_completion_tokens"] == 16
    assert len(notices) == 2


async def test_the_key_stays_out_of_everything_that_is_kept() -> None:
    said = f"Incorrect key {KEY}"
    reply, _ = await ask(lambda _: raw(401, json.dumps({"error": {"message": said}}).encode()))
    assert "Incorrect key" in reply.detail
    assert KEY not in repr(reply)
    said = "x" * 290 + KEY
    reply, _ = await ask(lambda _: raw(401, json.dumps({"error": {"message": said}}).encode()))
    assert KEY[:6] not in reply.detail
    reply, _ = await ask(lambda _: chat(f"your header was Bearer {KEY}"))
    assert KEY not in reply.to_json()
    assert KEY not in repr(Endpoint("http://127.0.0.1:1/v1", KEY))


async def test_a_proxy_is_passed_by_for_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    reply, _ = await ask(lambda _: chat("here"))
    assert reply.ok


async def test_other_hosts_are_reached_through_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with Server(lambda _: chat("through")) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        async with Client(Endpoint("http://judge.invalid/v1")) as client:
            assert (await client.ask(CALL)).text == "through"
    assert proxy.requests[0].path == "http://judge.invalid/v1/chat/completions"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8000",
        "file:///etc/passwd",
        "http://",
        "http://[::1",
        "http://h:99999/v1",
        "https://user:word@host/v1",
        "https://host/v1?key=abc",
    ],
)
def test_addresses_that_cannot_be_used(url: str) -> None:
    with pytest.raises(EndpointError):
        Endpoint(url)


def test_a_key_never_travels_in_the_clear_to_another_machine() -> None:
    with pytest.raises(EndpointError, match="use https") as caught:
        Endpoint("http://10.0.0.9/v1", KEY)
    assert KEY not in str(caught.value)
    assert "authorization" not in Endpoint("http://10.0.0.9/v1").headers()
    assert Endpoint("http://[::1]:80/v1", KEY).loopback


@pytest.mark.skipif(os.name != "posix", reason="permission bits are POSIX")
def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text(f"{KEY}\n")
    path.chmod(0o640)
    with pytest.raises(EndpointError, match="chmod 600"):
        read_key({}, str(path))
    path.chmod(0o600)
    assert read_key({"OPENAI_API_KEY": "other"}, str(path)) == KEY
    path.write_text("two words\n")
    with pytest.raises(EndpointError) as caught:
        read_key({}, str(path))
    assert "words" not in str(caught.value)
    with pytest.raises(EndpointError, match="cannot be read"):
        read_key({}, str(tmp_path / "absent"))


def test_the_key_of_the_environment() -> None:
    assert read_key({}) is None
    assert read_key({"OPENAI_API_KEY": "a", "IFBENCH_API_KEY": "b"}) == "b"


def test_a_certificate_file_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ca.pem"
    path.write_text("hello")
    with pytest.raises(EndpointError, match=r"ca\.pem"):
        Client(Endpoint("https://host/v1", ca_file=str(path)))


def test_a_reply_survives_storing_and_a_forged_one_is_none() -> None:
    reply = Reply("ok", "a\ud800b", thought="t", tokens=((("M", -0.5),),), at=time.time())
    assert Reply.from_json(reply.to_json()) == reply
    for text in ("", "[]", "{}", "[" * 99_999, reply.to_json().replace('"ok"', '"http_500"')):
        assert Reply.from_json(text) is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("at", "1" + "0" * 400),
        ("at", "Infinity"),
        ("at", "null"),
        ("prompt_tokens", "1" + "0" * 400),
        ("tokens", f'[[["M", 1{"0" * 400}]]]'),
        ("tokens", '[[["M", NaN]]]'),
        ("tokens", '[[["M"]]]'),
        ("tokens", "[[7]]"),
    ],
)
def test_a_kept_reply_with_numbers_that_are_none_is_asked_again(field: str, value: str) -> None:
    kept = json.loads(Reply("ok", "x", at=1.0).to_json())
    assert Reply.from_json(json.dumps(kept | {field: "HERE"}).replace('"HERE"', value)) is None
