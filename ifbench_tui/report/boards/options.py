"""What a person may choose about the boards of judged benchmarks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ifbench_tui.engine.judged.alpaca_eval import Lookup
from ifbench_tui.engine.judged.arena_hard import ArenaSettings
from ifbench_tui.engine.judged.arena_style import Control
from ifbench_tui.engine.judged.length_control import Preset

__all__ = ["BoardOptions"]


@dataclass(frozen=True, slots=True)
class BoardOptions:
    """What a person may choose about boards. Empty tuples mean all."""

    lc_preset: Preset = "v1"
    lc_c: float | None = None
    difficulty_by: Lookup = "position"
    baseline: str | None = None
    style: Control | Literal["none"] = "none"
    arena: ArenaSettings = field(default_factory=ArenaSettings)
    judges: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    models: tuple[str, ...] = ()

    def wants(self, model: str) -> bool:
        """Whether a model is to be shown."""
        return not self.models or model in self.models
