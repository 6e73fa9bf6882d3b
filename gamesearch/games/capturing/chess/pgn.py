"""Reads and writes games of chess in Portable Game Notation (PGN)."""

import io
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

USUAL_ARRAY = 518
"""The number of the standard initial position in Chess960."""


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
    """Yield each game with its initial board and its moves, without variations and comments. If a token is not a legal
    move, or if the variant is not `rule_set`, raises a GamesearchError that names the game and the line."""
    usual = "KQRBN"
    for game in tagged_games(text):
        wanted = next(name for name, each in VARIANTS.items() if each == rule_set)
        is_usual = rule_set.board is ChessBoard  # some files mark games of Chess960 only by their FEN
        played = variant_name(game.tags.get("Variant") or (wanted if is_usual else "standard"))
        if played != wanted:
            raise game.error(game.line, f"it is a game of {played} chess, not of {wanted} chess")
        usual = letters_of(game, usual)
        with game.at(game.line):
            fen = game.tags.get("FEN", "").split()
            start = read_fen(rule_set.empty(), fen) if fen else rule_set.start(USUAL_ARRAY)
        reader = MoveReader(game, [to_english_letters(token.text, usual) for token in game.moves])
        yield game, start, reader.read(start)


# Piece letters of other languages. ---------------------------------------------------------------
LANGUAGES = ("KQRBN", "KDTLS", "RDTFC", "RDTAC", "RDTBC")
"""The letters of king, queen, rook, bishop and knight in English, German, French, Spanish and Portuguese."""
PLAIN = "\u2659\u265f\ufe0e\ufe0f"
"""Unicode symbols of pawns, and the variation selectors that may follow a symbol of a piece."""
FIGURINES = str.maketrans("\u2654\u2655\u2656\u2657\u2658\u265a\u265b\u265c\u265d\u265e", 2 * LANGUAGES[0], PLAIN)
PIECE = re.compile(r"^([A-NQ-Z])(?=[a-h1-8x:@])|(?<=[18])[=(/]?([A-Z])(?=\W*$)")
"""Matches the letter of the piece that moves, or of the piece to which a pawn is promoted."""


def letters_of(game: TaggedGame, usual: str) -> str:
    """The piece letters of the language of a game; `usual` if they fit, or if no language fits."""
    used = {letter for token in game.moves for match in PIECE.finditer(token.text) for letter in match.groups("")}
    fitting = [letters for letters in (usual, *LANGUAGES) if used - {""} <= set(letters)]
    return fitting[0] if fitting else usual


def to_english_letters(text: str, letters: str) -> str:
    """The text of a move with English piece letters, and without marks that python-chess cannot read."""
    translated = PIECE.sub(lambda match: match[0].translate(str.maketrans(letters, LANGUAGES[0])), text)
    plain = translated.translate(FIGURINES).replace(":", "x").replace("\u2013", "-").replace("\u00d7", "x")
    plain = re.sub(r"(?:e\.?p\.?)?[+#\u2020\u2021]*(?:e\.?p\.?)?$", "", plain, count=1)
    plain = re.sub(r"[(/]([QRBN])\)?$", r"=\1", plain)
    return plain.upper() if re.fullmatch(r"[oO0](-[oO0]){1,2}", plain) else plain


class MoveReader(chess.pgn.BaseVisitor[list[int]]):
    """Reads the main line of a game with the parser of python-chess. All tokens must be moves."""

    def __init__(self, game: TaggedGame, tokens: Sequence[str]) -> None:
        self.game, self.tokens, self.moves = game, tokens, list[int]()
        for token, san in zip(game.moves, tokens, strict=True):
            match = chess.pgn.MOVETEXT_REGEX.fullmatch(san)
            if match is None or match[1] is None:
                raise game.error(token.line, f"{token.text!r} is not a move in algebraic notation, such as Nf3")

    def read(self, start: ChessBoard) -> list[int]:
        """Return the moves; raises GamesearchError if a move is illegal."""
        variant = "Chess960" if start.chess960 else start.aliases[0]
        headers = f'[Variant "{variant}"]\n[FEN "{start.fen()}"]\n\n'
        chess.pgn.read_game(io.StringIO(headers + "\n".join(self.tokens)), Visitor=lambda: self)
        if len(self.moves) != len(self.tokens):
            raise self.error("cannot be read")
        return self.moves

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        """Append a move; raises GamesearchError if it is a null move."""
        if not move:
            raise self.error("is a null move, which is not legal")
        self.moves.append(encode(move))

    def handle_error(self, error: Exception) -> None:
        """Raise GamesearchError for the token after the last legal move."""
        is_ambiguous = isinstance(error, chess.AmbiguousMoveError)
        raise self.error("may mean several moves" if is_ambiguous else "is not a legal move here") from error

    def error(self, problem: str) -> GamesearchError:
        """Return an error for the token after the last legal move."""
        token = self.game.moves[len(self.moves)]
        return self.game.error(token.line, f"{token.text!r} {problem}")

    def result(self) -> list[int]:
        """Return the moves of the game."""
        return self.moves
