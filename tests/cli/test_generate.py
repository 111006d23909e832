"""`generate`: responses in the shape of each benchmark, resumable, two turns of MT-Bench."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.cli import main
from ifbench_tui.formats.mt_bench_inputs import Conversation
from ifbench_tui.workspace import LoadOptions, load
from tests.cli.data import PROMPTS
from tests.judge.data import arena_files, mt_files, write_rows
from tests.judge.server import Answer, Request, Server, chat, raw


def echo(request: Request) -> Answer:
    return chat(f"answer to {request.prompt}")


def generate(folder: Path, server: Server, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    out = folder / "wren.jsonl"
    options = ["--base-url", server.base_url, "--model", "org/wren", "--as-model", "wren"]
    options += ["--session", str(folder / "s.ifb"), "--attempts", "1", "-o", str(out)]
    code = main(["generate", *arguments, *options])
    return code, [json.loads(line) for line in out.read_text().splitlines()]


def test_responses_to_ifeval_prompts_open_as_a_model(tmp_path: Path) -> None:
    prompts = str(write_rows(tmp_path / "prompts.jsonl", PROMPTS))
    with Server(echo) as server:
        code, rows = generate(tmp_path, server, prompts)
        assert (code, len(server.requests)) == (0, 3)
        assert server.requests[0].body["model"] == "org/wren"
        generate(tmp_path, server, prompts)
        assert len(server.requests) == 3
    assert [row["key"] for row in rows] == [7, 3, 12]
    suite = load([prompts, str(tmp_path / "wren.jsonl")]).suites["ifeval"]
    assert suite.models == ("wren",)
    assert suite.missing("wren") == ()
    response = suite.response("wren", "12")
    assert response is not None
    assert response.text == "answer to Reply in JSON."


def test_mt_bench_has_two_turns_and_a_temperature_by_category(tmp_path: Path) -> None:
    questions = Path(mt_files(tmp_path / "data", [], questions=2)[0])
    more = {"question_id": 3, "category": "stem", "turns": ["Q3?"], "required_temperature": 0.3}
    questions.write_text(questions.read_text() + json.dumps(more) + "\n")
    with Server(echo) as server:
        code, rows = generate(tmp_path, server, str(questions), "--jobs", "1")
    assert code == 0
    assert [one.body["temperature"] for one in server.requests] == [0.0, 0.0, 0.7, 0.7, 0.3]
    second = server.requests[1].body["messages"]
    assert [one["role"] for one in second] == ["user", "assistant", "user"]
    assert second[1]["content"] == "answer to Q1 first?"
    assert [one["max_tokens"] for one in (server.requests[0].body,)] == [1024]
    (file,) = load([str(tmp_path / "wren.jsonl")], LoadOptions(judged=True)).judged
    found = file.of(Conversation)
    assert [len(one.turns) for one in found] == [2, 2, 1]
    assert {one.model for one in found} == {"wren"}
    assert rows[0]["choices"][0]["turns"][1] == "answer to Q1 second?"


def test_what_was_generated_can_be_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = mt_files(tmp_path / "data", [])[0]
    out = tmp_path / "judged.jsonl"
    with Server(echo) as server:
        generate(tmp_path, server, questions)
    with Server(lambda _: chat("[[6]]")) as server:
        command = ["judge", questions, str(tmp_path / "wren.jsonl"), "--protocol", "mt-single"]
        command += ["--base-url", server.base_url, "--model", "j", "-o", str(out)]
        assert main([*command, "--session", str(tmp_path / "s.ifb")]) == 0
    capsys.readouterr()
    assert main(["score", questions, str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["models"]["wren"]["average"] == 6.0


def test_arena_and_alpaca_rows_have_their_own_shapes(tmp_path: Path) -> None:
    questions = arena_files(tmp_path / "data", [])[0]
    rows = [{"instruction": "Do it", "output": "old", "generator": "x", "dataset": "koala"}]
    alpaca = str(write_rows(tmp_path / "alpaca.jsonl", rows))
    with Server(echo) as server:
        code, made = generate(tmp_path, server, questions, alpaca)
    assert code == 0
    assert [row.get("uid") for row in made] == ["q1", "q2", None]
    assert made[0]["messages"][-1]["content"] == {"answer": "answer to Do q1"}
    assert made[2] == {
        "dataset": "koala",
        "instruction": "Do it",
        "output": "answer to Do it",
        "generator": "wren",
    }


def test_a_prompt_without_a_reply_is_left_out_and_asked_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prompts = str(write_rows(tmp_path / "prompts.jsonl", PROMPTS))
    broken = True

    def answer(request: Request) -> Answer:
        if broken and "JSON" in request.prompt:
            return raw(500)
        return chat("half", "length") if "river" in request.prompt else echo(request)

    with Server(answer) as server:
        code, rows = generate(tmp_path, server, prompts)
        assert (code, [row["key"] for row in rows]) == (1, [7, 3])
        assert [row.get("outcome") for row in rows] == ["truncated", None]
        assert "1 of 3 prompts have no response" in capsys.readouterr().err
        broken = False
        code, rows = generate(tmp_path, server, prompts)
        assert (code, [row["key"] for row in rows]) == (0, [7, 3, 12])
        assert len(server.requests) == 4


def test_files_without_prompts_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(write_rows(tmp_path / "a.jsonl", [{"hello": 1}]))
    command = ["generate", path, "--base-url", "http://127.0.0.1:9/v1", "--model", "m"]
    assert main([*command, "--session", str(tmp_path / "s.ifb")]) == 2
    assert "a.jsonl:1: the row has no prompt" in capsys.readouterr().err


@pytest.mark.parametrize("wrapped", [True, False])
def test_rows_whose_prompts_must_be_rendered_are_counted_and_never_sent_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wrapped: bool
) -> None:
    rows = [{"instruction": "{question}", "inputs": {"question": "?"}, "meta": {}}] * 3
    path = tmp_path / "rows.json"
    path.write_text(json.dumps({"data": rows} if wrapped else rows))
    assert main(["generate", str(path), "--model", "m", "--dry-run"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"no prompt in {path}" in shown.err
    assert "the row has no prompt, and 2 more" in shown.err
    assert "ifbench-tui prompts" in shown.err
