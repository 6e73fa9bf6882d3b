"""Chess, by the rules of python-chess, with piece values and evaluation features from the literature."""

import difflib
import functools
import io
import math
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import chess
import chess.pgn
from chess import BB_SQUARES, PAWN, WHITE

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, RECURRENCE_DRAWS, Board, Cell, Game, Known

__all__ = ["FEATURES", "VALUES", "Chess", "Position"]

PROMOTION, DROP = 12, 15
"""A move is from | to << 6 | promoted to << 12; the bits from 15 on are for the drops of variants."""


class Values(NamedTuple):
    """What the pieces are worth in pawns, what two bishops are worth on top, and who says so."""

    pawn: float
    knight: float
    bishop: float
    rook: float
    queen: float
    pair: float
    source: str


VALUES = {
    "standard": Values(1, 3, 3, 5, 9, 0, "the Modenese school (18th century), as in most textbooks"),
    "shannon": Values(1, 3, 3, 5, 9, 0, "C. Shannon, Programming a Computer for Playing Chess, 1949"),
    "philidor": Values(1, 3.05, 3.5, 5.48, 9.94, 0, "Philidor 1817; given by Staunton, too, in 1847"),
    "bilguer": Values(1, 3.5, 3.5, 5.7, 10.3, 0, "Bilguer 1843 (Hooper & Whyld 1992, p. 439)"),
    "euwe": Values(1, 3.5, 3.5, 5.5, 10, 0, "Euwe & Kramer, The Middlegame, 1944"),
    "lasker": Values(1, 3.5, 3.5, 5, 8.5, 0, "Lasker 1947, rounded: the wings the same"),
    "turing": Values(1, 3, 3.5, 5, 10, 0, "A. Turing, Digital Computers Applied to Games, 1953"),
    "fischer": Values(1, 3, 3.25, 5, 9, 0, "Fischer, Mosenfelder & Margulies 1972, p. 14"),
    "kaufman": Values(1, 3.25, 3.25, 5, 9.75, 0.5, "L. Kaufman, Evaluation of Material Imbalances, 1999"),
    "berliner": Values(1, 3.2, 3.33, 5.1, 8.8, 0, "H. Berliner, The System, 1999"),
    "alphazero": Values(1, 3.05, 3.33, 5.63, 9.5, 0, "Tomasev et al., arXiv:2009.04374, 2020"),
}
"""The systems of piece values, by name."""
CORNERS_WHITE = (chess.BB_G1 | chess.BB_H1, chess.BB_A1 | chess.BB_B1 | chess.BB_C1)
CORNERS_BLACK = (chess.BB_G8 | chess.BB_H8, chess.BB_A8 | chess.BB_B8 | chess.BB_C8)


def material(board: chess.Board, own: int, values: Values) -> float:
    """The pieces, by the chosen values."""
    pawn, knight, bishop, rook, queen, two_bishops, _ = values
    worth = (
        pawn * (board.pawns & own).bit_count()
        + knight * (board.knights & own).bit_count()
        + bishop * (board.bishops & own).bit_count()
        + rook * (board.rooks & own).bit_count()
        + queen * (board.queens & own).bit_count()
    )
    return worth + two_bishops * pair(board, own, values) if two_bishops else worth


def mobility(board: chess.Board, own: int, _: Values) -> float:
    """Squares the pieces may go to (Shannon 1949); here without the pawns, the king, and pins."""
    pieces = chess.scan_reversed(own & ~board.pawns & ~board.kings)
    return sum([(board.attacks_mask(square) & ~own).bit_count() for square in pieces])


def rooks(board: chess.Board, own: int, _: Values) -> float:
    """Rooks on open files, and half as much on half-open ones (Shannon 1949; the weight is ours)."""
    files = [board.pawns & chess.BB_FILES[square & 7] for square in chess.scan_reversed(own & board.rooks)]
    return sum([0.5 if pawns else 1 for pawns in files if not pawns & own])


