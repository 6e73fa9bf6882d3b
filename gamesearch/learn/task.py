"""What a worker is given to do: some games, with weights and a seed; and what it brings back, in arrays."""

import random
from dataclasses import dataclass

import numpy as np

from gamesearch.learn.learnable import Numbers

__all__ = ["GAMES_OF_TASK", "Played", "Settings", "Task"]

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
