"""Settings that are chosen in the app."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ifbench_tui.config import ConfigError, save_setting
from ifbench_tui.tui.host import Host

__all__ = ["keep_setting"]


def keep_setting(app: Host, name: str, value: str) -> None:
    """Set a setting for now and in the config file that was read; where that fails, it is said."""
    config, change = app.config, dict[str, Any]({name: value})
    app.config = replace(config, settings=replace(config.settings, **change))
    try:
        save_setting(name, value, config.path)
    except ConfigError as error:
        app.say(str(error), "warning")
