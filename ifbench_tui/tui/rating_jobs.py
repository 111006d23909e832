"""Rates in a thread: choosing battles, the board, and what stands beside it.

A job carries a generation number; what an older one reports is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from textual.message import Message

from ifbench_tui.engine.ratings.methods import method_of
from ifbench_tui.engine.ratings.neighbours import Neighbours, neighbours
from ifbench_tui.errors import IfbenchError
from ifbench_tui.rating import Rated, rate_choice
from ifbench_tui.report.annotators import Annotators, annotator_sheets, annotators_of
from ifbench_tui.report.preference import Judged, preference_sheets, votes_and_verdicts
from ifbench_tui.report.ratings import RatingReport, matrices, matrix_sheet
from ifbench_tui.report.sheets import Sheet
from ifbench_tui.store import Event
from ifbench_tui.tui.rating_wish import Source, Wish
from ifbench_tui.voting.battles import votes_block
from ifbench_tui.workspace import BattleBlock, LoadOptions, Workspace, load
from ifbench_tui.workspace.battles import BattleChoice, BattleFilter, choose, passing

__all__ = [
    "Board",
    "BoardReady",
    "Desk",
    "Page",
    "PageReady",
    "Resampling",
    "page_of",
    "rate_in_steps",
]

MOST_MODELS = 3000


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A board and what follows from it; `wish` is what was asked."""

    wish: Wish
    report: RatingReport
    choice: BattleChoice
    pairs: tuple[Neighbours, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """What stands beside the board: tables of which one is shown, and words under them."""

    sheets: tuple[Sheet, ...]
    words: str = ""


@dataclass
class BoardReady(Message):
    """A board, or why there is none; `final` unless better intervals are on the way."""

    generation: int
    board: Board | None
    failure: str = ""
    final: bool = True


@dataclass
class PageReady(Message):
    """A page of the second pane."""

    generation: int
    name: str
    page: Page


@dataclass
class Resampling(Message):
    """How far the bootstrap, or the orders of Elo, are."""

    generation: int
    done: int
    total: int

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, Resampling)


Post = Callable[[Message], object]
Stopped = Callable[[], bool]


class Desk:
    """What is rated: the files' battles and the session's votes. Keeps the last choice of battles,
    for most changes do not touch it."""

    def __init__(
        self,
        workspace: Workspace | None,
        votes: Sequence[Event],
        session: str,
        paths: Sequence[str],
        options: LoadOptions | None,
    ) -> None:
        self.workspace = workspace or Workspace({}, (), ())
        self.votes = list(votes)
        self.session = session
        self._paths, self._options = list(paths), options or LoadOptions()
        self._styled: tuple[BattleBlock, ...] | None = None
        self._chosen: tuple[Source, BattleFilter, BattleChoice, Workspace] | None = None

    def with_votes(self, votes: Sequence[Event]) -> Desk:
        """The same files with the votes there are now."""
        desk = Desk(self.workspace, votes, self.session, self._paths, self._options)
        desk._styled = self._styled
        return desk

    def source(self, wish: Wish) -> Source:
        """What the wish comes to, with what there is."""
        if wish.source != "both":
            return wish.source
        files = any(map(len, self.workspace.battles))
        return "both" if files and self.votes else "votes" if self.votes else "files"

    def blocks(self, wish: Wish) -> tuple[BattleBlock, ...]:
        """The battles of the sources chosen. Raises `LoadError` where files are gone meanwhile."""
        style = wish.settled.options.style is not None
        files = () if wish.source == "votes" else self.workspace.battles
        if style and any(len(block) and not block.style for block in files):
            files = self._with_style()
        votes = () if wish.source == "files" or not self.votes else (self.vote_block(style),)
        return (*files, *votes)

    def vote_block(self, style: bool = False) -> BattleBlock:
        """The votes as battles."""
        return votes_block(self.votes, self.session, self.workspace.suites, style=style)

    def _with_style(self) -> tuple[BattleBlock, ...]:
        """Style is counted only when asked for: that reads the files once more."""
        if self._styled is None:
            self._styled = load(self._paths, replace(self._options, battle_style=True)).battles
        return self._styled

    def choice(self, wish: Wish, *, questions: bool = False) -> tuple[BattleChoice, Workspace]:
        """The battles to rate, and the workspace they are in."""
        settled = wish.settled
        judged = any(block.cluster == "question" for block in self.workspace.battles)
        needed = questions or judged or settled.options.cluster == "question"
        wanted = replace(settled.filters, with_questions=needed)
        held = self._chosen
        if (
            held is not None
            and held[0] == wish.source
            and held[1] in (wanted, replace(wanted, with_questions=True))
        ):
            return held[2:]
        blocks = self.blocks(wish)
        whole = replace(self.workspace, battles=blocks)
        made = choose(blocks, wanted), whole
        self._chosen = wish.source, wanted, *made
        return made


