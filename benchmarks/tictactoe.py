"""Measure the time to search the full tree of tic-tac-toe by compiled code, by interpreted code, and by C."""

import shutil
import statistics
import subprocess
import tempfile
from functools import partial
from pathlib import Path

import gamesearch
from benchmarks.measuring import time_call

NODES = 549_946
TWO_LEFT = "XOX/XOO/.X."
"""A position with two empty squares, whose tree has five nodes."""


def quickest(algorithm: str, speed: str, runs: int) -> tuple[gamesearch.SearchResult, float]:
    """The result of a search, and the seconds of the fastest run."""
    game = gamesearch.load("tictactoe")
    results = [gamesearch.search(game, game.initial(), algorithm, speed=speed) for _ in range(runs)]
    return results[-1], min(result.statistics.seconds for result in results)


def c_seconds() -> float | None:
    """The seconds of the same minimax in C, with -O2 or -O3, whichever is faster; None without a C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        for level in ("-O2", "-O3"):
            program = Path(folder) / f"minimax{level}"
            source = Path(__file__).with_name("minimax.c")
            subprocess.run([compiler, level, "-march=native", "-o", program, source, "-lm"], check=True)
            printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()
            assert printed[:2] == ["0", str(NODES)], printed
            seconds.append(float(printed[3]))
    return min(seconds)


def shortest_search(algorithm: str) -> float:
    """The median seconds of a thousand searches of five nodes, which is the fixed cost of a search."""
    game = gamesearch.load("tictactoe")
    state = game.parse(TWO_LEFT)
    with gamesearch.searcher(game, algorithm) as searcher:
        runs = [time_call(partial(searcher.search, state)) for _ in range(1_200)][200:]
    assert {found.statistics.nodes for found, _ in runs} == {5}
    return statistics.median(seconds for _, seconds in runs)


def main() -> None:
    """Print nodes per second, and the ratios."""
    fast, fast_seconds = quickest("minimax", "compiled", 30)
    slow, slow_seconds = quickest("minimax", "interpreted", 2)
    pruned, pruned_seconds = quickest("alphabeta", "compiled", 200)
    assert fast.statistics.nodes == slow.statistics.nodes == NODES
    fast_rate, slow_rate = NODES / fast_seconds, NODES / slow_seconds
    pruned_rate = pruned.statistics.nodes / pruned_seconds
    print(f"minimax, {NODES:,} nodes: compiled {fast_rate / 1e6:.1f} M nodes/s, interpreted {slow_rate / 1e6:.2f} M")
    print(f"  compiled is {fast_rate / slow_rate:.0f} times as fast as interpreted (goal: 50)")
    in_c = c_seconds()
    if in_c is None:
        print("  no C compiler (cc) to compare with")
    else:
        print(f"  the same program in C: {NODES / in_c / 1e6:.1f} M nodes/s,")
        print(f"  gamesearch has {in_c / fast_seconds:.2f} times the speed of C (goal: 0.5)")
    print(f"alphabeta, {pruned.statistics.nodes:,} nodes: {pruned_rate / 1e6:.1f} M nodes/s,")
    print(f"  {pruned_rate / fast_rate:.2f} times the speed of minimax (goal: 0.5)")
    for algorithm in ("minimax", "alphabeta"):
        print(f"{algorithm}, a search of five nodes: {1e6 * shortest_search(algorithm):.0f} us (goal: 60)")
