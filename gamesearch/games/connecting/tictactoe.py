"""Tic-tac-toe: three in a row on a board of nine squares."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.board_notation import cell_of, draw_boards, read_boards, stones_ahead
from gamesearch.games._shared.cells import TURNS, choose, numbered_set, set_number, turn_cells
from gamesearch.notation import play_moves
from gamesearch.optional import NumberedGame, PatternGame, ReversibleGame
from gamesearch.toolkit.bits import Board64, pack_bits, popcount, spread_bits
from gamesearch.toolkit.boards import Board, Cell, Palette, Place, places_in_line
from gamesearch.toolkit.known import Known

__all__ = ["LINES", "TicTacToe", "has_line"]

SIDE = 3
SQUARES = 9
ALL = (1 << SQUARES) - 1
SQUARE = re.compile(r"[a-c]?[1-9](?!\.)", re.IGNORECASE)
"""Matches a move. Texts that show a board contain no digits, so the pattern does not match in them."""
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


class Position(NamedTuple):
    """The squares of each side. Bit i is square i. Squares are numbered from 0, row by row, beginning at the top
    left."""

    crosses: int
    noughts: int


def has_line(squares: int) -> bool:
    """Whether three of the squares form a row."""
    for line in LINES:
        if squares & line == line:
            return True
    return False


def open_lines(_: "TicTacToe", s: Position) -> tuple[float, ...]:
    """The number of lines that X can still complete minus the number that O can still complete, in tenths of a win."""
    difference = 0
    for line in LINES:
        if s.noughts & line == 0:
            difference += 1
        if s.crosses & line == 0:
            difference -= 1
    return (difference / 10,)


class TicTacToe(NumberedGame[Position], PatternGame[Position], ReversibleGame[Position]):
    """Three in a row on a board of nine squares; X is Max and begins.

    By default, only finished games have a value. If `evaluation=lines`, the estimate is the number of lines open to X
    minus the number open to O, in tenths of a win (N. J. Nilsson 1971, *Problem-Solving Methods in Artificial
    Intelligence*, ch. 5).
    """

    palette = Palette(board="#1f2a38", line="#66788c", sides=("#ff7f6b", "#4fd1c5"))

    notation = (
        "the moves played (5 1 9), or the rows from the top with X, O and . for an empty square (XX./OX./.OO). A "
        "move is the number of a square (1 to 9, row by row)"
    )
    example = "XX./OX./.OO"
    names = ("X", "O")
    whole_payoffs = True
    shipped_evaluations: ClassVar[Mapping[str, Any]] = {
        "lines": {
            "features": open_lines,
            "weights": (1.0,),
            "feature_names": ("(lines open to X - lines open to O) / 10",),
        }
    }
    known = (
        Known(
            "counted by brute force; the values are folklore",
            perft=(9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872),
            value=0, nodes=549_946, leaves=255_168, positions=5_478,
        ),
    )  # fmt: skip

    def initial(self) -> Position:
        return Position(0, 0)

    def player(self, s: Position) -> int:
        return MAX if popcount(s.crosses) == popcount(s.noughts) else MIN

    def moves(self, s: Position) -> Iterator[int]:
        taken = s.crosses | s.noughts
        for square in range(SQUARES):
            if not taken >> square & 1:
                yield square

    def result(self, s: Position, m: int) -> Position:
        if self.player(s) == MAX:
            return Position(s.crosses | 1 << m, s.noughts)
        return Position(s.crosses, s.noughts | 1 << m)

    def terminal(self, s: Position) -> bool:
        return s.crosses | s.noughts == ALL or has_line(s.crosses) or has_line(s.noughts)

    def utility(self, s: Position) -> int:
        if has_line(s.crosses):
            return 1
        return -1 if has_line(s.noughts) else 0

    def parents(self, s: Position) -> Iterator[Position]:
        for square in range(SQUARES):
            others = ~(1 << square)
            if self.player(s) == MIN:
                before = Position(s.crosses & others, s.noughts)
            else:
                before = Position(s.crosses, s.noughts & others)
            if before != s and not self.terminal(before):
                yield before

    def key(self, s: Position) -> int:
        return s.crosses | s.noughts << SQUARES

    # Numbers of positions. All positions of a layer have the same number of empty squares. --------
    def layer(self, s: Position) -> int:
        return SQUARES - popcount(s.crosses | s.noughts)

    def layer_size(self, layer: int) -> int:
        if not 0 <= layer <= SQUARES:
            return 0
        crosses = (SQUARES - layer + 1) // 2
        return choose(SQUARES, crosses) * choose(SQUARES - crosses, SQUARES - layer - crosses)

    def rank(self, s: Position) -> int:
        noughts = popcount(s.noughts)
        ways = choose(SQUARES - popcount(s.crosses), noughts)
        least = -1
        for turn in range(TURNS):
            crosses = turn_cells(s.crosses, SIDE, SIDE, turn)
            number = set_number(crosses) * ways + set_number(
                pack_bits(turn_cells(s.noughts, SIDE, SIDE, turn), ALL & ~crosses)
            )
            if least < 0 or number < least:
                least = number
        return least

    def unrank(self, layer: int, number: int) -> Position:
        size = (SQUARES - layer + 1) // 2
        ways = choose(SQUARES - size, SQUARES - layer - size)
        crosses = numbered_set(number // ways, SQUARES, size)
        places = numbered_set(number % ways, SQUARES - size, SQUARES - layer - size)
        return Position(crosses, spread_bits(places, ALL & ~crosses))

    def is_numbered(self, s: Position) -> bool:
        # Only the player who moved last can have a line.
        return not (has_line(s.noughts) if self.player(s) == MIN else has_line(s.crosses))

    def symmetries(self, s: Position) -> Iterator[Position]:
        for turn in range(TURNS):
            yield Position(turn_cells(s.crosses, SIDE, SIDE, turn), turn_cells(s.noughts, SIDE, SIDE, turn))

    # Patterns. -----------------------------------------------------------------------------------
    pattern_symmetry = "square"

    def cells_of_patterns(self) -> Mapping[int, Place]:
        return {square: divmod(square, SIDE) for square in range(SQUARES)}

    def cell_name(self, cell: int) -> str:
        return str(cell + 1)

    def patterns(self) -> tuple[tuple[int, ...], ...]:
        return (0, 1, 2), (3, 4, 5), (0, 4, 8), (0, 1, 3, 4)

    def contents(self, s: Position) -> tuple[Board64, ...]:
        crosses, noughts = Board64(s.crosses), Board64(s.noughts)
        return (crosses, noughts) if self.player(s) == MAX else (noughts, crosses)

    # Notation. -----------------------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        if re.search(r"\d", text):
            return play_moves(self, self.initial(), text, SQUARE)[-1]
        squares = text.replace("/", "").replace(" ", "").upper().replace("-", ".").replace("_", ".")
        boards = read_boards([squares], [range(SQUARES)])
        if boards is None:
            raise GamesearchError(f"{text!r} is not nine squares of X, O and '.', such as {self.example}")
        s = Position(boards[MAX], boards[MIN])
        surplus = stones_ahead(text, s.crosses, s.noughts)
        if (has_line(s.crosses) and (has_line(s.noughts) or surplus == 0)) or (has_line(s.noughts) and surplus == 1):
            raise GamesearchError(f"{text!r} continues after the end of the game")
        return s

    def format(self, s: Position) -> str:
        return draw_boards((s.crosses, s.noughts), [range(row, row + SIDE) for row in range(0, SQUARES, SIDE)])

    def move_name(self, s: Position, m: int) -> str:
        return str(m + 1)

    def parse_move(self, s: Position, text: str) -> int:
        wanted = text.strip().casefold()
        if len(wanted) == 2 and wanted[0] in "abc" and wanted[1] in "123":
            wanted = str(SIDE * (int(wanted[1]) - 1) + "abc".index(wanted[0]) + 1)
        return super().parse_move(s, wanted)

    def board(self, s: Position) -> Board:
        marks = self.format(s).replace("/", "")
        cells = [cell_of(mark, Cell(str(number), faint=True)) for number, mark in enumerate(marks, 1)]
        rows = [cells[row : row + SIDE] for row in range(0, SQUARES, SIDE)]
        return Board(rows, marks=places_in_line(rows, SIDE))
