"""Entering moves by pointing: a player chooses cells of the board, and this module finds the legal move."""

from collections.abc import Collection
from typing import Any

from gamesearch.game import Game
from gamesearch.toolkit.boards import Footprint, Place
from gamesearch.toolkit.pictures import footprints

__all__ = ["MoveSelection"]


class MoveSelection:
    """The legal moves of a position, and the cells chosen so far: usually a piece and its target, or a single cell. If
    several moves are still possible, for example with different captures, another cell must be chosen."""

    def __init__(self, game: Game, s: Any, moves: Collection[int]) -> None:
        self.footprints = footprints(game, s, moves)  # the cells of each move that can be made by pointing
        self.chosen: tuple[Place, ...] = ()
        self.choices: list[int] = []  # the moves that further cells cannot distinguish

    def clear(self) -> None:
        """Discard the chosen cells."""
        self.chosen, self.choices = (), []

    @property
    def moves(self) -> list[int]:
        """The moves that agree with the cells chosen so far."""
        return self.matching_moves(self.chosen)

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
        """Choose a cell. If only one move is possible after this choice, return the move. If the cell was already
        chosen, return the move that consists of exactly the chosen cells; if no such move exists, discard the chosen
        cells."""
        self.choices = []
        if place in self.chosen:
            exact = [m for m in self.moves if self.is_all_of(m)]
            if len(exact) != 1:
                self.clear()
            return exact[0] if len(exact) == 1 else None
        chosen = next((each for each in ((*self.chosen, place), (place,)) if self.matching_moves(each)), ())
        self.chosen = chosen
        return self.decide() if chosen else None

    def decide(self) -> int | None:
        """If only one move is possible, return it. If several moves are possible, and no further cell can distinguish
        them, set `choices`."""
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
        """Whether the chosen cells are exactly the starts and ends of the move `m`."""
        each = self.footprints[m]
        return set(self.chosen) == each.starts | each.ends

    def matching_moves(self, chosen: tuple[Place, ...]) -> list[int]:
        """Return the moves that a player may mean by choosing these cells in this order."""
        return [m for m, each in self.footprints.items() if may_mean(each, chosen)]


def may_mean(footprint: Footprint, chosen: tuple[Place, ...]) -> bool:
    """Whether the chosen cells, in this order, fit a move with this footprint."""
    if not set(chosen) <= footprint.places:
        return False
    if not footprint.starts:
        return not chosen or chosen[0] in footprint.ends
    return all(place in places for place, places in zip(chosen, (footprint.starts, footprint.ends), strict=False))
