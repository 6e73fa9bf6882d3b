"""Learns by temporal differences. Each estimate is adjusted toward the next estimate, and the last estimate toward the
payoff.

`td` is TD(lambda), which uses the positions after each move (R. S. Sutton 1988, "Learning to predict by the methods of
temporal differences", Machine Learning 3; G. Tesauro 1992, "Practical issues in temporal difference learning", Machine
Learning 8). `tdleaf` is TDLeaf(lambda), which uses the last positions of principal variations (J. Baxter, A. Tridgell
and L. Weaver 1998, "TDLeaf(lambda)"). Weights change after each game. The step of each weight is divided by the mean
square of the estimate's derivative with respect to this weight. So the units of features do not matter. The difference
between the estimates before and after a random move is ignored.
"""

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gamesearch.compiler import kernel
from gamesearch.compiler.kernels import load_state
from gamesearch.game import Game
from gamesearch.learn.greedy_play import GameArrays, GreedyPlay, play_episode
from gamesearch.learn.method import (
    Method,
    Numbers,
    Played,
    Settings,
    Task,
    half_range,
    mixed_loss,
    squash_scale,
    target,
    with_weights,
    within_payoffs,
)
from gamesearch.learn.searched_play import LONGEST, new_searcher, play_searching
from gamesearch.toolkit.bits import mix

__all__ = ["TemporalLeafLearning", "TemporalLearning"]

DECAY = 0.7
"""The lambda of TD(lambda). The difference between two successive estimates changes the earlier estimate, and also the
estimates of all positions before it. Each further step back multiplies the change by this factor."""
RATE = 0.5
"""Each of the first games changes the weights so that its mean difference between successive estimates falls by this
fraction."""
HALVED_AFTER = 200
"""After n games, RATE is divided by 1 + n / HALVED_AFTER."""
EXPLORATION = 0.1
OPENING = 2
PROBE = 1e-4  # the slopes (derivatives) of estimates are measured by changing the weights by this fraction
LEAST_CHANGE = 1e-12
"""If the sum of weighted features changes by at most this amount, the slope counts as 0."""
LOSS_MEMORY = 0.98
"""After each game, the displayed loss becomes LOSS_MEMORY * (the old displayed loss) + (1 - LOSS_MEMORY) * (the loss of
this game). So the displayed loss is a mean over about fifty games."""


@dataclass(frozen=True)
class Episode:
    """The positions of one game. Weights are learned from them."""

    rows: Numbers
    values: Numbers
    slopes: Numbers
    explored: Numbers
    payoff: float | None


Player = Callable[[Game, random.Random], Episode]
"""A function that plays one game. Its arguments are the probe (see `play_and_note`) and a random generator."""


class TemporalLearning(Method):
    """Learns by TD(lambda). Each move is chosen by the estimate of the position after the move, without search. The
    loss is the mean of recent squared differences, divided by the square of the distance from a draw to a win."""

    added_up = ("squares", "positions")
    loss_name = "mean squared TD error"

    def initial_state(self) -> Played:
        """The state before the first game. It contains sums of squared slopes and the number of positions. It also
        contains the greatest recent difference between an estimate and the value of a draw."""
        return {"squares": np.zeros(len(self.settings.before)), "positions": np.zeros(1), "greatest": np.zeros(1)}

    @property
    def weights(self) -> Numbers:
        """The learned weights, scaled so that no recent estimate is as great as a win."""
        game = with_weights(self.settings.game, self.state["weights"])
        return self.state["weights"] * within_payoffs(game, float(self.state["greatest"][0]))

    @classmethod
    def play(cls, task: Task) -> Played:
        """Play the games of a task, and learn from each."""
        game = with_weights(task.settings.game, task.weights)
        state = {name: np.array(each, np.float64) for name, each in task.state.items()}
        state["greatest"][0] = 0.0
        learner, probe = Learner(game, task.settings, state), with_weights(task.settings.game, task.weights)
        play = cls.player(game, task)
        for number in range(task.first, task.first + task.count):
            source = task.source(number)
            nudge(probe, game, source)
            learner.learn(play(probe, source), RATE / (1 + number / HALVED_AFTER))
        return state

    @staticmethod
    def player(game: Game, task: Task) -> Player:
        """The function that plays the games of a task."""
        return functools.partial(greedy_episode, GreedyPlay(game, task.speed))


def greedy_episode(play: GreedyPlay, probe: Game, source: random.Random) -> Episode:
    """Play one game. To choose a move, a player compares the estimates of the positions after all moves."""
    game = play.game
    rows, noted = np.zeros((LONGEST, len(game.weights))), np.zeros((LONGEST, 2))
    count, is_over, payoff = play.run(play_and_note, probe, game.initial(), source.getrandbits(62), rows, noted)
    values, slopes = noted[:count].T
    explored = play.arrays.explored[:count].astype(np.float64)
    return Episode(rows[:count], values, slopes, explored, target(game, payoff) if is_over else None)


