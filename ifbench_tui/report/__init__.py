"""What leaves: JSON, JSONL, CSV, Markdown, HTML and plain text, made from a workspace and verdicts.

Pure functions: they neither read nor write files.
"""

from __future__ import annotations
