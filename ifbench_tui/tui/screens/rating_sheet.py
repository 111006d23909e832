"""Choose which battles count and how they are rated; the board follows every change."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ifbench_tui.tui.conditions import Condition
from ifbench_tui.tui.rating_wish import Wish
from ifbench_tui.tui.screens.choice_sheet import ChoiceSheet

__all__ = ["RatingSheet"]


class RatingSheet(ChoiceSheet[Wish]):
    """The choices of Ratings."""

    def __init__(
        self, wish: Wish, choices: Sequence[Condition], apply: Callable[[Wish], None]
    ) -> None:
        super().__init__(wish, Wish(), choices, apply, lambda wish: wish.settled)
