"""The boards of python-chess: positions that are never changed, by whose rules people are held to theirs."""

import functools
from collections.abc import Iterator
from typing import Any, Self

import chess
from chess import WHITE, Termination

from gamesearch.games.chess.position import PROMOTION
from gamesearch.toolkit.bits import mix

__all__ = ["DROP", "ChessBoard", "board_of", "decoded", "encoded"]

DROP = 15
"""A move has the piece that is dropped << DROP, too; a drop is from where it is to."""
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


class ChessBoard(chess.Board):
    """A board that is never changed, and the position before it unless a capture or pawn move led here.

    Positions are equal when FEN says the same of them; what came before them decides repetitions alone.
    """

    earliest_repetition = 8
    """Plies without a capture or pawn move before which no position is there for the third time; 0 where
    even captures can be undone."""
    before: Self | None = None
    is_third = False
    """Whether it is known without positions before that this one is there for the third time."""
    turn, castling_rights, halfmove_clock, fullmove_number = WHITE, chess.BB_EMPTY, 0, 1
    """Those of an empty board."""

    def clear(self) -> None:
        """Do nothing: only a new board is cleared, which is empty. A copy begins with that: a twentieth of a search."""

    def after(self, move: chess.Move) -> Self:
        """The position after a move."""
        # Without its stack, a copied board takes 0.8 us instead of 13; `before` keeps what repetitions need.
        after = self.copy(stack=False)
        after.push(move)
        if after.halfmove_clock or not after.earliest_repetition:
            after.before = self
        return after

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

        It has no None: up to Python 3.11 its hash changes from run to run.
        """
        castling, passed = self.clean_castling_rights(), 0
        if self.ep_square is not None and self.has_legal_en_passant():
            passed = self.ep_square
        return (
            self.occupied_co[WHITE],
            self.pawns | self.bishops | self.queens,
            self.knights | self.bishops | self.kings,
            self.rooks | self.queens | self.kings,
            castling | self.turn << 12 | passed << 29,
        )

    def is_threefold(self) -> bool:
        """Whether the position is here for the third time."""
        if self.is_third or self.halfmove_clock < self.earliest_repetition:
            return self.is_third
        times, earlier = 1, self.before
        while times < 3 and earlier is not None and earlier.before is not None:
            earlier = earlier.before
            times += earlier.occupied == self.occupied and earlier.key() == self.key()
            earlier = earlier.before
        return times == 3

    def last_move(self) -> chess.Move | None:
        """The last move as it is marked: in Chess960, a king who castled did not stay where his rook was."""
        if not self.move_stack:
            return None
        move = self.move_stack[-1]
        if self.before is None or not self.before.is_castling(move):
            return move
        file = 6 if move.to_square > move.from_square else 2
        return chess.Move(move.from_square, chess.square(file, chess.square_rank(move.from_square)))

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
        return mix(self.key())  # Python's hash of an int takes a1 for f8, b1 for g8 and c1 for h8


def encoded(move: chess.Move) -> int:
    """The move as an int."""
    return move.from_square | move.to_square << 6 | (move.promotion or 0) << PROMOTION | (move.drop or 0) << DROP


@functools.cache
def decoded(m: int) -> chess.Move:
    """The move as python-chess has it."""
    return chess.Move(m & 63, m >> 6 & 63, m >> PROMOTION & 7 or None, m >> DROP or None)


def board_of(game: Any, s: Any) -> ChessBoard:
    """A position of a game of chess, whichever rules it has, as python-chess has it."""
    board: ChessBoard = game.board_of(s)
    return board
