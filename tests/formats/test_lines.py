"""Rows of JSON Lines and JSON documents: a bad row never costs a good one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifbench_tui.formats import Limits
from ifbench_tui.formats.lines import Note, Row, document_rows, jsonl_rows, lines


def rows(data: bytes, limits: Limits | None = None) -> list[Row | Note]:
    return list(jsonl_rows([data], limits or Limits()))


def good(found: list[Row | Note]) -> list[tuple[int, dict[str, object]]]:
    return [(one.line, one.data) for one in found if isinstance(one, Row)]


def bad(found: list[Row | Note]) -> list[tuple[int, str]]:
    return [(one.line, one.reason) for one in found if isinstance(one, Note) and one.broken]


def told(found: list[Row | Note]) -> list[tuple[int, str]]:
    return [(one.line, one.reason) for one in found if isinstance(one, Note) and not one.broken]


@given(st.binary(), st.integers(1, 9), st.integers(1, 40))
def test_lines_are_the_same_however_the_bytes_come(data: bytes, size: int, limit: int) -> None:
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    wanted = data.split(b"\n")
    if wanted[-1] == b"":
        wanted.pop()
    found = list(lines(pieces, limit))
    assert [one.number for one in found] == list(range(1, len(wanted) + 1))
    assert [one.data for one in found] == [line if len(line) <= limit else None for line in wanted]
    assert all(one.ended for one in found[:-1])


def test_bom_crlf_and_blank_lines() -> None:
    found = rows(b'\xef\xbb\xbf{"a": 1}\r\n\r\n  \n{"a": 2}\r\n')
    assert good(found) == [(1, {"a": 1}), (4, {"a": 2})]
    assert len(found) == 2


def test_only_lf_ends_a_line() -> None:
    text = "a\u2028b\u2029c\u0085d"
    found = rows((json.dumps({"a": text}, ensure_ascii=False) + "\n").encode())
    assert good(found) == [(1, {"a": text})]


def test_invalid_utf8_is_loaded_and_told() -> None:
    found = rows(b'{"a": "caf\xe9"}\n{"a": "ok"}\n')
    assert good(found) == [(1, {"a": "caf\ufffd"}), (2, {"a": "ok"})]
    assert [line for line, _ in told(found)] == [1]
    assert "UTF-8" in told(found)[0][1]


def test_lone_surrogates_stay() -> None:
    assert good(rows(b'{"a": "x\\ud835y"}')) == [(1, {"a": "x\ud835y"})]
    assert good(rows(b'{"a": "\\ud83d\\ude00"}')) == [(1, {"a": "\U0001f600"})]


@pytest.mark.parametrize("depth", [101, 20_000, 200_000])
@pytest.mark.parametrize("brackets", [('{"k":', "}"), ("[", "]")])
def test_deep_nesting_is_one_bad_line(depth: int, brackets: tuple[str, str]) -> None:
    opening, closing = brackets
    deep = '{"k":' + opening * depth + "1" + closing * depth + "}"
    found = rows(f'{deep}\n{{"a": 1}}\n'.encode())
    assert good(found) == [(2, {"a": 1})]
    assert [line for line, _ in bad(found)] == [1]
    assert "limit depth (100)" in bad(found)[0][1]


def test_nesting_up_to_the_limit_is_fine() -> None:
    deep = '{"k":' * 100 + "1" + "}" * 100
    assert len(good(rows(deep.encode()))) == 1
    assert bad(rows(deep.encode(), Limits(depth=99)))


def test_long_lines_are_named_and_skipped() -> None:
    found = rows(b'{"a": "' + b"x" * 2000 + b'"}\n{"a": 1}\n', Limits(line_bytes=1024))
    assert bad(found) == [(1, "longer than the limit line_bytes (1 KiB)")]
    assert good(found) == [(2, {"a": 1})]


def test_glued_objects_are_all_read_or_none() -> None:
    found = rows(b'{"a": 1}{"a": 2} {"a": 3}\n')
    assert good(found) == [(1, {"a": 1}), (1, {"a": 2}), (1, {"a": 3})]
    assert told(found)
    assert good(rows(b'{"a": 1}{"a": \n{"a": 5}\n')) == [(2, {"a": 5})]


def test_cut_last_line_says_so() -> None:
    found = rows(b'{"a": 1}\n{"a": "tex')
    assert good(found) == [(1, {"a": 1})]
    assert bad(found)[0][0] == 2
    assert "the file ends inside this row" in bad(found)[0][1]


def test_nan_is_null_and_infinity_stays() -> None:
    found = rows(b'{"a": NaN, "b": -Infinity}\n')
    assert good(found) == [(1, {"a": None, "b": float("-inf")})]
    assert len(told(found)) == 2


def test_repeated_keys_at_any_depth_are_told() -> None:
    found = rows(b'{"a": 1, "a": 2}\n{"b": [{"c": 1, "c": 2}]}\n{"a": 1}\n')
    assert good(found)[0] == (1, {"a": 2})
    assert [line for line, _ in told(found)] == [1, 2]
    assert "'c'" in told(found)[1][1]


@pytest.mark.parametrize(
    "line", [b"[1]", b'"text"', b"17", b"null", b"true", b"not json", b"{'a': 1}", b"\x00{}"]
)
def test_what_is_no_object_is_a_bad_row(line: bytes) -> None:
    found = rows(line + b'\n{"a": 1}\n')
    assert [number for number, _ in bad(found)] == [1]
    assert good(found) == [(2, {"a": 1})]


def test_huge_numbers_are_a_bad_row_not_a_crash() -> None:
    found = rows(b'{"a": ' + b"9" * 6000 + b'}\n{"a": 1}\n')
    assert [number for number, _ in bad(found)] == [1]
    assert len(good(found)) == 1


def document(text: str) -> Iterator[Row | Note]:
    return document_rows(text, Limits())


def test_a_list_gives_rows_with_their_lines() -> None:
    found = list(document('[\n {"a": 1},\n\n {"a":\n 2}, 7\n]\n'))
    assert good(found) == [(2, {"a": 1}), (4, {"a": 2})]
    assert [line for line, _ in bad(found)] == [5]


def test_objects_over_several_lines_follow_each_other() -> None:
    assert good(list(document('{\n "a": 1\n}\n{\n "a": 2\n}\n'))) == [(1, {"a": 1}), (4, {"a": 2})]


def test_a_cut_list_keeps_what_came_before() -> None:
    found = list(document('[{"a": 1},\n{"a": 2'))
    assert good(found) == [(1, {"a": 1})]
    assert [line for line, _ in bad(found)] == [2]
    found = list(document('[{"a": 1},\n'))
    assert "cut off" in bad(found)[0][1]


def test_text_after_a_list_is_told() -> None:
    found = list(document('[{"a": 1}]\n[{"a": 2}]'))
    assert good(found) == [(1, {"a": 1})]
    assert "follows" in bad(found)[0][1]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(st.text(), json_values, max_size=4), max_size=6), st.booleans())
def test_what_json_writes_is_read_back(written: list[dict[str, object]], escaped: bool) -> None:
    text = "\n".join(
        json.dumps(row, ensure_ascii=escaped)
        .encode("utf-8", "surrogatepass")
        .decode("utf-8", "replace")
        for row in written
    )
    assert [data for _, data in good(rows(text.encode()))] == [
        json.loads(line) for line in text.split("\n") if line
    ]
    if escaped:
        assert [data for _, data in good(list(document(json.dumps(written, indent=1))))] == written


def test_a_row_of_repeated_keys_is_read_at_once_and_names_the_first_few() -> None:
    names = [f"k{number}" for number in range(20_000)]
    row = "{" + ",".join(f'"{name}":1' for name in [*names, *names]) + "}"
    start = process_time()
    found = rows(row.encode())
    assert process_time() - start < 5, "the time grows with the square of the keys"
    ((_, reason),) = told(found)
    assert reason == ("the keys 'k0', 'k1', 'k2' and 19,997 more are repeated: the last one counts")
    assert len(good(found)[0][1]) == 20_000


def test_a_repeated_key_of_any_length_is_told_in_a_few_words() -> None:
    name = "k" * 100_000
    ((_, reason),) = told(rows(f'{{"{name}":1,"{name}":2}}'.encode()))
    assert len(reason) < 100
