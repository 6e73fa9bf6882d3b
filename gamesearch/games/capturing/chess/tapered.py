"""The tapered evaluation of chess: many terms, whose weights change gradually from the middlegame to the endgame.

Most chess programs use the terms of this evaluation (chessprogramming wiki, "Evaluation" and "Tapered Eval"). Each term
has two weights in pawns, one for the middlegame and one for the endgame. Squares are seen from the side that owns the
piece. A square and its mirror image on the other half of the board (left or right) share a weight. Simple formulas gave
most of the weights. `gamesearch learn "chess(features=tapered)"` can tune them, but tuned weights won no match clearly
(benchmarks/results.md, "Chess: tapered evaluation"). The evaluation is linear in the weights. So `features` finds the
amount of a term by an evaluation in which this term has weight 1 and all others have weight 0.
"""

import copy
import math
from collections.abc import Callable, Iterator

from gamesearch.errors import GamesearchError
from gamesearch.games._shared.cells import members_down
from gamesearch.games.capturing.chess.endgames import mating_value, steps, winning_share
from gamesearch.games.capturing.chess.evaluation import DARK_SQUARES, FILE_A, ChessEvaluation, mirror
from gamesearch.games.capturing.chess.generation import captures_left, captures_right
from gamesearch.games.capturing.chess.position import KING_STEPS, PROMOTION, Position, piece_at, piece_attacks
from gamesearch.learned.evaluation import LearnedEvaluation
from gamesearch.learned.weights_files import LEARNED, SUFFIX, LearnedWeights, path_of_weights
from gamesearch.toolkit.bits import Board64, BoardTable, high_bit_index, low_bit_index, popcount

__all__ = ["NAMES", "TERMS", "TaperedEvaluation"]

Pair = tuple[float, float]
"""The weights of a term in the middlegame and in the endgame, in hundredths of a pawn."""
TERMS = "terms"
"""The name under which gamesearch ships the learned weights of the terms."""
PIECES = ("pawn", "knight", "bishop", "rook", "queen", "king")
MOST_ATTACK = 20
"""The number of levels of strength of an attack on a king. Each level has its own weight."""


def placement(piece: int, rank: int, file: int) -> Pair:
    """The weights for a kind of piece on a square. Ranks and files are numbered from 0; file 0 is at the edge."""
    middle = file + min(rank, 7 - rank)  # from 0 in a corner to 6 in the center
    if piece == 0:
        early = (0, 0, 2, 6, 14, 30, 60, 0)[rank] + (-8, -2, 0, 4)[file]
        early += {3: (0, -14, 4, 18, 16, 10, 0, 0), 2: (0, -2, 2, 10, 8, 4, 0, 0)}.get(file, (0,) * 8)[rank]
        return early, (0, 0, 3, 8, 18, 40, 80, 0)[rank] + (2, 2, 0, -2)[file]
    if piece == 1:
        early = (-45, -28, -14, -2, 8, 16, 20)[middle] + (-12, -4, 4, 8, 14, 14, 4, -10)[rank]
        return early, (-40, -28, -16, -6, 4, 12, 16)[middle]
    if piece == 2:
        early = (-12, -6, 0, 5, 9, 12, 14)[middle] + (-12, 4, 4, 4, 4, 0, -2, -8)[rank]
        return early + (10 if (rank, file) == (1, 1) else 0), (-14, -8, -3, 1, 5, 8, 10)[middle]
    if piece == 3:
        return (-4, 0, 4, 8)[file] + (0, -6, -4, -2, 0, 4, 22, 12)[rank], (0, 0, 0, 0, 3, 6, 12, 8)[rank]
    if piece == 4:
        return (-4, 0, 2, 3)[file] + (0, 2, 2, 0, 0, 2, 4, 2)[rank], (-20, -12, -4, 2, 8, 14, 18)[middle]
    early = (24, 32, 8, -12)[file] if rank == 0 else (14, 12, -14, -32)[file] - (0, 14, 36, 56, 70, 80, 90, 100)[rank]
    return early, (-48, -28, -12, 2, 14, 24, 30)[middle] + (-8, 0, 2, 6, 10, 10, 6, -4)[rank]


