"""One call to the endpoint: bounded in time and size, tried again where that can help."""

from __future__ import annotations

import asyncio
import json
import random
import ssl
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

import httpx

from ifbench_tui.judge.answers import error_message, reply_of
from ifbench_tui.judge.call import Call, Reply
from ifbench_tui.judge.endpoint import Endpoint
from ifbench_tui.judge.errors import EndpointError
from ifbench_tui.judge.retry import Retry, asked_wait, passing
from ifbench_tui.judge.streams import EVENT_STREAM, StreamCutError, whole

__all__ = ["Client"]

_ERROR_BYTES = 64 * 1024
_COMPRESSED = {"gzip": 31, "x-gzip": 31, "deflate": 47}
"""zlib's window bits for the encodings we read though none was asked for."""

_FIXES = {
    "max_completion_tokens": "the limit of tokens is called max_completion_tokens here",
    "temperature": "the endpoint takes no temperature for this model: none is sent",
    "stream_options": "the endpoint does not count the tokens of a stream",
    "logprobs": "the endpoint gives no log probabilities for this model: verdicts are discrete",
}
"""Words in the message of a 400 that name a parameter we can do without or call otherwise."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    reply: Reply
    wait: float | None = None
    message: str = ""


class _TooLargeError(Exception):
    """The body passes the limit."""


class Client:
    """Asks an endpoint; to be used with `async with`, by any number of tasks of one event loop.

    With `stream` replies come in pieces: a long one is then not taken for a silent server.
    `pause` and `chance` are the waits and their jitter, to be replaced in tests. `notice` is told
    in words what the endpoint is found to want, `retrying` of every request that failed and is
    made again after so many seconds.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        retry: Retry | None = None,
        *,
        connections: int = 8,
        stream: bool = False,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
        notice: Callable[[str], None] = lambda _: None,
        retrying: Callable[[Call, Reply, float], None] = lambda call, reply, wait: None,
    ) -> None:
        self.endpoint = endpoint
        self.requests = 0
        """HTTP requests sent so far."""
        self._retry = retry or Retry()
        self._stream = stream
        self._pause = pause
        self._chance = chance
        self._notice = notice
        self._retrying = retrying
        self._fixes: dict[str, set[str]] = {}
        self._not_before = 0.0
        times = endpoint.timeouts
        try:
            self._http = httpx.AsyncClient(
                headers=endpoint.headers(),
                verify=endpoint.certificates(),
                trust_env=not endpoint.loopback,
                follow_redirects=False,
                timeout=httpx.Timeout(times.read, connect=times.connect),
                limits=httpx.Limits(max_connections=connections),
            )
        except (ValueError, ImportError) as error:
            # Not the text of the error: it may repeat a proxy's password.
            raise EndpointError(
                "the proxy of the environment (HTTPS_PROXY, ALL_PROXY) cannot be used"
            ) from error

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._http.aclose()

    async def ask(self, call: Call) -> Reply:
        """The reply to a call, or the named failure of its last attempt.

        Raises `EndpointError` where the server's certificate is not trusted.
        """
        last = _Attempt(Reply("timeout", detail="no attempt ended in time"))
        try:
            async with asyncio.timeout(self.endpoint.timeouts.call):
                for number in range(1, self._retry.attempts + 1):
                    last = await self._fitting(call)
                    if not passing(last.reply.outcome) or number == self._retry.attempts:
                        break
                    wait = self._retry.wait(number, last.wait, self._chance())
                    if wait > self._retry.patience:
                        detail = (
                            f"{last.reply.detail}; asked to wait {wait:.0f} s, which is given up"
                        )
                        return replace(last.reply, detail=detail.lstrip("; "))
                    self._retrying(call, last.reply, wait)
                    await self._pause(wait)
        except TimeoutError:
            return _ended(last.reply, f"given up after {self.endpoint.timeouts.call:g} s in all")
        return last.reply

    async def _fitting(self, call: Call) -> _Attempt:
        """An attempt, made again at once where the server only dislikes how a parameter is put."""
        fixes = self._fixes.setdefault(call.model, set())
        while True:
            sent = frozenset(fixes)
            attempt = await self._attempt(_fitted(call, sent, self._stream), call)
            if attempt.reply.outcome not in ("http_400", "http_422"):
                return attempt
            named = [name for name in _FIXES if name in attempt.message and name not in sent]
            if not named:
                return attempt
            if named[0] not in fixes:
                fixes.add(named[0])
                self._notice(f"{call.model}: {_FIXES[named[0]]}")

    async def _attempt(self, payload: dict[str, Any], call: Call) -> _Attempt:
        held = self._not_before - time.monotonic()
        if held > 0:
            # Not all at the same moment: that is what was asked to stop.
            await self._pause(held + self._retry.first * self._chance() / 2.0)
        self.requests += 1
        try:
            async with asyncio.timeout(self.endpoint.timeouts.attempt):
                return await self._exchange(payload, call)
        except (TimeoutError, httpx.TimeoutException) as error:
            return _failed("timeout", type(error).__name__)
        except (httpx.ConnectError, httpx.ProxyError, httpx.UnsupportedProtocol) as error:
            if _untrusted(error):
                raise EndpointError(
                    f"the certificate of {self.endpoint.base_url} is not trusted ({error}); "
                    "name its authority with --ca-file"
                ) from error
            return _failed("connect", self.endpoint.redacted(str(error)))
        except (httpx.TransportError, httpx.DecodingError, StreamCutError) as error:
            return _failed("stream_cut", self.endpoint.redacted(str(error)))
        except zlib.error as error:
            return _failed("bad_json", f"the compressed body is damaged: {error}")
        except _TooLargeError:
            limit = f"the body is larger than {self.endpoint.response_bytes:,} bytes"
            return _failed("too_large", limit)

    async def _exchange(self, payload: dict[str, Any], call: Call) -> _Attempt:
        clean = self.endpoint.redacted
        # ASCII: a lone surrogate in a response cannot be sent as UTF-8.
        content = json.dumps(payload).encode("ascii")
        async with self._http.stream("POST", self.endpoint.url, content=content) as response:
            if response.status_code == 200:
                body = await _body(response, self.endpoint.response_bytes)
                if response.headers.get("content-type", "").startswith(EVENT_STREAM):
                    body = whole(body)
                return _Attempt(reply_of(body, call, clean, round(time.time(), 3)))
            outcome = f"http_{response.status_code}"
            if response.is_redirect:
                return _failed(outcome, "a redirect, which is not followed: check the base URL")
            try:
                said = error_message(await _body(response, _ERROR_BYTES), clean)
            except _TooLargeError:
                said = "a large error page"
            wait = asked_wait(response.headers, datetime.now(UTC))
            if wait is not None and passing(outcome):
                self._hold(wait)
            return _Attempt(Reply(outcome, detail=said), wait, said)

    def _hold(self, wait: float) -> None:
        """What turned one call away would turn the others away too."""
        if wait <= self._retry.patience:
            self._not_before = max(self._not_before, time.monotonic() + wait)


