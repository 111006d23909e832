"""A judge's verdicts on pairs, each played twice with the sides swapped: MT-Bench, Arena-Hard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ifbench_tui.formats.battle_reader import BattleFormat, BattleRow
from ifbench_tui.formats.lines import BadRow
from ifbench_tui.formats.tables import Table

__all__ = ["ArenaHardJudgments", "MtBenchPairs"]

_OLD_BASELINE = "gpt-4-0314"
_STRONG = 3.0
"""Weight of a verdict with two signs, such as A>>B."""

_MARGINS = {"A>>B": 1, "A>B": 1, "A=B": 0, "B=A": 0, "B>A": -1, "B>>A": -1}
_MIRRORED = {"A<B": -1, "A<<B": -1, "B<A": 1, "B<<A": 1}
_WINNERS = {1: "model_a", 0: "tie", -1: "model_b"}


class MtBenchPairs(BattleFormat):
    """MT-Bench pair judgments: a pair whose two games disagree is a tie."""

    id = "mt-bench-pairs"
    title = "MT-Bench pair judgments"
    order = 26
    cluster = "question"
    models_decide = True
    notice = "each row's two games count as one battle: a tie where they disagree"

    def sniff(self, table: Table) -> str | None:
        columns = ("question_id", "model_1", "model_2", "g1_winner", "g2_winner")
        return f"rows have {', '.join(columns)}" if table.rows and table.has(*columns) else None

    def unfold(self, data: Mapping[str, Any]) -> Iterable[BattleRow | BadRow]:
        games = [data.get("g1_winner"), data.get("g2_winner")]
        for number, winner in enumerate(games, start=1):
            if winner not in ("model_1", "model_2", "tie"):
                raise BadRow(f"game {number} has no winner: {winner!r:.40}")
        first, second = games
        label = {"model_1": "model_a", "model_2": "model_b", "tie": "tie"}[str(first)]
        yield {
            **{name: data.get(name) for name in ("question_id", "turn", "tstamp")},
            "model_a": data.get("model_1"),
            "model_b": data.get("model_2"),
            "winner": label if first == second else "tie",
            "judge": data.get("judge"),
        }


class ArenaHardJudgments(BattleFormat):
    """Arena-Hard judgments, both generations: each game is a battle, a strong verdict weighs 3.

    In v2 (rows with a baseline) a question is dropped whole where a game has no verdict, in v0.1
    only that game.
    """

    id = "arena-hard-judgments"
    title = "Arena-Hard judgments"
    order = 25
    cluster = "question"
    models_decide = True
    notice = f"each game is a battle; a strong verdict (>>) weighs {_STRONG:g}"

    def sniff(self, table: Table) -> str | None:
        if not (table.rows and table.has("model", "judge", "games")):
            return None
        games = [row.data.get("games") for row in table.rows]
        if not all(isinstance(one, list) for one in games):
            return None
        return "rows have model, judge and games" + (
            ", and a baseline (v2)" if table.has("baseline") else f"; baseline {_OLD_BASELINE}"
        )

    def unfold(self, data: Mapping[str, Any]) -> Iterator[BattleRow | BadRow]:
        games = data.get("games")
        if not isinstance(games, list) or not games:
            raise BadRow("the field games is not a list of games")
        baseline, model = data.get("baseline"), data.get("model")
        whole = baseline is not None
        known = {**_MARGINS, **_MIRRORED} if whole else _MARGINS
        verdicts = [_verdict(game) for game in games]
        missing = [
            f"game {number} has no known verdict: {verdict!r:.40}"
            for number, verdict in enumerate(verdicts, start=1)
            if verdict not in known
        ]
        if missing and whole:
            raise BadRow(f"the question counts only whole: {'; '.join(missing)}")
        yield from map(BadRow, missing)
        sides = [baseline if whole else _OLD_BASELINE, model]
        names = ("question_id", "uid", "category", "judge", "tstamp")
        shared = {name: data[name] for name in names if name in data}
        for number, verdict in enumerate(verdicts):
            if verdict not in known:
                continue
            first, second = sides if number % 2 == 0 else reversed(sides)
            yield {
                **shared,
                "model_a": first,
                "model_b": second,
                "winner": _WINNERS[known[verdict]],
                "weight": _STRONG if ">>" in verdict or "<<" in verdict else 1.0,
            }


def _verdict(game: Any) -> str:
    score = game.get("score") if isinstance(game, dict) else None
    return score if isinstance(score, str) else "none"