def by_number(count: int, weight: Callable[[int], Pair]) -> dict[str, Pair]:
    """Make a term for each number from 0 to `count` - 1. The function `weight` returns the two weights of a term."""
    return {str(number): weight(number) for number in range(count)}


GROUPS: dict[str, dict[str, Pair]] = {
    "material": dict(zip(PIECES, ((85, 110), (335, 305), (350, 325), (490, 535), (985, 985)), strict=False)),
    "placement": {
        f"{name} {'abcd'[file]}{rank + 1}": placement(piece, rank, file)
        for piece, name in enumerate(PIECES)
        for rank in range(8)
        for file in range(4)
    },
    "mobility": {
        **{f"knight {n}": (4 * (n - 4), 4 * (n - 4)) for n in range(9)},
        **{f"bishop {n}": (4 * (n - 6), 5 * (n - 6)) for n in range(14)},
        **{f"rook {n}": (2 * (n - 7), 4 * (n - 7)) for n in range(15)},
        **{f"queen {n}": (1 * (n - 13), 3 * (n - 13)) for n in range(28)},
    },
    "bishops": {"pair": (25, 45), "pawns on its color": (-3, -6)},
    "outposts": {"knight": (20, 12), "bishop": (12, 4)},
    "rooks": {"half-open file": (13, 8), "open file": (28, 12), "seventh rank": (8, 20)},
    "passed pawns": {
        **by_number(8, lambda rank: ((0, 2, 4, 12, 30, 60, 100, 0)[rank], (0, 8, 14, 30, 60, 105, 170, 0)[rank])),
        "blocked": (-2, -8),
        "steps of own king": (0, -2),
        "steps of other king": (0, 4),
    },
    "pawns": {"doubled": (-8, -18), "isolated": (-10, -12), "isolated, open": (-18, -14), "backward": (-8, -8)},
    "connected pawns": by_number(
        8, lambda rank: ((0, 3, 7, 9, 16, 30, 50, 0)[rank], (0, 0, 4, 6, 12, 24, 40, 0)[rank])
    ),
    "king shelter": by_number(8, lambda rank: ((-14, 16, 9, 0, -4, -6, -8, 0)[rank], 0)),
    "pawn storm": by_number(8, lambda rank: ((0, 0, -10, -14, -6, 0, 0, 0)[rank], 0)),
    "file open to king": {"": (-14, 0)},
    "king attack": by_number(MOST_ATTACK, lambda strength: (strength * strength, 0)),
    "threats": {
        **{f"pawn on {PIECES[n]}": ((2, 40, 40, 50, 50)[n], (4, 30, 35, 30, 40)[n]) for n in range(5)},
        **{f"minor on {PIECES[n]}": ((4, 18, 18, 36, 36)[n], (8, 16, 16, 30, 36)[n]) for n in range(5)},
        **{f"rook on {PIECES[n]}": ((2, 12, 12, 4, 36)[n], (10, 14, 14, 4, 36)[n]) for n in range(5)},
    },
    "tempo": {"": (12, 8)},
}
"""The initial weights of all terms, by group."""


def starts() -> Iterator[tuple[str, int]]:
    """Yield each group's name with the index of the group's first term, and each term's name with the term's index."""
    place = 0
    for group, terms in GROUPS.items():
        yield group, place
        for detail in terms:
            yield f"{group}: {detail}", place
            place += 1


PLACES = dict(starts())
COUNT = sum(map(len, GROUPS.values()))
"""The number of terms. The weight of term i for the endgame is at COUNT + i."""
MATERIAL, PLACEMENT, BISHOP_PAIR, OUTPOST = (PLACES[name] for name in ("material", "placement", "bishops", "outposts"))
KNIGHT_MOBILITY, BISHOP_MOBILITY = PLACES["mobility: knight 0"], PLACES["mobility: bishop 0"]
ROOK_MOBILITY, QUEEN_MOBILITY = PLACES["mobility: rook 0"], PLACES["mobility: queen 0"]
BAD_BISHOP, ROOK_FILES, SEVENTH = BISHOP_PAIR + 1, PLACES["rooks"], PLACES["rooks: seventh rank"]
PASSED, BLOCKED, KINGS_DISTANCE = (PLACES[f"passed pawns{rest}"] for rest in ("", ": blocked", ": steps of own king"))
DOUBLED, ISOLATED, BACKWARD = (PLACES[f"pawns: {name}"] for name in ("doubled", "isolated", "backward"))
CONNECTED, SHELTER, STORM = (PLACES[name] for name in ("connected pawns", "king shelter", "pawn storm"))
OPEN_TO_KING, ATTACK, TEMPO = (PLACES[name] for name in ("file open to king", "king attack", "tempo"))
THREAT_BY_PAWN, THREAT_BY_MINOR = PLACES["threats"], PLACES["threats: minor on pawn"]
THREAT_BY_ROOK = PLACES["threats: rook on pawn"]

