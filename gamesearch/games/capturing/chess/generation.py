"""Generates the legal moves of chess on bitboards, and the positions after these moves.

Moves have the same order as in python-chess, so that exact searches visit the same nodes with both implementations. If
the king is in check, its moves come first. Other moves follow in this order: moves of the pieces, castling, pawn
captures, single and double steps of pawns, and en passant captures. Each group is ordered from the highest square (h8)
to the lowest (a1). Only legal moves are generated: a pinned piece stays on the line between its king and the attacker.
"""

from collections.abc import Iterator

from gamesearch.games._shared.cells import members_down
from gamesearch.games.capturing.chess.common import ChessBase
from gamesearch.games.capturing.chess.position import (
    BETWEEN,
    KING_STEPS,
    LINE,
    PAWN_CAPTURES,
    PROMOTION,
    Position,
    attackers,
    diagonal_attacks,
    piece_attacks,
    straight_attacks,
)
from gamesearch.toolkit.bits import Board64, high_bit_index, popcount

__all__ = ["MoveGeneration"]

FILE_A, FILE_H = 0x0101_0101_0101_0101, 0x8080_8080_8080_8080
LAST_RANKS = 0xFF00_0000_0000_00FF
EVERYWHERE = 0xFFFF_FFFF_FFFF_FFFF
RANK_3, RANK_6 = 0xFF_0000, 0xFF00_0000_0000


