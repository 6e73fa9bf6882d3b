"""Recorded searches for the tests of stepping, the quiz and the screen."""

import functools

import recordings
from recordings import TWO_PLY

from gamesearch.trace.recording import Recording

__all__ = ["SEARCHES", "TWO_PLY", "recorded"]

SEARCHES = (
    (TWO_PLY, "", "alphabeta"),
    (TWO_PLY, "", "minimax"),
    (TWO_PLY, "", "alphabeta(fail=hard)"),
    ("tictactoe", "XX./OX./.OO", "alphabeta(table=true, window=null)"),
    ("tictactoe", "X../.O./..X", "alphabeta(table=true, deepen=true)"),
    ("pig(target=12)", "", "expectiminimax(depth=3, pruning=star2)"),
    ("{1/2: 8, 1/3: 24, 1/6: -12}", "", "expectiminimax"),
    ("[(1,2,6),(4,2,3)]", "", "maxn"),
    ("[[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]],[(5,1,1),(1,5,2)]]", "a", "paranoid"),
)
"""The lecture's tree, a real game with a table, chance, three players, and paranoid search."""


@functools.cache
def recorded(
    game_text: str = TWO_PLY, position: str = "", algorithm_text: str = "alphabeta", most: int = 10_000
) -> Recording:
    """Record a search; the same recording is returned the next time."""
    return recordings.recorded(game_text, algorithm_text, position, most)
