"""Helpers for the tests of full-screen programs: run a script that presses keys in an app, and read the screen."""

import asyncio
from collections.abc import Awaitable, Callable

from textual.pilot import Pilot

from gamesearch.tui.full_screen import FullScreen

__all__ = ["SIZE", "drive", "screen"]

SIZE = (80, 24)


def drive(app: FullScreen, script: Callable[[Pilot[None]], Awaitable[None]], size: tuple[int, int] = SIZE) -> None:
    """Run a script that presses keys in an app; an error in the app fails the test."""

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await script(pilot)

    asyncio.run(run())
    if app.failure is not None:
        raise app.failure


def screen(app: FullScreen) -> str:
    """Return the text on the screen."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)
