"""The board and the positions of nine men's morris. Positions in which all pieces are placed are numbered.

A layer contains the positions with w white and b black pieces. A symmetry rotates or reflects all rings, and may
exchange the innermost with the outermost ring. There are 16 symmetries, or 8 on a single ring. All symmetric positions,
including positions with exchanged colors, have the same number. So up to 32 positions share a number (R. Gasser 1996).
"""

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX
from gamesearch.games._shared.board_notation import LETTERS
from gamesearch.games._shared.cells import choose, next_set, numbered_set, set_number
from gamesearch.optional import NumberedGame
from gamesearch.toolkit.bits import BoardTable, pack_bits, popcount, spread_bits
from gamesearch.toolkit.boards import Palette, Place

__all__ = ["FEWEST", "HAND", "NOBODY", "ORIGIN", "REMOVED", "RING", "MorrisBoard", "Position"]

RING = 8
"""The number of points of a ring. The corners of a ring have even numbers, and the midpoints odd numbers."""
FEWEST = 3
"""A side with fewer than FEWEST pieces has lost. A side with exactly FEWEST pieces may fly."""
HAND = 31
"""If a move places a piece from the hand, its origin is encoded as HAND."""
NOBODY = 31
"""If a move closes no mill, the removed piece is encoded as NOBODY."""
ORIGIN, REMOVED = 5, 10
"""A move is encoded as target | origin << ORIGIN | removed << REMOVED."""
RIGHT, DOWN = (-1, 0, 1, 1, 1, 0, -1, -1), (-1, -1, -1, 0, 1, 1, 1, 0)
"""The columns and rows of the points of a ring, relative to its center."""


class Position(NamedTuple):
    """The pieces as bitboards, and other facts about a position. Each ring is a byte of a bitboard. The outer ring
    comes first. Its bits are the points clockwise from the top left corner.

         0 ---------- 1 ---------- 2
         |   8 ------ 9 ----- 10   |
         |   |   16  17  18    |   |
         7  15   23      19   11   3
         |   |   22  21  20    |   |
         |  14 ----- 13 ----- 12   |
         6 ---------- 5 ---------- 4

    `mine` contains the pieces of the side to move. `hands` is the number of pieces that both sides must still place.
    """

    mine: int
    theirs: int
    hands: int
    turn: int


BYTE = 256
SYMMETRIES = 16
MOST_TURNED = 4
"""Only sets of at most this size are grouped into classes of symmetric sets. For larger sets, the tables would be too
large."""


def image_of_point(symmetry: int, ring: int, place: int, rings: int) -> int:
    """Apply a symmetry of the board to a point; returns the new point. The number of a symmetry is its number of
    quarter turns, plus 4 if it reflects, plus 8 if it exchanges rings."""
    if symmetry & 4:
        place = -place
    if symmetry & 8:
        ring = rings - 1 - ring
    return RING * ring + (place + 2 * (symmetry & 3)) % RING


@functools.cache
def images_of(rings: int) -> BoardTable:
    """The image of each set of points of a ring, for each symmetry. The index of an image is BYTE * (rings * symmetry +
    ring) + set."""
    images: list[int] = []
    for symmetry in range(SYMMETRIES):
        for ring in range(rings):
            of_ring = [0]
            for place in range(RING):
                point = 1 << image_of_point(symmetry, ring, place, rings)
                of_ring += [image | point for image in of_ring]
            images += of_ring
    return BoardTable(images)


class Classes(NamedTuple):
    """Classes of sets. Each set has FEWEST to MOST_TURNED pieces. Symmetries map the sets of a class to each other.
    Smaller sets come first."""

    begins: tuple[int, ...]
    """For each size, the index of the first class of sets of this size."""
    first_sets: tuple[int, ...]
    """For each size, the index in `homes` at which the sets of this size begin."""
    homes: BoardTable
    """For each set, the number SYMMETRIES * c + i. Here, c is the class of the set, and the symmetry i maps the set to
    the first set of this class."""
    firsts: BoardTable
    """The first set of each class."""
    alike: BoardTable
    """For each class, the symmetries (as bits) that map its first set to itself. The identity, which changes nothing,
    is left out."""


