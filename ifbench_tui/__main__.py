"""The program: `ifbench-tui` and `python -m ifbench_tui`."""

from __future__ import annotations

import os
import sys

# Before numpy is imported: our matrices are small, and threads make them slower.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from ifbench_tui.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
