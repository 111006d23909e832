"""Votes for other programs: arena battles, tables, side-by-side viewers, preference pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ifbench_tui.report.csv import to_csv
from ifbench_tui.report.json import dumps
from ifbench_tui.report.sheets import Column, Sheet
from ifbench_tui.store import Event, text_digest
from ifbench_tui.workspace import Suite

__all__ = [
    "Vote",
    "arena_battles",
    "arena_rank_csv",
    "comparator_json",
    "preference_lines",
    "vote_lines",
    "votes_with_texts",
]

_ARENA_LABELS = {"both_bad": "tie (bothbad)"}
_SCORES = {"model_a": 1.0, "model_b": -1.0}


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote that counts, with side A on the left as it was shown; texts are None where the
    responses it was cast on are not loaded."""

    event: Event
    model_a: str
    model_b: str
    winner: str
    prompt: str | None = None
    response_a: str | None = None
    response_b: str | None = None


def votes_with_texts(events: Iterable[Event], suites: Mapping[str, Suite]) -> list[Vote]:
    """Votes as they were shown, with the texts where just these responses are loaded."""
    prompts = {
        (name, prompt.key): prompt.text
        for name, suite in suites.items()
        for prompt in suite.prompts
    }
    return [_vote(event, suites, prompts) for event in events]


def _vote(
    event: Event, suites: Mapping[str, Suite], prompts: Mapping[tuple[str, str], str]
) -> Vote:
    body = event.body
    sides = ("model_a", "model_b") if body["left"] == "model_a" else ("model_b", "model_a")
    winner = str(body["winner"])
    if winner in sides:
        winner = ("model_a", "model_b")[sides.index(winner)]
    left, right = (str(body[side]) for side in sides)
    benchmark, key = str(event.subject["benchmark"]), str(event.subject["key"])
    texts = []
    for side in sides:
        suite = suites.get(benchmark)
        response = None if suite is None else suite.response(str(body[side]), key)
        if response is None or text_digest(response.text) != body[f"digest_{side[-1]}"]:
            return Vote(event, left, right, winner)
        texts.append(response.text)
    return Vote(event, left, right, winner, prompts[benchmark, key], *texts)


def _seconds(event: Event) -> float:
    return datetime.fromisoformat(event.at).timestamp()


def _turns(prompt: str, response: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": prompt}, {"role": "assistant", "content": response}]


def arena_battles(votes: Sequence[Vote]) -> Iterator[str]:
    """FastChat's clean battles: one JSON array, a battle a line."""
    for number, vote in enumerate(votes):
        yield f"{',' if number else '['}\n{dumps(_battle(vote))}"
    yield "\n]\n" if votes else "[]\n"


def _battle(vote: Vote) -> dict[str, Any]:
    battle: dict[str, Any] = {
        "question_id": vote.event.subject["key"],
        "benchmark": vote.event.subject["benchmark"],
        "model_a": vote.model_a,
        "model_b": vote.model_b,
        "winner": _ARENA_LABELS.get(vote.winner, vote.winner),
        "judge": vote.event.annotator,
        "turn": vote.event.subject["turn"],
        "anony": not vote.event.body["unblinded"],
        "language": "unknown",
        "tstamp": _seconds(vote.event),
    }
    if vote.prompt is not None and vote.response_a is not None and vote.response_b is not None:
        battle["conversation_a"] = _turns(vote.prompt, vote.response_a)
        battle["conversation_b"] = _turns(vote.prompt, vote.response_b)
    return battle


_COLUMNS = (
    "model_a", "model_b", "winner", "question_id", "benchmark", "judge", "turn", "anony", "tstamp",
)  # fmt: skip


def arena_rank_csv(votes: Sequence[Vote]) -> Iterator[str]:
    """arena-rank's table: two competitors and the outcome, with who voted when."""
    rows = [_battle(vote) | {"winner": vote.winner} for vote in votes]
    sheet = Sheet(
        "votes",
        tuple(Column(name, name) for name in _COLUMNS),
        tuple(tuple(row[name] for name in _COLUMNS) for row in rows),
    )
    return to_csv(sheet)


def vote_lines(votes: Sequence[Vote]) -> Iterator[str]:
    """A JSON object a line with all that is known of each vote; sides as they were shown."""
    for vote in votes:
        event = vote.event
        row = _battle(vote) | {
            "uid": event.uid,
            "at": event.at,
            "annotator": event.annotator,
            "unblinded": event.body["unblinded"],
            "reasons": event.body["reasons"],
            "note": event.body.get("note", ""),
            "seed": event.body["seed"],
        }
        yield dumps(row) + "\n"


def preference_lines(votes: Sequence[Vote]) -> Iterator[str]:
    """Preference pairs for DPO, a JSON object a line: prompt, chosen, rejected."""
    for vote in votes:
        if vote.prompt is not None and vote.winner in _SCORES:
            chosen, rejected = vote.response_a, vote.response_b
            if vote.winner == "model_b":
                chosen, rejected = rejected, chosen
            yield dumps({"prompt": vote.prompt, "chosen": chosen, "rejected": rejected}) + "\n"


def comparator_json(votes: Sequence[Vote], models: tuple[str, str], source: str) -> str:
    """LLM Comparator's file on two models: an example a prompt, its votes as ratings.

    A score is positive where the first model is better, from -1.5 to 1.5; a plain vote is 1.
    """
    examples: dict[tuple[Any, ...], dict[str, Any]] = {}
    for vote in votes:
        if vote.prompt is None or {vote.model_a, vote.model_b} != set(models):
            continue
        flipped = vote.model_a != models[0]
        first, second = vote.response_a, vote.response_b
        score = _SCORES.get(vote.winner, 0.0)
        if flipped:
            first, second, score = second, first, -score if score else score
        subject = vote.event.subject
        example = examples.setdefault(
            (subject["benchmark"], subject["key"], first, second),
            {
                "input_text": vote.prompt,
                "tags": [subject["benchmark"]],
                "output_text_a": first,
                "output_text_b": second,
                "score": 0.0,
                "individual_rater_scores": [],
                "custom_fields": {"key": str(subject["key"])},
            },
        )
        said = [*vote.event.body["reasons"], vote.event.body.get("note", "")]
        if vote.winner == "both_bad":
            said.insert(0, "both are bad")
        example["individual_rater_scores"].append(
            {
                "is_flipped": flipped,
                "score": score,
                "rationale": f"{vote.event.annotator}: {'; '.join(filter(None, map(str, said)))}",
            }
        )
    for example in examples.values():
        scores = [rating["score"] for rating in example["individual_rater_scores"]]
        example["score"] = sum(scores) / len(scores)
    whole = {
        "metadata": {
            "source_path": source,
            "custom_fields_schema": [{"name": "key", "type": "string"}],
        },
        "models": [{"name": model} for model in models],
        "examples": list(examples.values()),
    }
    return dumps(whole, indented=True) + "\n"
