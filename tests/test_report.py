"""Reports as pure functions: evidence in pieces, cells in words, numbers that stay finite."""

from __future__ import annotations

import json
import math
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifbench_tui.engine.ratings import methods
from ifbench_tui.engine.ratings.board import BoardSettings, rate
from ifbench_tui.engine.ratings.bradley_terry import fit
from ifbench_tui.engine.ratings.method import Found, Method, RateTask
from ifbench_tui.engine.verdict import CheckError, Lattice, Span
from ifbench_tui.report.boards.suite import suite_board
from ifbench_tui.report.csv import to_csv
from ifbench_tui.report.evidence import evidence_lines, pieces, removed_lines
from ifbench_tui.report.glyphs import ASCII, UNICODE
from ifbench_tui.report.json import boards_dict, check_dict, constraint_dict, dumps
from ifbench_tui.report.markdown import to_markdown
from ifbench_tui.report.ratings import RatingReport
from ifbench_tui.report.results import compare, results_of
from ifbench_tui.report.sheets import Column, Share, Sheet, failures, plain, written
from ifbench_tui.report.visible import drawn_line, visible
from ifbench_tui.scoring import score
from ifbench_tui.workspace import Workspace, load
from ifbench_tui.workspace.battles import BattleFilter
from tests.cli.data import write_suite
from tests.engine.ratings.golden import simple

SPANS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)).map(sorted), max_size=6)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return load(write_suite(tmp_path_factory.mktemp("suite")))


@given(st.text(max_size=12), SPANS)
def test_pieces_join_to_the_text_and_carry_exactly_their_spans(
    text: str, ends: list[list[int]]
) -> None:
    spans = [Span(min(start, len(text)), min(end, len(text))) for start, end in ends]
    position = 0
    pointed: list[Span] = []
    for piece in pieces(text, spans):
        stop = position + len(piece.text)
        assert text[position:stop] == piece.text
        if piece.text:
            covering = [s for s in spans if s.start <= position and stop <= s.end]
            assert sorted(map(id, piece.spans)) == sorted(map(id, covering))
        else:
            pointed += piece.spans
        position = stop
    assert position == len(text)
    assert len(pointed) == sum(span.start == span.end for span in spans)


def test_evidence_is_placed_by_line_and_column() -> None:
    text = "one\ntwo, three\n"
    spans = [Span(7, 8, "offends", "comma"), Span(15, 15, "missing"), Span(0, 3)]
    assert list(evidence_lines(text, spans, 2)) == [
        "2:4 offends “,” comma",
        "3:1 missing",
        "… and 1 more",
    ]


def test_long_evidence_is_cut() -> None:
    (line,) = evidence_lines("x" * 500, [Span(0, 500)], 5)
    assert line.endswith("x…”")
    assert len(line) < 100


def test_what_a_variant_removed_is_counted() -> None:
    response = "Sure!\n*a* and *b*"
    kept = ((7, 8), (9, 14), (15, 16))
    assert list(removed_lines(response, kept)) == ["1:1 “Sure!⏎*”", "2:3 “*” (3 times)"]
    assert list(removed_lines(response, ((0, len(response)),))) == []
    assert list(removed_lines("gone", ())) == ["1:1 “gone”"]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (math.nan, "null"),
        ({"a": [math.inf, 1.5, {"b": -math.inf}]}, '{"a": [null, 1.5, {"b": null}]}'),
        ("\x1b[31mx\ud835é", '"\\u001b[31mx\\ud835\\u00e9"'),
        (True, "true"),
    ],
)
def test_json_is_ascii_and_finite(value: Any, written: str) -> None:
    assert dumps(value) == written


def test_a_constraint_that_raised_is_false_in_score_and_null_in_check() -> None:
    error = CheckError("bad_pattern", "why", "re.error")
    raised = Lattice("t", (None, True), "needed", "could not be measured", error=error)
    assert {constraint_dict(raised, "f")[name] for name in ("strict", "loose")} == {False}
    answer = check_dict(1, raised)
    assert (answer["strict"], answer["loose"], answer["measured"]) == (None, None, None)
    assert answer["required"] == "needed"
    unbuilt = check_dict(1, Lattice("t", (None, None), "cannot be checked", "", error=error))
    assert (unbuilt["measured"], unbuilt["required"], unbuilt["distance"]) == (None, None, None)


@pytest.mark.parametrize(
    ("cell", "words", "plain_words"),
    [
        (None, "–", "-"),
        (True, "✓", "+"),
        (False, "✗", "x"),
        (Share(None), "–", "-"),
        (Share(0.5), "50.0", "50.0"),
        (Share(0.768, 0.73, 0.802), "76.8 73.0–80.2", "76.8 73.0-80.2"),
        (Share(0.0, -0.01, 0.02), "0.0 -1.0..2.0", "0.0 -1.0..2.0"),
        (1234, "1,234", "1,234"),
        (0.00012, "0.00012", "0.00012"),
        (8.0, "8.00", "8.00"),
        (100.0, "100", "100"),
    ],
)
def test_cells_in_words(cell: Any, words: str, plain_words: str) -> None:
    assert plain(cell, UNICODE) == words
    assert plain(cell, ASCII) == plain_words


