"""The patterns of 3x3 points by which playouts of Go answer the last move: hane, cuts, and moves at the edge.

S. Gelly, Y. Wang, R. Munos and O. Teytaud 2006, "Modification of UCT with patterns in Monte-Carlo Go", INRIA RR-6062;
in the form that P. Baudis gave them in Michi and Pachi.
"""

import functools
from collections.abc import Iterator
from itertools import product

from gamesearch.toolkit.bits import BoardTable

__all__ = ["WORD_BITS", "pattern_table"]

WORD_BITS = 64
PATTERNS = (
    ("XOX", "...", "???"),  # hane that encloses
    ("XO.", "...", "?.?"),  # hane that does not cut
    ("XO?", "X..", "x.?"),  # magari
    (".O.", "X..", "..."),  # attachment at the diagonal
    ("XO?", "O.o", "?o?"),  # a cut without protection
    ("XO?", "O.X", "???"),  # a cut that was peeped at
    ("?X?", "O.O", "ooo"),  # a push that cuts
    ("OX?", "o.O", "???"),  # a cut of the small knight's move
    ("X.?", "O.?", "###"),  # at the edge: a chase,
    ("OX?", "X.O", "###"),  # a cut that is blocked,
    ("?X?", "x.O", "###"),  # a connection that is blocked,
    ("?XO", "x.x", "###"),  # a descent,
    ("?OX", "X.O", "###"),  # and a cut
)
"""Rows around the empty point in the middle: `X` and `O` are the two sides' stones, either way round; `.` is empty, `#`
off the board; `x` and `o` are anything but that stone, `?` is anything."""
MEANT = {"X": "X", "O": "O", ".": ".", "#": "#", "x": ".O#", "o": ".X#", "?": ".XO#"}


@functools.cache
def pattern_table() -> BoardTable:
    """A bit for each surrounding of a point: whether it is one of the patterns.

    The number of a surrounding has 8 bits for the mover's stones and above them 8 for the opponent's, beginning with
    the lower left point, row by row; both bits are set off the board.
    """
    words = [0] * ((1 << 16) // WORD_BITS)
    for number in {number for rows in PATTERNS for number in surroundings(rows)}:
        words[number // WORD_BITS] |= 1 << number % WORD_BITS
    return BoardTable(words)


def surroundings(rows: tuple[str, ...]) -> Iterator[int]:
    """The numbers of all that a pattern stands for, turned, mirrored, and with the sides changed."""
    square = "".join(rows)
    for _ in range(4):
        square = "".join(square[3 * (2 - column) + row] for row in range(3) for column in range(3))
        for each in (square, square[6:] + square[3:6] + square[:3]):
            around = each[:4] + each[5:]
            for pattern in (around, around.translate(str.maketrans("XOxo", "OXox"))):
                for points in product(*(MEANT[point] for point in pattern)):
                    mine = sum(1 << i for i in range(8) if points[i] in "X#")
                    theirs = sum(1 << i for i in range(8) if points[i] in "O#")
                    yield mine | theirs << 8
