"""The user's settings, keymap and column mappings: one TOML file.

    [settings]
    theme = "hearth"

    [keys]
    "audit.mark" = "x"

    [mappings.my-logs]
    prompt = "question"

`SETTINGS` is the schema: name, default and meaning of every setting. Anything in a file that does
not fit is reported with file, key and line, and left out; the rest holds. A setting that is saved
is the only thing that changes in the file.
"""

from __future__ import annotations

import difflib
import getpass
import math
import os
import re
import tomllib
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from ifbench_tui.errors import IfbenchError
from ifbench_tui.files import write_file

__all__ = [
    "MOST_JOBS",
    "SETTINGS",
    "Config",
    "ConfigError",
    "ConfigProblem",
    "Setting",
    "Settings",
    "annotator_fault",
    "config_path",
    "load_config",
    "parse_config",
    "save_setting",
]

MOST_JOBS = 256
"""Calls to an endpoint at once that a person may ask for."""

_LONGEST_NAME = 100


class ConfigError(IfbenchError):
    """A setting could not be saved; the config file is as it was."""


def annotator_fault(name: str) -> str:
    """Why a text is no annotator's name, in words; "" if it is one."""
    if name and name == name.strip() and name.isprintable() and len(name) <= _LONGEST_NAME:
        return ""
    return f"wanted a name: at most {_LONGEST_NAME} printable characters, no space at the ends"


def _login() -> str:
    try:
        name = getpass.getuser().strip()
    except (KeyError, OSError):
        name = ""
    return "me" if annotator_fault(name) else name


def _meaning(default: Any, words: str) -> Any:
    return field(default=default, metadata={"words": words})


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be set. Flags win over these."""

    theme: str = _meaning("hearth", "name of the theme to start with")
    ascii: bool = _meaning(False, "draw signs in plain ASCII")
    annotator: str = field(
        default_factory=_login, metadata={"words": "whose marks and notes these are"}
    )
    think: str = _meaning("keep", "reasoning traces in responses: keep or strip")
    wrap: bool = _meaning(True, "wrap long lines when the app starts")
    base_url: str = _meaning("", "endpoint of judge and generate, such as http://localhost:8000/v1")
    key_file: str = _meaning("", "file with the endpoint's key, readable by you only")
    ca_file: str = _meaning("", "certificates to trust instead of the usual ones")
    judge_model: str = _meaning("", "the model that judges")
    jobs: int = _meaning(4, f"calls to an endpoint at once, 1 to {MOST_JOBS}")
    price_in: float = _meaning(0.0, "money for a million tokens sent, to tell the cost")
    price_out: float = _meaning(0.0, "money for a million tokens received, to tell the cost")

    @property
    def prices(self) -> tuple[float, float] | None:
        """Money for a million tokens sent and received; None where no price is set."""
        return (self.price_in, self.price_out) if self.price_in or self.price_out else None


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of the schema."""

    name: str
    default: Any
    words: str


SETTINGS: tuple[Setting, ...] = tuple(
    Setting(part.name, getattr(Settings(), part.name), part.metadata["words"])
    for part in fields(Settings)
)

_DEFAULTS = {setting.name: setting.default for setting in SETTINGS}
_CHOICES = {"think": ("keep", "strip")}
_WANTED = {bool: "true or false", str: "a text", int: "a whole number", float: "a number"}


