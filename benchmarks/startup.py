"""How long commands take as whole processes, and how long a first compilation takes."""

import os
import subprocess
import sys
import tempfile
import time

import gamesearch

MODULE = [sys.executable, "-m", "gamesearch"]
GAMES = ("tictactoe", "connect4", "nim", "pig", "tree", "random_tree", "gomoku", "backgammon", "draughts", "buildorder")


def seconds(command: list[str], runs: int = 1, **environment: str) -> float:
    """The quickest of so many runs."""
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, **environment})
        times.append(time.perf_counter() - begun)
    return min(times)


def main() -> None:
    """Print start-up times, then cold and warm times of an analysis of each compiled game."""
    imports = seconds([sys.executable, "-c", "import click, rich"], 10)
    usage = seconds([*MODULE, "--help"], 10)
    print(f"--help {usage * 1e3:.0f} ms, importing click and rich {imports * 1e3:.0f} ms:", end=" ")
    print(f"{usage / imports:.2f} times (goal: 2.5)")
    with tempfile.TemporaryDirectory() as cache:
        for game in GAMES:
            chance = gamesearch.load(game).chance
            algorithm = "expectiminimax(depth=2, pruning=star1)" if chance else "alphabeta(depth=2, order=game)"
            command = [*MODULE, "analyze", game, "--algorithm", algorithm]
            cold, warm = seconds(command, XDG_CACHE_HOME=cache), seconds(command, 3, XDG_CACHE_HOME=cache)
            print(
                f"analyze {game}: {cold:.1f} s with an empty cache, {warm:.2f} s after (goals: 10 s, 1 s)", flush=True
            )
