"""`export`: files other programs read, safe whatever the responses hold (case BR-145)."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ifbench_tui.cli import main
from tests.cli.data import HOSTILE, PROMPTS, rows_of, write_rows, write_suite

RAW = {"\x1b", "\u202e", "\ud835"}


def export(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, *options: str) -> str:
    """The exported text, as the bytes of a file have it."""
    target = tmp_path / f"out.{form}"
    code = main(["export", *write_suite(tmp_path), "--as", form, "-o", str(target), *options])
    assert code == 0
    assert capsys.readouterr().out == ""
    return target.read_bytes().decode("utf-8")


def test_official_results_have_the_references_shape(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "results"
    paths = write_suite(tmp_path)
    assert main(["export", *paths, "--as", "ifeval-results", "-o", str(folder)]) == 0
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*.jsonl")) == [
        f"{model}/eval_results_{mode}.jsonl"
        for model in ("careful", "chatty", "hostile")
        for mode in ("loose", "strict")
    ]
    text = (folder / "hostile" / "eval_results_strict.jsonl").read_bytes().decode("ascii")
    rows = rows_of(text)
    assert text == "".join(json.dumps(row, sort_keys=True) + "\n" for row in rows)
    assert [row["prompt"] for row in rows] == [prompt["prompt"] for prompt in PROMPTS]
    assert rows[0] == {
        "follow_all_instructions": False,
        "follow_instruction_list": [False],
        "instruction_id_list": ["punctuation:no_comma"],
        "prompt": PROMPTS[0]["prompt"],
        "response": HOSTILE,
    }
    loose = rows_of((folder / "chatty" / "eval_results_loose.jsonl").read_text())
    assert [row["follow_all_instructions"] for row in loose] == [False, False, True]


def test_official_results_come_back_as_recorded_verdicts_that_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "results"
    prompts, *_ = paths = write_suite(tmp_path)
    assert main(["export", *paths, "--as", "ifeval-results", "-o", str(folder)]) == 0
    again = str(folder / "chatty" / "eval_results_loose.jsonl")
    assert main(["explain", prompts, again, "-q", "--model", "chatty", "--key", "12"]) == 0
    assert "recorded loose: ✓  the same" in capsys.readouterr().out


def test_model_names_cannot_leave_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["../../evil", "org/model", "ORG/model", ".."]
    rows = [{"prompt": PROMPTS[0]["prompt"], "response": "x", "model": name} for name in names]
    paths = (write_rows(tmp_path / "p.jsonl", PROMPTS), write_rows(tmp_path / "r.jsonl", rows))
    folder = tmp_path / "deep" / "results"
    arguments = [*map(str, paths), "--as", "ifeval-results", "-q", "-o", str(folder)]
    assert main(["export", *arguments]) == 0
    written = list(tmp_path.rglob("eval_results_strict.jsonl"))
    assert len(written) == len(names)
    assert {path.parent.parent for path in written} == {folder}


def test_json_keeps_the_bytes_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "results"
    paths = write_suite(tmp_path)
    assert main(["export", *paths, "--as", "ifeval-results", "-o", str(folder)]) == 0
    text = (folder / "hostile" / "eval_results_strict.jsonl").read_text("ascii")
    assert "\\u001b[31m|red" in text
    assert "\\ud835" in text


def test_jsonl_is_what_score_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = export(tmp_path, capsys, "jsonl")
    assert main(["score", *write_suite(tmp_path), "--jsonl"]) == 0
    assert capsys.readouterr().out == text


def test_csv_has_a_row_for_each_constraint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = list(csv.DictReader(io.StringIO(export(tmp_path, capsys, "csv"))))
    constraints = sum(len(prompt["instruction_id_list"]) for prompt in PROMPTS)
    assert len(rows) == 3 * constraints
    rescued = next(r for r in rows if r["model"] == "chatty" and r["key"] == "12")
    assert (rescued["strict"], rescued["loose"]) == ("false", "true")
    assert rescued["rescued_by"] == "first"
    assert [rescued[f"variant_{name}"] for name in ("identity", "first")] == ["false", "true"]


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@x", "\t=1", " =1", "\r=1"])
def test_no_csv_cell_starts_a_formula(
    start: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {"instruction_id_list": ["keywords:existence"], "kwargs": [{"keywords": [start]}]}
    prompt = {**PROMPTS[0], "key": start, **asked}
    rows = [{"prompt": prompt["prompt"], "response": "x", "model": start + "m"}]
    paths = (write_rows(tmp_path / "p.jsonl", [prompt]), write_rows(tmp_path / "r.jsonl", rows))
    assert main(["export", *map(str, paths), "--as", "csv", "-q"]) == 0
    header, written = csv.reader(io.StringIO(capsys.readouterr().out))
    assert len(header) == len(written)
    for cell in written:
        assert not cell.lstrip(" \t\r").startswith(("=", "+", "@"))
        assert not cell.lstrip().startswith("-") or cell.lstrip("-").isdigit()


class _Page(HTMLParser):
    """Collects the tags, attributes and text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.marked: list[str] = []
        self.text = ""
        self._mark = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names.update(name for name, _ in attrs)
        self._mark += tag == "mark"
        if tag == "mark":
            self.marked.append("")

    def handle_endtag(self, tag: str) -> None:
        self._mark -= tag == "mark"

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._mark:
            self.marked[-1] += data


def test_html_is_self_contained_escaped_and_shows_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = export(tmp_path, capsys, "html")
    page = _Page()
    page.feed(text)
    assert page.tags.isdisjoint({"script", "link", "img", "iframe", "b", "a", "object"})
    assert page.names.isdisjoint({"src", "href", "onclick", "onload"})
    assert "default-src 'none'" in text
    assert "=cmd␛[31m|red, ⟨U+202E⟩</script><b>⟨U+D835⟩" in page.text
    assert "," in page.marked, "the comma is painted"
    assert "rescued by first" in page.text


@pytest.mark.parametrize("form", ["csv", "md", "html"])
def test_no_raw_control_leaves_in_readable_forms(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = export(tmp_path, capsys, form)
    assert not RAW & set(text)
    assert "hostile" in text


def test_markdown_lists_failures_and_dropped_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = export(tmp_path, capsys, "md")
    assert "not followed strictly" in text
    assert "the response is null" in text
    for line in text.splitlines():
        if line.startswith("|"):
            assert line.endswith(" |")