def pawns(board: chess.Board, own: int, _: Values) -> float:
    """Ranks that the pawns have advanced (Turing 1953)."""
    home = 1 if own == board.occupied_co[WHITE] else 6
    return sum([abs((square >> 3) - home) for square in chess.scan_reversed(own & board.pawns)])


def castled(board: chess.Board, own: int, _: Values) -> float:
    """A king in the corner that has no rook of its own shut in there (Turing 1953)."""
    corners = CORNERS_WHITE if own == board.occupied_co[WHITE] else CORNERS_BLACK
    return sum([1 for c in corners if board.kings & own & c and not board.rooks & own & c])


def pair(board: chess.Board, own: int, _: Values) -> float:
    """Bishops on both colours (Kaufman 1999), on top of what the values give."""
    bishops = board.bishops & own
    return 1 if bishops & chess.BB_LIGHT_SQUARES and bishops & chess.BB_DARK_SQUARES else 0


def check(board: chess.Board, own: int, _: Values) -> float:
    """Giving check (Turing 1953)."""
    return 1 if own != board.occupied_co[board.turn] and board.is_check() else 0


class Feature(NamedTuple):
    """What a side has of something; what that weighs in pawns unless told; the most there can be."""

    measure: Callable[[chess.Board, int, Values], float]
    weight: float
    most: float


FEATURES = {
    "material": Feature(material, 1, 160),
    "mobility": Feature(mobility, 0.1, 420),
    "rooks": Feature(rooks, 0.25, 16),
    "pawns": Feature(pawns, 0.2, 40),
    "castled": Feature(castled, 1, 1),
    "pair": Feature(pair, 0.5, 1),
    "check": Feature(check, 0.5, 1),
}
"""The features, by name; the evaluation takes White's count less Black's."""

ORDER_VALUES = (0, 1, 3, 3, 5, 9, 10)
"""For ordering captures, by piece type; a king is the last to capture with."""
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
    (chess.STATUS_BAD_CASTLING_RIGHTS, "castling is allowed where king and rook are not at home"),
    (chess.STATUS_INVALID_EP_SQUARE, "no pawn can just have passed the en passant square"),
    (chess.STATUS_OPPOSITE_CHECK, "the side that is not to move is in check"),
)
"""What makes a position illegal. A check that no last move can have given is not among it: it can be played
on, and published perft positions have it."""
STANDARD_VARIANTS = {"", "chess", "standard", "normal", "from position"}
LONGEST_CLOCK = 9999


