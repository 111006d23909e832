"""One row of a run to be read: what the model answered with the verdict in it, and what it was
asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from textual.widget import Widget

from ifbench_tui.judge.standing import RunRow
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.ink import Line, entitle, safe
from ifbench_tui.tui.judge_rows import verdict_of
from ifbench_tui.tui.runs import Mark
from ifbench_tui.tui.screens.place import Place, title
from ifbench_tui.tui.widgets.bar import Bar
from ifbench_tui.tui.widgets.reading_pane import ReadingPane

__all__ = ["ReplyScreen"]

_KINDS = {"generate": "turn", "mt-pair": "game", "arena-v2": "game", "arena-v0.1": "game"}


@dataclass(frozen=True, slots=True)
class _Text:
    """A text of an exchange."""

    name: str
    text: str
    marks: tuple[Mark, ...] = ()


class ReplyScreen(Place):
    """Replies one at a time; of each its text, its reasoning if that came apart, its prompt."""

    PLACE = "Reply"
    BINDINGS = bindings("reply")
    AUTO_FOCUS = "#text"
    CSS_PATH = "../styles/judge.tcss"

    def __init__(self, row: RunRow, protocol: str, *, strip: bool) -> None:
        super().__init__()
        self._name_shown = row.name
        self._exchanges = list(row.exchanges)
        self._protocol = protocol
        self._strip = strip
        self._at = 0
        self._which = 0

    def body(self) -> Iterator[Widget]:
        yield Bar(id="what")
        yield ReadingPane(ascii_only=self.glyphs.ascii_only, id="text", classes="pane")

    def on_mount(self) -> None:
        super().on_mount()
        # Only a pane that has its size can scroll to the verdict.
        self.call_after_refresh(self._show)

    def head(self) -> list[Line]:
        return [[(safe(self._name_shown, 60), "")]]

    def _texts(self) -> list[_Text]:
        call, reply = self._exchanges[self._at]
        verdict = verdict_of(self._protocol, reply.text, strip=self._strip)
        marks: tuple[Mark, ...] = ()
        if verdict is not None and verdict.span is not None:
            ink = "counts" if verdict.usable else "offends"
            marks = (Mark(*verdict.span, ink, "the verdict"),)
        texts = [_Text("reply", reply.text, marks)]
        if reply.thought:
            texts.append(_Text("reasoning", reply.thought))
        asked = "\n\n".join(f"[{role}]\n{text}" for role, text in call.messages)
        return [*texts, _Text("prompt", asked)]

    def _show(self) -> None:
        texts = self._texts()
        shown = texts[self._which % len(texts)]
        pane = self.query_one("#text", ReadingPane)
        pane.show(shown.text, shown.marks)
        kind = _KINDS.get(self._protocol, "reply")
        count = len(self._exchanges)
        place = f"{kind} {self._at + 1} of {count} {self.glyphs.dot} " if count > 1 else ""
        entitle(pane, title(f"{place}{shown.name}"))
        others = [one.name for one in texts if one is not shown]
        pane.border_subtitle = title(f"p: {', '.join(others)}")
        self.query_one("#what", Bar).show(*self._what())

    def _what(self) -> tuple[Line, Line]:
        _, reply = self._exchanges[self._at]
        glyphs = self.glyphs
        sign, ink = (glyphs.holds, "pass") if reply.ok else (glyphs.error, "error")
        line: list[tuple[str, str]] = [(f" {sign} {reply.outcome}", ink)]
        verdict = verdict_of(self._protocol, reply.text, strip=self._strip) if reply.ok else None
        if verdict is not None and verdict.usable:
            line += [("  verdict ", "dim"), (safe(str(verdict.stored), 12), "strong")]
        elif verdict is not None:
            line.append((f"  {glyphs.fails} no_verdict", "fail"))
        if verdict is not None:
            line += [(f"  {glyphs.dot} {safe(flag)}", "rescued") for flag in verdict.flags]
        if reply.detail:
            line.append((f"  {safe(reply.detail)}", "dim"))
        sent, received = reply.prompt_tokens, reply.completion_tokens
        known = sent is not None and received is not None
        return line, [(f"{sent:,} + {received:,} tokens " if known else "", "dim")]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "turn":
            return len(self._exchanges) > 1 or None
        return True

    def action_turn(self, step: int) -> None:
        self._at = (self._at + step) % len(self._exchanges)
        self._which = 0
        self._show()

    def action_other(self) -> None:
        self._which = (self._which + 1) % len(self._texts())
        self._show()

    def action_verdict(self) -> None:
        self.query_one("#text", ReadingPane).step(1)

    def action_yank(self) -> None:
        texts = self._texts()
        shown = texts[self._which % len(texts)]
        self.audit_app.yank(shown.text, f"the {shown.name}")
