"""Whole games of chess in Portable Game Notation."""

import io
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress

import chess.pgn

from gamesearch.errors import GamesearchError
from gamesearch.escaping import pgn_text
from gamesearch.games.chess.boards import ChessBoard, decoded, encoded

__all__ = ["is_json", "read_pgn", "write_pgn"]


def write_pgn(start: ChessBoard, moves: Sequence[int], result: str, headers: Mapping[str, str]) -> str:
    """The game in Portable Game Notation; the result holds unless a header says another."""
    game = chess.pgn.Game()
    game.setup(start.copy(stack=False))
    game.add_line(map(decoded, moves))
    game.headers["Result"] = result
    try:
        game.headers.update({name: pgn_text(value) for name, value in headers.items()})
    except ValueError as error:
        raise GamesearchError(f"a PGN header cannot be written: {error}") from None
    return f"{game}\n"


def read_pgn(text: str, empty: ChessBoard) -> tuple[str, list[int]]:
    """The FEN of the start and the moves of the first game, which must be of the variant that the board is for.

    Variations and comments are left out.
    """
    headers, played = chess.pgn.read_headers(io.StringIO(text)), None
    with suppress(ValueError):  # an unknown variant
        played = headers.variant().uci_variant if headers is not None else None
    if headers is None or played != empty.uci_variant or headers.is_chess960() != empty.chess960:
        name = "Chess960" if empty.chess960 else empty.aliases[0]
        raise GamesearchError(f"the PGN text holds no game of {name.lower()} chess")
    game = chess.pgn.read_game(io.StringIO(text), Visitor=QuietBuilder)
    if game is None or game.errors:
        raise GamesearchError(f"the PGN text cannot be read: {game.errors[0] if game else 'no game'}")
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
