"""A position of a build order: what there is, and what is being built."""

from typing import NamedTuple

from gamesearch.bits import replaced
from gamesearch.games.buildorder.items import KINDS, MAKERS, SUPPLY

__all__ = [
    "KIND_BITS",
    "NOTHING",
    "SLOTS",
    "Position",
    "busy",
    "kind_of",
    "room",
    "supply_being_built",
    "totals",
    "with_slot",
    "without_first",
]

SLOTS = 8
NOTHING = 1 << 40
"""An empty slot, greater than all others."""
KIND_BITS = 4


class Position(NamedTuple):
    """The time in seconds, minerals and gas in thousandths, what stands of each kind, and what is being built.

    Each of the `slots` is the second in which something will be finished, shifted left by 4, and its
    kind. They ascend; the empty ones come last.
    """

    time: int
    minerals: int
    gas: int
    counts: tuple[int, ...]
    slots: tuple[int, ...]


def kind_of(slot: int) -> int:
    """What is built in a slot; KINDS or more where it is empty."""
    return KINDS if slot == NOTHING else slot & (1 << KIND_BITS) - 1


def with_slot(slots: tuple[int, ...], slot: int) -> tuple[int, ...]:
    """The slots with one more, in order; the last, which is empty, is lost."""
    i = SLOTS - 1
    while i > 0 and slots[i - 1] > slot:
        slots = replaced(slots, i, slots[i - 1])
        i -= 1
    return replaced(slots, i, slot)


def without_first(slots: tuple[int, ...]) -> tuple[int, ...]:
    """The slots without the one that is finished first."""
    for i in range(SLOTS - 1):
        slots = replaced(slots, i, slots[i + 1])
    return replaced(slots, SLOTS - 1, NOTHING)


def totals(s: Position) -> tuple[int, ...]:
    """How many there are of each kind, those that are being built included."""
    counts = s.counts
    for slot in s.slots:
        if slot != NOTHING:
            counts = replaced(counts, kind_of(slot), counts[kind_of(slot)] + 1)
    return counts


def busy(s: Position, maker: int) -> int:
    """How many of a kind are building something."""
    count = 0
    for slot in s.slots:
        if slot != NOTHING and MAKERS[kind_of(slot)] == maker:
            count += 1
    return count


def room(counts: tuple[int, ...]) -> int:
    """How much supply such counts leave."""
    left = 0
    for kind in range(KINDS):
        left -= SUPPLY[kind] * counts[kind]
    return left


def supply_being_built(s: Position) -> int:
    """What is being built will take so much supply, and takes it already."""
    taken = 0
    for slot in s.slots:
        if slot != NOTHING:
            taken += max(0, SUPPLY[kind_of(slot)])
    return taken
