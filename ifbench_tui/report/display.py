"""The one door between text from files and the screen.

Terminals act on control characters, and some characters cannot be seen at all. `display_text` makes
every one of them visible and keeps a map of offsets, so that evidence found in the original text
is painted in the right place. Checkers never see what comes out of here.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from rich.cells import cell_len, split_graphemes

__all__ = [
    "Display",
    "clip",
    "display_text",
    "one_line",
    "scratch_decode",
    "scratch_encode",
    "scratch_glyphs",
    "typed",
]

_UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e0fff"
)
"""Controls, line separators other than a newline, direction marks, blanks of no width, lone
surrogates, noncharacters, tags."""

_ODD = re.compile(f"\r\n|[\t{_UNSEEN}]")
_TAB = 4
_JOINED_SCRIPTS = range(0x0600, 0x1100)
"""Arabic to Georgian, all Indic scripts between: a non-joiner is ordinary spelling there."""


@dataclass(frozen=True, slots=True)
class Display:
    """Text that is safe to draw, and where each of its characters came from."""

    text: str
    _raw: tuple[tuple[int, int], ...] = ()
    _shown: tuple[tuple[int, int], ...] = ()

    def to_display(self, offset: int) -> int:
        """The place in `text` of an offset in the original; inside a replaced part, its start."""
        return _carry(self._raw, self._shown, offset)

    def to_raw(self, offset: int) -> int:
        """The offset in the original of a place in `text`; inside a replacement, its start."""
        return _carry(self._shown, self._raw, offset)


def _carry(
    source: tuple[tuple[int, int], ...], target: tuple[tuple[int, int], ...], offset: int
) -> int:
    index = bisect_right(source, offset, key=lambda piece: piece[0]) - 1
    if index < 0:
        return offset
    end = source[index][1]
    if offset < end:
        return target[index][0]
    return target[index][1] + offset - end


def _pictographic(char: str) -> bool:
    return char in "#*0123456789©®\ufe0f" or 0x2100 <= ord(char) <= 0x3299 or ord(char) >= 0x1F000


def _belongs(text: str, place: int) -> bool:
    """Whether an invisible joiner or selector does honest work where it stands."""
    char = text[place]
    before = text[place - 1] if place else " "
    if char in "\ufe0e\ufe0f":
        return before != "\ufe0f" and _pictographic(before)
    if char == "\u200d":
        after = text[place + 1 : place + 2]
        return bool(after) and _pictographic(before) and _pictographic(after)
    return char == "\u200c" and ord(before) in _JOINED_SCRIPTS


def _sign(char: str, ascii_only: bool) -> str:
    code = ord(char)
    if ascii_only:
        return f"^{chr(code ^ 64)}" if code < 32 or code == 127 else f"<U+{code:04X}>"
    if code < 32:
        return chr(0x2400 + code)
    return "\u2421" if code == 127 else f"⟨U+{code:04X}⟩"


def display_text(text: str, *, ascii_only: bool = False) -> Display:
    """Make every character of `text` visible or harmless.

    Controls become control pictures (␛), other unseen characters ⟨U+202E⟩, tabs spaces up to the
    next multiple of four cells, CR LF a newline. Letters, marks and emoji stay as they are.
    """
    parts: list[str] = []
    raw: list[tuple[int, int]] = []
    shown: list[tuple[int, int]] = []
    done = length = column = 0
    for match in _ODD.finditer(text):
        start, end = match.span()
        found = match.group()
        if found not in ("\t", "\r\n") and _belongs(text, start):
            continue
        plain = text[done:start]
        if found == "\t":
            line = plain.rfind("\n") + 1
            column = cell_len(plain[line:]) + (0 if line else column)
            sign = " " * (_TAB - column % _TAB)
            column += len(sign)
        else:
            sign = "\n" if found == "\r\n" else _sign(found, ascii_only)
            line = plain.rfind("\n") + 1
            column = cell_len(plain[line:]) + (0 if line else column) + len(sign)
            if found == "\r\n":
                column = 0
        parts += plain, sign
        length += len(plain)
        raw.append((start, end))
        shown.append((length, length + len(sign)))
        length += len(sign)
        done = end
    if not raw:
        return Display(text)
    parts.append(text[done:])
    return Display("".join(parts), tuple(raw), tuple(shown))


def one_line(text: str, *, ascii_only: bool = False) -> str:
    """`text` for a title, a cell or a message: visible, and on one line."""
    return display_text(text, ascii_only=ascii_only).text.replace("\n", " ")


def typed(text: str) -> str:
    """`text` for a line that is typed into: on one line, unseen characters left out."""

    def swap(match: re.Match[str]) -> str:
        if match.group() in ("\t", "\r\n"):
            return " "
        return match.group() if _belongs(text, match.start()) else ""

    return _ODD.sub(swap, text).replace("\n", " ")


def clip(text: str, width: int, ellipsis: str = "…") -> str:
    """The beginning of safe text that fits in `width` cells, never half a character."""
    if len(text) * 2 <= width or cell_len(text) <= width:
        return text
    room = width - cell_len(ellipsis)
    if room < 0:
        return " " * max(width, 0)
    end = used = 0
    # A cluster has no bound on its length, but what is seen of it has.
    for _, stop, cells in split_graphemes(text[: 8 * width + 64])[0]:
        if used + cells > room:
            break
        used += cells
        end = stop
    return text[:end] + ellipsis


_STAND_IN = 0x100000
_ASTRAL_TAGS = 0xE0000
_TAG_STAND_IN = 0x10E000


def scratch_encode(text: str) -> str:
    """Swap unseen characters for private ones, so that an editor keeps and can draw each.

    Private characters of plane 16 in `text` itself are taken for such stand-ins afterwards.
    """

    def swap(match: re.Match[str]) -> str:
        found = match.group()
        if found == "\t" or (found != "\r\n" and _belongs(text, match.start())):
            return found
        return "".join(char if char == "\n" else _stand_in(char) for char in found)

    return _ODD.sub(swap, text)


def _stand_in(char: str) -> str:
    code = ord(char)
    if code >= _ASTRAL_TAGS:
        return chr(code - _ASTRAL_TAGS + _TAG_STAND_IN)
    return chr(code + _STAND_IN)


_PRIVATE = re.compile("[\U00100000-\U0010ffff]")


def scratch_decode(text: str) -> str:
    """The text that `scratch_encode` was given, edits included."""

    def swap(match: re.Match[str]) -> str:
        code = ord(match.group())
        tag = code - _TAG_STAND_IN
        return chr(_ASTRAL_TAGS + tag if 0 <= tag < 0x1000 else code - _STAND_IN)

    return _PRIVATE.sub(swap, text)


def scratch_glyphs(text: str, *, ascii_only: bool = False) -> str:
    """An editor's line as it is drawn: one cell for each character that cannot be seen."""
    unknown = "?" if ascii_only else "¤"

    def draw(match: re.Match[str]) -> str:
        char = match.group()
        raw = scratch_decode(char)
        if _belongs(text, match.start()):
            return char
        sign = _sign(raw, False)
        return sign if len(sign) == 1 and not ascii_only else unknown

    return re.sub(f"[{_UNSEEN}\U00100000-\U0010ffff]", draw, text)
