"""MT-Bench's judgments and votes, in FastChat's format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ifbench_tui.engine.judged.rows import PairJudgment, SingleJudgment, Winner
from ifbench_tui.engine.ratings.pair_votes import PairVote, judge_kind
from ifbench_tui.formats.battle_tables import named_as_in_mt_bench
from ifbench_tui.formats.judged import JudgedFormat, integer, name_of, optional_text, real
from ifbench_tui.formats.lines import BadRow
from ifbench_tui.formats.tables import Table

__all__ = ["MtBenchBoardVotes", "MtBenchPairJudgments", "MtBenchSingle"]

_WINNERS: Mapping[str, Winner] = {
    "model_1": "model_1",
    "model_2": "model_2",
    "tie": "tie",
    "error": "error",
}
_VOTES = ("model_a", "model_b", "tie", "tie (inconsistent)")


class MtBenchSingle(JudgedFormat):
    """`<judge>_single.jsonl`: a rating of each turn."""

    id = "mt-bench-single"
    title = "MT-Bench single judgments"
    order = 20
    columns = ("question_id", "model", "judge", "score", "turn")

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        return SingleJudgment(
            _question(data),
            name_of(data, "model"),
            _judge(data),
            _turn(data),
            real(data.get("score"), "score"),
            optional_text(data.get("judgment")),
        )


class MtBenchPairJudgments(JudgedFormat):
    """`<judge>_pair.jsonl`: two games with swapped sides; old files have one winner."""

    id = "mt-bench-pair-boards"
    title = "MT-Bench pair judgments"
    order = 20
    columns = ("question_id", "model_1", "model_2", "judge")
    also_battles = True

    def fits(self, table: Table) -> bool:
        return table.has("g1_winner", "g2_winner") or table.has("winner")

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        single = data.get("winner")
        return PairJudgment(
            _question(data),
            name_of(data, "model_1"),
            name_of(data, "model_2"),
            _judge(data),
            _turn(data),
            _winner(data.get("g1_winner", single)),
            _winner(data.get("g2_winner", single)),
            optional_text(data.get("g1_judgment")),
            optional_text(data.get("g2_judgment")),
        )


class MtBenchBoardVotes(JudgedFormat):
    """Votes of people and judges on pairs."""

    id = "mt-bench-vote-boards"
    title = "MT-Bench votes"
    order = 20
    columns = ("question_id", "model_a", "model_b", "winner", "judge", "turn")
    also_battles = True

    def fits(self, table: Table) -> bool:
        return all(named_as_in_mt_bench(row.data.get("judge")) for row in table.rows)

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        winner = data.get("winner")
        if winner not in _VOTES:
            raise BadRow(f"the winner {winner!r:.40} is unknown")
        judge = data.get("judge")
        return PairVote(
            _question(data),
            name_of(data, "model_a"),
            name_of(data, "model_b"),
            winner,
            judge_kind(judge if isinstance(judge, str) else _judge(data)),
            _turn(data),
        )


def _question(data: Mapping[str, Any]) -> int | str:
    value = data.get("question_id")
    if isinstance(value, int | str) and not isinstance(value, bool) and value != "":
        return value
    raise BadRow("the row has no question_id")


def _judge(data: Mapping[str, Any]) -> tuple[str, str]:
    """Judge model and template; a plain name has no template."""
    value = data.get("judge")
    parts = [value] if isinstance(value, str) else value
    if not isinstance(parts, list) or not all(isinstance(one, str) for one in parts) or not parts:
        raise BadRow(f"the judge is not named: {value!r:.40}")
    name, template = (*parts, "")[:2]
    return name, template


def _turn(data: Mapping[str, Any]) -> int:
    """Turn 1 where the row does not say: pairs judged by single templates have none."""
    turn = integer(data.get("turn"), "turn")
    if turn not in (None, 1, 2):
        raise BadRow(f"the turn {turn} is neither 1 nor 2")
    return turn or 1


def _winner(value: Any) -> Winner:
    if not isinstance(value, str) or value not in _WINNERS:
        raise BadRow(f"the winner {value!r:.40} is unknown")
    return _WINNERS[value]
