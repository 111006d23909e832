"""The client against a server that is not ours, which grades how faults are handled."""

from __future__ import annotations

import pytest

pytest.importorskip("llmock", reason="the extra [test] installs llmock")

from llmock.pytest_plugin import LLMock

from ifbench_tui.judge.call import Call, Reply
from ifbench_tui.judge.client import Client
from ifbench_tui.judge.endpoint import Endpoint, Timeouts
from ifbench_tui.judge.retry import Retry

CALL = Call("gpt-4o", (("user", "Which?"),), 0.0, 16)


async def ask(
    llmock: LLMock, call: Call = CALL, timeouts: Timeouts | None = None, *, stream: bool = False
) -> Reply:
    endpoint = Endpoint(llmock.base_url(), "a-key-of-no-worth", timeouts or Timeouts())
    async with Client(endpoint, Retry(attempts=3, first=0.05), stream=stream) as client:
        return await client.ask(call)


async def test_a_scripted_reply(llmock: LLMock) -> None:
    llmock.reply("Rating: [[7]]")
    reply = await ask(llmock)
    assert (reply.outcome, reply.text, reply.finish_reason) == ("ok", "Rating: [[7]]", "stop")
    assert reply.prompt_tokens
    assert len(llmock.requests) == 1


async def test_a_rate_limit_is_waited_out(llmock: LLMock) -> None:
    llmock.rate_limit(times=2, retry_after=0.2).reply("[[B]]")
    assert (await ask(llmock)).text == "[[B]]"
    assert len(llmock.requests) == 3
    llmock.assert_resilient(strict=True)


@pytest.mark.parametrize("status", [500, 503])
async def test_a_passing_fault_is_survived(llmock: LLMock, status: int) -> None:
    llmock.fail(status, times=2, retry_after=0.1).reply("[[A]]")
    assert (await ask(llmock)).text == "[[A]]"
    llmock.assert_resilient(strict=True)


async def test_a_prompt_too_long_is_not_sent_twice(llmock: LLMock) -> None:
    llmock.context_overflow(times=None)
    reply = await ask(llmock)
    assert reply.outcome == "http_400"
    assert "maximum context length" in reply.detail
    assert len(llmock.requests) == 1
    llmock.assert_resilient()


async def test_an_outage_ends_in_its_name_after_bounded_attempts(llmock: LLMock) -> None:
    llmock.outage()
    assert (await ask(llmock)).outcome == "http_503"
    assert len(llmock.requests) == 3


async def test_a_reply_that_takes_too_long_is_given_up(llmock: LLMock) -> None:
    llmock.delay(0.6).reply("late").reply("[[C]]")
    reply = await ask(llmock, timeouts=Timeouts(5.0, 0.2, 0.3, 20.0))
    assert reply.ok
    assert len(llmock.requests) == 2


async def test_a_server_without_log_probabilities_is_named(llmock: LLMock) -> None:
    llmock.reply("m")
    weighted = Call("gpt-4o", (("user", "Which?"),), 1.0, 1, top_logprobs=5)
    reply = await ask(llmock, weighted)
    assert (reply.outcome, reply.text) == ("no_logprobs", "m")


async def test_a_reply_in_pieces(llmock: LLMock) -> None:
    llmock.reply("First this, then that: [[7]]")
    reply = await ask(llmock, stream=True)
    assert (reply.outcome, reply.text) == ("ok", "First this, then that: [[7]]")
    assert reply.completion_tokens


@pytest.mark.parametrize("fault", ["disconnect", "truncate", "corrupt"])
async def test_a_broken_stream_is_asked_again(llmock: LLMock, fault: str) -> None:
    getattr(llmock, fault)(after_chunks=1, times=2)
    reply = await ask(llmock, stream=True)
    assert reply.outcome == "ok"
    # llmock's own answer, to its last character.
    assert reply.text.endswith("I saw 'Which?'.")
    assert len(llmock.requests) == 3


async def test_a_stream_that_stalls_is_given_up(llmock: LLMock) -> None:
    llmock.stall(after_chunks=1, times=None)
    reply = await ask(llmock, timeouts=Timeouts(read=0.2), stream=True)
    assert reply.outcome == "timeout"
