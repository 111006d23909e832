"""A second, plain reading of the rules: slow, without spans, straight from their wording.

Only the tests and the benchmark use it, to compare with what the package does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

MARKS = " .,;:!?()[]{}<>*_`|/\\-…«»„“—–\"'"


def fold(text: str) -> str:
    return text.lower().replace("ё", "е")


def words(text: str) -> list[str]:
    return [token for token in text.split() if any(char.isalnum() for char in token)]


def core(token: str) -> str:
    token = fold(token)
    while token and token[0] in MARKS:
        token = token[1:]
    while token and token[-1] in MARKS:
        token = token[:-1]
    return token


def has_stem(text: str, stem: str) -> bool:
    return any(core(word).startswith(stem) for word in words(text))


def sentences(text: str) -> list[str]:
    pieces, start = [], 0
    for run in re.finditer(r"[.!?…]+(?=\s|$)", text):
        if run[0] == ".":
            letters = 0
            for char in reversed(text[: run.start()]):
                if not re.match(r"[^\W\d_]", char):
                    break
                letters += 1
            if letters < 2:
                continue
        pieces.append(text[start : run.end()])
        start = run.end()
    pieces.append(text[start:])
    return [piece.strip() for piece in pieces if piece.strip()]


def paragraphs(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def items(text: str, kind: str) -> list[str]:
    bullet, number = r"^\s*[-*•]\s+(\S.*)$", r"^\s*\d+[.)]\s+(\S.*)$"
    patterns = {"bullet": [bullet], "numbered": [number], "any": [bullet, number]}.get(kind, [])
    found = []
    for line in text.splitlines():
        for pattern in patterns:
            if match := re.match(pattern, line):
                found.append(match[1].strip())
                break
    return found


def normalise(text: str) -> str:
    if found := re.search("</think>", text, re.IGNORECASE):
        text = text[found.end() :]
    text = re.sub(r"<think>.*?</think>", "", text, flags=re.IGNORECASE | re.DOTALL)
    return re.sub(r"</?think>", "", text, flags=re.IGNORECASE).strip()


def payload(text: str) -> str:
    text = text.strip()
    fenced = re.fullmatch(r"```(?:json)?\s*\n?(.*?)\n?```", text, re.DOTALL)
    return fenced[1].strip() if fenced else text


def satisfies(count: int, spec: dict[str, Any]) -> bool:
    op = spec.get("op", "eq")
    if op == "between":
        return int(spec["min"]) <= count <= int(spec["max"])
    number = int(spec["value"])
    return bool(
        {
            "eq": count == number,
            "ne": count != number,
            "le": count <= number,
            "lt": count < number,
            "ge": count >= number,
            "gt": count > number,
        }[op]
    )


def each(counts: list[int], params: dict[str, Any]) -> bool:
    return bool(counts) and all(satisfies(n, params.get("each", params)) for n in counts)


def stem_count(text: str, stem: str) -> int:
    return sum(core(word).startswith(fold(stem)) for word in words(text))


VERIFIERS: dict[str, Callable[[str, dict[str, Any]], bool]] = {
    "structure:word_count": lambda r, p: satisfies(len(words(r)), p),
    "structure:sentence_count": lambda r, p: satisfies(len(sentences(r)), p),
    "structure:paragraph_count": lambda r, p: satisfies(len(paragraphs(r)), p),
    "structure:char_count": lambda r, p: satisfies(len(r.strip()), p),
    "structure:sentence_words": lambda r, p: each([len(words(s)) for s in sentences(r)], p),
    "structure:paragraph_sentences": lambda r, p: each(
        [len(sentences(s)) for s in paragraphs(r)], p
    ),
    "structure:item_words": lambda r, p: each(
        [len(words(item)) for item in items(r, p.get("kind", "any"))], p
    ),
    "lexical:exclude_word": lambda r, p: not any(has_stem(r, fold(stem)) for stem in p["stems"]),
    "lexical:word_exact_count": lambda r, p: stem_count(r, p["stem"]) == int(p["count"]),
    "lexical:word_cap": lambda r, p: stem_count(r, p["stem"]) <= int(p["cap"]),
    "lexical:ring_word": lambda r, p: (
        len(found := [core(word) for word in words(r)]) > 1 and found[0] == found[-1]
    ),
    "style:forbid_letter": lambda r, p: p["letter"].lower() not in r.lower(),
    "style:no_commas": lambda r, p: "," not in r,
    "style:no_caps": lambda r, p: r == r.lower(),
    "style:comma_count": lambda r, p: satisfies(r.count(","), p),
    "style:no_digits": lambda r, p: not any(char.isdigit() for char in r),
    "style:letter_start_count": lambda r, p: satisfies(
        sum(core(word)[0] == fold(p["letter"]) for word in words(r)), p
    ),
}
"""The types whose rule fits on a line: what a plain verifier costs."""
