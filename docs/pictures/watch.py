"""Draw docs/pictures/watch.svg, the screen of `gamesearch watch` at a cutoff."""

import asyncio
from pathlib import Path

import gamesearch
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.trace.recorder import Recorder
from gamesearch.tui.watch_screen import WatchApp

TREE = "[[3,12,8],[2,4,6],[14,5,2]]"
SIZE = (84, 20)


async def main() -> None:
    """Go to the cutoff that every lecture shows, and keep the screen as SVG."""
    game, state = gamesearch.load(TREE).setup("")
    algorithm = load_algorithm("alphabeta")
    recorder = Recorder(game, state, algorithm)
    result = gamesearch.search(game, state, algorithm, observer=recorder)
    app = WatchApp(recorder.finish(result))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("c")
        picture = app.export_screenshot(title="gamesearch watch")
    # The fonts come from the reader's own machine: the picture needs no network.
    start, end = picture.index("@font-face"), picture.rindex("@font-face")
    end = picture.index("}", end) + 1
    Path(__file__).with_name("watch.svg").write_text(picture[:start] + picture[end:], encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
