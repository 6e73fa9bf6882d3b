"""Numbers the positions of draughts with few pieces, for endgame databases. A layer contains all positions with the
same number of pieces.

On a square of the first or last row, there are three possible pieces: a king of either side, or an uncrowned piece of
one side. On every other square, there are four possible pieces: a king or an uncrowned piece of either side. Let the
first and last row have `edge` squares and the other rows `middle` squares. If j of n pieces are in the first and last
row, there are C(edge, j) 3^j C(middle, n - j) 4^(n - j) ways to place the pieces. Each way to place the pieces has its
own number. A board of 8 rows has 120, 6,972, 261,224, 7,092,774, ... ways for 1, 2, 3, 4, ... pieces (R. Lake, J.
Schaeffer and P. Lu 1994, "Solving large retrograde analysis problems using a network of workstations", table 1). If Min
is to move, the board is first rotated, and the colors are exchanged.
"""

from itertools import accumulate

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.cells import choose, numbered_set
from gamesearch.games._shared.draughts_board import DraughtsBoard, Position
from gamesearch.optional import Numbered
from gamesearch.toolkit.bits import BoardTable, high_bit_index, popcount, spread_bits

__all__ = ["DraughtsNumbers"]

MOST = 8
"""The greatest number of pieces in a position that has a number."""
WIDTH = MOST + 2
POWERS: tuple[int, ...] = (1, 3, 9, 27, 81, 243, 729, 2_187, 6_561, 19_683)
MAX_KING, MIN_KING, MAN = range(3)
"""The kinds of pieces on the first and last row. MAN is an uncrowned piece, which only one side can have there. On
other squares, MAN stands for an uncrowned piece of Max, and the number 3 for an uncrowned piece of Min."""


class DraughtsNumbers(DraughtsBoard, Numbered[Position]):
    """Numbers positions for endgame databases. The number of a position does not depend on the count of moves without
    progress."""

    numbers_are_exact = True

    def prepare_numbers(self) -> None:
        """Compute the number of the first position that has n pieces, j of them in the first and last row, for all n
        and j."""
        self.edge = self.first_row[MAX] | self.last_row[MAX]
        self.middle = self.full & ~self.edge
        self.edge_squares, self.middle_squares = popcount(self.edge), popcount(self.middle)
        ways = [[self.ways_to_stand(edge, pieces - edge) for edge in range(WIDTH - 1)] for pieces in range(MOST + 1)]
        self.begins = BoardTable(begin for each in ways for begin in accumulate(each, initial=0))

    def ways_to_stand(self, at_edge: int, elsewhere: int) -> int:
        """The number of ways to place `at_edge` pieces on the first and last row, and `elsewhere` pieces on other
        rows."""
        if elsewhere < 0:
            return 0
        squares = choose(self.edge_squares, at_edge) * choose(self.middle_squares, elsewhere)
        return squares * POWERS[at_edge] * int(4**elsewhere)

    def layer(self, s: Position) -> int:
        pieces = popcount(s.max_pieces | s.min_pieces)
        return pieces if pieces <= MOST and self.no_progress == 0 else -1

    def layer_size(self, layer: int) -> int:
        if not 1 <= layer <= min(MOST, 2 * self.most_pieces) or self.no_progress > 0:
            return 0
        return int(self.begins[WIDTH * layer + layer + 1])

    def rank(self, s: Position) -> int:
        own, other, kings = s.max_pieces, s.min_pieces, s.kings
        if s.turn == MIN:
            own, other, kings = self.turn_around(other), self.turn_around(own), self.turn_around(kings)
        edge, middle = (own | other) & self.edge, (own | other) & self.middle
        number = kinds = at_edge = elsewhere = 0
        while edge:
            square = edge & -edge
            at_edge += 1
            number += choose(popcount(self.edge & square - 1), at_edge)
            kinds = 3 * kinds + (MAN if not kings & square else MAX_KING if own & square else MIN_KING)
            edge &= edge - 1
        number = number * POWERS[at_edge] + kinds
        places = kinds = 0
        while middle:
            square = middle & -middle
            elsewhere += 1
            places += choose(popcount(self.middle & square - 1), elsewhere)
            kind = MAX_KING if own & square else MIN_KING
            kinds = 4 * kinds + (kind if kings & square else kind + MAN)
            middle &= middle - 1
        begin = int(self.begins[WIDTH * (at_edge + elsewhere) + at_edge])
        return begin + (number * choose(self.middle_squares, elsewhere) + places << 2 * elsewhere) + kinds

    def unrank(self, layer: int, number: int) -> Position:
        at_edge = 0
        while number >= int(self.begins[WIDTH * layer + at_edge + 1]):
            at_edge += 1
        number -= int(self.begins[WIDTH * layer + at_edge])
        elsewhere = layer - at_edge
        ways = choose(self.middle_squares, elsewhere)
        kinds = number & (1 << 2 * elsewhere) - 1
        number >>= 2 * elsewhere
        middle = spread_bits(numbered_set(number % ways, self.middle_squares, elsewhere), self.middle)
        number //= ways
        edge_kinds, number = number % POWERS[at_edge], number // POWERS[at_edge]
        edge = spread_bits(numbered_set(number, self.edge_squares, at_edge), self.edge)
        max_pieces, kings = 0, 0
        pieces = middle | edge
        while middle:
            square = 1 << high_bit_index(middle)
            max_pieces |= square * (1 - (kinds & 1))
            kings |= square * (1 - (kinds >> 1 & 1))
            kinds >>= 2
            middle ^= square
        while edge:
            square = 1 << high_bit_index(edge)
            kind = edge_kinds % 3
            is_max = kind == MAX_KING or (kind == MAN and self.last_row[MIN] & square != 0)
            max_pieces |= square * int(is_max)
            kings |= square * int(kind != MAN)
            edge_kinds //= 3
            edge ^= square
        return Position(max_pieces, pieces & ~max_pieces, kings, MAX, 0)

    def is_numbered(self, s: Position) -> bool:
        return max(popcount(s.max_pieces), popcount(s.min_pieces)) <= self.most_pieces

    def layers_for(self, text: str) -> list[int]:
        if self.no_progress > 0:
            raise GamesearchError(f"{self.name} has no layers if no_progress is set: leave out no_progress")
        try:
            return super().layers_for(text)
        except GamesearchError:
            named = f"write the greatest number of pieces of a position, at most {min(MOST, 2 * self.most_pieces)}"
            raise GamesearchError(f"{self.name} has no layers {text!r}: {named}") from None
