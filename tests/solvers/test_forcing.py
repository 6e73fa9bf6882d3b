"""A search of only forcing moves finds correct wins; if it finds no win, the position may still be won."""

import random
from pathlib import Path
from typing import Any

import pytest
from choices import EVERYTHING
from support import playout

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX
from gamesearch.registry import load
from gamesearch.solvers.proof.search import ForcingGame
from gamesearch.solvers.solving import Solution, solve

FOURS = Path(__file__).parents[2] / "benchmarks" / "fours.txt"
"""Positions of gomoku, with the number of moves and the principal variation of a win by fours."""
ATTACK = "proof(attack=forcing)"


def test_wins_by_fours_are_found_against_all_replies() -> None:
    game = load("gomoku")
    rows = [line.split("\t") for line in FOURS.read_text().splitlines() if not line.startswith("#")]
    assert len(rows) == 30
    for position, _, _ in rows:
        state = game.parse(position)
        if game.player(state) != MAX and not EVERYTHING:
            continue  # compiling the attack of the second player takes seconds
        found = solve(game, state, ATTACK)
        assert found.value == (1 if game.player(state) == MAX else -1)
        assert ForcingGame(game, game.player(state)).is_forcing(state, found.best[0])


def won_by_forcing(game: Any, state: Any) -> Solution | None:
    """Return the win that consists of forcing moves, or None."""
    try:
        return solve(game, state, ATTACK, speed="interpreted")
    except GamesearchError:
        return None


@pytest.mark.parametrize("text", ["gomoku(size=4, connect=3)", "gomoku(size=4, connect=4)"])
def test_wins_by_forcing_moves_are_wins(text: str) -> None:
    game = load(text)
    won = 0
    for seed in range(30):
        state = random.Random(seed).choice(playout(game, seed)[2:])
        found = None if game.terminal(state) else won_by_forcing(game, state)
        if found is not None:
            won += 1
            assert found.value == solve(game, state, "memo").value
            assert found.value == solve(game, game.result(state, found.best[0]), "memo").value
    assert won > 0


def test_the_defender_has_all_moves() -> None:
    game = load("gomoku(size=4, connect=4)")
    state = game.result(game.initial(), next(game.moves(game.initial())))
    assert list(ForcingGame(game, 1 - game.player(state)).moves(state)) == list(game.moves(state))
    assert not list(ForcingGame(game, game.player(state)).moves(state))


def test_without_a_forced_win_it_is_an_error() -> None:
    game = load("chess")
    with pytest.raises(GamesearchError, match="no win with only forcing moves"):
        solve(game, game.parse("8/8/8/3k4/8/8/8/KQ6 w - - 0 1"), ATTACK)
