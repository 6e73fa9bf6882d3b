"""Measure the speed of learning from self-play, for each game with patterns or a network.

The games are played by `gamesearch learn --method td`, compiled, on one core. To choose a move, the positions after all
moves are evaluated. Each position of the game is learned. The patterns and the numbers of hidden units were chosen for
the weights that come with gamesearch, or in experiments. `python -m benchmarks.learning` prints a row for each game.
"""

import time

from gamesearch.learn.method import Task
from gamesearch.learn.training import kind_of_method, settings_for
from gamesearch.registry import load

__all__ = ["main"]

GAMES: dict[str, tuple[str | None, int | None]] = {
    "othello": ("own", None),
    "connect4": ("own", None),
    "morris": ("own", None),
    "checkers": ("own", None),
    "draughts": ("own", None),
    "chess": ("own", None),
    "backgammon": (None, 128),
    "kalah": (None, 24),
    "gomoku": (None, 16),
    "hex(size=7)": (None, 24),
    "pig(target=20)": (None, 20),
}
"""The patterns or the number of hidden units of each game."""
LEAST_SECONDS, RUNS = 1.0, 3


def measure(name: str, patterns: str | None, hidden: int | None) -> tuple[float, float, float]:
    """Games, evaluated positions and learned positions per second, in the best of several runs."""
    settings = settings_for(load(name), "td", 1_000_000, 0, None, 1, patterns, hidden)
    method = kind_of_method(settings)(settings)
    count, best = 5, (0.0, 0.0, 0.0)
    state = method.play(Task(settings, 0, count, method.state, "compiled"))  # which compiles
    runs = 0
    while runs < RUNS:
        learned = {each: state[each] for each in method.state}
        began = time.process_time()
        state = method.play(Task(settings, count, count, learned, "compiled"))
        seconds = time.process_time() - began
        if seconds < LEAST_SECONDS:
            count *= 2
            continue
        looked_at, noted = state["counts"]
        best = max(best, (count / seconds, looked_at / seconds, noted / seconds))
        runs += 1
    return best


def main() -> None:
    """Print a row for each game."""
    print(f"{'game':16} {'learned':>12} {'games/s':>9} {'positions/s':>12} {'updates/s':>10}")
    for name, (patterns, hidden) in GAMES.items():
        games, positions, updates = measure(name, patterns, hidden)
        learned = "patterns" if patterns else f"{hidden} units"
        print(f"{name:16} {learned:>12} {games:9,.0f} {positions:12,.0f} {updates:10,.0f}", flush=True)


if __name__ == "__main__":
    main()
