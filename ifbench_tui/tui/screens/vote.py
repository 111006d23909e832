"""Vote: which of two responses is better, blind, one key a vote."""

from __future__ import annotations

from collections.abc import Callable

from textual import events

from ifbench_tui.config import Settings
from ifbench_tui.errors import IfbenchError
from ifbench_tui.store import Event
from ifbench_tui.store.errors import StoredError, after_storing
from ifbench_tui.tui.decisions import Decisions
from ifbench_tui.tui.ink import safe
from ifbench_tui.tui.screens.name_sheet import NameSheet
from ifbench_tui.tui.screens.note_sheet import NoteSheet
from ifbench_tui.tui.screens.reason_sheet import ReasonSheet
from ifbench_tui.tui.screens.vote_view import VoteView
from ifbench_tui.tui.settings import keep_setting
from ifbench_tui.tui.vote_words import Reveal, Voted
from ifbench_tui.voting.ballot import Ballot, Choice, Matchup
from ifbench_tui.voting.guard import Guard

__all__ = ["VoteScreen"]

_GUARDED = {"vote.left", "vote.right", "vote.tie", "vote.both_bad", "vote.skip", "vote.bring_back",
            "vote.unmask", "vote.reasons", "vote.note", "app.undo", "app.redo"}  # fmt: skip
"""Actions that a burst of keys must not set off."""
_REVISING = ("app.undo", "app.redo")


