"""Where the files that come with the package are: in the wheel, or in a checkout beside it."""

from __future__ import annotations

from pathlib import Path

from ifbench_tui.errors import IfbenchError

__all__ = ["ResourceError", "sample_data_folder", "themes_folder"]


class ResourceError(IfbenchError):
    """Files that belong to the package are missing."""


def sample_data_folder() -> Path:
    """The sample data that `demo` opens. Raises `ResourceError`."""
    return _folder("sample_data")


def themes_folder() -> Path:
    """The themes that come with the package. Raises `ResourceError`."""
    return _folder("themes")


def _folder(name: str) -> Path:
    package = Path(__file__).resolve().parent
    for folder in (package / f"_{name}", package.parent / name):
        if folder.is_dir():
            return folder
    raise ResourceError(f"the packaged folder {name} is missing: install the package again")
