"""What hangs together on a board, for games in which stones make chains."""

from typing import Protocol

from gamesearch.toolkit.bits import Wide128

__all__ = ["flooded"]


class HasNeighbours(Protocol):
    """A game whose cells touch others."""

    def neighbours(self, cells: int, /) -> int:
        """The cells that touch some of these."""


def flooded(game: HasNeighbours, seeds: int, stones: int) -> int:
    """The stones that hang together with the seeds, which are some of them."""
    reached, before = Wide128(seeds), Wide128(0)
    while reached != before:
        before = reached
        reached |= game.neighbours(reached) & stones
    return reached
