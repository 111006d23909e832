"""Tables about a judge fit their list, and lose no number however narrow it is."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from ifbench_tui.report.glyphs import UNICODE
from ifbench_tui.report.sheets import Column, Share, Sheet
from ifbench_tui.tui.judge_bias import bias_lines

FAVOURS = Sheet(
    "Self-enhancement",
    (
        Column("judge", "judge"),
        Column("reference", "reference"),
        *(Column(name, name, numeric=True) for name in ("own n", "other n", "own gap")),
        *(Column(name, name, numeric=True) for name in ("other gap", "effect", "from", "to")),
        Column("note", "note"),
    ),
    (("a judge with a long name", "another of them", 68, 104, 0.676, -0.0192, 0.696, 0.374, 1.02,
      "not enough data"),),
)  # fmt: skip
BIAS = Sheet(
    "The judge: position",
    (
        Column("model", "model"),
        Column("measure", "measure"),
        Column("n", "n", numeric=True),
        Column("value", "% or slope", interval=True, numeric=True),
        Column("note", "note"),
    ),
    (
        ("a-model-of-a-very-long-name-12b", "preference for the position shown first", 1234,
         Share(0.39, 0.271, 0.509), "p = 0.0123 (exact, against 50 %)"),
        ("[b]\x1b[31m", "longer response wins", 0, Share(None), "not enough data"),
    ),
)  # fmt: skip


@pytest.mark.parametrize("width", [78, 98, 118])
def test_every_number_and_note_is_there_and_nothing_is_wider(width: int) -> None:
    lines = bias_lines([("Board", [BIAS, FAVOURS])], width, UNICODE)
    texts = ["".join(text for text, _ in line) for line in lines]
    whole = "\n".join(texts)
    assert max(cell_len(text.rstrip()) for text in texts) <= width
    for word in ("39.0 27.1–50.9", "1,234", "p = 0.0123 (exact, against 50 %)", "1.02", "0.374"):
        assert word in whole
    assert "preference for the position shown first" in whole
    assert whole.count("not enough data") == 2
    assert "\x1b" not in whole
    assert "[b]␛[31m"[:12] in whole
