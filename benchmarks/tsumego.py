"""Solve positions of life and death in corners of small Go boards, by proof numbers and by alpha-beta."""

import contextlib
import time
from typing import Any

import gamesearch
from benchmarks.proofs import by_alphabeta
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.notation import player_name
from gamesearch.solvers.proof.provers import Prover
from gamesearch.solvers.proof.search import ProofSearch, prover_for

__all__ = ["main"]

MEMORY = 1000
SECONDS = 10.0
"""The limit in processor seconds for alpha-beta."""
ALPHABETA = "alphabeta(depth=40, table=true, memory=256, order=game, bounds=true, window=null, distance=false)"
"""The depth is limited, because captures can be repeated forever without superko."""
GROUPS = (
    ("two in a row", ".XX./XXXX/OOOX/..OX"),
    ("three in a row", ".X.X/XXXX/OOOO/...O"),
    ("three in a row", ".X.XX/XXXXX/XXXXX/OOOOX/...OX"),
    ("three, bent", ".X.XX/XXXXX/OOXXX/.OOXX/..OXX"),
    ("four in a row", ".X.XX/XXXXX/XXXXX/OOOOO/....O"),
    ("four, square", ".X.XX/XXXXX/OOOXX/..OXX/..OXX"),
    ("five, bulky", ".X.XX/XXXXX/OOOXX/..OOX/...OX"),
    ("six, with a stone in the corner", ".X.XX/XXXXX/OOOOX/...OX/O..OX"),
    ("six, two rows of three", ".X.XX/XXXXX/OOOOX/...OX/...OX"),
    ("three in a row", ".X.XXX/XXXXXX/XXXXXX/XXXXXX/OOOOXX/...OXX"),
    ("five, bulky", ".X.XXX/XXXXXX/XXXXXX/OOOXXX/..OOXX/...OXX"),
    ("three in a row", ".X.XXXX/XXXXXXX/XXXXXXX/XXXXXXX/XXXXXXX/OOOOXXX/...OXXX"),
    ("an empty board", ".../.../..."),
    ("an empty board", "..../..../..../...."),
)
"""White's eyes at the lower left, inside living black stones."""


def proven(game: Any, s: Any) -> tuple[Prover, float, int, float]:
    """The result of a method: the proven value, positions and seconds."""
    runner = Runner(game, "compiled")
    runner.begin()
    prover = prover_for(runner, ProofSearch(memory=MEMORY))
    return prover, prover.value(s), int(runner.counts.nodes), runner.seconds


def compare_alphabeta(game: Any, s: Any, value: float) -> str:
    """The effort of alpha-beta for a position, and whether it agrees with the proven value."""
    try:  # the first search compiles, or allocates a table
        found, nodes, seconds = min(
            (by_alphabeta(game, s, ALPHABETA, SECONDS) for _ in range(2)), key=lambda run: run[2]
        )
    except Interrupted:
        return f"alpha-beta not in {SECONDS:.0f} s"
    return f"alpha-beta {nodes:>10,} nodes {seconds:>7.3f} s" + ("" if found == value else f", BUT {found:+4g}")


def row(what: str, position: str) -> None:
    """Print the value, a move that achieves it, positions, memory and time, or a message that the memory was full."""
    game, s = gamesearch.load("go(superko=false)").setup(position)
    warm = Runner(game, "compiled")
    warm.begin()
    with contextlib.suppress(GamesearchError):  # to be compiled
        prover_for(warm, ProofSearch(memory=1)).can_get(game.result(s, next(iter(game.moves(s)))), 1)
    begun = time.perf_counter()
    name = (
        f"{game.parameters()['size']}x{game.parameters()['size']} {what}, {player_name(game, game.player(s))} to move"
    )
    try:
        prover, value, positions, seconds = min((proven(game, s) for _ in range(2)), key=lambda run: run[3])
        move = game.move_name(s, prover.move_that_gets(s, value))
        print(
            f"{name:54} {value:+4g} by {move:4} {positions:>10,} positions {prover.bytes >> 20:>5} MB "
            f"{seconds:>7.3f} s, {compare_alphabeta(game, s, value)}",
            flush=True,
        )
    except GamesearchError:
        print(f"{name:54} no room in {MEMORY} MB, {time.perf_counter() - begun:.0f} s", flush=True)


def main() -> None:
    """Print the results for each position, with either side to move."""
    for what, position in GROUPS:
        for turn in "XO" if "X" in position else "X":
            row(what, f"{position} {turn}")


if __name__ == "__main__":
    main()
