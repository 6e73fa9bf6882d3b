"""Measure the speed of perft and alpha-beta in chess, and compare it with python-chess and Stockfish."""

import os
import shutil
import subprocess
from functools import partial

import gamesearch
from benchmarks.measuring import best_seconds

POSITIONS = (
    ("start", "", 5),
    ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    ("position 4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5),
)
"""Names, positions, and the depth of perft (CPW, "Perft Results")."""
SEARCHES = (
    ("alphabeta(depth={})", 3),
    ("alphabeta(depth={}, order=game)", 2),
    ("alphabeta(depth={}, order=game+killer+history, table=true)", 2),
)
"""Searches with material-only evaluation. Searches with python-chess's rules are shallower by the given number of
plies."""
DEPTH = 6
LESS = 2
"""With python-chess's rules, perft is shallower by this number of plies."""
REPEATS = 3


def stockfish_leaves(position: str, depth: int) -> tuple[str, float]:
    """The perft count of Stockfish, and its time in seconds without the time to start (measured by perft 1)."""
    program = shutil.which("stockfish", path=f"{os.environ.get('PATH', '')}:/usr/games")
    if program is None:
        return "", 0.0

    def count(plies: int) -> str:
        place = f"fen {position}" if position else "startpos"
        text = f"position {place}\ngo perft {plies}\nquit\n"
        return subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout

    seconds = best_seconds(lambda: count(depth)) - best_seconds(lambda: count(1))
    return count(depth).rpartition("Nodes searched: ")[2].strip(), seconds


def print_perft() -> None:
    """Print the leaves of perft per second for each position."""
    game, other = gamesearch.load("chess"), gamesearch.load("chess(rules=python-chess)")
    for name, position, depth in POSITIONS:
        ours = game.parse(position) if position else game.initial()
        theirs = other.parse(position) if position else other.initial()
        leaves, less = gamesearch.perft(game, ours, depth), gamesearch.perft(other, theirs, depth - LESS)
        seconds = best_seconds(partial(gamesearch.perft, game, ours, depth))
        slow = best_seconds(partial(gamesearch.perft, other, theirs, depth - LESS))
        text = f"perft {depth}, {name}: {leaves:,} leaves, {leaves / seconds / 1e6:.0f} M/s (goal: 50)"
        text += f"; by python-chess {less / slow / 1e6:.2f} M/s"
        counted, fish = stockfish_leaves(position, depth)
        if counted:
            text += f"; Stockfish {counted}, {int(counted) / fish / 1e6:.0f} M/s"
        print(text, flush=True)


def print_searches() -> None:
    """Print the nodes per second of each search, with gamesearch's rules and with python-chess's rules."""
    game, other = gamesearch.load("chess"), gamesearch.load("chess(rules=python-chess)")
    for algorithm, less in SEARCHES:
        for name, position, _ in POSITIONS[:2]:
            speeds = []
            for rules, depth in ((game, DEPTH), (other, DEPTH - less)):
                state = rules.parse(position) if position else rules.initial()
                counts = [gamesearch.search(rules, state, algorithm.format(depth)).statistics for _ in range(REPEATS)]
                speeds.append((counts[0].nodes, max(each.nodes / each.seconds for each in counts)))
            (nodes, fast), (_, slow) = speeds
            print(
                f"{algorithm.format(DEPTH)}, {name}: {nodes:,} nodes, {fast / 1e6:.2f} M nodes/s (goal: 3); "
                f"by python-chess {slow / 1e3:.0f} k",
                flush=True,
            )


def main() -> None:
    """Print all figures."""
    print_perft()
    print_searches()


if __name__ == "__main__":
    main()
