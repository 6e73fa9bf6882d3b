"""How Othello's positions and moves are written and drawn, for `gamesearch.games.othello.rules`."""

import re
from typing import TYPE_CHECKING

from gamesearch.bits import low_bit_index
from gamesearch.boards import Board, Cell
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.board_notation import draw_boards, read_boards
from gamesearch.games.othello.lines import signed

if TYPE_CHECKING:
    from gamesearch.games.othello.rules import Othello, Position

__all__ = ["drawn", "find_move", "position_text", "read_position", "square_name"]

COLUMNS = "abcdefgh"
MOVES_PLAYED = re.compile("(?:PASS|[A-H][1-8])*")


# Positions. --------------------------------------------------------------------------------------
def read_position(game: "Othello", text: str) -> "Position":
    """The position of squares row by row with the side to move, or after moves from the start."""
    written = "".join(text.partition(";")[0].split()).upper()
    if MOVES_PLAYED.fullmatch(written):
        return after_moves(game, written)
    squares, side = written[:-1].replace("-", "."), written[-1]
    discs = read_boards([squares], [range(game.cells)])
    if discs is None or side not in "XO":
        raise GamesearchError(
            f"{text!r} is neither {game.cells} squares of X, O and '-' with the side to move, nor moves such as d3"
        )
    turn = "XO".index(side)
    mine, theirs = signed(discs[turn]), signed(discs[1 - turn])
    refuse_unreachable(game, mine | theirs, text)
    return game.initial()._replace(mine=mine, theirs=theirs, turn=turn, placements=game.placements(mine, theirs))


def refuse_unreachable(game: "Othello", discs: int, text: str) -> None:
    """Raise GamesearchError for boards that cannot come about, for discs are only put beside others."""
    if game.middle & ~discs:
        raise GamesearchError(f"in {text!r}, one of the four squares in the middle is empty: they never are")
    joined = game.middle
    for _ in range(game.cells):
        joined |= game.beside(joined) & discs
    if joined != discs:
        square = square_name(game, low_bit_index(discs & ~joined))
        raise GamesearchError(f"in {text!r}, the disc on {square} is not joined to the middle by others")


def after_moves(game: "Othello", played: str) -> "Position":
    """The position after moves from the start; a pass may be left out, as in most records."""
    s = game.initial()
    for name in re.findall("PASS|..", played):
        if game.terminal(s):
            raise GamesearchError(f"{played.lower()!r} goes on at {name.lower()} after the game is over")
        if s.placements == 0 and name != "PASS":
            s = game.result(s, game.passing)
        s = game.result(s, game.parse_move(s, name))
    return s


def position_text(game: "Othello", s: "Position") -> str:
    """The squares row by row, and the side to move."""
    return f"{squares_text(game, s)} {game.names[s.turn]}"


def squares_text(game: "Othello", s: "Position") -> str:
    """X, O or '-' for each square."""
    discs = (s.mine, s.theirs) if s.turn == MAX else (s.theirs, s.mine)
    return draw_boards(discs, [range(game.cells)]).replace(".", "-")


# Moves. ------------------------------------------------------------------------------------------
def square_name(game: "Othello", square: int) -> str:
    """Column and row."""
    return f"{COLUMNS[square % game.size]}{square // game.size + 1}"


def find_move(game: "Othello", s: "Position", text: str) -> int:
    """The legal move that a text means."""
    wanted = "".join(text.split()).casefold()
    names = {game.move_name(s, m): m for m in game.moves(s)}
    if wanted in names:
        return names[wanted]
    side = game.names[s.turn]
    if s.placements == 0:
        raise GamesearchError(f"{wanted!r} is not legal: {side} can turn over nothing and has to pass")
    raise GamesearchError(f"{wanted!r} turns over nothing: {side} can place on {', '.join(names)}")


# The picture. ------------------------------------------------------------------------------------
def drawn(game: "Othello", s: "Position") -> Board:
    """The board, with a + where the side to move can place a disc."""
    marks = squares_text(game, s)
    cells = []
    for square, mark in enumerate(marks):
        if mark == "-":
            cells.append(Cell("+" if s.placements >> square & 1 else ".", faint=True))
        else:
            cells.append(Cell(mark, owner=MAX if mark == "X" else MIN))
    side = game.names[s.turn]
    counts = ", ".join(f"{name} {marks.count(name)}" for name in game.names)
    turn = "game over" if game.terminal(s) else f"{side} can place on +" if s.placements else f"{side} has to pass"
    return Board(
        rows=[cells[i : i + game.size] for i in range(0, game.cells, game.size)],
        row_labels=[str(row + 1) for row in range(game.size)],
        column_labels=COLUMNS[: game.size],
        notes=[f"{counts}; {turn}"],
    )
