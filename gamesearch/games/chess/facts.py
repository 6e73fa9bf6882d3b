"""What is true of chess whoever makes its moves: parameters, published answers, and how it is drawn by rule."""

from collections.abc import Collection, Hashable, Mapping
from typing import Any, ClassVar, Self, TypeVar

import chess

from gamesearch.errors import GamesearchError
from gamesearch.game import IGNORED, RECURRENCE_DRAWS
from gamesearch.games.chess.features import FEATURES, known_name, read_weight
from gamesearch.games.chess.notation import ChessNotation
from gamesearch.games.chess.values import ALIASES, VALUES
from gamesearch.games.chess.variants import VARIANTS, variant_name
from gamesearch.optional import Categorized
from gamesearch.toolkit.boards import Palette
from gamesearch.toolkit.known import Known

__all__ = ["DRAWN_CLOCK", "PYTHON_CHESS", "ChessFacts"]

State = TypeVar("State", bound=Hashable)

DRAWN_CLOCK = 100
"""The game is drawn after this many plies without a capture or pawn move."""
COUNTED_CLOCK = 60
"""Positions with different clocks have different keys from this clock on, because the draw by the clock is near."""
CLOCK_PLACE = 13
"""The first bit of the clock in a key. That part of a key has castling rights in bits 0 to 7 and 56 to 63, the turn in
bit 12, and en passant from bit 29 on."""
USUAL_ARRAY = 518
"""The number of the usual array among those of Chess960."""
USUAL = "usual"
PYTHON_CHESS = "python-chess"
PERFT_FILES = "perft files of python-chess (examples/perft)"


class ChessFacts(ChessNotation[State], Categorized[State]):
    """Parameters and published answers; White is Max."""

    choices: ClassVar[Mapping[str, Collection[str]]] = {
        "variant": VARIANTS,
        "values": VALUES,
        "features": (USUAL, *FEATURES),
        "rules": (USUAL, PYTHON_CHESS),
    }
    unit = "pawns"
    tunable = ("weights", "worths")  # so that all systems of piece values share their machine code
    palette = Palette(board="#f0d9b5", dark="#b58863", sides=("#ffffff", "#000000"), mark="#cdd26a")
    recurrence = RECURRENCE_DRAWS
    shortest_cycle = 4  # each player moves a piece of his own, and moves it back
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

    def __init__(
        self,
        variant: str = "standard",
        values: str = "standard",
        features: str = USUAL,
        draws: bool = True,
        start: int = USUAL_ARRAY,
        rules: str = USUAL,
    ) -> None:
        self.variant = known_name("variants", variant_name(variant), VARIANTS)
        self.rule_set = VARIANTS[self.variant]
        self.chess960 = self.rule_set.chess960
        self.rules = known_name("rules", rules, dict.fromkeys(self.choices["rules"]))
        self.values = known_name("piece values", ALIASES.get(values, values), VALUES)
        self.worths = tuple(map(float, VALUES[self.values][:6]))
        self.draws = draws
        self.recurrence = RECURRENCE_DRAWS if draws else IGNORED
        if not 0 <= start < 960 or (start != USUAL_ARRAY and not self.chess960):
            raise GamesearchError(f"start={start} is not the number of an array: variant=chess960 has 0 to 959")
        self.start = start
        self.is_usual = features in (USUAL, self.rule_set.features)
        weighted = [read_weight(part) for part in (self.rule_set.features if self.is_usual else features).split("+")]
        self.feature_names = tuple(name for name, _ in weighted)
        self.weights = tuple(self.rule_set.sense * weight for _, weight in weighted)
        if len(set(self.feature_names)) < len(weighted):
            raise GamesearchError(f"features={features!r} names a feature twice")
        if sum(abs(weight) * FEATURES[name].most for name, weight in weighted) >= self.MAXSCORE:
            raise GamesearchError(f"features={features!r} could outweigh a mate ({self.MAXSCORE}): weigh in pawns")
        self.prepare()

    def prepare(self) -> None:
        """Keep what the evaluation looks up for the features."""

    def clock_in_key(self, clock: int) -> int:
        """The part of a key that distinguishes positions with different clocks, if the draw by the clock is near.

        Such positions have different values, so the table must not take one for another.
        """
        return clock << CLOCK_PLACE if self.draws and clock >= COUNTED_CLOCK else 0

    def parameters(self) -> dict[str, Any]:
        """The names of the piece values and of the weighted features."""
        features = [
            name if weight == FEATURES[name].weight else f"{name}:{weight}"
            for name, weight in zip(self.feature_names, [self.rule_set.sense * w for w in self.weights], strict=True)
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
        """Of material, the pieces that White has more, and those that Black has: `+B -N` is bishop against knight."""
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
