"""A position of a build order: resources, finished items, and items under construction."""

from typing import NamedTuple

from gamesearch.toolkit.bits import replaced

__all__ = [
    "AT_REFINERY",
    "BASE",
    "DEPOT",
    "GAS",
    "GAS_RATE",
    "ITEMS",
    "KINDS",
    "KIND_BITS",
    "MAKERS",
    "MINERALS",
    "MINERAL_RATE",
    "NAMES",
    "NOTHING",
    "REFINERY",
    "REQUIRED",
    "SECONDS",
    "SLOTS",
    "START",
    "SUPPLY",
    "THOUSAND",
    "WORKER",
    "Position",
    "busy",
    "can_start",
    "gatherers",
    "kind_of",
    "later",
    "room",
    "seconds_for",
    "supply_being_built",
    "totals",
    "with_first_finished",
    "with_slot",
]


class Item(NamedTuple):
    """Something that can be built: its costs, build time, the maker that it occupies, and its requirements."""

    name: str
    minerals: int
    gas: int
    seconds: int
    supply: int
    """The supply that it uses; negative if it adds supply."""
    maker: str
    requires: tuple[str, ...] = ()


ITEMS = (
    Item("base", 400, 0, 120, -10, "worker"),
    Item("worker", 50, 0, 20, 1, "base"),
    Item("depot", 100, 0, 40, -8, "worker"),
    Item("refinery", 100, 0, 40, 0, "worker"),
    Item("barracks", 150, 0, 80, 0, "worker"),
    Item("academy", 150, 0, 80, 0, "worker", ("barracks",)),
    Item("factory", 200, 100, 80, 0, "worker", ("barracks", "refinery")),
    Item("marine", 50, 0, 24, 1, "barracks"),
    Item("firebat", 50, 25, 24, 1, "barracks", ("academy", "refinery")),
    Item("medic", 50, 25, 30, 1, "barracks", ("academy", "refinery")),
    Item("vulture", 75, 0, 30, 2, "factory"),
)
"""Some Terran units from StarCraft's manual (Blizzard 1998). Each comes after its requirements."""

NAMES = tuple(item.name for item in ITEMS)
KINDS = len(ITEMS)
BASE, WORKER, DEPOT, REFINERY = range(4)
THOUSAND = 1000
MINERALS = tuple(THOUSAND * item.minerals for item in ITEMS)
GAS = tuple(THOUSAND * item.gas for item in ITEMS)
SECONDS = tuple(item.seconds for item in ITEMS)
SUPPLY = tuple(item.supply for item in ITEMS)
MAKERS = tuple(NAMES.index(item.maker) for item in ITEMS)
REQUIRED = tuple(sum({1 << NAMES.index(name) for name in (item.maker, *item.requires)}) for item in ITEMS)
"""For each kind, the kinds, as bits, that must be finished before it can start."""
START = {"base": 1, "worker": 4}
"""The items at the start."""


MINERAL_RATE, GAS_RATE = 675, 1050
"""The amounts, in thousandths, that a worker gathers in a second: 0.045 and 0.07 in each of 15 frames (Churchill and
Buro 2011)."""
AT_REFINERY = 3
SLOTS = 8
NOTHING = 1 << 40
"""An empty slot. It is greater than all others."""
KIND_BITS = 4


class Position(NamedTuple):
    """The time in seconds, minerals and gas in thousandths, and the finished and unfinished items.

    Each of the `slots` contains the second in which an item will be finished, shifted left by 4, and its kind. They are
    in ascending order, with empty slots at the end.
    """

    time: int
    minerals: int
    gas: int
    counts: tuple[int, ...]
    slots: tuple[int, ...]


def kind_of(slot: int) -> int:
    """The kind of item under construction in a slot; KINDS or more if the slot is empty."""
    return KINDS if slot == NOTHING else slot & (1 << KIND_BITS) - 1


def with_slot(slots: tuple[int, ...], slot: int) -> tuple[int, ...]:
    """Insert a slot in order. The last slot, which must be empty, is dropped."""
    i = SLOTS - 1
    while i > 0 and slots[i - 1] > slot:
        slots = replaced(slots, i, slots[i - 1])
        i -= 1
    return replaced(slots, i, slot)


def totals(s: Position) -> tuple[int, ...]:
    """The number of items of each kind, including those under construction."""
    counts = s.counts
    for slot in s.slots:
        if slot != NOTHING:
            counts = replaced(counts, kind_of(slot), counts[kind_of(slot)] + 1)
    return counts


def busy(s: Position, maker: int) -> int:
    """The number of makers of a kind that are building something."""
    count = 0
    for slot in s.slots:
        if slot != NOTHING and MAKERS[kind_of(slot)] == maker:
            count += 1
    return count


def room(counts: tuple[int, ...]) -> int:
    """The supply that remains with these numbers of items."""
    left = 0
    for kind in range(KINDS):
        left -= SUPPLY[kind] * counts[kind]
    return left


def supply_being_built(s: Position) -> int:
    """The supply used by unfinished items, which counts from their start."""
    taken = 0
    for slot in s.slots:
        if slot != NOTHING:
            taken += max(0, SUPPLY[kind_of(slot)])
    return taken


def seconds_for(amount: int, rate: int) -> int:
    """The time, in whole seconds, to gather an amount."""
    return NOTHING if amount > 0 and rate == 0 else 0 if amount <= 0 else -(-amount // rate)


def gatherers(s: Position) -> tuple[int, int]:
    """The numbers of workers that gather minerals and gas: three per refinery, as long as one is left for minerals."""
    idle = s.counts[WORKER] - busy(s, WORKER)
    at_gas = max(0, min(AT_REFINERY * s.counts[REFINERY], idle - 1))
    return idle - at_gas, at_gas


def later(s: Position, time: int) -> Position:
    """The position at a later time. No item may be finished before that time."""
    at_minerals, at_gas = gatherers(s)
    seconds = time - s.time
    minerals = s.minerals + MINERAL_RATE * at_minerals * seconds
    return Position(time, minerals, s.gas + GAS_RATE * at_gas * seconds, s.counts, s.slots)


def with_first_finished(s: Position) -> Position:
    """The position when the next item is finished."""
    kind = kind_of(s.slots[0])
    after = later(s, s.slots[0] >> KIND_BITS)
    counts = replaced(s.counts, kind, s.counts[kind] + 1)
    return Position(after.time, after.minerals, after.gas, counts, (*s.slots[1:], NOTHING))


def can_start(s: Position, kind: int) -> bool:
    """Whether an item can be started now, apart from its costs."""
    for required in range(KINDS):
        if REQUIRED[kind] >> required & 1 and s.counts[required] == 0:
            return False
    if SUPPLY[kind] > 0 and supply_being_built(s) + SUPPLY[kind] > room(s.counts):
        return False
    return s.slots[SLOTS - 1] == NOTHING and busy(s, MAKERS[kind]) < s.counts[MAKERS[kind]]