class MoveGeneration(ChessBase[Position]):
    """Computes the legal moves, their number, and the positions after these moves."""

    counts_clock: bool = True
    """Whether positions count the plies since the last capture or pawn move. It is False while a solver solves the
    game."""

    def moves(self, s: Position) -> Iterator[int]:
        return self.moves_to(s, Board64(EVERYWHERE))

    def forcing_moves(self, s: Position) -> Iterator[int]:
        # Captures end on a piece, and promotions end on the last ranks.
        goal = s.white | s.black | LAST_RANKS
        if s.checkers != 0:
            goal = Board64(EVERYWHERE)
        return self.moves_to(s, goal)

    def moves_to(self, s: Position, goal: int) -> Iterator[int]:
        """Yield the legal moves to squares of `goal`, and en passant captures. If `goal` is EVERYWHERE, yield castling
        moves too."""
        # At each yield, a compiled generator saves all variables that it still needs. Before the first yield, the
        # generator computes everything that depends on several boards, so that it saves fewer boards.
        side, passed = s.ply & 1, s.en_passant
        own, other = (s.white, s.black) if side == 0 else (s.black, s.white)
        taken = own | other
        king = high_bit_index(s.kings & own)
        target, pinned = targets(s, king, own) & goal, pinned_pieces(s, king, own, other)
        steps_of_king = king_targets(s, king, own, other, side, goal)
        rooks, passing = Board64(0), Board64(0)
        if goal == EVERYWHERE:
            rooks = castling_rooks(s, king, own, other, side)
        if passed != 0:
            passing = passing_pawns(s.pawns, s.knights, s.diagonal, s.straight, s.kings, own, other, passed, side)
        knights, diagonal, straight = s.knights, s.diagonal, s.straight
        pawns, men = s.pawns & own, own & ~s.pawns
        square = high_bit_index(men) if s.checkers == 0 else king
        while men != 0:
            found = steps_of_king
            if square != king:
                found = piece_attacks(square, knights, diagonal, straight, taken) & target
                if pinned >> square & 1:
                    found &= LINE[64 * king + square]
            while found != 0:
                to = high_bit_index(found)
                yield square | to << 6
                found &= ~(1 << to)
            men &= ~(1 << square)
            if men != 0:
                square = high_bit_index(men)
        while rooks != 0:
            rook = high_bit_index(rooks)
            yield king | self.castling_square(king, rook) << 6
            rooks &= ~(1 << rook)
        capturing = pawns & (captures_left(other, 1 - side) | captures_right(other, 1 - side))
        while capturing != 0:
            square = high_bit_index(capturing)
            found = PAWN_CAPTURES[64 * side + square] & other & target
            if pinned >> square & 1:
                found &= LINE[64 * king + square]
            while found != 0:
                to = high_bit_index(found)
                if to < 8 or to >= 56:
                    for piece in range(5, 1, -1):
                        yield square | to << 6 | piece << PROMOTION
                else:
                    yield square | to << 6
                found &= ~(1 << to)
            capturing &= ~(1 << square)
        once = forward(pawns, side) & ~taken
        for steps in range(1, 3):
            found = (once if steps == 1 else forward(once & (RANK_3 if side == 0 else RANK_6), side) & ~taken) & target
            while found != 0:
                to = high_bit_index(found)
                square = to - 8 * steps if side == 0 else to + 8 * steps
                if not pinned >> square & 1 or LINE[64 * king + square] >> to & 1:
                    if to < 8 or to >= 56:
                        for piece in range(5, 1, -1):
                            yield square | to << 6 | piece << PROMOTION
                    else:
                        yield square | to << 6
                found &= ~(1 << to)
        while passing != 0:
            square = high_bit_index(passing)
            yield square | passed << 6
            passing &= ~(1 << square)

    def legal_moves(self, s: Position) -> int:
        """The number of legal moves, counted without generating them one by one."""
        side = s.ply & 1
        own, other = (s.white, s.black) if side == 0 else (s.black, s.white)
        taken = own | other
        king = high_bit_index(s.kings & own)
        count = popcount(king_targets(s, king, own, other, side, Board64(EVERYWHERE)))
        if s.checkers & s.checkers - 1:
            return count
        target, pinned = targets(s, king, own), pinned_pieces(s, king, own, other)
        for square in members_down(own & ~s.pawns & ~s.kings):
            found = piece_attacks(square, s.knights, s.diagonal, s.straight, taken) & target
            if pinned >> square & 1:
                found &= LINE[64 * king + square]
            count += popcount(found)
        count += popcount(castling_rooks(s, king, own, other, side))
        count += pawn_moves(s.pawns & own & ~pinned, taken, other, target, side)
        held = s.pawns & own & pinned
        for square in members_down(held):
            count += pawn_moves(1 << square & held, taken, other, target & LINE[64 * king + square], side)
        if s.en_passant != 0:
            count += popcount(
                passing_pawns(s.pawns, s.knights, s.diagonal, s.straight, s.kings, own, other, s.en_passant, side)
            )
        return count

    def castling_square(self, king: int, rook: int) -> int:
        """The target square that encodes castling: the rook's square in Chess960, otherwise the king's new square."""
        if self.chess960:
            return rook
        return king + 2 if rook > king else king - 2

    def result(self, s: Position, m: int) -> Position:
        side, start, to, promoted = s.ply & 1, m & 63, m >> 6 & 63, m >> PROMOTION
        own, other = (s.white, s.black) if side == 0 else (s.black, s.white)
        gone, come = 1 << start, 1 << to
        stays = ~(gone | come)
        pawns, knights, diagonal = s.pawns & stays, s.knights & stays, s.diagonal & stays
        straight, kings, castling = s.straight & stays, s.kings & stays, s.castling & stays
        is_pawn, passed = s.pawns & gone != 0, 0
        clock = 0 if is_pawn or other & come or not self.counts_clock else s.clock + 1
        if is_pawn and promoted == 0:
            pawns |= come
        if s.knights & gone or promoted == 2:
            knights |= come
        if s.diagonal & gone or promoted == 3 or promoted == 5:
            diagonal |= come
        if s.straight & gone or promoted == 4 or promoted == 5:
            straight |= come
        if is_pawn:
            if to == s.en_passant and to != 0:
                taken_at = 1 << (to - 8 if side == 0 else to + 8)
                pawns &= ~taken_at
                other &= ~taken_at
            if to - start == 16 or start - to == 16:
                passed = (start + to) >> 1
        elif s.kings & gone:
            castling &= ~(0xFF << (56 * side))
            is_castling = own & come != 0 if self.chess960 else to - start == 2 or start - to == 2
            if is_castling:
                rank, is_short = 56 * side, to > start
                rook = 1 << (to if self.chess960 else rank + (7 if is_short else 0))
                rook_to = 1 << (rank + (5 if is_short else 3))
                straight = straight & ~rook | rook_to
                own = own & ~gone & ~rook | rook_to  # the rook may land on the king's old square
                king_to = rank + (6 if is_short else 2)
                gone, come, m = 0, 1 << king_to, start | king_to << 6  # for the display: the king's new square
            kings |= come
        own = own & ~gone | come
        other &= ~come
        can_pass = passed != 0 and PAWN_CAPTURES[64 * side + passed] & pawns & other != 0
        if not can_pass or not passing_pawns(pawns, knights, diagonal, straight, kings, other, own, passed, 1 - side):
            passed = 0
        white, black = (own, other) if side == 0 else (other, own)
        king = high_bit_index(kings & other)
        checkers = attackers(pawns, knights, diagonal, straight, kings, king, own | other, 1 - side) & own
        return Position(
            pawns, knights, diagonal, straight, kings, white, black, castling, checkers, passed, clock, s.ply + 1, m, 0
        )  # fmt: skip


