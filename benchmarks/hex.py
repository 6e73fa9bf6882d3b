"""Hex: small boards solved, first cell by first cell."""

import gamesearch
from benchmarks.measuring import rate
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.parts.searcher import search_with
from gamesearch.algorithms.parts.workspace import FULL_DEPTH

ALGORITHM = "alphabeta(depth=full, table=true, memory=64, order=game+killer+history, bounds=true, distance=false)"
BOARDS = {3: 5, 4: 4}
"""How many of the first cells win (counted by brute force)."""


def solve_first_cells(size: int) -> None:
    """Search the position after each first move, and compare the number of those that win."""
    game = gamesearch.load(f"hex({size})")
    algorithm, limits = load_algorithm(ALGORITHM), gamesearch.Limits(FULL_DEPTH)
    start = game.initial()
    search_with(game, game.result(start, next(game.moves(start))), algorithm, limits)  # to be compiled
    wins: list[str] = []
    nodes, seconds = 0, 0.0
    for move in game.moves(start):
        found = search_with(game, game.result(start, move), algorithm, limits)
        nodes += found.statistics.nodes
        seconds += found.statistics.seconds
        if found.value == game.MAXSCORE:
            wins.append(game.move_name(start, move))
    verdict = "as is known" if len(wins) == BOARDS[size] else f"BUT {BOARDS[size]} ARE KNOWN TO WIN"
    print(
        f"{size}x{size}: {len(wins)} of {size * size} first cells win, {verdict}: {' '.join(sorted(wins))}; "
        f"{nodes:,} nodes, {seconds:.3f} s, {rate(nodes, seconds)} nodes/s"
    )


def main() -> None:
    """Print the first cells that win, and what it took to find them."""
    for size in BOARDS:
        solve_first_cells(size)
