"""What a person asks a model for: the fields of the form, and what they come to."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from ifbench_tui.config import Settings
from ifbench_tui.formats.source import STDIN
from ifbench_tui.judge.endpoint import BASE_URL_VARIABLE
from ifbench_tui.judge.generate import Generating
from ifbench_tui.judge.plan import PROTOCOLS, GeneratePlan, JudgePlan
from ifbench_tui.judge.run import MOST_JOBS
from ifbench_tui.tui.file_names import short_names
from ifbench_tui.workspace import LoadOptions, SourceReport

__all__ = ["Field", "Form", "Shelf", "command", "fields_of", "output_name", "plan_of", "words_of"]

_QUESTIONS = {"mt-bench-questions", "arena-hard-questions", "arena-hard-legacy-questions"}
_ANSWERS = {"mt-bench-answers", "arena-hard-answers", "arena-hard-legacy-answers", "alpaca-outputs"}
_GUESSES = (
    ("mt-bench-answers", "mt-single"),
    ("arena-hard-answers", "arena-v2"),
    ("arena-hard-legacy-answers", "arena-v0.1"),
    ("alpaca-outputs", "alpaca-eval"),
)
_FAMILIES = ("mt-bench", "arena-hard", "alpaca")
"""How the formats of each benchmark's files begin, and its protocols up to their first hyphen."""

_REFERENCES = "reference_answer"
"""The folder of MT-Bench's reference answers, which look like any model's."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """What of the bench can be used: prompts, questions and answers by their benchmark, all paths
    where none is of a known kind, reference answers, and the protocol that fits them best."""

    prompts: tuple[str, ...] = ()
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    others: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    protocol: str = ""

    @classmethod
    def of(cls, sources: Sequence[SourceReport], paths: Sequence[str]) -> Shelf:
        """Sort the files of the bench; `paths`, all of it, where none is of a known kind. Standard
        input cannot be read again."""
        paths = [path for path in paths if path != STDIN]
        sources = [one for one in sources if one.path != STDIN]
        judged = [one for one in sources if one.format in _QUESTIONS | _ANSWERS]
        aside = [one.path for one in judged if Path(one.path).parent.name == _REFERENCES]
        known = {
            family: found
            for family in _FAMILIES
            if (
                found := tuple(
                    one.path
                    for one in judged
                    if one.path not in aside and one.format.startswith(family)
                )
            )
        }
        prompts = [one.path for one in sources if one.prompts and not one.responses]
        prompts += [one.path for one in judged if one.format in _QUESTIONS]
        kinds = {one.format for one in judged if one.path not in aside}
        guess = next((protocol for kind, protocol in _GUESSES if kind in kinds), "")
        others = () if known else tuple(paths)
        return cls(tuple(prompts or paths), known, others, tuple(aside), guess)

    def answers(self, protocol: str) -> tuple[str, ...]:
        """Questions and answers for a protocol."""
        benchmark, _, _ = protocol.partition("-")
        found = (paths for family, paths in self.known.items() if family.startswith(benchmark))
        return next(found, self.others)


@dataclass(frozen=True, slots=True)
class Form:
    """The fields. Nothing, or None, is the usual: files of the bench, all models, our templates,
    the protocol's own baseline, a name for the file that is not taken."""

    work: Literal["judge", "generate"] = "judge"
    protocol: str = "mt-single"
    paths: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    templates: str = ""
    model: str = ""
    base_url: str = ""
    models: tuple[str, ...] = ()
    baseline: str = ""
    called: str = ""
    system: str = ""
    jobs: int = 4
    prices: tuple[float, float] | None = None
    again: bool = False
    output: str = ""

    @classmethod
    def usual(cls, settings: Settings, base_url: str) -> Form:
        """A form as the settings and the environment have it."""
        return cls(
            model=settings.judge_model,
            base_url=base_url or settings.base_url,
            jobs=settings.jobs,
            prices=settings.prices,
        )