NAMES = tuple(
    f"{group}: {detail}{', ' * bool(detail)}{phase}"
    for phase in ("middlegame", "endgame")
    for group, terms in GROUPS.items()
    for detail in terms
)
"""The name of each weight: the group, a colon, the term in the group, and the phase (middlegame or endgame)."""
FIRST_WEIGHTS = tuple(pair[phase] / 100 for phase in (0, 1) for terms in GROUPS.values() for pair in terms.values())

ALL_PIECES = 24
"""The phase of the initial position. Each knight and bishop adds 1 to the phase, each rook 2, and each queen 4."""
QUIET_GAIN = 1.2
"""A quiet move almost never gains more than this number of pawns."""
PAWNS_PER_ODDS = 3.0
"""The advantage in pawns that raises the winning chances from 50 % to 88 %."""
RANK = 0xFF
RANKS_4_TO_6 = 0x0000_FFFF_FF00_0000


def squares_of(is_in: Callable[[int, int], bool]) -> BoardTable:
    """For each square, the set of other squares for which `is_in` is true. The arguments of `is_in` are the number of
    files and the number of ranks (upwards) from the square to the other square."""
    places = [divmod(square, 8) for square in range(64)]
    return BoardTable(sum(1 << 8 * r + f for r, f in places if is_in(abs(f - file), r - rank)) for rank, file in places)


