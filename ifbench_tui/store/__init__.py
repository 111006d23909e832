"""What people decided: the session file.

A session is an append-only log of events in one SQLite file; what counts now is `replay` of it.
"""

from __future__ import annotations

from ifbench_tui.store.events import (
    Event,
    cell_subject,
    prompt_subject,
    response_subject,
    setting_subject,
    text_digest,
    turn_subject,
)
from ifbench_tui.store.incoming import Incoming, Intake, incoming_lines
from ifbench_tui.store.judge_cache import JudgeCache
from ifbench_tui.store.places import default_session_path, throwaway_session
from ifbench_tui.store.replay import State, replay
from ifbench_tui.store.session import Session

__all__ = [
    "Event",
    "Incoming",
    "Intake",
    "JudgeCache",
    "Session",
    "State",
    "cell_subject",
    "default_session_path",
    "incoming_lines",
    "prompt_subject",
    "replay",
    "response_subject",
    "setting_subject",
    "text_digest",
    "throwaway_session",
    "turn_subject",
]
