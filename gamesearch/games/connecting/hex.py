"""Hex: connect two opposite sides of a rhombus of hexagonal cells; draws are impossible."""

from collections.abc import Iterator, Mapping

from gamesearch.game import MAX, MIN
from gamesearch.games._shared.cells import HALF_TURN, turn_cells
from gamesearch.games._shared.connection import ConnectionGame, Position
from gamesearch.optional import NetworkGame, PatternGame, SymmetricGame
from gamesearch.toolkit.bits import Board64, Wide128, low_bit_index
from gamesearch.toolkit.boards import Place
from gamesearch.toolkit.known import Known

__all__ = ["Hex"]


class Hex(ConnectionGame, SymmetricGame[Position], PatternGame[Position], NetworkGame[Position]):
    """Connect two opposite sides of a rhombus: X (Max, who begins) connects top and bottom, O left and right.

    Piet Hein (1942) and John Nash (1948) invented the game. The rules follow Browne 2000, Hex Strategy. If `swap=true`,
    the second player may answer the first move with `swap`. After a swap, the stone belongs to the second player. The
    stone is reflected in the long diagonal. So it has the same place with respect to the sides of its new owner.
    """

    notation = (
        "the moves played, or the rows from the top, joined by '/', with X, O and '.' for an empty cell. Add "
        "`swapped` to the rows if the first stone was swapped. A move is a cell or `swap`. A cell is a letter for "
        "the column and a number for the row (a1 is top left)"
    )
    example = "..../.XO./.OX./...."
    known = (
        Known("each stone fills one cell: 121 * 120 * 119", perft=(121, 14_520, 1_727_880)),
        Known("counted by brute force", "size=2", value=1, best=("b1", "a2")),
        Known("counted by brute force", "size=3", value=1, best=("b2",)),
        Known("counted by brute force", "size=4", value=1, best=("d1", "c2", "b3", "a4"), method="alphabeta"),
        Known("Nash: with the swap rule, the second player wins", "size=3, swap=true", value=-1),
    )

    edges = (MAX, MIN, MAX, MIN)
    plays_by_learned = True  # measured on 7 by 7 cells (benchmarks/results.md)

    def __init__(self, size: int = 11, swap: bool = False) -> None:
        super().__init__(size, swap, tuple(tuple(range(row * size, (row + 1) * size)) for row in range(size)))
        self.top = (1 << size) - 1
        self.left = sum(1 << row * size for row in range(size))
        self.input_count = 2 * (size * size + size + 1)

    def sides(self, player: int) -> tuple[int, ...]:
        if player == MAX:
            return Wide128(self.top), Wide128(self.top) << self.size * (self.size - 1)
        return Wide128(self.left), Wide128(self.left) << (self.size - 1)

    def symmetries(self, s: Position) -> Iterator[Position]:
        yield s
        size = self.size
        yield Position(
            turn_cells(s.crosses, size, size, HALF_TURN), turn_cells(s.noughts, size, size, HALF_TURN), s.turn
        )

    # Patterns. -----------------------------------------------------------------------------------
    pattern_symmetry = "half turn"
    stages = 2

    def cells_of_patterns(self) -> Mapping[int, Place]:
        return {cell: divmod(cell, self.size) for cell in self.cells}

    def patterns(self) -> tuple[tuple[int, ...], ...]:
        """Rows, columns and blocks of 3 by 3 cells. If a half turn exchanges two patterns, only one is included."""
        n, width = self.size, min(3, self.size)
        rows = [tuple(range(n * row, n * row + n)) for row in range(n)]
        columns = [tuple(range(column, n * n, n)) for column in range(n)]
        corners = [n * row + column for row in range(n - width + 1) for column in range(n - width + 1)]
        block = [n * row + column for row in range(width) for column in range(width)]
        blocks = [tuple(corner + cell for cell in block) for corner in corners]
        return tuple(
            each
            for among in (rows, columns, blocks)
            for each in among
            if each <= tuple(sorted(n * n - 1 - cell for cell in each))
        )

    def contents(self, s: Position) -> tuple[Board64, ...]:
        return Board64(s.crosses), Board64(s.noughts)

    def stage(self, s: Position) -> int:
        """The player to move. Each player has separate weights, because the players connect the board in different
        directions."""
        return s.turn

    def inputs(self, s: Position) -> Iterator[tuple[int, float]]:
        """The network inputs: the stones of both sides, and the number of stones that each side still needs. The board
        is turned so that the player to move connects the top with the bottom."""
        empty, count = self.empty_cells(s), self.size * self.size
        for side in range(2):
            player = s.turn if side == 0 else 1 - s.turn
            stones = s.crosses if player == MAX else s.noughts
            missing = self.missing_stones(stones, empty, player)
            yield 2 * count + side * (self.size + 1) + min(missing, self.size), 1.0
            while stones != 0:
                cell = low_bit_index(stones)
                stones &= stones - 1
                yield side * count + (cell if s.turn == MAX else self.cell_after_swap(cell)), 1.0

    def cell_after_swap(self, cell: int) -> int:
        return cell % self.size * self.size + cell // self.size