@kernel
def play_and_note(
    game: Game, arrays: GameArrays, probe: Game, start: Any, seed: int, rows: Any, noted: Any
) -> tuple[int, bool, float]:
    """Play one game. After each move, write the features of the position into `rows`. Write the estimate and the slope
    into `noted`.

    Returns the number of positions, whether the game ended, and the payoff. `probe` is the same game with slightly
    different weights. The slope is computed from the estimates of both games, because `evaluate` need not be a linear
    function of the weighted features.
    """
    made, is_over, payoff, _ = play_episode(game, start, mix(seed), EXPLORATION, arrays)
    for t in range(made):
        s = load_state(arrays.states, t, start)
        features = game.features(s)
        change = 0.0
        for i in range(len(features)):
            rows[t, i] = features[i]
            change += features[i] * (probe.weights[i] - game.weights[i])
        value = float(game.evaluate(s))
        noted[t, 0] = value
        noted[t, 1] = (float(probe.evaluate(s)) - value) / change if abs(change) > LEAST_CHANGE else 0.0
    return made, is_over, payoff


class TemporalLeafLearning(TemporalLearning):
    """Learns by TDLeaf(lambda), that is, from the last positions of principal variations."""

    @staticmethod
    def player(game: Game, task: Task) -> Player:
        """The function that plays the games of a task."""
        return functools.partial(search_episode, game, task)


def search_episode(game: Game, task: Task, probe: Game, source: random.Random) -> Episode:
    """Play one game in which a search chooses the moves."""
    with new_searcher(game, task.speed) as searcher:  # its table is new, without values for other weights
        played = play_searching(searcher, task.settings.depth, OPENING, EXPLORATION, source)
    leaves = [functools.reduce(game.result, turn.result.line, turn.state) for turn in played.turns]
    width = len(game.weights)
    rows = np.array([features_of(game, leaf) or (0.0,) * width for leaf in leaves]).reshape(-1, width)
    values = np.array([float(turn.result.value) for turn in played.turns])  # type: ignore[arg-type]
    slopes = np.array([slope_at(game, probe, leaf) for leaf in leaves])
    explored = np.array([float(turn.explored) for turn in played.turns])
    return Episode(rows, values, slopes, explored, None if played.payoff is None else target(game, played.payoff))


def features_of(game: Game, s: Any) -> tuple[float, ...] | None:
    """The features of a position; None if the game is over, because its value does not depend on weights."""
    return None if game.terminal(s) else game.features(s)


def slope_at(game: Game, probe: Game, s: Any) -> float:
    """The derivative of a position's estimate with respect to the sum of its weighted features."""
    features = features_of(game, s)
    if features is None:
        return 0.0
    change = float(np.dot(features, np.array(probe.weights) - np.array(game.weights)))
    return (float(probe.evaluate(s)) - float(game.evaluate(s))) / change if abs(change) > LEAST_CHANGE else 0.0


def nudge(probe: Game, game: Game, source: random.Random) -> None:
    """Copy the game's weights to the probe, and change each copied weight slightly at random."""
    weights = np.array(game.weights)
    size = PROBE * max(1.0, float(np.abs(weights).max()))
    probe.weights[:] = weights + size * np.array([0.5 + source.random() for _ in weights])  # type: ignore[index]


class Learner:
    """Changes weights in place after a game."""

    def __init__(self, game: Game, settings: Settings, state: Played) -> None:
        self.game, self.state = game, state
        self.squash = squash_scale(game, np.array(settings.before))
        self.middle, self.half = float(game.draw_value()), half_range(game)

    def learn(self, episode: Episode, rate: float) -> None:
        """Change the weights to reduce the differences between successive estimates of one game."""
        if not len(episode.values):
            return
        state = self.state
        state["greatest"][0] = max(state["greatest"][0], float(np.abs(episode.values - self.middle).max()))
        values, slopes = self.squash_values(episode.values, episode.slopes)
        gradients = slopes[:, None] * episode.rows
        differences = self.differences(values, episode)
        state["squares"] += (gradients**2).sum(axis=0)
        state["positions"] += len(values)
        state["loss"][0] = mixed_loss(float(state["loss"][0]), float(np.mean(differences**2)), LOSS_MEMORY)
        credit, later = np.zeros(len(values)), 0.0
        for t in reversed(range(len(values))):
            is_cut = t + 1 == len(values) or bool(episode.explored[t + 1])
            later = differences[t] + (0.0 if is_cut else DECAY * later)
            credit[t] = later
        sizes = state["squares"] / state["positions"][0]
        used = sizes > 0
        step = (credit[:, None] * gradients).mean(axis=0)
        state["weights"][used] += rate * step[used] / (sizes[used] * max(1, int(used.sum())))
        self.game.weights[:] = state["weights"]  # type: ignore[index]

    def squash_values(self, values: Numbers, slopes: Numbers) -> tuple[Numbers, Numbers]:
        """Convert values to the range -1 to 1, and convert their slopes (derivatives) by the chain rule."""
        if not self.squash:
            return (values - self.middle) / self.half, slopes / self.half
        inside = np.clip(np.tanh((values - self.middle) / self.squash), -1, 1)
        return inside, slopes * (1 - inside**2) / self.squash

    def differences(self, values: Numbers, episode: Episode) -> Numbers:
        """The difference from each value to the next. The payoff counts as the value after the last one. A difference
        is 0 if a random move led to the next position."""
        last = values[-1] if episode.payoff is None else (episode.payoff - self.middle) / self.half
        found = np.append(values[1:], last) - values
        found[:-1][episode.explored[1:] > 0] = 0.0
        return found
