"""Contents that are no table of rows, told by their first bytes."""

from __future__ import annotations

from typing import NamedTuple

from ifbench_tui.formats.source import GZIP, ZSTD

__all__ = ["Refusal", "refusal"]


class Refusal(NamedTuple):
    """What a content is, and what to do. `data` is False for what was never meant to be read."""

    kind: str
    reason: str
    advice: str
    data: bool = True


CONVERT = "export it as JSON Lines or CSV"

SIGNATURES: tuple[tuple[tuple[bytes, ...], Refusal], ...] = (
    (
        (b"version https://git-lfs.github.com/spec/", b"version https://hawser.github.com/spec/"),
        Refusal(
            "git-lfs",
            "is a Git LFS pointer: the data itself was not downloaded",
            "run: git lfs pull",
        ),
    ),
    (
        (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"),
        Refusal("zip", "is a ZIP archive, which is not read", "unpack it and open what is inside"),
    ),
    (
        (b"\xff\xfe", b"\xfe\xff"),
        Refusal("utf-16", "is UTF-16 text; only UTF-8 is read", "save it as UTF-8"),
    ),
    (
        (GZIP, ZSTD),
        Refusal("nested", "is an archive inside an archive, which is not read", "unpack it once"),
    ),
    (
        (b"BZh", b"\xfd7zXZ\x00", b"7z\xbc\xaf\x27\x1c", b"Rar!"),
        Refusal(
            "archive",
            "is compressed in a way that is not read",
            "unpack it; gzip and Zstandard can stay as they are",
        ),
    ),
    (
        tuple(bytes((0x80, protocol)) for protocol in range(2, 6)),
        Refusal(
            "pickle",
            "is a Python pickle: unsupported, since loading one runs code from the file",
            CONVERT,
        ),
    ),
    ((b"SQLite format 3\x00",), Refusal("sqlite", "is an SQLite database", CONVERT)),
    (
        (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"<svg"),
        Refusal("image", "is an image", "", data=False),
    ),
    ((b"%PDF",), Refusal("pdf", "is a PDF document", "", data=False)),
)

HTML_STARTS = (b"<!doctype", b"<html", b"<head", b"<body", b"<?xml", b"<!--")
HTML = Refusal(
    "html",
    "is a web page, not data: the download gave an error or a login page",
    "download the raw file again",
)
BINARY = Refusal("binary", "is binary data of an unknown kind", CONVERT)
EMPTY = Refusal("empty", "is empty", "", data=False)


def refusal(head: bytes) -> Refusal | None:
    """Why a content that starts so is no table; None where it may be one."""
    for starts, refused in SIGNATURES:
        if head.startswith(starts):
            return refused
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not text:
        return EMPTY
    if text[:9].lower().startswith(HTML_STARTS):
        return HTML
    if b"\x00" in head and not text.startswith((b"{", b"[")):
        return BINARY
    return None
