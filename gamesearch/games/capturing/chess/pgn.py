"""Reads and writes games of chess in Portable Game Notation (PGN)."""

import re
from collections.abc import Iterator, Mapping, Sequence

import chess.pgn

from gamesearch.errors import GamesearchError
from gamesearch.games._shared.game_files import TaggedGame, tagged_games
from gamesearch.games.capturing.chess.boards import (
    VARIANTS,
    ChessBoard,
    Variant,
    decode,
    encode,
    read_fen,
    variant_name,
)
from gamesearch.support.escaping import pgn_text

__all__ = ["read_pgn", "write_pgn"]


def write_pgn(start: ChessBoard, moves: Sequence[int], result: str, headers: Mapping[str, str]) -> str:
    """A game in Portable Game Notation. If the headers contain a result, it replaces `result`."""
    game = chess.pgn.Game()
    game.setup(start.copy(stack=False))
    game.add_line(map(decode, moves))
    game.headers["Result"] = result
    try:
        game.headers.update({name: pgn_text(value) for name, value in headers.items()})
    except ValueError as error:
        raise GamesearchError(f"a PGN header cannot be written: {error}") from None
    return f"{game}\n"


def read_pgn(text: str, rule_set: Variant) -> Iterator[tuple[TaggedGame, ChessBoard, list[int]]]:
    """Yield each game, its initial board, and the moves of its main line. If a token is not a legal move, or if the
    variant is not `rule_set`, raises a GamesearchError that names the game and the line."""
    usual = "KQRBN"
    for game in tagged_games(text):
        wanted = next(name for name, each in VARIANTS.items() if each == rule_set)
        is_usual = rule_set.board is ChessBoard  # some files mark games of Chess960 only by their FEN
        with game.at(game.line_of("Variant")):
            played = variant_name(game.tags.get("Variant") or (wanted if is_usual or not game.tags else "standard"))
        if played != wanted:
            raise game.error(game.line_of("Variant"), f"it is a game of {played} chess, not of {wanted} chess")
        usual = letters_of(game, usual)
        with game.at(game.line_of("FEN")):
            fen = game.tags.get("FEN", "").split()
            start = read_fen(rule_set.empty(), fen) if fen else rule_set.start()
        yield game, start, read_moves(game, start, usual)


def read_moves(game: TaggedGame, start: ChessBoard, letters: str) -> list[int]:
    """Read the moves of a game. The names of the moves use the given piece letters. All tokens must be legal moves."""
    board, moves = start.copy(stack=False), list[int]()
    for token in game.moves:
        try:
            move = board.parse_san(to_english_letters(token.text, letters))
        except ValueError as error:
            is_ambiguous = isinstance(error, chess.AmbiguousMoveError)
            problem = "may mean several moves" if is_ambiguous else "is not a legal move here"
            raise game.error(token.line, f"{token.text!r} {problem} ({place_in_game(board)})") from None
        if not move:  # python-chess reads "--" and "0000" as a null move
            raise game.error(token.line, f"{token.text!r} is a null move, which is not legal ({place_in_game(board)})")
        moves.append(encode(move))
        board.push(move)
    return moves


def place_in_game(board: ChessBoard) -> str:
    """The number of the next move and the side that makes it."""
    return f"move {board.fullmove_number} of {chess.COLOR_NAMES[board.turn].title()}"


# Piece letters of other languages. ---------------------------------------------------------------
LANGUAGES = ("KQRBN", "KDTLS", "RDTFC", "RDTAC", "RDTBC")
"""The letters of king, queen, rook, bishop and knight in English, German, French, Spanish and Portuguese."""
PLAIN = "\u2659\u265f\ufe0e\ufe0f"
"""Unicode symbols of pawns, and the variation selectors that may follow a symbol of a piece."""
FIGURINES = str.maketrans("\u2654\u2655\u2656\u2657\u2658\u265a\u265b\u265c\u265d\u265e", 2 * LANGUAGES[0], PLAIN)
PIECE = re.compile(r"^([A-NQ-Z])(?=[a-h1-8x:@])|(?<=[18])[=(/]?([A-Z])(?=\W*$)")
"""Matches a letter that names a piece: the moving piece, or the piece to which a pawn is promoted."""


def letters_of(game: TaggedGame, usual: str) -> str:
    """The piece letters of the language in which a game is written. The result is `usual` if the game uses only these
    letters, or if no language has all letters of the game."""
    used = {letter for token in game.moves for match in PIECE.finditer(token.text) for letter in match.groups("")}
    fitting = [letters for letters in (usual, *LANGUAGES) if used - {""} <= set(letters)]
    return fitting[0] if fitting else usual


def to_english_letters(text: str, letters: str) -> str:
    """Write a move with English piece letters, and remove the marks that python-chess cannot read."""
    translated = PIECE.sub(lambda match: match[0].translate(str.maketrans(letters, LANGUAGES[0])), text)
    plain = translated.translate(FIGURINES).replace(":", "x").replace("\u2013", "-").replace("\u00d7", "x")
    plain = re.sub(r"(?:e\.?p\.?)?[+#\u2020\u2021]*(?:e\.?p\.?)?$", "", plain, count=1)
    plain = re.sub(r"[(/]([QRBN])\)?$", r"=\1", plain)
    return plain.upper() if re.fullmatch(r"[oO0](-[oO0]){1,2}", plain) else plain
