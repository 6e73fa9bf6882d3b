"""Draw docs/pictures/screen.svg, a full-screen game of Connect Four."""

import asyncio
import io
from pathlib import Path

from rich.console import Console

from gamesearch.play.match import Match
from gamesearch.play.players.loading import load_player
from gamesearch.play.sessions.session import Session, Settings
from gamesearch.registry import load
from gamesearch.tui.play_screen import PlayApp

MOVES = "4445533326642"
"""The columns of the moves before the picture; then it is the computer's turn."""
COMPUTER = "alphabeta(depth=6, order=killer+history)"
SIZE = (80, 24)


async def picture() -> str:
    """Return the screen after the computer's reply, with a column selected by the arrow keys."""
    game = load("connect4")
    players = [load_player(text, game, None, "interpreted") for text in ("human", COMPUTER)]
    match = Match(game, game.initial(), players)
    match.begin(match.start, [int(column) - 1 for column in MOVES])
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", _environ={})
    app = PlayApp(Session(match, Settings(name="connect4")), console)
    async with app.run_test(size=SIZE) as pilot:
        while app.state.choosing is None and app.failure is None:
            await pilot.pause(0.1)
        app.view.pane.cursor = (2, 4)
        await pilot.press("up")
        app.state.spent = [95.5, 41.5]  # measured times would differ
        app.view.show()
        await pilot.pause()
        return app.export_screenshot(title="gamesearch play connect4")


if __name__ == "__main__":
    Path(__file__).with_name("screen.svg").write_text(asyncio.run(picture()), encoding="utf-8")
