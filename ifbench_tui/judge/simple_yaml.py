"""Texts out of the few forms of YAML that judge configurations are written in.

A parser of all of YAML would be a dependency for the sake of two keys. What is read here is read
exactly; every other form is refused with its line, never guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

__all__ = ["YamlError", "top_texts"]

_KEY = re.compile(r"([\w.-]+)[ \t]*:(?:[ \t]+(.*)|$)")
_ITEM = re.compile(r"[ ]*-[ \t]+(.*)")
_BLOCK = re.compile(r"\|([+-]?)[ \t]*(?:#.*)?$")
_NOTHING = re.compile(r"(?:~|null|Null|NULL)?[ \t]*(?:#.*)?$")
_SINGLE = re.compile(r"'((?:[^']|'')*)'")


class YamlError(ValueError):
    """A value that is not in one of the forms that are read; the message has the line."""


def top_texts(text: str, names: Sequence[str]) -> dict[str, list[str]]:
    """The texts under some keys of the outermost mapping; keys without a text are left out.

    A value is a text in quotes on one line, a block after |, or a list of texts in quotes, in
    brackets on one line or one a line after a dash. Raises `YamlError`.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    found: dict[str, list[str]] = {}
    for number, line in enumerate(lines):
        match = _KEY.match(line)
        if match is None or match[1] not in names:
            continue
        if match[1] in found:
            raise YamlError(f"line {number + 1}: the key {match[1]} stands twice")
        try:
            found[match[1]] = _texts(match[2] or "", lines[number + 1 :])
        except YamlError as error:
            raise YamlError(
                f"line {number + 1}: {match[1]}: {error}; write it as one line in double quotes, "
                "or as a block after |"
            ) from None
    return {name: texts for name, texts in found.items() if texts}


def _texts(rest: str, following: Sequence[str]) -> list[str]:
    if block := _BLOCK.match(rest):
        return [_block(following, block[1])]
    if rest.startswith("["):
        return _bracketed(rest)
    if not _NOTHING.match(rest):
        text, after = _quoted(rest)
        _end(after)
        return [text]
    texts = []
    for line in following:
        if item := _ITEM.match(line):
            text, after = _quoted(item[1])
            _end(after)
            texts.append(text)
        elif line.strip() and not line.lstrip().startswith("#"):
            if line[0] in " \t":
                raise YamlError("is neither a text nor a list of texts")
            break
    return texts


def _quoted(rest: str) -> tuple[str, str]:
    """A text in quotes, and what follows it on the line."""
    if single := _SINGLE.match(rest):
        return single[1].replace("''", "'"), rest[single.end() :]
    if not rest.startswith('"'):
        raise YamlError("is in a form that is not read here")
    try:
        # JSON's escapes are YAML's too; those that JSON lacks are refused.
        text, end = json.JSONDecoder(strict=False).raw_decode(rest)
    except ValueError:
        raise YamlError("has quotes that do not end on its line, or an unusual escape") from None
    return str(text), rest[end:]


def _end(after: str) -> None:
    if after.strip() and not after.lstrip().startswith("#"):
        raise YamlError("goes on after its quotes")


def _bracketed(rest: str) -> list[str]:
    texts = []
    rest = rest[1:].lstrip()
    while not rest.startswith("]"):
        text, rest = _quoted(rest)
        texts.append(text)
        rest = rest.lstrip()
        if rest.startswith(","):
            rest = rest[1:].lstrip()
        elif not rest.startswith("]"):
            raise YamlError("has brackets that do not end on its line")
    _end(rest[1:])
    return texts


def _block(following: Sequence[str], chomping: str) -> str:
    """Deeper lines without their indentation; `chomping` as YAML has it: one newline at the end,
    with - none, with + all."""
    depth = next((len(one) - len(one.lstrip(" ")) for one in following if one.strip()), 0)
    taken = []
    for line in following if depth else ():
        if line.strip() and not line.startswith(" " * depth):
            break
        taken.append(line[depth:])
    text = "\n".join(taken)
    if chomping == "+":
        return text + "\n"
    return text.rstrip("\n") + ("" if chomping else "\n")
