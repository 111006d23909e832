"""Faults of the program itself are said and stay on the screen; the app goes on."""

from __future__ import annotations

from .conftest import MakeApp, screen_text, settle


async def test_a_fault_in_a_job_is_said(make_app: MakeApp) -> None:
    app = make_app(model="chatty")

    def job() -> None:
        raise ZeroDivisionError("[/] no luck\x1b[2J")

    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        app.run_worker(job, thread=True, exit_on_error=False, description="a job")
        await settle(pilot)
        assert "a job failed: ZeroDivisionError: [/] no luck␛[2J" in screen_text(app)
        await pilot.press("j")
        await settle(pilot)
        assert "102" in screen_text(app)
