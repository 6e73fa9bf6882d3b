"""Solve several boards of Kalah from the start, for the exact difference of the stores."""

import gamesearch
from benchmarks.measuring import effort
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.node.workspace import FULL_DEPTH

BOARDS = (
    "pits=4, seeds=4",
    "pits=4, seeds=4, empty_capture=true",
    "pits=6, seeds=3",
    "pits=6, seeds=3, empty_capture=true",
)
ALGORITHM = "alphabeta(depth=full, order=game, table=true, bounds=true, window=null, memory=512)"


def main() -> None:
    """Print value, nodes and seconds for each board."""
    algorithm = load_algorithm(ALGORITHM)
    print(ALGORITHM)
    for parameters in BOARDS:
        game = gamesearch.load(f"kalah({parameters})")
        state = game.initial()
        search_with(game, state, algorithm, gamesearch.Limits(FULL_DEPTH, None, 1000))  # to be compiled
        found = search_with(game, state, algorithm, gamesearch.Limits(FULL_DEPTH))
        assert found.value is not None
        print(f"  {parameters}: South wins by {found.value:g}, {effort(found.statistics)}", flush=True)
