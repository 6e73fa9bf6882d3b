"""Othello: perft, and the FFO's endgames 1 to 19, 14 to 16 empty squares, to the end."""

import time
from pathlib import Path

import gamesearch
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.parts.searcher import search_with
from gamesearch.algorithms.parts.workspace import FULL_DEPTH

SHARED = Path(__file__).parents[2] / "shared"
SUITE = "othello_fforum-1-19.obf"
PERFT = 3_005_288
"""The leaves at depth 9, which many programs agree on."""
MOST_NODES = 1_000_000_000
"""After so many, some seconds, a search is given up; only without ordering does it come to that."""
ALGORITHMS = {
    "alphabeta": "alphabeta(depth=full)",
    "with order": "alphabeta(depth=full, order=game)",
    "with table": "alphabeta(depth=full, table=true)",
    "with both": "alphabeta(depth=full, order=game, table=true)",
    "full": "alphabeta(depth=full, order=game, table=true, bounds=true, window=null)",
}
Endgame = tuple[str, dict[str, int]]


def count_leaves() -> None:
    """Perft to depth 9, compiled, at the quickest of five runs."""
    game = gamesearch.load("othello")
    gamesearch.perft(game, game.initial(), 1)  # to be compiled
    seconds = []
    for _ in range(5):
        begun = time.perf_counter()
        leaves = gamesearch.perft(game, game.initial(), 9)
        seconds.append(time.perf_counter() - begun)
    verdict = "as published" if leaves == PERFT else f"BUT {PERFT:,} ARE PUBLISHED"
    print(f"perft 9: {leaves:,} {verdict}, {min(seconds):.3f} s, {leaves / min(seconds) / 1e6:.0f} M leaves/s")


def read_suite() -> list[Endgame]:
    """Each position, and what each move is worth to the side that moves."""
    endgames = []
    for line in (SHARED / "data" / SUITE).read_text().splitlines():
        position, *scored = [field.strip() for field in line.split(";") if field.strip()]
        endgames.append((position, {move.lower(): int(score) for move, score in (each.split(":") for each in scored)}))
    return endgames


def run_suite(endgames: list[Endgame], name: str) -> None:
    """Search every endgame, and compare value and best move."""
    game = gamesearch.load("othello")
    algorithm = load_algorithm(ALGORITHMS[name])
    print(f"{name}: {ALGORITHMS[name]}")
    search_with(game, game.parse(endgames[0][0]), algorithm, gamesearch.Limits(FULL_DEPTH, None, 3_000_000))
    all_nodes, all_seconds, wrong, stopped = 0, 0.0, 0, 0
    for number, (position, scores) in enumerate(endgames, 1):
        state = game.parse(position)
        result = search_with(game, state, algorithm, gamesearch.Limits(FULL_DEPTH, None, MOST_NODES))
        nodes, seconds = result.statistics.nodes, result.statistics.seconds
        all_nodes += nodes
        all_seconds += seconds
        said = f"  #{number}, {position.count('-')} empty: "
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
        verdict = "" if is_right else f" BUT THE FFO HAS {most:+}, AND {scores[best]:+} FOR {best}"
        print(f"{said}{best} {value:+}{verdict}, {nodes:,} nodes, {seconds:.3f} s", flush=True)
    print(
        f"  together: {wrong} wrong, {stopped} given up, {all_nodes:,} nodes, {all_seconds:.2f} s, "
        f"{all_nodes / all_seconds / 1e6:.1f} M nodes/s",
        flush=True,
    )


def main() -> None:
    """Print the figures of perft, then of the endgames with more and more of the search switched on."""
    count_leaves()
    if not (SHARED / "data" / SUITE).is_file():
        print("the FFO's endgames are not here")
        return
    endgames = read_suite()
    for name in ALGORITHMS:
        run_suite(endgames, name)
