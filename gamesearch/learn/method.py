"""What a run of learning is asked for, what its workers are given and bring back, and what every method answers."""

import random
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.learn.learnable import Numbers, with_weights

__all__ = ["GAMES_OF_TASK", "Method", "Played", "Settings", "Task", "mixed_loss"]

GAMES_OF_TASK = 10
"""So many games are played between two looks at the weights, by each worker."""

Played = dict[str, Numbers]
"""Arrays by their names."""


@dataclass(frozen=True)
class Settings:
    """What was asked; equal settings learn equal weights, with as many workers."""

    game: str
    """The specification, without weights."""
    before: tuple[float, ...]
    """The weights at the beginning."""
    method: str
    games: int
    seed: int
    depth: int
    workers: int = 1
    patterns: tuple[tuple[int, ...], ...] = ()
    """The cells of each pattern, where weights of patterns are learned."""
    hidden: int = 0
    """The number of hidden units, where a network is learned."""


@dataclass(frozen=True)
class Task:
    """Some games of a run."""

    settings: Settings
    first: int
    """The number of the first of the games."""
    count: int
    state: Played
    """What was learned before."""
    speed: str

    def source(self, number: int) -> random.Random:
        """Where the lots of a game come from: the same whoever plays it."""
        return random.Random(f"learn {self.settings.seed} {number}")

    @property
    def weights(self) -> Numbers:
        """The weights to play with."""
        return np.array(self.state["weights"], np.float64)


class Method:
    """A run of a method: the base of all of them."""

    rounds: ClassVar[int] = 1
    """So often all workers wait for each other, and the next games are played with what was then learned. In one round,
    what workers learn is taken in after each task."""
    tasks_of_run: ClassVar[int | None] = None
    """A run has so many tasks at most, where each costs the writing of large tables."""
    played_with: ClassVar[tuple[str, ...]] = ()
    """What workers need of the state; all of it where nothing is named."""
    added_up: ClassVar[tuple[str, ...]] = ()
    """What of the state is a sum over all games."""

    def __init__(self, settings: Settings, state: Played | None = None) -> None:
        self.settings = settings
        self.prepare()
        fresh = {"weights": np.array(settings.before, np.float64), "loss": np.array([np.nan]), **self.more()}
        if state is not None and state.keys() != fresh.keys():
            raise GamesearchError("what was begun is of another version of gamesearch: begin anew with --force")
        self.state = fresh if state is None else state

    def prepare(self) -> None:
        """Set what follows from the settings."""

    def more(self) -> Played:
        """What else a run remembers, and the weights that it begins with where they are no game's own."""
        return {}

    @property
    def weights(self) -> Numbers:
        """What was learned."""
        return self.state["weights"]

    @property
    def loss(self) -> float | None:
        """How badly the estimates told what happened; None before anything is known, or where nothing tells."""
        loss = float(self.state["loss"][0])
        return None if np.isnan(loss) else loss

    @property
    def games_of_task(self) -> int:
        """How many games a worker plays between two looks at the weights."""
        return max(GAMES_OF_TASK, self.settings.games // self.tasks_of_run) if self.tasks_of_run else GAMES_OF_TASK

    @property
    def ends(self) -> list[int]:
        """The number of games after which each round is over."""
        return [self.settings.games * (i + 1) // self.rounds for i in range(self.rounds)]

    def evaluated(self) -> Game[Any]:
        """The game, evaluated by what was learned: weights of its features, unless a method learns others."""
        return with_weights(self.settings.game, self.weights)

    def take(self, played: list[Played], done: int) -> None:  # noqa: ARG002
        """Take in what workers brought back, in the order of their games, of which `done` are played now.

        Each has learned from the same state: what goes on is the mean, and the sum of what is `added_up`.
        """
        before = self.state
        self.state = {name: np.mean([each[name] for each in played], axis=0) for name in before}
        for name in self.added_up:
            self.state[name] = before[name] + sum(each[name] - before[name] for each in played)

    @classmethod
    def played(cls, task: Task) -> Played:
        """What a worker brings back from the games of a task."""
        raise NotImplementedError


def mixed_loss(known: float, loss: float, memory: float) -> float:
    """The loss that is shown: what is new mixed with what was known before, of which so large a part is kept."""
    return loss if np.isnan(known) else loss + memory * (known - loss)
