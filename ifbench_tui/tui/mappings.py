"""Columns that a person chose for tables of unknown shape, remembered in the session."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ifbench_tui.config import Config
from ifbench_tui.store import Event, setting_subject
from ifbench_tui.tui.decisions import Decisions
from ifbench_tui.workspace import Preview

__all__ = ["EVERY_OTHER", "FIELDS", "fitting_mapping", "is_complete", "remember"]

FIELDS = ("prompt", "response", "model", "key")
EVERY_OTHER = "*"
"""As response: every column that is nothing else holds the responses of a model of its name."""

_PREFIX = "mapping:"


def is_complete(mapping: Mapping[str, str]) -> bool:
    """Whether responses can be read and joined to prompts with these columns."""
    return bool(mapping.get("response") and (mapping.get("prompt") or mapping.get("key")))


def remember(path: str, mapping: Mapping[str, str], decisions: Decisions) -> Event:
    """Store a mapping under the file's name. Raises `SessionError`."""
    subject = setting_subject(_PREFIX + os.path.basename(path))
    return decisions.session.append("setting", subject, {"value": dict(mapping)}, "")


def fitting_mapping(found: Preview, decisions: Decisions, config: Config) -> dict[str, str] | None:
    """A remembered mapping whose columns this file has: its own name's first, then the newest,
    then those of the config file."""
    settings = decisions.session.state().live("setting").values()
    named = [
        (event.subject["name"] == _PREFIX + os.path.basename(found.path), event)
        for event in settings
        if event.subject["name"].startswith(_PREFIX)
    ]
    named.sort(key=lambda item: (item[0], item[1].order), reverse=True)
    known: list[Any] = [event.body["value"] for _, event in named]
    for mapping in (*known, *config.mappings.values()):
        if isinstance(mapping, Mapping) and _fits(mapping, found):
            return {name: str(column) for name, column in mapping.items()}
    return None


def _fits(mapping: Mapping[str, Any], found: Preview) -> bool:
    allowed = {*found.columns, EVERY_OTHER}
    return is_complete(mapping) and all(
        name in FIELDS and column in allowed for name, column in mapping.items()
    )
