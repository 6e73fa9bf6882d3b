"""Immutable boards of chess and its variants, based on python-chess, and functions that read FEN and EPD.

These boards check the moves of people and of other programs. S. J. Edwards's PGN standard of 1994 specifies EPD in
section 16.2.
"""

import functools
import re
import textwrap
from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import chess
from chess import WHITE, Termination
from chess.variant import (
    AntichessBoard,
    AtomicBoard,
    CrazyhouseBoard,
    GiveawayBoard,
    HordeBoard,
    KingOfTheHillBoard,
    RacingKingsBoard,
    SuicideBoard,
    ThreeCheckBoard,
)

from gamesearch.errors import GamesearchError
from gamesearch.games.capturing.chess.position import PROMOTION
from gamesearch.toolkit.bits import mix

__all__ = [
    "DROP", "USUAL_ARRAY", "VARIANTS", "ChessBoard", "Variant", "board_of", "decode", "encode", "read_fen",
    "shorten_position", "split_epd", "variant_name",
]  # fmt: skip

USUAL_ARRAY = 518
"""The number that Chess960 gives to the standard initial position."""
DROP = 15
"""A drop in crazyhouse is encoded as a move that starts and ends on the same square, plus piece << DROP."""
STATUS = (
    (chess.STATUS_EMPTY, "the board is empty"),
    (chess.STATUS_NO_WHITE_KING, "White has no king"),
    (chess.STATUS_NO_BLACK_KING, "Black has no king"),
    (chess.STATUS_TOO_MANY_KINGS, "there are more than two kings"),
    (chess.STATUS_TOO_MANY_WHITE_PAWNS, "White has more than 8 pawns"),
    (chess.STATUS_TOO_MANY_BLACK_PAWNS, "Black has more than 8 pawns"),
    (chess.STATUS_PAWNS_ON_BACKRANK, "a pawn stands on the first or last rank"),
    (chess.STATUS_TOO_MANY_WHITE_PIECES, "White has more than 16 pieces"),
    (chess.STATUS_TOO_MANY_BLACK_PIECES, "Black has more than 16 pieces"),
    (chess.STATUS_BAD_CASTLING_RIGHTS, "castling is allowed, but king and rook are not at home"),
    (chess.STATUS_INVALID_EP_SQUARE, "the last move cannot have moved a pawn past the en passant square"),
    (chess.STATUS_OPPOSITE_CHECK, "the side that is not to move is in check"),
    (chess.STATUS_RACE_CHECK, "a king is in check, which racing kings does not allow"),
    (chess.STATUS_RACE_OVER, "both kings had already reached the last rank"),
    (chess.STATUS_RACE_MATERIAL, "there are pieces that the initial position of racing kings does not have"),
)
"""The reasons why a position is illegal. A check is allowed even if no previous move can have led to it, because the
game can continue, and because published perft positions contain such checks."""


