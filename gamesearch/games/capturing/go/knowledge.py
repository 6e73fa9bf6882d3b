"""Knowledge about moves of Go: eyes, self-atari, patterns of 3x3 points, and an order of moves.

Playouts choose moves by this knowledge. Monte Carlo tree search uses the order to choose the moves that it visits
first. The patterns come from Michi and Pachi (P. Baudis). The terms of the order come from S. Gelly and D. Silver 2007,
"Combining online and offline knowledge in UCT", ICML; R. Coulom 2007, "Computing Elo ratings of move patterns in the
game of Go", ICGA Journal 30; and P. Baudis and J.-L. Gailly 2011, "Pachi: state of the art open source Go program",
ACG.
"""

import functools
from collections.abc import Iterator
from itertools import product

from gamesearch.game import CAPTURE, FORWARD, MAX
from gamesearch.games._shared.cells import flood
from gamesearch.games.capturing.go.position import NOWHERE, GoBoard, Position
from gamesearch.toolkit.bits import BoardTable, Wide128, popcount

__all__ = ["WORD_BITS", "GoKnowledge", "pattern_table"]

WORD_BITS = 64
PATTERNS = (
    ("XOX", "...", "???"),  # hane, enclosing
    ("XO.", "...", "?.?"),  # hane, not cutting
    ("XO?", "X..", "x.?"),  # magari
    (".O.", "X..", "..."),  # attachment at the diagonal
    ("XO?", "O.o", "?o?"),  # a cut without protection
    ("XO?", "O.X", "???"),  # a cut after a peep
    ("?X?", "O.O", "ooo"),  # a push that cuts
    ("OX?", "o.O", "???"),  # a cut of a small knight's move
    ("X.?", "O.?", "###"),  # on the edge: a chase,
    ("OX?", "X.O", "###"),  # a blocked cut,
    ("?X?", "x.O", "###"),  # a blocked connection,
    ("?XO", "x.x", "###"),  # a descent,
    ("?OX", "X.O", "###"),  # and a cut
)
"""The patterns around an empty point, row by row. `X` and `O` are stones of the two sides, whichever is to move; `.` is
empty; `#` is off the board; `x` is anything but an `X`, `o` is anything but an `O`, `?` is anything."""
MEANT = {"X": "X", "O": "O", ".": ".", "#": "#", "x": ".O#", "o": ".X#", "?": ".XO#"}


