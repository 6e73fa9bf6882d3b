"""A chess position that is never changed, and moves as integers."""

import functools
from collections.abc import Iterator
from typing import Self

import chess
from chess import WHITE, Termination

__all__ = ["DROP", "PROMOTION", "Position", "decoded", "encoded"]

PROMOTION, DROP = 12, 15
"""A move is from | to << 6 | promoted to << PROMOTION | dropped << DROP; a drop is from where it is to."""
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
    (chess.STATUS_RACE_CHECK, "a king is in check, which must not be in this race"),
    (chess.STATUS_RACE_OVER, "both kings have reached the last rank before"),
    (chess.STATUS_RACE_MATERIAL, "there are men that the race does not begin with"),
)
"""What makes a position illegal. A check that no last move can have given is not among it: it can be played
on, and published perft positions have it."""


class Position(chess.Board):
    """A board that is never changed, and the position before it unless a capture or pawn move led here.

    Positions are equal when FEN says the same of them; what came before them decides repetitions alone.
    """

    earliest_repetition = 8
    """Plies without a capture or pawn move before which no position is there for the third time; 0 where
    even captures can be undone."""
    before: Self | None = None
    turn, castling_rights, halfmove_clock, fullmove_number = WHITE, chess.BB_EMPTY, 0, 1
    """Those of an empty board."""

    def clear(self) -> None:
        """Do nothing: only a new board is cleared, which is empty. A copy begins with that: a twentieth of a search."""

    def moves(self) -> Iterator[int]:
        """The legal moves as integers, made at once; `encoded` is written out for most. Both save calls."""
        return iter(
            [
                move.from_square | move.to_square << 6 if move.promotion is None else encoded(move)
                for move in self.generate_legal_moves()
            ]
        )

    def key(self) -> tuple[int, ...]:
        """What has to be the same for a repetition (FIDE Laws 9.2.3): men, turn, castling, en passant.

        Python's hash of an int is the remainder by 2**61 - 1, so a1 hashes as f8, b1 as g8 and c1 as h8.
        The last number holds these three squares once more, to keep the hashes of keys apart. It has no
        None, either: up to Python 3.11 its hash changes from run to run.
        """
        white = self.occupied_co[WHITE]
        low, middle, high = (
            self.pawns | self.bishops | self.queens,
            self.knights | self.bishops | self.kings,
            self.rooks | self.queens | self.kings,
        )
        castling = self.clean_castling_rights()
        rest = white >> 61 | low >> 61 << 3 | middle >> 61 << 6 | high >> 61 << 9 | self.turn << 12
        rest |= (castling & 0xFF) << 13 | castling >> 56 << 21
        if self.ep_square is not None and self.has_legal_en_passant():
            rest |= self.ep_square << 29
        return white, low, middle, high, rest

    def is_threefold(self) -> bool:
        """Whether the position is here for the third time."""
        if self.halfmove_clock < self.earliest_repetition:
            return False
        times, earlier = 1, self.before
        while earlier is not None and earlier.before is not None:
            earlier = earlier.before
            if earlier.occupied == self.occupied and earlier.key() == self.key():
                times += 1
                if times == 3:
                    return True
            earlier = earlier.before
        return False

    def problem(self) -> str:
        """What makes the position illegal, or nothing."""
        status = self.status()
        return next((problem for flag, problem in STATUS if status & flag), "")

    def note(self) -> str:
        """What the board does not show, or nothing."""
        return ""

    def drawn_by(self) -> str:
        """Why the game is drawn although there are moves, or nothing."""
        if self.is_fifty_moves():
            return "draw by the fifty-move rule"
        if self.is_insufficient_material():
            return "draw by insufficient material"
        return "draw by threefold repetition" if self.is_threefold() else ""

    def ending(self) -> str:
        """How a game without any more moves has ended."""
        outcome = self.outcome()
        if outcome is None or outcome.termination in (
            Termination.STALEMATE,
            Termination.INSUFFICIENT_MATERIAL,
        ):
            return "draw by stalemate"
        if outcome.termination == Termination.CHECKMATE:
            return "checkmate"
        winner = {True: "White wins", False: "Black wins", None: "draw"}[outcome.winner]
        return f"{winner} by the rules of {self.aliases[0].lower()}"

    def __hash__(self) -> int:
        return hash(self.key())


def encoded(move: chess.Move) -> int:
    """The move as an int."""
    return move.from_square | move.to_square << 6 | (move.promotion or 0) << PROMOTION | (move.drop or 0) << DROP


@functools.cache
def decoded(m: int) -> chess.Move:
    """The move as python-chess has it."""
    return chess.Move(m & 63, m >> 6 & 63, m >> PROMOTION & 7 or None, m >> DROP or None)