class ChessBoard(chess.Board):
    """An immutable board. If positions may repeat, `before` is the board before the last move. Equal boards have the
    same FEN."""

    earliest_repetition = 8
    """A position can occur for the third time only after this number of plies without a capture or pawn move. The
    number is 0 in variants in which even a capture can be undone."""
    before: Self | None = None
    is_third = False
    """Whether the position was read from a list of moves and occurred there for the third time."""
    turn, castling_rights, halfmove_clock, fullmove_number = WHITE, chess.BB_EMPTY, 0, 1
    """The attribute values of an empty board."""

    def clear(self) -> None:
        """Do nothing, so that copies are faster. python-chess calls `clear` only for new boards, which are already
        empty."""

    def after(self, move: chess.Move) -> Self:
        """The position after a move."""
        # Copying without the stack of moves is much faster. `before` keeps the earlier positions, which are needed to
        # find repetitions.
        after = self.copy(stack=False)
        after.push(move)
        if after.halfmove_clock or not after.earliest_repetition:
            after.before = self
        return after

    def moves(self) -> Iterator[int]:
        """The legal moves as integers. For speed, this method contains a copy of the code of `encode` for most
        moves."""
        return iter(
            [
                move.from_square | move.to_square << 6 if move.promotion is None else encode(move)
                for move in self.generate_legal_moves()
            ]
        )

    def key(self) -> tuple[int, ...]:
        """The pieces, turn, castling rights and en passant square. If they are equal, a position repeats (FIDE Laws
        9.2.3). The key does not contain None, because the hash of None changes from run to run up to Python 3.11."""
        castling, passed = self.clean_castling_rights(), 0
        if self.ep_square is not None and self.has_legal_en_passant():
            passed = self.ep_square
        return (
            self.occupied_co[WHITE],
            self.pawns | self.bishops | self.queens,
            self.knights | self.bishops | self.kings,
            self.rooks | self.queens | self.kings,
            castling | self.turn << 12 | passed << 29,
        )

    def is_threefold(self) -> bool:
        """Whether the position has occurred three times."""
        if self.is_third or self.halfmove_clock < self.earliest_repetition:
            return self.is_third
        times, earlier = 1, self.before
        while times < 3 and earlier is not None and earlier.before is not None:
            earlier = earlier.before
            times += earlier.occupied == self.occupied and earlier.key() == self.key()
            earlier = earlier.before
        return times == 3

    def last_move(self) -> chess.Move | None:
        """The last move, whose squares the picture marks. For castling, the target is the king's new square."""
        if not self.move_stack:
            return None
        move = self.move_stack[-1]
        if self.before is None or not self.before.is_castling(move):
            return move
        file = 6 if move.to_square > move.from_square else 2
        return chess.Move(move.from_square, chess.square(file, chess.square_rank(move.from_square)))

    def problem(self) -> str:
        """The reason why the position is illegal, or an empty string."""
        status = self.status()
        return next((problem for flag, problem in STATUS if status & flag), "")

    def note(self) -> str:
        """Information that the picture of the board does not show, such as the pieces in hand; may be empty."""
        return ""

    def name_draw_rule(self) -> str:
        """The rule that makes the game a draw although there are legal moves; an empty string if there is no such
        rule."""
        if self.is_fifty_moves():
            return "draw by the fifty-move rule"
        if self.is_insufficient_material():
            return "draw by insufficient material"
        return "draw by threefold repetition" if self.is_threefold() else ""

    def ending(self) -> str:
        """A text that says how a game without legal moves has ended."""
        outcome = self.outcome()
        if outcome is None or outcome.termination in (Termination.STALEMATE, Termination.INSUFFICIENT_MATERIAL):
            return "draw by stalemate"
        if outcome.termination == Termination.CHECKMATE:
            return "checkmate"
        winner = {True: "White wins", False: "Black wins", None: "draw"}[outcome.winner]
        return f"{winner} by the rules of {self.aliases[0].lower()}"

    def __hash__(self) -> int:
        return mix(self.key())  # with Python's own hash of an int, a1 collides with f8, b1 with g8 and c1 with h8


def encode(move: chess.Move) -> int:
    """Encode a move of python-chess as an int."""
    return move.from_square | move.to_square << 6 | (move.promotion or 0) << PROMOTION | (move.drop or 0) << DROP


@functools.cache
def decode(m: int) -> chess.Move:
    """Convert an int to a move of python-chess."""
    return chess.Move(m & 63, m >> 6 & 63, m >> PROMOTION & 7 or None, m >> DROP or None)


def board_of(game: Any, s: Any) -> ChessBoard:
    """Convert a state of chess to a board of python-chess. The state may come from either implementation of chess."""
    board: ChessBoard = game.board_of(s)
    return board


class Antichess(ChessBoard, AntichessBoard):
    """A side without pieces or without moves wins. Captures are compulsory."""

    def problem(self) -> str:
        return "castling is impossible in antichess" if self.castling_rights else super().problem()


class Giveaway(ChessBoard, GiveawayBoard):
    """Antichess with castling."""


class Suicide(ChessBoard, SuicideBoard):
    """Antichess in which the side with fewer pieces wins after a stalemate."""


class Atomic(ChessBoard, AtomicBoard):
    """A capture also removes the capturing piece, and all adjacent pieces except pawns."""


class Horde(ChessBoard, HordeBoard):
    """White has 36 pawns and no king."""


class KingOfTheHill(ChessBoard, KingOfTheHillBoard):
    """A player also wins by moving the king to the center."""


class RacingKings(ChessBoard, RacingKingsBoard):
    """The first king on the last rank wins, and giving check is illegal."""


