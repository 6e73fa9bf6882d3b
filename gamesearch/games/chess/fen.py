"""Reading positions of chess in FEN and EPD."""

import textwrap

import chess
from chess.variant import CrazyhouseBoard

from gamesearch.errors import GamesearchError
from gamesearch.games.chess.boards import ChessBoard

__all__ = ["read_fen", "shortened"]

LONGEST_CLOCK = 9999


def read_fen(s: ChessBoard, fields: list[str]) -> ChessBoard:
    """The position that the fields of a FEN say, put onto an empty board; refuses one that is not legal."""
    shown = shortened(" ".join(fields))
    most = len(s.starting_fen.split())  # three-check counts the checks, too
    if not 4 <= len(fields) <= most + 1 or (len(fields) > most and most == 6):
        raise GamesearchError(f"{shown!r} is not a position: FEN has 4 to {most} fields, such as {s.starting_fen}")
    fields = [*fields[:2], "".join(sorted(fields[2], key=str.islower)), *fields[3:]]  # castling rights in any order
    try:
        s.set_fen(" ".join(fields))
    except (ValueError, IndexError) as error:
        raise GamesearchError(f"{shown!r} is not a position in FEN: {str(error).split(': ')[0]}") from None
    if not isinstance(s, CrazyhouseBoard):  # it matters only there that a queen was a pawn
        s.promoted = chess.BB_EMPTY
    if max(s.halfmove_clock, s.fullmove_number) > LONGEST_CLOCK:
        raise GamesearchError(f"{shown!r} counts more than {LONGEST_CLOCK} moves")
    problem = s.problem()
    # A right without any rook on the rank is dropped by python-chess before it looks for problems.
    if not problem and fields[2] != "-" and len(set(fields[2])) != s.castling_rights.bit_count():
        problem = "castling is allowed where king and rook are not at home"
    if problem:
        raise GamesearchError(f"{shown!r} is not a legal position: {problem}")
    return s


def shortened(text: str, width: int = 100) -> str:
    """A text that fits into an error."""
    return textwrap.shorten(text, width, placeholder="...")
