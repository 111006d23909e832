"""Opening: by magic bytes, within limits, with progress, cancellable."""

from __future__ import annotations

import gzip
import io
import os
import struct
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import pytest

from ifbench_tui.formats import (
    Limits,
    LoadCancelled,
    LoadOptions,
    Source,
    SourceError,
    open_table,
    recognise,
)
from tests.formats.helpers import broken, jsonl, read, responses_of

ROWS = [{"prompt": "p", "response": "r"}]


def zstd(data: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression.zstd import compress
    else:
        compress = pytest.importorskip("backports.zstd").compress
    return bytes(compress(data))


@pytest.mark.parametrize("name", ["x.jsonl.gz", "misnamed.jsonl", "noname"])
@pytest.mark.parametrize("pack", [gzip.compress, zstd, bytes], ids=["gz", "zst", "plain"])
def test_reads_by_magic_whatever_the_name(tmp_path: Path, name: str, pack: object) -> None:
    path = tmp_path / name
    path.write_bytes(pack(jsonl(ROWS)))  # type: ignore[operator]
    assert responses_of(read(path)[1]) == ["r"]


@pytest.mark.parametrize("pack", [gzip.compress, zstd], ids=["gz", "zst"])
def test_members_one_after_another_are_one_file(tmp_path: Path, pack: object) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(pack(jsonl(ROWS)) * 3)  # type: ignore[operator]
    assert responses_of(read(path)[1]) == ["r"] * 3


@pytest.mark.parametrize("pack", [gzip.compress, zstd], ids=["gz", "zst"])
def test_what_came_before_a_cut_is_read(tmp_path: Path, pack: object) -> None:
    rows = [{"prompt": f"p{n}", "response": os.urandom(3000).hex()} for n in range(200)]
    whole = pack(jsonl(rows))  # type: ignore[operator]
    path = tmp_path / "cut.jsonl"
    path.write_bytes(whole[: len(whole) // 2])
    pieces: list[bytes] = []
    with pytest.raises(SourceError, match="cut off"):
        pieces.extend(Source(str(path)).chunks())
    data = b"".join(pieces)
    assert jsonl(rows).startswith(data)
    assert len(data) > 10_000


@pytest.mark.parametrize(("pack", "at"), [(gzip.compress, 15), (zstd, 8)], ids=["gz", "zst"])
def test_damaged_data_is_a_source_error(tmp_path: Path, pack: object, at: int) -> None:
    data = bytearray(pack(jsonl(ROWS * 50)))  # type: ignore[operator]
    data[at] ^= 0xFF
    path = tmp_path / "damaged"
    path.write_bytes(bytes(data))
    with pytest.raises(SourceError, match=r"cannot be read|cut off"):
        list(Source(str(path)).chunks())


def test_size_limit_is_named(tmp_path: Path) -> None:
    path = tmp_path / "big.jsonl"
    path.write_bytes(jsonl(ROWS * 100))
    with pytest.raises(SourceError, match=r"file_bytes \(1 KiB\)"):
        list(Source(str(path), Limits(file_bytes=1024)).chunks())


def test_expansion_limit_is_named_and_spares_small_files(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"\n" * 4_000_000))
    with pytest.raises(SourceError, match="more than 200 times"):
        list(Source(str(path), Limits(expansion_from=1_000_000)).chunks())
    assert sum(map(len, Source(str(path)).chunks())) == 4_000_000


def test_an_archive_in_an_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(gzip.compress(jsonl(ROWS))))
    _, records = read(path)
    assert "inside an archive" in broken(records)[0].reason


def test_progress_ends_at_the_size_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(os.urandom(2_000_000)))
    seen: list[tuple[str, int, int]] = []
    list(Source(str(path), progress=lambda *step: seen.append(step)).chunks())
    size = path.stat().st_size
    done = [step[1] for step in seen]
    assert done == sorted(done)
    assert len(seen) > 3
    assert size - 8 <= done[-1] <= size
    assert {(step[0], step[2]) for step in seen} == {(str(path), size)}


