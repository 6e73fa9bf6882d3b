"""What a Monte Carlo tree search runs with: a tree, playouts, and what threads share that grow it together."""

import functools
from typing import Any, Self

from gamesearch.algorithms.parts.all_as_first import Rave
from gamesearch.algorithms.parts.database import Database
from gamesearch.algorithms.parts.growing import Growth
from gamesearch.algorithms.parts.records import Held
from gamesearch.algorithms.parts.result import Limits
from gamesearch.algorithms.parts.sampling import SamplingRunner
from gamesearch.algorithms.parts.sharing import WORDS
from gamesearch.algorithms.parts.tree_runner import TreeRunner
from gamesearch.compiler import Borrowed
from gamesearch.game import Game

__all__ = ["PlayoutTreeRunner"]


class PlayoutTreeRunner(TreeRunner, SamplingRunner):
    """A runner with a tree that grows by playouts, made by one thread or several."""

    number = 0
    """Of the thread that it is for; the main one is 0."""

    def __init__(
        self,
        game: Game[Any],
        speed: str,
        *,
        memory: int,
        has_index: bool,
        has_rave: bool,
        threads: int = 1,
        database: Database | None = None,
    ) -> None:
        super().__init__(game, speed, memory=memory, has_index=has_index, threads=threads, database=database)
        self.has_rave = has_rave

    def helper(self) -> Self:
        """A runner for a thread that grows the same tree."""
        helper = type(self)(
            self.game,
            self.asked,
            memory=self.megabytes,
            has_index=self.has_index,
            has_rave=self.has_rave,
            database=self.database,
        )
        helper.store, helper.words = self.store, self.words
        return helper

    def prepare(self, helper: Self, nodes: int | None) -> None:  # noqa: ARG002
        """Have a helper begin with what is asked of this runner; the limit on nodes is one on their sum."""
        super().prepare(helper, self.limits.nodes)
        helper.number = 1 + self.helpers.index(helper)

    def share(self, limits: Limits) -> int | None:
        """None, for the threads count their nodes together."""

    @functools.cached_property
    def words(self) -> Any:
        """What threads share besides the tree: the lock on it, and how many playouts were begun."""
        import numpy as np

        return np.zeros(WORDS, np.int64)

    @functools.cached_property
    def rave(self) -> Any:
        """Where the moves of a playout are noted; None without RAVE."""
        return Held(Rave, self.speed == "compiled").record if self.has_rave else None

    @property
    def growth(self) -> Growth:
        """What kernels are given besides options and counts; nothing is shared where one thread searches alone."""
        shared = Borrowed(self.words) if self.number or self.helpers else None
        return Growth(self.held_asked.record, self.playouts, self.tree, self.rave, shared)

    def interpret(self) -> None:
        """Go on interpreted."""
        super().interpret()
        vars(self).pop("rave", None)
