"""How gomoku's positions and moves are written and drawn, for `gamesearch.games.gomoku.rules`."""

import re
from typing import TYPE_CHECKING

from gamesearch.boards import Board, Cell
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.board_notation import read_boards, square_rows
from gamesearch.games.gomoku.rows import has_row

if TYPE_CHECKING:
    from gamesearch.games.gomoku.rules import Gomoku, Position

__all__ = ["LETTERS", "cell_name", "drawn", "read_cell", "read_drawing"]

LETTERS = "abcdefghijklmnopqrs"
"""The names of the columns."""
MOVE = re.compile(r"([a-s])([0-9]{1,2})")


# Positions. --------------------------------------------------------------------------------------
def read_drawing(game: "Gomoku", text: str) -> "Position":
    """The position of a drawn board, with the pairs that are taken."""
    drawing, _, after = text.strip().upper().partition(" ")
    boards = read_boards(drawing.split("/"), square_rows(game.size, game.width))
    if boards is None:
        raise GamesearchError(f"{text!r} is not {game.size} rows of {game.size} X, O or '.', joined by '/'")
    max_pairs, min_pairs = read_pairs(game, text, after)
    crosses, noughts = boards[MAX].bit_count() + 2 * min_pairs, boards[MIN].bit_count() + 2 * max_pairs
    if crosses - noughts not in (0, 1):
        raise GamesearchError(f"{text!r} needs {crosses} X and {noughts} O to be played: X begins, in turns")
    s = game.initial()._replace(
        crosses=boards[MAX], noughts=boards[MIN], max_pairs=max_pairs, min_pairs=min_pairs, turn=crosses - noughts
    )
    refuse_unreachable(game, text, s)
    return s


def read_pairs(game: "Gomoku", text: str, pairs: str) -> tuple[int, int]:
    """How many pairs X and O have taken, as after the board."""
    match = re.fullmatch(r"\s*([0-9]{1,2})\s*[, ]\s*([0-9]{1,2})\s*", pairs)
    if pairs.strip() and (match is None or not game.captures):
        wanted = "the pairs that X and O have taken, such as 1,0" if game.captures else "nothing"
        raise GamesearchError(f"{text!r} has {pairs.strip()!r} after the board where {wanted} should stand")
    return (int(match[1]), int(match[2])) if match else (0, 0)


def refuse_unreachable(game: "Gomoku", text: str, s: "Position") -> None:
    """Raise GamesearchError where a game would have ended before this position."""
    mine, last = game.mine(s), game.theirs(s)
    my_pairs, last_pairs = (s.max_pairs, s.min_pairs) if s.turn == MAX else (s.min_pairs, s.max_pairs)
    if last_pairs >= game.pairs_to_win + 2 * len(game.directions) - 1:
        raise GamesearchError(f"{text!r} has {last_pairs} pairs taken: five end the game")
    stones = [1 << cell for cell in range(game.full.bit_length()) if last >> cell & 1]
    over_before = has_row(game, last) and all(has_row(game, last ^ stone) for stone in stones)
    if my_pairs >= game.pairs_to_win or has_row(game, mine) or over_before:
        raise GamesearchError(f"{text!r} goes on after somebody has won")


# Moves. ------------------------------------------------------------------------------------------
def cell_name(game: "Gomoku", cell: int) -> str:
    """Column and row."""
    row, column = divmod(cell, game.width)
    return f"{LETTERS[column]}{row + 1}"


def read_cell(game: "Gomoku", text: str) -> int:
    """The cell of a move such as h8."""
    match = MOVE.fullmatch("".join(text.split()).casefold())
    if match is None:
        raise GamesearchError(f"{text.strip()!r} is not a cell, such as {cell_name(game, game.centre)}")
    column, row = LETTERS.index(match[1]), int(match[2]) - 1
    if column >= game.size or not 0 <= row < game.size:
        last = cell_name(game, game.full.bit_length() - 1)
        raise GamesearchError(f"{text.strip()!r} is off the board, which goes from a1 to {last}")
    return row * game.width + column


# The picture. ------------------------------------------------------------------------------------
def drawn(game: "Gomoku", s: "Position") -> Board:
    """The board, with the pairs taken below it in Pente."""
    owners = {"X": MAX, "O": MIN}
    rows = [
        [Cell(mark, owner=owners.get(mark), faint=mark == ".") for mark in row]
        for row in game.format(s).split()[0].split("/")
    ]
    return Board(
        rows=rows,
        row_labels=[str(row) for row in range(game.size, 0, -1)],
        column_labels=LETTERS[: game.size],
        notes=[f"pairs taken: X {s.max_pairs}, O {s.min_pairs}"] if game.captures else [],
    )