def _fitted(call: Call, fixes: frozenset[str], stream: bool) -> dict[str, Any]:
    payload = call.payload()
    if stream:
        payload["stream"] = True
        if "stream_options" not in fixes:
            payload["stream_options"] = {"include_usage": True}
    if "max_completion_tokens" in fixes:
        payload["max_completion_tokens"] = payload.pop("max_tokens")
    if "temperature" in fixes:
        payload.pop("temperature", None)
        payload.pop("top_p", None)
    if "logprobs" in fixes:
        payload.pop("logprobs", None)
        payload.pop("top_logprobs", None)
    return payload


def _ended(reply: Reply, why: str) -> Reply:
    return replace(reply, detail="; ".join(filter(None, (reply.detail, why))))


def _failed(outcome: str, detail: str) -> _Attempt:
    return _Attempt(Reply(outcome, detail=detail[:300]))


def _untrusted(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False


async def _body(response: httpx.Response, limit: int) -> bytes:
    """The decompressed body. Raises `_TooLargeError` before more than `limit` bytes are held."""
    parts: list[bytes] = []
    size = 0
    async for part in _decompressed(response, limit):
        size += len(part)
        if size > limit:
            raise _TooLargeError
        parts.append(part)
    return b"".join(parts)


async def _decompressed(response: httpx.Response, limit: int) -> AsyncIterator[bytes]:
    """Pieces of the body, each at most one byte longer than `limit`."""
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding in ("", "identity"):
        async for part in response.aiter_raw():
            yield part
        return
    if coding not in _COMPRESSED:
        raise httpx.DecodingError(f"the body has the unknown encoding {coding[:40]!r}")
    expand = zlib.decompressobj(_COMPRESSED[coding])
    async for part in response.aiter_raw():
        yield expand.decompress(part, limit + 1)
