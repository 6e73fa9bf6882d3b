"""Chess and Chess960 on bitboards, interpreted or compiled. Other variants use python-chess."""

from collections.abc import Sequence
from typing import Any

import chess

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, Game
from gamesearch.games.capturing.chess.boards import USUAL_ARRAY, VARIANTS, ChessBoard, decode, encode, variant_name
from gamesearch.games.capturing.chess.by_python_chess import ChessByPythonChess
from gamesearch.games.capturing.chess.common import DRAWN_CLOCK, PYTHON_CHESS, STANDARD, TAPERED, USUAL
from gamesearch.games.capturing.chess.evaluation import DARK_SQUARES, ChessEvaluation
from gamesearch.games.capturing.chess.generation import forward
from gamesearch.games.capturing.chess.numbers import ChessNumbers, are_apart
from gamesearch.games.capturing.chess.position import LINES_THROUGH, Position
from gamesearch.games.capturing.chess.tapered import NAMES, TERMS, TaperedEvaluation
from gamesearch.learned.weights_files import LEARNED, is_weights_file, makes_a_class, path_of_weights, read_fields
from gamesearch.optional import CountingGame, GameFamily
from gamesearch.specification import format_specification
from gamesearch.toolkit.bits import high_bit_index, popcount

__all__ = ["Chess"]


class Chess(ChessEvaluation, ChessNumbers, CountingGame[Position], GameFamily[Position]):
    """Chess and its variants; White is Max.

    The game ends with checkmate or stalemate. There are three automatic draws: if the material is insufficient, after
    fifty moves without a capture or pawn move, and when a position occurs for the third time. (So the draws after 75
    moves and five occurrences never apply.) If draws=false, the game continues in all these cases, as perft requires.
    `values` names a system of piece values. `features` lists the terms of the evaluation, such as
    "material+mobility:0.05". The default of `features` is `usual`: material, and a feature for the goal of the variant.
    Some commands use the learned weights by default. The computer plays with `features=tapered`, the evaluation with
    all terms of `games/capturing/chess/tapered.py`. `variant` names the rules, such as crazyhouse. `start` is the
    number of the initial position in chess960. Standard chess and chess960 run compiled. Other variants use
    python-chess. If rules=python-chess, all variants use python-chess.
    """

    suggested_algorithm = "pvs"  # benchmarks/results.md, "pvs against alpha-beta"
    suggested_depth = 5  # such a search takes about a second, and finds mates in three

    @classmethod
    def class_for(cls, **parameters: Any) -> type[Game]:
        """The class for the given parameters: this class, TaperedChess, or ChessByPythonChess."""
        variant = VARIANTS.get(variant_name(str(parameters.get("variant", "standard"))))
        is_other = variant is not None and not variant.on_bitboards
        if is_other or parameters.get("rules") == PYTHON_CHESS:
            return ChessByPythonChess
        if not is_tapered(parameters):
            return cls
        name = parameters.get("weights")
        is_network = is_weights_file(name) and makes_a_class(str(name), cls)
        if not is_network or (name == LEARNED and variant is not VARIANTS[STANDARD]):
            return TaperedChess
        from gamesearch.learned.packed_files import with_learned  # slow to import

        return with_learned(TaperedChess, str(name))

    def prepare(self) -> None:
        """Prepare the evaluation; raises GamesearchError for variants that need the rules of python-chess."""
        if self.class_for(variant=self.variant, rules=self.rules) is ChessByPythonChess:
            text = format_specification(self.name, self.parameters())
            raise GamesearchError(f"{text} uses the rules of python-chess: create the game with gamesearch.load()")
        super().prepare()

    # The rules. Moves and results are in `generation`. --------------------------------------------
    def initial(self) -> Position:
        return self.state_of(self.rule_set.start(self.start))

    def player(self, s: Position) -> int:
        return MAX if s.ply & 1 == 0 else MIN

    def terminal(self, s: Position) -> bool:
        return (not self.can_surely_move(s) and self.legal_moves(s) == 0) or self.is_drawn(s)

    def can_surely_move(self, s: Position) -> bool:
        """Whether the side to move is not in check and can advance a pawn that is certainly not pinned. This fast test
        usually proves that a legal move exists."""
        if s.checkers != 0:
            return False
        side = s.ply & 1
        own = s.white if side == 0 else s.black
        # A pawn that is not on the king's rank, file or diagonals is not pinned.
        pawns = s.pawns & own & ~LINES_THROUGH[high_bit_index(s.kings & own)]
        return forward(pawns, side) & ~(s.white | s.black) != 0

    def is_drawn(self, s: Position) -> bool:
        """Whether the game is a draw by some rule although there are legal moves."""
        return self.draws and (s.clock >= DRAWN_CLOCK or s.third != 0 or has_insufficient_material(s))

    def utility(self, s: Position) -> int:
        if s.checkers == 0 or self.legal_moves(s) != 0:
            return 0
        return 1000 if s.ply & 1 else -1000

    def count_moves(self, s: Position) -> int:
        return 0 if self.is_drawn(s) else self.legal_moves(s)

    def key(self, s: Position) -> tuple[int, ...]:
        """The position without its history. The clock is included only if a draw by the clock is near."""
        first, second, third, fourth, rest = self.pieces_and_rights(s)
        return first, second, third, fourth, rest ^ self.clock_in_key(s.clock)

    def arrangement(self, s: Position) -> tuple[int, ...]:
        return self.pieces_and_rights(s)

    def pieces_and_rights(self, s: Position) -> tuple[int, ...]:
        """The pieces, turn, castling rights and en passant square, which define a repetition (FIDE Laws 9.2.3)."""
        low, middle, high = s.pawns | s.diagonal, s.knights | s.diagonal & ~s.straight | s.kings, s.straight | s.kings
        rest = s.en_passant << 29 | (s.ply & 1 ^ 1) << 12
        return s.white, low, middle, high, s.castling ^ rest

    def progress(self, s: Position) -> int:
        """The ply of the last capture or pawn move, plus 1."""
        return s.ply + 1 - s.clock

    def for_solving(self, s: Position) -> tuple[Game[Position], Position, str]:
        """Return the same game without the fifty-move rule. With this rule, the solver would solve each position a
        hundred times: once for each value of the clock."""
        game = type(self)(**self.parameters())
        game.counts_clock = False
        return (
            game,
            s._replace(clock=0, third=0),
            "solved without the fifty-move rule, so the clock of the position is ignored",
        )

    # Conversion to and from boards of python-chess. ----------------------------------------------
    def state_of(self, board: ChessBoard) -> Position:
        diagonal, straight = board.bishops | board.queens, board.rooks | board.queens
        passed = board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else 0
        move = board.last_move()
        last = -1 if move is None else encode(move)
        return Position(
            board.pawns, board.knights, diagonal, straight, board.kings,
            board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK], board.clean_castling_rights(),
            board.checkers_mask(), passed, board.halfmove_clock, board.ply(), last, int(board.is_threefold()),
        )  # fmt: skip

    def board_of(self, s: Position) -> ChessBoard:
        board = self.rule_set.empty()
        board.pawns, board.knights, board.kings = s.pawns, s.knights, s.kings
        board.bishops, board.rooks = s.diagonal & ~s.straight, s.straight & ~s.diagonal
        board.queens = s.diagonal & s.straight
        board.occupied_co = [s.black, s.white]
        board.occupied = s.white | s.black
        board.turn, board.castling_rights = s.ply & 1 == 0, s.castling
        board.ep_square = s.en_passant or None
        board.halfmove_clock, board.fullmove_number, board.is_third = s.clock, s.ply // 2 + 1, bool(s.third)
        if s.last >= 0:
            board.move_stack.append(decode(s.last))
        return board

    def steps(self, s: Position, past: Sequence[Position] = ()) -> list[int]:
        """Compute the legal moves by python-chess. This method is called when people or engines play."""
        return list(self.board_of(s).moves())

    def consistent(self, s: Position) -> bool:
        return are_apart(s) and popcount(s.kings & s.white) == 1 and popcount(s.kings & s.black) == 1