def test_cancelling_stops_between_pieces(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(jsonl(ROWS * 100_000))
    seen: list[int] = []
    source = Source(
        str(path),
        progress=lambda path, done, total: seen.append(done),
        cancelled=lambda: len(seen) >= 2,
    )
    with pytest.raises(LoadCancelled):
        list(source.chunks())
    assert len(seen) == 2


def test_missing_file_and_folder_as_file(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing", tmp_path):
        with pytest.raises(SourceError, match="cannot be opened"):
            list(Source(str(path)).chunks())


def test_without_zstd_the_message_names_the_package(tmp_path: Path) -> None:
    path = tmp_path / "x.zst"
    path.write_bytes(zstd(jsonl(ROWS)))
    code = """
        import sys
        sys.modules["backports"] = sys.modules["compression"] = None
        from ifbench_tui.formats import Source, SourceError
        try:
            list(Source(sys.argv[1]).chunks())
        except SourceError as error:
            print(error, error.advice)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "backports.zstd" in done.stdout


BOMB = """
    import resource, sys
    from ifbench_tui.workspace import LoadError, load
    try:
        load(sys.argv[1:])
    except LoadError as error:
        print(error)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def peak_mib(*paths: Path) -> tuple[str, int]:
    """What loading in a process of its own says, and the most memory it held."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(BOMB), *map(str, paths)],
        capture_output=True,
        text=True,
        check=True,
    )
    *said, peak = done.stdout.splitlines()
    return "\n".join(said), int(peak)


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in KiB on Linux only")
@pytest.mark.parametrize("start", [b"", b'{"prompt": "p", "response": "'], ids=["zeros", "in json"])
def test_gzip_bomb_stays_small(tmp_path: Path, start: bytes) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    mib = b"\x00" * (1 << 20)
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(start)
        for _ in range(2048 if start else 64):
            file.write(mib)
    said, peak = peak_mib(path)
    assert "limit" in said or "binary" in said
    assert peak < 1024


def test_zip_with_many_entries_is_refused_by_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "many.eval"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(120):
            archive.writestr(str(number), "")
    _, records = read(path, LoadOptions(limits=Limits(entries=100)))
    assert "limit entries (100)" in broken(records)[0].reason
    # The number in the end record may lie; the directory's size cannot.
    data = path.read_bytes()
    at = data.rfind(b"PK\x05\x06")
    path.write_bytes(data[: at + 8] + struct.pack("<HH", 1, 1) + data[at + 12 :])
    _, records = read(path, LoadOptions(limits=Limits(entries=100)))
    assert "limit entries (100)" in broken(records)[0].reason


TRANSCRIPT = b"".join(b"[user] line %d\n" % number for number in range(20_000))


@pytest.mark.parametrize("data", [TRANSCRIPT, b"plain\n" * 50_000, jsonl(ROWS) * 9000, b""])
def test_a_format_that_is_no_table_gets_all_bytes_also_of_a_pipe(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    path.write_bytes(data)
    for name in (str(path), "-"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        table = open_table(Source(name), LoadOptions())
        recognise(table)
        assert b"".join(table.chunks()) == data


def test_a_pipe_that_is_cut_off_is_told_after_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    data = gzip.compress(os.urandom(600_000).hex().encode())[:-9]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    chunks = open_table(Source("-"), LoadOptions()).chunks()
    assert len(next(chunks)) > 0
    with pytest.raises(SourceError, match="cut off"):
        list(chunks)


def test_a_table_is_told_by_the_columns_of_any_format(tmp_path: Path) -> None:
    path = tmp_path / "log.dat"
    path.write_text("Model,length,difficulty,quality\nm,0.1,0.2,0.3\n".lower())
    assert read(path)[0] == "alpaca-weights"
    path.write_text("The length, as said,\nis not that of a table,\n")
    assert read(path)[0] == "unsupported"
