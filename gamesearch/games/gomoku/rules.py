"""Gomoku: five stones in a row on a board of 15 by 15; with captures, Pente."""

from collections.abc import Iterator
from typing import NamedTuple

from gamesearch.bits import Wide256, low_bit_index, popcount, replaced
from gamesearch.boards import Board
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, Game
from gamesearch.games._shared.board_notation import draw_boards, read_moves, square_rows
from gamesearch.games.gomoku.notation import LETTERS, cell_name, drawn, read_cell, read_drawing
from gamesearch.games.gomoku.rows import LONGEST_ROW, completing, has_row, lacking, open_rows, open_threes, run
from gamesearch.known import Known

__all__ = ["Gomoku"]

WIDEST_COMPILED = 15
RANKS = 8
EVEN_ODDS = 60.0
"""How large a sum of weighted features makes an estimate halfway to a win."""


class Position(NamedTuple):
    """Bitboards: the cells row by row from below, with one column after the last that stays empty.

        24 25 26 27 28  .
        18 19 20 21 22  .
        12 13 14 15 16  .
         6  7  8  9 10  .
         0  1  2  3  4  .

    Here for five columns. The next cell to the right is 1 bit further, the one above `size` + 1; the
    empty column keeps rows from going on at the other side. The pairs are those that each has taken.
    """

    crosses: Wide256
    noughts: Wide256
    max_pairs: int
    min_pairs: int
    turn: int


