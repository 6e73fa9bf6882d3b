"""Measure the time that two threads need to reach a depth, relative to one thread."""

import argparse
import math
import os
import random
from collections.abc import Iterator
from typing import Any

import gamesearch
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits, Statistics
from gamesearch.algorithms.engine.searcher import search_with

__all__ = ["main"]

EXACT = "alphabeta(deepen=true, table=true, order=game+killer+history)"
DEPTHS = {
    EXACT: {"chess": 7, "othello": 10, "connect4": 16},
    "pvs": {"chess": 13, "othello": 15, "connect4": 22},
}
"""The depth for each algorithm and game. One thread takes from some tenths of a second to some seconds."""
PLIES = {"chess": 8, "othello": 12, "connect4": 6}
"""The number of random moves before a position."""
SEED = 1


def positions(name: str, count: int) -> Iterator[Any]:
    """Positions after random moves, which are the same in each run."""
    game, source = gamesearch.load(name), random.Random(SEED)
    while count:
        s = game.initial()
        for _ in range(PLIES[name]):
            if not game.terminal(s):
                s = game.result(s, source.choice(game.steps(s)))
        if not game.terminal(s):
            count -= 1
            yield s


def mean(ratios: list[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def measure(text: str, name: str, count: int, turns: int, threads: int) -> list[float]:
    """For each position, the time of several threads relative to one thread, each in the best of several runs."""
    game, depth, ratios = gamesearch.load(name), DEPTHS[text][name], []
    algorithms = {number: load_algorithm(text, {"threads": number}) for number in (1, threads)}
    search_with(game, game.initial(), algorithms[1], Limits(depth=2))  # to be compiled
    shares = []
    for s in positions(name, count):
        best: dict[int, Statistics] = {}
        for _ in range(turns):
            for number, algorithm in algorithms.items():
                found = search_with(game, s, algorithm, Limits(depth=depth)).statistics
                if number not in best or found.seconds < best[number].seconds:
                    best[number] = found
        ratios.append(best[threads].seconds / best[1].seconds)
        shares.append(best[threads].nodes / threads / best[1].nodes)
    print(
        f"  {name}, depth {depth}: {mean(ratios):.2f} of the time of one ({min(ratios):.2f} to {max(ratios):.2f}), "
        f"{mean(shares):.2f} of its nodes for each thread",
        flush=True,
    )
    return ratios


def main() -> None:
    """Print all figures."""
    options = argparse.ArgumentParser()
    options.add_argument("--positions", type=int, default=10, help="positions of each game (10)")
    options.add_argument("--turns", type=int, default=3, help="the number of runs, which alternate (3)")
    options.add_argument("--threads", type=int, default=2, help="the number of threads to compare with one (2)")
    chosen, _ = options.parse_known_args()
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} processors, load average {load:.1f} at the start")
    for text, depths in DEPTHS.items():
        print(f"{text}, {chosen.threads} threads:")
        ratios = [mean(measure(text, name, chosen.positions, chosen.turns, chosen.threads)) for name in depths]
        print(f"  together: {mean(ratios):.2f} of the time of one thread", flush=True)


if __name__ == "__main__":
    main()
