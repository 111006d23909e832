"""`check`: the line contract, bad lines, bounded lines, and the reference's verdicts."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.cli import main
from tests.cli.data import program, rows_of

KEYS = ["id", "strict", "loose", "variants", "error", "measured", "required", "distance"]
NO_COMMA = "punctuation:no_comma"


def check(tmp_path: Path, capsys: pytest.CaptureFixture[str], *lines: Any) -> tuple[int, list[Any]]:
    """The exit code and the answers to some lines, given as text or as objects."""
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    file = tmp_path / "lines.jsonl"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    code = main(["check", str(file)])
    return code, rows_of(capsys.readouterr().out)


def test_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, (answer,) = check(
        tmp_path,
        capsys,
        {"id": "x", "benchmark": "ifeval", "type": NO_COMMA, "params": {}, "response": "a, b\nc"},
    )
    assert code == 0
    assert list(answer) == KEYS
    assert answer == {
        "id": "x",
        "strict": False,
        "loose": True,
        "variants": [False, False, True, False, False, True, False, False],
        "error": None,
        "measured": "1 comma",
        "required": "no commas",
        "distance": -1,
    }


def test_other_names_null_padding_and_prefixes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    padded = {"num_words": 2, "relation": "at least", "keywords": None}
    words = "length_constraints:number_words"
    code, answers = check(
        tmp_path,
        capsys,
        {"instruction_id": words, "kwargs": padded, "response": "two words"},
        {"type": f"en:{words}", "params": padded, "kwargs": None, "response": "two words"},
        {"type": NO_COMMA, "kwargs": None, "response": None, "prompt": "p"},
        {"type": NO_COMMA, "response": "fine"},
    )
    assert code == 0
    assert [answer["strict"] for answer in answers] == [True, True, False, True]


@pytest.mark.parametrize("identity", [0, 1.5, "é\ud835", None, [1, {"a": []}], {"b": True}, False])
def test_ids_come_back_unchanged_in_order(
    identity: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = {"id": identity, "type": NO_COMMA, "response": "x"}
    _, answers = check(tmp_path, capsys, line, "", {**line, "id": "last"})
    assert [answer["id"] for answer in answers] == [identity, "last"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "not JSON"),
        ("42", "object"),
        ("[" * 5000 + "]" * 5000, "depth"),
        ('{"type":"a","response":"b"} {"type":"a","response":"b"}', "one a line"),
        ({"id": 5, "response": "x"}, "type"),
        ({"id": 5, "type": 7, "response": "x"}, "type must be text"),
        ({"id": 5, "type": NO_COMMA}, "response is missing"),
        ({"id": 5, "type": NO_COMMA, "response": 5}, "response must be text"),
        ({"id": 5, "type": NO_COMMA, "params": [], "response": "x"}, "params"),
        ({"id": 5, "type": NO_COMMA, "benchmark": "nope", "response": "x"}, "nope"),
    ],
)
def test_a_bad_line_is_told_and_the_rest_goes_on(
    line: Any, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, (bad, good) = check(tmp_path, capsys, line, {"type": NO_COMMA, "response": "x"})
    assert code == 2
    assert list(bad) == KEYS
    assert bad["error"]["kind"] == "bad_input"
    assert said in bad["error"]["message"]
    assert bad["id"] == (5 if isinstance(line, dict) else None)
    assert bad["variants"] == [None] * 8
    assert [bad[name] for name in KEYS if name not in ("id", "variants", "error")] == [None] * 5
    assert good["strict"] is True


def test_what_cannot_be_built_is_null_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, answers = check(
        tmp_path,
        capsys,
        {"type": "no:such", "response": "x"},
        {"type": "length_constraints:number_words", "response": "x"},
    )
    assert code == 0
    assert [a["error"]["kind"] for a in answers] == ["unknown_constraint", "missing_parameter"]
    for answer in answers:
        empty = [answer[name] for name in KEYS if name not in ("id", "variants", "error")]
        assert empty == [None] * 5
        assert answer["variants"] == [None] * 8


def test_a_check_that_raises_is_null_where_it_raised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = {"type": "keywords:existence", "params": {"keywords": ["["]}, "response": "a\nb"}
    code, (answer,) = check(tmp_path, capsys, line)
    assert code == 0
    assert answer["variants"] == [None, None, None, None, False, None, None, False]
    assert answer["strict"] is None
    assert answer["loose"] is None
    assert answer["error"]["raises"] == "re.error"


def test_a_pattern_that_runs_away_is_stopped_and_the_next_line_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = {"type": "keywords:existence", "params": {"keywords": ["(a+)+$"]}}
    code, (stopped, good) = check(
        tmp_path,
        capsys,
        {**hostile, "response": "a" * 60 + "!"},
        {**hostile, "response": "aaa"},
    )
    assert code == 0
    assert stopped["error"]["kind"] == "pattern_timeout"
    assert stopped["strict"] is None
    assert good["strict"] is True


def test_numbers_that_are_not_finite_never_leave(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, answers = check(
        tmp_path,
        capsys,
        '{"id": NaN, "type": "punctuation:no_comma", "response": "x"}',
        '{"id": [1e999, -Infinity], "type": "punctuation:no_comma", "response": "x"}',
    )
    assert code == 0
    assert [answer["id"] for answer in answers] == [None, [None, None]]


def test_a_line_beyond_the_limit_is_refused_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "long.jsonl"
    line = json.dumps({"type": NO_COMMA, "response": "x"})
    file.write_text(f"{json.dumps({'type': NO_COMMA, 'response': 'x' * 500})}\n{line}\n")
    assert main(["check", str(file), "--limit-line-bytes", "200"]) == 2
    bad, good = rows_of(capsys.readouterr().out)
    assert "line_bytes" in bad["error"]["message"]
    assert good["strict"] is True


def test_compressed_files_with_a_byte_order_mark(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "lines"
    line = json.dumps({"type": NO_COMMA, "response": "x"})
    file.write_bytes(gzip.compress(f"\ufeff{line}\r\n".encode()))
    assert main(["check", str(file)]) == 0
    assert [answer["strict"] for answer in rows_of(capsys.readouterr().out)] == [True]


def test_all_fuzz_cases_agree_with_the_reference_through_a_pipe(shared: Path) -> None:
    with (shared / "golden" / "ifeval" / "fuzz.jsonl").open(encoding="utf-8") as file:
        cases = [case for case in map(json.loads, file) if not case.get("random_default")]
    lines = (
        {"id": c["n"], "type": c["id"], "kwargs": c["kwargs"], "response": c["response"]}
        for c in cases
    )
    done = program("check", input="".join(json.dumps(line) + "\n" for line in lines))
    assert done.returncode == 0
    assert done.stderr == ""
    answers = rows_of(done.stdout)
    assert len(answers) == len(cases) > 2000
    for case, answer in zip(cases, answers, strict=True):
        wanted = [None] * 8 if case["build_error"] else [_cell(v) for v in case["variants"]]
        raised = case["build_error"] or any(isinstance(v, str) for v in case["variants"])
        assert answer["id"] == case["n"]
        assert answer["variants"] == wanted, case
        assert answer["strict"] == _cell(case["strict"]), case
        assert answer["loose"] == _cell(case["loose"]), case
        assert (answer["error"] is not None) == bool(raised), case


def _cell(verdict: bool | str | None) -> bool | None:
    """A golden verdict as the contract has it: what raised is null."""
    return None if isinstance(verdict, str) else verdict


@pytest.mark.parametrize("command", [["check"], ["parse", "--protocol", "mt-single"]])
def test_an_input_that_cannot_be_read_is_named(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(gzip.compress(b"{}" * 99)[:-9])
    for path in (tmp_path, cut):
        assert main([*command, str(path)]) == 2
        assert f"ifbench-tui: {path}: " in capsys.readouterr().err
