"""IFEval: 25 constraint types, eight text variants, four accuracies.

Add a constraint type by decorating a class in the module of its category (or in a new module of
this folder): `constraint_type(id, *parameters)`. Nothing else needs to know.
"""

from __future__ import annotations

from ifbench_tui.engine.ifeval.ifeval import IFEval

__all__ = ["IFEval"]