class Position:
    """A board that is never changed, and the position before it unless a capture or pawn move led here.

    Positions are equal when FEN says the same of them; what came before them decides repetitions alone.
    """

    __slots__ = ("_checks", "_key", "before", "board")
    _key: tuple[int, ...]  # made when it is first asked for, as is _checks
    _checks: tuple[int, ...]

    def __init__(self, board: chess.Board, before: "Position | None" = None) -> None:
        self.board = board
        self.before = before

    def key(self) -> tuple[int, ...]:
        """What has to be the same for a repetition (FIDE Laws 9.2.3): men, turn, castling, en passant.

        Python's hash of an int is the remainder by 2**61 - 1, so a1 hashes as f8, b1 as g8 and c1 as h8.
        The last number holds these three squares once more, to keep the hashes of keys apart. It has no
        None, either: up to Python 3.11 its hash changes from run to run.
        """
        try:
            return self._key
        except AttributeError:
            b = self.board
            white = b.occupied_co[WHITE]
            low, middle, high = (
                b.pawns | b.bishops | b.queens, b.knights | b.bishops | b.kings, b.rooks | b.queens | b.kings,
            )  # fmt: skip
            castling = b.clean_castling_rights()
            rest = white >> 61 | low >> 61 << 3 | middle >> 61 << 6 | high >> 61 << 9 | b.turn << 12
            rest |= (castling & 0xFF) << 13 | castling >> 56 << 21
            if b.ep_square is not None and b.has_legal_en_passant():
                rest |= b.ep_square << 29
            self._key = (white, low, middle, high, rest)
        return self._key

    def checks(self) -> tuple[int, ...]:
        """By piece type, the squares from which a piece of the side to move attacks the other king."""
        try:
            return self._checks
        except AttributeError:
            board, king = self.board, self.board.king(not self.board.turn)
            if king is None:
                self._checks = (0,) * 7
            else:
                occupied = board.occupied
                diagonal = chess.BB_DIAG_ATTACKS[king][chess.BB_DIAG_MASKS[king] & occupied]
                straight = chess.BB_RANK_ATTACKS[king][chess.BB_RANK_MASKS[king] & occupied]
                straight |= chess.BB_FILE_ATTACKS[king][chess.BB_FILE_MASKS[king] & occupied]
                pawns = chess.BB_PAWN_ATTACKS[not board.turn][king]
                self._checks = (0, pawns, chess.BB_KNIGHT_ATTACKS[king], diagonal, straight, diagonal | straight, 0)
        return self._checks

    def is_threefold(self) -> bool:
        """Whether the position is here for the third time."""
        if self.board.halfmove_clock < 8:
            return False
        times, occupied, earlier = 1, self.board.occupied, self.before
        while earlier is not None and earlier.before is not None:
            earlier = earlier.before
            if earlier.board.occupied == occupied and earlier.key() == self.key():
                times += 1
                if times == 3:
                    return True
            earlier = earlier.before
        return False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        a, b = self.board, other.board
        clocks = a.halfmove_clock == b.halfmove_clock and a.fullmove_number == b.fullmove_number
        return clocks and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"Position({self.board.fen()!r})"


