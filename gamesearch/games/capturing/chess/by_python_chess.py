"""Chess and its variants with the rules and boards of python-chess. Searches with these rules cannot be compiled."""

from collections.abc import Iterator

import chess

from gamesearch.game import BACKWARD, CAPTURE, FORWARD, MAX, MIN
from gamesearch.games.capturing.chess.boards import ChessBoard, decode
from gamesearch.games.capturing.chess.common import ChessBase
from gamesearch.games.capturing.chess.evaluation import FROM_MIDDLE, ORDER_VALUES
from gamesearch.games.capturing.chess.features import FEATURES
from gamesearch.games.capturing.chess.position import PROMOTION

__all__ = ["ChessByPythonChess"]

INWARDS = tuple(FROM_MIDDLE[m & 63] - FROM_MIDDLE[m >> 6] for m in range(1 << PROMOTION))
"""For each move, the number of steps by which the piece gets nearer to the center. Quiet moves are ordered by this
number."""


class ChessByPythonChess(ChessBase[ChessBoard]):
    """Chess on boards of python-chess, slower than `Chess`. Exact searches visit the same nodes as they do with
    `Chess`. Selective searches visit different nodes, because only `Chess` defines exchange values and null moves."""

    interpreted_because = "the rules come from python-chess, which keeps its boards as Python objects"

    def prepare(self) -> None:
        """Set up the functions that measure the features."""
        self._measures = tuple(FEATURES[name].measure for name in self.feature_names)

    def board_of(self, s: ChessBoard) -> ChessBoard:
        return s

    def state_of(self, board: ChessBoard) -> ChessBoard:
        return board

    # The rules. ----------------------------------------------------------------------------------
    def initial(self) -> ChessBoard:
        return self.rule_set.start(self.start)

    def player(self, s: ChessBoard) -> int:
        return MAX if s.turn else MIN

    def moves(self, s: ChessBoard) -> Iterator[int]:
        return s.moves()

    def result(self, s: ChessBoard, m: int) -> ChessBoard:
        return s.after(decode(m))

    def terminal(self, s: ChessBoard) -> bool:
        if next(s.generate_legal_moves(), None) is None:
            return True
        if s.halfmove_clock < s.earliest_repetition and s.pawns | s.queens:  # no draw is possible yet
            return False
        return self.draws and s.name_draw_rule() != ""

    def utility(self, s: ChessBoard) -> int:
        outcome = s.outcome()  # ignores draws by repetition or clock, which have no winner anyway
        if outcome is None or outcome.winner is None:
            return 0
        return 1000 if outcome.winner == chess.WHITE else -1000

    def progress(self, s: ChessBoard) -> int:
        """The ply of the last capture or pawn move, plus 1; 0 in variants in which captures can be undone."""
        return 0 if not s.earliest_repetition else 2 * s.fullmove_number - s.turn - s.halfmove_clock

    # For better searches. ------------------------------------------------------------------------
    def features(self, s: ChessBoard) -> tuple[float, ...]:
        return tuple([measure(s, self.worths) for measure in self._measures])

    def evaluate(self, s: ChessBoard) -> float:
        value, weights, worths = 0.0, self.weights, self.worths
        for i, measure in enumerate(self._measures):  # faster than zip, because there are usually one or two features
            value += weights[i] * measure(s, worths)
        return value

    def key(self, s: ChessBoard) -> tuple[int, ...]:
        *men, rest = s.key()
        return (*men, rest ^ self.clock_in_key(s.halfmove_clock))

    def arrangement(self, s: ChessBoard) -> tuple[int, ...]:
        return s.key()

    def order(self, s: ChessBoard, m: int) -> float:
        """Prefer promotions, then captures of valuable pieces by cheap ones, then moves to the center, as in
        `Chess`."""
        captured = self.captured_piece(s, m)
        if not captured:
            return ORDER_VALUES[m >> PROMOTION & 7] if m >> PROMOTION else INWARDS[m]
        attacker = s.piece_type_at(m & 63) or 0
        return ORDER_VALUES[m >> PROMOTION & 7] + ORDER_VALUES[captured] + 100 - ORDER_VALUES[attacker] // 10

    def captured_piece(self, s: ChessBoard, m: int) -> int:
        """The captured piece. A king that castles by moving onto its rook (Chess960) captures nothing."""
        to = m >> 6 & 63
        return 0 if s.occupied_co[s.turn] & chess.BB_SQUARES[to] else s.piece_type_at(to) or 0

    def kind_of_move(self, s: ChessBoard, m: int) -> int:
        """CAPTURE for captures and promotions, and FORWARD or BACKWARD for other moves. Checks do not count as THREAT,
        because finding them would take too long."""
        if m >> PROMOTION & 7 or self.captured_piece(s, m) or s.is_en_passant(decode(m)):
            return CAPTURE
        ahead = (m >> 9 & 7) - (m >> 3 & 7)
        return FORWARD if (ahead if s.turn else -ahead) >= 0 else BACKWARD
