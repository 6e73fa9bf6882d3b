"""How chess positions, moves and games are written: FEN, SAN and PGN."""

import io
import json
import textwrap
from collections.abc import Mapping, Sequence

import chess
import chess.pgn
from chess.variant import CrazyhouseBoard

from gamesearch.errors import GamesearchError
from gamesearch.games.chess.position import Position, decoded, encoded
from gamesearch.specification import near

__all__ = ["find_move", "is_json", "read_fen", "read_pgn", "shortened", "write_pgn"]

LONGEST_CLOCK = 9999
FEW = 6
"""So many moves are listed where none is near to what was typed."""


# Positions. --------------------------------------------------------------------------------------
def read_fen(s: Position, fields: list[str]) -> Position:
    """The position that the fields of a FEN say, put onto an empty board; refuses one that is not legal."""
    shown = shortened(" ".join(fields))
    most = len(s.starting_fen.split())  # three-check counts the checks, too
    if not 4 <= len(fields) <= most + 1 or (len(fields) > most and most == 6):
        raise GamesearchError(f"{shown!r} is not a position: FEN has 4 to {most} fields, such as {s.starting_fen}")
    try:
        s.set_fen(" ".join(fields))
    except (ValueError, IndexError) as error:
        raise GamesearchError(f"{shown!r} is not a position in FEN: {str(error).split(': ')[0]}") from None
    if not isinstance(s, CrazyhouseBoard):  # where alone it matters that a queen was a pawn
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


# Moves. ------------------------------------------------------------------------------------------
def find_move(s: Position, text: str) -> chess.Move:
    """The legal move in SAN or UCI, with or without x, + and #, in capitals or not, 0-0 for O-O."""
    try:
        move = s.parse_san(text.strip())
        if move:  # python-chess reads "--" and "0000" as a null move
            return move
    except ValueError:
        pass
    sans = {s.san(move): move for move in s.generate_legal_moves()}
    wanted = simplified(text)
    for fold in (str, str.casefold):  # "bc3" is the pawn's move before it is the bishop's
        for forms in (strict_forms, loose_forms):
            found = [san for san in sans if fold(wanted) in map(fold, forms(san, sans[san]))]
            if len(found) == 1:
                return sans[found[0]]
            if found:
                raise GamesearchError(f"{text.strip()!r} may mean {' or '.join(found)}")
    shown = shortened(text, 40)
    close = near(shown, sans, 3)
    if not sans:
        raise GamesearchError(f"{shown!r} is not a legal move: the game is over")
    hint = f": did you mean {' or '.join(close)}?" if close else ""
    if not close and len(sans) <= FEW:
        hint = f": there is {', '.join(sans)}"
    raise GamesearchError(f"{shown!r} is not a legal move here{hint}")


def simplified(text: str) -> str:
    """A move without what does not tell it from others: captures, checks, dashes, comments."""
    return "".join(text.split()).translate(str.maketrans("0", "O", "x:+#=!?-()")).removesuffix("e.p.")


def strict_forms(san: str, move: chess.Move) -> tuple[str, ...]:
    """The ways to write a move that mean it for certain."""
    return simplified(san), move.uci()


def loose_forms(san: str, move: chess.Move) -> tuple[str, ...]:
    """The ways to write a move that several moves may share: no origin, or no piece to promote to."""
    piece = san[0] if san[0] in "NBRQK" else ""
    target = chess.SQUARE_NAMES[move.to_square]
    if move.drop:
        return ()
    return (piece + target, simplified(san)[:-1], move.uci()[:-1]) if move.promotion else (piece + target,)


# Whole games. ------------------------------------------------------------------------------------
def write_pgn(start: Position, moves: Sequence[int], result: str, headers: Mapping[str, str]) -> str:
    """The game in Portable Game Notation; the result holds unless a header says another."""
    game = chess.pgn.Game()
    game.setup(start.copy(stack=False))
    node: chess.pgn.GameNode = game
    for m in moves:
        node = node.add_variation(decoded(m))
    game.headers["Result"] = result
    try:
        game.headers.update(headers)
    except ValueError as error:
        raise GamesearchError(f"a PGN header cannot be written: {error}") from None
    return f"{game}\n"


def read_pgn(text: str, empty: Position) -> tuple[str, list[int]]:
    """The FEN of the start and the moves of the first game, which must be of the variant that the board is for.

    Variations and comments are left out.
    """
    headers = chess.pgn.read_headers(io.StringIO(text))
    try:
        variant = headers.variant() if headers is not None else None
    except ValueError:
        variant = None
    played = variant.uci_variant if variant is not None else ""
    if headers is None or played != empty.uci_variant or headers.is_chess960() != empty.chess960:
        name = "Chess960" if empty.chess960 else empty.aliases[0]
        raise GamesearchError(f"the PGN text holds no game of {name.lower()} chess")
    game = chess.pgn.read_game(io.StringIO(text), Visitor=QuietBuilder)
    if game is None or game.errors:
        problem = game.errors[0] if game else "no game"
        raise GamesearchError(f"the PGN text cannot be read: {problem}")
    moves = list(game.mainline_moves())
    if not all(moves):
        raise GamesearchError("the PGN text cannot be read: it has a null move")
    if not moves and not text.lstrip("\ufeff \r\n\t").startswith(("[", "*", "1-0", "0-1", "1/2")):
        raise GamesearchError("the PGN text holds neither headers nor moves")
    return headers.get("FEN", empty.starting_fen), [encoded(move) for move in moves]


def is_json(text: str) -> bool:
    """Whether a text is an object of JSON, as the games of all others are written."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


class QuietBuilder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Keeps the errors of a PGN text, where python-chess would also log them to stderr."""

    def handle_error(self, error: Exception) -> None:
        """Keep the error."""
        self.game.errors.append(error)
