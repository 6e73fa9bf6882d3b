"""How Go's positions and points are written and drawn, for `gamesearch.games.go.rules`."""

from typing import TYPE_CHECKING

from gamesearch.boards import Board, Cell
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.board_notation import mark_at, read_boards, square_rows

if TYPE_CHECKING:
    from gamesearch.games.go.rules import Go, Position

__all__ = ["drawn", "point_name", "read_point", "read_position"]

LETTERS = "ABCDEFGHJKLMNOPQRST"
"""The names of the columns; there is no I."""


# Positions. --------------------------------------------------------------------------------------
def read_position(game: "Go", text: str) -> tuple[int, int, int, int, int | None]:
    """Black's stones, White's, whose turn it is, how many passes were made, and the ko if there is one."""
    words = text.upper().split()
    boards = read_boards(words[0].split("/") if words else [], square_rows(game.size, game.width))
    if boards is None:
        raise GamesearchError(f"{text!r} is not {game.size} rows of {game.size} X, O or '.', joined by '/'")
    return boards[MAX], boards[MIN], *read_words(game, text, words[1:])


def read_words(game: "Go", text: str, words: list[str]) -> tuple[int, int, int | None]:
    """Whose turn it is, how many passes were made, and the ko, from what stands behind the board."""
    turn = MIN if words[:1] == ["O"] else MAX
    rest = words[1:] if words[:1] in (["O"], ["X"]) else words
    if set(rest) <= {"PASS"} and len(rest) <= 2:
        return turn, len(rest), None
    ko = read_point(game, rest[1]) if len(rest) == 2 and rest[0] == "KO" else None
    if ko is None:
        raise GamesearchError(f"{text!r} should end with X or O for whose turn it is, and pass or ko and its point")
    if game.superko:
        raise GamesearchError(f"{text!r} has a ko, which is only for go(superko=false): superko forbids more")
    return turn, 0, ko


# Points. -----------------------------------------------------------------------------------------
def point_name(game: "Go", point: int) -> str:
    """Column and row."""
    return f"{LETTERS[point % game.width]}{point // game.width + 1}"


def read_point(game: "Go", text: str) -> int | None:
    """The point with a name such as D4; None if there is no such point."""
    column, row = LETTERS.find(text[:1]), text[1:]
    if not text or not row.isascii() or not row.isdecimal() or len(row) > 2:
        return None
    is_on_board = 0 <= column < game.size and 1 <= int(row) <= game.size
    return (int(row) - 1) * game.width + column if is_on_board else None


# The picture. ------------------------------------------------------------------------------------
def drawn(game: "Go", s: "Position") -> Board:
    """The board, who has passed and whose turn it is."""
    passed = ["Both passed: the game is over" if s.passes == 2 else f"{game.names[1 - s.turn]} passed"]
    turn = [f"{game.names[s.turn]} ({'XO'[s.turn]}) to move"]
    return Board(
        rows=[[drawn_point(game, s, point) for point in row] for row in square_rows(game.size, game.width)],
        row_labels=[str(row) for row in range(game.size, 0, -1)],
        column_labels=LETTERS[: game.size],
        notes=passed * (s.passes > 0) + turn * (s.passes < 2),
    )


def drawn_point(game: "Go", s: "Position", point: int) -> Cell:
    """A point with its stone, or with the dot of the board's handicap points."""
    mark = mark_at(point, (s.black, s.white))
    if mark == ".":
        return Cell("+" if is_star(game, point) else ".", faint=True)
    return Cell(mark, glyph="●" if mark == "X" else "○", owner=MAX if mark == "X" else MIN)


def is_star(game: "Go", point: int) -> bool:
    """Whether stones of a handicap go there: near the corners, in the middle, and on large boards at the sides."""
    edge = 2 if game.size < 12 else 3
    lines = [edge, game.size - 1 - edge] + [game.size // 2] * (game.size % 2)
    row, column = (lines.index(line) if line in lines else -1 for line in divmod(point, game.width))
    is_at_side = (row == 2) != (column == 2)
    return game.size >= 7 and min(row, column) >= 0 and (game.size >= 15 or not is_at_side)
