"""Two people vote at two desks; their sessions become one board."""

from __future__ import annotations

from pathlib import Path

from ifbench_tui.cli import main
from ifbench_tui.store import Session

from .boards import cast, ratings
from .conftest import MakeApp, screen_text

HERS = (("101", "model_a"), ("102", "model_a"), ("105", "tie"))
HIS = (("101", "model_b"), ("102", "model_a"), ("106", "model_a"))


async def test_merge_the_votes_of_two_annotators_and_read_one_board(
    make_app: MakeApp, session: Session, tmp_path: Path
) -> None:
    for key, winner in HERS:
        cast(session, key, winner, who="ana")
    with Session.open(tmp_path / "ben.ifb") as other:
        for key, winner in HIS:
            cast(other, key, winner, who="ben")
    hers, his = str(session.path), str(tmp_path / "ben.ifb")
    app = make_app(start="ratings")
    async with app.run_test(size=(120, 40)) as pilot:
        await ratings(pilot)
        assert "3 battles" in screen_text(app)
        for _ in range(2):
            # A second merge of the same votes changes nothing.
            assert main(["session", "merge", his, "--session", hers, "-q"]) == 0
            await pilot.press("1", "5")
            await ratings(pilot)
            assert "6 battles" in screen_text(app)
        assert len(session.state().live("vote")) == len(HERS) + len(HIS)