@dataclass(frozen=True, slots=True)
class ConfigProblem:
    """Something in a config file that does not hold."""

    path: str
    key: str
    line: int | None
    reason: str

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.key}: {self.reason}" if self.key else f"{place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Config:
    """A config file, read. `keymap` is by action id; `mappings` by name, field to column.

    `path` is the file, there or not; None where there was none to read.
    """

    settings: Settings = field(default_factory=Settings)
    keymap: Mapping[str, str] = field(default_factory=dict)
    mappings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    problems: tuple[ConfigProblem, ...] = ()
    path: Path | None = field(default=None, compare=False)


def config_path() -> Path:
    """Where the config file is: `IFBENCH_CONFIG`, else the platform's place for this user."""
    if named := os.environ.get("IFBENCH_CONFIG"):
        return Path(named)
    from platformdirs import user_config_path

    return user_config_path("ifbench-tui", appauthor=False) / "config.toml"


def load_config(path: Path | None = None, actions: Collection[str] | None = None) -> Config:
    """Read a config file; one that is absent is empty. Never raises: see `Config.problems`.

    `actions` are the ids that a keymap may name; None for who has no use for keys.
    """
    path = path or config_path()
    try:
        config = parse_config(path.read_text(encoding="utf-8"), str(path), actions)
    except FileNotFoundError:
        config = Config()
    except OSError as error:
        config = Config(problems=(ConfigProblem(str(path), "", None, str(error.strerror)),))
    except UnicodeDecodeError:
        config = Config(problems=(ConfigProblem(str(path), "", None, "is no UTF-8 text"),))
    return replace(config, path=path)


def parse_config(
    text: str, path: str = "config.toml", actions: Collection[str] | None = None
) -> Config:
    """Read the text of a config file; `path` is what problems call it. See `load_config`."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        line = int(found.group(1)) if found else None
        return Config(problems=(ConfigProblem(path, "", line, f"no TOML: {error}"),))
    problems = [
        ConfigProblem(path, key, _line_of(text, key), reason)
        for key, reason in _faults(data, actions)
    ]
    bad = {problem.key for problem in problems}
    settings: dict[str, Any] = {
        name: float(value) if isinstance(_DEFAULTS[name], float) else value
        for name, value in _table(data, "settings").items()
        if f"settings.{name}" not in bad
    }
    keymap = {
        name: keys for name, keys in _table(data, "keys").items() if f"keys.{name}" not in bad
    }
    mappings = {
        name: columns
        for name, columns in _table(data, "mappings").items()
        if not any(key.startswith(f"mappings.{name}") for key in bad)
    }
    return Config(Settings(**settings), keymap, mappings, tuple(problems))


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = data.get(name, {})
    return table if isinstance(table, dict) else {}


def _faults(data: Mapping[str, Any], actions: Collection[str] | None) -> Iterator[tuple[str, str]]:
    """(key, reason) of everything that does not fit the schema."""
    for name, value in data.items():
        if name not in ("settings", "keys", "mappings"):
            yield name, _unknown("table", name, ("settings", "keys", "mappings"))
        elif not isinstance(value, dict):
            yield name, "must be a table"
    yield from _setting_faults(_table(data, "settings"))
    for name, keys in _table(data, "keys").items():
        if actions is not None and name not in actions:
            yield f"keys.{name}", _unknown("action", name, actions)
        elif not isinstance(keys, str):
            yield f"keys.{name}", 'wanted keys as a text, such as "x" or "x,ctrl+x"'
        elif unknown := [key for key in map(str.strip, keys.split(",")) if not _is_key(key)]:
            yield f"keys.{name}", f"{unknown[0]!r:.60} is no key; wanted such as x, ctrl+x or f5"
    for name, columns in _table(data, "mappings").items():
        if not isinstance(columns, dict) or not all(isinstance(c, str) for c in columns.values()):
            yield f"mappings.{name}", "wanted a table of columns, each a text"


_MODIFIERS = {"ctrl", "shift", "alt", "meta", "super", "hyper"}
_KEYS = {
    "backspace", "delete", "down", "end", "enter", "escape", "home", "insert", "left", "pagedown",
    "pageup", "right", "space", "tab", "up", "at", "backslash", "minus", "plus", "slash",
    "underscore", *(f"f{number}" for number in range(1, 25)),
}  # fmt: skip


def _is_key(key: str) -> bool:
    """Whether a terminal could send a key of this name: of a sign its own or its Unicode name."""
    *modifiers, name = key.split("+") if len(key) > 1 else [key]
    if not _MODIFIERS.issuperset(modifiers):
        return False
    if len(name) == 1 or name in _KEYS:
        return name.isprintable() and not name.isspace()
    try:
        return unicodedata.lookup(name.replace("_", " ")).isprintable()
    except KeyError:
        return False


def _setting_faults(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    known = {setting.name: setting for setting in SETTINGS}
    for name, value in table.items():
        key = f"settings.{name}"
        if name not in known:
            yield key, _unknown("setting", name, known)
        elif not _fits(value, type(known[name].default)):
            yield key, f"is {value!r:.60}; wanted {_WANTED[type(known[name].default)]}"
        elif name in _CHOICES and value not in _CHOICES[name]:
            yield key, f"is {value!r:.60}; wanted {' or '.join(_CHOICES[name])}"
        elif name == "annotator" and (fault := annotator_fault(value)):
            yield key, fault
        elif name == "jobs" and not 1 <= value <= MOST_JOBS:
            yield key, f"is {value}; wanted 1 to {MOST_JOBS}"
        elif name.startswith("price_") and not (math.isfinite(value) and value >= 0):
            yield key, f"is {value}; wanted a number from 0"


def _fits(value: Any, kind: type) -> bool:
    return type(value) is kind or (kind is float and type(value) is int)


def _unknown(kind: str, name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), 1)
    return f"no {kind} is called that" + (f"; did you mean {close[0]}?" if close else "")


def _line_of(text: str, key: str) -> int | None:
    """The line a dotted key stands on, found by its table and its last part."""
    table, _, name = key.partition(".")
    inside = not name
    wanted = re.compile(rf"""\s*["']?{re.escape(name or table)}["']?\s*(=|\.)""")
    for number, line in enumerate(text.splitlines(), start=1):
        head = line.split("#")[0].strip()
        if head in (f"[{table}]", f"[{key}]", f'[{table}."{name}"]'):
            if not name or head != f"[{table}]":
                return number
            inside = True
        elif head.startswith("["):
            inside = False
        elif inside and wanted.match(line):
            return number
    return None


def save_setting(name: str, value: Any, path: Path | None = None) -> Path:
    """Set one setting in a config file; all else in it stays as it is, comments and faults too.

    Raises `ConfigError`.
    """
    import tomli_w

    path = path or config_path()
    line = tomli_w.dumps({name: value})
    try:
        try:
            text = path.read_bytes().decode()
        except FileNotFoundError:
            text = ""
        changed = _with_setting(text, name, line)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, [changed])
    except OSError as error:
        reason = f"the file cannot be written: {error.strerror}"
    except UnicodeDecodeError:
        reason = "the file is no UTF-8 text; mend it first"
    except tomllib.TOMLDecodeError as error:
        reason = f"the file is no TOML; mend it first: {error}"
    except LookupError:
        reason = f"write it there yourself, below [settings]: {line.strip()}"
    else:
        return path
    raise ConfigError(f"{path}: {name} is not saved: {reason}")


def _with_setting(text: str, name: str, line: str) -> str:
    """The text of a config file in which `line` sets a setting; raises `LookupError` where that is
    no matter of one line, and `tomllib.TOMLDecodeError`."""
    wanted = _exactly(text)
    wanted["settings"] = {**_table(wanted, "settings"), **_exactly(line)}
    for changed in _changed(text, name, line):
        try:
            if _exactly(changed) == wanted:
                return changed
        except tomllib.TOMLDecodeError:
            continue
    raise LookupError(name)


def _exactly(text: str) -> dict[str, Any]:
    """A TOML text as data that can be compared: numbers as they are written, nan too."""
    return tomllib.loads(text, parse_float=str)


def _changed(text: str, name: str, line: str) -> Iterator[str]:
    """Texts in which a line sets a setting, the first one that means it is right: in the place of
    its value, below the head of the table, in a table of its own."""
    end = "\r\n" if "\r\n" in text else "\n"
    line = line.strip()
    value = line.partition(" = ")[2]
    setting = re.compile(
        rf"""^[ \t]*(?:settings[ \t]*\.[ \t]*)?["']?{name}["']?[ \t]*=[ \t]*"""
        r"""("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s#]+)""",
        re.MULTILINE,
    )
    for found in setting.finditer(text):
        yield text[: found.start(1)] + value + text[found.end(1) :]
    text += "" if not text or text.endswith("\n") else end
    for found in re.finditer(r"^[ \t]*\[[ \t]*settings[ \t]*\].*\n", text, re.MULTILINE):
        yield f"{text[: found.end()]}{line}{end}{text[found.end() :]}"
    yield f"{text}{end if text else ''}[settings]{end}{line}{end}"
