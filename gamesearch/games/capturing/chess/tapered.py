"""The tapered evaluation of chess: many terms, whose weights change gradually from the middlegame to the endgame.

Most chess programs use the terms of this evaluation (chessprogramming wiki, "Evaluation" and "Tapered Eval"). The
module `terms` contains their initial weights. `gamesearch learn` improved the initial weights and wrote the result to a
file. The evaluation is linear in the weights. So `features` finds the amount of each term by evaluating with weight 1
for this term and 0 for all others.
"""

import copy
import math
from collections.abc import Callable

from gamesearch.errors import GamesearchError
from gamesearch.games._shared.cells import members_down
from gamesearch.games.capturing.chess.evaluation import DARK_SQUARES, FILE_A, FILES, RANKS, ChessEvaluation, mirror
from gamesearch.games.capturing.chess.generation import captures_left, captures_right
from gamesearch.games.capturing.chess.position import KING_STEPS, PROMOTION, Position, piece_at, piece_attacks
from gamesearch.games.capturing.chess.terms import (
    ATTACK,
    BACKWARD,
    BAD_BISHOP,
    BISHOP_MOBILITY,
    BISHOP_PAIR,
    BLOCKED,
    CONNECTED,
    COUNT,
    DOUBLED,
    FIRST_WEIGHTS,
    ISOLATED,
    KINGS_DISTANCE,
    KNIGHT_MOBILITY,
    MATERIAL,
    MOST_ATTACK,
    NAMES,
    OPEN_TO_KING,
    OUTPOST,
    PASSED,
    PLACEMENT,
    QUEEN_MOBILITY,
    ROOK_FILES,
    ROOK_MOBILITY,
    SEVENTH,
    SHELTER,
    STORM,
    TEMPO,
    TERMS,
    THREAT_BY_MINOR,
    THREAT_BY_PAWN,
    THREAT_BY_ROOK,
)
from gamesearch.learned.evaluation import LearnedEvaluation
from gamesearch.learned.weights_files import LEARNED, SUFFIX, LearnedWeights, path_of_weights
from gamesearch.toolkit.bits import Board64, BoardTable, high_bit_index, low_bit_index, popcount

__all__ = ["TaperedEvaluation"]

ALL_PIECES = 24
"""The phase of the initial position. Each knight and bishop adds 1 to the phase, each rook 2, and each queen 4."""
QUIET_GAIN = 1.2
"""A quiet move almost never gains more than this number of pawns."""
PAWNS_PER_ODDS = 3.0
"""The advantage in pawns that raises the winning chances from 50 % to 88 %."""
KNOWN_WIN = 10.0
"""The bonus, in pawns, for a side that can force mate against a bare king."""
RANK, FILE_H = 0xFF, FILE_A << 7
RANKS_4_TO_6 = 0x0000_FFFF_FF00_0000


def squares_of(is_in: Callable[[int, int], bool]) -> BoardTable:
    """For each square, the squares for which `is_in` is true. The arguments of `is_in` are the distances from the first
    square, in files and in ranks upwards."""
    places = [divmod(square, 8) for square in range(64)]
    return BoardTable(sum(1 << 8 * r + f for r, f in places if is_in(abs(f - file), r - rank)) for rank, file in places)


