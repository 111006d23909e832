"""What models answer: judge protocols and generation over an OpenAI-compatible HTTP API.

Protocols are generators: they yield calls, are sent replies and return a row. `run_tasks` drives
them with a `Client`, keeping every reply in a cache so that nothing is paid for twice.
"""

from __future__ import annotations
