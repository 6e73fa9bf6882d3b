"""Playouts compared with exact results: the expectation of random play, and the values that `solve` finds.

The seeds are fixed. Each test states its probability of failing by bad luck if the seeds were random.
"""

import functools
import math
from typing import Any

import pytest
from support import playout

from gamesearch.api import search, solve
from gamesearch.game import CHANCE, Game
from gamesearch.registry import load


def expectation(game: Game, state: Any) -> tuple[float, float]:
    """Return the mean payoff for Max of a random game, and the mean of its square, by enumerating all games."""

    @functools.cache
    def of(s: Any) -> tuple[float, float]:
        if game.terminal(s):
            paid = float(game.utility(s))
            return paid, paid * paid
        moves = list(game.moves(s)) if game.player(s) != CHANCE else []
        odds = list(game.outcomes(s)) if game.player(s) == CHANCE else [(m, 1 / len(moves)) for m in moves]
        parts = [(p, of(game.result(s, m))) for m, p in odds if p > 0]
        return sum(p * mean for p, (mean, _) in parts), sum(p * square for p, (_, square) in parts)

    return of(state)


SMALL = (
    ("hex(size=2)", ""),  # these games have a special method for the end of a random game
    ("hex(size=3)", ""),
    ("y(size=3)", ""),
    ("connect4(rows=3, columns=3, connect=3)", ""),
    ("nim(heaps=1-2-3)", ""),
    ("tictactoe", "X../.O./..."),
    ("dotsandboxes(rows=1, columns=2)", ""),
    ("{1/8: [8, 4], 7/8: [0, 8]}", ""),
)


@pytest.mark.parametrize(("text", "position"), SMALL)
def test_averages_of_playouts_are_the_expectation_of_random_play(text: str, position: str) -> None:
    """The probability that a mean is more than 4.5 standard errors off is 1 in 140,000."""
    game, state = load(text).setup(position)
    found = search(game, state, "montecarlo(playouts=1500, seed=3)", speed="interpreted")
    for each in found.moves:
        mean, square = expectation(game, game.result(state, each.move))
        error = math.sqrt(max(0.0, square - mean * mean) / each.visits)
        assert isinstance(each.value, float)
        assert abs(each.value - mean) <= 4.5 * error + 1e-6, game.move_name(state, each.move)


def positions(text: str, seeds: range, at: int) -> list[tuple[Game, Any]]:
    """Return positions of random games after this many plies, if the game is not over."""
    game = load(text)
    found = [playout(game, seed) for seed in seeds]
    return [(game, states[at]) for states in found if len(states) > at + 1]


ENDINGS = (
    ("tictactoe", range(12), 4),
    ("connect4(rows=4, columns=4)", range(12), 10),
    ("nim(heaps=2-3-1)", range(8), 1),
    ("othello(size=4)", range(6), 7),
)


def test_what_the_tree_proves_is_what_solve_finds() -> None:
    proven, endings = 0, [each for asked in ENDINGS for each in positions(*asked)]
    for game, state in endings:
        found = search(game, state, "mcts(playouts=2500)", speed="interpreted")
        if found.bound != "exact":
            continue
        proven += 1
        solution = solve(game, state, speed="interpreted")
        assert found.value == solution.value
        assert found.best in [each.move for each in solution.moves if each.value == solution.value]
        if found.distance is not None and solution.distance is not None and solution.value == game.MAXSCORE:
            assert found.distance >= solution.distance or game.player(state) != 0
    assert proven >= 30
    assert proven >= 0.9 * len(endings)


@pytest.mark.parametrize(
    ("text", "seeds", "at"),
    [
        ("tictactoe", range(3), 3),
        ("connect4(rows=4, columns=4)", range(3), 9),
        ("nim(heaps=2-3)", range(3), 0),
        ("nim(heaps=1-2-2)", range(3), 1),
    ],
)
def test_without_proofs_the_tree_converges_to_minimax(text: str, seeds: range, at: int) -> None:
    """More playouts find the best move and bring the average closer to the true value."""
    for game, state in positions(text, seeds, at):
        solution = solve(game, state, speed="interpreted")
        errors = []
        for playouts in (40, 2000):
            found = search(game, state, f"mcts(playouts={playouts}, solver=false, seed=2)", speed="interpreted")
            assert isinstance(found.value, float)
            scale = (game.MAXSCORE - game.MINSCORE) / 2
            errors.append(abs(found.value - float(solution.value)) / scale)
        assert found.best in [each.move for each in solution.moves if each.value == solution.value]
        assert errors[1] <= max(0.12, errors[0])
        assert errors[1] < 0.3
