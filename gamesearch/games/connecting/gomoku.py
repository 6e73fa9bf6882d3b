"""Gomoku: five stones in a row on a board of 15 by 15. The game with captures is Pente."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import CAPTURE, FORWARD, MAX, MIN, THREAT
from gamesearch.games._shared.board_notation import (
    LETTERS,
    cell_of,
    draw_boards,
    read_stones,
    square_name,
    square_rows,
)
from gamesearch.games._shared.cells import TURNS, members, turn_cells
from gamesearch.notation import play_moves
from gamesearch.optional import NetworkGame, SelectiveGame, SymmetricGame, TunedGame
from gamesearch.toolkit.bits import Wide256, low_bit_index, popcount, replace_item
from gamesearch.toolkit.boards import Board, Cell, Palette, places_in_line
from gamesearch.toolkit.known import Known

__all__ = ["Gomoku", "Position"]

LARGEST, LONGEST_ROW = 19, 7
"""The greatest size of the board, and the greatest length of a row (a length must fit into three bits)."""


class Position(NamedTuple):
    """The stones as bitboards, and other facts about a position. A bitboard begins with the lowest row. One extra
    column on the right is never occupied. A board with five columns:

        24 25 26 27 28  .
        18 19 20 21 22  .
        12 13 14 15 16  .
         6  7  8  9 10  .
         0  1  2  3  4  .

    The next cell to the right is 1 bit further, and the cell above is `size` + 1 bits further. Without the extra
    column, rows would wrap around. `max_pairs` and `min_pairs` are the numbers of pairs that the players captured.
    """

    crosses: Wide256
    noughts: Wide256
    max_pairs: int
    min_pairs: int
    turn: int


EVEN_ODDS = 60.0
"""If the sum of weighted features has this value, the estimate is halfway between a draw and a win."""
KINDS_OF_ROWS, MOST_TOLD = 8, 3
INPUTS_OF_KIND = MOST_TOLD + 1
"""The number of network inputs for each kind of row. Three inputs are 1 or 0. They say whether there is exactly one row
of this kind, exactly two, or at least three. The last input is the number of rows divided by 8."""


def run(stones: int, stone: int, step: int) -> int:
    """The number of consecutive stones in one direction, beginning next to the cell `stone`."""
    length = 0
    cell = stone << step
    while stones & cell:
        length += 1
        cell <<= step
    cell = stone >> step
    while stones & cell:
        length += 1
        cell >>= step
    return length


MOVE = re.compile(r"([a-s])([0-9]{1,2})")
WIDEST_COMPILED = 15
RANKS = 8
NARROW = "pvs(order=game+killer+history, endgame=true, width=20)"
"""The default algorithm. benchmarks/results.md has the reason for the width."""


class Gomoku(SelectiveGame[Position], NetworkGame[Position], SymmetricGame[Position]):
    """Five stones in a row on a board of 15 by 15; X is Max and begins.

    By default, five or more stones in a row win (free-style gomoku). If `exact` is set, longer rows do not win
    (standard gomoku). `connect` is the length of a winning row, so m,n,k-games such as tic-tac-toe (3,3,3) are
    possible. If `captures` is set, the game is Pente without the opening rule: a move that flanks exactly two stones
    captures them, and five captured pairs also win. A player may safely move between two opposing stones.
    """

    known = (
        Known(
            "tic-tac-toe, counted by brute force", "size=3, connect=3",
            perft=(9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872),
            value=0, nodes=549_946, leaves=255_168, positions=5_478,
        ),
        Known("van den Herik et al. 2002, Games solved", "size=4, connect=4", value=0, method="alphabeta"),
        Known(
            "counted by brute force on a grid", "size=6, captures=true",
            "OX...O/...OX./..X.../OOOO.O/XXXXO./XO..OX 1,2", perft=(16, 240, 3_154),
        ),
        Known(
            "counted by brute force on a grid", "size=6, captures=true",
            "OX..../.XO.X./OOX.OX/XX.X.O/XOXOXX/OXXOXO 4,2", perft=(10, 81, 658),
        ),
        Known(
            "counted by brute force on a grid", "size=6, connect=4, exact=true",
            ".....X/..O.../OXX.../...O../..X.XX/.OO..O", perft=(24, 529, 11_638),
        ),
    )  # fmt: skip
    suggested_depth = 3
    palette = Palette(
        "crossings", board="#dcb35c", line="#5a4118", sides=("#0d0d0d", "#fbfbf6"), discs=True, mark="#c43c2c"
    )

    pairs_to_win = 5
    parts_off = (*TunedGame.parts_off, "quiescence")  # benchmarks/results.md, "matches of single parts"
    # The weights were set by hand.
    weights = (60.0, -25.0, 30.0, -10.0, 4.0, -2.5, 1.0, -0.8, 8.0)
    feature_names = (
        "own rows that lack one stone", "opponent's rows that lack one stone", "own open threes",
        "opponent's open threes", "own rows that lack two stones", "opponent's rows that lack two stones",
        "own rows that lack three stones", "opponent's rows that lack three stones", "pairs taken",
    )  # fmt: skip
    notation = (
        "the moves played (h8 i9), or the rows from the top, joined by '/', with X, O and '.' for an empty cell. "
        "In Pente, the rows are followed by the numbers of pairs that X and O have taken (1,0). A move is the "
        "letter of a column and the number of a row, counted from below (h8)"
    )
    example = "h8 i9 g9 i7 i8"
    names = ("X", "O")
    estimates_are_chances = True

    def __init__(self, size: int = 15, connect: int = 5, exact: bool = False, captures: bool = False) -> None:
        if not 3 <= size <= LARGEST or not 3 <= connect <= min(size, LONGEST_ROW):
            raise GamesearchError(
                f"size={size}, connect={connect} is not possible: `size` must be from 3 to {LARGEST}, and `connect` "
                f"from 3 to {LONGEST_ROW} and not greater than `size`"
            )
        if exact and captures:
            raise GamesearchError("exact=true is not possible with captures=true: in Pente, longer rows win")
        self.size, self.connect, self.exact, self.captures = size, connect, exact, captures
        self.width = size + 1
        self.directions = (1, self.width - 1, self.width, self.width + 1)
        self.full = sum(((1 << size) - 1) << row * self.width for row in range(size))
        self.center = size // 2 * (self.width + 1)
        self.passing_never_helps = not captures  # an extra stone never hurts, unless it can be captured
        if connect == 5 and not captures:
            self.suggested_algorithm = NARROW
        if size > WIDEST_COMPILED:
            self.interpreted_because = f"a board of {size} by {size} does not fit into an integer of 256 bits"

    # The rules. -----------------------------------------------------------------------------------
    def initial(self) -> Position:
        return Position(Wide256(0), Wide256(0), 0, 0, MAX)

    def player(self, s: Position) -> int:
        return s.turn

    def moves(self, s: Position) -> Iterator[int]:
        """Yield all empty cells. The most promising cells come first, because a search cannot look at all of them."""
        left = self.full ^ (s.crosses | s.noughts)
        for rank in range(RANKS):
            cells = left & self.rank_moves(s, rank)
            left ^= cells
            while cells != 0:
                yield low_bit_index(cells)
                cells &= cells - 1

    def rank_moves(self, s: Position, rank: int) -> int:
        """The cells of the moves that have the priority `rank` in the move ordering. The priorities, from 0, are: win,
        stop a win, make a four, stop a four, capture, place a stone next to another stone, place a stone at most two
        cells away, and any other move."""
        mine, theirs = self.own_stones(s), self.other_stones(s)
        if rank < 4:
            if rank % 2 == 1:
                mine, theirs = theirs, mine
            return self.completing_cells(mine, theirs, 1 + rank // 2)
        stones = mine | theirs
        if rank == 4:
            return self.capturing(mine, theirs) if self.captures else stones
        near = self.with_neighbors(stones if stones != 0 else Wide256(1) << self.center)
        return near if rank == 5 else self.with_neighbors(near) if rank == 6 else Wide256(self.full)

    def result(self, s: Position, m: int) -> Position:
        stone = Wide256(1) << m
        mine, theirs = self.own_stones(s) | stone, self.other_stones(s)
        max_pairs, min_pairs = s.max_pairs, s.min_pairs
        if self.captures:
            taken = self.captured_stones(stone, mine, theirs)
            theirs ^= taken
            if s.turn == MAX:
                max_pairs += popcount(taken) >> 1
            else:
                min_pairs += popcount(taken) >> 1
        crosses, noughts = (mine, theirs) if s.turn == MAX else (theirs, mine)
        return Position(crosses, noughts, max_pairs, min_pairs, 1 - s.turn)

    def capturing(self, mine: int, theirs: int) -> int:
        """The cells on which a stone of the side `mine` would capture a pair."""
        cells = Wide256(0)
        for step in self.directions:
            cells |= theirs >> step & theirs >> 2 * step & mine >> 3 * step
            cells |= theirs << step & theirs << 2 * step & mine << 3 * step
        return cells & self.full & ~(mine | theirs)

    def is_won(self, s: Position) -> bool:
        """Whether the last move won."""
        return max(s.max_pairs, s.min_pairs) >= self.pairs_to_win or self.has_row(self.other_stones(s))

    def terminal(self, s: Position) -> bool:
        return s.crosses | s.noughts == self.full or self.is_won(s)

    def utility(self, s: Position) -> int:
        side = 1 if s.turn == MIN else -1
        return side if self.is_won(s) else 0

    def bounds(self, s: Position) -> tuple[float, float]:
        mine, theirs = self.own_stones(s), self.other_stones(s)
        lower, upper = -1, 1
        if self.completing_cells(mine, theirs, 1) != 0:
            lower = 1
        elif not self.captures:
            threats = self.completing_cells(theirs, mine, 1)
            mine_possible = theirs_possible = has_open_three = False
            for step in self.directions:
                rows = self.open_rows(mine, theirs, step)
                mine_possible |= rows[0] != 0
                has_open_three |= self.open_threes(self.lacking(rows, 2), mine | theirs, step) != 0
                theirs_possible |= self.open_rows(theirs, mine, step)[0] != 0
            if threats & (threats - 1):
                upper = -1  # only one of two threats can be stopped
            elif has_open_three and threats == 0:
                lower = 1
            else:
                lower, upper = (-1 if theirs_possible else 0), (1 if mine_possible else 0)
        return (lower, upper) if s.turn == MAX else (-upper, -lower)

    def consistent(self, s: Position) -> bool:
        taken = s.crosses | s.noughts
        return s.crosses & s.noughts == 0 and taken & ~self.full == 0 and popcount(taken) & 1 == s.turn

    # The board. -----------------------------------------------------------------------------------
    def symmetries(self, s: Position) -> Iterator[Position]:
        for turn in range(TURNS):
            crosses = turn_cells(s.crosses, self.size, self.width, turn)
            noughts = turn_cells(s.noughts, self.size, self.width, turn)
            yield Position(crosses, noughts, s.max_pairs, s.min_pairs, s.turn)

    def own_stones(self, s: Position) -> int:
        """The stones of the side to move."""
        return s.crosses if s.turn == MAX else s.noughts

    def other_stones(self, s: Position) -> int:
        """The stones of the side that moved last."""
        return s.noughts if s.turn == MAX else s.crosses

    def with_neighbors(self, cells: int) -> int:
        """Some cells and all their neighbors."""
        rows = cells | cells << 1 | cells >> 1
        return self.full & (rows | rows << self.width | rows >> self.width)

    def captured_stones(self, stone: int, mine: int, theirs: int) -> int:
        """The stones that a move captures: pairs between the new stone and another stone of `mine`."""
        taken = Wide256(0)
        for step in self.directions:
            above, below = stone << step | stone << 2 * step, stone >> step | stone >> 2 * step
            if theirs & above == above and mine & stone << 3 * step:
                taken |= above
            if theirs & below == below and mine & stone >> 3 * step:
                taken |= below
        return taken

    # A row is represented by the bit of its first cell. ------------------------------------------
    def has_row(self, stones: int) -> bool:
        """Whether some of the stones form a winning row."""
        for step in self.directions:
            found = stones
            for i in range(1, self.connect):
                found &= stones >> step * i
            if self.exact:
                found &= ~(stones << step | stones >> step * self.connect)
            if found != 0:
                return True
        return False

    def open_rows(self, mine: int, theirs: int, step: int) -> tuple[int, int, int, int]:
        """The open rows in one direction, and the number of stones in each. A row has `connect` cells; it is open if it
        contains no stone of the opponent. The numbers of all rows are counted in parallel: three bitboards contain
        their binary digits (1, 2 and 4)."""
        free = self.full & ~theirs
        possible, ones, twos, fours = free, mine, Wide256(0), Wide256(0)
        for i in range(1, self.connect):
            possible &= free >> step * i
            stones = mine >> step * i
            carry = ones & stones
            ones ^= stones
            fours |= twos & carry
            twos ^= carry
        if self.exact:
            possible &= ~(mine << step | mine >> step * self.connect)
        return possible, ones, twos, fours

    def lacking(self, rows: tuple[int, int, int, int], number: int) -> int:
        """The open rows that need `number` more stones."""
        possible, ones, twos, fours = rows
        stones = self.connect - number
        found = possible & (ones if stones & 1 else ~ones)
        found &= twos if stones & 2 else ~twos
        return found & (fours if stones & 4 else ~fours)

    def completing_cells(self, mine: int, theirs: int, number: int) -> int:
        """The empty cells of all open rows in which the side `mine` needs `number` more stones."""
        cells = Wide256(0)
        for step in self.directions:
            found = self.lacking(self.open_rows(mine, theirs, step), number)
            for i in range(self.connect):
                cells |= found << step * i
        return cells & self.full & ~(mine | theirs)

    def open_threes(self, found: int, taken: int, step: int) -> int:
        """The rows that lack two stones and form an open three. After one more stone, such a row can be completed at
        either end. The next row, which begins at the second cell of this row, contains the same stones. The first cell
        of the row and the last cell of the next row are empty."""
        return found & found >> step & ~taken & ~(taken >> step * self.connect)

    # Evaluation and move ordering. ----------------------------------------------------------------
    def features(self, s: Position) -> tuple[float, ...]:
        """The features in `feature_names`: counts of rows of the mover and of the opponent, and the lead in captured
        pairs."""
        mine, theirs = self.own_stones(s), self.other_stones(s)
        counts: tuple[int, ...] = (0, 0, 0, 0, 0, 0, 0, 0)
        for i in range(2):
            for step in self.directions:
                rows = self.open_rows(mine, theirs, step)
                twos = self.lacking(rows, 2)
                counts = replace_item(counts, i, counts[i] + popcount(self.lacking(rows, 1)))
                counts = replace_item(
                    counts, 2 + i, counts[2 + i] + popcount(self.open_threes(twos, mine | theirs, step))
                )
                counts = replace_item(counts, 4 + i, counts[4 + i] + popcount(twos))
                counts = replace_item(counts, 6 + i, counts[6 + i] + popcount(self.lacking(rows, 3)))
            mine, theirs = theirs, mine
        side = 1.0 if s.turn == MAX else -1.0
        return (
            side * counts[0], side * counts[1], side * counts[2], side * counts[3], side * counts[4], side * counts[5],
            side * counts[6], side * counts[7], float(s.max_pairs - s.min_pairs),
        )  # fmt: skip

    def evaluate(self, s: Position) -> float:
        total = self.weighted_sum(s)
        return total / (EVEN_ODDS + abs(total))

    plays_by_learned = True  # benchmarks/results.md, "Learned weights"
    input_count = KINDS_OF_ROWS * INPUTS_OF_KIND + 1

    def inputs(self, s: Position) -> Iterator[tuple[int, float]]:
        """The network inputs. They tell how many rows of each kind the side to move and the other side have, and how
        many pairs were captured."""
        features, side = self.features(s), 1.0 if s.turn == MAX else -1.0
        for kind in range(KINDS_OF_ROWS):
            number, first = int(side * features[kind]), kind * INPUTS_OF_KIND
            if number > 0:
                yield first + min(number, MOST_TOLD) - 1, 1.0
                yield first + MOST_TOLD, number / 8
        yield KINDS_OF_ROWS * INPUTS_OF_KIND, side * features[KINDS_OF_ROWS] / self.pairs_to_win

    def order(self, s: Position, m: int) -> float:
        """The number of stones in the longest row that the move makes or blocks; 0 for short rows."""
        mine, theirs, stone = self.own_stones(s), self.other_stones(s), Wide256(1) << m
        longest = 0
        for step in self.directions:
            longest = max(longest, 2 * run(mine, stone, step) + 1, 2 * run(theirs, stone, step))
        return longest if longest > 4 else 0

    def kind_of_move(self, s: Position, m: int) -> int:
        """CAPTURE if the move captures, THREAT if it makes a row that lacks at most one stone, otherwise FORWARD. Open
        threes do not count as threats; otherwise, quiescence search would visit many more nodes
        (benchmarks/results.md)."""
        mine, theirs, stone = self.own_stones(s), self.other_stones(s), Wide256(1) << m
        if self.captures and self.captured_stones(stone, mine, theirs) != 0:
            return CAPTURE
        for step in self.directions:
            rows = self.open_rows(mine | stone, theirs, step)
            made = self.lacking(rows, 1) | self.lacking(rows, 0)
            for i in range(self.connect):
                if made & stone >> step * i:
                    return THREAT
        return FORWARD

    def is_threatened(self, s: Position) -> bool:
        """Whether the other side has a row that lacks only one stone."""
        return self.completing_cells(self.other_stones(s), self.own_stones(s), 1) != 0

    def is_evasion(self, s: Position, m: int) -> bool:
        """Whether a move wins, stops the opponent's threat, or is a capture that may stop it."""
        if self.captures:
            return True
        mine, theirs, stone = self.own_stones(s), self.other_stones(s), Wide256(1) << m
        for step in self.directions:
            if max(run(mine, stone, step), run(theirs, stone, step)) + 1 >= self.connect:
                return True
        return False

    def make_null_move(self, s: Position) -> Position:
        return Position(s.crosses, s.noughts, s.max_pairs, s.min_pairs, 1 - s.turn)

    # Notation. ------------------------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        return self.read_drawing(text) if "/" in text else play_moves(self, self.initial(), text)[-1]

    def format(self, s: Position) -> str:
        pairs = f" {s.max_pairs},{s.min_pairs}" if self.captures else ""
        return draw_boards((s.crosses, s.noughts), square_rows(self.size, self.width)) + pairs

    def read_drawing(self, text: str) -> Position:
        """Parse a text that shows the rows of the board and the captured pairs."""
        drawing, _, after = text.strip().upper().partition(" ")
        boards = read_stones(text, drawing.split("/"), square_rows(self.size, self.width))
        max_pairs, min_pairs = self.read_pairs(text, after)
        crosses, noughts = boards[MAX].bit_count() + 2 * min_pairs, boards[MIN].bit_count() + 2 * max_pairs
        if crosses - noughts not in (0, 1):
            raise GamesearchError(f"{text!r} needs {crosses} moves of X and {noughts} of O, but the sides take turns")
        s = self.initial()._replace(
            crosses=boards[MAX], noughts=boards[MIN], max_pairs=max_pairs, min_pairs=min_pairs, turn=crosses - noughts
        )
        self.refuse_unreachable(text, s)
        return s

    def read_pairs(self, text: str, pairs: str) -> tuple[int, int]:
        """Read the text after the board: the numbers of pairs that X and O have captured."""
        match = re.fullmatch(r"\s*([0-9]{1,2})\s*[, ]\s*([0-9]{1,2})\s*", pairs)
        if pairs.strip() and (match is None or not self.captures):
            wanted = (
                "write the numbers of pairs that X and O have taken, such as 1,0" if self.captures else "leave it out"
            )
            raise GamesearchError(f"{text!r} has {pairs.strip()!r} after the board: {wanted}")
        return (int(match[1]), int(match[2])) if match else (0, 0)

    def refuse_unreachable(self, text: str, s: Position) -> None:
        """Raise GamesearchError if the game would have ended before this position."""
        mine, last = self.own_stones(s), self.other_stones(s)
        my_pairs, last_pairs = (s.max_pairs, s.min_pairs) if s.turn == MAX else (s.min_pairs, s.max_pairs)
        if last_pairs >= self.pairs_to_win + 2 * len(self.directions) - 1:
            raise GamesearchError(f"{text!r} has {last_pairs} captured pairs: five end the game")
        over_before = self.has_row(last) and all(self.has_row(last ^ 1 << cell) for cell in members(last))
        if my_pairs >= self.pairs_to_win or self.has_row(mine) or over_before:
            raise GamesearchError(f"{text!r} continues after the end of the game")

    def move_name(self, s: Position, m: int) -> str:
        return square_name(m, self.width)

    def parse_move(self, s: Position, text: str) -> int:
        match = MOVE.fullmatch("".join(text.split()).casefold())
        if match is None:
            raise GamesearchError(f"{text.strip()!r} is not a cell, such as {square_name(self.center, self.width)}")
        column, row = LETTERS.index(match[1]), int(match[2]) - 1
        if column >= self.size or not 0 <= row < self.size:
            last = square_name(self.full.bit_length() - 1, self.width)
            raise GamesearchError(f"{text.strip()!r} is off the board, which goes from a1 to {last}")
        cell = row * self.width + column
        if (s.crosses | s.noughts) >> cell & 1:
            raise GamesearchError(f"{text.strip()!r} is taken")
        return cell

    def board(self, s: Position) -> Board:
        """The board and, in Pente, a note below the board with the numbers of captured pairs."""
        rows = [[cell_of(mark, Cell(mark, faint=True)) for mark in row] for row in self.format(s).split()[0].split("/")]
        return Board(
            rows=rows,
            row_labels=[str(row) for row in range(self.size, 0, -1)],
            column_labels=LETTERS[: self.size],
            marks=places_in_line(rows, self.connect),
            notes=[f"pairs taken: X {s.max_pairs}, O {s.min_pairs}"] if self.captures else [],
        )
