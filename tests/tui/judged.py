"""Small files of judged benchmarks, and the Boards screen once its boards are made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from ifbench_tui.tui.app import AuditApp
from ifbench_tui.tui.screens.boards import BoardsScreen

from .conftest import settle, until

Rows = Iterable[Mapping[str, Any]]


def write(path: Path, rows: Rows) -> str:
    """Rows as JSON lines; returns the path."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def annotations(
    path: Path, models: Sequence[str] = ("tall", "short"), *, rows: int = 60, nulls: int = 0
) -> str:
    """AlpacaEval annotations. Each further model is shorter and liked less; longer rows win."""
    made = []
    for place, model in enumerate(models):
        for i in range(rows):
            base, own = 400 + 37 * i % 300, 420 - 60 * place + 53 * i % 500
            liked = 0.62 - 0.12 * place + 0.0006 * (own - base) + 0.15 * (i * 7 % 5 - 2) / 2
            made.append({
                "instruction": f"Do {i}", "output_1": "x" * base, "output_2": "y" * own,
                "generator_1": "base", "generator_2": model, "annotator": "judge",
                "preference": None if i < nulls else 1.0 + min(1.0, max(0.0, liked)),
            })  # fmt: skip
    path.write_text(json.dumps(made))
    return str(path)


def leaderboard(path: Path, **models: tuple[float, float]) -> str:
    """A published leaderboard: raw and length-controlled win rate by model."""
    head = ",win_rate,n_total,avg_length,length_controlled_winrate"
    lines = [f"{name},{raw},805,500,{lc}" for name, (raw, lc) in models.items()]
    path.write_text("\n".join([head, *lines]) + "\n")
    return str(path)


def ratings_of_answers(path: Path, models: Sequence[str] = ("north", "east")) -> str:
    """MT-Bench's single judgments of both turns of 16 questions; one has no rating."""
    rows = [
        {"question_id": 81 + 5 * q, "model": model, "judge": ["gpt-4", "single-v1"], "turn": turn,
         "score": -1 if (q, place, turn) == (3, 1, 2) else 8 - place - (turn - 1) + q % 3 - 1,
         "judgment": "Rating", "user_prompt": "", "tstamp": 1.0}
        for place, model in enumerate(models)
        for q in range(16)
        for turn in (1, 2)
    ]  # fmt: skip
    for row in rows:
        row["judgment"] = f"A fair answer. Rating: [[{row['score']}]]" if row["score"] != -1 else ""
    return write(path, rows)


def pairs_of_answers(path: Path, models: Sequence[str] = ("north", "east", "west")) -> str:
    """MT-Bench's pair judgments, everyone against everyone."""
    winners = ("model_1", "model_1", "tie", "model_2", "model_1")
    rows = [
        {"question_id": 81 + q, "model_1": a, "model_2": b, "judge": ["gpt-4", "pair-v2"],
         "g1_winner": winners[q % 5], "g2_winner": winners[(q * (1 + q % 2)) % 5], "turn": 1,
         "tstamp": 1.0}
        for i, a in enumerate(models)
        for b in models[i + 1 :]
        for q in range(20)
    ]  # fmt: skip
    return write(path, rows)


def arena(
    path: Path,
    models: Sequence[str] = ("north", "east"),
    *,
    categories: Mapping[str, str] | None = None,
    judge: str = "judge",
    questions: int = 20,
) -> str:
    """Arena-Hard v2 judgments; `categories` name their baselines. One game has no verdict."""
    labels = ("A>B", "B>A", "B>>A", "A=B", "B>A", "A>>B", "B>A")
    rows: list[dict[str, Any]] = []
    for category, baseline in (categories or {"hard_prompt": "o3", "creative": "gemini"}).items():
        for place, model in enumerate(models):
            for q in range(questions):
                first = labels[(q + 2 * place) % 7]
                second = None if q == 4 and not place else labels[(3 * q + place + 1) % 7]
                games = [{"score": label, "judgment": {"answer": f"[[{label}]]"}}
                         for label in (first, second)]  # fmt: skip
                rows.append({"uid": f"{category}-{q}", "category": category, "judge": judge,
                             "model": model, "baseline": baseline, "games": games})  # fmt: skip
    return write(path, rows)


def old_arena(path: Path, models: Sequence[str] = ("north", "east")) -> str:
    """Arena-Hard v0.1 judgments: no category, no baseline."""
    labels = ("A>B", "B>A", "B>>A", "A=B")
    rows = [
        {"question_id": f"old-{q}", "model": model, "judge": "gpt-4-1106-preview",
         "games": [{"score": labels[(q + n + place) % 4], "judgment": "", "user_prompt": ""}
                   for n in (0, 1)]}
        for place, model in enumerate(models)
        for q in range(12)
    ]  # fmt: skip
    return write(path, rows)


def arena_answers(folder: Path, models: Sequence[str] = ("north", "east", "o3")) -> list[str]:
    """Style counts of answers to `arena`'s questions of one category."""
    folder.mkdir()
    return [
        write(folder / f"{model}.jsonl", (
            {"uid": f"hard_prompt-{q}", "model": model, "metadata": {
                "token_len": 100 + 40 * place + 31 * q % 90, "header_count": {"h1": q % 3},
                "list_count": {"ordered": (q + place) % 4}, "bold_count": {"**": q * place % 5},
            }}
            for q in range(20)
        ))
        for place, model in enumerate(models)
    ]  # fmt: skip


async def boards(pilot: Pilot[None]) -> BoardsScreen:
    """The Boards screen when nothing is running any more."""
    app = pilot.app
    assert isinstance(app, AuditApp)
    await settle(pilot)
    screen = app.screen
    assert isinstance(screen, BoardsScreen)
    await until(pilot, lambda: not screen.busy)
    await settle(pilot)
    return screen


def on_screen(screen: BoardsScreen) -> dict[str, Any]:
    """The board in use as JSON would hold it."""
    assert screen.state.result is not None
    found: dict[str, Any] = json.loads(json.dumps(screen.state.result.to_dict()))
    return found