def rate_in_steps(desk: Desk, wish: Wish, generation: int, post: Post, stopped: Stopped) -> None:
    """Post a board soon, and where that takes longer, one with resampled intervals after it."""
    wish = wish.settled
    options = wish.options
    ordered = method_of(options.method).ordered
    slow = options.interval == "bootstrap" or (ordered and options.interval != "none")
    try:
        choice, whole = desk.choice(wish)
        if failure := _unfit(choice):
            post(BoardReady(generation, None, failure))
            return
        if slow:
            quick = replace(options, interval="none" if ordered else "sandwich")
            post(
                _ready(
                    generation, wish, desk, whole, choice, rate_choice(choice, quick), final=False
                )
            )

        def progress(done: int, total: int) -> bool:
            post(Resampling(generation, done, total))
            return not stopped()

        rated = rate_choice(choice, options, progress)
        post(_ready(generation, wish, desk, whole, choice, rated, final=True))
    except (IfbenchError, ValueError) as error:
        post(BoardReady(generation, None, str(error)))


def _ready(
    generation: int,
    wish: Wish,
    desk: Desk,
    whole: Workspace,
    choice: BattleChoice,
    rated: Rated,
    *,
    final: bool,
) -> BoardReady:
    left_out, source = choice.left_out, desk.source(wish)
    report = RatingReport(rated.board, whole, wish.filters, left_out, rated.notices, rated.spread)
    board = Board(replace(wish, source=source), report, choice, neighbours(rated.board))
    return BoardReady(generation, board, final=final)


def _unfit(choice: BattleChoice) -> str:
    """Why these battles make no board."""
    if not len(choice.battles):
        left_out = [f"{count:,} left out: {why}" for why, count in choice.left_out.items()]
        return "\n".join(["No battle is left to rate.", *left_out, "", "f changes what counts."])
    count = len(choice.battles.models)
    if count > MOST_MODELS:
        return f"{count:,} names of models, where {MOST_MODELS:,} are the most."
    return ""


# ---- pages ---------------------------------------------------------------------------------------


def page_of(name: str, desk: Desk, board: Board, judged: Judged) -> Page:
    """One page of the second pane. To be run in a thread."""
    if name == "wins":
        found = matrices(board.report.board, board.choice)
        sheets = [matrix_sheet(name, matrix) for name, matrix in found.items()]
        return Page(tuple(reversed(sheets)))
    if name == "style":
        return _style_page(board)
    if name == "annotators":
        people = annotators_of(desk.choice(board.wish, questions=True)[0])
        return Page(tuple(annotator_sheets(people)), _people_words(people))
    return _verdict_page(desk, board, judged)


def _style_page(board: Board) -> Page:
    sheets = tuple(board.report.style_sheets())
    style = board.report.board.style
    if style is None or not sheets:
        return Page((), "No style control. Press c: it takes out the pull of length and markdown.")
    words = "" if style.longer is None else (
        f"Being half as long again as the other is worth {style.longer:+.1f} Elo."
    )  # fmt: skip
    return Page(sheets, words)


def _people_words(people: Annotators) -> str:
    if not people.rows:
        return "No battle names who decided it."
    odd = [row.name for row in people.rows if row.suspicious]
    more = f"Unlike all others more than chance allows (odd above 1): {odd[0]}" if odd else ""
    more += f" and {len(odd) - 1} more. " if len(odd) > 1 else ". " if odd else ""
    more += f"{people.more:,} more annotators are not listed. " if people.more else ""
    pooled = people.pooled
    if pooled is None:
        return f"{more}No two votes are about the same pair of responses: no agreement to measure."
    alpha = "undefined" if pooled.alpha.alpha is None else f"{pooled.alpha.alpha:.2f}"
    return f"{more}Krippendorff's alpha {alpha} over {pooled.alpha.items:,} pairs of responses."


def _verdict_page(desk: Desk, board: Board, judged: Judged) -> Page:
    if not desk.votes or board.wish.source == "files":
        return Page((), "Votes of the session are set against verdicts here; none is counted now.")
    style = board.wish.options.style is not None
    kept = passing([desk.vote_block(style)], board.wish.filters)
    votes = list(compress(desk.votes, kept))
    found = votes_and_verdicts(votes, desk.workspace.suites, judged)
    aside = f"{found.elsewhere:,} of {found.votes:,} votes are on responses without verdicts here."
    return Page(tuple(preference_sheets(found)), aside if found.elsewhere else "")
