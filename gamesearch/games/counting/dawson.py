"""Dawson's chess: white and black pawns face each other across one empty rank, and captures are compulsory."""

from collections.abc import Iterator, Sequence

from gamesearch.game import MAX, MIN
from gamesearch.games._shared.octal import LONGEST_LINE, STANDING, OctalGame, Position
from gamesearch.toolkit.boards import Board, Cell, Palette
from gamesearch.toolkit.known import Known

__all__ = ["Dawson"]

GRUNDY = "OEIS A002187: lost if the nim-sum of the rows' Grundy numbers is 0"


class Dawson(OctalGame):
    """Dawson's chess: advancing a pawn removes its file and the adjacent files (octal game 0.137; Dawson 1935).

    On a board of three ranks, White's pawns fill the first rank and Black's the third. Pawns move as in chess, captures
    are compulsory, and the player who makes the last move wins. Guy and Smith solved this game in 1956. In the original
    game (T. R. Dawson 1935, Caissa's Wild Roses), the player who makes the last move loses. When a pawn advances,
    captures and recaptures follow until no pawn on its file and the adjacent files can move. After the captures, it is
    the other side's turn. So one move in the program stands for an advance and all captures after it.
    """

    notation = (
        "the numbers of adjacent open files (2-4), or one character for each file: x for an open file, . for a "
        "closed file (xx.xxxx). Add min if Min is to move. A move is the number of the file on which a pawn "
        "advances"
    )
    example = "xx.xxxx"
    palette = Palette(board="#b58863", dark="#a67a56", line="#8f6646", sides=("#ffffff", "#000000"))
    octal_code = (0, 1, 3, 7)
    names = ("White", "Black")
    known = (
        Known("counted by an independent program", perft=(9, 56, 210, 360, 120), value=1),
        Known(GRUNDY, "files=8", value=-1),
        Known(GRUNDY, "files=14", value=-1),
        Known(GRUNDY, "files=3-5", value=1),
        Known(GRUNDY, "files=10-9", value=-1),
        Known(GRUNDY, "files=35-22", value=-1, method="grundy"),
    )

    def __init__(self, files: str | int | Sequence[int] = "9") -> None:
        super().__init__(files)
        self.files = self.lengths

    def moves(self, s: Position) -> Iterator[int]:
        for file in range(1, self.places + 1):
            if s.pins >> file & 1:
                yield file

    def pins_taken_by(self, m: int) -> int:
        return 0b111 << m - 1

    def board(self, s: Position) -> Board:
        board = super().board(s)
        if self.places > LONGEST_LINE:
            return board
        empty, black, white = Cell(faint=True), Cell("p", "♟", MIN), Cell("P", "♙", MAX)
        drawn = self._draw(s)
        return Board(
            rows=[
                [black if mark == STANDING else empty for mark in drawn],
                [empty] * self.places,
                [white if mark == STANDING else empty for mark in drawn],
            ],
            row_labels="321",
            column_labels=board.column_labels,
        )
