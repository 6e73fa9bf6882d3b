"""Proof-number search for a win within a number of moves agrees with other searches."""

import random
from typing import Any

import pytest
from support import Maze, Trap, playout

from gamesearch.api import search
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.registry import load
from gamesearch.solvers.proof.mates import forced_win
from gamesearch.solvers.solving import solve

MATES = (
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "Ra6"),  # a problem by P. Morphy
    ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 1, "Re8#"),
    ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 99 80", 1, "Re8#"),  # mate on the hundredth ply wins
    ("k3r3/8/8/8/8/8/5PPP/6K1 b - - 0 1", 1, "Re1#"),
    ("7k/8/4K3/8/8/8/8/6Q1 w - - 0 1", 2, ""),
    ("7k/8/4K3/8/8/8/8/6Q1 w - - 98 80", None, ""),  # a draw by the fifty-move rule before the mate
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None, ""),
)


def play_line(game: Game, s: Any, line: tuple[int, ...]) -> Any:
    for move in line:
        assert move in game.steps(s)
        s = game.result(s, move)
    return s


@pytest.mark.parametrize(("position", "moves", "first"), MATES)
def test_mates_agree_with_alphabeta(position: str, moves: int | None, first: str) -> None:
    game = load("chess")
    s = game.parse(position)
    found = forced_win(game, s, 2, speed="interpreted")
    assert found.moves == moves
    result = search(game, s, "alphabeta(depth=3, deepen=true)", speed="interpreted")
    sign = 1 if game.player(s) == MAX else -1
    assert isinstance(result.value, float)
    assert (sign * result.value == game.MAXSCORE) == (moves is not None)
    if moves is not None:
        assert result.distance == 2 * moves - 1 == len(found.line)
        end = play_line(game, s, found.line)
        assert game.utility(end) == sign * game.MAXSCORE
        assert not first or game.move_name(s, found.line[0]) == first


@pytest.mark.parametrize("text", ["tictactoe", "gomoku(size=3, connect=3)"])
def test_wins_agree_with_solve(text: str) -> None:
    game, won = load(text), 0
    for seed in range(12):
        states = [s for s in playout(game, seed) if not game.terminal(s)]
        s = random.Random(seed).choice(states[-5:])
        solution = solve(game, s, "memo", speed="interpreted")
        ahead = solution.value - game.draw_value() if game.player(s) == MAX else game.draw_value() - solution.value
        found = forced_win(game, s, 4, speed="interpreted")
        if ahead <= 0:
            assert (found.moves, found.line) == (None, ())
            continue
        plies = solution.distance
        assert plies is not None
        assert found.moves == ((plies + 1) // 2 if plies < 8 else None)
        if found.moves is not None:
            won += 1
            assert len(found.line) == 2 * found.moves - 1
            assert game.terminal(play_line(game, s, found.line))
    assert won > 1


def test_wins_with_repetition_agree_with_retrograde() -> None:
    won = 0
    for seed in range(40):
        game = Maze(seed, places=12)
        solution = solve(game, game.initial(), speed="interpreted")
        found = forced_win(game, game.initial(), 8, speed="interpreted")
        is_won = solution.value == (game.MAXSCORE if game.player(game.initial()) == MAX else game.MINSCORE)
        assert solution.distance is None or solution.distance < 15
        assert (found.moves is not None) == is_won
        if found.moves is not None and solution.distance is not None:
            won += 1
            assert 2 * found.moves - 1 >= solution.distance > 2 * found.moves - 3
            end = play_line(game, game.initial(), found.line)
            assert game.utility(end) == solution.value
    assert won > 5


@pytest.mark.parametrize(
    ("game", "position", "moves", "said"),
    [
        (load("pig"), "", 2, "chance nodes"),
        (Trap(3), "", 2, "depend on earlier positions"),
        (load("othello"), "", 2, "played for points"),
        (load("tree([(1,2,3),(3,2,1)])"), "", 2, "for two players"),
        (load("tictactoe"), "XXX/OO./...", 1, "the game is over"),
        (load("tictactoe"), "", 0, "must be at least 1"),
    ],
)
def test_games_and_positions_that_do_not_fit_are_refused(game: Game, position: str, moves: int, said: str) -> None:
    with pytest.raises(GamesearchError, match=said):
        forced_win(game, game.parse(position) if position else game.initial(), moves, speed="interpreted")
