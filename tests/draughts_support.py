"""Helpers for the tests of checkers and draughts: moves in the oracle's form, and positions of all kinds."""

import random
from collections.abc import Iterator

from draughts_oracle import Move, Oracle, random_position
from support import playout

from gamesearch.api import solve
from gamesearch.game import MAX
from gamesearch.games._shared.draughts_board import CAPTURED, Position
from gamesearch.games._shared.draughts_rules import DraughtsRules

__all__ = [
    "after",
    "as_solved",
    "assert_decided",
    "assert_moves_agree",
    "assert_progress",
    "assert_solutions_agree",
    "names",
    "varied",
]


def moves_of(game: DraughtsRules, s: Position) -> dict[Move, str]:
    """Return the moves in the oracle's form, with the positions they lead to."""
    found = {}
    for m in game.moves(s):
        captured = frozenset(game.numbers_in(m >> CAPTURED << game.half))
        found[(*game.ends_of(m), captured)] = game.format(game.result(s, m))
    assert len(found) == len(list(game.moves(s)))
    return found


def names(game: DraughtsRules, text: str) -> set[str]:
    """Return the names of the moves, and check that no two are equal."""
    s = game.parse(text)
    found = [game.move_name(s, m) for m in game.moves(s)]
    assert len(set(found)) == len(found)
    return set(found)


def after(game: DraughtsRules, text: str, move: str) -> str:
    """Return the position after a move."""
    s = game.parse(text)
    return game.format(game.result(s, game.parse_move(s, move)))


def varied(game: DraughtsRules, count: int) -> Iterator[Position]:
    """Yield positions of random games, and random positions, which have more kings."""
    source = random.Random(count)
    for seed in range(count // 40):
        yield from playout(game, seed, 60)
    for _ in range(count):
        yield game.parse(random_position(source, game.size))


def assert_moves_agree(game: DraughtsRules, oracle: Oracle) -> None:
    """Check that the oracle finds the same moves and the same positions after them."""
    for s in varied(game, 200):
        moves = moves_of(game, s)
        assert moves == oracle.moves(game.format(s))
        assert game.terminal(s) == (not moves)
        assert game.consistent(s)
        assert all(game.consistent(game.result(s, m)) for m in game.moves(s))


def assert_progress(game: DraughtsRules) -> None:
    """Check that only captures and moves of men increase the progress."""
    for s in varied(game, 200):
        for m in game.moves(s):
            rises = m >> CAPTURED > 0 or not 1 << (m & 63) & s.kings
            change = game.progress(game.result(s, m)) - game.progress(s)
            assert change > 0 if rises else change == 0


def assert_decided(game: DraughtsRules, text: str, value: int | None) -> None:
    """Check that the game is over and pays the value, or that it is not over if the value is None."""
    s = game.parse(text)
    assert game.terminal(s) == (value is not None)
    if value is not None:
        assert game.utility(s) == value


def assert_solutions_agree(game: DraughtsRules, oracle: Oracle, count: int) -> None:
    """Check that some reachable positions have the value and distance that the oracle finds."""
    solved = oracle.solve(game.format(game.initial()))
    for text in random.Random(4).sample(sorted(solved), count):
        solution = solve(game, game.parse(text), "retrograde", speed="interpreted")
        assert (solution.value, solution.distance) == as_solved(game, text, solved)


def as_solved(game: DraughtsRules, text: str, solved: dict[str, tuple[int, int] | None]) -> tuple[int, int | None]:
    """Return the oracle's answer as a value for Max and a distance."""
    answer = solved[text]
    if answer is None:
        return 0, None
    return (100 if (game.player(game.parse(text)) == MAX) == (answer[0] == 1) else -100), answer[1]
