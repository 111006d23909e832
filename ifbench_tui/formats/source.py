"""Opens a file by its first bytes, never by its name, and gives its bytes within limits."""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, cast

from ifbench_tui.errors import IfbenchError
from ifbench_tui.formats.limits import Limits, bytes_in_words

__all__ = ["GZIP", "STDIN", "ZSTD", "LoadCancelled", "Progress", "Source", "SourceError"]

STDIN = "-"
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
CHUNK = 256 * 1024

Progress = Callable[[str, int, int], None]
"""Called with a path, the bytes read from the disk so far, and the file's size (0: unknown)."""


class SourceError(IfbenchError):
    """A file cannot be read, or not further; what came before stays good."""

    def __init__(self, reason: str, advice: str = "") -> None:
        super().__init__(reason)
        self.advice = advice


class LoadCancelled(IfbenchError):  # noqa: N818 - the user's wish, not a fault
    """The caller asked to stop reading."""


@dataclass(slots=True)
class _Counted:
    """The file as a decompressor sees it: counts what was taken from the disk.

    `front` are bytes already taken to look at, which come first again.
    """

    file: Any
    front: bytes
    done: int = 0

    def read(self, size: int = -1) -> bytes:
        if self.front:
            cut = len(self.front) if size < 0 else size
            data, self.front = self.front[:cut], self.front[cut:]
        else:
            data = cast(bytes, self.file.read(size))
        self.done += len(data)
        return data

    read1 = read


@dataclass(frozen=True, slots=True)
class Source:
    """One input: a path, or "-" for standard input.

    `named` where a person gave this very path, and not that of a directory around it.
    """

    path: str
    limits: Limits = field(default_factory=Limits)
    named: bool = True
    progress: Progress | None = None
    cancelled: Callable[[], bool] = lambda: False

    @property
    def rereadable(self) -> bool:
        """Whether it can be opened twice: a regular file, not a pipe."""
        return self.path != STDIN and os.path.isfile(self.path)

    @property
    def size(self) -> int:
        """Bytes on the disk; 0 where that says nothing."""
        return os.stat(self.path).st_size if self.rereadable else 0

    def open(self) -> AbstractContextManager[Any]:
        """The raw bytes, buffered. Raises `SourceError`."""
        if self.path == STDIN:
            return nullcontext(sys.stdin.buffer)  # not ours to close: the app takes over fd 0
        try:
            return open(self.path, "rb")
        except OSError as error:
            raise SourceError(f"cannot be opened: {error.strerror}", "check the path") from error

    def chunks(self) -> Iterator[bytes]:
        """The decompressed bytes, piece by piece.

        Raises `SourceError` where the file ends early, is damaged or passes a limit, and
        `LoadCancelled`.
        """
        with self.open() as file:
            magic = _read(_Counted(file, b""), (OSError,), len(ZSTD))
            raw = _Counted(file, magic)
            stream, damages = _decompressor(raw, magic)
            total = self.size
            out = 0
            while chunk := _read(stream, damages):
                if self.cancelled():
                    raise LoadCancelled(f"{self.path}: reading was cancelled")
                out += len(chunk)
                self._check(raw.done, out)
                if self.progress:
                    self.progress(self.path, raw.done, total)
                yield chunk

    def _check(self, taken: int, out: int) -> None:
        limits = self.limits
        if out > limits.file_bytes:
            raise SourceError(
                f"is larger than the limit file_bytes ({bytes_in_words(limits.file_bytes)})",
                "split the file, or raise the limit",
            )
        if out > limits.expansion_from and out > limits.expansion * taken:
            raise SourceError(
                f"expands more than {limits.expansion} times (the limit expansion): "
                f"{bytes_in_words(taken)} became {bytes_in_words(out)} so far",
                "decompress it yourself if you trust it, or raise the limit",
            )


Damages = tuple[type[BaseException], ...]


def _decompressor(raw: _Counted, magic: bytes) -> tuple[Any, Damages]:
    """A stream to read from, and what it raises on damaged data."""
    if magic.startswith(GZIP):
        return gzip.GzipFile(fileobj=cast(Any, raw)), (OSError, zlib.error)
    if magic == ZSTD:
        try:
            if sys.version_info >= (3, 14):
                from compression import zstd
            else:
                from backports import zstd
        except ImportError as error:
            raise SourceError(
                "is compressed with Zstandard, which this Python cannot read",
                "install the package backports.zstd, or decompress the file with: zstd -d",
            ) from error
        return zstd.ZstdFile(cast(Any, raw)), (OSError, zstd.ZstdError)
    return raw, (OSError,)


def _read(stream: Any, damages: Damages, size: int = CHUNK) -> bytes:
    try:
        return cast(bytes, stream.read1(size))
    except EOFError as error:
        raise SourceError("the compressed data is cut off", "copy the file again") from error
    except damages as error:
        raise SourceError(f"cannot be read: {error}", "copy the file again") from error