@dataclass(frozen=True, slots=True)
class Field:
    """A row of the form. A field of kind "turn" takes the next of its values, "paths" one path
    more, "path" another; the others are typed."""

    name: str
    label: str
    kind: Literal["turn", "text", "path", "paths"]
    hint: str

    def turned(self, form: Form, step: int) -> Form:
        """The form with the next value of this field."""
        turns: dict[str, list[Any]] = {
            "work": ["judge", "generate"],
            "protocol": list(PROTOCOLS),
            "again": [False, True],
        }
        values = turns[self.name]
        place = values.index(getattr(form, self.name))
        return self._with(form, values[(place + step) % len(values)])

    def typed(self, form: Form) -> str:
        """The value as it is typed."""
        value = getattr(form, self.name)
        if self.name == "prices":
            return "" if value is None else f"{value[0]:g} {value[1]:g}"
        return ", ".join(value) if isinstance(value, tuple) else str(value)

    def taken(self, form: Form, text: str) -> Form:
        """The form with a text, or a path, taken into this field. Raises `ValueError` with what
        is wrong."""
        return self._with(form, self._value(form, text.strip()))

    def _value(self, form: Form, text: str) -> object:
        match self.name:
            case "jobs":
                if not text.isdecimal() or not 1 <= int(text) <= MOST_JOBS:
                    raise ValueError(f"a whole number from 1 to {MOST_JOBS}")
                return int(text)
            case "prices":
                return _prices(text)
            case "models":
                return tuple(filter(None, map(str.strip, text.split(","))))
            case "paths" | "references":
                held: tuple[str, ...] = getattr(form, self.name)
                return (*held, text) if text not in held else held
        return text

    def cleared(self, form: Form) -> Form:
        """The form with the usual value of this field."""
        return self._with(form, getattr(Form(), self.name))

    def _with(self, form: Form, value: Any) -> Form:
        return replace(form, **{self.name: value})


def _prices(text: str) -> tuple[float, float] | None:
    try:
        found = tuple(map(float, text.replace(",", " ").split()))
    except ValueError:
        found = (-1.0,)
    if not found:
        return None
    if len(found) != 2 or not all(math.isfinite(one) and one >= 0 for one in found):
        raise ValueError("two numbers from 0, such as: 2.5 10")
    return found[0], found[1]


_WORK = Field("work", "ask for", "turn", "")
_PROTOCOL = Field("protocol", "protocol", "turn", "")
_PATHS = Field("paths", "from", "paths", "")
_REFERENCE = Field("references", "references", "paths", "")
_TEMPLATES = Field("templates", "templates", "path", "")
_MODEL = Field("model", "model to ask", "text", "The name by which the endpoint knows the model.")
_URL = Field(
    "base_url", "base URL", "text", "An OpenAI-compatible API, such as http://localhost:8000/v1"
)
_MODELS = Field("models", "judged models", "text", "Names with commas between; nothing: all.")
_BASELINE = Field("baseline", "baseline", "text", "The model the others are held against.")
_CALLED = Field("called", "called", "text", "The model's name in the file; nothing: as it is.")
_SYSTEM = Field("system", "system message", "text", "Stands before every prompt; nothing: none.")
_JOBS = Field("jobs", "calls at once", "text", f"1 to {MOST_JOBS}.")
_PRICES = Field(
    "prices", "prices", "text", "Money for a million tokens sent and received: two numbers."
)
_AGAIN = Field("again", "kept replies", "turn", "")
_OUTPUT = Field("output", "write to", "text", "A file; nothing: a name that is not taken.")


def fields_of(form: Form) -> list[Field]:
    """The fields that mean something now, in the order of the form."""
    return list(_fields(form))


def _fields(form: Form) -> Iterator[Field]:
    yield _WORK
    if form.work == "judge":
        protocol = PROTOCOLS[form.protocol]
        yield from (_PROTOCOL, _PATHS)
        if protocol.references:
            yield _REFERENCE
        yield from (_TEMPLATES, _MODEL, _URL, _MODELS)
        if protocol.baseline:
            yield _BASELINE
    else:
        yield from (_PATHS, _MODEL, _URL, _CALLED, _SYSTEM)
    yield from (_JOBS, _PRICES, _AGAIN, _OUTPUT)


