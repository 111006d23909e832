"""A small hostile HTTP server on loopback: whatever bytes a test wants, and a log of requests."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self

__all__ = ["Answer", "Request", "Server", "chat", "choice", "raw"]


@dataclass(frozen=True, slots=True)
class Request:
    """What arrived; `number` counts from 1."""

    number: int
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        """The last message."""
        text: str = self.body["messages"][-1]["content"]
        return text


@dataclass(frozen=True, slots=True)
class Answer:
    """Bytes to send, and what to do with the connection then."""

    data: bytes
    then: Literal["keep", "close", "hang"] = "keep"


def raw(
    status: int, body: bytes = b"", *headers: str, then: Literal["keep", "close", "hang"] = "keep"
) -> Answer:
    """A response with any body."""
    lines = [f"HTTP/1.1 {status} X", f"content-length: {len(body)}", *headers, "", ""]
    return Answer("\r\n".join(lines).encode() + body, then)


def choice(text: Any, finish: str = "stop", **more: Any) -> dict[str, Any]:
    """A chat completion with one choice; `more` are further fields of the choice."""
    return {
        "choices": [{"message": {"content": text}, "finish_reason": finish, **more}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3},
    }


def chat(text: Any, finish: str = "stop", **more: Any) -> Answer:
    """A response with a chat completion."""
    return raw(200, json.dumps(choice(text, finish, **more)).encode())


@dataclass(slots=True)
class Server:
    """Runs in a thread of its own while its `with` lasts."""

    answer: Callable[[Request], Answer]
    requests: list[Request] = field(default_factory=list)
    port: int = 0
    changed: threading.Condition = field(default_factory=threading.Condition)
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    _thread: threading.Thread | None = None
    _stop: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def wait_for(self, count: int) -> None:
        """Until that many requests have arrived."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.requests) >= count, timeout=30)

    def __enter__(self) -> Self:
        ready = threading.Event()
        self._thread = threading.Thread(
            target=self._loop.run_until_complete, args=(self._serve(ready),), daemon=True
        )
        self._thread.start()
        assert ready.wait(10)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        assert self._thread is not None
        self._thread.join(10)
        self._loop.close()

    async def _serve(self, ready: threading.Event) -> None:
        server = await asyncio.start_server(self._talk, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await self._stop.wait()
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while True:
                answer = self.answer(await self._request(reader))
                writer.write(answer.data)
                await writer.drain()
                if answer.then == "hang":
                    await self._stop.wait()
                if answer.then != "keep":
                    break
        writer.close()

    async def _request(self, reader: asyncio.StreamReader) -> Request:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        pairs = [line.partition(":") for line in head[1:] if line]
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        with self.changed:
            path = head[0].split(" ")[1]
            request = Request(len(self.requests) + 1, path, headers, json.loads(body or b"{}"))
            self.requests.append(request)
            self.changed.notify_all()
        return request
