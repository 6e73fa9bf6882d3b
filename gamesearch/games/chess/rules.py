"""Chess and its variants, by the rules of python-chess, with values and features from the literature."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar

import chess

from gamesearch.boards import Palette
from gamesearch.errors import GamesearchError
from gamesearch.game import BACKWARD, CAPTURE, FORWARD, MAX, MIN, RECURRENCE_DRAWS
from gamesearch.games.chess.evaluation import FEATURES, VALUES, known_name, read_weight
from gamesearch.games.chess.notation import ChessNotation
from gamesearch.games.chess.position import PROMOTION, Position, decoded
from gamesearch.games.chess.variants import VARIANTS, variant_name
from gamesearch.known import Known

__all__ = ["Chess"]

USUAL_ARRAY = 518
"""The number of the usual array among those of Chess960."""
USUAL = "usual"
PYTHON_CHESS = "perft files of python-chess (examples/perft)"

ORDER_VALUES = (0, 100, 300, 300, 500, 900, 1000)
"""For ordering captures, by piece type, in hundredths of a pawn; a king is the last to capture with."""
FROM_MIDDLE = [
    min(chess.square_distance(square, each) for each in chess.SquareSet(chess.BB_CENTER)) for square in range(64)
]
INWARDS = tuple(FROM_MIDDLE[m & 63] - FROM_MIDDLE[m >> 6] for m in range(1 << PROMOTION))
"""For ordering moves that capture nothing: by how many steps they lead nearer to the middle. Where all moves are worth
the same, as they are to material in the opening, the first of them is played."""


class Chess(ChessNotation):
    """Chess and its variants; White is Max.

    The game ends by checkmate and stalemate. It is drawn, without a claim, by insufficient material,
    after fifty moves without a capture or pawn move, and when a position is there for the third time
    (so the automatic draws at 75 moves and five times never come up). With draws=False it goes on
    through all of these, as perft counts it. `values` names a system of piece values, and `features`
    what the evaluation adds up, such as "material+mobility:0.05"; usual is material, and what decides
    the variant. `variant` names the rules, such as crazyhouse, and `start` numbers the array in chess960.
    """

    unit = "pawns"
    palette = Palette(board="#f0d9b5", dark="#b58863", sides=("#ffffff", "#000000"), mark="#cdd26a")
    choices: ClassVar[Mapping[str, Collection[str]]] = {
        "variant": VARIANTS,
        "values": VALUES,
        "features": (USUAL, *FEATURES),
    }
    recurrence = RECURRENCE_DRAWS
    shortest_cycle = 4  # each player moves a piece of his own, and moves it back
    interpreted_because = "the rules come from python-chess, which keeps its boards as Python objects"
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
        Known(PYTHON_CHESS, "variant=chess960, draws=false", perft=(21, 528, 12_189),
              position="bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"),
        Known(PYTHON_CHESS, "variant=antichess, draws=false", perft=(20, 400, 8_067)),
        Known(PYTHON_CHESS, "variant=atomic, draws=false", perft=(20, 400, 8_902)),
        Known(PYTHON_CHESS, "variant=atomic, draws=false", perft=(40, 1_238),
              position="rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1"),
        Known(PYTHON_CHESS, "variant=crazyhouse, draws=false", perft=(20, 400, 8_902)),
        Known(PYTHON_CHESS, "variant=crazyhouse, draws=false", perft=(67, 3_083),
              position="2k5/8/8/8/8/8/8/4K3[Qn] w - - 0 1"),
        Known(PYTHON_CHESS, "variant=crazyhouse, draws=false", perft=(301,),
              position="2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1"),
        Known(PYTHON_CHESS, "variant=horde, draws=false", perft=(8, 128, 1_274)),
        Known(PYTHON_CHESS, "variant=kingofthehill, draws=false", perft=(20, 400, 8_902)),
        Known(PYTHON_CHESS, "variant=racingkings, draws=false", perft=(21, 421, 11_264)),
        Known(PYTHON_CHESS, "variant=threecheck, draws=false", perft=(20, 400, 8_902)),
        Known("by hand: the king steps onto the hill", "variant=kingofthehill", value=1000, distance=1,
              best=("Ke4", "Kd4"), position="k7/8/8/8/8/4K3/8/8 w - - 0 1"),
        Known("P. Morphy, mate in two", "", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", value=1000, distance=3,
              best=("Ra6",)),
    )  # fmt: skip

    def __init__(
        self,
        variant: str = "standard",
        values: str = "standard",
        features: str = USUAL,
        draws: bool = True,
        start: int = USUAL_ARRAY,
    ) -> None:
        self.variant = known_name("variants", variant_name(variant), VARIANTS)
        self.rules = VARIANTS[self.variant]
        self.values = VALUES[known_name("piece values", values, VALUES)]
        self.draws = draws
        if not 0 <= start < 960 or (start != USUAL_ARRAY and not self.rules.chess960):
            raise GamesearchError(f"start={start} is not the number of an array: variant=chess960 has 0 to 959")
        self.start = start
        self.is_usual = features in (USUAL, self.rules.features)
        weighted = [read_weight(part) for part in (self.rules.features if self.is_usual else features).split("+")]
        self.feature_names = tuple(name for name, _ in weighted)
        self.weights = tuple(self.rules.sense * weight for _, weight in weighted)
        if len(set(self.feature_names)) < len(weighted):
            raise GamesearchError(f"features={features!r} names a feature twice")
        if sum(abs(weight) * FEATURES[name].most for name, weight in weighted) >= self.MAXSCORE:
            raise GamesearchError(f"features={features!r} could outweigh a mate ({self.MAXSCORE}): weigh in pawns")
        self._measures = tuple(FEATURES[name].measure for name in self.feature_names)

    def parameters(self) -> dict[str, Any]:
        """The names of the piece values and of the weighted features."""
        values = next(name for name, values in VALUES.items() if values is self.values)
        features = [
            name if weight == FEATURES[name].weight else f"{name}:{weight}"
            for name, weight in zip(self.feature_names, [self.rules.sense * w for w in self.weights], strict=True)
        ]
        return {
            "variant": self.variant,
            "values": values,
            "features": USUAL if self.is_usual else "+".join(features),
            "draws": self.draws,
            "start": self.start,
        }

    # The rules. ----------------------------------------------------------------------------------
    def initial(self) -> Position:
        return self.rules.start(self.start)

    def player(self, s: Position) -> int:
        return MAX if s.turn else MIN

    def moves(self, s: Position) -> Iterator[int]:
        return s.moves()

    def result(self, s: Position, m: int) -> Position:
        # Without its stack, a copied board takes 0.8 us instead of 13; `before` keeps what repetitions need.
        after = s.copy(stack=False)
        after.push(decoded(m))
        if after.halfmove_clock or not after.earliest_repetition:
            after.before = s
        return after

    def terminal(self, s: Position) -> bool:
        if next(s.generate_legal_moves(), None) is None:
            return True
        if s.halfmove_clock < s.earliest_repetition and s.pawns | s.queens:  # too soon for any draw
            return False
        return self.draws and s.drawn_by() != ""

    def utility(self, s: Position) -> int:
        outcome = s.outcome()  # without the draws that are counted here: those have no winner
        if outcome is None or outcome.winner is None:
            return 0
        return 1000 if outcome.winner else -1000

    def progress(self, s: Position) -> int:
        """The ply of the last capture or pawn move, where that cannot be undone."""
        return 0 if not s.earliest_repetition else 2 * s.fullmove_number - s.turn - s.halfmove_clock

    # What search may ask to do better. -----------------------------------------------------------
    def features(self, s: Position) -> tuple[float, ...]:
        return tuple([measure(s, self.values) for measure in self._measures])

    def evaluate(self, s: Position) -> float:
        value, weights, values = 0.0, self.weights, self.values
        for i, measure in enumerate(self._measures):  # sooner than zip, for the one or two that there mostly are
            value += weights[i] * measure(s, values)
        return value

    def key(self, s: Position) -> int:
        return hash(s.key())  # one int is mixed sooner than five

    def order(self, s: Position, m: int) -> float:
        """Promotions, captures of the most valuable by the least valuable, and moves towards the middle."""
        captured = s.piece_type_at(m >> 6 & 63)
        if not captured:
            return ORDER_VALUES[m >> PROMOTION & 7] if m >> PROMOTION else INWARDS[m]
        attacker = s.piece_type_at(m & 63) or 0
        return ORDER_VALUES[m >> PROMOTION & 7] + ORDER_VALUES[captured] + 100 - ORDER_VALUES[attacker] // 10

    def kind_of_move(self, s: Position, m: int) -> int:
        """Captures and promotions; whether a move gives check takes too long to find out."""
        if m >> PROMOTION & 7 or s.piece_type_at(m >> 6 & 63) or s.is_en_passant(decoded(m)):
            return CAPTURE
        ahead = (m >> 9 & 7) - (m >> 3 & 7)
        return FORWARD if (ahead if s.turn else -ahead) >= 0 else BACKWARD

    def for_perft(self) -> "Chess":
        return Chess(**{**self.parameters(), "draws": False})
