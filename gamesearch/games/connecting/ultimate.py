"""Ultimate tic-tac-toe: nine boards of tic-tac-toe. Each move determines the board for the opponent's next move."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, Game
from gamesearch.games._shared.board_notation import cell_of, draw_boards, mark_at, read_boards, stones_ahead
from gamesearch.games.connecting.tictactoe import LINES, has_line
from gamesearch.notation import play_moves
from gamesearch.toolkit.bits import low_bit_index, popcount, replace_item
from gamesearch.toolkit.boards import Board, Cell, Palette
from gamesearch.toolkit.known import Known

__all__ = ["Ultimate"]

SIDE, NINE = 3, 9
FULL = 0o777
CENTRE = 4
CENTRE_FIRST = (4, 0, 2, 6, 8, 1, 3, 5, 7)
ANYWHERE = 9
ROWS = [
    [NINE * (SIDE * (row // SIDE) + column // SIDE) + SIDE * (row % SIDE) + column % SIDE for column in range(NINE)]
    for row in range(NINE)
]
"""The cells of each of the nine rows. A cell has the number 9 * board + place. The move to a cell has the same
number."""
WON = (r"\ / X / \ ", r"/-\| |\-/")
"""The pictures of a board that X has won, and of a board that O has won, row by row."""


class Position(NamedTuple):
    """The small boards and their results, counted row by row from the top left.

    In a small board, bit i is a cross in cell i, and bit 9 + i a nought. `crosses` and `noughts` are the boards that X
    and O have won. `closed` contains the boards that are won or full. `target` is the board for the next move, or
    ANYWHERE.
    """

    boards: tuple[int, ...]
    crosses: int
    noughts: int
    closed: int
    target: int
    turn: int


def count_twos(squares: int, blocked: int) -> int:
    """The number of lines that contain two of `squares` and a third square that is not in `blocked`."""
    count = 0
    for line in LINES:
        if line & blocked == 0 and popcount(line & squares) == 2:
            count += 1
    return count


class Ultimate(Game[Position]):
    """Nine boards of tic-tac-toe; winning three boards in a row wins the game; X is Max and begins.

    The place of a cell in its board decides in which board the opponent plays next: after a move into a top left cell,
    the opponent must play in the top left board. A board that is won or full is closed. If the opponent is sent to a
    closed board, the opponent may choose any other board. If all boards are closed without three in a row, the game is
    a draw (as in the Wikipedia article; other rules count the won boards).
    """

    palette = Palette(board="#1f2a38", line="#45566a", sides=("#ff7f6b", "#4fd1c5"))

    notation = (
        "the moves played (55 51), or the nine rows from the top, joined by '/', with X, O and '.' for an empty "
        "cell. After the rows, write the number of the board to play in (1 to 9, row by row), or - for any board. "
        "A move is the number of a board and the number of a cell in it, both 1 to 9"
    )
    example = "O......../........./.X......./..X.O..../....X..../........./........./........./......... 5"
    names = ("X", "O")
    estimates_are_chances = True
    whole_payoffs = True
    known = (
        Known("counted by an independent program", perft=(81, 720, 6_336, 55_080, 473_256)),
    )  # fmt: skip
    suggested_algorithm = "pvs"  # benchmarks/results.md, "pvs against alpha-beta"
    suggested_depth = 7
    weights = (0.05, 0.05, 0.04, 0.001)  # set by hand, so that no estimate is as great as a win
    feature_names = ("boards won", "lines of two boards", "the centre board", "lines of two in boards")

    def initial(self) -> Position:
        return Position((0, 0, 0, 0, 0, 0, 0, 0, 0), 0, 0, 0, ANYWHERE, MAX)

    def player(self, s: Position) -> int:
        return s.turn

    def moves(self, s: Position) -> Iterator[int]:
        for board in CENTRE_FIRST:
            if board == s.target or (s.target == ANYWHERE and not s.closed >> board & 1):
                taken = s.boards[board] | s.boards[board] >> NINE
                for cell in CENTRE_FIRST:
                    if not taken >> cell & 1:
                        yield board * NINE + cell

    def result(self, s: Position, m: int) -> Position:
        board, cell = m // NINE, m % NINE
        small = s.boards[board] | 1 << cell + NINE * s.turn
        crosses, noughts, closed = s.crosses, s.noughts, s.closed
        if has_line(small >> NINE * s.turn & FULL):
            closed |= 1 << board
            if s.turn == MAX:
                crosses |= 1 << board
            else:
                noughts |= 1 << board
        elif (small | small >> NINE) & FULL == FULL:
            closed |= 1 << board
        target = ANYWHERE if closed >> cell & 1 else cell
        return Position(replace_item(s.boards, board, small), crosses, noughts, closed, target, 1 - s.turn)

    def terminal(self, s: Position) -> bool:
        return s.closed == FULL or has_line(s.crosses) or has_line(s.noughts)

    def utility(self, s: Position) -> int:
        if has_line(s.crosses):
            return 1
        return -1 if has_line(s.noughts) else 0

    def key(self, s: Position) -> tuple[int, int, int]:
        # Each number combines three boards. Only the result of a closed board matters.
        top = middle = bottom = 0
        for i in range(SIDE):
            top = top << 2 * NINE | self.canonical_board(s, i)
            middle = middle << 2 * NINE | self.canonical_board(s, SIDE + i)
            bottom = bottom << 2 * NINE | self.canonical_board(s, 2 * SIDE + i)
        return top << 1 | s.turn, middle << 4 | s.target, bottom

    def canonical_board(self, s: Position, board: int) -> int:
        """The marks of a small board. If the board is closed, every cell has the winner's mark. If the board has no
        winner, every cell has both marks."""
        if s.closed >> board & 1 == 0:
            return s.boards[board]
        if s.crosses >> board & 1:
            return FULL
        return FULL << NINE if s.noughts >> board & 1 else FULL << NINE | FULL

    def bounds(self, s: Position) -> tuple[float, float]:
        # To win, a player needs a line in which each board is open or already won by this player.
        upper = 1 if has_line(FULL ^ s.closed | s.crosses) else 0
        lower = -1 if has_line(FULL ^ s.closed | s.noughts) else 0
        return lower, upper

    def order(self, s: Position, m: int) -> float:
        """Prefer moves that win a small board. Moves that send the opponent to a closed board come last."""
        board, cell = m // NINE, m % NINE
        wins = has_line((s.boards[board] >> NINE * s.turn | 1 << cell) & FULL)
        sets_free = s.closed >> cell & 1
        return (2.0 if wins else 0.0) - sets_free

    def features(self, s: Position) -> tuple[float, ...]:
        """The values of the features in `feature_names`. Each value is a count for Max minus the same count for Min.
        Two places in a line count only if the third place of the line is open."""
        small = 0
        for board in range(NINE):
            if not s.closed >> board & 1:
                crosses, noughts = s.boards[board] & FULL, s.boards[board] >> NINE
                small += count_twos(crosses, noughts) - count_twos(noughts, crosses)
        return (
            float(popcount(s.crosses) - popcount(s.noughts)),
            float(count_twos(s.crosses, s.closed & ~s.crosses) - count_twos(s.noughts, s.closed & ~s.noughts)),
            float((s.crosses >> CENTRE & 1) - (s.noughts >> CENTRE & 1)),
            float(small),
        )

    def consistent(self, s: Position) -> bool:
        stones = 0
        for board in range(NINE):
            crosses, noughts = s.boards[board] & FULL, s.boards[board] >> NINE
            stones += popcount(crosses) - popcount(noughts)
            is_closed = has_line(crosses) or has_line(noughts) or crosses | noughts == FULL
            if crosses & noughts or is_closed != (s.closed >> board & 1 == 1):
                return False
        return stones == s.turn and s.crosses & s.noughts == 0 and (s.crosses | s.noughts) & ~s.closed == 0

    # Notation. -----------------------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        return self.parse_board(text) if "/" in text or "." in text else play_moves(self, self.initial(), text)[-1]

    def parse_board(self, text: str) -> Position:
        """Parse a position: nine rows, and the board to play in."""
        drawing, _, place = text.strip().upper().partition(" ")
        drawn = read_boards(drawing.split("/"), ROWS)
        if drawn is None:
            raise GamesearchError(f"{text!r} is not nine rows of nine marks (X, O or '.'), joined by '/'")
        surplus = stones_ahead(text, *drawn)
        sides = [[stones >> NINE * board & FULL for board in range(NINE)] for stones in drawn]
        crosses, noughts = (sum(has_line(side) << board for board, side in enumerate(each)) for each in sides)
        if crosses & noughts:
            both = low_bit_index(crosses & noughts) + 1
            raise GamesearchError(f"in {text!r}, both sides have three in a row in board {both}")
        full = sum((own | other == FULL) << board for board, (own, other) in enumerate(zip(*sides, strict=True)))
        boards = tuple(own | other << NINE for own, other in zip(*sides, strict=True))
        if has_line(noughts if surplus else crosses):
            raise GamesearchError(f"{text!r} continues after the end of the game")
        s = Position(boards, crosses, noughts, crosses | noughts | full, ANYWHERE, MIN if surplus else MAX)
        return self.with_target(text, s, place.strip())

    def with_target(self, text: str, s: Position, place: str) -> Position:
        """Copy s with the target board that `place` names; raises GamesearchError if no move leads to this board."""
        if place not in ("", "-", *"123456789"):
            raise GamesearchError(
                f"{text!r} ends in {place!r}: write the number of a board (1 to 9), or - for any board"
            )
        played = 0  # the cells (of any board) with a mark of the side that moved last
        for small in s.boards:
            played |= small >> NINE * (1 - s.turn) & FULL
        if place not in ("", "-"):
            target = int(place) - 1
            if not played & ~s.closed & 1 << target:
                raise GamesearchError(f"in {text!r}, the last move cannot have led to board {place}")
            return s._replace(target=target)
        if any(s.boards) and not (played & s.closed):
            raise GamesearchError(f"{text!r} must end with the number of the board to play in, from 1 to 9")
        return s

    def format(self, s: Position) -> str:
        crosses = sum((small & FULL) << NINE * board for board, small in enumerate(s.boards))
        noughts = sum(small >> NINE << NINE * board for board, small in enumerate(s.boards))
        place = "-" if s.target == ANYWHERE else str(s.target + 1)
        return f"{draw_boards((crosses, noughts), ROWS)} {place}"

    def mark(self, s: Position, board: int, cell: int) -> str:
        """The mark of a cell: X, O or '.'."""
        return mark_at(cell, (s.boards[board] & FULL, s.boards[board] >> NINE))

    def move_name(self, s: Position, m: int) -> str:
        return f"{m // NINE + 1}{m % NINE + 1}"

    def parse_move(self, s: Position, text: str) -> int:
        wanted = "".join(re.findall("[1-9]", text))
        if not re.fullmatch(r"[1-9]\s*[-.,:/]?\s*[1-9]", text.strip()):
            raise GamesearchError(
                f"{text.strip()!r} is not a move: write the numbers of a board and a cell, both from 1 to 9 (55)"
            )
        board, cell = (int(digit) - 1 for digit in wanted)
        if s.target not in (board, ANYWHERE):
            raise GamesearchError(f"{wanted} is in board {board + 1}, but the last move leads to board {s.target + 1}")
        if s.closed >> board & 1:
            raise GamesearchError(f"{wanted} is in board {board + 1}, which is closed")
        if self.mark(s, board, cell) != ".":
            raise GamesearchError(f"cell {cell + 1} of board {board + 1} is taken")
        return board * NINE + cell

    def board(self, s: Position) -> Board:
        """The nine boards. A won board is one large mark. If a player may move on a board, its free cells contain
        numbers."""
        rows = [[self.picture_of_cell(s, *divmod(cell, NINE)) for cell in row] for row in ROWS]
        where = "any board" if s.target == ANYWHERE else f"board {s.target + 1}"
        note = "game over" if self.terminal(s) else f"{self.names[s.turn]} plays in {where}"
        return Board(rows=rows, block=SIDE, notes=[note])

    def picture_of_cell(self, s: Position, board: int, cell: int) -> Cell:
        """The picture of a cell. If the board is won, the picture is a part of the winner's large mark."""
        if (s.crosses | s.noughts) >> board & 1:
            owner = MAX if s.crosses >> board & 1 else MIN
            return Cell(WON[owner][cell], owner=owner, tint=owner)
        mark = self.mark(s, board, cell)
        is_playable = s.target in (board, ANYWHERE) and not (s.closed >> board & 1 or self.terminal(s))
        return cell_of(mark, Cell(str(cell + 1) if is_playable else ".", faint=True))
