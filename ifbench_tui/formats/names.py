"""A model's name from a file's path, for rows that name no model."""

from __future__ import annotations

import os
import re

from ifbench_tui.formats.source import STDIN

__all__ = ["model_name"]

SUFFIX = re.compile(r"(?:\.(?:jsonl|ndjson|json|csv|tsv|txt|gz|zst))+$", re.IGNORECASE)
AROUND = (
    re.compile(r"^(?:[a-z]{2}_)?input_response_data_(?P<model>.+)$"),
    re.compile(r"^[a-z]{2}_input_(?P<model>.+)_answers$"),
    re.compile(r"^eval_results_(?:strict|loose)_(?P<model>.+)$"),
    re.compile(r"^(?:responses?|outputs?|predictions?|generations?|answers?)_(?P<model>.+)$"),
)
NAMELESS = re.compile(
    r"^(?:(?:[a-z]{2}_)?input_response_data|eval_results(?:_strict|_loose)?|samples(?:_.*)?"
    r"|responses?|(?:model_)?outputs?|predictions?|generations?|answers?|results?|data)?$"
)


def model_name(path: str) -> str:
    """What the file name says beside its role; the folder's name where it says nothing.

    Evaluation harnesses write the slash of an organisation's model as two underscores.
    """
    if path == STDIN:
        return "stdin"
    whole = os.path.abspath(path)
    stem = SUFFIX.sub("", os.path.basename(whole))
    for pattern in AROUND:
        if found := pattern.match(stem):
            stem = found["model"]
            break
    if NAMELESS.match(stem):
        stem = os.path.basename(os.path.dirname(whole)) or stem
    return stem.strip("_").replace("__", "/") or "model"
