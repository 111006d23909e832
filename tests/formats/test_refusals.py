"""What is not data of ours is named, with what to do, and never opened further."""

from __future__ import annotations

import io
import pickle
import zipfile
from pathlib import Path

import pytest

from tests.formats.helpers import broken, read

ZIP = io.BytesIO()
with zipfile.ZipFile(ZIP, "w") as archive:
    archive.writestr("header.json", '{"version": 2, "status": "success"}')
PLAIN_ZIP = io.BytesIO()
with zipfile.ZipFile(PLAIN_ZIP, "w") as archive:
    archive.writestr("data.txt", "x")


class Runs:
    """Running code when unpickled, as a hostile file would."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return exec, ("raise SystemExit('code from the file ran')",)


CASES = {
    "lfs": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
        "Git LFS pointer",
        "git lfs pull",
    ),
    "html": (b"\n<!DOCTYPE html>\n<html><body>Sign in</body>", "web page", "download"),
    "html, bare": (b"<HTML><head>", "web page", "download"),
    "pickle": (pickle.dumps(Runs()), "pickle: unsupported", "JSON Lines"),
    "png": (b"\x89PNG\r\n\x1a\n\x00\x00", "image", ""),
    "parquet": (b"PAR1\x15\x04", "Parquet", "JSON Lines"),
    "sqlite": (b"SQLite format 3\x00\x10\x00", "SQLite", ""),
    "pdf": (b"%PDF-1.7", "PDF", ""),
    "xz": (b"\xfd7zXZ\x00\x00", "compressed in a way", "unpack"),
    "utf-16": ('{"prompt": "p"}'.encode("utf-16"), "UTF-16", "UTF-8"),
    "binary": (b"\x07\x08\x00\x00\x01", "binary", ""),
    "empty": (b"", "empty", ""),
    "only a BOM": (b"\xef\xbb\xbf\n", "empty", ""),
    "text": (b"Dear reader, this is prose.\nIt has two lines.\n", "text without rows", ""),
    "inspect log": (ZIP.getvalue(), "Inspect log (version 2)", "inspect"),
    "zip": (PLAIN_ZIP.getvalue(), "ZIP archive", "unpack"),
    "bad zip": (b"PK\x03\x04garbage", "ZIP archive", "unpack"),
}


@pytest.mark.parametrize("name", CASES)
def test_refused_in_words(tmp_path: Path, name: str) -> None:
    data, reason, advice = CASES[name]
    path = tmp_path / "responses.dat"
    path.write_bytes(data)
    _, records = read(path)
    problem = broken(records)[0]
    assert len(records) == 1
    assert reason in problem.reason
    assert advice in problem.advice


def test_zeros_after_good_rows_are_one_bad_line(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"prompt": "p", "response": "r"}\n' + b"\x00" * 5000)
    found, records = read(path)
    assert found == "ifeval-responses"
    assert [problem.line for problem in broken(records)] == [2]
