"""Compare the speed of Connect Four with BitBully, a C++ solver that only plays this game.

Run `pip install bitbully`, then `python -m benchmarks.bitbully`. Both programs score the same random positions in turn,
without a book, and keep their tables from one position to the next. Then both programs score all moves of two positions
that take longer. Only the scoring is timed. Before the timing starts, positions are parsed, and both programs use
their tables once, because the first access to memory takes time.
"""

import functools
import random
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import gamesearch
from benchmarks.measuring import time_call

POSITIONS = {22: 60, 18: 40, 14: 12, 12: 6}
"""The number of random positions for each number of plies."""
LONGER = ("445544", "4455")
"""Positions whose moves are all scored."""
SEARCH = "alphabeta(depth=full, order=game, table=true, bounds=true, window=null, memory=64)"
COLUMNS = 7
WARMING = ("43745416472735", "555555333333222")
"""Positions that both programs score before the timing starts, so that gamesearch's code is compiled and all memory is
in use."""


@functools.cache
def connect4() -> gamesearch.Game:
    """The game."""
    return gamesearch.load("connect4")


@functools.cache
def searcher() -> Any:
    """The algorithm that scores one position after another."""
    return gamesearch.searcher(connect4(), SEARCH)


def random_position(game: Any, plies: int, source: random.Random) -> str:
    """Random moves as columns, counted from 1. The game is not over after these moves."""
    while True:
        s, played = game.initial(), list[int]()
        while len(played) < plies and not game.terminal(s):
            played.append(source.choice(list(game.moves(s))))
            s = game.result(s, played[-1])
        if not game.terminal(s):
            return "".join(str(column + 1) for column in played)


@functools.cache
def state_of(played: str) -> Any:
    """A position for gamesearch."""
    return connect4().parse(played)


@functools.cache
def board_of(played: str) -> Any:
    """A position for BitBully, which counts columns from 0."""
    from bitbully import Board

    return Board([int(column) - 1 for column in played])


@functools.cache
def bitbully() -> Any:
    """BitBully without its book."""
    from bitbully import BitBully

    return BitBully(None)


def their_score(played: str) -> int:
    """BitBully's score."""
    return int(bitbully().mtdf(board_of(played)))


def our_score(played: str) -> int:
    """The score that gamesearch computes for the player to move."""
    game, s = connect4(), state_of(played)
    value = searcher().search(s).value
    assert isinstance(value, float)
    return int(value if game.player(s) == gamesearch.MAX else -value)


def their_moves(played: str) -> list[int]:
    """BitBully's score of each move, from the first column to the last."""
    found = bitbully().score_all_moves(board_of(played))
    return [int(found[column]) for column in sorted(found)]


def our_moves(played: str) -> list[int]:
    """The score of each move by gamesearch's `solve`."""
    game, s = connect4(), state_of(played)
    sign = 1 if game.player(s) == gamesearch.MAX else -1
    scored = gamesearch.solve(game, s, "search").moves
    return [round(sign * cast(float, each.value)) for each in sorted(scored, key=lambda each: each.move)]


def compare(
    label: str, positions: list[str], ours: Callable[[str], Any], theirs: Callable[[str], Any]
) -> tuple[float, float]:
    """Score positions by both programs in turn; print the total times and return them."""
    mine = yours = 0.0
    wrong = 0
    for played in positions:
        state_of(played), board_of(played)
        (one, seconds), (other, their_seconds) = (time_call(partial(score, played)) for score in (ours, theirs))
        mine, yours, wrong = mine + seconds, yours + their_seconds, wrong + (one != other)
    print(
        f"{label}: {len(positions)} positions, {wrong} scored differently, gamesearch {mine:.2f} s, "
        f"BitBully {yours:.2f} s, ratio {mine / yours:.2f} (goal: 1.5)",
        flush=True,
    )
    return mine, yours


def main(seed: int = 1) -> None:
    """Print the total times for each number of plies, and for all moves of the longer positions."""
    source, game = random.Random(seed), connect4()
    for played in WARMING:
        our_score(played)
        their_score(played)
    our_moves("4455445533")
    mine = yours = 0.0
    for plies, count in POSITIONS.items():
        positions = [random_position(game, plies, source) for _ in range(count)]
        seconds, their_seconds = compare(f"{plies} plies", positions, our_score, their_score)
        mine, yours = mine + seconds, yours + their_seconds
    print(f"all positions together: ratio {mine / yours:.2f} (goal: 1.5)")
    for played in LONGER:
        compare(f"all moves of {played}", [played], our_moves, their_moves)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
