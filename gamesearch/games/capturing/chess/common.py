"""Base class of both implementations of chess: parameters, published results, draws, and notation.

The notations are FEN, SAN, UCI and PGN. python-chess reads and writes them on its own boards.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from typing import Any, ClassVar, Self

import chess

from gamesearch.errors import GamesearchError
from gamesearch.files.records import RecordedGame, read_record
from gamesearch.game import IGNORED, MAX, MIN, REPETITION_DRAWS, State
from gamesearch.games.capturing.chess.boards import (
    USUAL_ARRAY,
    VARIANTS,
    ChessBoard,
    Variant,
    decode,
    encode,
    read_fen,
    shorten_position,
    split_epd,
    variant_name,
)
from gamesearch.games.capturing.chess.features import ALIASES, FEATURES, VALUES, known_name, read_weight
from gamesearch.notation import player_name
from gamesearch.optional import CategorizedGame, GameWithVariants
from gamesearch.specification import format_specification, near
from gamesearch.toolkit.boards import Board, Cell, Palette
from gamesearch.toolkit.known import Known

__all__ = ["DRAWN_CLOCK", "PYTHON_CHESS", "STANDARD", "TAPERED", "USUAL", "ChessBase"]

MOVES = re.compile(r'(?<!")\bmoves\b(?=[^"]*$)')
"""Matches the word `moves` between a position and the moves played from it, but not in a quoted comment of EPD."""
FORM = re.compile(
    r"(?:[NBRQK][a-h]?[1-8]?[-x:]?[a-h][1-8]"
    r"|P?[a-h]?[1-8]?[-x:]?[a-h][1-8](?:[=/]?[NBRQK]|=?\([NBRQK]\))?(?:e\.?p\.?)?"
    r"|[NBRQKP]?@[a-h][1-8]|[O0](?:-?[O0]){1,2})(?:\+{1,2}|\#{1,2})?[!?]{0,2}",
    re.IGNORECASE,
)
"""Matches a move, a drop or castling in any spelling. Marks such as + and ! may follow."""
FEW = 6
"""The greatest number of legal moves that a message lists if no move is similar to the typed text."""
DRAWN_CLOCK = 100
"""The game is drawn when the clock (the plies since a capture or pawn move) reaches this number."""
COUNTED_CLOCK = 60
"""If the clock is at least this number, the key contains the clock, because the draw is near."""
CLOCK_PLACE = 13
"""The clock begins at this bit of the last number of the key. This number also contains the castling rights (bits 0 to
7 and 56 to 63), the turn (bit 12), and the en passant square (bits 29 to 34)."""
STANDARD, USUAL, TAPERED = "standard", "usual", "tapered"
PYTHON_CHESS = "python-chess"
PERFT_FILES = "perft files of python-chess (examples/perft)"


class ChessBase(GameWithVariants[State], CategorizedGame[State]):
    """Base class of both implementations of chess, gamesearch's own and python-chess. White is Max."""

    choices: ClassVar[Mapping[str, Collection[str]]] = {
        "variant": VARIANTS,
        "values": VALUES,
        "features": (USUAL, TAPERED, *FEATURES),
        "rules": (USUAL, PYTHON_CHESS),
    }
    unit = "pawns"
    tunable = ("weights", "worths")  # so that new piece values need no recompilation
    palette = Palette(board="#f0d9b5", dark="#b58863", sides=("#ffffff", "#000000"), mark="#cdd26a")
    repetition = REPETITION_DRAWS
    shortest_cycle = 4  # each player moves a piece and moves it back
    suggested_depth = 3
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
        Known(PERFT_FILES, "variant=chess960, draws=false", perft=(21, 528, 12_189),
              position="bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"),
        Known(PERFT_FILES, "variant=antichess, draws=false", perft=(20, 400, 8_067)),
        Known(PERFT_FILES, "variant=atomic, draws=false", perft=(20, 400, 8_902)),
        Known(PERFT_FILES, "variant=atomic, draws=false", perft=(40, 1_238),
              position="rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1"),
        Known(PERFT_FILES, "variant=crazyhouse, draws=false", perft=(20, 400, 8_902)),
        Known(PERFT_FILES, "variant=crazyhouse, draws=false", perft=(67, 3_083),
              position="2k5/8/8/8/8/8/8/4K3[Qn] w - - 0 1"),
        Known(PERFT_FILES, "variant=crazyhouse, draws=false", perft=(301,),
              position="2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1"),
        Known(PERFT_FILES, "variant=horde, draws=false", perft=(8, 128, 1_274)),
        Known(PERFT_FILES, "variant=kingofthehill, draws=false", perft=(20, 400, 8_902)),
        Known(PERFT_FILES, "variant=racingkings, draws=false", perft=(21, 421, 11_264)),
        Known(PERFT_FILES, "variant=threecheck, draws=false", perft=(20, 400, 8_902)),
        Known("by hand: the king steps onto the hill", "variant=kingofthehill", value=1000, distance=1,
              best=("Ke4", "Kd4"), position="k7/8/8/8/8/4K3/8/8 w - - 0 1"),
        Known("P. Morphy, mate in two", "", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", value=1000, distance=3,
              best=("Ra6",)),
    )  # fmt: skip
    notation = (
        "a position in FEN or EPD, or `startpos` for the initial position, or the moves of a game (1. e4 e5). "
        "After FEN or `startpos`, you can add `moves` and the moves played. Moves are in SAN (Nf3, N@f3) or UCI "
        "(g1f3)"
    )
    example = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
    names = ("White", "Black")
    numbers_rounds = True
    bottom_player = MAX
    record_suffix = ".pgn"
    rule_set: Variant
    draws: bool

    def __init__(
        self,
        variant: str = STANDARD,
        values: str = STANDARD,
        features: str = USUAL,
        draws: bool = True,
        start: int = USUAL_ARRAY,
        rules: str = USUAL,
    ) -> None:
        self.variant = known_name("variant", variant_name(variant), VARIANTS)
        self.rule_set = VARIANTS[self.variant]
        self.chess960 = self.rule_set.chess960
        self.rules = known_name("rules", rules, dict.fromkeys(self.choices["rules"]))
        self.values = known_name("piece values", ALIASES.get(values, values), VALUES)
        self.worths = tuple(map(float, VALUES[self.values][:6]))
        self.draws = draws
        self.repetition = REPETITION_DRAWS if draws else IGNORED
        if not 0 <= start < 960 or (start != USUAL_ARRAY and not self.chess960):
            raise GamesearchError(f"start={start} is not possible: use variant=chess960 and a number from 0 to 959")
        self.start = start
        self.is_usual = features in (USUAL, self.rule_set.features)
        weighted = [read_weight(part) for part in (self.rule_set.features if self.is_usual else features).split("+")]
        self.feature_names = tuple(name for name, _ in weighted)
        self.weights = tuple(self.rule_set.sense * weight for _, weight in weighted)
        if len(set(self.feature_names)) < len(weighted):
            raise GamesearchError(f"features={features!r} names a feature twice")
        if sum(abs(weight) * FEATURES[name].most for name, weight in weighted) >= self.MAXSCORE:
            raise GamesearchError(f"features={features!r} could outweigh a mate ({self.MAXSCORE}): use smaller weights")
        self.prepare()

    def prepare(self) -> None:
        """Prepare the computation of the chosen features."""

    def clock_in_key(self, clock: int) -> int:
        """The clock, shifted to its place in the key; 0 unless a draw by the clock is near. If it is near, positions
        with different clocks have different values, so they must not share an entry of the transposition table."""
        return clock << CLOCK_PLACE if self.draws and clock >= COUNTED_CLOCK else 0

    def parameters(self) -> dict[str, Any]:
        """The arguments of the constructor. The weight of a feature is included only if it differs from the default."""
        weighted = [] if self.is_usual else [self.rule_set.sense * weight for weight in self.weights]
        features = [
            name if weight == FEATURES[name].weight else f"{name}:{weight}"
            for name, weight in zip(self.feature_names, weighted, strict=False)
        ]
        known = {
            "variant": self.variant,
            "values": self.values,
            "features": USUAL if self.is_usual else "+".join(features),
            "draws": self.draws,
            "start": self.start,
        }
        return known if self.rules == USUAL else known | {"rules": self.rules}

    def category(self, s: State, feature: str) -> str:
        """The difference in material, such as `+B -N` if White has a bishop for Black's knight."""
        if feature != "material":
            return ""
        board, more, fewer = self.board_of(s), list[str](), list[str]()
        for piece in (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN):
            white, black = (board.pieces_mask(piece, side).bit_count() for side in (chess.WHITE, chess.BLACK))
            text = f"{abs(white - black) if abs(white - black) > 1 else ''}{chess.piece_symbol(piece).upper()}"
            if white > black:
                more.append(f"+{text}")
            elif white < black:
                fewer.append(f"-{text}")
        return " ".join(more + fewer) or "even"

    def for_perft(self) -> Self:
        return type(self)(**{**self.parameters(), "draws": False})

    def board_of(self, s: State) -> ChessBoard:
        """Convert a state to a board of python-chess."""
        raise NotImplementedError

    def state_of(self, board: ChessBoard) -> State:
        """Convert a board of python-chess, with its previous positions, to a state."""
        raise NotImplementedError

    def parse(self, text: str) -> State:
        return self.state_of(self.read_boards_of_moves(text)[-1])

    def positions_before(self, text: str) -> list[State]:
        return [self.state_of(board) for board in self.read_boards_of_moves(text)[:-1]]

    def read_boards_of_moves(self, text: str) -> list[ChessBoard]:
        """Read the first board, and the board after each move, from a text in FEN, EPD or PGN. `startpos` is also
        allowed."""
        is_tagged = text.lstrip().startswith("[")
        position, line = MOVES.split(text, maxsplit=1) if MOVES.search(text) and not is_tagged else (text, "")
        position = re.sub(r"^\s*(?:position\b)?\s*(?:fen\b|epd\b)?\s*", "", position)
        if position.strip() in ("", "startpos"):
            boards = [self.board_of(self.initial())]
        elif "/" in position and not is_tagged:
            boards = [read_fen(self.rule_set.empty(), split_epd(position)[0])]
        else:
            boards = self.read_boards_of_game(position)
        for word in re.sub(r"\d+\s*(?:\.+|\u2026)", " ", line).split():
            boards.append(boards[-1].after(find_move(boards[-1], word)))
        return boards

    def read_boards_of_game(self, text: str) -> list[ChessBoard]:
        """The positions of a game in PGN, from the first to the last."""
        try:
            start, moves = read_record(self, text)
        except GamesearchError as error:
            problem = str(error).removeprefix("game 1, line 1: ")
            raise GamesearchError(f"{shorten_position(text)!r} is neither FEN nor a game: {problem}") from None
        boards = [self.board_of(start)]
        for m in moves:
            boards.append(boards[-1].after(decode(m)))
        return boards

    def format(self, s: State) -> str:
        return self.board_of(s).fen()

    def move_name(self, s: State, m: int) -> str:
        return self.board_of(s).san(decode(m))

    def parse_move(self, s: State, text: str) -> int:
        return encode(find_move(self.board_of(s), text))

    def win_text(self, s: State, player: int, plies: int) -> str:
        """A text that says who wins and how soon. If a mate is the only way to win in the variant, the text counts the
        winner's moves, as in "mates in 3"."""
        if self.rule_set.wins_by_mate and plies:
            return f"{player_name(self, player)} mates in {(plies + 1) // 2}"
        return super().win_text(s, player, plies)

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
        if self.draws and s.name_draw_rule():
            return (s.name_draw_rule(),)
        notes = ("White to move" if s.turn else "Black to move", "check" if s.is_check() else "", s.note())
        return tuple(note for note in notes if note)

    def record(self, start: State, moves: Sequence[int], headers: Mapping[str, str]) -> str:
        """Write the game in PGN. If the headers contain a result, it replaces the result of the final position."""
        end = reduce(self.result, moves, start)
        result = {1000: "1-0", -1000: "0-1", 0: "1/2-1/2"}[self.utility(end)] if self.terminal(end) else "*"
        from gamesearch.games.capturing.chess.pgn import write_pgn  # importing it is slow

        return write_pgn(self.board_of(start), moves, result, headers)

    def read_other_records(self, text: str) -> Iterator[RecordedGame[State]]:
        """Yield the games in a PGN text, without variations and comments."""
        from gamesearch.games.capturing.chess.pgn import read_pgn

        for game, start, moves in read_pgn(text, self.rule_set):
            yield game.record_game(self.state_of(start), moves)

    @classmethod
    def rules_of_headers(cls, headers: Mapping[str, str]) -> str:
        variant = variant_name(headers.get("Variant") or "standard")
        return cls.name if variant == "standard" else format_specification(cls.name, {"variant": variant})

    def has_ended(self, s: State) -> bool:
        """Whether the player to move has no legal move. A draw with legal moves, such as a repetition, does not count,
        because a recorded game may continue after it."""
        return next(self.board_of(s).generate_legal_moves(), None) is None


