"""What is to be asked: from files and choices to tasks, the same for every door."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from ifbench_tui.engine.quantity import quantity
from ifbench_tui.formats.ifhardbench_fields import is_row, rows_in
from ifbench_tui.formats.limits import Limits
from ifbench_tui.judge.alpaca_eval import alpaca_tasks
from ifbench_tui.judge.arena_hard import arena_v01_tasks, arena_v2_tasks
from ifbench_tui.judge.errors import InputError
from ifbench_tui.judge.generate import Asked, Generating, asked, generate_tasks
from ifbench_tui.judge.mt_bench import pair_tasks, single_tasks, unguided
from ifbench_tui.judge.own_templates import OWN
from ifbench_tui.judge.protocol import Judging
from ifbench_tui.judge.questions import Material, in_vain, read_material, read_rows, with_first
from ifbench_tui.judge.run import Task
from ifbench_tui.judge.template_files import load_templates
from ifbench_tui.judge.templates import TemplateSet

__all__ = ["PROTOCOLS", "GeneratePlan", "JudgePlan", "Protocol", "Work", "work_of"]

_NAMED = 20
"""Paths and models that a message names at most."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """A way to judge: its name for people, how its tasks are made, what it makes use of.

    `as_list`: its file is one JSON array, not JSON Lines.
    """

    title: str
    tasks: Callable[[Judging], list[Task]]
    baseline: bool = True
    references: bool = False
    as_list: bool = False


PROTOCOLS: Mapping[str, Protocol] = MappingProxyType(
    {
        "mt-single": Protocol(
            "MT-Bench, each answer rated", single_tasks, baseline=False, references=True
        ),
        "mt-pair": Protocol("MT-Bench, pairs in both orders", pair_tasks, references=True),
        "alpaca-eval": Protocol("AlpacaEval, weighted preference", alpaca_tasks, as_list=True),
        "arena-v2": Protocol("Arena-Hard-Auto v2.0", arena_v2_tasks),
        "arena-v0.1": Protocol("Arena-Hard-Auto v0.1", arena_v01_tasks),
    }
)
"""By the name that every door uses."""


@dataclass(frozen=True, slots=True)
class JudgePlan:
    """A judgment of answers. `references` and `templates` are paths; None or nothing: the
    protocol's own. The rest is as in `Judging`."""

    protocol: str
    paths: tuple[str, ...]
    judge: str
    references: tuple[str, ...] = ()
    templates: str | None = None
    models: tuple[str, ...] | None = None
    baseline: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    strip_thoughts: bool = False
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class GeneratePlan:
    """Responses of a model to the prompts of files."""

    paths: tuple[str, ...]
    settings: Generating
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Work:
    """Tasks, rows and files that are not used for them, and what should be known before. Those
    `in_vain` are files that someone named and of which nothing is used."""

    tasks: tuple[Task, ...]
    problems: tuple[str, ...] = ()
    in_vain: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    as_list: bool = False


def work_of(plan: JudgePlan | GeneratePlan) -> Work:
    """Read the files of a plan and make its tasks, at least one.

    Raises `InputError`, `TemplateError`.
    """
    return _judge_work(plan) if isinstance(plan, JudgePlan) else _generate_work(plan)


def _judge_work(plan: JudgePlan) -> Work:
    protocol = PROTOCOLS[plan.protocol]
    templates: TemplateSet = OWN
    if plan.templates:
        templates = load_templates(plan.protocol, plan.templates, plan.limits)
    material = read_material(plan.paths, plan.limits)
    if not (material.questions and material.answers):
        raise InputError(_nothing(plan, material))
    references, problems = _references(plan) if protocol.references else ({}, [])
    judging = Judging(
        plan.judge,
        material,
        plan.models,
        plan.baseline,
        references,
        templates,
        plan.temperature,
        plan.max_tokens,
        plan.strip_thoughts,
    )
    tasks = protocol.tasks(judging)
    if not tasks:
        raise InputError(_nothing(plan, material))
    notices = []
    if protocol.references and (missing := unguided(judging)):
        questions = quantity(missing, "question")
        are = "is" if missing == 1 else "are"
        notices.append(
            f"{questions} of math, reasoning or coding {are} judged without a reference answer"
        )
    found = (*material.problems, *problems)
    vain = in_vain(plan.paths, material.files, found)
    return Work(tuple(tasks), found, vain, tuple(notices), protocol.as_list)


def _nothing(plan: JudgePlan, material: Material) -> str:
    """Why there is nothing to judge: what was loaded, and what was not used."""
    questions = quantity(len(material.questions), "question")
    answering = ", ".join(list(material.answers)[:_NAMED]) or "no model"
    return (
        f"nothing to judge: no question has the answers that are needed: {questions}, and answers "
        f"of {answering}, in {', '.join(plan.paths[:_NAMED])}{with_first(material.problems)}"
    )


def _references(plan: JudgePlan) -> tuple[dict[str, tuple[str, ...]], Sequence[str]]:
    """Reference answers by question key; of several a later file's. Raises `InputError` where one
    of the paths gives none: without them the same calls would be paid for and mean less."""
    found: dict[str, tuple[str, ...]] = {}
    problems: list[str] = []
    for path in plan.references:
        given = read_material([path], plan.limits)
        if not given.answers:
            raise InputError(f"there is no reference answer in {path}{with_first(given.problems)}")
        found |= {key: turns for one in given.answers.values() for key, turns in one.items()}
        problems += given.problems
    return found, problems


def _generate_work(plan: GeneratePlan) -> Work:
    problems: list[str] = []
    found: dict[tuple[str, tuple[str, ...]], Asked] = {}
    files: set[str] = set()
    rows = (
        (path, line, row)
        for path, line, whole in read_rows(plan.paths, problems, plan.limits)
        for row in rows_in(whole)
    )
    for path, line, row in rows:
        # An instruction of theirs is a template: what a model is asked stands in several fields.
        one = asked(row) if isinstance(row, dict) and not is_row(row) else None
        if one is None:
            problems.append(f"{path}:{line}: the row has no prompt")
        elif (one.name, one.turns) in found:
            problems.append(f"{path}:{line}: the prompt stands twice")
        else:
            found[one.name, one.turns] = one
            files.add(path)
    if not found:
        hint = "; a benchmark's rows become prompts with: ifbench-tui prompts" if problems else ""
        where = ", ".join(plan.paths[:_NAMED])
        raise InputError(f"there is no prompt in {where}{with_first(problems)}{hint}")
    vain = in_vain(plan.paths, files, problems)
    return Work(tuple(generate_tasks(list(found.values()), plan.settings)), tuple(problems), vain)
