"""AlpacaEval's weighted preference: one token, read from its log probabilities."""

from __future__ import annotations

from functools import partial
from typing import Any

from ifbench_tui.engine.judged.rows import outputs_swapped
from ifbench_tui.engine.judged.verdicts import weighted_preference
from ifbench_tui.formats.alpaca_eval import BASELINE
from ifbench_tui.judge.call import Reply
from ifbench_tui.judge.errors import InputError
from ifbench_tui.judge.protocol import Judging
from ifbench_tui.judge.questions import only
from ifbench_tui.judge.run import Result, Steps, Task
from ifbench_tui.judge.templates import ALPACA_ROLE

__all__ = ["DISCRETE", "alpaca_tasks"]

DISCRETE = "discrete"
"""Outcome of a preference that had to be read from the text, for want of log probabilities."""

_SAME = 1.5
_SHARED = ("dataset", "datasplit")
_DISCRETE_VALUES = {"m": 1.0, "M": 2.0}


def alpaca_tasks(judging: Judging) -> list[Task]:
    """A preference for each instruction that a model and the baseline answered, in the baseline's
    order. Raises `InputError`."""
    answers = judging.material.answers
    baseline = judging.baseline or BASELINE
    if baseline not in answers:
        known = ", ".join(answers) or "none"
        raise InputError(
            f"there are no outputs of the baseline {baseline!r} (loaded: {known}); name the "
            "baseline's file too, or another model with --baseline"
        )
    models = [one for one in only(answers, judging.models, "model") if one != baseline]
    return [
        Task(f"{model}: {instruction[:60]}", partial(_steps, judging, baseline, model, instruction))
        for model in models
        for instruction in answers[baseline]
        if instruction in answers[model]
    ]


def _steps(judging: Judging, baseline: str, model: str, instruction: str) -> Steps:
    material, template = judging.material, judging.templates[ALPACA_ROLE]
    outputs = [material.answers[one][instruction][0] for one in (baseline, model)]
    rows = [material.rows[one][instruction] for one in (baseline, model)]
    row: dict[str, Any] = {
        "instruction": instruction,
        "output_1": outputs[0],
        "generator_1": baseline,
        "output_2": outputs[1],
        "generator_2": model,
        **{name: rows[0][name] for name in _SHARED if rows[0].get(name) is not None},
        "annotator": f"{template.name}_{judging.judge}",
    }
    if outputs[0] == outputs[1]:
        row |= {"preference": _SAME, "raw_completion": None, "outcome": "ok", "method": "identical"}
        return Result(row, ("ok",))
    swapped = outputs_swapped(instruction)
    first, second = outputs[::-1] if swapped else outputs
    values = {"instruction": instruction, "output_1": first, "output_2": second}
    call = judging.call(template.messages(values), 1.0, 1, top_logprobs=5, top_p=1.0)
    (reply,) = yield [call]
    preference, outcome, method = _preference(reply, swapped)
    row |= {
        "preference": preference,
        "raw_completion": _raw(reply),
        "outcome": outcome,
        "method": method,
    }
    return Result(row, (DISCRETE if method == DISCRETE else outcome,))


def _preference(reply: Reply, swapped: bool) -> tuple[float | None, str, str | None]:
    """Preference, outcome and method; None where nothing can be read."""
    if reply.outcome == "no_logprobs":
        shown = _DISCRETE_VALUES.get(reply.text.strip())
        if shown is None:
            return None, "no_logprobs", None
        return 3.0 - shown if swapped else shown, "no_logprobs", DISCRETE
    if not reply.ok:
        return None, reply.outcome, None
    # One token was asked for; where more came, which of them decides is not said.
    place = reply.tokens[0] if len(reply.tokens) == 1 else ()
    found = [{"token": token, "logprob": logprob} for token, logprob in place]
    preference = weighted_preference(found, swapped=swapped)
    return preference, "ok" if preference is not None else "no_verdict", "weighted"


def _raw(reply: Reply) -> dict[str, Any] | None:
    if not reply.text and not reply.tokens:
        return None
    content = [
        {"top_logprobs": [{"token": token, "logprob": logprob} for token, logprob in place]}
        for place in reply.tokens
    ]
    return {"text": reply.text, "logprobs": {"content": content} if content else None}