class Gomoku(Game[Position]):
    """Five stones in a row on a board of 15 by 15; X is Max and begins.

    Free-style by default: five or more win. With `exact`, rows of six or more do not (standard
    gomoku). `connect` other than five makes it an m,n,k-game, of which tic-tac-toe is 3,3,3. With
    `captures` it is Pente, but without the rules for the opening: two stones, and no more, that are
    flanked by a move are taken off, and five pairs win, too; to move in between is safe.
    """

    notation = (
        "rows from the top with X, O and '.', joined by '/', with captures and the pairs that X and O have taken "
        "(1,0), or the moves so far (h8 i9); a move is a column's letter and a row's number, from below"
    )
    example = "h8 i9 g9 i7 i8"
    names = ("X", "O")
    known = (
        Known(
            "tic-tac-toe, counted by brute force", "size=3, connect=3",
            perft=(9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872),
            value=0, nodes=549_946, leaves=255_168, positions=5_478,
        ),
        Known("van den Herik et al. 2002, Games solved", "size=4, connect=4", value=0, method="alphabeta"),
    )  # fmt: skip
    suggested_depth = 3
    pairs_to_win = 5
    # Set by hand: fours, open threes, threes and twos of the side to move and of the other; pairs taken.
    weights = (60.0, -25.0, 30.0, -10.0, 4.0, -2.5, 1.0, -0.8, 8.0)
    feature_names = (
        "rows lacking one: the mover's",
        "rows lacking one: the other's",
        "open threes: the mover's",
        "open threes: the other's",
        "rows lacking two: the mover's",
        "rows lacking two: the other's",
        "rows lacking three: the mover's",
        "rows lacking three: the other's",
        "pairs taken",
    )

    def __init__(self, size: int = 15, connect: int = 5, exact: bool = False, captures: bool = False) -> None:
        if not 3 <= size <= len(LETTERS) or not 3 <= connect <= min(size, LONGEST_ROW):
            raise GamesearchError(
                f"gomoku takes a size from 3 to {len(LETTERS)} and connect from 3 to {LONGEST_ROW}, or the size: "
                f"not size={size}, connect={connect}"
            )
        if exact and captures:
            raise GamesearchError("in Pente, rows longer than five win: captures=true goes without exact=true")
        self.size, self.connect, self.exact, self.captures = size, connect, exact, captures
        self.width = size + 1
        self.directions = (1, self.width - 1, self.width, self.width + 1)
        self.full = sum(((1 << size) - 1) << row * self.width for row in range(size))
        self.centre = size // 2 * (self.width + 1)
        if size > WIDEST_COMPILED:
            self.interpreted_because = f"a board of {size} by {size} does not fit an integer of 256 bits"

    def initial(self) -> Position:
        return Position(Wide256(0), Wide256(0), 0, 0, MAX)

    def player(self, s: Position) -> int:
        return s.turn

    def mine(self, s: Position) -> int:
        """The stones of the side to move."""
        return s.crosses if s.turn == MAX else s.noughts

    def theirs(self, s: Position) -> int:
        """The stones of the side that moved last."""
        return s.noughts if s.turn == MAX else s.crosses

    def moves(self, s: Position) -> Iterator[int]:
        """All empty cells, the most promising first: they are too many to look at each."""
        left = self.full ^ (s.crosses | s.noughts)
        for rank in range(RANKS):
            cells = left & self.ranked(s, rank)
            left ^= cells
            while cells != 0:
                yield low_bit_index(cells)
                cells &= cells - 1

    def ranked(self, s: Position, rank: int) -> int:
        """Cells that win, that stop the other's win, that make or stop a four, that capture; the neighbourhood; all."""
        mine, theirs = self.mine(s), self.theirs(s)
        if rank < 4:
            if rank % 2 == 1:
                mine, theirs = theirs, mine
            return completing(self, mine, theirs, 1 + rank // 2)
        stones = mine | theirs
        if rank == 4:
            return self.capturing(mine, theirs) if self.captures else stones
        near = self.around(stones if stones != 0 else Wide256(1) << self.centre)
        return near if rank == 5 else self.around(near) if rank == 6 else Wide256(self.full)

    def around(self, cells: int) -> int:
        """The cells and their neighbours."""
        rows = cells | cells << 1 | cells >> 1
        return self.full & (rows | rows << self.width | rows >> self.width)

    def result(self, s: Position, m: int) -> Position:
        stone = Wide256(1) << m
        mine, theirs = self.mine(s) | stone, self.theirs(s)
        max_pairs, min_pairs = s.max_pairs, s.min_pairs
        if self.captures:
            taken = self.taken_by(stone, mine, theirs)
            theirs ^= taken
            if s.turn == MAX:
                max_pairs += popcount(taken) >> 1
            else:
                min_pairs += popcount(taken) >> 1
        if s.turn == MAX:
            return Position(mine, theirs, max_pairs, min_pairs, MIN)
        return Position(theirs, mine, max_pairs, min_pairs, MAX)

    def taken_by(self, stone: int, mine: int, theirs: int) -> int:
        """The pairs that a stone flanks together with another of mine."""
        taken = Wide256(0)
        for step in self.directions:
            pair = stone << step | stone << 2 * step
            if theirs & pair == pair and mine & stone << 3 * step:
                taken |= pair
            pair = stone >> step | stone >> 2 * step
            if theirs & pair == pair and mine & stone >> 3 * step:
                taken |= pair
        return taken

    def capturing(self, mine: int, theirs: int) -> int:
        """The cells from which a stone of mine would take a pair."""
        cells = Wide256(0)
        for step in self.directions:
            cells |= theirs >> step & theirs >> 2 * step & mine >> 3 * step
            cells |= theirs << step & theirs << 2 * step & mine << 3 * step
        return cells & self.full & ~(mine | theirs)

    def terminal(self, s: Position) -> bool:
        if s.max_pairs >= self.pairs_to_win or s.min_pairs >= self.pairs_to_win:
            return True
        return s.crosses | s.noughts == self.full or has_row(self, self.theirs(s))

    def utility(self, s: Position) -> int:
        if s.max_pairs >= self.pairs_to_win or s.min_pairs >= self.pairs_to_win or has_row(self, self.theirs(s)):
            return 1 if s.turn == MIN else -1
        return 0

    # What search may ask to do better. -----------------------------------------------------------
    def bounds(self, s: Position) -> tuple[float, float]:
        mine, theirs = self.mine(s), self.theirs(s)
        lower, upper = -1, 1
        if completing(self, mine, theirs, 1) != 0:
            lower = 1
        elif not self.captures:
            threats = completing(self, theirs, mine, 1)
            mine_possible = theirs_possible = has_open_three = False
            for step in self.directions:
                rows = open_rows(self, mine, theirs, step)
                mine_possible |= rows[0] != 0
                has_open_three |= open_threes(self, lacking(self, rows, 2), mine | theirs, step) != 0
                theirs_possible |= open_rows(self, theirs, mine, step)[0] != 0
            if threats & (threats - 1):
                upper = -1  # two threats, of which one can be stopped
            elif has_open_three and threats == 0:
                lower = 1
            else:
                lower, upper = (-1 if theirs_possible else 0), (1 if mine_possible else 0)
        return (lower, upper) if s.turn == MAX else (-upper, -lower)

    def order(self, s: Position, m: int) -> float:
        """The longest row that the stone makes or stops; where it is short, the order of the moves will do."""
        mine, theirs, stone = self.mine(s), self.theirs(s), Wide256(1) << m
        longest = 0
        for step in self.directions:
            longest = max(longest, 2 * run(mine, stone, step) + 1, 2 * run(theirs, stone, step))
        return longest if longest > 4 else 0

    def features(self, s: Position) -> tuple[float, ...]:
        """Rows that lack one stone, that can become open fours, that lack two, three; mine, theirs; pairs taken."""
        mine, theirs = self.mine(s), self.theirs(s)
        counts: tuple[int, ...] = (0, 0, 0, 0, 0, 0, 0, 0)
        for i in range(2):
            for step in self.directions:
                rows = open_rows(self, mine, theirs, step)
                twos = lacking(self, rows, 2)
                counts = replaced(counts, i, counts[i] + popcount(lacking(self, rows, 1)))
                counts = replaced(counts, 2 + i, counts[2 + i] + popcount(open_threes(self, twos, mine | theirs, step)))
                counts = replaced(counts, 4 + i, counts[4 + i] + popcount(twos))
                counts = replaced(counts, 6 + i, counts[6 + i] + popcount(lacking(self, rows, 3)))
            mine, theirs = theirs, mine
        side = 1.0 if s.turn == MAX else -1.0
        return (
            side * counts[0], side * counts[1], side * counts[2], side * counts[3], side * counts[4], side * counts[5],
            side * counts[6], side * counts[7], float(s.max_pairs - s.min_pairs),
        )  # fmt: skip

    def evaluate(self, s: Position) -> float:
        total = 0.0
        features = self.features(s)
        for i in range(len(features)):
            total += features[i] * self.weights[i]
        return total / (EVEN_ODDS + abs(total))

    def consistent(self, s: Position) -> bool:
        taken = s.crosses | s.noughts
        return s.crosses & s.noughts == 0 and taken & ~self.full == 0 and popcount(taken) & 1 == s.turn

    # Notation and picture. -----------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        return read_drawing(self, text) if "/" in text else read_moves(self, text)

    def format(self, s: Position) -> str:
        pairs = f" {s.max_pairs},{s.min_pairs}" if self.captures else ""
        return draw_boards((s.crosses, s.noughts), square_rows(self.size, self.width)) + pairs

    def move_name(self, s: Position, m: int) -> str:
        return cell_name(self, m)

    def parse_move(self, s: Position, text: str) -> int:
        cell = read_cell(self, text)
        if (s.crosses | s.noughts) >> cell & 1:
            raise GamesearchError(f"{text.strip()!r} is taken")
        return cell

    def board(self, s: Position) -> Board:
        return drawn(self, s)
