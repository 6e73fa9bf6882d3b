"""A position of Pac-Man: where all are, and how ghosts are kept in an integer."""

from typing import NamedTuple

from gamesearch.bits import Wide128

__all__ = ["PACMAN", "STILL", "Position", "ghost_cell", "ghost_heading", "with_ghost"]

PACMAN = 0
"""Pac-Man's turn."""
STILL = 4
"""The heading of a ghost that has not moved yet."""
GHOST_BITS, CELL_BITS = 10, 7


class Position(NamedTuple):
    """Where all are, the dots that are left, the steps that are left, the score so far, and whose turn it is.

    The cells that are no walls are numbered row by row; bit i of `dots` is cell i. Ghosts are numbered
    in the same order, and each has 10 bits, the first of them the lowest:

        heading of ghost 1 (3) | cell of ghost 1 (7) | heading of ghost 0 (3) | cell of ghost 0 (7)

    `turn` is PACMAN, or i + 1 for ghost i.
    """

    pacman: int
    ghosts: int
    dots: Wide128
    left: int
    score: int
    turn: int


def ghost_cell(ghosts: int, i: int) -> int:
    """The cell of ghost i."""
    return ghosts >> GHOST_BITS * i & (1 << CELL_BITS) - 1


def ghost_heading(ghosts: int, i: int) -> int:
    """The direction in which ghost i moved last, or STILL."""
    return ghosts >> GHOST_BITS * i + CELL_BITS & 7


def with_ghost(ghosts: int, i: int, cell: int, heading: int) -> int:
    """The ghosts with ghost i put elsewhere."""
    others = ghosts & ~((1 << GHOST_BITS) - 1 << GHOST_BITS * i)
    return others | (heading << CELL_BITS | cell) << GHOST_BITS * i
