"""Learning from outcomes: fits features of positions to the results of games that a search played against itself.

M. Buro 1998, "From simple features to sophisticated evaluation functions" (GLEM); in chess programs, the method is
called "Texel's tuning". Logistic regression estimates the logarithm of the odds of a win. The estimate is this
logarithm, multiplied by a factor that is also fitted. The regression uses Newton's method in the form of iteratively
reweighted least squares (McCullagh and Nelder 1989, section 4.4). A ridge penalty keeps the weights close to the
earlier weights. Cross-validation chooses the size of the penalty.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.errors import GamesearchError
from gamesearch.game import THREAT, Game
from gamesearch.learn.method import (
    Method,
    Numbers,
    Played,
    Task,
    half_range,
    share_won,
    target,
    with_weights,
    within_payoffs,
)
from gamesearch.learn.searched_play import Turn, new_searcher, play_searching
from gamesearch.optional import SelectiveGame

__all__ = ["Outcomes", "fit", "scale_of_odds"]

PENALTIES = (0.1, 3.0, 100.0, 3000.0)
"""Cross-validation tries these penalties on squared changes of weights. Features are scaled so that their mean square
is 1."""
FOLDS = 5
STEPS = 40
CONVERGED = 1e-9
FARTHEST = 30.0
"""The log-odds of a win are limited to this number. If features predicted all results, the fit might not converge
without this limit."""


def probabilities(odds: Numbers) -> Numbers:
    """Convert log-odds to probabilities."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -FARTHEST, FARTHEST))))


def log_loss(odds: Numbers, won: Numbers) -> float:
    """The mean negative log-likelihood of results. The loss is log 2 if all probabilities are 1/2."""
    p = probabilities(odds)
    return float(-np.mean(won * np.log(p) + (1 - won) * np.log(1 - p)))


def regress(rows: Numbers, won: Numbers, penalty: float, before: Numbers) -> Numbers:
    """Fit the weights of features. The greater `penalty` is, the less the weights change. A feature that is always 0
    keeps its weight."""
    spread = np.sqrt(np.mean(rows * rows, axis=0))
    used = spread > 0
    scaled = rows[:, used] / spread[used]
    expected = before[used] * spread[used]
    weights = expected.copy()
    for _ in range(STEPS):
        p = probabilities(scaled @ weights)
        slope = scaled.T @ (won - p) - penalty * (weights - expected)
        curvature = (scaled * (p * (1 - p))[:, None]).T @ scaled + penalty * np.eye(len(weights))
        step = np.linalg.solve(curvature, slope)
        weights += step * min(1.0, 5 / max(1e-300, np.abs(step).max()))  # limited: extreme odds cause huge steps
        if np.abs(step).max() < CONVERGED:
            break
    found = before.copy()
    found[used] = weights / spread[used]
    return found


def fit(rows: Numbers, won: Numbers, games: Numbers, before: Numbers) -> tuple[Numbers, float]:
    """Fit the weights, with a penalty chosen by cross-validation. All positions of a game are in the same fold. Returns
    the weights, and the mean negative log-likelihood of the results of games that were left out."""
    parts = [games.astype(np.int64) % FOLDS == fold for fold in range(FOLDS)]
    left_out = [here for here in parts if here.any() and not here.all()]

    def loss_of(penalty: float) -> float:
        losses = [
            log_loss(rows[here] @ regress(rows[~here], won[~here], penalty, before), won[here]) for here in left_out
        ]
        return float(np.mean(losses)) if losses else 0.0

    loss, penalty = min((loss_of(penalty), penalty) for penalty in PENALTIES)
    return regress(rows, won, penalty, before), loss


def scale_of_odds(values: Numbers, won: Numbers) -> float:
    """The factor that converts values to logarithms of odds (the K of "Texel's tuning"); 0 if the fit fails."""
    return max(0.0, float(regress(values[:, None], won, PENALTIES[0], np.zeros(1))[0])) if values.any() else 0.0


ROUNDS = 4
"""The number of times that the weights are fitted. After each fit, the next games are played with the new weights."""
OPENING = 6
EXPLORATION = 0.05  # the fraction of the moves after the opening that are random
MOST_OF_GAME = 12
"""The greatest number of positions from each game. More positions would add little, because they share an outcome."""
LEAST_GAMES = 20
OF_POSITIONS = ("rows", "games", "won", "targets")
"""The names of the arrays. For each position, the arrays contain the features, the number of the game, the result of
the game (1, 1/2 or 0), and the target of the estimate."""
SCALE_STEPS = 45
SCALED_POSITIONS = 400
GOLDEN = (5**0.5 - 1) / 2


