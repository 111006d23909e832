"""Where sessions live."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ifbench_tui.store.session import Session

__all__ = ["default_session_path", "throwaway_session"]


def default_session_path() -> Path:
    """The session used when none is named: in the user's data folder of this platform."""
    # Imported here: everything else in the store needs the standard library only.
    from platformdirs import user_data_path

    return user_data_path("ifbench-tui", appauthor=False) / "session.ifb"


def throwaway_session() -> Session:
    """A session in a temporary folder that is removed when it is closed."""
    folder = tempfile.TemporaryDirectory(prefix="ifbench-")
    return Session.open(Path(folder.name) / "demo.ifb", on_close=folder.cleanup)