class Chess(Game[Position]):
    """Chess; White is Max.

    The game ends by checkmate and stalemate. It is drawn, without a claim, by insufficient material,
    after fifty moves without a capture or pawn move, and when a position is there for the third time
    (so the automatic draws at 75 moves and five times never come up). With draws=False it goes on
    through all of these, as perft counts it. `values` names a system of piece values, and `features`
    what the evaluation adds up, such as "material+mobility:0.05".
    """

    notation = "FEN, or startpos, either followed by 'moves ...' if you like; moves in SAN (Nf3) or UCI (g1f3)"
    example = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
    names = ("White", "Black")
    recurrence = RECURRENCE_DRAWS
    interpreted_because = "the rules come from python-chess, which keeps its boards as Python objects"
    suggested_depth = 3
    record_suffix = ".pgn"
    MINSCORE = -1000
    MAXSCORE = 1000
    known = (
        Known("chessprogramming wiki, Perft Results", "draws=false", "", perft=(20, 400, 8_902)),
        Known(
            "Kiwipete (P. McKenzie)", "draws=false",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", perft=(48, 2_039),
        ),
        Known(
            "chessprogramming wiki, Perft Results, position 3", "draws=false",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", perft=(14, 191, 2_812),
        ),
        Known(
            "chessprogramming wiki, Perft Results, position 4 (mirrored)", "draws=false",
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ -", perft=(6, 264),
        ),
        Known("a mate on the back rank", "", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", value=1000, distance=1,
              best=("Rd8#",)),
        Known("fool's mate", "", "startpos moves f3 e5 g4", value=-1000, distance=1, best=("Qh4#",)),
        Known("P. Morphy, mate in two", "", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", value=1000, distance=3,
              best=("Ra6",)),
    )  # fmt: skip

    def __init__(self, values: str = "standard", features: str = "material", draws: bool = True) -> None:
        self.values = VALUES[known_name("piece values", values, VALUES)]
        self.draws = draws
        weighted = [read_weight(part) for part in features.split("+")]
        self.feature_names = tuple(name for name, _ in weighted)
        self.weights = tuple(weight for _, weight in weighted)
        if len(set(self.feature_names)) < len(weighted):
            raise GamesearchError(f"features={features!r} names a feature twice")
        if sum(abs(weight) * FEATURES[name].most for name, weight in weighted) >= self.MAXSCORE:
            raise GamesearchError(f"features={features!r} could outweigh a mate ({self.MAXSCORE}): weigh in pawns")
        self._measures = tuple(FEATURES[name].measure for name in self.feature_names)
        self._weighed = tuple(zip(self._measures, self.weights, strict=True))
        self._counts_material_alone = self._weighed == ((material, 1.0),) and not self.values.pair

    # The rules. ----------------------------------------------------------------------------------
    def initial(self) -> Position:
        return Position(chess.Board())

    def player(self, s: Position) -> int:
        return MAX if s.board.turn else MIN

    def moves(self, s: Position) -> Iterator[int]:
        for move in s.board.generate_legal_moves():  # `encoded` written out: one call less a move
            yield move.from_square | move.to_square << 6 | (move.promotion or 0) << PROMOTION

    def result(self, s: Position, m: int) -> Position:
        # Without its stack, a copied board takes 0.8 us instead of 13; `before` keeps what repetitions need.
        board = s.board.copy(stack=False)
        board.push(decoded(m))
        return Position(board, s if board.halfmove_clock else None)

    def terminal(self, s: Position) -> bool:
        board = s.board
        if next(board.generate_legal_moves(), None) is None:
            return True
        if board.halfmove_clock < 8 and board.pawns | board.rooks | board.queens:  # too soon for most draws
            return False
        return self.draws and self._draw(s) != ""

    def _draw(self, s: Position) -> str:
        if s.board.halfmove_clock >= 100:
            return "draw by the fifty-move rule"
        if s.board.is_insufficient_material():
            return "draw by insufficient material"
        return "draw by threefold repetition" if s.is_threefold() else ""

    def utility(self, s: Position) -> int:
        if s.board.is_checkmate():
            return -1000 if s.board.turn else 1000
        return 0

    # What search may ask to do better. -----------------------------------------------------------
    def features(self, s: Position) -> tuple[float, ...]:
        (black, white), values = s.board.occupied_co, self.values
        return tuple([each(s.board, white, values) - each(s.board, black, values) for each in self._measures])

    def evaluate(self, s: Position) -> float:
        board, values, value = s.board, self.values, 0.0
        black, white = board.occupied_co
        if self._counts_material_alone:  # the usual case, at every leaf: both sides in one go
            pawns, knights, bishops, rooks, queens = (
                board.pawns,
                board.knights,
                board.bishops,
                board.rooks,
                board.queens,
            )
            return (
                values[0] * ((pawns & white).bit_count() - (pawns & black).bit_count())
                + values[1] * ((knights & white).bit_count() - (knights & black).bit_count())
                + values[2] * ((bishops & white).bit_count() - (bishops & black).bit_count())
                + values[3] * ((rooks & white).bit_count() - (rooks & black).bit_count())
                + values[4] * ((queens & white).bit_count() - (queens & black).bit_count())
            )
        for measure, weight in self._weighed:
            value += weight * (measure(board, white, values) - measure(board, black, values))
        return value

    def key(self, s: Position) -> int:
        return hash(s.key())  # one int is mixed sooner than five

    def order(self, s: Position, m: int) -> float:
        """Captures of the most valuable by the least valuable, promotions, and direct checks."""
        board, origin, target, promotion = s.board, m & 63, m >> 6 & 63, m >> PROMOTION & 7
        piece = board.piece_type_at(origin) or PAWN
        guess = 10 * ORDER_VALUES[promotion]
        if board.occupied & BB_SQUARES[target]:
            guess += 10 * ORDER_VALUES[board.piece_type_at(target) or PAWN] + 10 - ORDER_VALUES[piece]
        elif piece == PAWN and (target - origin) % 8:  # en passant
            guess += 19
        if s.checks()[promotion or piece] >> target & 1:
            guess += 5
        return guess

    def for_perft(self) -> "Chess":
        parameters: dict[str, Any] = {**self.parameters(), "draws": False}
        return Chess(**parameters)

    # Notation and picture. -----------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        fen, _, line = text.partition("moves")
        fields = fen.split()
        while fields and fields[0] in ("position", "fen"):
            del fields[0]
        s = self.initial() if fields in ([], ["startpos"]) else self._from_fen(fields)
        for move in line.split():
            s = self.result(s, self.parse_move(s, move))
        return s

    def _from_fen(self, fields: list[str]) -> Position:
        shown = textwrap.shorten(" ".join(fields), 100, placeholder="...")
        if not 4 <= len(fields) <= 6:
            raise GamesearchError(f"{shown!r} is not a position: FEN has 4 to 6 fields, such as {self.example}")
        board = chess.Board(None)
        try:
            board.set_fen(" ".join(fields))
        except ValueError as error:
            raise GamesearchError(f"{shown!r} is not a position in FEN: {str(error).split(': ')[0]}") from None
        board.promoted = chess.BB_EMPTY
        if max(board.halfmove_clock, board.fullmove_number) > LONGEST_CLOCK:
            raise GamesearchError(f"{shown!r} counts more than {LONGEST_CLOCK} moves")
        status = board.status()
        # A right without any rook on the rank is dropped by python-chess before status() sees it.
        if fields[2] != "-" and len(set(fields[2])) != board.castling_rights.bit_count():
            status |= chess.STATUS_BAD_CASTLING_RIGHTS
        for flag, problem in STATUS:
            if status & flag:
                raise GamesearchError(f"{shown!r} is not a legal position: {problem}")
        return Position(board)

    def format(self, s: Position) -> str:
        return s.board.fen()

    def move_name(self, s: Position, m: int) -> str:
        return s.board.san(decoded(m))

    def parse_move(self, s: Position, text: str) -> int:
        """SAN or UCI, with or without x, + and #, in capitals or not, 0-0 for O-O."""
        try:
            move = s.board.parse_san(text.strip())
            if move:  # python-chess reads "--" and "0000" as a null move
                return encoded(move)
        except ValueError:
            pass
        sans = {s.board.san(move): move for move in s.board.generate_legal_moves()}
        wanted = simplified(text)
        for fold in (str, str.casefold):  # "bc3" is the pawn's move before it is the bishop's
            for forms in (strict_forms, loose_forms):
                found = [san for san in sans if fold(wanted) in map(fold, forms(san, sans[san]))]
                if len(found) == 1:
                    return encoded(sans[found[0]])
                if found:
                    raise GamesearchError(f"{text.strip()!r} may mean {' or '.join(found)}")
        shown = textwrap.shorten(text, 40, placeholder="...")
        close = difflib.get_close_matches(shown, sans, 3, 0.5)
        if not sans:
            raise GamesearchError(f"{shown!r} is not a legal move: the game is over")
        hint = f"did you mean {' or '.join(close)}?" if close else f"there is {', '.join(list(sans)[:5])}, ..."
        raise GamesearchError(f"{shown!r} is not a legal move here: {hint}")

    def board(self, s: Position) -> Board:
        last = s.board.move_stack[-1] if s.board.move_stack else None
        rows = []
        for rank in range(7, -1, -1):
            row = []
            for square in range(rank * 8, rank * 8 + 8):
                piece = s.board.piece_at(square)
                marked = last is not None and square in (last.from_square, last.to_square)
                dark = bool(chess.BB_DARK_SQUARES & BB_SQUARES[square])
                if piece is None:
                    row.append(Cell(faint=True, marked=marked, dark=dark))
                else:
                    owner = MAX if piece.color else MIN
                    row.append(Cell(piece.symbol(), piece.unicode_symbol(), owner, marked=marked, dark=dark))
            rows.append(row)
        return Board(rows, "87654321", "abcdefgh", self._notes(s))

    def _notes(self, s: Position) -> tuple[str, ...]:
        board = s.board
        if next(board.generate_legal_moves(), None) is None:
            return ("checkmate" if board.is_check() else "stalemate",)
        if self.draws and self._draw(s):
            return (self._draw(s),)
        turn = "White to move" if board.turn else "Black to move"
        return (turn, "check") if board.is_check() else (turn,)

    # Whole games. --------------------------------------------------------------------------------
    def parameters(self) -> dict[str, str | bool]:
        """The names of the piece values and of the weighted features."""
        values = next(name for name, values in VALUES.items() if values is self.values)
        features = [
            name if weight == FEATURES[name].weight else f"{name}:{weight}"
            for name, weight in zip(self.feature_names, self.weights, strict=True)
        ]
        return {"values": values, "features": "+".join(features), "draws": self.draws}

    def record(self, start: Position, moves: Sequence[int], headers: Mapping[str, str]) -> str:
        """The game in Portable Game Notation; the result is the board's unless a header says it."""
        game = chess.pgn.Game()
        game.setup(start.board.copy(stack=False))
        node: chess.pgn.GameNode = game
        s = start
        for m in moves:
            node = node.add_variation(decoded(m))
            s = self.result(s, m)
        if self.terminal(s):
            game.headers["Result"] = {1000: "1-0", -1000: "0-1", 0: "1/2-1/2"}[self.utility(s)]
        try:
            game.headers.update(headers)
        except ValueError as error:
            raise GamesearchError(f"a PGN header cannot be written: {error}") from None
        return f"{game}\n"

    def read_record(self, text: str) -> tuple[Position, list[int]]:
        """The start and the moves of the first game in a PGN text; variations and comments are left out."""
        headers = chess.pgn.read_headers(io.StringIO(text))
        if headers is None or headers.get("Variant", "").casefold() not in STANDARD_VARIANTS:
            raise GamesearchError("the PGN text holds no game of standard chess")
        start = s = self.parse(headers.get("FEN", ""))
        game = chess.pgn.read_game(io.StringIO(text), Visitor=QuietBuilder)
        if game is None or game.errors:
            problem = game.errors[0] if game else "no game"
            raise GamesearchError(f"the PGN text cannot be read: {problem}")
        moves = []
        for move in game.mainline_moves():
            if not move:
                raise GamesearchError("the PGN text cannot be read: it has a null move")
            moves.append(encoded(move))
            s = self.result(s, moves[-1])
        if not moves and not text.lstrip("\ufeff \r\n\t").startswith(("[", "*", "1-0", "0-1", "1/2")):
            raise GamesearchError("the PGN text holds neither headers nor moves")
        return start, moves


