"""The settings of a run of learning, the tasks of its workers, and the base class of methods."""

import random
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.learn.learnable import Numbers, with_weights

__all__ = ["GAMES_OF_TASK", "Method", "Played", "Settings", "Task", "mixed_loss"]

GAMES_OF_TASK = 10
"""The number of games that each worker plays between two updates of the weights."""

Played = dict[str, Numbers]
"""The state of a run, or the result of a worker: arrays by name."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run. Runs with equal settings, including the number of workers, learn equal weights."""

    game: str
    """The specification of the game, without weights."""
    before: tuple[float, ...]
    """The weights before learning."""
    method: str
    games: int
    seed: int
    depth: int
    workers: int = 1
    patterns: tuple[tuple[int, ...], ...] = ()
    """The cells of each pattern, if weights of patterns are learned."""
    hidden: int = 0
    """The number of hidden units, if a network is learned."""


@dataclass(frozen=True)
class Task:
    """Consecutive games of a run, which one worker plays."""

    settings: Settings
    first: int
    """The number of the first game."""
    count: int
    state: Played
    """The state of the run before the task."""
    speed: str

    def source(self, number: int) -> random.Random:
        """The random generator of a game, which does not depend on the worker."""
        return random.Random(f"learn {self.settings.seed} {number}")

    @property
    def weights(self) -> Numbers:
        """The weights with which the games are played."""
        return np.array(self.state["weights"], np.float64)


class Method:
    """Base class of learning methods. An object of this class is one run of learning."""

    rounds: ClassVar[int] = 1
    """The number of rounds. All workers wait at the end of each round, and the next round is played with new weights.
    If there is a single round, the results of workers are added after each task."""
    tasks_of_run: ClassVar[int | None] = None
    """The greatest number of tasks in a run, for methods whose tasks write large tables; None for other methods."""
    played_with: ClassVar[tuple[str, ...]] = ()
    """The names of the arrays of the state that workers need. If no names are given, workers get all arrays."""
    added_up: ClassVar[tuple[str, ...]] = ()
    """The names of the arrays of the state that are sums over all games."""

    def __init__(self, settings: Settings, state: Played | None = None) -> None:
        self.settings = settings
        self.prepare()
        fresh = {"weights": np.array(settings.before, np.float64), "loss": np.array([np.nan]), **self.initial_state()}
        if state is not None and state.keys() != fresh.keys():
            raise GamesearchError(
                "the unfinished run was begun by another version of gamesearch: begin again with --force"
            )
        self.state = fresh if state is None else state

    def prepare(self) -> None:
        """Set attributes that follow from the settings."""

    def initial_state(self) -> Played:
        """The arrays of the initial state. The weights may be missing if they are the game's own weights."""
        return {}

    @property
    def weights(self) -> Numbers:
        """The learned weights."""
        return self.state["weights"]

    @property
    def loss(self) -> float | None:
        """The loss of the estimates; None if the method does not compute a loss or has not yet computed one."""
        loss = float(self.state["loss"][0])
        return None if np.isnan(loss) else loss

    @property
    def games_of_task(self) -> int:
        """The number of games that a worker plays between two updates of the weights."""
        return max(GAMES_OF_TASK, self.settings.games // self.tasks_of_run) if self.tasks_of_run else GAMES_OF_TASK

    @property
    def ends(self) -> list[int]:
        """The number of games that have been played at the end of each round."""
        return [self.settings.games * (i + 1) // self.rounds for i in range(self.rounds)]

    def game_with_weights(self) -> Game:
        """The game with the learned weights. Subclasses override this method if they do not learn weights of
        features."""
        return with_weights(self.settings.game, self.weights)

    def take(self, played: list[Played], done: int) -> None:  # noqa: ARG002
        """Add the results of workers, in the order of their games, after `done` games.

        All workers started from the same state. Each array of the new state is the mean of the workers' arrays. The
        arrays in `added_up` are different: their new values are the old values plus the changes of all workers.
        Subclasses may add results in other ways.
        """
        before = self.state
        self.state = {name: np.mean([each[name] for each in played], axis=0) for name in before}
        for name in self.added_up:
            self.state[name] = before[name] + sum(each[name] - before[name] for each in played)

    @classmethod
    def play(cls, task: Task) -> Played:
        """Play the games of a task in a worker, and return the result."""
        raise NotImplementedError


def mixed_loss(known: float, loss: float, memory: float) -> float:
    """The loss that is shown: the mean of the earlier loss, with weight `memory`, and of the new loss, with the
    remaining weight."""
    return loss if np.isnan(known) else loss + memory * (known - loss)
