"""What is on the workbench: the loaded workspace, its verdicts, the session, where one stands."""

from __future__ import annotations

from collections.abc import Sequence

from ifbench_tui.report.glyphs import UNICODE, Glyphs
from ifbench_tui.tui.board_state import BoardState
from ifbench_tui.tui.decisions import Decisions
from ifbench_tui.tui.verdicts import Verdicts
from ifbench_tui.workspace import LoadOptions, Suite, Workspace

__all__ = ["Bench"]


class Bench:
    """State shared by all screens. Screens read it and ask the app to change it."""

    def __init__(
        self,
        paths: Sequence[str],
        options: LoadOptions,
        decisions: Decisions,
        glyphs: Glyphs = UNICODE,
    ) -> None:
        self.paths = list(paths)
        self.options = options
        self.decisions = decisions
        self.glyphs = glyphs
        self.workspace: Workspace | None = None
        self.boards: BoardState | None = None
        self.failure = ""
        self.progress = ""
        self._verdicts: dict[str, Verdicts] = {}
        self._suite = ""
        self._models: dict[str, str] = {}

    def open(self, workspace: Workspace | None) -> None:
        """Put a workspace on the bench; the suite and model in use stay if it has them."""
        self.workspace = workspace
        self.boards = None
        suites = {} if workspace is None else dict(workspace.suites)
        self._verdicts = {name: Verdicts(suite) for name, suite in suites.items()}
        if self._suite not in suites:
            self._suite = next(iter(suites), "")
            place = self.decisions.place()
            self.choose(suite=place.get("suite"), model=place.get("model"))

    @property
    def suite(self) -> Suite | None:
        """The suite in use; None while nothing is loaded."""
        verdicts = self.verdicts
        return None if verdicts is None else verdicts.suite

    @property
    def verdicts(self) -> Verdicts | None:
        """The verdicts of the suite in use."""
        return self._verdicts.get(self._suite)

    def verdicts_of(self, suite: str) -> Verdicts | None:
        """The verdicts of any suite that is loaded."""
        return self._verdicts.get(suite)

    @property
    def suite_id(self) -> str:
        """The benchmark id of the suite in use; "" while nothing is loaded."""
        return self._suite

    @property
    def model(self) -> str:
        """The model in use; "" while nothing is loaded."""
        suite = self.suite
        if suite is None or not suite.models:
            return ""
        chosen = self._models.get(self._suite, "")
        return chosen if chosen in suite.models else suite.models[0]

    def choose(self, *, suite: str | None = None, model: str | None = None) -> None:
        """Use another suite or model; names that are not loaded are ignored."""
        if suite in self._verdicts:
            self._suite = str(suite)
        if model is not None and self.suite is not None and model in self.suite.models:
            self._models[self._suite] = model
