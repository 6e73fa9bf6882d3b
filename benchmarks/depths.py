"""Compare the nodes that `pvs` and alpha-beta visit to a depth: `python -m benchmarks.depths chess --positions 4`.

Both algorithms use a table, iterative deepening and the order of moves that the game suggests. The first position is
the initial position. The other positions are random, but always the same.
"""

import argparse
import math

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.commands.measuring.bench.parts import random_positions
from gamesearch.game import REPETITION_DRAWS
from gamesearch.play.players.loading import suggested_order
from gamesearch.registry import load

__all__ = ["main"]

DEPTHS = {"chess": 8, "othello": 12, "checkers": 14, "connect4": 14, "gomoku(size=9)": 6}
MOST_NODES = 50_000_000
"""The node limit of a search. If a search reaches this limit, its position is left out of the mean."""


def compare(name: str, depth: int, positions: int) -> None:
    """Print the nodes of both searches in each position, and the geometric mean of their ratios."""
    game = load(name)
    paths = ", paths=practical" if game.repetition == REPETITION_DRAWS else ""
    options = f"deepen=true, table=true, order={suggested_order(game)}{paths}"
    exact, selective = (load_algorithm(f"{each}({options})") for each in ("alphabeta", "pvs"))
    ratios = []
    for number, s in enumerate(random_positions(game)[:positions]):
        found = [search_with(game, s, each, Limits(depth, nodes=MOST_NODES)) for each in (exact, selective)]
        (nodes, seconds), (fewer, less) = ((each.statistics.nodes, each.statistics.seconds) for each in found)
        stopped = [each.algorithm for each in found if each.stopped]
        if not stopped:
            ratios.append(fewer / nodes)
        print(
            f"{name}, depth {depth}, position {number}: alphabeta {nodes:,} nodes, {seconds:.2f} s; pvs {fewer:,} "
            f"nodes, {less:.2f} s, {fewer / nodes:.4f} of the nodes{'; given up: ' if stopped else ''}"
            f"{' and '.join(stopped)}",
            flush=True,
        )
    if len(ratios) > 1:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"{name}, depth {depth}: {mean:.4f} of the nodes (geometric mean of {len(ratios)})", flush=True)


def main() -> None:
    """Print a row for each game and position."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("games", nargs="*", metavar="GAME", help=f"by default {', '.join(DEPTHS)}")
    options.add_argument("--positions", type=int, default=1, metavar="N", help="positions of each game, at most 8 (1)")
    chosen, _ = options.parse_known_args()
    for name in [each for each in chosen.games if each in DEPTHS] or DEPTHS:
        compare(name, DEPTHS[name], chosen.positions)


if __name__ == "__main__":
    main()
