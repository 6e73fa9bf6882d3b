"""Measures the error of estimates by comparing them with the exact values of small games."""

import math
import random
from dataclasses import dataclass
from typing import Any

from gamesearch.game import CHANCE, Game
from gamesearch.learn.learnable import half_range, target
from gamesearch.learn.searched_play import roll_dice
from gamesearch.solvers.solving import solve

__all__ = ["ErrorAfter", "Exactness"]

POSITIONS = 60
RANDOM_SHARE = 0.1
"""The fraction of moves that are random."""
PARTS = (16, 8, 4, 2, 1)
"""The error is measured after 1/16, 1/8, 1/4, 1/2 and all of the games of a run."""


@dataclass(frozen=True)
class ErrorAfter:
    """The root mean square error after a number of games, as a fraction of the distance from a draw to a win."""

    games: int
    error: float


class Exactness:
    """Positions of games and their exact values, for measuring the error of estimates."""

    def __init__(self, game: Game, seed: int, speed: str) -> None:
        self.states = states_of_best_play(game, random.Random(f"exact {seed}"), speed)
        self.values = [target(game, solve(game, s, speed=speed).value) for s in self.states]
        self.scale = half_range(game)

    def error(self, game: Game) -> float:
        """The root mean square error of a game's estimates."""
        squares = [(float(game.evaluate(s)) - value) ** 2 for s, value in zip(self.states, self.values, strict=True)]
        return math.sqrt(math.fsum(squares) / len(squares)) / self.scale

    @staticmethod
    def is_due(before: int, done: int, games: int) -> bool:
        """Whether the error must be measured now. `before` games had been played at the last check, `done` games have
        been played now, and the run has `games` games."""
        return any(before < games // part <= done for part in PARTS)


def states_of_best_play(game: Game, source: random.Random, speed: str) -> list[Any]:
    """Different positions of games in which both sides play best moves and some random moves."""
    choose = solve(game, game.initial(), speed=speed, keep=True).choose
    assert choose is not None
    found, s = dict[Any, None](), game.initial()
    for _ in range(100 * POSITIONS):
        if len(found) == POSITIONS:
            break
        if game.terminal(s):
            s = game.initial()
        if game.player(s) == CHANCE:
            s = game.result(s, roll_dice(game, s, source))
            continue
        is_random = source.random() < RANDOM_SHARE
        s = game.result(s, source.choice(game.steps(s)) if is_random else choose(s))
        if not game.terminal(s):
            found[s] = None
    return list(found)
