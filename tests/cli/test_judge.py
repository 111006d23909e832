"""`judge`: from the benchmarks' files to judgment files that `score` reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.cli import main
from tests.judge.data import arena_files, mt_files, write_rows
from tests.judge.server import Answer, Request, Server, chat, raw

KEY = "sk-secret-0123456789"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("IFBENCH_CONFIG", str(tmp_path / "config.toml"))
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("IFBENCH_API_KEY", KEY)


def judge(
    capsys: pytest.CaptureFixture[str], folder: Path, server: Server, *arguments: str
) -> tuple[int, str, str]:
    options = ["--base-url", server.base_url, "--model", "j", "--attempts", "1"]
    options += ["--session", str(folder / "s.ifb")]
    code = main(["judge", *arguments, *options])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def scored(capsys: pytest.CaptureFixture[str], *paths: object) -> dict[str, Any]:
    assert main(["score", *map(str, paths), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def logprobs(request: Request) -> Answer:
    """Likes the output of tern wherever it stands."""
    first = request.prompt.index("tern Do") < request.prompt.index("base Do")
    pair = [("m", -0.2 if first else -1.7), ("M", -1.7 if first else -0.2)]
    place = {"top_logprobs": [{"token": token, "logprob": value} for token, value in pair]}
    return chat("m", "length", logprobs={"content": [place]})


def test_mt_single_is_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = mt_files(tmp_path / "data")
    out = tmp_path / "j_single.jsonl"
    arguments = [*paths, "--protocol", "mt-single", "-o", str(out), "--price", "1", "2"]
    with Server(lambda one: chat(f"[[{8 if 'tern' in one.prompt else 5}]]")) as server:
        code, data, talk = judge(capsys, tmp_path, server, *arguments)
        assert (code, data, len(server.requests)) == (0, "", 8)
        first = out.read_bytes()
        assert judge(capsys, tmp_path, server, *arguments, "--quiet") == (0, "", "")
        assert len(server.requests) == 8
    assert out.read_bytes() == first
    assert "8 calls made, 0 answered before; 56 tokens sent, 24 received" in talk
    assert "cost: 0.0001" in talk
    assert "without a reference" in talk
    found = scored(capsys, paths[0], out)
    averages = {name: model["average"] for name, model in found["models"].items()}
    assert averages == {"tern": 8.0, "wren": 5.0}


def test_mt_pair_is_scored_with_its_position_bias(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = mt_files(tmp_path / "data")
    out = tmp_path / "j_pair.jsonl"
    with Server(lambda _: chat("I like the first. [[A]]")) as server:
        code, _, _ = judge(
            capsys, tmp_path, server, *paths, "--protocol", "mt-pair", "-o", str(out),
            "--baseline", "wren",
        )  # fmt: skip
    assert code == 0
    found = scored(capsys, paths[0], out)
    assert found["models"]["tern"]["tie"] == 4
    assert found["bias"]["position"]["flip_rate"]["value"] == 1.0


def test_alpaca_is_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("base", "tern"):
        rows = [
            {"instruction": f"Do {n}", "output": f"{name} Do {n}" + "!" * n, "generator": name}
            for n in range(12)
        ]
        write_rows(tmp_path / "data" / f"{name}.jsonl", rows)
    out = tmp_path / "annotations.json"
    with Server(logprobs) as server:
        code, _, _ = judge(
            capsys, tmp_path, server, str(tmp_path / "data"), "--protocol", "alpaca-eval",
            "-o", str(out), "--baseline", "base",
        )  # fmt: skip
    assert code == 0
    assert len(json.loads(out.read_text())) == 12
    model = scored(capsys, out)["models"]["tern"]
    assert model["n"] == 12
    assert model["win_rate"] == pytest.approx(100 / (1 + 2.718281828459045**-1.5))


@pytest.mark.parametrize("protocol", ["arena-v2", "arena-v0.1"])
def test_arena_is_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str], protocol: str) -> None:
    def prefers_tern(one: Request) -> Answer:
        first = one.prompt.index("tern on") < one.prompt.index("base on")
        return chat("[[A>B]]" if first else "[[B>A]]")

    paths = arena_files(tmp_path / "data")
    out = tmp_path / "judged.jsonl"
    with Server(prefers_tern) as server:
        code, _, _ = judge(
            capsys, tmp_path, server, *paths, "--protocol", protocol, "-o", str(out),
            "--baseline", "base",
        )  # fmt: skip
        assert (code, len(server.requests)) == (0, 4)
    found = scored(capsys, out)
    assert found["benchmark"] == "arena_hard"
    assert found["models"]["tern"]["score"] > 90


def test_missing_verdicts_are_named_and_end_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = [raw(500, b"oops"), chat("cut", "length"), chat("no number"), chat("[[4]]")]
    paths = mt_files(tmp_path / "data", ["tern"])
    out = tmp_path / "judged.jsonl"
    arguments = [*paths, "--protocol", "mt-single", "-o", str(out), "--jobs", "1"]
    with Server(lambda one: answers[one.number - 1]) as server:
        code, _, talk = judge(capsys, tmp_path, server, *arguments)
    assert code == 1
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    outcomes = [row["outcome"] for row in rows]
    assert outcomes == ["http_500", "truncated", "no_verdict", "ok"]
    assert [row["score"] for row in rows] == [-1, -1, -1, 4]
    for outcome in outcomes[:3]:
        assert f"{outcome}: 1 (" in talk


def test_a_dry_run_sends_nothing_and_tells_what_it_would(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = mt_files(tmp_path / "data")
    with Server(lambda _: chat("[[1]]")) as server:
        code, data, talk = judge(
            capsys, tmp_path, server, *paths, "--protocol", "mt-single", "--dry-run",
            "--price", "1", "1",
        )  # fmt: skip
        assert server.requests == []
    assert code == 0
    calls = [json.loads(line) for line in data.splitlines()]
    assert len(calls) == 8
    assert calls[0]["url"] == server.base_url + "/chat/completions"
    assert "8 rows need 8 calls" in talk
    assert "cost: at most about" in talk
    assert KEY not in data + talk
    assert not (tmp_path / "s.ifb").exists()


def test_the_key_is_written_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = mt_files(tmp_path / "data")
    out = tmp_path / "judged.jsonl"
    arguments = [*paths, "--protocol", "mt-single", "-o", str(out)]
    with Server(lambda one: chat(f"{one.headers['authorization']} [[3]]")) as server:
        code, data, talk = judge(capsys, tmp_path, server, *arguments)
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert code == 0
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) >= 5
    assert not any(KEY.encode() in one for one in [*written, data.encode(), talk.encode()])


def test_a_refused_key_stops_the_run_soon_and_writes_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = mt_files(tmp_path / "data", questions=40)
    out = tmp_path / "judged.jsonl"
    said = json.dumps({"error": {"message": f"bad key {KEY}"}}).encode()
    with Server(lambda _: raw(401, said)) as server:
        code, _, talk = judge(
            capsys, tmp_path, server, *paths, "--protocol", "mt-single", "-o", str(out)
        )
        assert len(server.requests) <= 6
    assert code == 2
    assert "http_401: bad key [key]" in talk
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--protocol", "mt-single"], "--base-url"),
        (["--protocol", "mt-pair", "--base-url", "http://127.0.0.1:9/v1"], "two models"),
        (["--protocol", "alpaca-eval", "--base-url", "http://127.0.0.1:9/v1"], "baseline"),
        (["--protocol", "mt-single", "--base-url", "ftp://x"], "http(s)"),
        (["--protocol", "mt-single", "--base-url", "http://x/v1"], "in the clear"),
        (["--protocol", "mt-single", "--templates", "/nowhere"], "nowhere"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_sent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    paths = mt_files(tmp_path / "data", ["tern"])
    session = ["--session", str(tmp_path / "s.ifb")]
    assert main(["judge", *paths, "--model", "j", *session, *arguments]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "s.ifb").exists()


def test_flags_win_over_the_environment_and_that_over_the_config_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = mt_files(tmp_path / "data", ["tern"], questions=1)
    command = ["judge", *paths, "--protocol", "mt-single", "--session", str(tmp_path / "s.ifb")]
    key = tmp_path / "key"
    key.write_text("sk-of-the-key-file")
    key.chmod(0o600)
    with Server(lambda _: chat("[[5]]")) as flagged, Server(lambda _: chat("[[5]]")) as settled:
        (tmp_path / "config.toml").write_text(
            f'[settings]\nbase_url = "{settled.base_url}"\njudge_model = "from-config"\n'
            f"key_file = {json.dumps(str(key))}\nprice_in = 1\nprice_out = 2.5\n"
        )
        assert main(command) == 0
        assert "cost: 0.0000" in capsys.readouterr().err
        assert {one.body["model"] for one in settled.requests} == {"from-config"}
        assert {one.headers["authorization"] for one in settled.requests} == {f"Bearer {KEY}"}
        monkeypatch.delenv("IFBENCH_API_KEY")
        assert main([*command, "--model", "other"]) == 0
        assert settled.requests[-1].body["model"] == "other"
        assert settled.requests[-1].headers["authorization"] == "Bearer sk-of-the-key-file"
        monkeypatch.setenv("OPENAI_BASE_URL", flagged.base_url)
        assert main(command) == 0
        assert (len(settled.requests), len(flagged.requests)) == (4, 2)
        assert main([*command, "--base-url", settled.base_url, "--model", "third"]) == 0
        assert (len(settled.requests), len(flagged.requests)) == (6, 2)


def test_without_a_model_anywhere_it_says_where_to_name_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = mt_files(tmp_path / "data", ["tern"], questions=1)
    assert main(["judge", *paths, "--protocol", "mt-single"]) == 2
    assert "--model, or judge_model in the config" in capsys.readouterr().err


def test_the_benchmarks_own_templates_are_sent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = arena_files(tmp_path / "data")
    config = tmp_path / "arena.yaml"
    config.write_text('prompt_template: "MINE {QUESTION} {ANSWER_A} | {ANSWER_B}"\n')
    out = tmp_path / "judged.jsonl"
    with Server(lambda _: chat("[[A>B]]")) as server:
        code, _, _ = judge(
            capsys, tmp_path, server, *paths, "--protocol", "arena-v2", "-o", str(out),
            "--baseline", "base", "--templates", str(config),
        )  # fmt: skip
    assert code == 0
    prompts = sorted(one.prompt for one in server.requests)
    assert prompts[0] == "MINE Do q1 base on q1 | tern on q1"


def test_what_would_be_sent_needs_no_endpoint_and_goes_to_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "calls.jsonl"
    paths = mt_files(tmp_path / "data")
    code = main(["judge", *paths, "--protocol", "mt-single", "--model", "j", "--dry-run",
                 "-o", str(out), "--session", str(tmp_path / "s.ifb")])  # fmt: skip
    assert code == 0
    calls = [json.loads(line) for line in out.read_text().splitlines()]
    assert calls
    assert {call["url"] for call in calls} == {None}
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("text", "why"), [("", "is empty"), ('{"a":', ":1: not JSON"), (None, "")])
@pytest.mark.parametrize("protocol", ["mt-single", "mt-pair", "alpaca-eval", "arena-v2"])
def test_who_has_nothing_to_judge_is_told_what_was_loaded_and_what_not(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    text: str | None,
    why: str,
    protocol: str,
) -> None:
    path = tmp_path / "named"
    if text is None:
        path.mkdir()
    else:
        path.write_text(text)
    assert main(["judge", str(path), "--protocol", protocol, "--model", "j", "--dry-run"]) == 2
    said = capsys.readouterr().err
    assert f"0 questions, and answers of no model, in {path}" in said
    assert why in said


def test_references_that_are_none_end_the_command_before_calls_without_them_are_planned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = mt_files(tmp_path / "data", ["tern"])
    vain = tmp_path / "reference.jsonl"
    vain.write_text("")
    command = ["judge", *paths, "--protocol", "mt-single", "--model", "j", "--dry-run"]
    assert main(command) == 0
    capsys.readouterr()
    assert main([*command, "--reference", str(vain)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"no reference answer in {vain}" in shown.err
    assert "is empty" in shown.err


def test_a_named_file_that_gives_nothing_is_told_before_all_others_and_with_quiet_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = mt_files(tmp_path / "data", ["tern"])
    many, vain = tmp_path / "many.jsonl", tmp_path / "vain.jsonl"
    question = Path(paths[0]).read_text().splitlines()[0]
    many.write_text("{}\n" * 20 + question.replace('"question_id": 1', '"question_id": 99') + "\n")
    vain.write_text("{}\n{}\n")
    command = ["judge", str(many), *paths, str(vain), "--protocol", "mt-single", "--model", "j"]
    assert main([*command, "--dry-run"]) == 0
    told = [one for one in capsys.readouterr().err.splitlines() if one.startswith("not used: ")]
    assert told[0].startswith(f"not used: {vain}:1: ")
    assert main([*command, "--dry-run", "-q"]) == 0
    told = [one for one in capsys.readouterr().err.splitlines() if one.startswith("not used: ")]
    assert len(told) == 1
    assert str(vain) in told[0]
