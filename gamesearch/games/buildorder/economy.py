"""How a build order goes on with time: what is gathered, and what can be started and is finished."""

from gamesearch.bits import replaced
from gamesearch.games.buildorder.items import KINDS, MAKERS, REFINERY, REQUIRED, SUPPLY, WORKER
from gamesearch.games.buildorder.position import (
    KIND_BITS,
    NOTHING,
    SLOTS,
    Position,
    busy,
    kind_of,
    room,
    supply_being_built,
    without_first,
)

__all__ = [
    "AT_REFINERY",
    "GAS_RATE",
    "MINERAL_RATE",
    "can_start",
    "gatherers",
    "later",
    "seconds_for",
    "with_first_finished",
]

MINERAL_RATE, GAS_RATE = 675, 1050
"""Thousandths that a worker gathers in a second: 0.045 and 0.07 in each of 15 frames (Churchill and Buro 2011)."""
AT_REFINERY = 3


def seconds_for(amount: int, rate: int) -> int:
    """In how many whole seconds an amount is gathered."""
    return NOTHING if amount > 0 and rate == 0 else 0 if amount <= 0 else -(-amount // rate)


def gatherers(s: Position) -> tuple[int, int]:
    """How many workers gather minerals and gas: three to a refinery, while one is left for minerals."""
    idle = s.counts[WORKER] - busy(s, WORKER)
    at_gas = max(0, min(AT_REFINERY * s.counts[REFINERY], idle - 1))
    return idle - at_gas, at_gas


def later(s: Position, time: int) -> Position:
    """The position at a later time, up to which nothing is finished."""
    at_minerals, at_gas = gatherers(s)
    seconds = time - s.time
    minerals = s.minerals + MINERAL_RATE * at_minerals * seconds
    return Position(time, minerals, s.gas + GAS_RATE * at_gas * seconds, s.counts, s.slots)


def with_first_finished(s: Position) -> Position:
    """The position when what is being built is finished first."""
    kind = kind_of(s.slots[0])
    after = later(s, s.slots[0] >> KIND_BITS)
    counts = replaced(s.counts, kind, s.counts[kind] + 1)
    return Position(after.time, after.minerals, after.gas, counts, without_first(s.slots))


def can_start(s: Position, kind: int) -> bool:
    """Whether a kind can be started now, for all but its costs."""
    for required in range(KINDS):
        if REQUIRED[kind] >> required & 1 and s.counts[required] == 0:
            return False
    if SUPPLY[kind] > 0 and supply_being_built(s) + SUPPLY[kind] > room(s.counts):
        return False
    return s.slots[SLOTS - 1] == NOTHING and busy(s, MAKERS[kind]) < s.counts[MAKERS[kind]]
