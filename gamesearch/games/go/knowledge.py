"""What playouts of Go know: not to fill eyes, to answer atari, and to answer the last move by the patterns beside it.

S. Gelly, Y. Wang, R. Munos and O. Teytaud 2006, "Modification of UCT with patterns in Monte-Carlo Go", INRIA RR-6062.
"""

from gamesearch.games._shared.flood import flooded
from gamesearch.games.go.patterns import WORD_BITS, pattern_table
from gamesearch.games.go.position import NOWHERE, GoBoard
from gamesearch.toolkit.bits import BoardTable, Wide128, low_bit_index, mix, popcount

__all__ = ["GoKnowledge"]

LARGEST_ONE_EYE = 6
"""So many points may have room for one eye alone: a square with two more beside one of its corners (rabbity six)."""


class GoKnowledge(GoBoard):
    """Which moves are sensible in a playout, and which of them answer the last move."""

    def __init__(self, size: int, superko: bool, suicide: bool) -> None:
        super().__init__(size, superko, suicide)
        self.patterns = pattern_table()
        around = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1) if (row, column) != (0, 0)]
        self.off_board = BoardTable(
            sum(1 << i for i, (down, right) in enumerate(around) if not self.has(row + down, column + right))
            for row in range(size)
            for column in range(self.width)
        )
        """For each point, which of those around it are off the board."""

    def has(self, row: int, column: int) -> bool:
        """Whether there is a point in a row and a column."""
        return 0 <= row < self.size and 0 <= column < self.size

    # Sensible moves. -----------------------------------------------------------------------------
    def is_sensible(self, mine: int, theirs: int, ko: int, point: int) -> bool:
        """Whether a stone may be put on a point, and fills no eye of its own side."""
        stone = Wide128(1) << point
        if (mine | theirs) & stone != 0 or point == ko:
            return False
        around = self.neighbours(stone)
        if around & ~(mine | theirs) != 0:
            return True
        fills_eye = around & ~mine == 0 and self.is_eye(theirs, stone)
        return not fills_eye and self.may_fill(mine, theirs, stone)

    def is_eye(self, theirs: int, stone: int) -> bool:
        """Whether the opponent has no more than one of the four corners around a point, or none at the edge."""
        up, down = stone << self.width, stone >> self.width
        corners = (up << 1 | up >> 1 | down << 1 | down >> 1) & self.full
        return popcount(corners & theirs) <= (1 if popcount(corners) == 4 else 0)

    def gives_away(self, mine: int, theirs: int, point: int) -> bool:
        """Whether a stone takes nothing, and all its chain could be taken next and leave room for two eyes.

        Where both sides share their last liberties (seki), whoever plays there gives away. To kill, stones are put into
        an eye until they could be taken; but then in a shape that has room for a single one (nakade).
        """
        stone = Wide128(1) << point
        chain = flooded(self, stone, mine | stone)
        liberties = self.neighbours(chain) & ~(mine | theirs | stone)
        could_be_taken = liberties & liberties - 1 == 0 and not self.is_room_for_one_eye(chain)
        return could_be_taken and self.after_stone(mine, theirs, stone)[1] == theirs

    def is_room_for_one_eye(self, points: int) -> bool:
        """Whether a stone put into these points, which hang together, leaves room for a single eye.

        So it is where it touches all others; in a square of four, or with one, all but the one across.
        """
        count, left = popcount(points), points
        square = points & points >> 1 & points >> self.width & points >> self.width + 1
        wanted = count - 1 if square == 0 else count - 2
        while left != 0 and count <= LARGEST_ONE_EYE:
            if popcount(self.neighbours(left & -left) & points) >= wanted:
                return True
            left &= left - 1
        return False

    def liberties_after(self, mine: int, theirs: int, point: int) -> int:
        """How many liberties a stone's chain has when it is put on a point; 0 where it may not be put there."""
        stone = Wide128(1) << point
        mine, theirs = self.after_stone(mine, theirs, stone)
        return popcount(self.neighbours(flooded(self, stone & mine, mine)) & ~(mine | theirs))

    # Answers. ------------------------------------------------------------------------------------
    def answer(self, mine: int, theirs: int, ko: int, last: int, seed: int) -> int:
        """A random answer to the opponent's last move: to an atari if there is one, else by a pattern; or NOWHERE."""
        points = self.answers_to_atari(mine, theirs, ko, Wide128(1) << last)
        if points == 0:
            points = self.answers_by_pattern(mine, theirs, ko, Wide128(1) << last)
        return NOWHERE if points == 0 else self.random_of(points, seed)

    def answers_to_atari(self, mine: int, theirs: int, ko: int, last: int) -> int:
        """Where a chain can be taken that the last stone is in, and where those in atari beside it can be saved."""
        empty = self.full & ~(mine | theirs)
        points = self.only_liberty(flooded(self, last, theirs), empty)
        attacked = self.neighbours(last) & mine
        while attacked != 0:
            chain = flooded(self, attacked & -attacked, mine)
            attacked &= ~chain
            liberty = self.only_liberty(chain, empty)
            if liberty != 0:
                if self.liberties_after(mine, theirs, low_bit_index(liberty)) > 1:
                    points |= liberty
                points |= self.last_liberties(self.neighbours(chain) & theirs, theirs, empty)
        if ko != NOWHERE:
            points &= ~(Wide128(1) << ko)
        return points

    def answers_by_pattern(self, mine: int, theirs: int, ko: int, last: int) -> int:
        """The points around the last stone where one of the patterns is, and a stone would not be in atari."""
        row = last | last << 1 | last >> 1
        near = (row | row << self.width | row >> self.width) & self.full & ~(mine | theirs)
        points = Wide128(0)
        while near != 0:
            point = low_bit_index(near)
            near &= near - 1
            off = int(self.off_board[point])
            number = self.surrounding(mine, point) | off | (self.surrounding(theirs, point) | off) << 8
            is_pattern = self.patterns[number // WORD_BITS] >> number % WORD_BITS & 1
            if is_pattern != 0 and point != ko and self.liberties_after(mine, theirs, point) > 1:
                points |= Wide128(1) << point
        return points

    def surrounding(self, stones: int, point: int) -> int:
        """Which of the eight points around one have stones, from the lower left on, row by row."""
        below = point - self.width - 1
        rows = stones >> below if below >= 0 else stones << -below
        low, middle, high = int(rows & 7), int(rows >> self.width & 7), int(rows >> 2 * self.width & 7)
        return low | (middle & 1) << 3 | (middle & 4) << 2 | high << 5

    def random_of(self, points: int, seed: int) -> int:
        """One of some points, drawn by lot."""
        for _ in range((mix(mix(seed)) >> 1 & 0xFFFFFFFF) * popcount(points) >> 32):
            points &= points - 1
        return low_bit_index(points)
