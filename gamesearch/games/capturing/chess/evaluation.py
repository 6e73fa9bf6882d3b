"""The evaluation, move ordering and patterns of chess, computed with bitboards."""

from collections.abc import Iterator, Mapping

from gamesearch.game import BACKWARD, CAPTURE, FORWARD
from gamesearch.games._shared.cells import members_down
from gamesearch.games.capturing.chess.generation import MoveGeneration
from gamesearch.games.capturing.chess.position import PROMOTION, Position, attackers, piece_at, piece_attacks
from gamesearch.optional import ExchangeGame, NetworkGame, PatternGame, SelectiveGame
from gamesearch.toolkit.bits import Board64, BoardTable, high_bit_index, popcount, replace_item
from gamesearch.toolkit.boards import Place

__all__ = ["FROM_MIDDLE", "ORDER_VALUES", "ChessEvaluation"]

ORDER_VALUES = (0, 100, 300, 300, 500, 900, 1000)
"""The values of pieces for ordering captures, in hundredths of a pawn. The king has the greatest value, so captures by
the king come last."""
RANKS = [max(3 - square // 8, square // 8 - 4) for square in range(64)]
FILES = [max(3 - square % 8, square % 8 - 4) for square in range(64)]
FROM_MIDDLE = BoardTable(map(max, RANKS, FILES))
"""For each square, its distance from the nearest of the four center squares, in moves of a king."""
FILE_A, DARK_SQUARES = 0x0101_0101_0101_0101, 0xAA55_AA55_AA55_AA55
WHITE_SHORT, WHITE_LONG = 0xC0, 0x07
"""The squares on which a king counts as castled: g1 and h1, and a1 to c1."""
POSITIONAL = 1.0
"""The positional gain of a quiet move is almost never greater than this number of pawns."""


def order_of_capture(pawns: int, knights: int, diagonal: int, straight: int, kings: int, taken: int, m: int) -> int:
    """The value of a capture or promotion in move ordering."""
    start, to, promoted = m & 63, m >> 6 & 63, m >> PROMOTION
    if taken & 1 << to == 0:
        return ORDER_VALUES[promoted]
    captured = piece_at(pawns, knights, diagonal, straight, kings, to)
    capturing = piece_at(pawns, knights, diagonal, straight, kings, start)
    return ORDER_VALUES[promoted] + ORDER_VALUES[captured] + 100 - ORDER_VALUES[capturing] // 10


def pieces_of_kind(s: Position, piece: int) -> int:
    """The pieces of one kind. Kinds are numbered from 1 (pawns) to 5 (queens)."""
    if piece == 1:
        return s.pawns
    if piece == 2:
        return s.knights
    if piece == 3:
        return s.diagonal & ~s.straight
    return s.straight & ~s.diagonal if piece == 4 else s.diagonal & s.straight


# The features of one side. ------------------------------------------------------------------------
def mobility(s: Position, own: int) -> int:
    """The number of moves of knights, bishops, rooks and queens (Shannon 1949), ignoring pins."""
    count, taken = 0, s.white | s.black
    for square in members_down(own & ~s.pawns & ~s.kings):
        count += popcount(piece_attacks(square, s.knights, s.diagonal, s.straight, taken) & ~own)
    return count


def open_files(s: Position, own: int) -> float:
    """The number of rooks on open files, plus half the number on half-open files (Shannon 1949; the factor 1/2 is our
    choice)."""
    found = 0.0
    for square in members_down(own & s.straight & ~s.diagonal):
        pawns = s.pawns & FILE_A << (square & 7)
        if pawns == 0:
            found += 1
        elif pawns & own == 0:
            found += 0.5
    return found


def count_advances(s: Position, side: int) -> int:
    """The total number of ranks that the pawns of a side have advanced (Turing 1953)."""
    ranks = 0
    for square in members_down(s.pawns & (s.white if side == 0 else s.black)):
        ranks += (square >> 3) - 1 if side == 0 else 6 - (square >> 3)
    return ranks


def has_castled(s: Position, side: int) -> int:
    """1 if the king is near a corner and does not lock in its own rook (Turing 1953), else 0."""
    own, rank = (s.white, 0) if side == 0 else (s.black, 56)
    king, rooks = (s.kings & own) >> rank, (s.straight & ~s.diagonal & own) >> rank
    corner = WHITE_SHORT if king & WHITE_SHORT else WHITE_LONG
    return 1 if king & corner and not rooks & corner else 0


def has_pair(s: Position, own: int) -> int:
    """1 if there are bishops on squares of both colors (Kaufman 1999), else 0."""
    bishops = s.diagonal & ~s.straight & own
    return 1 if bishops & DARK_SQUARES != 0 and bishops & ~DARK_SQUARES != 0 else 0


RIGHT_HALF = 0xF0F0_F0F0_F0F0_F0F0
RANK_PAIRS, RANK_FOURS, LOW_HALF = 0x00FF_00FF_00FF_00FF, 0x0000_FFFF_0000_FFFF, 0xFFFF_FFFF
PIECES = 14
"""The number of knights, bishops, rooks and queens in the initial position."""


class ChessEvaluation(
    MoveGeneration, PatternGame[Position], NetworkGame[Position], ExchangeGame[Position], SelectiveGame[Position]
):
    """Computes features, orders moves, and evaluates exchanges. Selective searches treat a check as a threat. They
    expect zugzwang if the side to move has only a king, pawns, and at most one knight or bishop."""

    passing_never_helps = True
    omits_quiet_moves = True
    parts_off = ()
    margin = 0.35  # benchmarks/results.md, "Chess: pruning"

    place_of_material = place_of_pieces = place_of_mobility = place_of_rooks = place_of_pawns = -1
    place_of_castled = place_of_pair = place_of_check = place_of_hill = place_of_race = -1
    """The index of each feature in the evaluation; -1 for features that are not used."""
    pattern_symmetry = "sides"  # without castling, left and right are symmetric
    stages = 4
    plays_by_learned = True  # benchmarks/results.md, "Learned weights"

    def prepare(self) -> None:
        """Set the index of each feature in the evaluation."""
        self.zeros = (0.0,) * len(self.feature_names)
        for place, name in enumerate(self.feature_names):
            setattr(self, f"place_of_{name}", place)

    def features(self, s: Position) -> tuple[float, ...]:
        # The machine code does not contain features with index -1.
        found = self.zeros
        if self.place_of_material >= 0:
            found = replace_item(found, self.place_of_material, self.material(s))
        if self.place_of_pieces >= 0:
            found = replace_item(found, self.place_of_pieces, float(popcount(s.white) - popcount(s.black)))
        if self.place_of_mobility >= 0:
            found = replace_item(found, self.place_of_mobility, float(mobility(s, s.white) - mobility(s, s.black)))
        if self.place_of_rooks >= 0:
            found = replace_item(found, self.place_of_rooks, open_files(s, s.white) - open_files(s, s.black))
        if self.place_of_pawns >= 0:
            found = replace_item(found, self.place_of_pawns, float(count_advances(s, 0) - count_advances(s, 1)))
        if self.place_of_castled >= 0:
            found = replace_item(found, self.place_of_castled, float(has_castled(s, 0) - has_castled(s, 1)))
        if self.place_of_pair >= 0:
            found = replace_item(found, self.place_of_pair, float(has_pair(s, s.white) - has_pair(s, s.black)))
        if self.place_of_check >= 0:
            found = replace_item(found, self.place_of_check, 0.0 if s.checkers == 0 else 1.0 if s.ply & 1 else -1.0)
        if self.place_of_hill >= 0:
            white, black = high_bit_index(s.kings & s.white), high_bit_index(s.kings & s.black)
            found = replace_item(found, self.place_of_hill, float(int(FROM_MIDDLE[black]) - int(FROM_MIDDLE[white])))
        if self.place_of_race >= 0:
            white, black = high_bit_index(s.kings & s.white), high_bit_index(s.kings & s.black)
            found = replace_item(found, self.place_of_race, float((white >> 3) - (black >> 3)))
        return found

    def material(self, s: Position) -> float:
        """White's material minus Black's. It is computed as twice White's material minus the material of both sides."""
        worths, white = self.worths, s.white
        bishops, rooks, queens = s.diagonal & ~s.straight, s.straight & ~s.diagonal, s.diagonal & s.straight
        worth = (
            worths[0] * (2 * popcount(s.pawns & white) - popcount(s.pawns))
            + worths[1] * (2 * popcount(s.knights & white) - popcount(s.knights))
            + worths[2] * (2 * popcount(bishops & white) - popcount(bishops))
            + worths[3] * (2 * popcount(rooks & white) - popcount(rooks))
            + worths[4] * (2 * popcount(queens & white) - popcount(queens))
        )
        return worth if worths[5] == 0 else worth + worths[5] * (has_pair(s, s.white) - has_pair(s, s.black))

    # Move ordering. ------------------------------------------------------------------------------
    def order(self, s: Position, m: int) -> float:
        """Prefer promotions, captures of valuable pieces by cheap pieces, and moves to the center."""
        # Captures and promotions are handled by another function, so that this method is small enough to be inlined.
        if m >> PROMOTION or self.is_taking(s, m >> 6 & 63):
            return order_of_capture(s.pawns, s.knights, s.diagonal, s.straight, s.kings, s.white | s.black, m)
        return int(FROM_MIDDLE[m & 63]) - int(FROM_MIDDLE[m >> 6 & 63])

    def is_taking(self, s: Position, to: int) -> bool:
        """Whether a piece of the other side is on the target square of a move."""
        return (s.black if s.ply & 1 == 0 else s.white) & 1 << to != 0

    def kind_of_move(self, s: Position, m: int) -> int:
        """CAPTURE for captures and promotions, otherwise FORWARD or BACKWARD. Checks are not classed as THREAT, because
        finding them would take too long."""
        start, to = m & 63, m >> 6 & 63
        if m >> PROMOTION or self.is_taking(s, to):
            return CAPTURE
        if s.en_passant != 0 and to == s.en_passant and s.pawns & 1 << start:
            return CAPTURE
        ahead = (to >> 3) - (start >> 3)
        return FORWARD if (ahead if s.ply & 1 == 0 else -ahead) >= 0 else BACKWARD

    def gain(self, s: Position, m: int) -> int:
        """The gain of a move in hundredths of a pawn. It is computed by static exchange evaluation (chessprogramming
        wiki, "SEE - The Swap Algorithm"). The least valuable piece captures first, pieces behind it can capture later,
        and either side may stop. Pins are ignored."""
        start, to, promoted, side = m & 63, m >> 6 & 63, m >> PROMOTION, s.ply & 1
        taken = (s.white | s.black) & ~(1 << start)
        captured = piece_at(s.pawns, s.knights, s.diagonal, s.straight, s.kings, to) if self.is_taking(s, to) else 0
        if s.en_passant != 0 and to == s.en_passant and s.pawns & 1 << start:
            captured = 1
            taken &= ~(1 << (to - 8 if side == 0 else to + 8))
        standing = promoted if promoted else piece_at(s.pawns, s.knights, s.diagonal, s.straight, s.kings, start)
        first = ORDER_VALUES[captured] + (ORDER_VALUES[promoted] - ORDER_VALUES[1] if promoted else 0)
        # A king is never recaptured, because kings cannot move to attacked squares.
        return first if s.kings & 1 << start else first - self.lost_on(s, to, standing, taken, 1 - side)

    def lost_on(self, s: Position, to: int, standing: int, taken: int, side: int) -> int:
        """The gain of `side` from a series of captures on an occupied square. `side` begins, and the sides take turns.
        Each capture gains the captured piece minus the gain of the reply, so gains are computed backwards."""
        gains: tuple[int, ...] = (0,) * 32
        depth = 0
        worth = ORDER_VALUES[standing]
        while depth < 31:
            square = self.cheapest_attacker(s, to, taken, side)
            if square < 0:
                break
            gains = replace_item(gains, depth, worth)
            depth += 1
            worth = ORDER_VALUES[piece_at(s.pawns, s.knights, s.diagonal, s.straight, s.kings, square)]
            taken &= ~(1 << square)
            side = 1 - side
        value = 0
        for i in range(depth - 1, -1, -1):
            value = max(0, gains[i] - value)
        return value

    def cheapest_attacker(self, s: Position, to: int, taken: int, side: int) -> int:
        """The square of the least valuable attacker, or -1 if there is no attacker. A king does not count as an
        attacker if the square is defended."""
        own, other = (s.white, s.black) if side == 0 else (s.black, s.white)
        # Pass the other side to `attackers`: our pawns attack `to` from the squares that an opposing pawn on `to` would
        # attack.
        all_own = attackers(s.pawns, s.knights, s.diagonal, s.straight, s.kings, to, taken, 1 - side) & own & taken
        for piece in range(1, 6):
            found = all_own & pieces_of_kind(s, piece)
            if found != 0:
                return high_bit_index(found)
        if all_own & s.kings:
            answers = attackers(s.pawns, s.knights, s.diagonal, s.straight, s.kings, to, taken, side) & other & taken
            if answers == 0:
                return high_bit_index(all_own & s.kings)
        return -1

    # Selective search. ----------------------------------------------------------------------------
    def is_threatened(self, s: Position) -> bool:
        return s.checkers != 0

    def most_gain(self, s: Position, m: int) -> float:
        """An upper bound on the gain of a move: its gain of material, plus POSITIONAL if material is not the only
        feature."""
        if self.place_of_material < 0:
            return float(self.MAXSCORE - self.MINSCORE)
        start, to, promoted = m & 63, m >> 6 & 63, m >> PROMOTION
        gain = self.worths[promoted - 1] - self.worths[0] if promoted else 0.0
        if self.is_taking(s, to):
            captured = piece_at(s.pawns, s.knights, s.diagonal, s.straight, s.kings, to)
            gain += self.worths[captured - 1] + self.worths[5]
        elif s.en_passant != 0 and to == s.en_passant and s.pawns & 1 << start:
            gain += self.worths[0]
        gain *= self.weights[self.place_of_material]
        return gain if len(self.zeros) == 1 else gain + POSITIONAL

    def make_null_move(self, s: Position) -> Position:
        # The clock is 0, as after a capture, so the position after a null move never counts as a repetition.
        return Position(
            s.pawns, s.knights, s.diagonal, s.straight, s.kings, s.white, s.black, s.castling,
            s.checkers, 0, 0, s.ply + 1, -1, 0,
        )  # fmt: skip

    def is_zugzwang_near(self, s: Position) -> bool:
        own = s.white if s.ply & 1 == 0 else s.black
        pieces = (s.knights | s.diagonal | s.straight) & own
        # A single knight or bishop may be trapped, like the bishop in Morphy's problem. A rook or queen is rarely
        # trapped.
        return s.straight & own == 0 and pieces & pieces - 1 == 0

    # Patterns: each is one square, empty or with one of twelve kinds of pieces. ------------------
    def cells_of_patterns(self) -> Mapping[int, Place]:
        return {square: divmod(square, 8) for square in range(64)}

    def patterns(self) -> tuple[tuple[int, ...], ...]:
        return tuple((square,) for square in range(64) if square % 8 < 4)

    def contents(self, s: Position) -> tuple[Board64, ...]:
        """Bitboards of the pawns, knights, bishops, rooks, queens and king of the side to move, followed by bitboards
        of the opponent's pieces. The board is turned so that the side to move plays upwards."""
        pawns, knights, kings, white, black = s.pawns, s.knights, s.kings, s.white, s.black
        diagonal, straight = s.diagonal, s.straight
        if s.ply & 1:
            pawns, knights, kings = mirror(pawns), mirror(knights), mirror(kings)
            diagonal, straight = mirror(diagonal), mirror(straight)
            white, black = mirror(black), mirror(white)
        bishops, rooks, queens = diagonal & ~straight, straight & ~diagonal, diagonal & straight
        return (
            pawns & white, knights & white, bishops & white, rooks & white, queens & white, kings & white,
            pawns & black, knights & black, bishops & black, rooks & black, queens & black, kings & black,
        )  # fmt: skip

    # A network: an input for each kind of piece on each square. --------------------------------------
    input_count = 12 * 64
    network_payoffs = (-1.0, 1.0)
    unit_of_odds = 1.5
    views = 2

    def other_view(self, s: Position) -> Position:
        return self.make_null_move(s)

    def inputs(self, s: Position) -> Iterator[tuple[int, float]]:
        """The network inputs for the pieces, seen from the side to move. If the king of the side to move is on the
        right half of the board, left and right are exchanged."""
        own = s.kings & (s.white if s.ply & 1 == 0 else s.black)
        turn, number = (7 if own & RIGHT_HALF else 0), 0
        for men in self.contents(s):
            for square in members_down(men):
                yield number + (square ^ turn), 1.0
            number += 64

    def stage(self, s: Position) -> int:
        """The stage of the game, from the opening to the endgame, computed from the pieces of both sides."""
        left = min(PIECES, popcount(s.knights | s.diagonal | s.straight))
        return (PIECES - left) * self.stages // (PIECES + 1)


def mirror(board: int) -> int:
    """A board with its ranks in reverse order."""
    board = board >> 8 & RANK_PAIRS | (board & RANK_PAIRS) << 8
    board = board >> 16 & RANK_FOURS | (board & RANK_FOURS) << 16
    return board >> 32 & LOW_HALF | (board & LOW_HALF) << 32
