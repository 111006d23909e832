"""Files with one battle or human vote a row: arena releases, arena-rank tables, MT-Bench votes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from ifbench_tui.formats.battle_fields import number
from ifbench_tui.formats.battle_reader import BattleFormat, BattleRow
from ifbench_tui.formats.lines import BadRow
from ifbench_tui.formats.tables import Table

__all__ = ["ArenaBattles", "AutoArenaVotes", "MtBenchVotes", "OneHotBattles"]

_ONE_HOT = {"winner_model_a": "model_a", "winner_model_b": "model_b", "winner_tie": "tie"}


class ArenaBattles(BattleFormat):
    """FastChat's clean battles, the 33k, 100k, 140k and 5k releases, arena-rank tables, and the
    votes this program exports."""

    id = "battles"
    title = "battles"
    order = 30
    encoded = True

    def sniff(self, table: Table) -> str | None:
        named = table.options.mapping
        sides = [named.get(name, name) for name in ("model_a", "model_b")]
        outcome = named.get("score") or named.get("winner", "winner")
        columns = [*sides, outcome]
        return f"rows have {', '.join(columns)}" if table.rows and table.has(*columns) else None


class OneHotBattles(BattleFormat):
    """The 55k release: the winner is the one of three columns that holds 1."""

    id = "battles-one-hot"
    title = "battles, one column per outcome"
    order = 29
    encoded = True
    notice = "ties in which both were bad cannot be told from other ties in this file"

    def sniff(self, table: Table) -> str | None:
        if not (table.rows and table.has("model_a", "model_b", *_ONE_HOT)):
            return None
        return f"rows have model_a, model_b, {', '.join(_ONE_HOT)}"

    def unfold(self, data: Mapping[str, Any]) -> Iterable[BattleRow | BadRow]:
        held = {label: number(_unboxed(data.get(name))) for name, label in _ONE_HOT.items()}
        won = [label for label, value in held.items() if value == 1]
        if len(won) != 1 or any(value not in (0, 1) for value in held.values()):
            shown = ", ".join(f"{name} {data.get(name)!r:.20}" for name in _ONE_HOT)
            raise BadRow(f"not exactly one outcome is 1: {shown}")
        yield {**data, "winner": won[0]}


def _unboxed(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


_PEOPLE = ("expert_", "author_")


class MtBenchVotes(BattleFormat):
    """Votes of MT-Bench's experts, authors and GPT-4: every winner that says tie is a tie."""

    id = "mt-bench-votes"
    title = "MT-Bench votes"
    order = 28

    def is_model(self, judge: str) -> bool:
        return not judge.startswith(_PEOPLE)

    def sniff(self, table: Table) -> str | None:
        if not (table.rows and table.has("question_id", "model_a", "model_b", "winner", "judge")):
            return None
        if not all(named_as_in_mt_bench(row.data.get("judge")) for row in table.rows):
            return None
        return "votes of judges named as MT-Bench names them"

    def unfold(self, data: Mapping[str, Any]) -> Iterable[BattleRow | BadRow]:
        yield {**data, "winner": _tie_or(data.get("winner")), "judge": _judge(data.get("judge"))}


def named_as_in_mt_bench(judge: Any) -> bool:
    """Whether a row's judge is an expert, an author, or a model with its template."""
    if isinstance(judge, str):
        return judge.startswith(_PEOPLE)
    return isinstance(judge, list) and len(judge) == 2


def _tie_or(winner: Any) -> Any:
    return "tie" if isinstance(winner, str) and "tie" in winner else winner


def _judge(judge: Any) -> Any:
    from ifbench_tui.engine.ratings.pair_votes import judge_kind

    listed = isinstance(judge, list) and all(isinstance(one, str) for one in judge)
    return judge_kind(judge) if listed else judge


class AutoArenaVotes(BattleFormat):
    """AutoArena's download of head-to-heads: winners A, B and -."""

    id = "autoarena-votes"
    title = "AutoArena head-to-heads"
    order = 27
    models_decide = True
    labels: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"A": "model_a", "B": "model_b", "-": "tie"}
    )

    def sniff(self, table: Table) -> str | None:
        columns = ("prompt", "model_a", "model_b", "response_a", "response_b", "judge", "winner")
        if not (table.rows and table.has(*columns)):
            return None
        if not any(_winner(row.data) in self.labels for row in table.rows):
            return None
        return f"rows have {', '.join(columns)}, and winners are A, B or -"


def _winner(data: Mapping[str, Any]) -> Any:
    winner = data.get("winner")
    return winner if isinstance(winner, str) else None
