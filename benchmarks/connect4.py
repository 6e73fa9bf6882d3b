"""Solve all positions of small boards of Connect Four, and search test positions with known scores."""

import runpy
import sys
from pathlib import Path

import gamesearch
from benchmarks.measuring import problems_of, rate
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.node.workspace import FULL_DEPTH

SHARED = Path(__file__).parents[2] / "shared"
BOARDS = {"rows=4, columns=4": 161_029, "rows=5, columns=4": 1_706_255, "rows=4, columns=5": 3_945_711}
"""The number of reachable positions (John Tromp)."""
ALGORITHMS = {
    "minimax": "minimax(depth=full)",
    "alphabeta": "alphabeta(depth=full)",
    "with order": "alphabeta(depth=full, order=game)",
    "with table": "alphabeta(depth=full, order=game, table=true, memory=128)",
    "full": "alphabeta(depth=full, order=game, table=true, bounds=true, window=null, memory=128)",
}
SUITES = {
    "end_easy": tuple(ALGORITHMS),
    "middle_easy": ("with table", "full"),
    "middle_medium": ("full",),
    "begin_easy": ("full",),
}


def solve_boards() -> None:
    """Value every reachable position, and compare their number with Tromp's."""
    for parameters, positions in BOARDS.items():
        game = gamesearch.load(f"connect4({parameters})")
        gamesearch.solve(game, game.initial(), "memo")  # to be compiled
        found = gamesearch.solve(game, game.initial(), "memo")
        verdict = "as Tromp counts" if found.positions == positions else f"BUT TROMP COUNTS {positions:,}"
        print(
            f"{parameters}: value {found.value:g}, {found.positions:,} positions {verdict}, {found.seconds:.2f} s, "
            f"{rate(found.positions, found.seconds)}/s, {found.bytes / 2**20:.0f} MB (goal: 2 M/s)"
        )


def run_suite(suite: str, name: str) -> None:
    """Search every position of a suite, and compare the scores."""
    game = gamesearch.load("connect4")
    algorithm = load_algorithm(ALGORITHMS[name])
    limits = gamesearch.Limits(depth=FULL_DEPTH)
    scored = problems_of(f"connect4_{suite}.txt", f"the scored positions of {suite}")
    wrong = nodes = 0
    seconds = 0.0
    for problem in scored:
        state = game.parse(problem.position)
        if game.terminal(state):
            value, sign = float(game.utility(state)), 1
        else:
            result = search_with(game, state, algorithm, limits)
            assert isinstance(result.value, float)
            value = result.value
            nodes += result.statistics.nodes
            seconds += result.statistics.seconds
        sign = 1 if game.player(state) == gamesearch.MAX else -1
        wrong += value * sign != problem.score
    count = len(scored)
    print(
        f"  {suite}, {name}: {count} positions, {wrong} wrong, {nodes / count:,.0f} nodes and "
        f"{seconds / count * 1e3:.3f} ms each, {rate(nodes, seconds)} nodes/s",
        flush=True,
    )


def main() -> None:
    """Print the results for the boards, for the suites, and for an alpha-beta program that only plays this game."""
    solve_boards()
    if not (SHARED / "data").is_dir():
        print("the files with scored positions are missing")
        return
    state = gamesearch.load("connect4").parse("555555333333222")
    for text in ALGORITHMS.values():  # to be compiled
        search_with(gamesearch.load("connect4"), state, load_algorithm(text), gamesearch.Limits(FULL_DEPTH, None, 100))
    # The first use of a table's memory takes time, so it happens before the timing.
    limits = gamesearch.Limits(FULL_DEPTH, None, 3_000_000)
    search_with(gamesearch.load("connect4"), state, load_algorithm(ALGORITHMS["full"]), limits)
    search_with(
        gamesearch.load("connect4"), gamesearch.load("connect4").initial(), load_algorithm(ALGORITHMS["full"]), limits
    )
    for suite, names in SUITES.items():
        for name in names:
            run_suite(suite, name)
    if (SHARED / "spikes" / "generic_alphabeta").is_dir():
        print("for comparison, generic_alphabeta, a program that only plays this game:")
        sys.path.insert(0, str(SHARED / "spikes"))
        runpy.run_module("generic_alphabeta", run_name="__main__")