FOLDED = BoardTable(square // 8 * 4 + min(square % 8, 7 - square % 8) for square in range(64))
"""For each square, a number from 0 to 31. A square and its left-right mirror image have the same number."""
AHEAD = squares_of(lambda files, up: files == 0 and up > 0)
SPAN = squares_of(lambda files, up: files <= 1 and up > 0)
"""For each square, the squares on which enemy pawns could stop a pawn. They are ahead of the square, on its file and
the adjacent files."""
NOT_AHEAD = squares_of(lambda files, up: files == 1 and up <= 0)
NEIGHBORS = squares_of(lambda files, up: files == 1 and up == 0)
BESIDE = BoardTable(behind | SPAN[square] & ~AHEAD[square] for square, behind in enumerate(NOT_AHEAD))
UPWARD = BoardTable(0xFFFF_FFFF_FFFF_FFFF >> 8 * rank << 8 * rank for rank in range(8))
"""For each rank, the squares of this rank and of all higher ranks."""


class TaperedEvaluation(LearnedEvaluation, ChessEvaluation):
    """The evaluation with all terms. The weights are read from a file. The default is the file that comes with
    gamesearch."""

    feature_names = NAMES
    weights = FIRST_WEIGHTS

    def read_weights(self, name: str) -> None:
        """Read the weights from a file; raises GamesearchError if the weights belong to other features."""
        path = path_of_weights(LEARNED, type(self)).with_name(f"chess_terms{SUFFIX}") if name == TERMS else None
        found = LearnedWeights.parse(name, path or path_of_weights(name, type(self)))
        if found.features != NAMES or len(found.weights) != len(NAMES) or not all(map(math.isfinite, found.weights)):
            raise GamesearchError(f"the weights in {name} do not fit the features: learn the weights again")
        self.weights, self.weights_name = found.weights, name

    def weight(self, term: int, early: float) -> float:
        """The weight of a term in a phase of the game. `early` is 1 in the opening and falls to 0 in the endgame."""
        return self.weights[term] * early + self.weights[COUNT + term] * (1.0 - early)

    def evaluate(self, s: Position) -> float:
        mating = mating_value(s)
        return mating if mating != 0 else self.sum_of_terms(s)

    def features(self, s: Position) -> tuple[float, ...]:
        import numpy as np  # slow to import; only learning and explanations need it

        game = copy.copy(self)
        game.weights = np.eye(2 * COUNT)  # type: ignore[assignment]
        return tuple(map(float, game.sum_of_terms(s) + np.zeros(2 * COUNT)))

    def sum_of_terms(self, s: Position) -> float:
        """The difference between White's and Black's terms, multiplied by `winning_share`. Each side is evaluated as if
        it were White."""
        bishops, rooks, queens = s.diagonal & ~s.straight, s.straight & ~s.diagonal, s.diagonal & s.straight
        phase = popcount(s.knights) + popcount(bishops) + 2 * popcount(rooks) + 4 * popcount(queens)
        early = min(1.0, phase / ALL_PIECES)
        white = self.side_value(s.pawns, s.knights, s.diagonal, s.straight, s.kings, s.white, s.black, early)
        black = self.side_value(
            mirror(s.pawns), mirror(s.knights), mirror(s.diagonal), mirror(s.straight), mirror(s.kings),
            mirror(s.black), mirror(s.white), early,
        )  # fmt: skip
        tempo = self.weight(TEMPO, early)
        return (white - black + (tempo if s.ply & 1 == 0 else -tempo)) * winning_share(s)

    def side_value(
        self, pawns: int, knights: int, diagonal: int, straight: int, kings: int, own: int, other: int, early: float
    ) -> float:
        """The sum of the terms of one side. If the side is Black, the caller must mirror the board, so that its pawns
        move up."""
        taken, own_pawns, their_pawns = own | other, pawns & own, pawns & other
        defended = captures_left(own_pawns, 0) | captures_right(own_pawns, 0)
        attacked = captures_left(their_pawns, 1) | captures_right(their_pawns, 1)
        king, their_king = high_bit_index(kings & own), high_bit_index(kings & other)
        zone, free = KING_STEPS[their_king] | kings & other, ~(own_pawns | kings & own | attacked)
        value = self.pawns_value(own_pawns, their_pawns, taken, defended, attacked, king, their_king, early)
        value += self.king_value(own_pawns, their_pawns, king, early)
        by_minors, by_rooks = Board64(0), Board64(0)
        strength = attackers = 0
        for square in members_down(own & ~pawns & ~kings):
            at, rank = 1 << square, square >> 3
            reach = piece_attacks(square, knights, diagonal, straight, taken)
            count, hits = popcount(reach & free), popcount(reach & zone)
            if knights & at:
                piece, force = 1, 2
                by_minors |= reach
                value += self.weight(KNIGHT_MOBILITY + count, early)
            elif diagonal & at == 0:
                piece, force = 3, 3
                by_rooks |= reach
                value += self.weight(ROOK_MOBILITY + count, early)
                column = FILE_A << (square & 7)
                if own_pawns & column == 0:
                    value += self.weight(ROOK_FILES + (1 if their_pawns & column == 0 else 0), early)
                if rank == 6 and (their_pawns & RANK << 48 != 0 or their_king >= 56):
                    value += self.weight(SEVENTH, early)
            elif straight & at == 0:
                piece, force = 2, 2
                by_minors |= reach
                value += self.weight(BISHOP_MOBILITY + count, early)
                color = DARK_SQUARES if DARK_SQUARES & at else ~DARK_SQUARES
                value += self.weight(BAD_BISHOP, early) * popcount(own_pawns & color)
            else:
                piece, force = 4, 4
                value += self.weight(QUEEN_MOBILITY + count, early)
            value += self.weight(MATERIAL + piece, early)
            value += self.weight(PLACEMENT + 32 * piece + int(FOLDED[square]), early)
            if piece <= 2 and defended & RANKS_4_TO_6 & at and SPAN[square] & BESIDE[square] & their_pawns == 0:
                value += self.weight(OUTPOST + piece - 1, early)
            if hits:
                strength += force * hits
                attackers += 1
        bishops = own & diagonal & ~straight
        if bishops & DARK_SQUARES != 0 and bishops & ~DARK_SQUARES != 0:
            value += self.weight(BISHOP_PAIR, early)
        if attackers >= 2:
            strength = strength if own & diagonal & straight else strength // 2
            value += self.weight(ATTACK + min(MOST_ATTACK - 1, strength // 2), early)
        for piece in range(5):
            if piece == 0:
                target = their_pawns
            elif piece == 1:
                target = knights & other
            elif piece == 2:
                target = diagonal & ~straight & other
            else:
                target = straight & other & (~diagonal if piece == 3 else diagonal)
            value += self.weight(THREAT_BY_PAWN + piece, early) * popcount(defended & target)
            loose = target if piece >= 3 else target & ~attacked  # protection by a pawn does not help a rook or queen
            value += self.weight(THREAT_BY_MINOR + piece, early) * popcount(by_minors & loose)
            loose = target if piece == 4 else target & ~attacked
            value += self.weight(THREAT_BY_ROOK + piece, early) * popcount(by_rooks & loose)
        return value

    def pawns_value(
        self, own: int, their: int, taken: int, defended: int, attacked: int, king: int, their_king: int, early: float
    ) -> float:
        """The sum of the terms of a side's pawns. `attacked` contains the squares that the other side's pawns
        attack."""
        value = self.weight(MATERIAL, early) * popcount(own)
        for square in members_down(own):
            rank, front = square >> 3, square + 8
            value += self.weight(PLACEMENT + int(FOLDED[square]), early)
            is_doubled, is_open = AHEAD[square] & own != 0, AHEAD[square] & their == 0
            if is_doubled:
                value += self.weight(DOUBLED, early)
            if BESIDE[square] & own == 0:
                value += self.weight(ISOLATED + (1 if is_open else 0), early)
            elif NOT_AHEAD[square] & own == 0 and attacked >> front & 1:
                value += self.weight(BACKWARD, early)
            if defended >> square & 1 or NEIGHBORS[square] & own:
                value += self.weight(CONNECTED + rank, early)
            if SPAN[square] & their == 0 and not is_doubled:
                value += self.weight(PASSED + rank, early)
                if taken >> front & 1:
                    value += self.weight(BLOCKED, early) * rank
                if rank >= 3:
                    value += self.weight(KINGS_DISTANCE, early) * ((rank - 2) * steps(king, front))
                    value += self.weight(KINGS_DISTANCE + 1, early) * ((rank - 2) * steps(their_king, front))
        return value

    def king_value(self, own: int, their: int, king: int, early: float) -> float:
        """The sum of the terms for a king: its place, the pawns that shelter it, and the enemy pawns that approach
        it."""
        value = self.weight(PLACEMENT + 32 * 5 + int(FOLDED[king]), early)
        file, ahead = king & 7, UPWARD[king >> 3]
        for near in range(max(0, file - 1), min(7, file + 1) + 1):
            column = FILE_A << near & ahead
            value += self.weight(SHELTER + (low_bit_index(own & column) >> 3 if own & column else 0), early)
            if their & column:
                value += self.weight(STORM + (low_bit_index(their & column) >> 3), early)
            elif own & column == 0:
                value += self.weight(OPEN_TO_KING, early)
        return value

    def most_gain(self, s: Position, m: int) -> float:
        """An upper bound on the gain of a move: the sum of QUIET_GAIN, the value of the captured piece, and the gain by
        promotion."""
        to, promoted = m >> 6 & 63, m >> PROMOTION
        gain = QUIET_GAIN
        if promoted:
            gain += self.greatest_value(promoted) - self.greatest_value(1)
        if self.is_taking(s, to):
            gain += self.greatest_value(piece_at(s.pawns, s.knights, s.diagonal, s.straight, s.kings, to))
        elif s.en_passant != 0 and to == s.en_passant:
            gain += self.greatest_value(1)
        return gain

    def greatest_value(self, piece: int) -> float:
        """The greater of the two weights (middlegame and endgame) of a piece. `piece` is a number from 1 (pawn) to 5
        (queen)."""
        return max(self.weights[MATERIAL + piece - 1], self.weights[COUNT + MATERIAL + piece - 1])

    def win_chance(self, estimate: float) -> float:
        return (1 + math.tanh(estimate / PAWNS_PER_ODDS)) / 2
