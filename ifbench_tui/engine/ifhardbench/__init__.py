"""IFHardBench: 64 requirement types in five families, one normalised answer, three metrics.

Add a requirement type by decorating a class in the module of its family (or in a new module of
this folder): `constraint_type(id)`. Nothing else needs to know.
"""

from __future__ import annotations

__all__ = ["BENCHMARK_ID"]

BENCHMARK_ID = "ifhardbench"
"""Its id in files and in the registry; reading its files needs none of its checks."""
