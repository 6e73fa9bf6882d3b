"""Turning and mirroring square boards that are kept as bitboards."""

from gamesearch.toolkit.bits import low_bit_index

__all__ = ["HALF_TURN", "TURNS", "turned"]

TURNS = 8
HALF_TURN = 3


def turned(cells: int, side: int, width: int, turn: int) -> int:
    """The cells after the board is turned or mirrored in one of TURNS ways, of which 0 leaves them as they are.

    Bit 0 of `turn` reverses the order of the rows, bit 1 that of the columns; bit 2 then makes rows columns. A row
    begins `width` bits after the one before, which is `side` or more.
    """
    found = cells ^ cells  # no cells, in as many bits
    while cells != 0:
        others = cells & cells - 1
        cell, place = cells ^ others, low_bit_index(cells)
        row, column = place // width, place % width
        if turn & 1:
            row = side - 1 - row
        if turn & 2:
            column = side - 1 - column
        image = column * width + row if turn & 4 else row * width + column
        if image >= place:
            found |= cell << image - place
        else:
            found |= cell >> place - image
        cells = others
    return found
