"""Hex: connect two opposite sides of a rhombus of hexagonal cells; there are no draws."""

from collections.abc import Iterator

from gamesearch.bits import Wide128
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.connection import ConnectionGame
from gamesearch.games._shared.connection_board import Position
from gamesearch.games._shared.turning import HALF_TURN, turned
from gamesearch.known import Known
from gamesearch.questions import Symmetric

__all__ = ["Hex"]


class Hex(ConnectionGame, Symmetric[Position]):
    """Connect two opposite sides of a rhombus: X (Max, who begins) top and bottom, O left and right.

    The game of Piet Hein (1942) and John Nash (1948), as in Browne 2000, Hex Strategy. With
    `swap=true`, the second player may answer the first move by `swap`: the stone becomes his, and is
    mirrored at the long diagonal, so that it stands to his sides as it stood to the opponent's.
    """

    notation = (
        "rows from the top with X, O and '.', joined by '/', and the word swapped after a swap; "
        "moves are cells, a letter for the column and a number for the row (a1 is top left), or swap"
    )
    example = "..../.XO./.OX./...."
    known = (
        Known("one cell fewer each time: 121 * 120 * 119", perft=(121, 14_520, 1_727_880)),
        Known("counted by brute force", "size=2", value=1, best=("b1", "a2")),
        Known("counted by brute force", "size=3", value=1, best=("b2",)),
        Known("counted by brute force", "size=4", value=1, best=("d1", "c2", "b3", "a4"), method="alphabeta"),
        Known("Nash: with the swap, one more cell does not help", "size=3, swap=true", value=-1),
    )

    edges = (MAX, MIN, MAX, MIN)

    def __init__(self, size: int = 11, swap: bool = False) -> None:
        super().__init__(size, swap, tuple(tuple(range(row * size, (row + 1) * size)) for row in range(size)))
        self.top = (1 << size) - 1
        self.left = sum(1 << row * size for row in range(size))

    def sides(self, player: int) -> tuple[int, ...]:
        if player == MAX:
            return Wide128(self.top), Wide128(self.top) << self.size * (self.size - 1)
        return Wide128(self.left), Wide128(self.left) << (self.size - 1)

    def symmetries(self, s: Position) -> Iterator[Position]:
        yield s
        size = self.size
        yield Position(turned(s.crosses, size, size, HALF_TURN), turned(s.noughts, size, size, HALF_TURN), s.turn)

    def cell_after_swap(self, cell: int) -> int:
        return cell % self.size * self.size + cell // self.size