class QuietBuilder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Keeps the errors of a PGN text, where python-chess would also log them to stderr."""

    def handle_error(self, error: Exception) -> None:
        """Keep the error."""
        self.game.errors.append(error)


def encoded(move: chess.Move) -> int:
    """The move as an int."""
    return move.from_square | move.to_square << 6 | (move.promotion or 0) << PROMOTION


@functools.cache
def decoded(m: int) -> chess.Move:
    """The move as python-chess has it."""
    return chess.Move(m & 63, m >> 6 & 63, m >> PROMOTION & 7 or None)


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
    return (piece + target, simplified(san)[:-1], move.uci()[:-1]) if move.promotion else (piece + target,)


def known_name(what: str, name: str, table: Mapping[str, object]) -> str:
    """The name, if it is in the table; the error names the nearest one."""
    if name in table:
        return name
    close = difflib.get_close_matches(name, table, 1, 0)
    raise GamesearchError(f"no {what} are called {name!r}: did you mean {close[0]}? There are {', '.join(table)}")


def read_weight(text: str) -> tuple[str, float]:
    """A feature's name and weight from "name" or "name:weight"."""
    name, colon, number = text.strip().partition(":")
    feature = FEATURES[known_name("features", name, FEATURES)]
    try:
        weight = float(number) if colon else float(feature.weight)
    except ValueError:
        weight = math.nan
    if not math.isfinite(weight):
        raise GamesearchError(f"{number!r} is not a weight for the feature {name}: write {name}:{feature.weight}")
    return name, weight
