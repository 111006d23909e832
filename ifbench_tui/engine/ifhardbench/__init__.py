"""IFHardBench: 64 requirement types in five families, one normalised answer, three metrics.

Add a requirement type by decorating a class in the module of its family (or in a new module of
this folder): `constraint_type(id)`. Nothing else needs to know.
"""

from __future__ import annotations

from ifbench_tui.engine.ifhardbench.ifhardbench import IFHardBench

__all__ = ["IFHardBench"]
