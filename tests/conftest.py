"""Where the shared reference data is, and how a run of the tests is shared out."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"
PROCESSES = 4
"""More than there may be cores: a test of the app waits half of its time."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Single files run in this process: they are done before others have started."""
    here = config.invocation_params.dir
    return PROCESSES if any((here / name).is_dir() for name in config.args) else 0


def pytest_collection_finish() -> None:
    """What is loaded by now stays: looking for garbage in it took a fifth of the time."""
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of reference data beside the checkout; tests that need it skip where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("reference data is not beside this checkout (../shared)")
    return SHARED
