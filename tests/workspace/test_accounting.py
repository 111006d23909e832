"""Every row is used, a duplicate, unmatched or broken, and said to be so."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ifbench_tui.workspace import (
    Limits,
    LoadError,
    LoadOptions,
    Workspace,
    load,
)
from tests.formats.helpers import jsonl, prompt, write_rows
from tests.workspace.helpers import answer


def test_many_problems_are_summed_up_but_counted(tmp_path: Path, prompts: str) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(b"broken\n" * 50 + jsonl([answer("Say bye.")]))
    loaded = load([prompts, str(path)], LoadOptions(limits=Limits(problems=10)))
    assert loaded.sources[1].broken == 50
    bad = [one for one in loaded.problems if one.kind == "broken"]
    assert (len(bad), sum(one.rows for one in bad)) == (11, 50)
    assert "40 more" in bad[-1].reason


def test_notices_that_all_differ_are_summed_up(tmp_path: Path, prompts: str) -> None:
    rows = [
        f'{{"prompt": "Say bye.", "response": "r", "z{n}": 1, "z{n}": 2, "model": "m{n}"}}\n'
        for n in range(300)
    ]
    path = tmp_path / "m.jsonl"
    path.write_text("".join(rows))
    loaded = load([prompts, str(path)], LoadOptions(limits=Limits(problems=10)))
    told = [one for one in loaded.problems if one.kind == "notice"]
    assert (len(told), sum(one.rows for one in told)) == (11, 300)
    assert told[-1].reason == "290 more rows with notices"
    assert loaded.sources[1].used == 300


LINES = st.sampled_from(
    [
        json.dumps(answer("Say bye.")),
        json.dumps(answer("Say hi. ", None)),
        json.dumps(answer("Say hi.")),
        json.dumps(answer("Say bye.", "x", model="n")),
        json.dumps(answer("Unknown.")),
        json.dumps({"key": 3, "response": "k"}),
        json.dumps({"prompt": "Say bye."}),
        json.dumps(answer("Say bye.", 7)),
        "broken",
        "[]",
        '{"prompt": "cut',
    ]
)
PROMPTS = st.lists(
    st.builds(prompt, st.integers(1, 4), st.sampled_from(["Say bye.", "Say hi. ", "x", "y"])),
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(PROMPTS, st.lists(st.lists(LINES, max_size=12), min_size=1, max_size=3), st.integers(0, 3))
def test_every_row_is_accounted_for(
    asked: list[dict[str, Any]],
    files: list[list[str]],
    limit: int,
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        rows = {write_rows(folder / "prompts.jsonl", asked): len(asked)}
        for number, lines in enumerate(files):
            path = folder / f"m{number}.jsonl"
            path.write_text("\n".join(lines))
            rows[str(path)] = len(lines)
        options = LoadOptions(limits=Limits(problems=limit))
        loaded: Workspace | LoadError
        try:
            loaded = load(list(rows), options)
        except LoadError as error:
            loaded = error
        for one in loaded.sources:
            count = rows[one.path] or 1  # an empty file that was named is one broken row
            assert one.used + one.duplicate + one.unmatched + one.broken == count
            for kind in ("duplicate", "unmatched", "broken"):
                told = [p for p in loaded.problems if (p.path, p.kind) == (one.path, kind)]
                assert sum(p.rows for p in told) == getattr(one, kind)
        if isinstance(loaded, Workspace):
            suite = loaded.suites["ifeval"]
            assert sum(one.prompts for one in loaded.sources) == len(suite.prompts)
            held = sum(len(suite.responses(model)) for model in suite.models)
            assert held == sum(one.responses for one in loaded.sources)
            assert held == sum(one.used for one in loaded.sources[1:])


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 2000)
    | st.floats()
    | st.sampled_from(["Say bye.", "user", "[{}]", "[[", "en:punctuation:no_comma", "none", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "prompt", "arg_0"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
FIELDS = [
    "key",
    "prompt",
    "response",
    "instruction_id_list",
    "kwargs",
    "follow_instruction_list",
    "doc_id",
    "doc",
    "resps",
    "filtered_resps",
    "filter",
    "arguments",
    "inst_level_strict_acc",
    "model",
    "system",
    "messages",
    "turns",
    "output",
    "text",
]
FAMILIES: tuple[list[str], ...] = (
    ["prompt", "instruction_id_list"],
    ["prompt", "response"],
    ["prompt", "response", "follow_instruction_list"],
    ["doc_id", "doc", "filtered_resps"],
    ["messages"],
    ["turns", "output"],
    [],
)


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from(FAMILIES))
def test_any_values_in_known_fields_are_read_or_told(
    data: st.DataObject, family: list[str]
) -> None:
    row = st.fixed_dictionaries(
        dict.fromkeys(family, VALUES),
        optional={name: VALUES for name in FIELDS if name not in family},
    )
    rows = data.draw(st.lists(row, min_size=1, max_size=4))
    with TemporaryDirectory() as name:
        folder = Path(name)
        asked = write_rows(folder / "prompts.jsonl", [prompt(1, "Say bye.")])
        loaded = load([asked, write_rows(folder / "m.jsonl", rows)])
        assert len(loaded.sources) == 2
        for one in loaded.sources:
            assert one.used + one.duplicate + one.unmatched + one.broken >= 1
        json.dumps([one.to_dict() for one in loaded.sources])
        json.dumps([one.to_dict() for one in loaded.problems])


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(
        [b"", b"{", b"[", b'{"prompt": ', b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"a,b\n"]
    ),
    st.binary(max_size=300),
)
def test_any_bytes_are_read_or_told(start: bytes, rest: bytes) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        asked = write_rows(folder / "prompts.jsonl", [prompt(1, "Say bye.")])
        for kind in ("jsonl", "csv", "json"):
            path = folder / f"x.{kind}"
            path.write_bytes(start + rest)
            loaded = load([asked, str(path)])
            assert len(loaded.sources) == 2
            assert loaded.sources[1].used + loaded.sources[1].broken + loaded.sources[1].unmatched
