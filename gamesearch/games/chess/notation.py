"""How chess positions, moves and games are written and drawn: FEN, SAN and PGN.

All of it is done by python-chess, on its own boards: it is the referee of what may be played.
"""

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from typing import TypeVar

import chess

from gamesearch.errors import GamesearchError
from gamesearch.files.records import WINS, RecordedGame
from gamesearch.game import MAX, MIN
from gamesearch.games.chess.boards import ChessBoard, decoded, encoded
from gamesearch.games.chess.epd import split_epd
from gamesearch.games.chess.fen import read_fen, shortened
from gamesearch.games.chess.variants import Variant, variant_name
from gamesearch.optional import Measured
from gamesearch.specification import format_specification, near
from gamesearch.toolkit.boards import Board, Cell

__all__ = ["ChessNotation"]

State = TypeVar("State", bound=Hashable)

MOVES = re.compile(r'(?<!")\bmoves\b(?=[^"]*$)')
"""The word between a position and its moves; in EPD, a comment in quotes may contain the same word."""
FORM = re.compile(
    r"(?:[NBRQK][a-h]?[1-8]?[-x:]?[a-h][1-8]"
    r"|P?[a-h]?[1-8]?[-x:]?[a-h][1-8](?:[=/]?[NBRQK]|=?\([NBRQK]\))?(?:e\.?p\.?)?"
    r"|[NBRQKP]?@[a-h][1-8]|[O0](?:-?[O0]){1,2})(?:\+{1,2}|\#{1,2})?[!?]{0,2}",
    re.IGNORECASE,
)
"""The ways to write a move, a drop or castling, with marks of check and praise."""
FEW = 6
"""So many moves are listed where none is near to what was typed."""


