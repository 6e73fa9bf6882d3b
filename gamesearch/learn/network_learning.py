"""Learning the weights of a network: by temporal differences, in games that run as machine code."""

import functools
from typing import Any

import numpy as np

from gamesearch import compiler
from gamesearch.game import Game
from gamesearch.learn.learnable import Numbers, half_range
from gamesearch.learn.network_play import Rates, play_and_learn
from gamesearch.learn.played_episode import Lesson, room_for
from gamesearch.learn.searched_play import LONGEST
from gamesearch.learn.task import GAMES_OF_TASK, Played, Settings, Task
from gamesearch.learned.networks import Network, NetworkEvaluation, derived_by_network, network_of
from gamesearch.registry import load

__all__ = ["NetworkTemporal"]

DECAY = 0.7
"""The lambda of TD(lambda)."""
EXPLORATION = 0.1
"""How often a move is made by lot, but in games whose dice bring enough that is new."""
FIRST_RATE, LAST_RATE = 0.1, 0.002
"""Of the first game, and of the last one: between, each game's is the same part of that before."""
PARTS = 200
"""A run is written down so often, at most."""
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


class NetworkTemporal:
    """TD(lambda) on the positions after moves that are chosen by their estimates alone."""

    def __init__(self, settings: Settings, state: Played | None = None) -> None:
        self.settings = settings
        self.network = learner(settings.game, settings.hidden)[1]
        self.state = state or {"weights": self.network.by_lot(settings.seed), "loss": np.array([np.nan])}

    @property
    def weights(self) -> Numbers:
        """What was learned."""
        return self.state["weights"]

    def evaluated(self) -> Game[Any]:
        """The game, evaluated by what was learned."""
        return evaluated_by_network(self.settings, self.weights)

    @property
    def loss(self) -> float | None:
        """The mean squared error of the chances that the network gives; None before any."""
        loss = float(self.state["loss"][0])
        return None if np.isnan(loss) else loss

    @property
    def games_of_task(self) -> int:
        """How many games a worker plays between two looks at the weights."""
        return max(GAMES_OF_TASK, self.settings.games // PARTS)

    def next_stop(self, done: int) -> int:  # noqa: ARG002
        """The number of the game up to which all may be played: what workers learn is taken in after each task."""
        return self.settings.games

    def take(self, played: list[Played], done: int) -> None:  # noqa: ARG002
        """Go on from the mean of what the workers learned, each from the same weights."""
        self.state = {name: np.mean([each[name] for each in played], axis=0) for name in self.state}

    @classmethod
    def played(cls, task: Task) -> Played:
        """Play the games of a task, and learn from each."""
        settings = task.settings
        state = {name: np.array(each, np.float64) for name, each in task.state.items()}
        game = evaluated_by_network(settings, state["weights"])
        start = game.initial()
        fall = (LAST_RATE / FIRST_RATE) ** (1 / settings.games)
        exploration = 0.0 if game.dice_explore else EXPLORATION
        lesson = Lesson(exploration, DECAY, half_range(game) == 1.0)
        rates, episode = Rates(FIRST_RATE * fall**task.first, fall), room_for(game, LONGEST, task.speed)
        seed = task.source(task.first).getrandbits(62)
        loss, _ = compiler.run(
            play_and_learn, game, task.speed, start, seed, task.count, lesson, rates, episode, state["weights"]
        )
        known, mean = float(state["loss"][0]), loss / task.count
        state["loss"][0] = mean if np.isnan(known) else mean + LOSS_MEMORY * (known - mean)
        return state
