"""Learns weights from the results of matches by simultaneous perturbation stochastic approximation (SPSA).

J. C. Spall 1992, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation", IEEE
Transactions on Automatic Control 37(3). Each step changes every weight up or down at random. The changed weights play a
few games against weights that were changed in the opposite directions. After these games, the original weights are
moved toward the weights of the winner. The sizes of changes and steps decrease as Spall 1998 recommends.

The module also measures the strength of learned weights, by short matches against the first weights and against random
moves.
"""

import random
from collections.abc import Mapping
from typing import Any

import numpy as np

from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.game import MAX, MIN, Game
from gamesearch.learn.method import GAMES_OF_TASK, Method, Numbers, Played, Task, share_won, with_weights
from gamesearch.learn.searched_play import new_searcher, payoff_of
from gamesearch.learned.weights_files import MatchScore
from gamesearch.play.match import names_winner

__all__ = ["BEFORE", "OWN", "RANDOM", "Matches", "matches", "payoff_between", "points_of_game"]

BEFORE, OWN, RANDOM = "the weights before", "the game's own evaluation", "random"
OPENING = 4  # the number of random moves at the beginning of each pair of games


def matches(
    game: Game, before: Game, name: str, games: int, depth: int, seed: int, speed: str
) -> tuple[MatchScore, ...]:
    """Let the evaluation of `game` play against the evaluation of `before`, and against random moves. Returns the
    scores. In the result, the first opponent is called `name`. The result is empty if a payoff does not decide who
    won."""
    if not names_winner(game):
        return ()
    with new_searcher(game, speed) as ours, new_searcher(before, speed) as theirs:

        def points(searcher: Searcher | None) -> float:
            return sum(points_of_game(game, ours, searcher, number, Limits(depth), seed) for number in range(games))

        return MatchScore(name, games, points(theirs)), MatchScore(RANDOM, games, points(None))


def points_of_game(
    game: Game, ours: Searcher, theirs: Searcher | None, number: int, limits: Limits, seed: int
) -> float:
    """The points of `ours` in a game: 1 for a win, 0 for a loss, 1/2 otherwise. `ours` is Max if `number` is even."""
    side = MAX if number % 2 == 0 else MIN
    source = random.Random(f"measure {seed} {number // 2}")
    payoff = payoff_between(game, {side: ours, 1 - side: theirs}, limits, source, OPENING)
    won = 0.5 if payoff is None else share_won(game, payoff)
    return won if side == MAX else 1 - won


def payoff_between(
    game: Game, searchers: Mapping[int, Searcher | None], limits: Limits, source: random.Random, opening: int
) -> float | None:
    """Play one game between two searches; returns its payoff, or None if the game was stopped because of its length. A
    side whose searcher is None makes random moves. The first `opening` moves of both sides are random."""

    def choose(state: Any, past: list[Any], made: int) -> int:
        searcher = searchers[game.player(state)]
        if made < opening or searcher is None:
            return source.choice(game.steps(state, past))
        best = searcher.search(state, limits, past=past).best
        return game.steps(state, past)[0] if best is None else best  # the first legal move if no move was found in time

    return payoff_of(game, source, choose)


CHANGE, CHANGE_FALLS = 0.3, 0.101
"""In match k, each weight is changed by the fraction CHANGE / k ** CHANGE_FALLS of its size."""
GAIN, GAIN_FALLS = 0.1, 0.602
"""The gain (step size) after match k of n matches is GAIN / (k + n / 10) ** GAIN_FALLS."""


class Matches(Method):
    """Learns weights from the results of short matches. Learning from matches has no loss function."""

    def take(self, played: list[Played], done: int) -> None:  # noqa: ARG002
        """Add up the steps that all workers found."""
        self.state |= {"weights": self.weights + sum(each["step"] for each in played)}

    @classmethod
    def play(cls, task: Task) -> Played:
        """Play one match, and return the change of the weights."""
        settings, source = task.settings, task.source(task.first)
        number = task.first // GAMES_OF_TASK + 1
        change = CHANGE / number**CHANGE_FALLS
        gain = GAIN / (number + settings.games / GAMES_OF_TASK / 10) ** GAIN_FALLS
        shift = np.array([source.choice((-1.0, 1.0)) for _ in settings.before]) * sizes_of(np.array(settings.before))
        up, down = (with_weights(settings.game, task.weights + each * change * shift) for each in (1, -1))
        with new_searcher(up, task.speed) as ours, new_searcher(down, task.speed) as theirs:
            points = sum(
                points_of_game(up, ours, theirs, each, Limits(settings.depth), settings.seed)
                for each in range(task.first, task.first + task.count)
            )
        return {"step": gain * (2 * points / task.count - 1) / (2 * change) * shift}


def sizes_of(before: Numbers) -> Numbers:
    """The absolute values of weights. An absolute value of 0 is replaced by the mean of all absolute values. If all
    weights are 0, the results are 1."""
    sizes = np.abs(before)
    return np.where(sizes > 0, sizes, float(sizes.mean()) or 1.0)
