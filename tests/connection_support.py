"""A check shared by the tests of Hex and Y."""

from support import playout

from gamesearch.game import MAX, MIN
from gamesearch.games._shared.connection import ConnectionGame

__all__ = ["assert_winning_cells"]


def assert_winning_cells(game: ConnectionGame) -> None:
    """Check that `winning_cells` returns the cells where the next stone wins."""
    for seed in range(6):
        for s in playout(game, seed)[:-1]:
            for turn, stones in ((MAX, s.crosses), (MIN, s.noughts)):
                cells = game.winning_cells(stones, game.empty_cells(s), turn)
                wins = {m for m in game.moves(s) if game.connects(stones | 1 << m, turn)}
                assert sum(1 << cell for cell in wins) == cells
