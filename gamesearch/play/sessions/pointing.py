"""Moves by pointing: which legal move is meant by cells of the board, chosen one after another."""

from collections.abc import Collection
from typing import Any

from gamesearch.game import Game
from gamesearch.toolkit.boards import Footprint, Place
from gamesearch.toolkit.pictures import footprints

__all__ = ["Choosing"]


class Choosing:
    """The legal moves of a position, and the cells that were chosen so far.

    A man is chosen first, then where it goes; where something is only placed, its cell alone. As long as that leaves
    several moves whose other cells differ, such as which man is captured, one more cell is asked for.
    """

    def __init__(self, game: Game[Any], s: Any, moves: Collection[int]) -> None:
        self.footprints = footprints(game, s, moves)
        """The moves that can be pointed at."""
        self.chosen: tuple[Place, ...] = ()
        self.choices: list[int] = []
        """The moves among which the cells chosen cannot decide, where no other cell can, either."""

    def clear(self) -> None:
        """Choose nothing."""
        self.chosen, self.choices = (), []

    @property
    def moves(self) -> list[int]:
        """The moves that the cells chosen so far may mean."""
        return self.meant(self.chosen)

    @property
    def places(self) -> set[Place]:
        """The cells that may be chosen next."""
        footprints = [self.footprints[m] for m in self.moves]
        if not self.chosen:
            return {place for each in footprints for place in each.starts or each.ends}
        if len(self.chosen) == 1 and any(each.starts for each in footprints):
            return {place for each in footprints for place in each.ends}
        shared = frozenset.intersection(*(each.places for each in footprints)) if footprints else frozenset()
        return {place for each in footprints for place in each.places} - shared - set(self.chosen)

    def point(self, place: Place) -> int | None:
        """Choose a cell; the move, where that decides it.

        The last cell again means the move of the cells chosen alone, if there is one; else it lets go of them all.
        """
        self.choices = []
        if place in self.chosen:
            exact = [m for m in self.moves if self.is_all_of(m)]
            if len(exact) != 1:
                self.clear()
            return exact[0] if len(exact) == 1 else None
        chosen = next((each for each in ((*self.chosen, place), (place,)) if self.meant(each)), ())
        self.chosen = chosen
        return self.decided() if chosen else None

    def decided(self) -> int | None:
        """The move that the cells chosen decide on; else, where no cell can decide, its `choices`."""
        found = self.moves
        has_starts = any(self.footprints[m].starts for m in found)
        if has_starts and len(self.chosen) == 1:
            return None
        exact = [m for m in found if self.is_all_of(m)] if has_starts else []
        if len(exact or found) == 1:
            return (exact or found)[0]
        if not self.places or len({self.footprints[m].places for m in exact}) == 1:
            self.choices = exact or found
        return None

    def is_all_of(self, m: int) -> bool:
        """Whether the cells chosen are all those of a move, but for what it captures."""
        each = self.footprints[m]
        return set(self.chosen) == each.starts | each.ends

    def meant(self, chosen: tuple[Place, ...]) -> list[int]:
        """The moves that some cells, chosen in this order, may mean."""
        return [m for m, each in self.footprints.items() if may_mean(each, chosen)]


def may_mean(footprint: Footprint, chosen: tuple[Place, ...]) -> bool:
    """Whether cells chosen in this order may mean a move with this footprint."""
    if not set(chosen) <= footprint.places:
        return False
    if not footprint.starts:
        return not chosen or chosen[0] in footprint.ends
    return all(place in places for place, places in zip(chosen, (footprint.starts, footprint.ends), strict=False))