def square_cell(s: ChessBoard, square: int, marked: bool) -> Cell:
    """The picture of a square and its piece."""
    piece, dark = s.piece_at(square), bool(chess.BB_DARK_SQUARES & chess.BB_SQUARES[square])
    if piece is None:
        return Cell(faint=True, marked=marked, dark=dark)
    return Cell(piece.symbol(), piece.unicode_symbol(), MAX if piece.color else MIN, marked=marked, dark=dark)


def find_move(s: ChessBoard, text: str) -> chess.Move:
    """The legal move that a text describes in SAN or UCI. The signs x, + and # do not matter, and 0-0 means O-O.
    Capital letters matter only if the text could mean two moves."""
    written = "".join(text.split())
    with suppress(ValueError):
        if move := s.parse_san(text.strip()):  # python-chess reads "--" and "0000" as a null move
            return move
    sans = {s.san(move): move for move in s.generate_legal_moves()}
    wanted = simplify(written)
    for fold in (str, str.casefold) if FORM.fullmatch(written) else ():  # "bc3" means the pawn rather than the bishop
        for forms in (strict_forms, loose_forms):
            found = [san for san in sans if fold(wanted) in map(fold, forms(san, sans[san]))]
            if len(found) == 1:
                return sans[found[0]]
            if found:
                raise GamesearchError(f"{text.strip()!r} may mean {' or '.join(found)}")
    shown = shorten_position(text, 40)
    if not sans:
        raise GamesearchError(f"{shown!r} is not a legal move: the game is over")
    close, listed = near(shown, sans, 3), f": you can play {', '.join(sans)}" if len(sans) <= FEW else ""
    hint = f": did you mean {' or '.join(close)}?" if close else listed
    raise GamesearchError(f"{shown!r} is not a legal move here{reason_of_illegal(s, wanted)}{hint}")


