"""What the tests of stepping, the quiz and the screen share: searches that are written down."""

import functools

import gamesearch
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.tracing.recorder import Recorder
from gamesearch.tracing.recording import Recording, read_recording

TWO_PLY = "[[3,12,8],[2,4,6],[14,5,2]]"
SEARCHES = (
    (TWO_PLY, "", "alphabeta"),
    (TWO_PLY, "", "minimax"),
    (TWO_PLY, "", "alphabeta(fail=hard)"),
    ("tictactoe", "XX./OX./.OO", "alphabeta(table=true, window=null)"),
    ("tictactoe", "X../.O./..X", "alphabeta(table=true, deepen=true)"),
    ("pig(target=12)", "", "expectiminimax(depth=3, pruning=star2)"),
    ("{1/2: 8, 1/3: 24, 1/6: -12}", "", "expectiminimax"),
    ("[(1,2,6),(4,2,3)]", "", "maxn"),
)
"""The lecture's tree, a real game with a table, chance, and three players."""


@functools.cache
def recorded(
    game_text: str = TWO_PLY, position: str = "", algorithm_text: str = "alphabeta", most: int = 10_000
) -> Recording:
    """A search as it is read back."""
    game, state = gamesearch.load(game_text).setup(position)
    algorithm = load_algorithm(algorithm_text)
    recorder = Recorder(game, state, algorithm, most)
    result = gamesearch.search(game, state, algorithm, observer=recorder)
    return read_recording(recorder.text(result))