class ChessNotation(Measured[State]):
    """Reads and writes FEN, SAN, UCI and PGN, and draws the board."""

    notation = (
        "FEN, EPD or startpos, the first and last followed by 'moves ...' if you like, or the moves of a game "
        "(1. e4 e5); moves in SAN (Nf3, N@f3) or UCI (g1f3)"
    )
    example = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
    names = ("White", "Black")
    numbers_rounds = True
    bottom_player = MAX
    record_suffix = ".pgn"
    rule_set: Variant
    draws: bool

    def board_of(self, s: State) -> ChessBoard:
        """A state as a board of python-chess."""
        raise NotImplementedError

    def state_of(self, board: ChessBoard) -> State:
        """A board of python-chess, after its moves, as a state."""
        raise NotImplementedError

    def parse(self, text: str) -> State:
        return self.state_of(self.boards_told(text)[-1])

    def positions_before(self, text: str) -> list[State]:
        return [self.state_of(board) for board in self.boards_told(text)[:-1]]

    def boards_told(self, text: str) -> list[ChessBoard]:
        """The positions in a text: the first one, and the one after each of its moves.

        The text is a FEN or EPD, `startpos`, either of them with moves, or the beginning of a game in PGN.
        """
        is_tagged = text.lstrip().startswith("[")
        position, line = MOVES.split(text, maxsplit=1) if MOVES.search(text) and not is_tagged else (text, "")
        position = re.sub(r"^\s*(?:position\b)?\s*(?:fen\b|epd\b)?\s*", "", position)
        if position.strip() in ("", "startpos"):
            boards = [self.board_of(self.initial())]
        elif "/" in position and not is_tagged:
            boards = [read_fen(self.rule_set.empty(), split_epd(position)[0])]
        else:
            boards = self.boards_played(position)
        for word in re.sub(r"\d+\s*(?:\.+|\u2026)", " ", line).split():
            boards.append(boards[-1].after(find_move(boards[-1], word)))
        return boards

    def boards_played(self, text: str) -> list[ChessBoard]:
        """The positions of a game in PGN, from its first to its last."""
        try:
            start, moves = self.read_record(text)
        except GamesearchError as error:
            problem = str(error).removeprefix("game 1, line 1: ")
            raise GamesearchError(
                f"{shortened(text)!r} is neither a position in FEN nor the moves of a game: {problem}"
            ) from None
        boards = [self.board_of(start)]
        for m in moves:
            boards.append(boards[-1].after(decoded(m)))
        return boards

    def format(self, s: State) -> str:
        return self.board_of(s).fen()

    def move_name(self, s: State, m: int) -> str:
        return self.board_of(s).san(decoded(m))

    def parse_move(self, s: State, text: str) -> int:
        return encoded(find_move(self.board_of(s), text))

    def win_text(self, player: int, plies: int) -> str:
        """In moves of the winner; not every win of a variant is a mate."""
        if self.rule_set.wins_by_mate and plies:
            return f"{self.player_name(player)} mates in {(plies + 1) // 2}"
        return super().win_text(player, plies)

    def first_number(self, s: State) -> int:
        return self.board_of(s).fullmove_number

    def board(self, s: State) -> Board:
        board = self.board_of(s)
        last = board.last_move()
        marked = (last.from_square, last.to_square) if last else ()
        ranks = [range(a_file, a_file + 8) for a_file in range(56, -1, -8)]
        rows = [[square_cell(board, square, square in marked) for square in rank] for rank in ranks]
        return Board(rows, "87654321", "abcdefgh", self._notes(board))

    def _notes(self, s: ChessBoard) -> tuple[str, ...]:
        if next(s.generate_legal_moves(), None) is None:
            return (s.ending(),)
        if self.draws and s.drawn_by():
            return (s.drawn_by(),)
        notes = ("White to move" if s.turn else "Black to move", "check" if s.is_check() else "", s.note())
        return tuple(note for note in notes if note)

    def record(self, start: State, moves: Sequence[int], headers: Mapping[str, str]) -> str:
        """The game in Portable Game Notation; the result is the board's unless a header says it."""
        end = reduce(self.result, moves, start)
        result = {1000: "1-0", -1000: "0-1", 0: "1/2-1/2"}[self.utility(end)] if self.terminal(end) else "*"
        from gamesearch.games.chess.pgn import write_pgn  # not before: importing it takes a tenth of a second

        return write_pgn(self.board_of(start), moves, result, headers)

    def read_records(self, text: str) -> Iterator[RecordedGame[State]]:
        """Yield the games in a PGN text; variations and comments are left out."""
        from gamesearch.games.chess.pgn import is_json, read_pgn

        if is_json(text):  # which says what game it is of
            yield from super().read_records(text)
            return
        for game, start, moves in read_pgn(text, self.rule_set):
            yield RecordedGame(self.state_of(start), moves, game.tags, WINS.get(game.result), game.number)

    @classmethod
    def rules_of_headers(cls, headers: Mapping[str, str]) -> str:
        variant = variant_name(headers.get("Variant") or "standard")
        return cls.name if variant == "standard" else format_specification(cls.name, {"variant": variant})

    def has_ended(self, s: State) -> bool:
        """Whether a player has no legal move; a draw by the fifty-move rule or by repetition has to be claimed."""
        return next(self.board_of(s).generate_legal_moves(), None) is None


def square_cell(s: ChessBoard, square: int, marked: bool) -> Cell:
    """A square with its man."""
    piece, dark = s.piece_at(square), bool(chess.BB_DARK_SQUARES & chess.BB_SQUARES[square])
    if piece is None:
        return Cell(faint=True, marked=marked, dark=dark)
    return Cell(piece.symbol(), piece.unicode_symbol(), MAX if piece.color else MIN, marked=marked, dark=dark)


def find_move(s: ChessBoard, text: str) -> chess.Move:
    """The legal move in SAN or UCI, with or without x, + and #, in capitals or not, 0-0 for O-O."""
    written = "".join(text.split())
    with suppress(ValueError):
        if move := s.parse_san(text.strip()):  # python-chess reads "--" and "0000" as a null move
            return move
    sans = {s.san(move): move for move in s.generate_legal_moves()}
    wanted = simplified(written)
    for fold in (
        (str, str.casefold) if FORM.fullmatch(written) else ()
    ):  # "bc3" is the pawn's move before it is the bishop's
        for forms in (strict_forms, loose_forms):
            found = [san for san in sans if fold(wanted) in map(fold, forms(san, sans[san]))]
            if len(found) == 1:
                return sans[found[0]]
            if found:
                raise GamesearchError(f"{text.strip()!r} may mean {' or '.join(found)}")
    shown = shortened(text, 40)
    if not sans:
        raise GamesearchError(f"{shown!r} is not a legal move: the game is over")
    close, listed = near(shown, sans, 3), f": there is {', '.join(sans)}" if len(sans) <= FEW else ""
    hint = f": did you mean {' or '.join(close)}?" if close else listed
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