# Parts of move generation. `own` is the board of the side to move, and `side` is 0 for White. ------
def targets(s: Position, king: int, own: int) -> int:
    """The squares that pieces other than the king may move to. If the king is in check, a piece that moves to one of
    these squares ends the check."""
    if s.checkers == 0:
        return ~own
    is_double = s.checkers & s.checkers - 1 != 0
    return Board64(0) if is_double else s.checkers | BETWEEN[64 * king + high_bit_index(s.checkers)]


def pinned_pieces(s: Position, king: int, own: int, other: int) -> int:
    """The pinned pieces of the side to move. They may move only along the line of the pin."""
    aiming = diagonal_attacks(king, other) & s.diagonal | straight_attacks(king, other) & s.straight
    pinned = Board64(0)
    for square in members_down(aiming & other):
        men = BETWEEN[64 * king + square] & own
        if men & men - 1 == 0:
            pinned |= men
    return pinned


def king_targets(s: Position, king: int, own: int, other: int, side: int, goal: int) -> int:
    """The squares of `goal` that the king may step to."""
    rest = own & ~(1 << king) | other  # the king does not block attacks on the squares behind it
    safe = KING_STEPS[king] & ~own & goal
    for square in members_down(safe):
        if attackers(s.pawns, s.knights, s.diagonal, s.straight, s.kings, square, rest, side) & other:
            safe &= ~(1 << square)
    return safe


def castling_rooks(s: Position, king: int, own: int, other: int, side: int) -> int:
    """The rooks with which the king may castle now."""
    if s.castling & own == 0 or s.checkers != 0:
        return Board64(0)
    legal = s.castling & own
    for rook in members_down(legal):
        if not can_castle(s, king, rook, own | other, other, side):
            legal &= ~(1 << rook)
    return legal


def can_castle(s: Position, king: int, rook: int, taken: int, other: int, side: int) -> bool:
    """Whether the king may castle with a rook: the paths of both are empty, and the king's path is not attacked."""
    rank, is_short = king & 56, rook > king
    to, rook_to = rank + (6 if is_short else 2), rank + (5 if is_short else 3)
    before = taken & ~(1 << king)
    way, after = BETWEEN[64 * king + to] | 1 << to, before & ~(1 << rook)
    if after & (way | BETWEEN[64 * rook + rook_to] | 1 << rook_to):
        return False
    for square in members_down(way):
        seen = after | 1 << rook_to if square == to else before
        if attackers(s.pawns, s.knights, s.diagonal, s.straight, s.kings, square, seen, side) & other:
            return False
    return True


def forward(pawns: int, side: int) -> int:
    """The squares directly in front of the given pawns."""
    return pawns << 8 if side == 0 else pawns >> 8


def captures_left(pawns: int, side: int) -> int:
    """The squares that the given pawns attack towards file a."""
    inner = pawns & ~FILE_A
    return inner << 7 if side == 0 else inner >> 9


def captures_right(pawns: int, side: int) -> int:
    """The squares that the given pawns attack towards file h."""
    inner = pawns & ~FILE_H
    return inner << 9 if side == 0 else inner >> 7


def pawn_moves(pawns: int, taken: int, other: int, target: int, side: int) -> int:
    """The number of moves by which the given pawns reach squares of `target`. En passant captures are not counted."""
    once = forward(pawns, side) & ~taken
    twice = forward(once & (RANK_3 if side == 0 else RANK_6), side) & ~taken & target
    once &= target
    left, right = captures_left(pawns, side) & other & target, captures_right(pawns, side) & other & target
    count = popcount(once) + popcount(twice) + popcount(left) + popcount(right)
    return count + 3 * (popcount(once & LAST_RANKS) + popcount(left & LAST_RANKS) + popcount(right & LAST_RANKS))


def passing_pawns(
    pawns: int, knights: int, diagonal: int, straight: int, kings: int, own: int, other: int, passed: int, side: int
) -> int:
    """The pawns that may capture en passant without exposing their king to check."""
    victim = 1 << (passed - 8 if side == 0 else passed + 8)
    king, enemies = high_bit_index(kings & own), other & ~victim
    legal = PAWN_CAPTURES[64 * (1 - side) + passed] & pawns & own
    for square in members_down(legal):
        taken = own & ~(1 << square) | enemies | 1 << passed
        if attackers(pawns, knights, diagonal, straight, kings, king, taken, side) & enemies:
            legal &= ~(1 << square)
    return legal