class TaperedChess(TaperedEvaluation, Chess):
    """Chess with the tapered evaluation. `weights` is the name of a file, or `learned` for the shipped file."""

    def __init__(
        self,
        variant: str = STANDARD,
        values: str = STANDARD,
        features: str = TAPERED,
        draws: bool = True,
        start: int = USUAL_ARRAY,
        rules: str = USUAL,
        weights: str = TERMS,
    ) -> None:
        super().__init__(variant, values, USUAL, draws, start, rules)
        self.feature_names = NAMES
        self.read_weights(weights if weights == TERMS or not makes_a_class(weights, type(self)) else TERMS)

    def parameters(self) -> dict[str, Any]:
        return super().parameters() | {"features": TAPERED}


def is_tapered(parameters: dict[str, Any]) -> bool:
    """Whether the parameters select the tapered evaluation: `features` names it, or `weights` names a file of its
    weights."""
    features, weights = parameters.get("features", USUAL), parameters.get("weights")
    if weights == TERMS:
        return features in (USUAL, TAPERED)
    if features != USUAL or parameters.get("values", STANDARD) != STANDARD or not is_weights_file(weights):
        return bool(features == TAPERED)
    name = str(weights)
    return name == LEARNED or read_fields(name, path_of_weights(name, Chess))["parameters"].get("features") == TAPERED


def has_insufficient_material(s: Position) -> bool:
    """Whether mate is impossible for both sides. The only other piece is one knight, or all other pieces are bishops on
    squares of one color."""
    if (s.pawns | s.straight) != 0:
        return False
    if s.knights != 0:
        return s.diagonal == 0 and s.knights & s.knights - 1 == 0
    return s.diagonal & DARK_SQUARES == 0 or s.diagonal & ~DARK_SQUARES == 0