@functools.cache
def pattern_table() -> BoardTable:
    """A table with a bit for each possible neighborhood of a point. The bit is set if the neighborhood matches a
    pattern.

    In the number of a neighborhood, the lower 8 bits are the mover's stones, row by row from the lower left, and the
    higher 8 bits are the opponent's stones. For a point off the board, the bits of both sides are set.
    """
    words = [0] * ((1 << 16) // WORD_BITS)
    for number in {number for rows in PATTERNS for number in surroundings(rows)}:
        words[number // WORD_BITS] |= 1 << number % WORD_BITS
    return BoardTable(words)


def surroundings(rows: tuple[str, ...]) -> Iterator[int]:
    """Yield the numbers of all neighborhoods that match a pattern under rotation, reflection and exchange of colors."""
    square = "".join(rows)
    for _ in range(4):
        square = "".join(square[3 * (2 - column) + row] for row in range(3) for column in range(3))
        for each in (square, square[6:] + square[3:6] + square[:3]):
            around = each[:4] + each[5:]
            for pattern in (around, around.translate(str.maketrans("XOxo", "OXox"))):
                for points in product(*(MEANT[point] for point in pattern)):
                    mine = sum(1 << i for i in range(8) if points[i] in "X#")
                    theirs = sum(1 << i for i in range(8) if points[i] in "O#")
                    yield mine | theirs << 8


LARGEST_ONE_EYE = 6
"""The number of points of the largest shape with room for only one eye: a square of four points and two points next
to one of its corners (rabbity six)."""
FIRST, LAST = 10.0, -10.0
"""The scores of a pass that wins, and of moves that are almost never good."""
CAPTURED, ESCAPE, ATARI, SELF_ATARI, PATTERN = 3.0, 3.0, 2.0, -5.0, 2.0
"""The scores of each captured stone, of saving a chain, of putting an opposing chain into atari (a single liberty), of
putting the own chain into atari, and of a pattern. All scores were set by hand."""
REACH = 6
"""The greatest distance from the last move at which a point counts as near."""
EMPTY_LINES = (-8.0, -5.0, 1.0)
"""The scores of a point on the first, second and third line from the edge if no stone is near the point."""


class GoKnowledge(GoBoard):
    """Simple knowledge about moves."""

    def __init__(self, size: int, superko: bool, suicide: bool) -> None:
        super().__init__(size, superko, suicide)
        self.patterns = pattern_table()
        around = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1) if (row, column) != (0, 0)]
        self.off_board = BoardTable(
            sum(1 << i for i, (down, right) in enumerate(around) if not self.has(row + down, column + right))
            for row in range(size)
            for column in range(self.width)
        )
        """For each point, a mask of its eight surrounding points that are off the board."""

    def has(self, row: int, column: int) -> bool:
        """Whether there is a point in this row and column."""
        return 0 <= row < self.size and 0 <= column < self.size

    def is_eye(self, theirs: int, stone: int) -> bool:
        """Whether a surrounded point is an eye: the opponent has a stone on at most one diagonal neighbor, or on none
        at the edge."""
        up, down = stone << self.width, stone >> self.width
        corners = (up << 1 | up >> 1 | down << 1 | down >> 1) & self.full
        return popcount(corners & theirs) <= (1 if popcount(corners) == 4 else 0)

    def gives_away(self, mine: int, theirs: int, point: int) -> bool:
        """Whether a stone captures nothing, and the opponent can capture its chain, which leaves room for two eyes.

        Example: in a seki, chains of both sides share their last liberties, and a stone on such a liberty loses its
        chain. But a sacrifice inside an eye is sensible if its shape leaves room for only one eye (nakade).
        """
        stone = Wide128(1) << point
        liberties = self.neighbors(stone) & ~(mine | theirs)
        if liberties & liberties - 1 != 0:
            return False
        chain = flood(self, stone, mine | stone)
        liberties = self.neighbors(chain) & ~(mine | theirs | stone)
        could_be_taken = liberties & liberties - 1 == 0 and not self.is_room_for_one_eye(chain)
        return could_be_taken and self.after_stone(mine, theirs, stone)[1] == theirs

    def is_room_for_one_eye(self, points: int) -> bool:
        """Whether a stone on one of the given connected points would leave room for only one eye.

        There is room for only one eye if some point is adjacent to all other points, or to all except one if the shape
        contains a square of four points.
        """
        count, left = popcount(points), points
        square = points & points >> 1 & points >> self.width & points >> self.width + 1
        wanted = count - 1 if square == 0 else count - 2
        while left != 0 and count <= LARGEST_ONE_EYE:
            if popcount(self.neighbors(left & -left) & points) >= wanted:
                return True
            left &= left - 1
        return False

    def is_in_atari_after(self, mine: int, theirs: int, stone: int) -> bool:
        """Whether a stone is illegal, or leaves its chain with a single liberty."""
        mine, theirs = self.after_stone(mine, theirs, stone)
        return mine & stone == 0 or self.chain_in_atari(stone, mine, self.full & ~(mine | theirs))[1] != 0

    def is_pattern(self, mine: int, theirs: int, point: int) -> bool:
        """Whether the surroundings of an empty point match a pattern."""
        off = int(self.off_board[point])
        number = self.surrounding(mine, point) | off | (self.surrounding(theirs, point) | off) << 8
        return self.patterns[number // WORD_BITS] >> number % WORD_BITS & 1 != 0

    def surrounding(self, stones: int, point: int) -> int:
        """The stones on the eight points around a point, row by row from the lower left."""
        below = point - self.width - 1
        rows = stones >> below if below >= 0 else stones << -below
        low, middle, high = int(rows & 7), int(rows >> self.width & 7), int(rows >> 2 * self.width & 7)
        return low | (middle & 1) << 3 | (middle & 4) << 2 | high << 5

    # The order of moves. -------------------------------------------------------------------------
    def order(self, s: Position, m: int) -> float:
        # A pass comes last, or first if it ends the game with a win.
        if m == self.pass_move:
            ahead = self.utility(s) if s.turn == MAX else -self.utility(s)
            return FIRST if s.passes == 1 and ahead > 0 else LAST
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        score = self.tactics(mine, theirs, Wide128(1) << m) + self.nearness(m, s.last)
        score += self.on_empty_line(mine | theirs, m)
        return score + PATTERN if self.is_pattern(mine, theirs, m) else score

    def tactics(self, mine: int, theirs: int, stone: int) -> float:
        """The score of captures, ataris and saved chains; negative for self-atari and for filling the player's own
        eye."""
        around, before = self.neighbors(stone), self.full & ~(mine | theirs)
        if around & ~before == 0:
            return 0.0
        mine_after, theirs_after = self.after_stone(mine, theirs, stone)
        empty = self.full & ~(mine_after | theirs_after)
        captured = popcount(theirs ^ theirs_after)
        score = CAPTURED * min(captured, 3)
        if self.last_liberties(around & theirs_after, theirs_after, empty) != 0:
            score += ATARI
        if captured == 0 and self.chain_in_atari(stone, mine_after, empty)[1] != 0:
            score += SELF_ATARI
        elif self.last_liberties(around & mine, mine, before) != 0:
            score += ESCAPE
        return score + LAST if around & ~mine == 0 else score

    def nearness(self, point: int, last: int) -> float:
        """The score of a point near the last move. The distance is measured as dx + dy + max(dx, dy)."""
        rows, columns = abs(point // self.width - last // self.width), abs(point % self.width - last % self.width)
        return float(max(0, REACH - rows - columns - max(rows, columns))) if last != NOWHERE else 0.0

    def on_empty_line(self, stones: int, point: int) -> float:
        """The score of a point without stones within three steps: negative on the first two lines of the board."""
        row, column = divmod(point, self.width)
        line = min(row, column, self.size - 1 - row, self.size - 1 - column)
        near = Wide128(1) << point
        for _ in range(3):
            near |= self.neighbors(near)
        return EMPTY_LINES[line] if line < len(EMPTY_LINES) and near & stones == 0 else 0.0

    def kind_of_move(self, s: Position, m: int) -> int:
        if m == self.pass_move:
            return FORWARD
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        attacked = self.neighbors(Wide128(1) << m) & theirs
        return CAPTURE if self.last_liberties(attacked, theirs, self.full & ~(mine | theirs)) != 0 else FORWARD
