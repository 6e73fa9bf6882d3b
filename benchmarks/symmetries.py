"""Measure how many nodes, positions and seconds are saved if symmetric positions are treated as one position."""

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits, Statistics
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.registry import load
from gamesearch.solvers.solving import solve

__all__ = ["main"]

ALGORITHM = "alphabeta(deepen=true, table=true, order=game+killer+history, bounds=true)"
SEARCHES = (
    ("tictactoe", 9, ""),
    ("connect4(rows=4, columns=5)", 20, ""),
    ("connect4", 14, ""),
    ("morris", 8, ""),
    ("othello(size=4)", 12, ""),
    ("othello", 9, ""),
    ("hex(size=4)", 16, ""),
    ("gomoku(size=4, connect=4)", 16, ""),
    ("chess", 6, ""),
    ("chess", 8, "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"),
)
"""Games, depths and positions."""
SOLVED = ("tictactoe", "connect4(rows=4, columns=5)", "othello(size=4)", "hex(size=3)", "gomoku(size=4, connect=4)")
TURNS = 3


def best(game_text: str, position: str, depth: int, algorithm: str) -> Statistics:
    """The fastest of several searches."""
    game, asked = load(game_text), load_algorithm(algorithm)
    s = game.parse(position) if position else game.initial()
    found = [search_with(game, s, asked, Limits(depth=depth)).statistics for _ in range(TURNS + 1)]
    return min(found, key=lambda statistics: statistics.seconds)


def main() -> None:
    """Print all figures."""
    print(f"{ALGORITHM}, without and with symmetries=true")
    for name, depth, position in SEARCHES:
        without, once = (best(name, position, depth, ALGORITHM[:-1] + more) for more in (")", ", symmetries=true)"))
        print(
            f"  {name} {position.split(' ')[0]} to depth {depth}: {without.nodes:,} nodes and {once.nodes:,}, "
            f"{once.seconds / without.seconds:.2f} of the time",
            flush=True,
        )
    print("gamesearch solve GAME --method memo, without and with --symmetries")
    for name in SOLVED:
        game = load(name)
        all_of_them, fewer = (solve(game, game.initial(), "memo", symmetries=asked) for asked in (False, True))
        print(f"  {name}: {all_of_them.positions:,} positions and {fewer.positions:,}", flush=True)


if __name__ == "__main__":
    main()
