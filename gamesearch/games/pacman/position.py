"""A position of Pac-Man: where all are, how ghosts are kept in an integer, and the maze that they are in."""

from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.games.pacman.maze import STILL, checked_layout, distances_between, neighbours_of, ways_from
from gamesearch.toolkit.bits import Wide128
from gamesearch.toolkit.boards import Palette

__all__ = [
    "ALL",
    "ALL_POINTS",
    "DOT",
    "LOSS",
    "PACMAN",
    "STEP",
    "PacmanBoard",
    "Position",
    "ghost_cell",
    "ghost_heading",
    "with_ghost",
]

PACMAN = 0
"""Pac-Man's turn."""
GHOST_BITS, CELL_BITS = 10, 7
MOST_ROUNDS = 1000
MOST_PENALTY = 10_000
DOT, STEP, LOSS = 10, 1, 500
"""What a dot brings, and what a step and a game lost to a ghost cost, as in Berkeley's projects."""
ALL = "all"
"""The penalty that takes all points,"""
ALL_POINTS = -1
"""and what stands for it in the rules."""


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


class PacmanBoard(Game[Position]):
    """The maze with all that is in it at first."""

    unit = "points"
    palette = Palette(board="#0b0b14", dark="#2436c7", sides=("#ffe135", "#ff4b4b", "#5fe3ff"))

    def __init__(self, layout: str, rounds: int, penalty: int | str) -> None:
        if not 1 <= rounds <= MOST_ROUNDS:
            raise GamesearchError(f"rounds={rounds} is not between 1 and {MOST_ROUNDS}")
        if penalty != ALL and (isinstance(penalty, str) or not 0 <= penalty <= MOST_PENALTY):
            raise GamesearchError(
                f"penalty={penalty} is not between 1 and {MOST_PENALTY}, nor {ALL} points, nor 0 to end the game"
            )
        self.layout, self.rounds, self.penalty = layout, int(rounds), penalty
        self.price = ALL_POINTS if isinstance(penalty, str) else int(penalty)
        self.maze = checked_layout(layout)
        self.places = [(y, x) for y, row in enumerate(self.maze) for x, mark in enumerate(row) if mark != "#"]
        marks = "".join(self.maze).replace("#", "")
        self.ghost_marks = "".join(mark for mark in marks if mark in "RB")
        self.ghost_count = len(self.ghost_marks)
        self.reds = sum(1 << i for i, mark in enumerate(self.ghost_marks) if mark == "R")
        self.chance = "B" in marks
        self.home = marks.index("P")
        self.all_dots = sum(1 << cell for cell, mark in enumerate(marks) if mark == ".")
        dens = [cell for cell, mark in enumerate(marks) if mark in "RB"]
        self.dens = sum(with_ghost(0, i, cell, STILL) for i, cell in enumerate(dens))
        self.neighbours = neighbours_of(self.places)
        self.ways = ways_from(self.neighbours)
        self.distances = distances_between(self.neighbours)
        if self.distances.min() < 0:
            y, x = self.places[int(self.distances[self.home].argmin())]
            raise GamesearchError(f"in the layout {layout!r}, Pac-Man cannot reach row {y + 1}, column {x + 1}")

    def caught(self, s: Position) -> bool:
        """Whether a ghost has ended the game."""
        if self.price == 0:
            for i in range(self.ghost_count):
                if ghost_cell(s.ghosts, i) == s.pacman:
                    return True
        return False
