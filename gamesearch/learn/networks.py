"""Learning a network by TD(lambda): a kernel plays games and applies back-propagation to their positions."""

import functools
import math
from typing import Any

import numpy as np

from gamesearch.compiler import kernel
from gamesearch.compiler.kernels import load_state
from gamesearch.game import MIN, Game
from gamesearch.learn.greedy_play import GameArrays, GreedyPlay, LearningSettings, play_episode
from gamesearch.learn.method import Method, Numbers, Played, Settings, Task, half_range
from gamesearch.learned.networks import Network, NetworkEvaluation, derive_network_class, network_of
from gamesearch.registry import load
from gamesearch.toolkit.bits import mix
from gamesearch.toolkit.vectors import add_multiple

__all__ = ["NetworkMethod", "NetworkTemporalLearning", "game_with_network", "learner", "play_and_learn"]


@kernel
def play_and_learn(
    game: NetworkEvaluation,
    arrays: GameArrays,
    start: Any,
    seed: int,
    games: int,
    settings: LearningSettings,
    rate: float,
    fall: float,
    weights: Any,
) -> float:
    """Play games, and learn from each; returns the sum of the mean squared errors of the games. After each game, the
    learning rate is multiplied by `fall`."""
    loss, random = 0.0, mix(seed)
    goals, hidden = np.zeros(len(game.payoffs) - 1), np.zeros(game.seen_views * game.hidden_count)
    middle = float(game.draw_value())
    for _ in range(games):
        random = mix(random + 1)
        made, is_over, payoff, _ = play_episode(game, start, random, settings.exploration, arrays)
        if settings.payoff_is_sign and payoff != middle:
            payoff = float(game.MAXSCORE) if payoff > middle else float(game.MINSCORE)
        for k in range(len(goals)):
            step = game.payoffs[k + 1] - game.payoffs[k]
            goals[k] = max(0.0, min(1.0, (payoff - game.payoffs[k]) / step))
        loss += learn_from_game(game, start, made, is_over, settings.decay, rate, arrays, goals, hidden, weights)
        rate *= fall
    return loss


@kernel
def learn_from_game(
    game: NetworkEvaluation,
    like: Any,
    made: int,
    is_over: bool,
    decay: float,
    rate: float,
    arrays: GameArrays,
    goals: Any,
    hidden: Any,
    weights: Any,
) -> float:
    """Move each estimate of a game toward later estimates, beginning with the last estimate; returns the mean squared
    error.

    `goals` are the targets for the current position, as probabilities for Max. Before the call, they are the targets
    for the last position, computed from the result. If a move was random, the estimates before it are not moved toward
    the estimates after it. `like` is any position of the game.
    """
    loss, last = 0.0, len(goals) - 1
    outputs = np.zeros(len(goals))
    for back in range(made):
        t = made - 1 - back
        s = load_state(arrays.states, t, like)
        hidden[:] = 0.0
        game.fill_hidden(s, weights, hidden)
        for k in range(len(goals)):
            outputs[k] = game.output_of(weights, hidden, k)
        is_mirrored = game.viewer(s) == MIN
        cuts = (back == 0 and not is_over) or (back > 0 and arrays.explored[t + 1])
        for k in range(len(goals)):
            now = 1.0 - outputs[last - k] if is_mirrored else outputs[k]
            error = 0.0 if cuts else goals[k] - now
            loss += error * error / (made * len(goals))
            goals[k] = now + decay * error
            if is_mirrored:
                outputs[last - k] = -error
            else:
                outputs[k] = error
        # Now `outputs` are the errors for the side to move, and `goals` are the targets of the previous position.
        if not cuts:
            change(game, s, outputs, hidden, rate, weights)
    return loss


@kernel
def change(game: NetworkEvaluation, s: Any, errors: Any, hidden: Any, rate: float, weights: Any) -> None:
    """Move the weights along the gradient of the log-likelihood of the targets. `errors` are targets minus outputs."""
    count, width = game.hidden_count, len(hidden)
    slopes = np.zeros(width)
    outputs = (game.input_count + 1) * count
    for k in range(len(errors)):
        add_multiple(slopes, 0, weights, outputs + k * width, width, errors[k])
        add_multiple(weights, outputs + k * width, hidden, 0, width, rate * errors[k])
        weights[outputs + len(errors) * width + k] += rate * errors[k]
    for i in range(width):
        flat = 1.0 - hidden[i] * hidden[i]
        slopes[i] *= rate * flat * math.sqrt(flat)
    for first in range(0, width, count):
        for number, amount in game.inputs(s if first == 0 else game.other_view(s)):
            add_multiple(weights, number * count, slopes, first, count, amount)
        add_multiple(weights, game.input_count * count, slopes, first, count, 1.0)


DECAY = 0.7  # the lambda of TD(lambda)
EXPLORATION = 0.1
"""The fraction of moves that are random; 0 in games with dice, because the dice explore enough."""
FIRST_RATE, LAST_RATE = 0.1, 0.002
"""The learning rates of the first and the last game. The learning rate falls geometrically."""
LOSS_MEMORY = 0.9
"""The displayed loss is a weighted mean. The weight of the earlier loss is this number, and the weight of the loss of
the new games is 1 minus this number."""


@functools.lru_cache(maxsize=4)
def learner(game: str, hidden: int) -> tuple[type[Any], Network]:
    """Return two objects: a game class that evaluates with a network, and this network. Each instance has its own
    weights."""
    own = load(game)
    network = network_of(own, hidden)
    weights = np.zeros(network.size)
    return derive_network_class(type(own), lambda _: (network, weights), "", None), network


def game_with_network(settings: Settings, weights: Numbers) -> NetworkEvaluation:
    """The game with the network of a run. The array `weights` is not copied, so the caller may change the weights in
    place."""
    cls, _ = learner(settings.game, settings.hidden)
    game: NetworkEvaluation = cls(**load(settings.game).parameters())
    game.network = weights
    return game


class NetworkMethod(Method):
    """Base class of the methods that learn a network."""

    def prepare(self) -> None:
        """Create the network."""
        self.network = learner(self.settings.game, self.settings.hidden)[1]

    def game_with_weights(self) -> Game:
        """The game with the learned weights."""
        return game_with_network(self.settings, self.weights)


class NetworkTemporalLearning(NetworkMethod):
    """Learns a network by TD(lambda). Each move is chosen by the estimate of the position after the move, without
    search. The loss is the mean squared error of the probabilities that the network outputs."""

    tasks_of_run = 200

    def initial_state(self) -> Played:
        """The random initial weights of the network."""
        return {"weights": np.asarray(self.network.initial_weights(self.settings.seed))}

    @classmethod
    def play(cls, task: Task) -> Played:
        """Play the games of a task and learn from each; the result also contains the `counts` of `GameArrays`."""
        state = {name: np.array(each, np.float64) for name, each in task.state.items()}
        game = game_with_network(task.settings, state["weights"])
        fall = (LAST_RATE / FIRST_RATE) ** (1 / task.settings.games)
        settings = LearningSettings(0.0 if game.dice_explore else EXPLORATION, DECAY, half_range(game) == 1.0)
        return GreedyPlay(game, task.speed).learn(
            play_and_learn, task, state, LOSS_MEMORY, settings, FIRST_RATE * fall**task.first, fall, state["weights"]
        )
