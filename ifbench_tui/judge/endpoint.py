"""Where calls go, how long they may take, and the key, which stays out of every text."""

from __future__ import annotations

import ipaddress
import math
import os
import ssl
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from ifbench_tui.judge.errors import EndpointError

__all__ = [
    "BASE_URL_VARIABLE",
    "KEY_VARIABLES",
    "Endpoint",
    "Timeouts",
    "key_source",
    "open_endpoint",
    "read_key",
]

KEY_VARIABLES = ("IFBENCH_API_KEY", "OPENAI_API_KEY")
BASE_URL_VARIABLE = "OPENAI_BASE_URL"
_KEY_BYTES = 16 * 1024
_SECRET_LENGTH = 8
"""Shorter keys are stand-ins for servers that ask for none; hiding "x" would spoil every text."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds: to connect, between two pieces of an answer, for one attempt, for a call with all
    its attempts and waits."""

    connect: float = 10.0
    read: float = 120.0
    attempt: float = 300.0
    call: float = 900.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible server. Raises `EndpointError` where the address cannot be used.

    A key is sent over plain HTTP to this machine only. `ca_file` is trusted beside nothing else.
    """

    base_url: str
    key: str | None = field(default=None, repr=False)
    timeouts: Timeouts = Timeouts()
    ca_file: str | None = None
    response_bytes: int = 16 * 1024 * 1024

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.base_url)
            host, _ = parts.hostname, parts.port
        except ValueError as error:
            raise EndpointError(f"the base URL cannot be read: {error}") from error
        if parts.scheme not in ("http", "https") or not host:
            raise EndpointError("the base URL must be http(s)://HOST[:PORT]/…, such as …/v1")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise EndpointError(
                "the base URL holds a name, password, query or fragment: it is stored with the "
                "replies, so give secrets by environment variable or --key-file"
            )
        if self.key and parts.scheme == "http" and not self.loopback:
            raise EndpointError(f"the key would travel in the clear to {host}: use https")
        if any(not math.isfinite(one) or one <= 0 for one in self._seconds()):
            raise EndpointError("timeouts must be above 0 seconds")

    def _seconds(self) -> tuple[float, ...]:
        t = self.timeouts
        return t.connect, t.read, t.attempt, t.call

    @property
    def url(self) -> str:
        """Where chat completions are asked for."""
        return self.base_url.rstrip("/") + "/chat/completions"

    @property
    def host(self) -> str:
        """The name of the server, with its port where one is named."""
        return urlsplit(self.base_url).netloc

    @property
    def loopback(self) -> bool:
        """Whether the server is on this machine, which no proxy can reach."""
        host = urlsplit(self.base_url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")

    def headers(self) -> dict[str, str]:
        """Headers of every request. A compressed answer is asked not to come."""
        headers = {
            "accept": "application/json",
            "accept-encoding": "identity",
            "content-type": "application/json",
        }
        if self.key:
            headers["authorization"] = f"Bearer {self.key}"
        return headers

    def certificates(self) -> ssl.SSLContext | bool:
        """What TLS is checked against. Raises `EndpointError` for a file without certificates."""
        if self.ca_file is None:
            return True
        try:
            return ssl.create_default_context(cafile=self.ca_file)
        except (OSError, ssl.SSLError) as error:
            raise EndpointError(f"{self.ca_file}: no certificates can be read: {error}") from error

    def redacted(self, text: str) -> str:
        """The text without the key, should a server repeat it."""
        if self.key and len(self.key) >= _SECRET_LENGTH:
            return text.replace(self.key, "[key]")
        return text


def open_endpoint(
    base_url: str,
    environ: Mapping[str, str],
    *,
    key_file: str | None = None,
    ca_file: str | None = None,
    seconds: float = 300.0,
) -> Endpoint:
    """An endpoint with its key, where one is found; `seconds` are those of one attempt.

    Raises `EndpointError`.
    """
    times = Timeouts(min(10.0, seconds), seconds, seconds, 3 * seconds + 300.0)
    return Endpoint(base_url, read_key(environ, key_file), times, ca_file)


def key_source(environ: Mapping[str, str], key_file: str | None = None) -> str | None:
    """Where `read_key` would look and find something: the file, or the name of a variable."""
    if key_file is not None:
        return key_file
    return next((name for name in KEY_VARIABLES if environ.get(name, "").strip()), None)


def read_key(environ: Mapping[str, str], key_file: str | None = None) -> str | None:
    """The key from a file that only its owner can read, else from `KEY_VARIABLES`.

    Raises `EndpointError`; its message does not hold the key.
    """
    if key_file is not None:
        return _checked(_from_file(Path(key_file)), key_file)
    for name in KEY_VARIABLES:
        if value := environ.get(name, "").strip():
            return _checked(value, name)
    return None


def _from_file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            # Windows has no such bits: access is governed by lists that it does not show here.
            if os.name == "posix" and (not stat.S_ISREG(mode) or mode & 0o077):
                raise EndpointError(f"{path}: others can read this key: chmod 600 it first")
            return file.read(_KEY_BYTES).decode("ascii", "replace").strip()
    except OSError as error:
        raise EndpointError(f"{path}: the key cannot be read: {error.strerror}") from error


def _checked(key: str, source: str) -> str:
    if not key:
        raise EndpointError(f"{source}: there is no key in it")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise EndpointError(f"{source}: the key has characters that no key has")
    return key
