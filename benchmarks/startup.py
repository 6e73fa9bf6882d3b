"""Measure the time of commands, from the start to the end of the process, and the time of first compilations."""

import os
import subprocess
import sys
import tempfile

import gamesearch
from benchmarks.measuring import best_seconds
from gamesearch import compiler
from gamesearch.registry import game_names

MODULE = [sys.executable, "-m", "gamesearch"]


def seconds(command: list[str], runs: int = 1, **environment: str) -> float:
    """The time of the fastest of several runs, in seconds."""
    settings = {**os.environ, **environment}
    return best_seconds(lambda: subprocess.run(command, check=True, capture_output=True, env=settings), runs)


def largest_algorithm(game: gamesearch.Game) -> str:
    """The algorithm that has the most code to compile of all algorithms for a game."""
    if len(game.names) > 2:
        return "maxn(depth=2)"
    return f"{'expectiminimax' if game.chance else 'alphabeta'}(depth=2, order=game, table=true)"


def main() -> None:
    """Print startup times, then cold and warm times of an analysis of each compiled game."""
    imports = seconds([sys.executable, "-c", "import click, rich"], 10)
    usage = seconds([*MODULE, "--help"], 10)
    print(f"--help {usage * 1e3:.0f} ms, importing click and rich {imports * 1e3:.0f} ms:", end=" ")
    print(f"{usage / imports:.2f} times (goal: 2.5)")
    longest = 0.0
    for game in map(gamesearch.load, game_names()):
        if compiler.speed_for(game, "auto") == "interpreted":
            continue
        command = [*MODULE, "analyze", game.name, "--algorithm", largest_algorithm(game)]
        with tempfile.TemporaryDirectory() as cache:
            cold, warm = (seconds(command, runs, XDG_CACHE_HOME=cache) for runs in (1, 3))
        longest = max(longest, cold)
        print(
            f"analyze {game.name}: {cold:.1f} s with an empty cache, {warm:.2f} s after (goals: 10 s, 1 s)", flush=True
        )
    print(f"the longest first compilation, as a whole process: {longest:.1f} s (goal: 10 s)")
