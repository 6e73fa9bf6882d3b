"""The symmetries of a morris board: turning and mirroring all rings, and exchanging the innermost with the outermost.

There are 16, or 8 on one ring. What is numbered is one set of men of those that are alike, its class.
"""

import functools
from typing import NamedTuple

from gamesearch.games._shared.combinations import choose, numbered_set, set_number
from gamesearch.games.morris.position import FEWEST, RING
from gamesearch.toolkit.bits import BoardTable

__all__ = ["BYTE", "MOST_TURNED", "SYMMETRIES", "Classes", "classes_of", "images_of"]

BYTE = 256
SYMMETRIES = 16
MOST_TURNED = 4
"""The greatest set of men that has a class; of more than that, each is alone, as tables would become too large."""


def image_of_point(symmetry: int, ring: int, place: int, rings: int) -> int:
    """Where a point comes to lie; a symmetry is quarters of a turn, 4 more if mirrored, 8 if rings are exchanged."""
    if symmetry & 4:
        place = -place
    if symmetry & 8:
        ring = rings - 1 - ring
    return RING * ring + (place + 2 * (symmetry & 3)) % RING


@functools.cache
def images_of(rings: int) -> BoardTable:
    """The images of men on one ring, at BYTE * (rings * symmetry + ring) + men; on one ring, 8 are there twice."""
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
    """The classes of sets of FEWEST to MOST_TURNED men, those of smaller sets first."""

    begins: tuple[int, ...]
    """Where the classes of sets with so many men begin."""
    first_sets: tuple[int, ...]
    """Where sets with so many men begin in `homes`."""
    homes: BoardTable
    """Of each set, SYMMETRIES * its class, and the symmetry that makes it the first of the class."""
    firsts: BoardTable
    """The first set of each class."""
    alike: BoardTable
    """Of each class, the symmetries that leave its first set as it is, but for the one that leaves all: a bit each."""


@functools.cache
def classes_of(rings: int) -> Classes:
    """All classes of sets on a board."""
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
                # A set that this one becomes is brought back by the inverse symmetry.
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
    """The symmetry that takes another back: mirrors are their own."""
    return symmetry if symmetry & 4 else symmetry & 8 | -symmetry & 3
