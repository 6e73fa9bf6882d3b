"""Connect Four: drop stones into columns until four of them form a line."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.board_notation import cell_of, draw_boards, read_stones, stones_ahead
from gamesearch.games._shared.cells import choose, next_set, numbered_set, set_number
from gamesearch.notation import play_moves
from gamesearch.optional import NumberedGame, PatternGame, ReversibleGame, SelectiveGame, Shortcuts
from gamesearch.toolkit.bits import Board64, BoardTable, pack_bits, popcount, spread_bits
from gamesearch.toolkit.boards import Board, Cell, Palette, Place, places_in_line
from gamesearch.toolkit.known import Known

__all__ = ["Connect4"]

MOST_CELLS = 62
"""Positions are numbered only if the board has at most this number of cells. The layers of larger boards do not fit
into memory."""
DIGITS = "123456789abc"
COLUMN = re.compile(r"[1-9a-c](?!\d*\.)", re.IGNORECASE)
LETTERS = "abcdefghi"
"""The names of the columns."""
WIDEST_COMPILED = 62
"""The greatest number of bits of a board in compiled code, which uses signed 64-bit integers."""


class Position(NamedTuple):
    """Bitboards. A column has `rows` bits from the bottom up, and one more bit that is never set.

         .  .  .  .  .  .  .
         5 12 19 26 33 40 47
         4 11 18 25 32 39 46
         3 10 17 24 31 38 45
         2  9 16 23 30 37 44
         1  8 15 22 29 36 43
         0  7 14 21 28 35 42

    The layout comes from John Tromp's Fhourstones. `mine` contains the stones of the side to move, and `taken` the
    stones of both sides. `threats` are the cells in which a stone of the side to move would complete a line. They
    include cells that a stone cannot reach yet. `dangers` are the cells in which a stone of the other side would
    complete a line. A stone changes only the threats of its own side, so only these are computed again after a move.
    Threats include occupied cells. So a side that has completed a line has a stone on one of its threats.
    """

    mine: int
    taken: int
    stones: int
    threats: int
    dangers: int


class Connect4(
    NumberedGame[Position],
    SelectiveGame[Position],
    PatternGame[Position],
    Shortcuts[Position],
    ReversibleGame[Position],
):
    """Get four in a line with stones that fall to the bottom; X is Max and begins.

    A win pays 1 if the winner completes the line with its last possible stone, and 1 more for each stone that the
    winner has not used (the score of Pascal Pons's solver). So an early win pays more.
    """

    payoffs_tell_how_soon = True
    palette = Palette(
        "holes", "#1d57b0", "#0b2a5e", sides=("#f0413a", "#ffd83a"), discs=True, letters=True, mark="#8fd0ff",
        is_upright=True,
    )  # fmt: skip
    notation = (
        "the columns of the moves played (4453 or 4,4,5,3), or the rows from the top, joined by '/', with X, O "
        "and '.' for an empty cell. A move is the number of a column"
    )
    example = "4453"
    names = ("X", "O")
    win_or_loss = False
    whole_payoffs = True
    looks_ahead = True
    suggested_algorithm = "pvs"  # benchmarks/results.md, "pvs against alpha-beta"
    suggested_order = "game+history"  # killer moves would increase the number of nodes
    known = (
        Known("counted by brute force", perft=(7, 49, 343, 2_401, 16_807, 117_649, 823_536)),
        Known("John Tromp, tromp.github.io/c4", parameters="rows=4, columns=4", positions=161_029, value=0),
        Known("John Tromp", parameters="rows=5, columns=4", positions=1_706_255, value=0),
        Known("John Tromp", parameters="rows=4, columns=5", positions=3_945_711, value=0),
        Known("Pascal Pons, blog.gamesolver.org", position="44455554221", value=15, method="alphabeta"),
        Known("Pascal Pons", position="32164625", value=11, method="alphabeta"),
        Known("Pascal Pons", position="43745416472735", value=-13, method="alphabeta"),
    )  # fmt: skip
    feature_names = ("cells that would win", "stones in the middle")
    numbers_are_exact = True
    rows: int
    columns: int
    cells: int
    height: int

    def __init__(self, rows: int = 6, columns: int = 7, connect: int = 4) -> None:
        if not (2 <= connect <= 9 and 1 <= rows <= 12 and 1 <= columns <= 12 and connect <= max(rows, columns)):
            raise GamesearchError(
                f"rows={rows}, columns={columns}, connect={connect} is not possible: `rows` and `columns` must be "
                "from 1 to 12, and `connect` from 2 to 9 and not greater than the longer side"
            )
        self.rows, self.columns, self.connect = rows, columns, connect
        self.cells = rows * columns
        self.height = rows + 1
        self.bottom = sum(1 << column * self.height for column in range(columns))
        self.full = self.bottom * ((1 << rows) - 1)
        self.MAXSCORE = self.score(2 * connect - 1)
        self.MINSCORE = -self.score(2 * connect)
        self.weights = (1 / 16, 1 / 64)
        self.prepare_numbers()
        if self.height * columns > WIDEST_COMPILED:
            self.interpreted_because = f"{rows} rows and {columns} columns do not fit into an integer of 64 bits"
        elif (connect - 1) * (self.height + 1) > WIDEST_COMPILED:
            self.interpreted_because = f"finding a line of {connect} needs shifts by more than {WIDEST_COMPILED} bits"
        if self.cells > 16:
            self.suggested_depth = 8

    def score(self, stones: int) -> int:
        """The payoff of a win if this many stones are on the board after the winning move."""
        return (self.cells + 2 - stones) // 2

    def value_words(self, s: Position, value: float) -> str:
        """Describe a value in words. For a payoff, name the winner and the number of moves to the win. For an estimate
        (from -1 to 1), give the chance of winning."""
        if abs(value) < 1:
            return f"{50 * (value + 1):.0f} % chance for {self.names[MAX]}"
        return self.win_text(s, MAX if value > 0 else MIN, self.plies_to_win(s, value) or 0)

    def plies_to_win(self, s: Position, payoff: float) -> int | None:
        if abs(payoff) < 1:
            return None
        winner, stones = MAX if payoff > 0 else MIN, self.cells + 2 - 2 * int(abs(payoff))
        return stones - (stones - 1 - winner & 1) - s.stones

    def first_number(self, s: Position) -> int:
        """The number of the next move. Positions are written as move sequences, so moves are counted from the empty
        board."""
        return s.stones + 1

    # The rules. -----------------------------------------------------------------------------------
    def initial(self) -> Position:
        return Position(0, 0, 0, 0, 0)

    def player(self, s: Position) -> int:
        return s.stones & 1

    def moves(self, s: Position) -> Iterator[int]:
        # Yield the columns from the center outwards, alternately on both sides. This computation is faster in compiled
        # code than a loop over a tuple of columns.
        full = s.taken >> self.rows - 1
        for i in range(self.columns):
            steps = (i + 1) // 2
            column = (self.columns - 1) // 2 + (steps if i & 1 != self.columns & 1 else -steps)
            if not full >> column * self.height & 1:
                yield column

    def column_mask(self, column: int) -> int:
        """The cells of a column."""
        return ((1 << self.rows) - 1) << column * self.height

    def result(self, s: Position, m: int) -> Position:
        stone = self.landing_cell(s, m)
        taken = s.taken | stone
        return Position(s.mine ^ s.taken, taken, s.stones + 1, s.dangers, self.winning_cells(s.mine | stone))

    def parents(self, s: Position) -> Iterator[Position]:
        last = s.mine ^ s.taken  # the stones of the side that moved last
        for column in range(self.columns):
            cells = self.column_mask(column)
            stone = ((s.taken & cells) + (self.bottom & cells)) >> 1 & cells
            if stone & last:
                mine = last ^ stone
                before = Position(mine, s.taken ^ stone, s.stones - 1, self.winning_cells(mine), s.threats)
                if not self.terminal(before):
                    yield before

    def landing_cell(self, s: Position, m: int) -> int:
        """The cell in which a stone lands if it is dropped into a column."""
        return (s.taken + self.bottom) & self.column_mask(m)

    def terminal(self, s: Position) -> bool:
        return self.is_won(s) or s.stones == self.cells

    def is_won(self, s: Position) -> bool:
        """Whether the last stone completed a line."""
        return s.dangers & (s.mine ^ s.taken) != 0

    def utility(self, s: Position) -> int:
        if not self.is_won(s):
            return 0
        return self.score(s.stones) if s.stones & 1 else -self.score(s.stones)

    def draw_value(self) -> float:
        # By default, a draw is halfway between the least and the greatest payoff. This is not 0 if the number of cells
        # is odd.
        return 0.0

    def key(self, s: Position) -> int:
        # Add the bitboard of the mover's stones to the bitboard of all stones: the sum is different for each position
        # (Pons).
        return s.mine + s.taken

    def symmetries(self, s: Position) -> Iterator[Position]:
        yield s
        mine, taken = self.mirror(s.mine), self.mirror(s.taken)
        yield Position(mine, taken, s.stones, self.mirror(s.threats), self.mirror(s.dangers))

    def mirror(self, cells: int) -> int:
        """Exchange left and right in a set of cells."""
        found, column = 0, (1 << self.height) - 1
        for _ in range(self.columns):
            found, cells = found << self.height | cells & column, cells >> self.height
        return found

    # Threats. ------------------------------------------------------------------------------------
    def winning_cells(self, stones: int) -> int:
        """The cells on which one more stone completes a line with the given stones. The cells may be unreachable."""
        cells = stones << 1
        for i in range(2, self.connect):
            cells &= stones << i
        for step in range(self.height - 1, self.height + 2):
            if self.connect == 4:
                # The line is the cell and three stones. Two of the stones are on the first and second cell on one side.
                # The third stone is on the third cell on this side, or on the first cell on the other side. Either way,
                # it is two steps from the first stone. Inlined for speed (benchmarks/results.md).
                pairs = stones & (stones << 2 * step | stones >> 2 * step)
                cells |= (pairs & stones << step) << step | (pairs & stones >> step) >> step
            else:
                cells |= self.ends_of_lines(stones, step)
        return cells & self.full

    def ends_of_lines(self, stones: int, step: int) -> int:
        """The cells on which a stone completes a line in one direction. The result may contain bits off the board."""
        # `before` is the number of stones of the line that lie before the cell.
        line, after = stones << (self.connect - 1) * step, -1
        for before in range(self.connect - 2, -1, -1):
            after &= stones >> (self.connect - 1 - before) * step
            line |= after
            if before:
                line &= stones << before * step
        return line

    def open_cells(self, s: Position) -> int:
        """The cells on which the next stone can land."""
        return (s.taken + self.bottom) & self.full

    def safe_cells(self, s: Position) -> int:
        """The cells in which a stone can land now, except those that let the other side complete a line immediately."""
        open_cells = self.open_cells(s)
        forced = open_cells & s.dangers
        if forced & (forced - 1):
            return 0
        return (forced if forced else open_cells) & ~(s.dangers >> 1)

    # For the search. ------------------------------------------------------------------------------
    def bounds(self, s: Position) -> tuple[float, float]:
        # Pons, "Anticipate direct losing moves": a player who can win with the next stone wins. Otherwise, a player who
        # has no safe cell loses to the opponent's next stone. In all other cases, neither player wins with the next two
        # stones.
        safe = self.safe_cells(s)
        if s.threats & self.open_cells(s):
            lower = upper = self.score(s.stones + 1)
        elif not safe:
            lower = upper = -self.score(s.stones + 2)
        elif safe & s.threats >> 1 & s.threats >> 2:
            # a stone below two threats wins: the other side can block only the lower threat (BitBully)
            lower = upper = self.score(s.stones + 3)
        else:
            lower = -max(0, self.score(s.stones + 4))
            upper = max(0, self.score(s.stones + 3))
        if s.stones & 1:
            lower, upper = -upper, -lower
        return lower, upper

    def is_needed(self, s: Position, m: int) -> bool:
        return self.safe_cells(s) & self.landing_cell(s, m) != 0

    def skips_table(self, s: Position) -> bool:
        # Use the transposition table only at every second ply, and not near the end. This adds nodes but saves time, as
        # in BitBully (benchmarks/results.md).
        return s.stones & 1 == 1 or s.stones + 6 >= self.cells

    def order(self, s: Position, m: int) -> float:
        # Count the cells on which the player would win after the move (Pons, "Move ordering"). A cell directly above a
        # danger counts half. Usually, a stone on the danger ends the game before a stone reaches the cell
        # (benchmarks/results.md).
        stone = self.landing_cell(s, m)
        if s.threats & stone:
            return 2 * self.cells
        if not self.safe_cells(s) & stone:
            return -1
        threats = self.winning_cells(s.mine | stone) & ~(s.taken | stone)
        return 2 * popcount(threats) - popcount(threats & (s.dangers & ~s.taken) << 1)

    def features(self, s: Position) -> tuple[float, ...]:
        """Two differences between Max and Min: the number of winning cells, and the number of stones in the central
        columns."""
        theirs = s.mine ^ s.taken
        threats = popcount(s.threats & ~s.taken) - popcount(s.dangers & ~s.taken)
        middle = self.column_mask(self.columns // 2) | self.column_mask((self.columns - 1) // 2)
        center = popcount(s.mine & middle) - popcount(theirs & middle)
        sign = -1.0 if s.stones & 1 else 1.0
        return sign * threats, sign * center

    def is_threatened(self, s: Position) -> bool:
        """Whether the other side would complete a line with its next stone."""
        return s.dangers & self.open_cells(s) != 0

    def is_evasion(self, s: Position, m: int) -> bool:
        return (s.dangers | s.threats) & self.landing_cell(s, m) != 0

    # Patterns. -----------------------------------------------------------------------------------
    pattern_symmetry = "sides"
    stages = 2
    plays_by_learned = True  # benchmarks/results.md, "Learned weights"

    def cells_of_patterns(self) -> Mapping[int, Place]:
        return {column * self.height + row: (row, column) for column in range(self.columns) for row in range(self.rows)}

    def cell_name(self, cell: int) -> str:
        """The name of a cell: the letter of the column and the number of the row, counted from the bottom (V. Allis
        1988). Columns of very wide boards have numbers, because there are not enough letters."""
        row, column = self.cells_of_patterns()[cell]
        return f"{LETTERS[column]}{row + 1}" if self.columns <= len(LETTERS) else f"{row + 1}/{column + 1}"

    def patterns(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each pattern: two adjacent lines, both horizontal or both rising. Only one of two mirror
        images is included."""
        length, found = min(self.connect, 6), list[tuple[int, ...]]()
        for rise in (0, 1):
            for row in range(self.rows - (length - 1 if rise else 1)):
                for column in range(self.columns - length + (0 if rise else 1)):
                    lowest = column * self.height + row
                    side = 1 if rise == 0 else self.height
                    line = [lowest + i * (self.height + rise) for i in range(length)]
                    mirrored = self.columns - length - column
                    if rise or column <= mirrored:
                        found.append(tuple(sorted([*line, *(cell + side for cell in line)])))
        return tuple(found)

    def contents(self, s: Position) -> tuple[Board64, ...]:
        """The stones of the side to move, the other side's stones, and the reachable cells (Thill, Koch and Konen
        2012)."""
        return Board64(s.mine), Board64(s.mine ^ s.taken), Board64(self.open_cells(s))

    def stage(self, s: Position) -> int:
        """The stage is the side to move, because threats in odd rows help one side, and threats in even rows the
        other."""
        return s.stones & 1

    # Notation. -----------------------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        is_board = "/" in text or "." in text or (set(text.upper()) & {"X", "O"} and not any(map(str.isdigit, text)))
        return self.parse_board(text) if is_board else play_moves(self, self.initial(), text, COLUMN)[-1]

    def parse_board(self, text: str) -> Position:
        """Parse a text that shows the rows of the board from the top."""
        crosses, noughts = read_stones(text, text.replace("/", " ").upper().split(), self.cells_by_rows())
        for column in range(self.columns):
            stones = (crosses | noughts) & self.column_mask(column)
            if stones + (self.bottom & self.column_mask(column)) & stones:
                raise GamesearchError(f"in {text!r}, a stone of column {DIGITS[column]} has an empty cell below it")
        surplus = stones_ahead(text, crosses, noughts)
        last, other = (crosses, noughts) if surplus else (noughts, crosses)
        if self.has_line(other) or (self.has_line(last) and not self.can_be_last(last, crosses | noughts)):
            raise GamesearchError(f"{text!r} continues after the end of the game")
        return self.position_of(other, crosses | noughts)

    def position_of(self, mine: int, taken: int) -> Position:
        return Position(mine, taken, popcount(taken), self.winning_cells(mine), self.winning_cells(mine ^ taken))

    def is_numbered(self, s: Position) -> bool:
        return s.mine & s.threats == 0  # only the last stone may have completed a line, so the side to move has none

    def has_line(self, stones: int) -> bool:
        """Whether some of the stones form a line of `connect` stones."""
        return stones & self.winning_cells(stones) != 0

    def can_be_last(self, stones: int, taken: int) -> bool:
        """Whether some stone can have been the last: it is on top of its column and belongs to all completed lines."""
        tops = [taken & self.column_mask(column) for column in range(self.columns)]
        return any(not self.has_line(stones ^ top & ~(top >> 1)) for top in tops if stones & top & ~(top >> 1))

    def format(self, s: Position) -> str:
        mine, theirs = s.mine, s.mine ^ s.taken
        return draw_boards((theirs, mine) if s.stones & 1 else (mine, theirs), self.cells_by_rows())

    def cells_by_rows(self) -> list[range]:
        """The cells of each row, from the top."""
        return [range(row, row + self.columns * self.height, self.height) for row in reversed(range(self.rows))]

    def move_name(self, s: Position, m: int) -> str:
        return DIGITS[m]

    def parse_move(self, s: Position, text: str) -> int:
        """The column with the given number, or with the given letter if there are at most nine columns."""
        wanted = text.strip().casefold()
        letter = LETTERS.find(wanted) if len(wanted) == 1 else -1
        column = letter if 0 <= letter < self.columns <= len(LETTERS) else DIGITS.find(wanted)
        if not wanted or not 0 <= column < self.columns:
            raise GamesearchError(f"{text.strip()!r} is not a column from 1 to {DIGITS[self.columns - 1]}")
        if column not in self.moves(s):
            raise GamesearchError(f"column {DIGITS[column]} is full")
        return column

    def board(self, s: Position) -> Board:
        cells = {mark: cell_of(mark, Cell()) for mark in "XO."}
        rows = [[cells[mark] for mark in row] for row in self.format(s).split("/")]
        return Board(rows, column_labels=DIGITS[: self.columns], marks=places_in_line(rows, self.connect))

    # Numbers of positions. ------------------------------------------------------------------------
    # The number of a position is computed from two numbers: one for the heights of the columns, and one for the set of
    # the mover's stones. Some numbers belong to positions that cannot be reached, such as positions with two completed
    # lines.
    def prepare_numbers(self) -> None:
        """Count the ways to put n stones into c columns. The count for n and c is at index (cells + 1) * c + n."""
        ways = [[1] + [0] * self.cells]
        for _ in range(self.columns):
            ways.append([sum(ways[-1][max(0, n - self.rows) : n + 1]) for n in range(self.cells + 1)])
        self.ways = BoardTable(number for row in ways for number in row)

    def layer(self, s: Position) -> int:
        return self.cells - popcount(s.taken) if self.cells <= MOST_CELLS else -1

    def layer_size(self, layer: int) -> int:
        if not 0 <= layer <= self.cells or self.cells > MOST_CELLS:
            return 0
        stones = self.cells - layer
        return int(self.ways[(self.cells + 1) * self.columns + stones]) * choose(stones, stones // 2)

    def rank(self, s: Position) -> int:
        stones = popcount(s.taken)
        number, left = 0, stones
        for column in range(self.columns):
            first = (self.cells + 1) * (self.columns - 1 - column)
            high = popcount(s.taken >> column * self.height & (1 << self.rows) - 1)
            for lower in range(high):
                number += int(self.ways[first + left - lower])
            left -= high
        return number * choose(stones, stones // 2) + set_number(pack_bits(s.mine, s.taken))

    def unrank(self, layer: int, number: int) -> Position:
        stones = self.cells - layer
        whose = choose(stones, stones // 2)
        heights, left, taken = number // whose, stones, 0
        for column in range(self.columns):
            first = (self.cells + 1) * (self.columns - 1 - column)
            high = 0
            while heights >= int(self.ways[first + left - high]):
                heights -= int(self.ways[first + left - high])
                high += 1
            left -= high
            taken |= (1 << high) - 1 << column * self.height
        return self.position_of(spread_bits(numbered_set(number % whose, stones, stones // 2), taken), taken)

    def unrank_after(self, layer: int, number: int, before: Position) -> Position:
        stones = self.cells - layer
        if number % choose(stones, stones // 2) == 0:  # the heights change
            return self.unrank(layer, number)
        return self.position_of(spread_bits(next_set(pack_bits(before.mine, before.taken)), before.taken), before.taken)