class Outcomes(Method):
    """Plays games in rounds. After each round, the method fits the weights to all games so far. The loss is the mean
    negative log-likelihood of the results of games that were left out of the fit."""

    rounds = ROUNDS
    played_with = ("weights",)
    loss_name = "mean log loss"

    def prepare(self) -> None:
        """Make the game with its initial weights."""
        self.game = with_weights(self.settings.game, np.array(self.settings.before))

    def initial_state(self) -> Played:
        """Empty arrays for the features, game numbers and results of positions."""
        return {name: np.zeros((0, len(self.settings.before)) if name == "rows" else 0) for name in OF_POSITIONS}

    def take(self, played: list[Played], done: int) -> None:
        """Add the positions of the played games, in order. If a round ends after `done` games, fit the weights."""
        for name in OF_POSITIONS:
            self.state[name] = np.concatenate([self.state[name], *(each[name] for each in played)])
        if done in self.ends and done >= LEAST_GAMES and len(self.state["rows"]):
            rows, won, before = self.state["rows"], self.state["won"], np.array(self.settings.before)
            weights, loss = fit(rows, won, self.state["games"], before * scale_of_odds(rows @ before, won))
            if weights.any():
                self.state |= {"weights": weights * self.scale(weights), "loss": np.array([loss])}

    def scale(self, odds: Numbers) -> float:
        """The factor that converts logarithms of odds to estimates.

        If payoffs show only who won, the factor keeps the unit of the earlier estimates, such as pawns. In other games,
        the factor minimizes the mean squared difference between estimates and payoffs.
        """
        rows, before = self.state["rows"], np.array(self.settings.before)
        kept = scale_of_odds(rows @ before, self.state["won"]) if self.game.win_or_loss else 0.0
        scale = 1 / kept if kept > 0 else self.nearest_scale(odds)
        return scale * within_payoffs(self.game, scale * float(np.abs(rows @ odds).max()))

    def nearest_scale(self, odds: Numbers) -> float:
        """Find a factor by golden-section search. Multiplied by this factor, the estimates of the game's own `evaluate`
        come nearest to the payoffs."""
        index = np.linspace(0, len(self.state["rows"]) - 1, min(SCALED_POSITIONS, len(self.state["rows"]))).astype(int)
        rows, targets = self.state["rows"][index], self.state["targets"][index]
        rated = FeatureEvaluation(self.game)

        def error(logarithm: float) -> float:
            estimates = rated.estimates(rows, odds * np.exp(logarithm))
            return float(np.mean((estimates - targets) ** 2))

        middle = float(np.log(half_range(self.game)))
        low, high = middle - 8, middle + 6
        for _ in range(SCALE_STEPS):
            one, other = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
            low, high = (low, other) if error(one) <= error(other) else (one, high)
        return float(np.exp((low + high) / 2))

    @classmethod
    def play(cls, task: Task) -> Played:
        """Play the games of a task."""
        game = with_weights(task.settings.game, task.weights)
        with new_searcher(game, task.speed) as searcher:
            positions = sample_positions(searcher, task, lambda _: OPENING, EXPLORATION, MOST_OF_GAME)
            found = [
                (number, share_won(game, payoff), target(game, payoff), *game.features(turn.state))
                for number, payoff, turn in positions
            ]
        table = np.array(found, np.float64).reshape(-1, 3 + len(task.settings.before))
        return {"games": table[:, 0], "won": table[:, 1], "targets": table[:, 2], "rows": table[:, 3:]}


def sample_positions(
    searcher: Searcher, task: Task, opening: Callable[[random.Random], int], exploration: float, most: int
) -> Iterator[tuple[int, float, Turn]]:
    """Play the games of a task. Choose some quiet positions of each game. For each of them, yield the number of the
    game, its payoff, and the position as a `Turn`.

    `opening` returns how many random moves a game begins with. At most `most` positions of each game are chosen.
    """
    for number in range(task.first, task.first + task.count):
        source = task.source(number)
        played = play_searching(searcher, task.settings.depth, opening(source), exploration, source)
        if played.payoff is not None:
            quiet = [turn for turn in played.turns if is_quiet(searcher.game, turn.state, turn.result.best)]
            for turn in source.sample(quiet, min(most, len(quiet))):
                yield number, played.payoff, turn


class FeatureEvaluation:
    """Computes estimates with a game's own `evaluate`, given features instead of positions."""

    def __init__(self, game: Game) -> None:
        class FeatureGame(type(game)):  # type: ignore[misc]
            """The same game, except that a state consists of the features of a position."""

            def features(self, s: Any) -> Any:
                """Return the state, which consists of features."""
                return s

            def bounds(self, s: Any) -> tuple[float, float]:  # noqa: ARG002
                """The least and the greatest payoff of the game: the bounds of every position."""
                return self.MINSCORE, self.MAXSCORE

        self.game: Any = FeatureGame.__new__(FeatureGame)
        self.game.__dict__.update(vars(game))

    def estimates(self, rows: Numbers, weights: Numbers) -> Numbers:
        """The estimate for each row of features; raises GamesearchError if `evaluate` also needs other data of a
        position."""
        self.game.weights = tuple(map(float, weights))
        try:
            return np.array([float(self.game.evaluate(tuple(row))) for row in rows.tolist()])
        except (AttributeError, TypeError, ValueError, IndexError) as error:
            raise GamesearchError(
                f"the method `evaluate` of {self.game.name} needs more than the features of a position: use --method td"
            ) from error


def is_quiet(game: Game, state: Any, move: int | None) -> bool:
    """Whether a position can be evaluated without a search, because it contains no threat and the chosen move is
    quiet."""
    if isinstance(game, SelectiveGame) and game.is_threatened(state):
        return False
    assert move is not None
    return not game.has_move_kinds or game.kind_of_move(state, move) < THREAT
