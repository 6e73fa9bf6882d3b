"""Chess: how much of a search is spent in python-chess, and how many nodes a second there are."""

import signal
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType

import chess

import gamesearch

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
SEARCHES = (
    ("", "minimax(depth=3)"),
    ("", "alphabeta(depth=5, order=game)"),
    (KIWIPETE, "alphabeta(depth=3, order=game)"),
)
SECONDS = 5
"""How long each search is repeated under the profiler: some thousand looks."""
INTERVAL = 0.001
"""Seconds of processor time between two looks at what runs; a profiler that counts every call would
take most of its time for the shortest functions."""


def sampled(work: Callable[[], object]) -> Counter[tuple[str, str]]:
    """How often each function, by file and name, was found at the top of the stack."""
    found: Counter[tuple[str, str]] = Counter()

    def look(_: int, frame: FrameType | None) -> None:
        if frame is not None:
            found[frame.f_code.co_filename, frame.f_code.co_qualname] += 1

    before = signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)
    try:
        work()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return found


def main() -> None:
    """Print nodes a second and the share of python-chess; with `-v` what takes the rest."""
    game = gamesearch.load("chess")
    for position, algorithm in SEARCHES:
        state = game.parse(position)
        counts = gamesearch.search(game, state, algorithm).statistics
        runs = max(1, round(SECONDS / counts.seconds))
        found = sampled(lambda: [gamesearch.search(game, state, algorithm) for _ in range(runs)])
        # Moves are dataclasses of python-chess, whose constructor has no file.
        inside = sum(count for (file, _), count in found.items() if file in (chess.__file__, "<string>"))
        print(
            f"{algorithm}, {position[:8] or 'start'}: {counts.nodes:,} nodes, "
            f"{counts.nodes / counts.seconds / 1e3:.0f} k nodes/s, "
            f"{100 * inside / found.total():.0f} % of it in python-chess (goal: 70)"
        )
        if "-v" in sys.argv:
            for (file, name), count in found.most_common(25):
                print(f"    {100 * count / found.total():5.1f} %  {file.rpartition('/')[2]}  {name}")