class ThreeCheck(ChessBoard, ThreeCheckBoard):
    """The third check wins."""

    def key(self) -> tuple[int, ...]:
        return (*super().key(), *self.remaining_checks)

    def note(self) -> str:
        black, white = self.remaining_checks
        return f"checks to give: White {white}, Black {black}"

    def problem(self) -> str:
        is_sound = all(0 <= remaining <= 3 for remaining in self.remaining_checks) and any(self.remaining_checks)
        return super().problem() if is_sound else "each side must have 0 to 3 checks left, and one side at least 1"


class Crazyhouse(ChessBoard, CrazyhouseBoard):
    """Captured pieces change sides and can be dropped on empty squares."""

    earliest_repetition = 0

    def key(self) -> tuple[int, ...]:
        hands = self.promoted >> 61  # see ChessBoard.key
        for side in chess.COLORS:
            for piece in chess.PIECE_TYPES:
                hands = hands << 6 | self.pockets[side].count(piece)
        return (*super().key(), self.promoted, hands)

    def moves(self) -> Iterator[int]:
        for move in self.generate_legal_moves():
            yield encode(move)

    def note(self) -> str:
        black, white = map(str, self.pockets)
        return f"in hand: White {white.upper() or 'nothing'}, Black {black or 'nothing'}"

    def problem(self) -> str:
        has_king = any(pocket.count(chess.KING) for pocket in self.pockets)
        return "a king is in hand" if has_king else super().problem()


class Variant(NamedTuple):
    """The rules and the default features of a variant."""

    board: type[ChessBoard]
    features: str = "material"
    sense: int = 1  # -1 in variants in which fewer pieces are better
    chess960: bool = False
    on_bitboards: bool = False
    """Whether gamesearch has its own rules for the variant. These rules can also be compiled."""

    @property
    def wins_by_mate(self) -> bool:
        """Whether mate is the only way to win."""
        return self.board in (ChessBoard, Crazyhouse)

    def empty(self) -> ChessBoard:
        """An empty board."""
        return self.board(None, chess960=self.chess960)

    def start(self, number: int = USUAL_ARRAY) -> ChessBoard:
        """The initial position of Chess960 that has the given Scharnagl number. Standard chess has the number 518."""
        return self.board.from_chess960_pos(number) if self.chess960 else self.board()


VARIANTS = {
    "standard": Variant(ChessBoard, on_bitboards=True),
    "chess960": Variant(ChessBoard, chess960=True, on_bitboards=True),
    "antichess": Variant(Antichess, sense=-1),
    "atomic": Variant(Atomic),
    "crazyhouse": Variant(Crazyhouse, "material+hand"),
    "giveaway": Variant(Giveaway, sense=-1),
    "horde": Variant(Horde),
    "kingofthehill": Variant(KingOfTheHill, "material+hill"),
    "racingkings": Variant(RacingKings, "material+race"),
    "suicide": Variant(Suicide, sense=-1),
    "threecheck": Variant(ThreeCheck, "material+checks"),
}
"""The variants by name."""

ALIASES = {
    **dict.fromkeys(("chess", "normal", "classical", "orthodox", "fromposition", "regular"), "standard"),
    **dict.fromkeys(("wild/0", "wild/1", "wild/2", "wild/3", "wild/4", "wild/5", "wild/8", "wild/8a"), "standard"),
    **dict.fromkeys(("fischerandom", "fischerrandom", "frc", "freestyle", "freestylechess", "960"), "chess960"),
}
"""Names that programs and servers use for standard chess and Chess960. The "wild" games of the Free Internet Chess
Server start from other positions, which the files of games contain as FEN."""


def variant_name(text: str) -> str:
    """Convert a spelling of a variant, such as king_of_the_hill or 3check, to its name in VARIANTS. Unknown names are
    returned unchanged.

    >>> variant_name("racing_kings"), variant_name("3-check"), variant_name("From Position"), variant_name("fairy")
    ('racingkings', 'threecheck', 'standard', 'fairy')
    """
    spellings = {plain(name): name for name in VARIANTS} | ALIASES
    for name, variant in VARIANTS.items():
        if variant.board is not ChessBoard:  # python-chess lists "illegal" among the aliases of standard chess
            spellings |= {plain(alias): name for alias in variant.board.aliases}
    return spellings.get(plain(text), text)