def test_cells_of_a_column_have_the_same_digits_and_one_notation_of_intervals() -> None:
    columns = (
        Column("mean", "mean", numeric=True, digits=2),
        Column("p", "p", numeric=True),
        Column("bounds", "bounds", interval=True, numeric=True),
        Column("share", "share", interval=True, numeric=True),
    )
    shares = (Share(0.714, 0.661, 0.768), Share(1.779, -0.724, 4.281), Share(0.5, 0.4, 0.6))
    table = (
        (10.0, 0.00012, shares[0], shares[0]),
        (8.125, 0.5, shares[1], None),
        (-0.001, None, None, shares[2]),
    )
    sheet = Sheet("numbers", columns, table)
    rows = written(sheet, UNICODE)
    assert [row[0] for row in rows] == ["10.00", "8.12", "0.00"]
    assert [row[1] for row in rows] == ["0.00012", "0.5", "–"]
    assert [row[2] for row in rows] == ["71.4 66.1..76.8", "177.9 -72.4..428.1", "–"]
    assert [row[3] for row in rows] == ["71.4 66.1–76.8", "–", "50.0 40.0–60.0"]
    assert "10.00" in "".join(to_markdown(sheet, ASCII))
    assert "\n8.125,0.5," in "".join(to_csv(sheet)).replace("\r", "")


def test_csv_writes_numbers_as_numbers_and_defuses_texts() -> None:
    columns = (Column("a", "A"), Column("b", "B", interval=True), Column("c", "C"))
    sheet = Sheet("t", columns, ((-3, Share(0.25, 0.1, None), '-3,"x'), ("=x", Share(None), None)))
    assert list(to_csv(sheet)) == [
        "a,b,b_lower,b_upper,c\n",
        '-3,0.25,0.1,,"\'-3,""x"\n',
        "'=x,,,,\n",
    ]


def test_markdown_cells_cannot_become_markup() -> None:
    sheet = Sheet("<b>", (Column("a", "|"),), (("a|b\n[x](y) `c` \\",),))
    title, _, *_ = text = list(to_markdown(sheet, UNICODE))
    assert title == "### \\<b\\>\n\n"
    assert text[-2] == "| a\\|b⏎\\[x\\](y) \\`c\\` \\\\ |\n"


def test_text_is_made_visible_only_where_it_must_be() -> None:
    assert visible("漢字 é ñ") == "漢字 é ñ"
    assert visible("a\nb") == "a\nb"
    assert drawn_line("a\r\nb\x9b") == "a⏎b⟨U+009B⟩"


@pytest.mark.parametrize("char", "ㅤᅟ\u034f\ufe01\U000e0100\u180b\u17b4\uffa0")
def test_what_cannot_be_seen_is_drawn_though_it_counts_as_printable(char: str) -> None:
    assert char.isprintable()
    sign = f"a⟨U+{ord(char):04X}⟩b"
    assert visible(f"a{char}b") == drawn_line(f"a{char}b") == sign
    sheet = Sheet("t", (Column("a", "a"),), ((f"a{char}b",),))
    assert sign in "".join(to_csv(sheet))
    assert sign in "".join(to_markdown(sheet, UNICODE))


def test_further_benchmarks_stand_beside_the_first(workspace: Workspace) -> None:
    suite = workspace.suites["ifeval"]
    results = results_of(suite, score(suite, ["careful"]))
    board = suite_board(results, None, None).to_dict()
    found = json.loads(dumps(boards_dict(workspace, [board, board])))
    assert [board["benchmark"] for board in found["also"]] == ["ifeval"]
    assert found["also"][0]["models"] == found["models"]


def test_comparison_counts_agree_with_its_keys(workspace: Workspace) -> None:
    suite = workspace.suites["ifeval"]
    comparison = compare(results_of(suite, score(suite)), "chatty", "careful")
    assert comparison.measures.keys() == {"strict", "loose"}
    for name, paired in comparison.measures.items():
        assert len(comparison.only_a[name]) == paired.only_a
        assert len(comparison.only_b[name]) == paired.only_b
        assert paired.n == 3


def test_failures_draw_the_lattice(workspace: Workspace) -> None:
    suite = workspace.suites["ifeval"]
    sheet = failures(results_of(suite, score(suite, ["chatty"])), ASCII)
    names = [column.name for column in sheet.columns]
    drawn = {row[names.index("type")]: row[names.index("variants")] for row in sheet.rows}
    assert drawn["detectable_format:json_format"] == "xx+xx+xx"
    assert drawn["keywords:existence"] == "!!xxxxxx"


class _WinRate(Method):
    id = "winrate"
    title = "Win rate"
    words = "win rate, whoever the opponents were"

    def rate(self, task: RateTask) -> Found:
        scores = task.counts.score_matrix()
        played = np.maximum((scores + scores.T).sum(axis=1), 1e-9)
        return Found(fit(task.counts), (), 100.0 * scores.sum(axis=1) / played)


@pytest.mark.parametrize(
    ("method", "title"),
    [
        ("bt", "Bradley-Terry: mean 1000, 95 % intervals: sandwich"),
        ("elo", "Elo: mean 1000, no intervals"),
        ("winrate", "Win rate: no intervals"),
    ],
)
def test_the_level_of_ratings_is_told_where_something_had_to_fix_it(
    workspace: Workspace, method: str, title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(methods, "METHOD_IDS", (*methods.METHOD_IDS, "winrate"))
    module = ModuleType("winrate")
    module.__dict__["METHOD"] = _WinRate()
    monkeypatch.setitem(sys.modules, f"{methods.__name__}.winrate", module)
    rows = (("a", "b", "model_a", 3), ("b", "c", "model_a", 2), ("c", "a", "model_a", 1))
    board = rate(simple(*rows), BoardSettings(method=method))
    report = RatingReport(board, workspace, BattleFilter(), {})
    assert report.sheets(UNICODE)[0].title == title
