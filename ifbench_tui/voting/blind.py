"""Hides who wrote a response: names of models, families and vendors inside the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

__all__ = ["Blindfold", "Masked"]

MASK = "▒▒▒▒"
PLAIN_MASK = "####"

_FAMILIES = (
    r"chatgpt|chat-gpt|gpt-?\d\w*(?:\.\d+)?|gpt|instructgpt|davinci|o[134]-(?:mini|preview|pro)"
    r"|claude|gemini|gemma|palm[- ]?2|lamda|bard(?= by| from|,? an ai)|llama|vicuna|guanaco"
    r"|mistral|mixtral|ministral|codestral|qwen|qwq|tongyi(?: qianwen)?|deepseek|kimi|moonshot"
    r"|chatglm|glm-\d|baichuan|internlm|hunyuan|ernie bot|yi-\d\w*|doubao"
    r"|command[- ]r(?:\+|[- ]plus)?|grok|phi-\d|falcon-\d\w*|olmo|t[uü]lu|zephyr-\d\w*|nemotron"
    r"|smollm\d?|stablelm|granite-\d|jamba|dbrx|bloomz|mpt-\d\w*|copilot"
    r"|openassistant|dolly[- ]?v\d"
)
_VENDORS = (
    r"openai|anthropic|deepmind|google (?:ai|brain|research)|meta ai|mistral ai|cohere"
    r"|alibaba(?: cloud)?|moonshot ai|zhipu|xai(?= )|01\.ai|ai2|allen institute for ai"
    r"|hugging ?face|stability ai|databricks|baidu|tencent|bytedance|ai21"
)
_MAKERS = r"google|meta|microsoft|nvidia|apple|amazon|ibm|samsung|xai|facebook"
_VERSION = (
    r"(?:[\s._-]{0,2}(?:v?\d+(?:\.\d+)*[bkm]?|haiku|sonnet|opus|turbo|ultra|flash|instruct"
    r"|omni|preview)(?![^\W_]))*"
)
_KNOWN = re.compile(
    rf"(?<![^\W_])(?:(?:{_FAMILIES}){_VERSION}|{_VENDORS})(?![^\W_])"
    rf"|(?:made|built|created|trained|developed|designed|provided)\s+by\s+(?P<maker>{_MAKERS})"
    r"(?![^\W_])",
    re.IGNORECASE,
)

_COMMON = frozenset({
    "instruct", "chat", "base", "turbo", "preview", "mini", "large", "small", "medium", "pro",
    "plus", "ultra", "nano", "tiny", "vision", "awq", "gptq", "gguf", "int", "sft", "dpo",
    "rlhf", "latest", "model", "models", "llm", "exp", "thinking", "reasoning", "experimental",
    "flash", "lite", "high", "low", "max", "with", "without", "and", "the", "for", "new", "old",
    "test", "run", "best", "final", "jsonl", "json", "csv", "response", "responses", "output",
    "outputs", "result", "results", "answer", "answers", "data", "input", "prompt", "text",
    "ifeval", "eval", "baseline", "version", "one", "two", "three", "four", "five", "first",
    "second", "fast", "slow", "open", "free", "hard", "easy", "good", "bad",
})  # fmt: skip
"""Parts of model names that tell nothing about who it is."""

_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Masked:
    """A text in which identity words are replaced, all by the same sign; `spans` are the signs."""

    text: str
    spans: tuple[tuple[int, int], ...] = ()


class Blindfold:
    """Masks the names it is given, what they are made of, and the models and vendors known to be.

    A name is found in any case, with other signs between its parts, also inside longer words if it
    has four characters or more; names of one character cannot be told from text and are left.
    """

    def __init__(self, names: Iterable[str], *, ascii_only: bool = False) -> None:
        self._mask = PLAIN_MASK if ascii_only else MASK
        wanted = sorted({form for name in names for form in _forms(name)}, key=len, reverse=True)
        self._names = _one_of(map(_pattern, wanted))
        parts = {part for name in names for part in _telling_parts(name)}
        self._parts = _one_of(map(_pattern_of_word, sorted(parts, key=len, reverse=True)))

    def prompt(self, text: str) -> Masked:
        """A prompt: only the names themselves are masked, since it says nothing about who answers.

        Whatever else it is about must stay readable.
        """
        return self._replaced(text, _spans(self._names, text))

    def response(self, text: str) -> Masked:
        """A response with every identity word masked."""
        found = [span for one in (self._names, self._parts, _KNOWN) for span in _spans(one, text)]
        return self._replaced(text, found)

    def _replaced(self, text: str, found: Iterable[tuple[int, int]]) -> Masked:
        parts: list[str] = []
        spans: list[tuple[int, int]] = []
        done = length = 0
        for start, end in _merged(sorted(found)):
            parts += text[done:start], self._mask
            length += start - done
            spans.append((length, length + len(self._mask)))
            length += len(self._mask)
            done = end
        parts.append(text[done:])
        return Masked("".join(parts), tuple(spans))


def _forms(name: str) -> Iterator[str]:
    """A name in full, without its organisation, and without the part that told it from others."""
    for whole in (name, name.rpartition("/")[2]):
        yield whole
        yield whole.partition(" (")[0]


def _pattern(name: str) -> str:
    """Matches the name with any or no signs between its words."""
    words = _WORD.findall(name)
    if not words:
        return re.escape(name)
    if sum(map(len, words)) < 2:
        return ""
    body = r"[\W_]{0,3}".join(map(re.escape, words))
    if sum(map(len, words)) >= 4:
        return f"{re.escape(name)}|{body}"
    return rf"(?<![^\W_]){body}(?![^\W_])"


def _pattern_of_word(word: str) -> str:
    return rf"(?<![^\W_]){re.escape(word)}(?![^\W_])"


def _telling_parts(name: str) -> Iterator[str]:
    for word in _LETTERS.findall(name):
        if len(word) >= 3 and word.casefold() not in _COMMON:
            yield word


def _one_of(patterns: Iterable[str]) -> re.Pattern[str] | None:
    given = [pattern for pattern in patterns if pattern]
    return re.compile("|".join(given), re.IGNORECASE) if given else None


def _spans(pattern: re.Pattern[str] | None, text: str) -> Iterator[tuple[int, int]]:
    if pattern is not None:
        for match in pattern.finditer(text):
            start, end = match.span("maker") if match.groupdict().get("maker") else match.span()
            if end > start:
                yield start, end


def _merged(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    held: tuple[int, int] | None = None
    for span in spans:
        if held is not None and span[0] <= held[1]:
            held = held[0], max(held[1], span[1])
        else:
            if held is not None:
                yield held
            held = span
    if held is not None:
        yield held
