"""What Vote shows: the prompt, two responses without names, and after the vote who they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from textual import on
from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.ink import Line, entitle, safe
from ifbench_tui.tui.screens.place import Place, title
from ifbench_tui.tui.vote_words import (
    Reveal,
    Voted,
    draft_lines,
    nothing_to_ask,
    progress_lines,
    side_title,
    voted_lines,
)
from ifbench_tui.tui.widgets.answer_pane import AnswerPane
from ifbench_tui.tui.widgets.bar import Bar
from ifbench_tui.tui.widgets.notice import Notice
from ifbench_tui.tui.widgets.reading_pane import EMPTY_RESPONSE, Mark
from ifbench_tui.voting.arena import Arena, arena_of
from ifbench_tui.voting.ballot import Ballot, Matchup
from ifbench_tui.voting.blind import Blindfold, Masked
from ifbench_tui.voting.pairs import unknown_in_list
from ifbench_tui.voting.standing import Standings
from ifbench_tui.workspace import Suite

__all__ = ["VoteView"]

_OWN_UNDO = [
    binding
    for binding in bindings("app")
    if isinstance(binding, Binding) and binding.id in ("app.undo", "app.redo")
]
"""Undo and redo as everywhere, but answered by this screen, where they are about votes."""


@dataclass
class Prepared(Message):
    """A sitting is ready."""

    generation: int
    ballot: Ballot
    blindfold: Blindfold
    standings: Standings


class VoteView(Place):
    """A prompt above two responses, side by side, or stacked where the screen is narrow."""

    PLACE = "Vote"
    SHOWS_VOTES = True
    BLIND = True
    BINDINGS = [*bindings("vote"), *_OWN_UNDO]  # noqa: RUF012
    AUTO_FOCUS = "#left"
    CSS_PATH = "../styles/vote.tcss"

    def __init__(self) -> None:
        super().__init__()
        self.ballot: Ballot | None = None
        self.blindfold = Blindfold(())
        self.standings = Standings(())
        self.reveal: Voted | None = None
        self.turn = 0
        self.turns_seen = 0
        self.unmasked = False
        self._arena: Arena | None = None
        self._generation = 0
        self._for: tuple[Suite | None, str] = (None, "")
        self._drawn = ""
        self._said: tuple[Line, Line] = (), ()

    def body(self) -> Iterator[Widget]:
        ascii_only = self.glyphs.ascii_only
        prompt, left, right = (
            AnswerPane(gutter=False, ascii_only=ascii_only, blank=blank, id=name, classes="pane")
            for name, blank in (("prompt", ""), ("left", EMPTY_RESPONSE), ("right", EMPTY_RESPONSE))
        )
        yield prompt
        yield Horizontal(left, Static(id="between"), right, id="sides")
        yield Bar(id="first")
        yield Bar(id="second")
        yield Notice(id="message")
        self.set_class(True, "-together")

    # ---- parts -------------------------------------------------------------------------------

    @property
    def sides(self) -> tuple[AnswerPane, AnswerPane]:
        """The two responses."""
        return self.query_one("#left", AnswerPane), self.query_one("#right", AnswerPane)

    @property
    def matchup(self) -> Matchup | None:
        """What is on screen: the question at hand, or the one just answered."""
        if self.reveal is not None:
            return self.reveal.matchup
        return None if self.ballot is None else self.ballot.matchup

    @property
    def together(self) -> bool:
        """Whether both sides scroll together."""
        return self.has_class("-together")

    # ---- what changed ------------------------------------------------------------------------

    def bench_changed(self) -> None:
        suite = self.bench.suite
        if self._for == (suite, self.bench.decisions.annotator) and suite is not None:
            return
        self._for = suite, self.bench.decisions.annotator
        self._generation += 1
        self.ballot, self.reveal, self._arena = None, None, None
        if suite is None:
            self.show()
            return
        generation, plan = self._generation, self.audit_app.plan
        session, annotator = self.bench.decisions.session, self.bench.decisions.annotator
        ascii_only = self.glyphs.ascii_only

        def prepare() -> None:
            arena = arena_of(suite, plan.models)
            ballot = Ballot(arena, session, annotator, plan)
            standings = Standings(arena.models)
            standings.follow(ballot.past.votes)
            blindfold = Blindfold(arena.hidden_names, ascii_only=ascii_only)
            self.post_message(Prepared(generation, ballot, blindfold, standings))

        self.in_thread("ballot", prepare)
        self.show()

    @on(Prepared)
    def _prepared(self, message: Prepared) -> None:
        if message.generation != self._generation:
            return
        self.ballot, self._arena = message.ballot, message.ballot.arena
        self.blindfold, self.standings = message.blindfold, message.standings
        unknown = unknown_in_list(self._arena, self.audit_app.plan)
        if unknown:
            self.audit_app.say(f"{unknown} rows of the list fit no responses here", "warning")
        self.show()
        self.prepared()

    def prepared(self) -> None:
        """A sitting is ready and shown."""

    def decisions_changed(self) -> None:
        if self.ballot is None:
            return
        self.ballot.refresh()
        self.standings.follow(self.ballot.past.votes)
        asked = self.ballot.matchup
        if self.reveal is not None and asked is not None:
            # What was told of a vote holds no more where that vote was taken back.
            self.reveal = None if asked.ticket == self.reveal.matchup.ticket else self.reveal
        self.show()

    # ---- drawing -----------------------------------------------------------------------------

    def head(self) -> list[Line]:
        parts: list[Line] = [[("blind", "accent")], [(safe(self.bench.decisions.annotator), "dim")]]
        if self.bench.decisions.read_only_reason:
            parts.append([("read only: votes cannot be stored", "error")])
        return parts

    def head_ends(self) -> list[Line]:
        return [] if self.ballot is None else progress_lines(self.ballot.progress, self.glyphs)

    def tell(self, text: str, ink: str = "accent", more: str = "") -> None:
        """Say something below the responses until the next pair; with `more` on a second line."""
        lines: list[Line] = [[(text, ink)], [(more, "")]] if more else [(), [(text, ink)]]
        self._said = lines[0], lines[1]
        self._show_bars()

    def show(self) -> None:
        """Draw what is at hand; a new pair starts at its top, first turn, masked."""
        matchup = self.matchup
        ticket = "" if matchup is None else matchup.ticket
        if ticket != self._drawn:
            self._drawn, self.turn, self.turns_seen = ticket, 0, 0
            self.unmasked, self._said = False, ((), ())
            self.came()
        self.set_class(matchup is None, "-empty")
        if matchup is None:
            loading = bool(self.bench.paths) and self.bench.workspace is None
            waiting = self.bench.suite is not None and self.ballot is None
            words = nothing_to_ask(
                self._arena, self.ballot, (loading and not self.bench.failure) or waiting
            )
            self.query_one("#message", Notice).update(words)
        else:
            self._show_texts(matchup)
            if self.focused is None:
                self.sides[0].focus()
        self._show_bars()
        self.refresh_head()
        self.refresh_bindings()

    def came(self) -> None:
        """Another pair is about to be shown."""

    def masked(self, matchup: Matchup) -> tuple[Masked, Masked, Masked]:
        """Prompt, left and right response of the turn, names hidden while that is wanted."""
        prompt, left, right = matchup.turns[self.turn]
        if self.unmasked or isinstance(self.reveal, Reveal):
            return Masked(prompt), Masked(left), Masked(right)
        fold = self.blindfold
        return fold.prompt(prompt), fold.response(left), fold.response(right)

    def hidden_words(self) -> int:
        """How many words are hidden on screen, or would be."""
        matchup = self.matchup
        if matchup is None or self.reveal is not None:
            return 0
        prompt, left, right = matchup.turns[self.turn]
        fold = self.blindfold
        texts = (fold.prompt(prompt), fold.response(left), fold.response(right))
        return sum(len(text.spans) for text in texts)

    def _show_texts(self, matchup: Matchup) -> None:
        turns = len(matchup.turns)
        self.turns_seen = max(self.turns_seen, self.turn + 1)
        prompt_words = f"prompt {safe(matchup.question.spot.key, 24)}"
        if turns > 1:
            prompt_words += f" {self.glyphs.dot} turn {self.turn + 1} of {turns}"
        panes = (self.query_one("#prompt", AnswerPane), *self.sides)
        for pane, masked in zip(panes, self.masked(matchup), strict=True):
            marks = [Mark(*span, "dim", stop=False) for span in masked.spans]
            pane.show(masked.text, marks)
            if pane.id == "prompt":
                entitle(pane, title(prompt_words))
            else:
                words = side_title(str(pane.id), len(masked.spans), self.reveal, self.glyphs)
                entitle(pane, title(words))

    def _show_bars(self) -> None:
        first, second = self.query_one("#first", Bar), self.query_one("#second", Bar)
        above, below = self._said
        if self.reveal is not None:
            one, other = voted_lines(self.reveal, self.glyphs, self.size.width - 2)
            progress = self.reveal.progress() if isinstance(self.reveal, Reveal) else []
            first.show(above or one, [("any key: next pair", "accent")], [("any key", "accent")])
            second.show(below or other, *progress)
            return
        draft: list[Line] = []
        if self.ballot is not None and self.ballot.matchup is not None:
            draft = draft_lines(self.ballot.draft, self.ballot.matchup, self.glyphs)
        hint: Line = [("Read both, then one key decides.", "dim")]
        lines = [*draft, *([] if draft else [hint]), ()]
        first.show(above or lines[0])
        second.show(below or lines[1], [] if self.together else [("the sides scroll apart", "dim")])

    def on_resize(self) -> None:
        self._show_bars()

    # ---- scrolling ---------------------------------------------------------------------------

    @on(AnswerPane.Scrolled)
    def _scrolled(self, message: AnswerPane.Scrolled) -> None:
        left, right = self.sides
        if self.together and message.pane in (left, right):
            other = right if message.pane is left else left
            other.follow(*message.pane.scroll_offset)

    @on(AnswerPane.WrapWanted)
    def _wrap_wanted(self, message: AnswerPane.WrapWanted) -> None:
        left, right = self.sides
        if message.pane in (left, right):
            folded = not message.pane.folded
            for pane in (left, right):
                pane.fold(folded)
            self.tell("lines are wrapped" if folded else "lines run on: h and l move sideways")
        else:
            message.pane.fold(not message.pane.folded)
