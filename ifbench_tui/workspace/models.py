"""Models by name across files: parts of one are joined, namesakes kept apart."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ifbench_tui.formats.records import Recorded
from ifbench_tui.workspace.account import Account
from ifbench_tui.workspace.contents import Response

__all__ = ["Batch", "Models"]

Batch = dict[str, dict[str, Response]]
"""One model's responses of one file: benchmark id to prompt key to response."""


@dataclass(slots=True)
class _Model:
    path: str
    batch: Batch


class Models:
    """All models in load order."""

    def __init__(self) -> None:
        self._models: dict[str, _Model] = {}
        self._namesakes: dict[str, list[str]] = {}

    def of(self, benchmark: str) -> dict[str, Mapping[str, Response]]:
        """The responses to one benchmark by model."""
        return {
            name: model.batch[benchmark]
            for name, model in self._models.items()
            if benchmark in model.batch
        }

    def merge(self, account: Account, batches: Mapping[str, Batch]) -> None:
        """Take in one file's responses.

        A name that is there already is the same model where the two files respond to different
        prompts, or give the same responses and one has verdicts the other lacks (the official
        strict and loose files, a submission and its log). Otherwise each keeps its own responses.
        """
        for name, batch in batches.items():
            namesakes = self._namesakes.get(name, ())
            if not any(self._joins(own, account, batch) for own in namesakes):
                self._add(name, account, batch)

    def _joins(self, own: str, account: Account, batch: Batch) -> bool:
        there = self._models[own]
        if not _common(there.batch, batch):
            reason = f"continues {own} of {there.path}: responses to other prompts"
        elif _complements(there.batch, batch):
            reason = f"joined with {own} of {there.path}: equal responses, other recorded verdicts"
        else:
            return False
        _join(there.batch, batch)
        account.notice(None, reason)
        return True

    def _add(self, name: str, account: Account, batch: Batch) -> None:
        own = name
        if name in self._models:
            own = self._own_name(name, account.path)
            path = self._models[name].path
            reason = f"{path} also has responses of {name} to these prompts: these are named {own}"
            account.notice(None, reason)
        # A copy: what later files add to the model is not this file's, whose report counts it.
        own_copy = {benchmark: dict(responses) for benchmark, responses in batch.items()}
        self._models[own] = _Model(account.path, own_copy)
        self._namesakes.setdefault(name, []).append(own)

    def _own_name(self, name: str, path: str) -> str:
        """The name with the part of the path that tells it apart."""
        others = set(_parts(self._models[name].path))
        told = next((part for part in reversed(_parts(path)) if part not in others), "again")
        own, number = f"{name} ({told})", 2
        while own in self._models:
            own, number = f"{name} ({told}, {number})", number + 1
        return own


def _parts(path: str) -> list[str]:
    return os.path.abspath(path).split(os.sep)


def _common(one: Batch, other: Batch) -> bool:
    return any(one.get(benchmark, {}).keys() & other[benchmark].keys() for benchmark in other)


def _complements(one: Batch, other: Batch) -> bool:
    """Whether shared responses are equal, no verdict is recorded twice, and some is at all."""
    shared = [
        (mine, response)
        for benchmark, responses in other.items()
        for key, response in responses.items()
        if (mine := one.get(benchmark, {}).get(key))
    ]
    return all(
        mine.raw == response.raw and not _clash(mine.recorded, response.recorded)
        for mine, response in shared
    ) and any(mine.recorded or response.recorded for mine, response in shared)


def _clash(one: Recorded | None, other: Recorded | None) -> bool:
    first, second = one or Recorded(), other or Recorded()
    return bool((first.strict and second.strict) or (first.loose and second.loose))


def _add(one: Recorded | None, other: Recorded | None) -> Recorded | None:
    """Verdicts of both, which do not clash."""
    if one is None or other is None:
        return one or other
    return Recorded(one.strict or other.strict, one.loose or other.loose)


def _join(one: Batch, other: Batch) -> None:
    for benchmark, responses in other.items():
        mine = one.setdefault(benchmark, {})
        for key, response in responses.items():
            if key in mine:
                recorded = _add(mine[key].recorded, response.recorded)
                response = replace(mine[key], recorded=recorded)
            mine[key] = response
