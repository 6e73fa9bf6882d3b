"""Learning the weights of a network: by temporal differences, in games that run as machine code."""

import functools
from typing import Any

import numpy as np

from gamesearch.game import Game
from gamesearch.learn.greedy_play import GreedyPlay, Lesson
from gamesearch.learn.learnable import Numbers, half_range
from gamesearch.learn.method import Method, Played, Settings, Task
from gamesearch.learn.network_play import Rates, play_and_learn
from gamesearch.learned.networks import Network, NetworkEvaluation, derived_by_network, network_of
from gamesearch.registry import load

__all__ = ["NetworkTemporal"]

DECAY = 0.7
"""The lambda of TD(lambda)."""
EXPLORATION = 0.1
"""How often a move is made by lot, but in games whose dice bring enough that is new."""
FIRST_RATE, LAST_RATE = 0.1, 0.002
"""Of the first game, and of the last one: between, each game's is the same part of that before."""
LOSS_MEMORY = 0.9
"""The loss that is shown of a part of the games is mixed with that before."""


@functools.lru_cache(maxsize=4)
def learner(game: str, hidden: int) -> tuple[type[Any], Network]:
    """The class of a game with a network, whose weights are given to each game, and the network."""
    own = load(game)
    network = network_of(own, hidden)
    weights = np.zeros(network.size)
    return derived_by_network(type(own), lambda _: (network, weights), "", None), network


def evaluated_by_network(settings: Settings, weights: Numbers) -> NetworkEvaluation:
    """The game with the network of a run and some weights, whose numbers may be changed in place."""
    cls, _ = learner(settings.game, settings.hidden)
    game: NetworkEvaluation = cls(**load(settings.game).parameters())
    game.network = weights
    return game


class NetworkTemporal(Method):
    """TD(lambda) on the positions after moves that are chosen by their estimates alone.

    The loss is the mean squared error of the chances that the network gives.
    """

    tasks_of_run = 200

    def prepare(self) -> None:
        """Make the network."""
        self.network = learner(self.settings.game, self.settings.hidden)[1]

    def more(self) -> Played:
        """The weights, by lot."""
        return {"weights": np.asarray(self.network.by_lot(self.settings.seed))}

    def evaluated(self) -> Game[Any]:
        """The game, evaluated by what was learned."""
        return evaluated_by_network(self.settings, self.weights)

    @classmethod
    def played(cls, task: Task) -> Played:
        """Play the games of a task, and learn from each; besides, `counts` as those of `Room`."""
        state = {name: np.array(each, np.float64) for name, each in task.state.items()}
        game = evaluated_by_network(task.settings, state["weights"])
        fall = (LAST_RATE / FIRST_RATE) ** (1 / task.settings.games)
        lesson = Lesson(0.0 if game.dice_explore else EXPLORATION, DECAY, half_range(game) == 1.0)
        return GreedyPlay(game, task.speed).learn(
            play_and_learn,
            task,
            state,
            LOSS_MEMORY,
            lesson,
            Rates(FIRST_RATE * fall**task.first, fall),
            state["weights"],
        )
