"""language: the response is written in one language, as langdetect sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ifbench_tui.engine.benchmark import Constraint
from ifbench_tui.engine.ifeval.params import Params, fail
from ifbench_tui.engine.ifeval.registry import constraint_type
from ifbench_tui.engine.verdict import Measure

if TYPE_CHECKING:
    from ifbench_tui.engine.text.language import Detection

__all__ = ["LANGUAGES", "ResponseLanguage", "detected", "language_name", "said_language"]

LANGUAGES = {
    "en": "English",
    "es": "Spanish",
    "pt": "Portuguese",
    "ar": "Arabic",
    "hi": "Hindi",
    "fr": "French",
    "ru": "Russian",
    "de": "German",
    "ja": "Japanese",
    "it": "Italian",
    "bn": "Bengali",
    "uk": "Ukrainian",
    "th": "Thai",
    "ur": "Urdu",
    "ta": "Tamil",
    "te": "Telugu",
    "bg": "Bulgarian",
    "ko": "Korean",
    "pl": "Polish",
    "he": "Hebrew",
    "fa": "Persian",
    "vi": "Vietnamese",
    "ne": "Nepali",
    "sw": "Swahili",
    "kn": "Kannada",
    "mr": "Marathi",
    "gu": "Gujarati",
    "pa": "Punjabi",
    "ml": "Malayalam",
    "fi": "Finnish",
}


def detected(text: str) -> Detection | None:
    """langdetect's answer; the detector and numpy are loaded for the first text that asks."""
    from ifbench_tui.engine.text.language import detect

    return detect(text)


def language_name(code: str) -> str:
    """`French (fr)`; a code without a name here stays as it is."""
    return f"{LANGUAGES[code]} ({code})" if code in LANGUAGES else code


def said_language(detection: Detection | None) -> str:
    """What the detector answered, in words."""
    if detection is None:
        return "no letters to detect a language by, which counts as followed"
    return f"{language_name(detection.language)} detected, {detection.probability:.1%} sure"


@constraint_type("language:response_language", "language")
class ResponseLanguage(Constraint):
    """langdetect's best guess is the language; a text without usable letters passes."""

    def __init__(self, params: Params) -> None:
        code = params.value("language")
        if not isinstance(code, str) or code not in LANGUAGES:
            raises = "TypeError" if isinstance(code, (list, dict)) else "KeyError"
            fail("invalid_parameter", f"not one of the 30 language codes: {code!r}", raises)
        self.language = code

    def measure(self, text: str) -> Measure:
        detection = detected(text)
        return Measure(detection, said_language(detection))

    def holds(self, measure: Measure) -> bool:
        return measure.value is None or measure.value.language == self.language

    def required(self) -> str:
        return f"written in {language_name(self.language)}"
