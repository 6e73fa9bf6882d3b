"""A search of only forcing moves finds correct wins; if it finds no win, the position may still be won."""

import random
from typing import Any

import pytest
from choices import EVERYTHING
from support import playout

from benchmarks.fours import FEWEST, Fours, Win, as_max, read_wins
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX
from gamesearch.registry import load
from gamesearch.solvers.proof.mates import forced_win
from gamesearch.solvers.proof.search import ForcingGame
from gamesearch.solvers.solving import Solution, solve

WINS = read_wins()
"""Positions of gomoku with a win by fours (threats of five in a row), from `benchmarks/fours.txt`."""
ATTACK = "proof(attack=forcing)"


def test_wins_by_fours_are_found_against_all_replies() -> None:
    game = load("gomoku")
    assert len({win.position for win in WINS}) == len(WINS) == 30
    assert all(win.moves >= FEWEST for win in WINS)
    for win in WINS if EVERYTHING else WINS[:2]:
        state = game.parse(win.position)
        found = solve(game, state, ATTACK, speed="auto" if EVERYTHING else "interpreted")
        assert found.value == (1 if game.player(state) == MAX else -1)
        assert ForcingGame(game, game.player(state)).is_forcing(state, found.best[0])


@pytest.mark.parametrize("win", WINS, ids=str)
def test_variations_in_the_file_consist_of_fours_and_win(win: Win) -> None:
    game, fours = load("gomoku"), Fours()
    s = as_max(game.parse(win.position))
    moves = win.line.split()
    assert len(moves) == 2 * win.moves - 1
    for ply, name in enumerate(moves):
        assert not game.terminal(s)
        move = game.parse_move(s, name)
        assert move in set(fours.moves(s))
        s = game.result(s, move)
        if ply % 2 == 0 and ply < len(moves) - 1:
            ends = [game.result(s._replace(turn=MAX), cell) for cell in game.moves(s)]
            assert any(game.terminal(end) and game.utility(end) == 1 for end in ends), "the stone makes no four"
    assert game.terminal(s)
    assert game.utility(s) == 1
    if win in WINS[:2]:
        assert forced_win(fours, as_max(game.parse(win.position)), win.moves, speed="interpreted").moves == win.moves


def find_forced_win(game: Any, state: Any) -> Solution | None:
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
        later = playout(game, seed)[8:-1]  # near the end, even an interpreted solver is fast
        if not later:
            continue
        state = random.Random(seed).choice(later)
        found = find_forced_win(game, state)
        if found is not None:
            won += 1
            assert found.value == solve(game, state, "memo", speed="interpreted").value
            assert found.value == solve(game, game.result(state, found.best[0]), "memo", speed="interpreted").value
    assert won > 0


def test_without_a_forced_win_it_is_an_error() -> None:
    game = load("chess")
    with pytest.raises(GamesearchError, match="forcing moves alone do not win"):
        solve(game, game.parse("8/8/8/3k4/8/8/8/KQ6 w - - 0 1"), ATTACK)