FOLDED = BoardTable(square // 8 * 4 + min(square % 8, 7 - square % 8) for square in range(64))
"""For each square, a number from 0 to 31, which the square shares with its mirror image on the other half (left or
right)."""
FROM_CENTER = BoardTable(ranks + files for ranks, files in zip(RANKS, FILES, strict=True))
"""For each square, its distance from the nearest of the four center squares, in steps along ranks and files."""
AHEAD = squares_of(lambda files, up: files == 0 and up > 0)
SPAN = squares_of(lambda files, up: files <= 1 and up > 0)
"""For each square, the squares ahead of it on the same file and on the adjacent files. Enemy pawns on the squares ahead
can stop a pawn, or can attack a piece later."""
NOT_AHEAD = squares_of(lambda files, up: files == 1 and up <= 0)
NEIGHBORS = squares_of(lambda files, up: files == 1 and up == 0)
BESIDE = BoardTable(behind | SPAN[square] & ~AHEAD[square] for square, behind in enumerate(NOT_AHEAD))
UPWARD = BoardTable(0xFFFF_FFFF_FFFF_FFFF >> 8 * rank << 8 * rank for rank in range(8))
"""For each rank, the squares of this rank and of all higher ranks."""


def steps(one: int, other: int) -> int:
    """The number of king moves between two squares."""
    return max(abs((one >> 3) - (other >> 3)), abs((one & 7) - (other & 7)))


class TaperedEvaluation(LearnedEvaluation, ChessEvaluation):
    """The evaluation with all terms. The weights come from a file, by default from the file that comes with
    gamesearch."""

    learned_attribute = "weights"
    feature_names = NAMES
    weights = FIRST_WEIGHTS

    def read_weights(self, name: str) -> None:
        """Read the weights from a file; raises GamesearchError if they belong to other features."""
        path = path_of_weights(LEARNED, type(self)).with_name(f"chess_terms{SUFFIX}") if name == TERMS else None
        found = LearnedWeights.parse(name, path or path_of_weights(name, type(self)))
        if found.features != NAMES or len(found.weights) != len(NAMES) or not all(map(math.isfinite, found.weights)):
            raise GamesearchError(f"{name} has weights of other features: learn them again")
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
        """The sum of all terms for White minus the sum for Black, multiplied by `winning_share`. Each side is evaluated
        as if it were White."""
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
        """The sum of the terms of one side. The board is turned so that the evaluated side plays upwards."""
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
            loose = target if piece >= 3 else target & ~attacked  # pawns cannot protect a major piece
            value += self.weight(THREAT_BY_MINOR + piece, early) * popcount(by_minors & loose)
            loose = target if piece == 4 else target & ~attacked
            value += self.weight(THREAT_BY_ROOK + piece, early) * popcount(by_rooks & loose)
        return value

    def pawns_value(
        self, own: int, their: int, taken: int, defended: int, attacked: int, king: int, their_king: int, early: float
    ) -> float:
        """The sum of the terms of a side's pawns. `attacked` are the squares that the other side's pawns attack."""
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
        """The sum of the terms for a king: its place, its shelter of pawns, and approaching enemy pawns."""
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
        """An upper bound on the gain of a move: the values of the captured piece and of the promotion, plus the
        greatest gain of a quiet move."""
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
        """The greater of the two weights (middlegame and endgame) of a piece, from 1 for a pawn to 5 for a queen."""
        return max(self.weights[MATERIAL + piece - 1], self.weights[COUNT + MATERIAL + piece - 1])

    def win_chance(self, estimate: float) -> float:
        return (1 + math.tanh(estimate / PAWNS_PER_ODDS)) / 2


# Endgames. ----------------------------------------------------------------------------------------
def points(s: Position, own: int) -> int:
    """The material of a side, with the usual piece values."""
    bishops, rooks, queens = s.diagonal & ~s.straight & own, s.straight & ~s.diagonal & own, s.diagonal & s.straight
    minors = popcount(s.knights & own) + popcount(bishops)
    return popcount(s.pawns & own) + 3 * minors + 5 * popcount(rooks) + 9 * popcount(queens & own)


def winning_share(s: Position) -> float:
    """A factor for the evaluation. The factor is below 1 in endgames that the stronger side can hardly win."""
    white, black = points(s, s.white), points(s, s.black)
    strong, weak = (s.white, s.black) if white >= black else (s.black, s.white)
    lead = abs(white - black)
    bishops, pieces = s.diagonal & ~s.straight, s.knights | s.diagonal | s.straight
    if lead == 0 and s.pawns == 0:
        return 0.25
    if lead > 0 and s.pawns & strong == 0:
        if s.straight & strong == 0 and max(white, black) <= 3:
            return 0.05  # only one knight or bishop
        if lead == 6 and pieces & strong & ~s.knights == 0 and s.pawns & weak == 0:
            return 0.05  # only two knights
        return 0.25 if lead <= 3 else 1.0
    if pieces == bishops and popcount(bishops & strong) == 1:
        if popcount(bishops & weak) == 1 and popcount(bishops & DARK_SQUARES) == 1:
            return 0.5  # bishops of opposite colors
        if lead > 0 and bishops & weak == 0 and is_wrong_bishop(s, strong, weak):
            return 0.05
    return 1.0


def is_wrong_bishop(s: Position, strong: int, weak: int) -> bool:
    """Whether all pawns are on one edge file, and the enemy king controls the square on which they promote, but the
    bishop cannot reach this square."""
    pawns = s.pawns & strong
    if pawns & ~FILE_A != 0 and pawns & ~FILE_H != 0:
        return False
    corner = (56 if strong == s.white else 0) + (0 if pawns & FILE_A else 7)
    is_dark = DARK_SQUARES >> corner & 1 != 0
    has_dark = s.diagonal & strong & DARK_SQUARES != 0
    return is_dark != has_dark and steps(high_bit_index(s.kings & weak), corner) <= 1


def mating_value(s: Position) -> float:
    """The value for White of an endgame in which one side has a bare king and the other can force mate; otherwise 0."""
    if s.black & ~s.kings == 0:
        return value_against(s, s.white, s.black)
    if s.white & ~s.kings == 0:
        return -value_against(s, s.black, s.white)
    return 0.0


def value_against(s: Position, strong: int, weak: int) -> float:
    """The value for the side `strong` against a bare king; 0 if its pieces cannot force mate.

    The value grows as the bare king is driven to a corner and as the other king approaches the bare king. With a bishop
    and a knight, the corner must have the color of the bishop's squares.
    """
    bishops = s.diagonal & ~s.straight & strong
    has_pair = bishops & DARK_SQUARES != 0 and bishops & ~DARK_SQUARES != 0
    has_both = bishops != 0 and s.knights & strong != 0
    if s.straight & strong == 0 and not has_pair and not has_both:
        return 0.0
    king, lone = high_bit_index(s.kings & strong), high_bit_index(s.kings & weak)
    value = KNOWN_WIN + points(s, strong) + 0.4 * (7 - steps(king, lone))
    if s.straight & strong != 0 or has_pair:
        return value + 0.2 * int(FROM_CENTER[lone])
    rank, file = lone >> 3, lone & 7
    if bishops & DARK_SQUARES == 0:
        file = 7 - file
    return value + 1.5 * abs(rank + file - 7)  # the distance from the diagonal between the wrong corners