def words_of(field: Field, form: Form, shelf: Shelf, output: str) -> tuple[str, bool]:
    """What a field says, and whether that was chosen by a person. Texts are not safe yet."""
    value = getattr(form, field.name)
    match field.name:
        case "work":
            kinds = {"judge": "verdicts of a judge", "generate": "responses to prompts"}
            return kinds[form.work], True
        case "protocol":
            return f"{form.protocol}: {PROTOCOLS[form.protocol].title}", True
        case "again":
            return ("asked again where not ok", True) if value else ("count as they are", False)
        case "paths":
            held = shelf.answers(form.protocol) if form.work == "judge" else shelf.prompts
            return _files(value, held, "nothing is on the bench: enter adds a path")
        case "references":
            return _files(value, shelf.references, "none")
        case "prices" if value is not None:
            return f"{value[0]:g} in, {value[1]:g} out a million tokens", True
        case "models" if value:
            return ", ".join(value), True
        case "jobs":
            return str(value), value != Form().jobs
        case "baseline" if not value and form.protocol == "mt-pair":
            return "none: all pairs of models", False
        case "output":
            return (value, True) if value else (output, False)
    return (str(value), True) if value else (_USUAL[field.name], False)


_USUAL = {
    "templates": "our own",
    "model": "none yet: enter names one",
    "base_url": f"none yet: enter names one (also: {BASE_URL_VARIABLE}, base_url in the config)",
    "models": "all",
    "baseline": "the protocol's own",
    "called": "as the model to ask",
    "system": "none",
    "prices": "unknown",
}


def _files(chosen: Sequence[str], held: Sequence[str], none: str) -> tuple[str, bool]:
    paths = chosen or held
    if not paths:
        return none, False
    names = ", ".join(short_names(paths).values())
    where = "chosen" if chosen else "on the bench"
    return f"{len(paths)} {where}: {names}", bool(chosen)


def plan_of(form: Form, shelf: Shelf, options: LoadOptions) -> JudgePlan | GeneratePlan:
    """What the form comes to."""
    if form.work == "generate":
        settings = Generating(form.model, form.called or form.model, system=form.system or None)
        return GeneratePlan(form.paths or shelf.prompts, settings, options.limits)
    return JudgePlan(
        form.protocol,
        form.paths or shelf.answers(form.protocol),
        form.model,
        form.references or shelf.references,
        form.templates or None,
        form.models or None,
        form.baseline or None,
        strip_thoughts=options.think == "strip",
        limits=options.limits,
    )


def output_name(form: Form) -> str:
    """The name a file gets where none is chosen. MT-Bench calls a model as its file."""
    if form.work == "generate":
        return f"{_plain(form.called or form.model) or 'responses'}.jsonl"
    ending = "json" if PROTOCOLS[form.protocol].as_list else "jsonl"
    return f"judge_{form.protocol}_{_plain(form.model) or 'judge'}.{ending}"


def _plain(name: str) -> str:
    return re.sub(r"[^\w.+@-]+", "_", name).strip("._")[:80]


def command(form: Form, shelf: Shelf, options: LoadOptions, session: str, output: str) -> str:
    """The command line that does the same."""
    plan = plan_of(form, shelf, options)
    words = ["ifbench-tui", form.work, *plan.paths]
    if isinstance(plan, JudgePlan):
        words += ["--protocol", plan.protocol]
        if PROTOCOLS[plan.protocol].references:
            words += [word for one in plan.references for word in ("--reference", one)]
        words += ["--templates", form.templates] if form.templates else []
        words += [word for one in form.models for word in ("--judged-model", one)]
        words += ["--baseline", form.baseline] if form.baseline else []
        words += ["--think", "strip"] if plan.strip_thoughts else []
    else:
        words += ["--as-model", form.called] if form.called else []
        words += ["--system", form.system] if form.system else []
    words += ["--base-url", form.base_url, "--model", form.model, "--jobs", str(form.jobs)]
    words += ["--price", *map("{:g}".format, form.prices)] if form.prices else []
    words += ["--retry-failed"] if form.again else []
    return shlex.join([*words, "--session", session, "-o", output])
