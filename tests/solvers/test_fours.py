"""The wins by fours (threats of five in a row) in `benchmarks/fours.txt` are correct by the rules of gomoku."""

from typing import Any

import pytest

from benchmarks.fours import FEWEST, Fours, Win, as_max, read_wins
from gamesearch.game import MAX
from gamesearch.registry import load
from gamesearch.solvers.proof.mates import forced_win

WINS = read_wins()


def test_positions_come_from_different_games() -> None:
    assert len({win.position for win in WINS}) == len(WINS) >= 5
    assert all(win.moves >= FEWEST for win in WINS)


@pytest.mark.parametrize("win", WINS, ids=str)
def test_the_variation_wins_and_all_its_stones_but_the_last_make_fours(win: Win) -> None:
    game, fours = load("gomoku"), Fours()
    s = as_max(game.parse(win.position))
    moves = win.line.split()
    assert len(moves) == 2 * win.moves - 1
    for ply, name in enumerate(moves):
        move = game.parse_move(s, name)
        assert move in set(fours.moves(s))
        s = game.result(s, move)
        if ply % 2 == 0 and ply < len(moves) - 1:
            assert not game.terminal(s)
            passed = s._replace(turn=MAX)
            assert any(pays(game, passed, cell) == 1 for cell in game.moves(passed)), "nothing has to be stopped"
    assert game.terminal(s)
    assert game.utility(s) == 1


def pays(game: Any, s: Any, cell: int) -> float | None:
    """Return the payoff of a move if it ends the game, otherwise None."""
    after = game.result(s, cell)
    return game.utility(after) if game.terminal(after) else None


@pytest.mark.parametrize("win", WINS[:2], ids=str)
def test_proof_numbers_find_the_same_win_interpreted(win: Win) -> None:
    s = as_max(load("gomoku").parse(win.position))
    found = forced_win(Fours(), s, win.moves, speed="interpreted")
    assert found.moves == win.moves
