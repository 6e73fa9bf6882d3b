"""Random games (playouts) of Go on bitboards, and simple knowledge about moves.

In a playout, players do not fill their own eyes, and do not put their own large chains into atari (a single liberty).
Players save chains from atari. They play next to the last move if the 3x3 points there match a pattern. These rules
come from S. Gelly, Y. Wang, R. Munos and O. Teytaud 2006, "Modification of UCT with patterns in Monte-Carlo Go", INRIA
RR-6062. The patterns come from Michi and Pachi (P. Baudis). Monte Carlo tree search uses the order of moves to choose
the moves that it visits first. The terms of the order come from S. Gelly and D. Silver 2007, "Combining online and
offline knowledge in UCT", ICML; R. Coulom 2007, "Computing Elo ratings of move patterns in the game of Go", ICGA
Journal 30; and P. Baudis and J.-L. Gailly 2011, "Pachi: state of the art open source Go program", ACG.
"""

import functools
from collections.abc import Iterator
from itertools import product
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.game import CAPTURE, FORWARD, MAX
from gamesearch.games._shared.cells import flood
from gamesearch.games.capturing.go.position import NOWHERE, GoBoard, Position
from gamesearch.optional import PlayoutGame
from gamesearch.toolkit.bits import BoardTable, Wide128, low_bit_index, mix, popcount

__all__ = ["PLAYOUTS", "WORD_BITS", "GoPlayouts", "pattern_table"]

LONGEST = 3
"""A random game ends, and is scored, after at most LONGEST moves for each point of the board."""
PLAYOUTS = ("patterns", "uniform")
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
"""The patterns around an empty point, row by row. `X` and `O` are stones of the two sides. Either side may be to move.
`.` is an empty point, `#` is off the board, `x` is anything but `X`, `o` is anything but `O`, and `?` is anything."""
MEANT = {"X": "X", "O": "O", ".": ".", "#": "#", "x": ".O#", "o": ".X#", "?": ".XO#"}


