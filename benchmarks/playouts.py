"""Measure the speed of random games, and the cost of patterns in playouts of Go. Runs of different games alternate."""

import time
from typing import Any

import gamesearch
from gamesearch.compiler import kernel, run
from gamesearch.optional import MOST_NOTED, PlayoutGame
from gamesearch.toolkit.bits import mix

__all__ = ["main"]

GAMES = ("go(playouts=uniform)", "go", "hex", "hex(size=7)")
PLAYOUTS, TURNS, COUNTED = 5_000, 5, 50


@kernel
def sum_of_payoffs(game: PlayoutGame[Any], s: Any, seed: int, count: int) -> float:
    """The sum of the payoffs of some random games."""
    total = 0.0
    for i in range(count):
        total += game.random_payoff(s, mix(seed + i))
    return total


def moves_of_a_game(game: Any) -> float:
    """The average number of moves of some random games."""
    s, moves = game.initial(), [0] * MOST_NOTED
    return sum(float(game.random_moves(s, mix(seed), moves, 0)[1]) for seed in range(COUNTED)) / COUNTED


def main() -> None:
    """Print playouts and moves per second on one core: the best of several runs."""
    games = {text: gamesearch.load(text) for text in GAMES}
    best = dict.fromkeys(GAMES, float("inf"))
    for turn in range(TURNS + 1):  # the first run compiles the code
        for text, game in games.items():
            begun = time.perf_counter()
            run(sum_of_payoffs, game, "compiled", game.initial(), turn, PLAYOUTS)
            if turn:
                best[text] = min(best[text], time.perf_counter() - begun)
    for text, game in games.items():
        playouts = PLAYOUTS / best[text]
        moves = playouts * moves_of_a_game(game) / 1e6
        print(f"{text:22} {playouts:>9,.0f} playouts/s of one core, {moves:.1f} M moves/s")
    print(f"patterns take {best['go'] / best['go(playouts=uniform)']:.2f} of the time of uniform playouts of Go")


if __name__ == "__main__":
    main()
