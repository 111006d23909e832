"""A model's name from its file's path."""

from __future__ import annotations

import pytest

from ifbench_tui.formats.names import model_name


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("responses/gpt-4o-2024-08-06.jsonl", "gpt-4o-2024-08-06"),
        ("input_response_data_gpt4_20231107_145030.jsonl", "gpt4_20231107_145030"),
        ("data/en_input_response_data_org__model-7b.jsonl", "org/model-7b"),
        ("scores/en_input_claude_answers.jsonl", "claude"),
        ("responses_Qwen__Qwen2.5-7B.jsonl.gz", "Qwen/Qwen2.5-7B"),
        ("out/gpt4/eval_results_strict.jsonl", "gpt4"),
        ("out/eval_results_loose_gpt4.jsonl", "gpt4"),
        ("out/meta__llama/samples_ifeval_2024-07-01T10-00-00.000000.jsonl", "meta/llama"),
        ("out/run1/responses.jsonl.zst", "run1"),
        ("out/run1/model_outputs.json", "run1"),
        ("Qwen2.5-0.5B.csv", "Qwen2.5-0.5B"),
        ("-", "stdin"),
        ("/responses.jsonl", "responses"),
    ],
)
def test_name(path: str, name: str) -> None:
    assert model_name(path) == name
