"""How the positions and moves of nine men's morris are written and drawn."""

import re
from itertools import groupby

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.board_notation import LETTERS, draw_boards, mark_at, read_boards
from gamesearch.games.morris.position import FEWEST, HAND, NOBODY, ORIGIN, REMOVED, MorrisBoard, Position
from gamesearch.toolkit.boards import Board, Cell

__all__ = ["MorrisNotation"]

MARKS = "WB"
NOTATION = re.compile(r"([wb./]+)(?:\s+([0-9])\s*,\s*([0-9]))?(?:\s+(w|white|b|black))?")


class MorrisNotation(MorrisBoard):
    """Reads, writes and draws rows of points and the men in hand, and moves by their points."""

    notation = (
        "the points of each row from the top with W, B and '.', the men that White and Black have in hand, and who "
        "is to move (W.B/.../.../....../.../.../... 8,8 white); moves are d7, a1-a4, and with a removal a1-a4xd7"
    )
    example = "W.B/.W./.../....B./.../.W./B.. 6,6 white"
    shows_captures = True
    names = ("White", "Black")
    numbers_rounds = True
    unit = "men"

    # Positions. ----------------------------------------------------------------------------------
    def rows(self) -> list[list[int]]:
        """The points of each row, from the top."""
        points = sorted(range(self.points), key=self.drawn_at)
        return [list(row) for _, row in groupby(points, lambda point: self.drawn_at(point)[0])]

    def sides(self, s: Position) -> tuple[int, int]:
        """White's men, and Black's."""
        return (s.mine, s.theirs) if s.turn == MAX else (s.theirs, s.mine)

    def parse(self, text: str) -> Position:
        match = NOTATION.fullmatch(text.strip().casefold())
        rows = self.rows()
        men = read_boards(match[1].upper().split("/"), rows, MARKS) if match else None
        if match is None or men is None:
            raise GamesearchError(
                f"{text!r} is not rows of W, B and '.', then men in hand and who is to move: "
                f"{draw_boards((0, 0), rows, MARKS)} {self.men},{self.men} white"
            )
        turn = MIN if match[4] and match[4].startswith("b") else MAX
        in_hand = int(match[2] or 0), int(match[3] or 0)
        for name, side, hand in zip(self.names, men, in_hand, strict=True):
            if side.bit_count() + hand > self.men:
                raise GamesearchError(f"in {text!r}, {name} has more than {self.men} men")
        if in_hand[MIN] - in_hand[MAX] != (turn == MIN and in_hand[MIN] > 0):
            raise GamesearchError(f"in {text!r}, the hands do not fit: White begins and the sides place in turns")
        if men[1 - turn].bit_count() + in_hand[1 - turn] < FEWEST:
            raise GamesearchError(f"{text!r} goes on after {self.names[1 - turn]} has lost all but two men")
        return Position(men[turn], men[1 - turn], sum(in_hand), turn)

    def format(self, s: Position) -> str:
        white, black = hands(s)
        return f"{draw_boards(self.sides(s), self.rows(), MARKS)} {white},{black} {self.names[s.turn].casefold()}"

    # Moves. --------------------------------------------------------------------------------------
    def move_name(self, s: Position, m: int) -> str:
        target, origin, removed = m & 31, m >> ORIGIN & 31, m >> REMOVED
        name = self.point_name(target)
        if origin != HAND:
            name = f"{self.point_name(origin)}-{name}"
        return name if removed == NOBODY else f"{name}x{self.point_name(removed)}"

    def parse_move(self, s: Position, text: str) -> int:
        """The legal move that a text means, with or without dashes and blanks between the points."""
        wanted = re.sub(r"(?<=\d)\s*-?\s*(?=[a-zx])|(?<=x)\s+", "", text.strip().casefold())
        moves = {self.move_name(s, m): m for m in self.moves(s)}
        plain = {name.replace("-", ""): m for name, m in moves.items()}
        if wanted in plain:
            return plain[wanted]
        closing = [name for name in moves if wanted and name.replace("-", "").startswith(f"{wanted}x")]
        if closing:
            raise GamesearchError(f"{text.strip()!r} closes a mill: name the man to remove, too, such as {closing[0]}")
        raise GamesearchError(f"{text.strip()!r} is not a legal move here")

    # The picture. --------------------------------------------------------------------------------
    def board(self, s: Position) -> Board:
        side = range(2 * self.rings + 1)
        rows = [[between(abs(column - self.rings), abs(row - self.rings)) for column in side] for row in side]
        for point in range(self.points):
            row, column = self.drawn_at(point)
            mark = mark_at(point, self.sides(s), MARKS)
            rows[row][column] = Cell(mark, owner={"W": MAX, "B": MIN}.get(mark))
        white, black = hands(s)
        lines = [
            (self.drawn_at(a), self.drawn_at(b))
            for a in range(self.points)
            for b in range(a, self.points)
            if self.neighbours(1 << a) >> b & 1
        ]
        return Board(
            rows=rows,
            lines=lines,
            row_labels=[str(row + 1) for row in reversed(side)],
            column_labels=LETTERS[: len(side)],
            notes=[f"in hand: White {white}, Black {black}"] if s.hands else [],
        )


def between(across: int, up: int) -> Cell:
    """What is drawn so far from the centre where no point is: a line goes through, unless that is at a diagonal."""
    if across == up:
        return Cell(" ", absent=True)
    return Cell("-" if across < up else "|", faint=True, absent=True)


def hands(s: Position) -> tuple[int, int]:
    """How many men White has in hand, and Black."""
    return s.hands // 2, (s.hands + 1) // 2
