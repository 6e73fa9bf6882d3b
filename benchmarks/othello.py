"""Measure perft of Othello, and search the FFO's endings 1 to 19, with 14 to 16 empty squares, to the end."""

import gamesearch
from benchmarks.measuring import best_seconds, problems_of, rate
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.study.suites import Problem

PERFT = 3_005_288
"""The number of leaves at depth 9, on which many programs agree."""
MOST_NODES = 1_000_000_000
"""The node limit of a search, which takes seconds. Only searches without move ordering reach this limit."""
ALGORITHMS = {
    "alphabeta": "alphabeta(depth=full)",
    "with order": "alphabeta(depth=full, order=game)",
    "with table": "alphabeta(depth=full, table=true)",
    "with both": "alphabeta(depth=full, order=game, table=true)",
    "full": "alphabeta(depth=full, order=game, table=true, bounds=true, window=null)",
}


def count_leaves() -> None:
    """Perft to depth 9, compiled: the fastest of five runs."""
    game = gamesearch.load("othello")
    leaves = gamesearch.perft(game, game.initial(), 9)
    seconds = best_seconds(lambda: gamesearch.perft(game, game.initial(), 9), runs=5)
    verdict = "as published" if leaves == PERFT else f"BUT {PERFT:,} ARE PUBLISHED"
    print(f"perft 9: {leaves:,} {verdict}, {seconds:.3f} s, {rate(leaves, seconds)} leaves/s")


def run_suite(endgames: list[Problem], name: str) -> None:
    """Search every ending, and compare value and best move."""
    game = gamesearch.load("othello")
    algorithm = load_algorithm(ALGORITHMS[name])
    print(f"{name}: {ALGORITHMS[name]}")
    search_with(game, game.parse(endgames[0].position), algorithm, gamesearch.Limits(FULL_DEPTH, None, 3_000_000))
    all_nodes, all_seconds, wrong, stopped = 0, 0.0, 0, 0
    for number, endgame in enumerate(endgames, 1):
        state, scores = game.parse(endgame.position), endgame.values
        result = search_with(game, state, algorithm, gamesearch.Limits(FULL_DEPTH, None, MOST_NODES))
        nodes, seconds = result.statistics.nodes, result.statistics.seconds
        all_nodes += nodes
        all_seconds += seconds
        said = f"  #{number}, {endgame.position.count('-')} empty: "
        if result.stopped:
            stopped += 1
            print(f"{said}given up after {nodes:,} nodes, {seconds:.2f} s", flush=True)
            continue
        assert isinstance(result.value, float)
        assert result.best is not None
        value = round(result.value if game.player(state) == gamesearch.MAX else -result.value)
        best, most = game.move_name(state, result.best), max(scores.values())
        is_right = value == scores[best] == most
        wrong += not is_right
        verdict = "" if is_right else f" BUT THE FFO HAS {most:+g}, AND {scores[best]:+g} FOR {best}"
        print(f"{said}{best} {value:+}{verdict}, {nodes:,} nodes, {seconds:.3f} s", flush=True)
    print(
        f"  together: {wrong} wrong, {stopped} given up, {all_nodes:,} nodes, {all_seconds:.2f} s, "
        f"{rate(all_nodes, all_seconds)} nodes/s",
        flush=True,
    )


def main() -> None:
    """Print the results for perft, and for the endings with more and more search techniques switched on."""
    count_leaves()
    endgames = problems_of("othello_fforum-1-19.obf", "the FFO's endgames")
    for name in ALGORITHMS if endgames else ():
        run_suite(endgames, name)