@functools.cache
def classes_of(rings: int) -> Classes:
    """Group the sets of pieces on a board with `rings` rings into classes of symmetric sets."""
    images, points, every = images_of(rings), RING * rings, range(SYMMETRIES if rings > 1 else SYMMETRIES // 2)
    begins, first_sets = [0] * FEWEST, [0] * FEWEST
    homes: list[int] = []
    firsts: list[int] = []
    alike: list[int] = []
    for size in range(FEWEST, MOST_TURNED + 1):
        begins.append(len(firsts))
        first_sets.append(begin := len(homes))
        homes += [-1] * choose(points, size)
        for number in range(choose(points, size)):
            if homes[begin + number] >= 0:
                continue
            first, stays = numbered_set(number, points, size), 0
            for symmetry in every:
                # The symmetry maps the first set to its image. `homes` stores the inverse symmetry.
                image = sum(
                    images[BYTE * (rings * symmetry + ring) + (first >> RING * ring & BYTE - 1)]
                    for ring in range(rings)
                )
                homes[begin + set_number(image)] = SYMMETRIES * len(firsts) + inverse(symmetry)
                stays |= int(image == first) << symmetry
            homes[begin + number] = SYMMETRIES * len(firsts)
            firsts.append(first)
            alike.append(stays & ~1)
    begins.append(len(firsts))
    return Classes(tuple(begins), tuple(first_sets), BoardTable(homes), BoardTable(firsts), BoardTable(alike))


def inverse(symmetry: int) -> int:
    """The inverse of a symmetry. Reflections are their own inverses."""
    return symmetry if symmetry & 4 else symmetry & 8 | -symmetry & 3


COUNTS = 7
"""A side can have this many different numbers of pieces: 3 to 9. A side with fewer pieces has lost."""


class MorrisBoard(NumberedGame[Position]):
    """The board: one to three rings of eight points.

    The layer with w and b pieces (w >= b) has the number COUNTS * (w - 3) + b - 3. Every capture lowers the layer.
    Before a position is numbered, a symmetry is applied to both sets of pieces. This symmetry maps the smaller set to
    the first set of its class. If both sides have the same number of pieces, the set of the side to move counts as the
    smaller one.
    """

    palette = Palette(
        "crossings", board="#c99b62", line="#4a3017", sides=("#fdf8ee", "#17110b"), discs=True, mark="#c43c2c"
    )

    def __init__(self, pieces: int, rings: int) -> None:
        if not 1 <= rings <= 3:
            raise GamesearchError(f"morris must have 1 to 3 rings, not rings={rings}")
        if not FEWEST <= pieces <= 3 * rings:
            raise GamesearchError(
                f"morris on {rings} rings must have {FEWEST} to {3 * rings} pieces for each side, not men={pieces}"
            )
        self.men, self.rings = pieces, rings
        self.points = RING * rings
        self.full = (1 << self.points) - 1
        self.first = self.full // 0xFF
        self.last = self.first << RING - 1
        self.corners, self.middles = 0x55 * self.first, 0xAA * self.first
        self.images = images_of(self.rings)
        self.class_begins, self.first_sets, self.homes, self.firsts, self.alike = classes_of(self.rings)

    def row_and_column(self, point: int) -> Place:
        """The row from the top and the column of a point."""
        size, place = self.rings - point // RING, point % RING
        return self.rings + DOWN[place] * size, self.rings + RIGHT[place] * size

    def point_name(self, point: int) -> str:
        """The name of a point, such as a1 or d7."""
        row, column = self.row_and_column(point)
        return f"{LETTERS[column]}{2 * self.rings + 1 - row}"

    def clockwise(self, pieces: int) -> int:
        """Move each piece one point clockwise along its ring; returns the new points."""
        return pieces << 1 & (self.full ^ self.first) | pieces >> RING - 1 & self.first

    def anticlockwise(self, pieces: int) -> int:
        """Move each piece one point counterclockwise along its ring; returns the new points."""
        return pieces >> 1 & (self.full ^ self.last) | pieces << RING - 1 & self.last

    def outwards(self, pieces: int) -> int:
        """Move each piece on a midpoint to the next outer ring; returns the new points."""
        return (pieces & self.middles) >> RING

    def inwards(self, pieces: int) -> int:
        """Move each piece on a midpoint to the next inner ring; returns the new points."""
        return (pieces & self.middles) << RING & self.full

    def neighbors(self, pieces: int) -> int:
        """The points that are adjacent to the pieces."""
        return self.clockwise(pieces) | self.anticlockwise(pieces) | self.outwards(pieces) | self.inwards(pieces)

    def completing_points(self, pieces: int) -> int:
        """The points on which a piece would be in a mill: the two other points of a line already have pieces."""
        after, before = self.clockwise(pieces), self.anticlockwise(pieces)
        corners = after & self.clockwise(after) | before & self.anticlockwise(before)
        middles = after & before
        if self.rings == 3:
            middles |= (pieces << RING | pieces >> 2 * RING) & (pieces << 2 * RING | pieces >> RING)
        return corners & self.corners | middles & self.middles

    # Numbers of positions. -----------------------------------------------------------------------
    def layer(self, s: Position) -> int:
        mine, theirs = popcount(s.mine), popcount(s.theirs)
        is_numbered = s.hands == 0 and min(mine, theirs) >= FEWEST
        return COUNTS * (max(mine, theirs) - FEWEST) + min(mine, theirs) - FEWEST if is_numbered else -1

    def classes(self, pieces: int) -> int:
        """The number of classes of sets with this number of pieces."""
        begins = self.class_begins
        return choose(self.points, pieces) if pieces > MOST_TURNED else begins[pieces + 1] - begins[pieces]

    def layer_size(self, layer: int) -> int:
        more, fewer = layer // COUNTS + FEWEST, layer % COUNTS + FEWEST
        if layer < 0 or fewer > more or more > self.men:
            return 0
        return self.classes(fewer) * choose(self.points - fewer, more) * (1 if fewer == more else 2)

    def image(self, pieces: int, symmetry: int) -> int:
        """The image of a set under a symmetry."""
        found = 0
        for ring in range(self.rings):
            found |= int(self.images[BYTE * (self.rings * symmetry + ring) + (pieces >> RING * ring & BYTE - 1)])
        return found

    def rank(self, s: Position) -> int:
        mine, theirs = popcount(s.mine), popcount(s.theirs)
        if mine <= theirs:
            return self.number_of_sets(s.mine, s.theirs)
        return self.number_of_sets(s.theirs, s.mine) + self.classes(theirs) * choose(self.points - theirs, mine)

    def number_of_sets(self, fewer: int, more: int) -> int:
        """The index of a pair of sets, regardless of the side to move. If the sizes differ, `fewer` is the smaller
        set."""
        few, many = popcount(fewer), popcount(more)
        ways = choose(self.points - few, many)
        number = set_number(fewer)
        if few > MOST_TURNED:
            return number * ways + set_number(pack_bits(more, self.full ^ fewer))
        home = int(self.homes[self.first_sets[few] + number])
        place = home // SYMMETRIES
        free = self.full ^ int(self.firsts[place])
        more = self.image(more, home % SYMMETRIES)
        least = set_number(pack_bits(more, free))
        alike = int(self.alike[place])
        for symmetry in range(SYMMETRIES):
            if alike >> symmetry & 1:
                least = min(least, set_number(pack_bits(self.image(more, symmetry), free)))
            if alike >> symmetry == 0:
                break
        return (place - self.class_begins[few]) * ways + least

    def unrank(self, layer: int, number: int) -> Position:
        many, few = layer // COUNTS + FEWEST, layer % COUNTS + FEWEST
        ways = choose(self.points - few, many)
        half = self.classes(few) * ways
        is_exchanged = number >= half
        if is_exchanged:
            number -= half
        place = number // ways
        if few > MOST_TURNED:
            fewer = numbered_set(place, self.points, few)
        else:
            fewer = int(self.firsts[self.class_begins[few] + place])
        more = spread_bits(numbered_set(number % ways, self.points - few, many), self.full ^ fewer)
        return Position(more, fewer, 0, MAX) if is_exchanged else Position(fewer, more, 0, MAX)

    def unrank_after(self, layer: int, number: int, before: Position) -> Position:
        many, few = layer // COUNTS + FEWEST, layer % COUNTS + FEWEST
        if number % choose(self.points - few, many) == 0:  # now the smaller set changes
            return self.unrank(layer, number)
        if popcount(before.mine) > few:
            free = self.full ^ before.theirs
            return Position(spread_bits(next_set(pack_bits(before.mine, free)), free), before.theirs, 0, MAX)
        free = self.full ^ before.mine
        return Position(before.mine, spread_bits(next_set(pack_bits(before.theirs, free)), free), 0, MAX)

    def symmetries(self, s: Position) -> Iterator[Position]:
        for symmetry in range(SYMMETRIES):
            yield Position(self.image(s.mine, symmetry), self.image(s.theirs, symmetry), s.hands, s.turn)

    def layers_for(self, text: str) -> list[int]:
        match = re.fullmatch("([3-9])-([3-9])", text.strip())
        if match is None or max(white := int(match[1]), black := int(match[2])) > self.men:
            raise GamesearchError(f"{self.name} has no layers {text!r}: give the numbers of pieces, such as 3-3")
        white, black = max(white, black), min(white, black)
        counts = [(w, b) for w in range(FEWEST, white + 1) for b in range(FEWEST, min(w, black) + 1)]
        return sorted(COUNTS * (w - FEWEST) + b - FEWEST for w, b in counts)

    def layer_name(self, layer: int) -> str:
        return f"{layer // COUNTS + FEWEST}-{layer % COUNTS + FEWEST}"
