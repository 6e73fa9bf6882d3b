"""How the positions and moves of nine men's morris are written and drawn, for `gamesearch.games.morris.rules`."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from gamesearch.boards import Board, Cell
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.board_notation import draw_boards, mark_at, read_boards

if TYPE_CHECKING:
    from gamesearch.games.morris.rules import Morris, Position

__all__ = ["drawn", "find_move", "point_name", "position_text", "read_position"]

RIGHT = (-1, 0, 1, 1, 1, 0, -1, -1)
UP = (1, 1, 1, 0, -1, -1, -1, 0)
"""Where the points of a ring lie from its centre."""
COLUMNS = "abcdefg"
MARKS = "WB"
NOTATION = re.compile(r"([wb./]+)(?:\s+([0-9])\s*,\s*([0-9]))?(?:\s+(w|white|b|black))?")


# Points. -----------------------------------------------------------------------------------------
def place_of(game: "Morris", point: int) -> tuple[int, int]:
    """Column and row of a point, counted from a1."""
    ring, number = divmod(point, len(RIGHT))
    size = game.rings - ring
    return game.rings + RIGHT[number] * size, game.rings + UP[number] * size


def rows_of(game: "Morris") -> list[list[int]]:
    """The points of each row, from the top."""
    places = {place_of(game, point): point for point in range(game.points)}
    side = range(2 * game.rings + 1)
    return [[places[column, row] for column in side if (column, row) in places] for row in reversed(side)]


def point_name(game: "Morris", point: int) -> str:
    """A point as a1, d7."""
    column, row = place_of(game, point)
    return f"{COLUMNS[column]}{row + 1}"


# Positions. --------------------------------------------------------------------------------------
def sides(s: "Position") -> tuple[int, int]:
    """White's men, and Black's."""
    return (s.mine, s.theirs) if s.turn == MAX else (s.theirs, s.mine)


def hands(s: "Position") -> tuple[int, int]:
    """How many men White has in hand, and Black."""
    return s.hands // 2, (s.hands + 1) // 2


def read_position(game: "Morris", text: str) -> "Position":
    """The position of drawn rows, the men in hand and whose turn it is."""
    match = NOTATION.fullmatch(text.strip().casefold())
    rows = rows_of(game)
    men = read_boards(match[1].upper().split("/"), rows, MARKS) if match else None
    if match is None or men is None:
        raise GamesearchError(
            f"{text!r} is not rows of W, B and '.', then men in hand and who is to move: "
            f"{draw_boards((0, 0), rows, MARKS)} {game.men},{game.men} white"
        )
    turn = MIN if match[4] and match[4].startswith("b") else MAX
    in_hand = int(match[2] or 0), int(match[3] or 0)
    for name, side, hand in zip(game.names, men, in_hand, strict=True):
        if side.bit_count() + hand > game.men:
            raise GamesearchError(f"in {text!r}, {name} has more than {game.men} men")
    if in_hand[MIN] - in_hand[MAX] != (turn == MIN and in_hand[MIN] > 0):
        raise GamesearchError(f"in {text!r}, the hands do not fit: White begins and the sides place in turns")
    return game.initial()._replace(mine=men[turn], theirs=men[1 - turn], hands=sum(in_hand), turn=turn)


def position_text(game: "Morris", s: "Position") -> str:
    """The rows, the men in hand and whose turn it is."""
    white, black = hands(s)
    return f"{draw_boards(sides(s), rows_of(game), MARKS)} {white},{black} {game.names[s.turn].casefold()}"


# Moves. ------------------------------------------------------------------------------------------
def find_move(text: str, moves: Mapping[str, int]) -> int:
    """The one of the legal moves, by their names, that a text means; dashes and blanks do not matter."""
    wanted = re.sub(r"[\s-]", "", text.casefold())
    plain = {name.replace("-", ""): m for name, m in moves.items()}
    if wanted in plain:
        return plain[wanted]
    closing = [name for name in moves if wanted and name.replace("-", "").startswith(f"{wanted}x")]
    if closing:
        raise GamesearchError(f"{text.strip()!r} closes a mill: name the man to remove, too, such as {closing[0]}")
    raise GamesearchError(f"{text.strip()!r} is not a legal move here")


# The picture. ------------------------------------------------------------------------------------
def drawn(game: "Morris", s: "Position") -> Board:
    """The points with the lines between them."""
    side = range(2 * game.rings + 1)
    points = {place_of(game, point): point for point in range(game.points)}
    rows = []
    for row in reversed(side):
        cells = []
        for column in side:
            across, up = abs(column - game.rings), abs(row - game.rings)
            if (column, row) in points:
                mark = mark_at(points[column, row], sides(s), MARKS)
                cells.append(Cell(mark, owner={"W": MAX, "B": MIN}.get(mark)))
            elif across == up:
                cells.append(Cell(" "))
            else:
                cells.append(Cell("-", "\u2500", faint=True) if across < up else Cell("|", "\u2502", faint=True))
        rows.append(cells)
    white, black = hands(s)
    return Board(
        rows=rows,
        row_labels=[str(row + 1) for row in reversed(side)],
        column_labels=COLUMNS[: len(side)],
        notes=[f"in hand: White {white}, Black {black}"] if s.hands else [],
    )