def plain(text: str) -> str:
    """A name in lower case without spaces, hyphens and other separators."""
    return re.sub("[ _-]", "", text.casefold())


LONGEST_CLOCK = 9999


def read_fen(s: ChessBoard, fields: list[str]) -> ChessBoard:
    """Set up the fields of a FEN on an empty board; raises GamesearchError if the position is not legal."""
    shown = shorten_position(" ".join(fields))
    most = len(s.starting_fen.split())  # in three-check, FEN also contains the number of checks
    if not 4 <= len(fields) <= most + 1 or (len(fields) > most and most == 6):
        raise GamesearchError(f"{shown!r} is not a position: FEN has 4 to {most} fields, such as {s.starting_fen}")
    fields = [*fields[:2], "".join(sorted(fields[2], key=str.islower)), *fields[3:]]  # castling rights in any order
    try:
        s.set_fen(" ".join(fields))
    except (ValueError, IndexError) as error:
        raise GamesearchError(f"{shown!r} is not a position in FEN: {str(error).split(': ')[0]}") from None
    if not isinstance(s, CrazyhouseBoard):  # only crazyhouse needs to know which queens were pawns
        s.promoted = chess.BB_EMPTY
    if max(s.halfmove_clock, s.fullmove_number) > LONGEST_CLOCK:
        raise GamesearchError(f"{shown!r} has a clock or move number above {LONGEST_CLOCK}")
    problem = s.problem()
    # If the rook of a castling right is missing, python-chess ignores the right and reports no problem.
    if not problem and fields[2] != "-" and len(set(fields[2])) != s.castling_rights.bit_count():
        problem = "castling is allowed, but king and rook are not at home"
    if problem:
        raise GamesearchError(f"{shown!r} is not a legal position: {problem}")
    return s


def shorten_position(text: str, width: int = 100) -> str:
    """Shorten a text to `width` characters for an error message."""
    return textwrap.shorten(text, width, placeholder="...")


OPERATION = re.compile(r'\s*([A-Za-z]\w*)\s*((?:"[^"]*"|[^;"])*)(;|$)')
UNCLOSED = ("am", "bm", "dm", "id", "c0", "ce", "pv", "hmvc", "fmvn")
"""The EPD operations that often end a line without a semicolon."""
FIELDS = 4
"""The number of fields in EPD: board, side to move, castling rights and en passant square. FEN has two more fields: the
halfmove clock and the fullmove number."""


def split_epd(text: str) -> tuple[list[str], dict[str, str]]:
    """Split a text into the fields of a FEN and the EPD operations after them.

    The operations `hmvc` and `fmvn` replace the clocks of the FEN. Raises GamesearchError for unreadable operations.

    >>> split_epd('4k3/8/8/8/8/8/8/4KR2 w - - bm Rf8+; hmvc 7;')
    (['4k3/8/8/8/8/8/8/4KR2', 'w', '-', '-', '7', '1'], {'bm': 'Rf8+', 'hmvc': '7'})
    """
    if len(text.split()) == 1:  # underscores instead of spaces, as in URLs
        text = text.replace("_", " ")
    words = list(re.finditer(r"\S+", text))
    fields = [word[0] for word in words[:FIELDS]]
    rest = words[FIELDS:]
    while rest and re.match(r"[\d+-]", rest[0][0]):
        fields.append(rest.pop(0)[0])
    operations = dict(operations_of(text[rest[0].start() :])) if rest else {}
    if "hmvc" in operations or "fmvn" in operations:
        clocks = fields[FIELDS:] if len(fields) > FIELDS + 1 else ["0", "1"]
        clocks[-2:] = [operations.get("hmvc", clocks[-2]), operations.get("fmvn", clocks[-1])]
        fields[FIELDS:] = clocks
    return fields, operations


def operations_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the operations of EPD. Each operation is a name and a text, which ends at a semicolon outside of quotes."""
    place = 0
    while text[place:].strip():
        operation = OPERATION.match(text, place)
        if operation is None or not (operation[3] or operation[1] in UNCLOSED):
            raise GamesearchError(f"{text[place:].strip()!r} is not an operation of EPD, such as bm Qg6;")
        yield operation[1], operation[2].strip().strip('"')
        place = operation.end()
