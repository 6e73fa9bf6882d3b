"""How the positions and cells of connection games are written and drawn, for `gamesearch.games._shared.connection`."""

from typing import TYPE_CHECKING

from gamesearch.boards import Board
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.board_notation import draw_boards, read_boards

if TYPE_CHECKING:
    from gamesearch.games._shared.connection import ConnectionGame, Position

__all__ = ["LETTERS", "cell_name", "drawn", "read_position"]

LETTERS = "abcdefghijk"
"""The names of the columns, as many as the largest board has."""


def read_position(game: "ConnectionGame", text: str) -> "Position":
    """The position of drawn rows, with the turn that their stones tell."""
    rows = text.upper().replace("/", " ").split()
    is_swapped = rows[-1:] == ["SWAPPED"]
    boards = read_boards(rows[: len(rows) - is_swapped], game.rows)
    if boards is None:
        lengths = "-".join(map(str, dict.fromkeys(map(len, game.rows))))  # 11 in Hex, 1-2-...-11 in Y
        raise GamesearchError(f"{text!r} is not {game.size} rows of {lengths} X, O or '.', joined by '/'")
    crosses, noughts = boards[MAX].bit_count(), boards[MIN].bit_count()
    is_swapped = is_swapped or (game.swap and crosses - noughts == -1)
    if is_swapped and not game.swap:
        raise GamesearchError(f"{text!r} is swapped, which takes {game.name}(swap=true)")
    turn = crosses - noughts + is_swapped
    if turn not in (MAX, MIN) or (is_swapped and not noughts):
        first = "O has the first stone after a swap" if is_swapped else "X begins"
        raise GamesearchError(f"{text!r} has {crosses} X and {noughts} O: {first} and the players take turns")
    return game.initial()._replace(crosses=boards[MAX], noughts=boards[MIN], turn=turn)


def cell_name(game: "ConnectionGame", cell: int) -> str:
    """A letter for the place in the row, and the row's number from the top."""
    row = cell // game.size
    return f"{LETTERS[game.rows[row].index(cell)]}{row + 1}"


def drawn(game: "ConnectionGame", s: "Position") -> Board:
    """The cells as lines of text, for rows of a Board all begin at the same place."""
    begins = [2 * (row[0] % game.size) + number for number, row in enumerate(game.rows)]
    begins.append(2 * begins[-1] - begins[-2])
    lines = []
    for number, row in enumerate(draw_boards((s.crosses, s.noughts), game.rows).split("/"), 1):
        lines.append(f"{number:2} " + " ".join(row))
    lines.append("   " + " ".join(LETTERS[: game.size]))
    return Board(notes=[" " * (begin - min(begins)) + line for begin, line in zip(begins, lines, strict=True)])
