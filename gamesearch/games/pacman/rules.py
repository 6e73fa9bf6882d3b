"""Pac-Man: eat the dots of a maze before time runs out, and keep away from the ghosts."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar

from gamesearch.game import CHANCE, MAX, MIN
from gamesearch.games._shared.members import members
from gamesearch.games.pacman.maze import LAYOUTS, STILL
from gamesearch.games.pacman.notation import PacmanNotation
from gamesearch.games.pacman.position import (
    ALL,
    ALL_POINTS,
    DOT,
    LOSS,
    PACMAN,
    STEP,
    Position,
    ghost_cell,
    ghost_heading,
    with_ghost,
)
from gamesearch.toolkit.bits import Wide128, low_bit_index, popcount
from gamesearch.toolkit.known import Known

__all__ = ["Pacman"]

FAR = 1 << 20
SHARES = (0.0, 1.0, 1 / 2, 1 / 3, 1 / 4)
"""The probability of each of so many ways: looked up, for random play takes 1.03 of the time with a division."""


class Pacman(PacmanNotation):
    """Eat dots while ghosts attack or stray: +10 for a dot, -1 for a step, payoff is the score.

    Pac-Man (Max) always moves. Then each ghost moves, in the order of the layout: on in its direction
    until an obstacle, that is a wall or the border; there, and at its first move, it takes any open
    direction, back included. Where it has the choice, a red ghost R is Min, and a blue one B is
    chance, all directions equally likely. Ghosts pass through each other. Being on one cell costs
    500 and ends the game or, with a `penalty`, costs that, or `all` points that there are, and the
    ghost starts again where it began.
    The game also ends with the last dot, and after `rounds` steps. `layout` is alone, small, chase,
    court, town, a text file, or rows joined by "/". The scores are those of DeNero and Klein's
    Pac-Man projects (Berkeley, 2010); the mazes are not.
    """

    choices: ClassVar[Mapping[str, Collection[Any]]] = {"layout": LAYOUTS, "penalty": (0, 20, ALL)}
    win_or_loss = False
    known = (
        Known("by hand: two dots in two steps", "layout=P.., rounds=2", value=18, best=("east",)),
        Known("by hand: the second step is the last", "layout=P..R, rounds=2", value=8, perft=(1, 1, 2)),
        Known("by hand: the second dot, and caught", "layout=P..R, rounds=3", value=-482),
        Known("by hand: the second dot, at a price", "layout=P..R, rounds=3, penalty=20", value=-2),
        Known("by hand: two dots, and all points lost", "layout=P..R, rounds=3, penalty=all", value=0),
        Known("by hand: the ghost comes, or goes", "layout=P.B., rounds=2", value=-241.5, perft=(1, 2, 2)),
    )
    feature_names = (
        "score", "steps to the nearest dot", "nearness of the ghosts", "dots left", "steps to the nearest ghost",
    )  # fmt: skip

    def __init__(self, layout: str = "small", rounds: int = 16, penalty: int | str = 0) -> None:
        super().__init__(layout, rounds, penalty)
        self.loss = LOSS if self.ghost_count and not self.price else 0
        self.dearest_step = STEP + 2 * self.ghost_count * max(0, self.price)
        self.MINSCORE = -self.dearest_step * self.rounds - self.loss
        self.MAXSCORE = (DOT - STEP) * min(self.all_dots.bit_count(), self.rounds)
        # Set by hand: a step to a dot costs nearly a step, and a ghost next to Pac-Man a part of what it takes. The
        # last two are there to be weighed otherwise.
        all_points = DOT * self.all_dots.bit_count() / 2
        self.weights = (1.0, -0.9, -0.06 * ((all_points if self.price < 0 else self.price) or LOSS), 0.0, 0.0)
        self.suggested_depth = (self.ghost_count + 1) * (12, 9, 6, 4, 3, 3, 3)[self.ghost_count]

    def initial(self) -> Position:
        return Position(self.home, self.dens, Wide128(self.all_dots), self.rounds, 0, PACMAN)

    def player(self, s: Position) -> int:
        if s.turn == PACMAN:
            return MAX
        return MIN if self.reds >> s.turn - 1 & 1 else CHANCE

    def open_ways(self, s: Position) -> int:
        """The directions, as bits, that whoever's turn it is may take."""
        if s.turn == PACMAN:
            return int(self.ways[s.pacman, STILL])
        return int(self.ways[ghost_cell(s.ghosts, s.turn - 1), ghost_heading(s.ghosts, s.turn - 1)])

    def moves(self, s: Position) -> Iterator[int]:
        ways = self.open_ways(s)
        while ways != 0:
            yield low_bit_index(ways)
            ways &= ways - 1

    def outcomes(self, s: Position) -> Iterator[tuple[int, float]]:
        ways = self.open_ways(s)
        probability = SHARES[popcount(ways)]
        while ways != 0:
            yield low_bit_index(ways), probability
            ways &= ways - 1

    def result(self, s: Position, m: int) -> Position:
        turn = (s.turn + 1) % (self.ghost_count + 1)
        if s.turn != PACMAN:
            i = s.turn - 1
            cell = int(self.neighbours[ghost_cell(s.ghosts, i), m])
            return self.met(Position(s.pacman, with_ghost(s.ghosts, i, cell, m), s.dots, s.left, s.score, turn), i)
        cell = int(self.neighbours[s.pacman, m])
        dot = s.dots & Wide128(1) << cell
        score = s.score - STEP + (DOT if dot != 0 else 0)
        after = Position(cell, s.ghosts, s.dots ^ dot, s.left - 1, score, turn)
        for i in range(self.ghost_count):
            after = self.met(after, i)
        return after

    def met(self, s: Position, i: int) -> Position:
        """What follows at once if ghost i and Pac-Man are on one cell, where that does not end the game."""
        if self.price == 0 or ghost_cell(s.ghosts, i) != s.pacman:
            return s
        ghosts = with_ghost(s.ghosts, i, ghost_cell(self.dens, i), STILL)
        score = min(s.score, 0) if self.price == ALL_POINTS else s.score - self.price
        return Position(s.pacman, ghosts, s.dots, s.left, score, s.turn)

    def terminal(self, s: Position) -> bool:
        return s.dots == 0 or s.left == 0 or self.caught(s)

    def utility(self, s: Position) -> int:
        return s.score - LOSS if self.caught(s) else s.score

    # What search asks to do better. --------------------------------------------------------------
    def steps_to_dots(self, cell: int, dots: int) -> tuple[int, int]:
        """How many steps it is to the nearest of the dots and to the farthest."""
        near, far = FAR, 0
        for dot in members(dots):
            distance = int(self.distances[cell, dot])
            near, far = min(near, distance), max(far, distance)
        return near, far

    def bounds(self, s: Position) -> tuple[float, float]:
        # The k-th dot is not eaten before step near + k - 1, nor all before step far. If they are not
        # all eaten, and Pac-Man is not caught, all steps that are left are paid for.
        near, far = self.steps_to_dots(s.pacman, s.dots)
        dots = popcount(s.dots)
        gain = DOT * max(0, min(dots - 1, s.left - near + 1)) - STEP * s.left
        needed = max(near + dots - 1, far)
        if needed <= s.left:
            gain = max(gain, DOT * dots - STEP * needed)
        if self.loss > 0:
            gain = max(gain, (DOT - STEP) * min(dots, s.left) - self.loss)
        least = min(s.score, 0) if self.price == ALL_POINTS else s.score
        return least - self.dearest_step * s.left - self.loss, s.score + gain

    def order(self, s: Position, m: int) -> float:
        if s.turn != PACMAN:
            cell = int(self.neighbours[ghost_cell(s.ghosts, s.turn - 1), m])
            return -float(self.distances[s.pacman, cell])
        return -float(self.steps_to_dots(int(self.neighbours[s.pacman, m]), s.dots)[0])

    def features(self, s: Position) -> tuple[float, ...]:
        """The score, the steps to the nearest dot, how near the ghosts are, which is 1 / distance, added up, the dots
        that are left, and the steps to the nearest ghost, or as many as are left.
        """
        danger, nearest = 0.0, s.left
        for i in range(self.ghost_count):
            distance = int(self.distances[s.pacman, ghost_cell(s.ghosts, i)])
            danger += 1 / max(1, distance)
            nearest = min(nearest, distance)
        dot = min(s.left, self.steps_to_dots(s.pacman, s.dots)[0])
        return float(s.score), float(dot), danger, float(popcount(s.dots)), float(nearest)

    def consistent(self, s: Position) -> bool:
        return (s.dots & self.all_dots) == s.dots and (s.dots >> s.pacman & 1) == 0 and 0 <= s.left <= self.rounds
