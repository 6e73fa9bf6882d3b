"""The sizes of games, measured or published: moves per position, plies per game, positions, and leaves of the tree."""

import math
import random
from dataclasses import dataclass
from math import comb
from typing import Any

from gamesearch.game import CHANCE, Game
from gamesearch.registry import game_names, load

__all__ = [
    "RandomGameMeans",
    "Size",
    "count_seeds",
    "count_stones",
    "count_with_kings",
    "measure_size",
    "published_sizes",
]

ALLIS = "Allis 1994, Searching for Solutions in Games and Artificial Intelligence, ch. 6"
RANDOM = "moves and plies: means of 20 random games"
MOST_PLIES = 600


@dataclass(frozen=True)
class Size:
    """The size of a game. The numbers of positions and of the tree's leaves are exact numbers or powers of ten."""

    branching: float | None = None
    plies: float | None = None
    positions: str = ""
    tree: str = ""
    source: str = ""


@dataclass(frozen=True)
class RandomGameMeans:
    """The mean number of moves and the mean length of random games."""

    games: int
    branching: float
    plies: float

    @property
    def tree(self) -> str:
        """The number of leaves of a uniform tree with the mean branching factor and length, as a power of ten."""
        digits = 0.0 if self.branching <= 1 else self.plies * math.log10(self.branching)
        return f"10^{digits:.0f}"


# Upper bounds of the number of positions. --------------------------------------------------------
def count_stones(cells: int) -> int:
    """An upper bound of the number of positions if the players place stones in turn: the number of boards."""
    return sum(comb(cells, stones) * comb(stones, stones // 2) for stones in range(cells + 1))


def count_seeds(pits: int, seeds: int) -> int:
    """The number of ways to distribute all seeds over pits and stores, times 2 for the side to move: an upper bound of
    the number of positions."""
    places = 2 * pits + 2
    return 2 * comb(2 * pits * seeds + places - 1, places - 1)


def count_with_kings(squares: int, row: int, pieces: int) -> int:
    """The number of ways to place up to `pieces` men and kings of each side. Men cannot stand on the last row, which
    has `row` squares.

    The empty board is not counted. For checkers, J. Schaeffer et al. 2007 ("Checkers is solved", Science 317) found the
    same number.
    """
    total, middle = -1, squares - 2 * row
    for white in range(pieces + 1):
        for black in range(pieces + 1):
            men = sum(
                comb(middle, i) * comb(middle - i, j) * comb(row, white - i) * comb(row, black - j)
                for i in range(max(0, white - row), min(white, middle) + 1)
                for j in range(max(0, black - row), min(black, middle - i) + 1)
            )
            free = squares - white - black
            for kings in range(min(free, pieces - white) + 1) if men else ():
                others = sum(comb(free - kings, each) for each in range(pieces - black + 1))
                total += men * comb(free, kings) * others
    return total


def power_of_ten(count: int) -> str:
    """A number rounded to a power of ten, such as 10^20."""
    return f"10^{math.log10(count):.0f}"


PUBLISHED = {
    "backgammon": Size(positions="10^20", source="Tesauro 1995, Temporal difference learning and TD-Gammon, CACM 38"),
    "checkers": Size(2.8, 70, "5*10^20", "10^31", f"{ALLIS}; positions: Schaeffer et al. 2007, Science 317"),
    "chess": Size(35, 80, "10^46", "10^123", ALLIS),
    "connect4": Size(4, 36, "4,531,985,219,092", "10^21", f"{ALLIS}; positions: Edelkamp & Kissmann 2008"),
    "go": Size(250, 150, "10^172", "10^360", f"{ALLIS}, on 19 by 19"),
    "othello": Size(10, 58, "10^28", "10^58", ALLIS),
}
"""The published sizes of games by name. The size of a tree is the number of moves to the power of the number of
plies."""


def counted_sizes() -> dict[str, Size]:
    """The sizes of games without published sizes: upper bounds of the positions, and means over random games."""
    stones = f"{RANDOM}; positions at most: boards filled in turn"
    pieces = f"{RANDOM}; positions at most: placements of men and kings"
    seeds = f"{RANDOM}; positions at most: distributions of seeds"
    return {
        "draughts": Size(8, 96, power_of_ten(count_with_kings(50, 5, 20)), source=pieces),
        "gomoku": Size(172, 105, power_of_ten(count_stones(15 * 15)), source=stones),
        "hex": Size(70, 101, power_of_ten(count_stones(11 * 11)), source=stones),
        "kalah": Size(4.2, 41, power_of_ten(count_seeds(6, 4)), source=seeds),
        "morris": Size(18, 74, source=RANDOM),
    }


def published_sizes() -> dict[str, Size]:
    """The sizes of games by name, if they are published, counted or known exactly."""
    found, sizes = {}, PUBLISHED | counted_sizes()
    for name in game_names():
        size = sizes.get(name)
        exact = next((each for each in type(load(name)).known if each.positions and not each.parameters), None)
        if size is None and exact is not None and not exact.position:
            tree = f"{exact.nodes:,}" if exact.nodes else ""
            size = Size(positions=f"{exact.positions:,}", tree=tree, source=exact.source)
        if size is not None:
            found[name] = size
    return found


def measure_size(game: Game, games: int, seed: int = 1) -> RandomGameMeans:
    """Play random games; measure the mean number of moves or outcomes of a position, and the mean length of a game.

    A game that does not end is stopped after 600 plies.
    """
    moves = positions = 0
    for number in range(games):
        source, past = random.Random(f"{seed} {number}"), list[Any]()
        s = game.initial()
        while len(past) < MOST_PLIES and not game.terminal(s) and (steps := game.steps(s, past)):
            moves, positions = moves + len(steps), positions + 1
            if game.player(s) == CHANCE:
                odds = dict(game.outcomes(s))
                chosen = source.choices(steps, [odds[step] for step in steps])[0]
            else:
                chosen = source.choice(steps)
            past.append(s)
            s = game.result(s, chosen)
    return RandomGameMeans(games, moves / max(1, positions), positions / games)
