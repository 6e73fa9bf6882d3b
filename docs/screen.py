"""Draws docs/screen.svg, a game of chess on the full screen: `python docs/screen.py`."""

import asyncio
import io
from pathlib import Path

from rich.console import Console

from gamesearch.algorithms.parts.formatting import plural
from gamesearch.play.match import Match
from gamesearch.play.players import load_player
from gamesearch.play.session import Session, Settings
from gamesearch.registry import load
from gamesearch.tui.play_screen import PlayApp

MOVES = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3"
"""The Closed Ruy Lopez, up to where Black, the computer, has to move."""
COMPUTER = "alphabeta(depth=3, table=true, order=game+killer+history)"
SIZE = (112, 32)
PATIENCE = 600
"""How many times it is asked whether the computer has moved."""


async def picture() -> str:
    """The screen after the computer's reply, with a knight that the person is about to move."""
    game = load("chess")
    match = Match(game, game.initial(), [load_player("human", game), load_player(COMPUTER, game)])
    for name in MOVES.split():
        match.play(game.parse_move(match.state, name))
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", _environ={})
    app = PlayApp(Session(match, Settings(name="chess")), console)
    async with app.run_test(size=SIZE) as pilot:
        for _ in range(PATIENCE):
            await pilot.pause(0.1)
            if app.choosing is not None:
                break
        app.spent = [95.0, 41.0]  # the time it took is another on each machine
        await pilot.click("#board", offset=middle_of(app, (7, 1)))
        await pilot.pause(0.3)
        return app.export_screenshot(title=f"gamesearch play chess, after {plural(match.moves_made, 'move')}")


def middle_of(app: PlayApp, place: tuple[int, int]) -> tuple[int, int]:
    """Where a cell of the board is clicked."""
    pane = app.pane
    x, y, width, height = pane.drawing.boxes[place]
    return pane.origin[0] + x + width // 2, pane.origin[1] + y + height // 2


if __name__ == "__main__":
    Path(__file__).with_name("screen.svg").write_text(asyncio.run(picture()), encoding="utf-8")
