"""How the positions and moves of nine men's morris are written and drawn."""

import re

from gamesearch.boards import Board, Cell, Place
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.board_notation import LETTERS, draw_boards, mark_at, read_boards
from gamesearch.games.morris.position import FEWEST, HAND, NOBODY, ORIGIN, REMOVED, RING, MorrisBoard, Position

__all__ = ["MorrisNotation"]

RIGHT = (-1, 0, 1, 1, 1, 0, -1, -1)
UP = (1, 1, 1, 0, -1, -1, -1, 0)
"""Where the points of a ring lie from its centre."""
MARKS = "WB"
NOTATION = re.compile(r"([wb./]+)(?:\s+([0-9])\s*,\s*([0-9]))?(?:\s+(w|white|b|black))?")


class MorrisNotation(MorrisBoard):
    """Reads, writes and draws rows of points and the men in hand, and moves by their points."""

    notation = (
        "the points of each row from the top with W, B and '.', the men that White and Black have in hand, and who "
        "is to move (W.B/.../.../....../.../.../... 8,8 white); moves are d7, a1-a4, and with a removal a1-a4xd7"
    )
    example = "W.B/.W./.../....B./.../.W./B.. 6,6 white"
    names = ("White", "Black")
    unit = "men"

    # Points. -------------------------------------------------------------------------------------
    def drawn_at(self, point: int) -> Place:
        """The row from the top and the column of a point."""
        column, row = next(place for place, each in self.places().items() if each == point)
        return 2 * self.rings - row, column

    def places(self) -> dict[tuple[int, int], int]:
        """The points by column and row, counted from a1."""
        sizes = [self.rings - point // RING for point in range(self.points)]
        return {
            (self.rings + RIGHT[point % RING] * size, self.rings + UP[point % RING] * size): point
            for point, size in enumerate(sizes)
        }

    def rows(self) -> list[list[int]]:
        """The points of each row, from the top."""
        places, side = self.places(), range(2 * self.rings + 1)
        return [[places[column, row] for column in side if (column, row) in places] for row in reversed(side)]

    def point_name(self, point: int) -> str:
        """A point as a1, d7."""
        column, row = next(place for place, each in self.places().items() if each == point)
        return f"{LETTERS[column]}{row + 1}"

    # Positions. ----------------------------------------------------------------------------------
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
        """The legal move that a text means; dashes and blanks do not matter."""
        wanted = re.sub(r"[\s-]", "", text.casefold())
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
        points = self.places()
        rows = []
        for row in reversed(side):
            cells = []
            for column in side:
                across, up = abs(column - self.rings), abs(row - self.rings)
                if (column, row) in points:
                    mark = mark_at(points[column, row], self.sides(s), MARKS)
                    cells.append(Cell(mark, owner={"W": MAX, "B": MIN}.get(mark)))
                elif across == up:
                    cells.append(Cell(" ", absent=True))
                else:  # a line goes through
                    cells.append(Cell("-" if across < up else "|", faint=True, absent=True))
            rows.append(cells)
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


def hands(s: Position) -> tuple[int, int]:
    """How many men White has in hand, and Black."""
    return s.hands // 2, (s.hands + 1) // 2
