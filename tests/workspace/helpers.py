"""Rows of responses, and what a workspace says of them."""

from __future__ import annotations

from typing import Any

from ifbench_tui.workspace import Workspace

__all__ = ["answer", "reasons", "texts"]


def answer(text: object, response: object = "r", **fields: Any) -> dict[str, Any]:
    """A response row."""
    return {"prompt": text, "response": response, **fields}


def texts(workspace: Workspace, model: str) -> dict[str, str]:
    """The graded texts of a model by key."""
    return {key: one.text for key, one in workspace.suites["ifeval"].responses(model).items()}


def reasons(workspace: Workspace, kind: str) -> list[tuple[int | None, str]]:
    """Line and reason of all problems of a kind."""
    return [(one.line, one.reason) for one in workspace.problems if one.kind == kind]
