"""Public trouble with files, as the shared cases state it."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.formats.ifeval_results import result_lines
from ifbench_tui.formats.records import Record
from ifbench_tui.workspace import Workspace, load
from tests.conftest import SHARED
from tests.formats.helpers import broken, notices, prompt, read, responses_of, write_rows

CASES = SHARED / "cases" / "cases.jsonl"


def cases(kind: str, *fields: str) -> list[Any]:
    """Inputs that have one of the fields, and what is expected, under the id of their case."""
    if not CASES.is_file():
        return [pytest.param({}, {}, marks=pytest.mark.skip(reason="no ../shared"))]
    listed = [json.loads(line) for line in CASES.read_text("utf-8").split("\n") if line]
    return [
        pytest.param(one["input"], one["expect"], id=f"{case['id']}-{number}")
        for case in listed
        if case["type"] == kind
        for number, one in enumerate(case["cases"])
        if not fields or set(fields) & one["input"].keys()
    ]


def meets(records: list[Record], expect: dict[str, Any]) -> bool:
    """Whether records are as one expectation has them."""
    responses = responses_of(records)
    bad = broken(records)
    return all(
        (
            expect.get("records") in (None, len(responses)),
            expect.get("errors") in (None, len(bad)),
            expect.get("error_lines") in (None, [one.line for one in bad]),
            expect.get("responses") in (None, responses),
            set(expect.get("flagged_lines", ())) <= {one.line for one in notices(records)},
            "message" not in expect or bool(bad),
            expect.get("response_codepoints")
            in (None, [ord(sign) for text in responses for sign in text or ""]),
        )
    )


@pytest.mark.parametrize(("given", "expect"), cases("loader", "bytes_b64", "line_expr"))
def test_loader_case(given: dict[str, Any], expect: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / given["file"]
    if "bytes_b64" in given:
        path.write_bytes(base64.b64decode(given["bytes_b64"]))
    else:
        assert given["line_expr"] == '\'{"k":\'*20000+"1"+"}"*20000'
        path.write_text('{"k":' * 20000 + "1" + "}" * 20000 + "\n" + given["next_line"] + "\n")
    _, records = read(path)
    assert any(meets(records, one) for one in expect.get("either", [expect])), records
    if expect.get("export_valid_utf8"):
        (text,) = responses_of(records)
        (line,) = result_lines([("p", text, [], [])])
        assert json.loads(line.encode("utf-8").decode())["response"] == text


def joined(workspace: Workspace) -> tuple[dict[str, str], list[int]]:
    """The responses of the only model by key, and the keys without one."""
    suite = workspace.suites["ifeval"]
    (model,) = suite.models
    matched = {key: one.text for key, one in suite.responses(model).items()}
    return matched, [int(key) for key in suite.missing(model)]


JOIN = """
    import json, sys
    from tests.formats.test_shared_cases import joined
    from ifbench_tui.workspace import load
    print(json.dumps(joined(load(sys.argv[1:]))))
"""


@pytest.mark.parametrize(("given", "expect"), cases("join"))
def test_join_case(given: dict[str, Any], expect: dict[str, Any], tmp_path: Path) -> None:
    prompts, responses = tmp_path / "prompts.jsonl", tmp_path / "m.jsonl"
    if "prompts" in given:
        write_rows(prompts, [prompt(one["key"], one["prompt"]) for one in given["prompts"]])
        write_rows(responses, given["responses"])
    else:
        prompts.write_bytes(base64.b64decode(given["prompts_jsonl_b64"]))
        responses.write_bytes(base64.b64decode(given["responses_jsonl_b64"]))
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(JOIN), str(prompts), str(responses)],
        env={**os.environ, **given.get("environment", {})},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=True,
    )
    matched, missing = json.loads(done.stdout)
    assert (matched, missing) == (expect["matched"], expect["missing_keys"])


@pytest.mark.parametrize(("given", "expect"), cases("loader", "rows"))
def test_filters_case(given: dict[str, Any], expect: dict[str, Any], tmp_path: Path) -> None:
    count = expect["docs"]
    prompts = write_rows(tmp_path / "p.jsonl", [prompt(n, f"p{n}") for n in range(count)])
    log = write_rows(tmp_path / "m" / "samples_x.jsonl", given["rows"])
    loaded = load([prompts, log])
    suite = loaded.suites["ifeval"]
    assert len(suite.prompts) == expect["denominator"]
    assert [one.text for one in suite.responses("m").values()] == ["a", "b"]
    report = loaded.sources[1]
    assert (report.used, report.duplicate, report.responses) == (count, count, count)
    said = " ".join(one.reason for one in loaded.problems)
    assert all(name in said for name in expect["filters"])


LARGE = """
    import json, resource, sys
    from ifbench_tui.workspace import load
    from ifbench_tui.formats import LoadOptions
    from tests.formats.helpers import read, responses_of
    count = len(responses_of(read(sys.argv[1])[1]))
    print(json.dumps([count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in KiB on Linux only")
@pytest.mark.parametrize(("given", "expect"), cases("loader", "line_template"))
def test_large_case(given: dict[str, Any], expect: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / given["file"]
    rows = (given["line_template"] % number for number in range(given["lines"]))
    path.write_text("\n".join(rows))
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(LARGE), str(path)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=True,
    )
    count, peak = json.loads(done.stdout)
    assert count == expect["records"]
    assert peak < expect["max_rss_mib"]


@pytest.mark.parametrize(("given", "expect"), cases("security", "response", "export_json", "file"))
def test_security_case(given: dict[str, Any], expect: dict[str, Any], tmp_path: Path) -> None:
    if "response" in given:
        path = write_rows(tmp_path / "m", [{"prompt": "p", "response": given["response"]}])
        assert responses_of(read(path)[1]) == [given["response"]]
    elif "export_json" in given:
        (line,) = result_lines([("p", given["export_json"], [], [])])
        assert expect["json_text_contains"] in line
    elif given.get("file") == "results.pkl":
        path = tmp_path / given["file"]
        path.write_bytes(b"\x80\x04\x95\x05\x00\x00\x00\x00\x00\x00\x00}\x94.")
        assert expect["message"] in broken(read(path)[1])[0].reason
    else:
        assert given["file"] in ("bomb.jsonl.gz", "many.eval"), "a new case: give it a test"
        pytest.skip("made and read in test_source")
