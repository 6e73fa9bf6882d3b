"""Y: connect all three sides of a triangle of hexagonal cells; draws are impossible."""

from gamesearch.games._shared.connection import ConnectionGame
from gamesearch.toolkit.bits import Wide128
from gamesearch.toolkit.known import Known

__all__ = ["Y"]


class Y(ConnectionGame):
    """Connect all three sides of a triangle with one chain of stones; a corner belongs to two sides.

    Y was invented by Claude Shannon (early 1950s), and by Schensted and Titus (1975, Mudcrack Y and Poly-Y). The board
    here is a plain triangle. If `swap=true`, the second player may answer the first move with `swap`, which takes over
    the first stone.
    """

    notation = (
        "the rows from the single cell at the top, joined by '/', with X, O and '.' for an empty cell. Add "
        "`swapped` if the first stone was swapped. A move is a cell or `swap`. A cell is a letter for the place "
        "in the row and a number for the row (a1 is the top)"
    )
    example = "./.X/.OX/..O."
    known = (
        Known("each stone fills one cell: 66 * 65 * 64", perft=(66, 4_290, 274_560)),
        Known("counted by brute force", "size=2", value=1, best=("a1", "a2", "b2")),
        Known("Nash: an extra stone never does harm, so the first player wins", "size=4", value=1),
        Known("Nash: with the swap rule, the second player wins", "size=3, swap=true", value=-1),
    )

    def __init__(self, size: int = 11, swap: bool = False) -> None:
        # The triangle is the lower right half of a rhombus. Each row has one cell more than the row above.
        rows = tuple(tuple(range((row + 1) * size - row - 1, (row + 1) * size)) for row in range(size))
        super().__init__(size, swap, rows)
        self.last_row = (1 << size) - 1
        self.right = sum(1 << row * size + size - 1 for row in range(size))
        self.left = sum(1 << row * size + size - 1 - row for row in range(size))

    def sides(self, player: int) -> tuple[int, ...]:
        return Wide128(self.left), Wide128(self.right), Wide128(self.last_row) << self.size * (self.size - 1)

    def cell_after_swap(self, cell: int) -> int:
        return cell