def reason_of_illegal(s: ChessBoard, wanted: str) -> str:
    """The end of an error message. It says why the move `wanted` (in simplified notation) is not legal. The text is
    empty if the reason is unknown."""
    origin = wanted[:2].casefold() if re.fullmatch("(?:[a-h][1-8]){2}[nbrqk]?", wanted, re.IGNORECASE) else ""
    if origin and s.color_at(chess.parse_square(origin)) != s.turn:
        return f", because {chess.COLOR_NAMES[s.turn].title()} has no piece on {origin}"
    for move in s.generate_pseudo_legal_moves():
        piece = s.piece_at(move.from_square)
        if piece is None or not s.is_into_check(move):
            continue
        letter = "" if piece.piece_type == chess.PAWN else piece.symbol().upper()
        origin, target = chess.square_name(move.from_square), chess.square_name(move.to_square)
        if wanted in (move.uci(), *(letter + where + target for where in ("", origin[0], origin[1], origin))):
            return f", because the king {'is' if s.is_check() else 'would be'} in check"
    return ""


def simplify(text: str) -> str:
    """Remove annotations, dashes, and the marks of captures and checks from the text of a move."""
    return "".join(text.split()).translate(str.maketrans("0", "O", "x:+#=!?-()")).removesuffix("e.p.")


def strict_forms(san: str, move: chess.Move) -> tuple[str, ...]:
    """The unambiguous ways to write a move."""
    return simplify(san), move.uci()


def loose_forms(san: str, move: chess.Move) -> tuple[str, ...]:
    """Short ways to write a move. They omit its origin or its promotion piece, so they may be ambiguous."""
    piece = san[0] if san[0] in "NBRQK" else ""
    target = chess.SQUARE_NAMES[move.to_square]
    if move.drop:
        return ()
    return (piece + target, simplify(san)[:-1], move.uci()[:-1]) if move.promotion else (piece + target,)
