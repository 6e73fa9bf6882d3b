"""Several observers of one search."""

from typing import Any

from gamesearch.algorithms.parts.result import Observer

__all__ = ["Observers"]


class Observers(Observer):
    """Tells each of several observers every event."""

    def __init__(self, *observers: Observer) -> None:
        self.observers = observers

    def iteration(self, depth: int, purpose: str) -> None:
        """A search of the root to a depth begins."""
        for each in self.observers:
            each.iteration(depth, purpose)

    def enter(self, state: Any, ply: int, alpha: float | None, beta: float | None) -> None:
        """A node is visited with a window."""
        for each in self.observers:
            each.enter(state, ply, alpha, beta)

    def move(self, ply: int, move: int) -> None:
        """The move of the innermost node is searched next."""
        for each in self.observers:
            each.move(ply, move)

    def leave(self, ply: int, value: Any) -> None:
        """The innermost node is done."""
        for each in self.observers:
            each.leave(ply, value)

    def cutoff(self, ply: int, index: int, count: int) -> None:
        """The innermost node is left."""
        for each in self.observers:
            each.cutoff(ply, index, count)

    def table_hit(self, ply: int, lower: float, upper: float) -> None:
        """The table knows enough of the innermost node."""
        for each in self.observers:
            each.table_hit(ply, lower, upper)

    def bounds(self, ply: int, lower: float, upper: float) -> None:
        """The game's own bounds tell enough of the innermost node."""
        for each in self.observers:
            each.bounds(ply, lower, upper)

    def recurrence(self, ply: int) -> None:
        """The position stands on the path already."""
        for each in self.observers:
            each.recurrence(ply)

    def probe(self, ply: int) -> None:
        """Only the first move of the innermost node will be searched."""
        for each in self.observers:
            each.probe(ply)
