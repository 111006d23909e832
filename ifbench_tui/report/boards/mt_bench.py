"""MT-Bench's boards: ratings by turn and category, wins and ties, judges against humans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ifbench_tui.engine.judged.bias import Match, PositionDiagnostics, Slot, position_diagnostics
from ifbench_tui.engine.judged.mt_bench import (
    Agreement,
    Mean,
    PairRecord,
    SingleBoard,
    agreement,
    category_of,
    only_common_model,
    pair_board,
    pair_votes,
    single_board,
)
from ifbench_tui.engine.judged.rows import PairJudgment, SingleJudgment
from ifbench_tui.engine.judged.verdicts import mt_single
from ifbench_tui.engine.quantity import quantity
from ifbench_tui.engine.ratings.pair_votes import AgreementShare, PairVote
from ifbench_tui.formats.judged import Question
from ifbench_tui.report.boards.base import (
    MODEL,
    Board,
    BoardResult,
    bias_sheet,
    position_rows,
    values_of,
)
from ifbench_tui.report.boards.options import BoardOptions
from ifbench_tui.report.sheets import Cell, Column, Share, Sheet
from ifbench_tui.workspace import JudgedFile

__all__ = ["MtBench"]


class MtBench(Board):
    """Ratings of single answers and verdicts on pairs."""

    id = "mt_bench"
    title = "MT-Bench"

    def result(self, files: Sequence[JudgedFile], options: BoardOptions) -> BoardResult | None:
        singles = [row for row in values_of(files, SingleJudgment) if _wanted(row, options)]
        pairs = [row for row in values_of(files, PairJudgment) if _wanted(row, options)]
        votes = values_of(files, PairVote)
        if not (singles or pairs or votes):
            return None
        questions = [one for one in values_of(files, Question) if one.benchmark == self.id]
        categories = {one.key: one.category for one in questions}
        baseline = options.baseline or only_common_model(pairs)
        singles, pairs = _in_categories(singles, pairs, categories, options)
        ratings = [one for one in single_board(singles, categories) if options.wants(one.model)]
        records = [one for one in pair_board(pairs, baseline=baseline) if options.wants(one.model)]
        position = _position(pairs) if pairs else None
        agreements = agreement(_with_judgments(votes, pairs)) if votes else ()
        warnings = list(_warnings(singles, pairs, categories, baseline))
        judge = tuple(_judge_sheets(agreements, position))
        return BoardResult(
            self.id,
            self.title,
            _models(ratings, records),
            (*_sheets(ratings, records), *judge),
            ("turn_1", "turn_2", "average"),
            10.0,
            tuple(warnings),
            {
                **({"baseline": baseline} if pairs else {}),
                **({"bias": {"position": position.to_dict()}} if position else {}),
                **({"agreement": _agreement_dict(agreements)} if votes else {}),
            },
            judge_sheets=judge,
        )


def _wanted(row: SingleJudgment | PairJudgment, options: BoardOptions) -> bool:
    return not options.judges or row.judge[0] in options.judges


def _in_categories(
    singles: list[SingleJudgment],
    pairs: list[PairJudgment],
    categories: Mapping[str, str],
    options: BoardOptions,
) -> tuple[list[SingleJudgment], list[PairJudgment]]:
    if not options.categories:
        return singles, pairs

    def wanted(row: SingleJudgment | PairJudgment) -> bool:
        return category_of(row.question, categories) in options.categories

    return [row for row in singles if wanted(row)], [row for row in pairs if wanted(row)]


def _models(
    ratings: Iterable[SingleBoard], records: Iterable[PairRecord]
) -> dict[str, dict[str, Any]]:
    models: dict[str, dict[str, Any]] = {}
    for one in ratings:
        models[one.model] = {
            "turn_1": one.turn_1.value,
            "turn_2": one.turn_2.value,
            "average": one.average.value,
            "by_category": {name: mean.value for name, mean in one.by_category.items()},
            "n": one.average.n,
            "missing": one.missing,
            "intervals": {
                name: mean.to_dict()
                for name, mean in (
                    ("turn_1", one.turn_1),
                    ("turn_2", one.turn_2),
                    ("average", one.average),
                )
            },
        }
    for record in records:
        empty: dict[str, Any] = {
            "turn_1": None,
            "turn_2": None,
            "average": None,
            "by_category": {},
            "n": 0,
        }
        models.setdefault(record.model, empty).update(record.to_dict(), n_pairs=record.n)
    return models


def _position(pairs: Iterable[PairJudgment]) -> PositionDiagnostics:
    """Game 1 shows model 1 first, game 2 shows model 2 first."""
    return position_diagnostics(
        Match(_slot(row.winner_1, "model_1"), _slot(row.winner_2, "model_2")) for row in pairs
    )


def _slot(winner: str, first: str) -> Slot | None:
    if winner == "error":
        return None
    return "tie" if winner == "tie" else "first" if winner == first else "second"


def _with_judgments(votes: Sequence[PairVote], pairs: Sequence[PairJudgment]) -> list[PairVote]:
    """Votes, and judgments of the kinds of judges that have no votes of their own: the agreement
    needs exactly one vote of a judge on an item."""
    kinds = {vote.judge for vote in votes}
    return [*votes, *(vote for vote in pair_votes(pairs) if vote.judge not in kinds)]


def _agreement_dict(agreements: Iterable[Agreement]) -> list[dict[str, Any]]:
    return [
        {
            "judge": one.judge,
            "against": one.against,
            "turn": one.turn,
            "with_tie": one.with_tie.to_dict(),
            "without_tie": one.without_tie.to_dict(),
        }
        for one in agreements
    ]


def _warnings(
    singles: Sequence[SingleJudgment],
    pairs: Sequence[PairJudgment],
    categories: Mapping[str, str],
    baseline: str | None,
) -> Iterable[str]:
    if singles and not categories:
        yield "no question file: categories are told by the official ids 81 to 160"
    judges = sorted({row.judge[0] for row in singles} | {row.judge[0] for row in pairs})
    if len(judges) > 1:
        yield f"{len(judges)} judges are pooled: {', '.join(judges)} (choose with --judge)"
    if pairs and baseline:
        yield f"pairs against the baseline {baseline}, which has no line of its own"
    yield from _text_warnings(singles)
    repeated = len(singles) - len({_identity(row) for row in singles})
    if repeated:
        yield f"{repeated} judgments stand twice and count twice, as in the reference"


def _identity(row: SingleJudgment) -> tuple[object, ...]:
    return row.question, row.model, row.judge, row.turn


def _text_warnings(singles: Iterable[SingleJudgment]) -> Iterable[str]:
    """Ratings that the text contradicts, or that another in the same text does."""
    differ = several = 0
    for row in singles:
        if row.text is None:
            continue
        found = mt_single(row.text)
        stored = found.stored if found.usable else None
        differ += stored != (None if row.score == -1 else row.score)
        several += any("ratings in the text" in flag for flag in found.flags)
    if differ:
        yield f"{quantity(differ, 'score')} unlike what the reference's rule reads in the judgment"
    if several:
        yield f"{quantity(several, 'judgment')} with several different ratings: the first counts"


def _sheets(ratings: Sequence[SingleBoard], records: Sequence[PairRecord]) -> Iterable[Sheet]:
    if ratings:
        yield _rating_sheet(ratings)
        yield _category_sheet(ratings)
    if records:
        yield _pair_sheet(records)


def _judge_sheets(
    agreements: Sequence[Agreement], position: PositionDiagnostics | None
) -> Iterable[Sheet]:
    if agreements:
        yield _agreement_sheet(agreements)
    if position:
        yield bias_sheet(
            "The judge: position", position_rows("all pairs", position), by=Column("of", "of")
        )


def _bounds(mean: Mean) -> tuple[Cell, ...]:
    return mean.value, mean.lower, mean.upper, mean.n


def _rating_sheet(ratings: Sequence[SingleBoard]) -> Sheet:
    numbers = (
        ("turn_1", "turn 1"),
        ("turn_2", "turn 2"),
        ("average", "average"),
        ("average_lower", "from"),
        ("average_upper", "to"),
        ("n", "n"),
        ("missing", "missing"),
    )
    columns = (MODEL, *(Column(name, title, numeric=True, digits=2) for name, title in numbers))
    rows = tuple(
        (one.model, one.turn_1.value, one.turn_2.value, *_bounds(one.average), one.missing)
        for one in ratings
    )
    return Sheet("MT-Bench: mean rating of 10, with the average's 95 % interval", columns, rows)


def _category_sheet(ratings: Sequence[SingleBoard]) -> Sheet:
    names = dict.fromkeys(name for one in ratings for name in one.by_category)
    columns = (MODEL, *(Column(name, name, numeric=True, digits=2) for name in names))
    rows = tuple(
        (one.model, *(_value(one.by_category.get(name)) for name in names)) for one in ratings
    )
    return Sheet("MT-Bench by category: mean rating of both turns", columns, rows)


def _value(mean: Mean | None) -> float | None:
    return mean.value if mean else None


def _pair_sheet(records: Sequence[PairRecord]) -> Sheet:
    columns = (
        MODEL,
        *(Column(name, name, numeric=True) for name in ("win", "loss", "tie")),
        Column("win_rate", "win %", numeric=True),
        Column("loss_rate", "loss %", numeric=True),
        Column("win_rate_adjusted", "win % with half ties", numeric=True),
    )
    rows = tuple((one.model, one.win, one.loss, one.tie, *_rates(one)) for one in records)
    return Sheet("MT-Bench pairs", columns, rows)


def _rates(record: PairRecord) -> tuple[Cell, ...]:
    rates = (record.win_rate, record.loss_rate, record.win_rate_adjusted)
    return tuple(Share(rate) for rate in rates)


def _share(found: AgreementShare) -> tuple[Cell, ...]:
    return Share(found.ratio), found.total


def _agreement_sheet(agreements: Sequence[Agreement]) -> Sheet:
    columns = (
        Column("judge", "judge"),
        Column("against", "against"),
        Column("turn", "turn", numeric=True),
        Column("with_tie", "agree %", numeric=True),
        Column("n", "n", numeric=True),
        Column("without_tie", "without ties %", numeric=True),
        Column("n_without_tie", "n", numeric=True),
    )
    rows = tuple(
        (one.judge, one.against, one.turn, *_share(one.with_tie), *_share(one.without_tie))
        for one in agreements
        if one.with_tie.total
    )
    return Sheet("Agreement of judges and humans on pairs", columns, rows)