class VoteScreen(VoteView):
    """Votes are on disk before names or the next pair are shown."""

    def __init__(self) -> None:
        super().__init__()
        self.guard = Guard()
        self._asked = False

    def came(self) -> None:
        self.guard.shown()

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        self.guard.shown()
        self._ask_name()

    def prepared(self) -> None:
        self._ask_name()

    # ---- who is voting -----------------------------------------------------------------------

    def _ask_name(self) -> None:
        """Ask once for a name where the one in use is only that of the login."""
        decisions = self.bench.decisions
        known = (
            self._asked
            or self.ballot is None
            or self.ballot.read_only_reason
            or self.app.screen is not self
            or decisions.annotator != Settings().annotator
            or any(e.annotator == decisions.annotator for e in self._earlier())
        )
        if known:
            return
        self._asked = True

        def done(name: str | None) -> None:
            if name is None or name == decisions.annotator:
                return
            keep_setting(self.audit_app, "annotator", name)
            self.bench.decisions = Decisions(decisions.session, name)
            self.audit_app.bench_changed.publish(None)

        self.app.push_screen(NameSheet(decisions.annotator), done)

    def _earlier(self) -> list[Event]:
        state = self.bench.decisions.session.state()
        return [event for event in state.decisions.values() if event.kind != "setting"]

    # ---- keys --------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """See every key before its binding does: a burst votes at most once."""
        active = self.active_bindings.get(event.key)
        action = "" if active is None else active.binding.id or ""
        steady = self.guard.key(looked=action not in _REVISING)
        if self.reveal is not None and not action.startswith("app."):
            event.stop()
            if steady:
                self.action_next()
        elif action in _GUARDED and not steady:
            event.stop()
            if self.reveal is None:
                self.tell("too fast: keys that come in a burst do not count")
        elif action in _REVISING:
            # Where there is no vote to take back, the app would take back something else.
            event.stop()
            self._revise(action.removeprefix("app."))

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.guard.disturbed()
        self.tell("pasted text does not vote")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        ballot, matchup = self.ballot, self.matchup
        if action in ("undo", "redo"):
            return (ballot is not None and ballot.can(action)) or None
        asking = matchup is not None and self.reveal is None
        if action == "next":
            return self.reveal is not None
        if action in ("vote", "skip", "reasons", "note"):
            return asking
        if action == "turn":
            return asking and matchup is not None and len(matchup.turns) > 1
        if action == "unmask":
            return asking and (self.hidden_words() > 0 or None)
        if action == "bring_back":
            return ballot is not None and self.reveal is None and ballot.progress.skipped > 0
        if action in ("sync", "pan", "yank", "pane"):
            return asking
        return True

    # ---- decide ------------------------------------------------------------------------------

    def action_vote(self, choice: Choice) -> None:
        ballot = self.ballot
        shown = None if ballot is None else ballot.matchup
        if ballot is None or shown is None or self.reveal is not None:
            return
        if self.has_class("-tiny") or self.has_class("-flat"):
            return
        if self.turns_seen < len(shown.turns):
            self.tell("there is another turn to read: ]")
            return

        blind = not ballot.draft.unblinded

        def reveal() -> None:
            self.reveal = self._voted(ballot, shown, choice, blind)
            self._said = (), ()

        if self._store(lambda: ballot.cast(choice), "the vote", reveal):
            self.guard.shown()
            if self.maximized is not None:
                self.minimize()

    def _voted(self, ballot: Ballot, shown: Matchup, choice: Choice, blind: bool) -> Voted:
        """What may be told after a vote."""
        if not shown.last:
            return Voted(shown, choice)
        self.standings.follow(ballot.past.votes)
        by_model = self.standings.standings()
        progress = ballot.pair_progress(shown.question.spot)
        return Reveal(shown, choice, by_model[shown.left], by_model[shown.right], *progress, blind)

    def _store(
        self,
        change: Callable[[], object],
        what: str = "this",
        then: Callable[[], None] = lambda: None,
    ) -> bool:
        """Whether a change of the ballot is on disk, and `then` and the screen have followed it;
        what failed has been said."""
        app = self.audit_app
        try:
            change()
            with after_storing():
                app.bench.decisions.refresh()
                then()
                # Drawn now, so that what is said of the change is not wiped by drawing it later.
                self.decisions_changed()
        except IfbenchError as error:
            fate = "is not stored and does not count"
            if isinstance(error, StoredError):
                fate = "is stored and counts, but what follows from it failed"
            # The ballot may ask something else by now.
            self.show()
            path = getattr(error, "path", "")
            self.tell(f"{what} {fate}", "error", safe(str(error).removeprefix(f"{path}: ")))
            return False
        app.decisions_changed.publish(None)
        return True

    def action_next(self) -> None:
        self.reveal = None
        self.guard.shown()
        self.show()

    def action_skip(self) -> None:
        if self.ballot is not None and self._store(self.ballot.skip):
            self.tell("skipped; S asks skipped pairs again")

    def action_bring_back(self) -> None:
        ballot = self.ballot
        if ballot is not None and self._store(ballot.bring_back):
            self.tell("skipped pairs are asked again")

    def action_undo(self) -> None:
        self._revise("undo")

    def action_redo(self) -> None:
        self._revise("redo")

    def _revise(self, what: str) -> None:
        ballot = self.ballot
        if ballot is None or not ballot.can(what):
            self.tell(f"there is no vote to {what}")
            return

        def ask() -> None:
            self.reveal = None

        if self._store(ballot.undo if what == "undo" else ballot.redo, then=ask):
            self.guard.shown()
            words = {"undo": "the last vote is taken back", "redo": "the vote counts again"}
            self.tell(words[what])

    # ---- what goes with a vote ---------------------------------------------------------------

    def action_reasons(self) -> None:
        ballot = self.ballot
        if ballot is None:
            return

        def done(reasons: tuple[str, ...] | None) -> None:
            if reasons is not None and reasons != ballot.draft.reasons:
                self._store(lambda: ballot.give_reasons(reasons))

        self.app.push_screen(ReasonSheet(ballot.draft.reasons), done)

    def action_note(self) -> None:
        ballot = self.ballot
        if ballot is None or ballot.matchup is None:
            return
        before = ballot.draft.note

        def done(note: str | None) -> None:
            if note is not None and note != before:
                self._store(lambda: ballot.write_note(note))

        self.app.push_screen(NoteSheet("stored with the vote on this pair", before), done)

    def action_unmask(self) -> None:
        ballot = self.ballot
        if ballot is None or not self.hidden_words():
            return
        # The mark has to be on disk before the names are on the screen.
        if not self.unmasked and not ballot.draft.unblinded and not self._store(ballot.unblind):
            return
        self.unmasked = not self.unmasked
        self.show()

    # ---- look --------------------------------------------------------------------------------

    def action_turn(self, step: int) -> None:
        matchup = self.matchup
        if matchup is not None:
            self.turn = max(0, min(len(matchup.turns) - 1, self.turn + step))
            self.show()

    def action_sync(self) -> None:
        self.toggle_class("-together")
        left, right = self.sides
        if self.together:
            right.follow(*left.scroll_offset)
        self.tell("")

    def action_pane(self) -> None:
        self.focus_next()

    def action_pan(self, columns: int) -> None:
        for pane in self.sides:
            pane.scroll_relative(x=columns, animate=False)

    def action_yank(self) -> None:
        matchup = self.matchup
        if matchup is not None:
            prompt, left, right = (text.text for text in self.masked(matchup))
            text = f"PROMPT\n{prompt}\n\nA\n{left}\n\nB\n{right}\n"
            self.audit_app.yank(text, "the prompt and both responses")
