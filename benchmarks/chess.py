"""Chess: how much of a search is spent in python-chess, and how many nodes a second there are.

py-spy looks at the search from outside, at moments that the search has no part in. A profiler inside the
interpreter either weighs each call, and so the shortest functions most, or looks only where the
interpreter lets signals through, which is where functions begin.
"""

import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import gamesearch

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
SEARCHES = (
    ("", "minimax(depth=3)"),
    ("", "alphabeta(depth=4)"),
    ("", "alphabeta(depth=5, order=game)"),
    (KIWIPETE, "alphabeta(depth=4, order=game)"),
)
SECONDS = 15
"""How long each search is repeated under the profiler."""
RATE = 500
"""Looks a second."""
SEARCH = "search (gamesearch/api.py"
"""The frame that all of a search is under; what is not, is the start of the program."""
PYTHON_CHESS = ("(chess/", "__init__ (<string>")
"""Frames of python-chess. Its moves are dataclasses, whose constructor has no file; a search makes no others."""


def repeat(position: str, algorithm: str) -> None:
    """Search again and again for SECONDS; this is what is profiled."""
    game = gamesearch.load("chess")
    state = game.parse(position)
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        gamesearch.search(game, state, algorithm)


def sampled(position: str, algorithm: str) -> Counter[str]:
    """How often each function, with its file, was found at work in the search."""
    with tempfile.TemporaryDirectory() as folder:
        stacks = Path(folder) / "stacks"
        profiler = [Path(sys.executable).with_name("py-spy"), "record", "--format", "raw", "--function"]
        search = [sys.executable, "-m", "benchmarks.chess", position, algorithm]
        subprocess.run(
            [*profiler, "--rate", str(RATE), "--output", stacks, "--", *search], check=True, capture_output=True
        )
        found: Counter[str] = Counter()
        for line in stacks.read_text().splitlines():
            stack, _, count = line.rpartition(" ")
            if SEARCH in stack:
                found[stack.rpartition(";")[2]] += int(count)
        return found


def main() -> None:
    """Print nodes a second and the share of python-chess; with `-v` what takes the rest."""
    game = gamesearch.load("chess")
    for position, algorithm in SEARCHES:
        counts = gamesearch.search(game, game.parse(position), algorithm).statistics
        found = sampled(position, algorithm)
        inside = sum(count for function, count in found.items() if any(file in function for file in PYTHON_CHESS))
        print(
            f"{algorithm}, {position[:8] or 'start'}: {counts.nodes:,} nodes, "
            f"{counts.nodes / counts.seconds / 1e3:.0f} k nodes/s, "
            f"{100 * inside / found.total():.1f} % of it in python-chess (goal: 70)"
        )
        if "-v" in sys.argv:
            for function, count in found.most_common(25):
                print(f"    {100 * count / found.total():5.1f} %  {function}")


if __name__ == "__main__":
    repeat(*sys.argv[1:])