@functools.cache
def pattern_table() -> BoardTable:
    """A table with a bit for each possible neighborhood of a point. The bit is set if the neighborhood matches one of
    PATTERNS. The number of a neighborhood has 16 bits. The lower 8 bits are the stones of the side to move, and the
    higher 8 bits are the opponent's stones, both row by row from the lower left. For a point off the board, both bits
    are set."""
    words = [0] * ((1 << 16) // WORD_BITS)
    for number in {number for rows in PATTERNS for number in neighborhoods_of_pattern(rows)}:
        words[number // WORD_BITS] |= 1 << number % WORD_BITS
    return BoardTable(words)


def neighborhoods_of_pattern(rows: tuple[str, ...]) -> Iterator[int]:
    """Yield the numbers of all neighborhoods that match a pattern. The pattern may be rotated or reflected, and its
    colors may be exchanged."""
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
"""A larger shape has room for more than one eye. The largest shape with only one eye is rabbity six: four points in a
square, and two more points at one of its corners."""
FIRST, LAST = 10.0, -10.0
"""A pass that wins has the score FIRST. Moves that are almost never good have the score LAST."""
CAPTURED, ESCAPE, ATARI, SELF_ATARI, PATTERN = 3.0, 3.0, 2.0, -5.0, 2.0
"""The scores for each captured stone, for saving a chain, for putting a chain of the opponent into atari (a single
liberty), for self-atari, and for a pattern. All scores were set by hand."""
REACH = 6
"""A point is near the last move if its distance from this move is less than REACH. Its score is REACH minus the
distance."""
EMPTY_LINES = (-8.0, -5.0, 1.0)
"""The scores of a point that has no stone nearby. They are for points on the first, second and third line from the
edge."""


class GoPlayouts(GoBoard, PlayoutGame[Position]):
    """Random games in which players never fill their own eyes, and pass only if they have no other move.

    Superko is ignored; only immediate recaptures in a ko are forbidden. If `knows_patterns` is set, a player may answer
    the last move by simple rules. All other moves of a random game are equally likely. A random game on a board of 9x9
    has about a hundred moves.
    """

    notes_moves = True

    def __init__(self, size: int, superko: bool, suicide: bool, playouts: str) -> None:
        super().__init__(size, superko, suicide)
        if playouts not in PLAYOUTS:
            raise GamesearchError(f"playouts must be {' or '.join(PLAYOUTS)}, not {playouts!r}")
        self.playouts, self.knows_patterns = playouts, playouts == "patterns"
        self.patterns = pattern_table()
        around = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1) if (row, column) != (0, 0)]
        self.off_board = BoardTable(
            sum(1 << i for i, (down, right) in enumerate(around) if not self.has(row + down, column + right))
            for row in range(size)
            for column in range(self.width)
        )
        """For each point, a mask with a bit for each of the eight points around it. A bit is 1 if its point is off the
        board."""

    def random_moves(self, s: Position, seed: int, moves: Any, ply: int) -> tuple[float, int]:
        end, last = self.random_game(s, seed, moves, ply, self.knows_patterns)
        return float(self.utility(end)), last

    def random_game(self, s: Position, seed: int, moves: Any, ply: int, careful: bool) -> tuple[Position, int]:
        """Play a random game; returns its final position and ply. Writes the moves into `moves` unless `moves` is None.
        If `careful` is true, players do not put their own large chains into atari, for example in a seki."""
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        turn, ko, passes, last = s.turn, s.ko, s.passes, s.last
        for _ in range(LONGEST * self.size * self.size):
            if passes == 2:
                break
            seed = mix(seed + 1)
            point = NOWHERE
            if self.knows_patterns and last != NOWHERE:
                point = self.answer(mine, theirs, ko, last, seed)
            if point == NOWHERE:
                point = self.random_point(mine, theirs, ko, seed, careful)
            if point == self.pass_move:
                passes, ko, last = passes + 1, NOWHERE, NOWHERE
            else:
                stone, before = Wide128(1) << point, theirs
                mine, theirs = self.after_stone(mine, theirs, stone)
                passes, ko, last = 0, self.point_of_ko(stone, mine, theirs, before), point
            mine, theirs, turn = theirs, mine, 1 - turn
            if moves is not None:
                moves[ply] = point
            ply += 1
        black, white = (mine, theirs) if turn == MAX else (theirs, mine)
        return Position(black, white, turn, 2, NOWHERE, NOWHERE), ply

    def random_point(self, mine: int, theirs: int, ko: int, seed: int, careful: bool) -> int:
        """Choose random points until one is playable. If many attempts fail, choose among all playable points."""
        count = self.size * self.size
        for _ in range(count):
            seed += 1
            drawn = (mix(mix(seed)) >> 1 & 0xFFFFFFFF) * count >> 32
            point = drawn // self.size * self.width + drawn % self.size
            if self.is_playable(mine, theirs, ko, point, careful):
                return point
        chosen, playable = self.pass_move, 0
        for number in range(count):
            point = number // self.size * self.width + number % self.size
            if self.is_playable(mine, theirs, ko, point, careful):
                playable += 1
                seed += 1
                if (mix(mix(seed)) >> 1 & 0xFFFFFFFF) * playable >> 32 == 0:
                    chosen = point
        return chosen

    def is_playable(self, mine: int, theirs: int, ko: int, point: int, careful: bool) -> bool:
        """Whether a player in a random game may place a stone on a point."""
        return self.is_sensible(mine, theirs, ko, point) and not (careful and self.gives_away(mine, theirs, point))

    def is_sensible(self, mine: int, theirs: int, ko: int, point: int) -> bool:
        """Whether a move is legal and does not fill the player's own eye."""
        stone = Wide128(1) << point
        if (mine | theirs) & stone != 0 or point == ko:
            return False
        around = self.neighbors(stone)
        if around & ~(mine | theirs) != 0:
            return True
        fills_eye = around & ~mine == 0 and self.is_eye(theirs, stone)
        return not fills_eye and self.may_fill(mine, theirs, stone)

    # Answers. ------------------------------------------------------------------------------------
    def answer(self, mine: int, theirs: int, ko: int, last: int, seed: int) -> int:
        """A random answer to the last move: if possible, an answer to atari; otherwise, a move that matches a pattern.
        NOWHERE if no answer exists."""
        points = self.answers_to_atari(mine, theirs, ko, Wide128(1) << last)
        if points == 0:
            points = self.answers_by_pattern(mine, theirs, ko, Wide128(1) << last)
        return NOWHERE if points == 0 else self.random_of(points, seed)

    def answers_to_atari(self, mine: int, theirs: int, ko: int, last: int) -> int:
        """The points at which a stone captures the chain of the last stone, or saves a chain that is now in atari."""
        empty = self.full & ~(mine | theirs)
        points = self.last_liberties(last, theirs, empty)
        attacked = self.neighbors(last) & mine
        while attacked != 0:
            chain, liberty = self.chain_in_atari(attacked & -attacked, mine, empty)
            attacked &= ~chain
            if liberty != 0:
                if not self.is_in_atari_after(mine, theirs, liberty):
                    points |= liberty
                points |= self.last_liberties(self.neighbors(chain) & theirs, theirs, empty)
        if ko != NOWHERE:
            points &= ~(Wide128(1) << ko)
        return points

    def answers_by_pattern(self, mine: int, theirs: int, ko: int, last: int) -> int:
        """The empty points around the last stone at which a pattern matches and a new stone would not be in atari."""
        row = last | last << 1 | last >> 1
        near = (row | row << self.width | row >> self.width) & self.full & ~(mine | theirs)
        points = Wide128(0)
        while near != 0:
            point, stone = low_bit_index(near), near & -near
            near &= near - 1
            is_pattern = point != ko and self.is_pattern(mine, theirs, point)
            if is_pattern and not self.is_in_atari_after(mine, theirs, stone):
                points |= stone
        return points

    def random_of(self, points: int, seed: int) -> int:
        """Choose one of the given points at random."""
        for _ in range((mix(mix(seed)) >> 1 & 0xFFFFFFFF) * popcount(points) >> 32):
            points &= points - 1
        return low_bit_index(points)

    # Knowledge about moves. -----------------------------------------------------------------------
    def has(self, row: int, column: int) -> bool:
        """Whether there is a point in this row and column."""
        return 0 <= row < self.size and 0 <= column < self.size

    def is_eye(self, theirs: int, stone: int) -> bool:
        """Whether a surrounded point is an eye: the opponent has stones on at most one diagonal neighbor of the point.
        At the edge, the opponent must have no stone on a diagonal neighbor."""
        up, down = stone << self.width, stone >> self.width
        corners = (up << 1 | up >> 1 | down << 1 | down >> 1) & self.full
        return popcount(corners & theirs) <= (1 if popcount(corners) == 4 else 0)

    def gives_away(self, mine: int, theirs: int, point: int) -> bool:
        """Whether a stone is a useless sacrifice: it captures nothing, the opponent can then capture its chain, and the
        captured area has room for two eyes.

        Example: in a seki, chains of both sides share their last liberties, and a player who puts a stone on such a
        liberty loses a chain. But a sacrifice inside an eye is sensible if its shape leaves room for only one eye
        (nakade).
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
        """Whether a stone on one of the given connected points would leave room for only one eye. This is so if one
        point is adjacent to all others. If four of the points form a square, it may be adjacent to all except one."""
        count, left = popcount(points), points
        square = points & points >> 1 & points >> self.width & points >> self.width + 1
        wanted = count - 1 if square == 0 else count - 2
        while left != 0 and count <= LARGEST_ONE_EYE:
            if popcount(self.neighbors(left & -left) & points) >= wanted:
                return True
            left &= left - 1
        return False

    def is_in_atari_after(self, mine: int, theirs: int, stone: int) -> bool:
        """Whether a new stone would be illegal, or would belong to a chain with a single liberty."""
        mine, theirs = self.after_stone(mine, theirs, stone)
        return mine & stone == 0 or self.chain_in_atari(stone, mine, self.full & ~(mine | theirs))[1] != 0

    def is_pattern(self, mine: int, theirs: int, point: int) -> bool:
        """Whether the surroundings of an empty point match a pattern."""
        off = int(self.off_board[point])
        number = self.neighborhood(mine, point) | off | (self.neighborhood(theirs, point) | off) << 8
        return self.patterns[number // WORD_BITS] >> number % WORD_BITS & 1 != 0

    def neighborhood(self, stones: int, point: int) -> int:
        """The stones on the eight points around a point, row by row from the lower left."""
        below = point - self.width - 1
        rows = stones >> below if below >= 0 else stones << -below
        low, middle, high = int(rows & 7), int(rows >> self.width & 7), int(rows >> 2 * self.width & 7)
        return low | (middle & 1) << 3 | (middle & 4) << 2 | high << 5

    # The order of moves. -------------------------------------------------------------------------
    def order(self, s: Position, m: int) -> float:
        # A pass that wins the game comes first. Other passes come last.
        if m == self.pass_move:
            ahead = self.utility(s) if s.turn == MAX else -self.utility(s)
            return FIRST if s.passes == 1 and ahead > 0 else LAST
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        score = self.tactics(mine, theirs, Wide128(1) << m) + self.nearness(m, s.last)
        score += self.on_empty_line(mine | theirs, m)
        return score + PATTERN if self.is_pattern(mine, theirs, m) else score

    def tactics(self, mine: int, theirs: int, stone: int) -> float:
        """The score of captures, ataris and saved chains; negative for self-atari and for filling one's own eye."""
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
        """The score of a point that has no stone within three steps. The score is negative on the first two lines from
        the edge."""
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
