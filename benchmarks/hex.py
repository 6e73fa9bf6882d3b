"""Solve small boards of Hex after each first move, and compare proof numbers with alpha-beta on 5x5."""

import functools
import time
from collections.abc import Callable

import gamesearch
from benchmarks.measuring import rate
from benchmarks.proofs import ALPHABETA, MEMORY, Found, after, by_alphabeta, by_proof
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.errors import Interrupted
from gamesearch.solvers.proof.provers import NoRoomError

ALGORITHM = "alphabeta(depth=full, table=true, memory=64, order=game+killer+history, bounds=true, distance=false)"
BOARDS = {3: 5, 4: 4}
"""The number of first cells that win, counted by brute force."""
FIRST_CELLS = tuple(f"{column}{row}" for row in range(1, 6) for column in "abcde")[:13]
"""First cells of Hex on 5x5. The other twelve first cells are these cells, rotated by 180 degrees."""
SECONDS = {"dfpn": 60.0, "pn": 30.0, "pn2": 30.0, "alpha-beta": 10.0}
"""The limit of each search after a first move on 5x5, in seconds of processor time. `dfpn` solves all first moves in
less time."""


def solve_first_cells(size: int) -> None:
    """Search the position after each first move, and compare the number of winning moves with BOARDS."""
    game = gamesearch.load(f"hex({size})")
    algorithm, limits = load_algorithm(ALGORITHM), gamesearch.Limits(FULL_DEPTH)
    start = game.initial()
    search_with(game, game.result(start, next(game.moves(start))), algorithm, limits)  # to be compiled
    wins: list[str] = []
    nodes, seconds = 0, 0.0
    for move in game.moves(start):
        found = search_with(game, game.result(start, move), algorithm, limits)
        nodes += found.statistics.nodes
        seconds += found.statistics.seconds
        if found.value == game.MAXSCORE:
            wins.append(game.move_name(start, move))
    verdict = "as by brute force" if len(wins) == BOARDS[size] else f"BUT BRUTE FORCE FINDS {BOARDS[size]}"
    print(
        f"{size}x{size}: {len(wins)} of {size * size} first cells win, {verdict}: {' '.join(sorted(wins))}; "
        f"{nodes:,} nodes, {seconds:.3f} s, {rate(nodes, seconds)} nodes/s"
    )


def prove_first_cells() -> None:
    """Print the winner on 5x5 after each first cell, and the effort of each search.

    Times are processor times, which depend little on other programs.
    """
    game = gamesearch.load("hex(size=5)")
    searches: dict[str, Callable[..., Found]] = {
        name: functools.partial(by_proof, game, search=name, processor=SECONDS[name]) for name in ("dfpn", "pn", "pn2")
    }
    searches["alpha-beta"] = lambda state: by_alphabeta(game, state, ALPHABETA, SECONDS["alpha-beta"])
    for run in searches.values():
        run(after(game, "c3 b2 c2 d3 d2 e1 a5 b4"))  # to be compiled
    won = []
    for name in FIRST_CELLS:
        values, efforts = set(), []
        for search, run in searches.items():
            begun = time.process_time()
            try:
                value, nodes, _ = run(after(game, name))
            except Interrupted:
                efforts.append(f"{search} not in {SECONDS[search]:.0f} s")
                continue
            except NoRoomError:
                efforts.append(f"{search} out of memory at {MEMORY} MB, after {time.process_time() - begun:.2f} s")
                continue
            values.add(value)
            efforts.append(f"{search} {nodes:,} nodes, {time.process_time() - begun:.2f} s")
        verdict = {(game.MAXSCORE,): "wins", (game.MINSCORE,): "loses", (): "is not known"}.get(
            tuple(values), "IS WON AND LOST"
        )
        won += [name] * (verdict == "wins")
        print(f"5x5 {name} {verdict}: {'; '.join(efforts)}", flush=True)
    turned = 2 * len(won) - (FIRST_CELLS[-1] in won)
    print(f"5x5: {turned} of 25 first cells were found to win: {' '.join(won)}, and these cells rotated by 180 degrees")


def main() -> None:
    """Print the winning first cells of each board, and the effort to find them."""
    for size in BOARDS:
        solve_first_cells(size)
    prove_first_cells()
