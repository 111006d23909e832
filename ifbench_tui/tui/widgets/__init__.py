"""Reusable panes: each draws lines itself and knows nothing of screens."""
