"""The board of connection games: a position, and which hexagonal cells touch."""

from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import MIN, Game
from gamesearch.games._shared.flood import flooded
from gamesearch.toolkit.bits import Wide128
from gamesearch.toolkit.boards import Palette

__all__ = ["LARGEST", "ConnectionBoard", "Position"]

LARGEST = 11
"""As many rows have at most 121 cells, for which Wide128 has the bits."""


class Position(NamedTuple):
    """Bitboards of a rhombus of cells, row by row; each row begins half a cell further to the right.

    With rows of four, a cell such as 5 touches 6, 2, 1, 4, 8 and 9:

         0   1   2   3
           4   5   6   7
             8   9  10  11
              12  13  14  15
    """

    crosses: Wide128
    noughts: Wide128
    turn: int


class ConnectionBoard(Game[Position]):
    """The board: its cells, their neighbours, and the sides that a player has to connect."""

    palette = Palette(
        "hexagons",
        board="#d9d2c3",
        line="#6e675a",
        sides=("#d23b32", "#2458c9"),
        discs=True,
        letters=True,
        mark="#f2c230",
    )

    whole_payoffs = True

    def __init__(self, size: int, swap: bool, rows: tuple[tuple[int, ...], ...]) -> None:
        if not 2 <= size <= LARGEST:
            raise GamesearchError(f"size={size} is not between 2 and {LARGEST}")
        self.size, self.swap, self.rows = size, swap, rows
        self.cells = tuple(cell for row in rows for cell in row)
        self.swap_move = size * size
        self.full = sum(1 << cell for cell in self.cells)
        first_column = sum(1 << row * size for row in range(size))
        self.not_first = self.full & ~first_column
        self.not_last = self.full & ~(first_column << (size - 1))
        self.cells_from_centre = tuple(sorted(self.cells, key=self.remoteness))

    def remoteness(self, cell: int) -> int:
        """The squares of a cell's distances from all cells, added up: least in the centre of the board."""
        size = self.size
        ways = [(other // size - cell // size, other % size - cell % size) for other in self.cells]
        return sum(down * down + down * right + right * right for down, right in ways)

    def sides(self, player: int) -> tuple[int, ...]:
        """The cells along each of the sides that a player has to connect."""
        raise NotImplementedError

    def cell_after_swap(self, cell: int) -> int:
        """Where the second player has a stone after taking over the first one."""
        raise NotImplementedError

    def connects(self, stones: int, player: int) -> bool:
        """Whether some stones that hang together touch all of a player's sides."""
        return self.connecting(stones, player) != 0

    def connecting(self, stones: int, player: int) -> int:
        """The stones that hang together and touch all of a player's sides."""
        joined = stones
        for side in self.sides(player):
            joined = flooded(self, joined & side, joined)
        return joined

    def may_swap(self, s: Position) -> bool:
        """Whether the second player is about to answer the first move."""
        return self.swap and s.turn == MIN and s.noughts == 0

    def empty_cells(self, s: Position) -> int:
        """The cells without a stone."""
        return self.full & ~(s.crosses | s.noughts)

    # The neighbours of cells in each direction; what leaves the board to the left or right would wrap. ----
    def east(self, cells: int) -> int:
        return cells << 1 & self.not_first

    def west(self, cells: int) -> int:
        return cells >> 1 & self.not_last

    def north_east(self, cells: int) -> int:
        return cells >> (self.size - 1) & self.not_first

    def north_west(self, cells: int) -> int:
        return cells >> self.size & self.full

    def south_east(self, cells: int) -> int:
        return cells << self.size & self.full

    def south_west(self, cells: int) -> int:
        return cells << (self.size - 1) & self.not_last

    def neighbours(self, cells: int) -> int:
        """The cells that touch some of these."""
        return (
            self.east(cells) | self.north_east(cells) | self.north_west(cells)
            | self.west(cells) | self.south_west(cells) | self.south_east(cells)
        )  # fmt: skip

    def bridges(self, cells: int, empty: int) -> int:
        """The cells that share two empty neighbours with some of these.

        Whoever has both ends of a bridge can connect them: where the opponent takes one of the two
        cells between, the other is left (Browne 2000, Hex Strategy, chapter 3).
        """
        east, west = self.east(cells) & empty, self.west(cells) & empty
        north_east, south_west = self.north_east(cells) & empty, self.south_west(cells) & empty
        north_west, south_east = self.north_west(cells) & empty, self.south_east(cells) & empty
        return (
            (self.north_east(east) & self.east(north_east))
            | (self.north_west(north_east) & self.north_east(north_west))
            | (self.west(north_west) & self.north_west(west))
            | (self.south_west(west) & self.west(south_west))
            | (self.south_east(south_west) & self.south_west(south_east))
            | (self.east(south_east) & self.south_east(east))
        )

    def touched_twice(self, cells: int) -> int:
        """The cells that touch at least two of these."""
        once = twice = Wide128(0)
        for touched in (
            self.east(cells), self.north_east(cells), self.north_west(cells),
            self.west(cells), self.south_west(cells), self.south_east(cells),
        ):  # fmt: skip
            twice |= once & touched
            once |= touched
        return twice
