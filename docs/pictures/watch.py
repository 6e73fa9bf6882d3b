"""Draw docs/pictures/watch.svg, the screen of `gamesearch watch` at a cutoff."""

import asyncio
from pathlib import Path

import gamesearch
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.trace.recorder import Recorder
from gamesearch.tui.watch_screen import WatchApp

TREE = "[[3,12,8],[2,4,6],[14,5,2]]"
SIZE = (84, 20)


async def picture() -> str:
    """Go to the first cutoff, and return the screen as SVG."""
    game, state = gamesearch.load(TREE).setup("")
    algorithm = load_algorithm("alphabeta")
    recorder = Recorder(game, state, algorithm)
    result = gamesearch.search(game, state, algorithm, observer=recorder)
    app = WatchApp(recorder.finish(result))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("c")
        drawn = app.export_screenshot(title="gamesearch watch")
    # Without the links to fonts, the picture needs no network.
    start, end = drawn.index("@font-face"), drawn.rindex("@font-face")
    end = drawn.index("}", end) + 1
    return drawn[:start] + drawn[end:]


if __name__ == "__main__":
    Path(__file__).with_name("watch.svg").write_text(asyncio.run(picture()), encoding="utf-8")
