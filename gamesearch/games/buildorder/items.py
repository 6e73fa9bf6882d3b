"""What is built in build orders, and what it costs."""

from typing import NamedTuple

__all__ = [
    "BASE",
    "DEPOT",
    "GAS",
    "ITEMS",
    "KINDS",
    "MAKERS",
    "MINERALS",
    "NAMES",
    "REFINERY",
    "REQUIRED",
    "SECONDS",
    "START",
    "SUPPLY",
    "THOUSAND",
    "WORKER",
]


class Item(NamedTuple):
    """What can be built: what it costs, how long it takes, what makes it meanwhile and what must stand."""

    name: str
    minerals: int
    gas: int
    seconds: int
    supply: int
    """What it takes of the supply; less than 0 is what it adds to it."""
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
"""Terran units as StarCraft's manual lists them (Blizzard 1998), a few of them, each after what it requires."""

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
"""The kinds, as bits, that must stand."""
START = {"base": 1, "worker": 4}
"""What stands at first."""
