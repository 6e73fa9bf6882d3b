"""Build orders: in which order to build workers, buildings and soldiers, so that a goal is reached soonest."""

from collections.abc import Iterator

from gamesearch.game import MAX
from gamesearch.games._shared.members import members
from gamesearch.games.buildorder.bounds import BuildOrderBounds
from gamesearch.games.buildorder.items import GAS, KINDS, MINERALS, NAMES, REQUIRED, SECONDS, START, SUPPLY, THOUSAND
from gamesearch.games.buildorder.notation import BuildOrderNotation
from gamesearch.games.buildorder.position import (
    GAS_RATE,
    KIND_BITS,
    MINERAL_RATE,
    NOTHING,
    SLOTS,
    Position,
    busy,
    can_start,
    gatherers,
    later,
    room,
    seconds_for,
    totals,
    with_first_finished,
    with_slot,
)
from gamesearch.toolkit.known import Known

__all__ = ["BuildOrder"]

FIRST_MINERALS = 50 * THOUSAND


class BuildOrder(BuildOrderNotation, BuildOrderBounds):
    """StarCraft's build orders: a move starts the next item, as soon as it can be; the payoff is minus the seconds.

    After D. Churchill and M. Buro, "Build order optimization in StarCraft" (AIIDE 2011): a move waits
    until the costs are gathered, what is required stands, supply is left and a maker is free, and then
    starts the item. Max alone moves, and the game ends when all of the goal is finished or being
    built, or at the `horizon`. A building keeps the worker busy that builds it; a finished refinery
    takes three workers from the minerals, if one is left there; up to 8 items are built at a time. Of
    what the goal does not ask for, there are at most so many workers as `workers` says, the makers and
    depots that the goal's units can use, and one of all other that is required.
    """

    known = (
        Known("by hand: barracks in second 38, marine in 118", "goal=marine=1", value=-142, best=("barracks",)),
        Known("by hand: one marine after the other", "goal=marine=2", value=-166, best=("barracks",)),
        Known("every order tried, second by second", "goal=medic=1", value=-237, best=("barracks",)),
        Known("memo and branch and bound agree", value=-209, best=("worker",), positions=240_568),
        Known("memo and branch and bound agree", value=-209, method="alphabeta"),
    )
    win_or_loss = False
    MAXSCORE = 0
    weights = (-1.0, -1.0)
    feature_names = ("seconds gone by", "seconds still needed at least")

    def __init__(self, goal: str = "marine=4", workers: int = 8, horizon: int = 600) -> None:
        super().__init__(goal, workers, horizon)
        self.MINSCORE = -self.horizon
        self.suggested_depth = 8

    def initial(self) -> Position:
        return Position(0, FIRST_MINERALS, 0, tuple(START.get(name, 0) for name in NAMES), (NOTHING,) * SLOTS)

    def player(self, s: Position) -> int:
        return MAX

    def startable(self, s: Position) -> int:
        """The kinds, as bits, that can be started now or when what is being built is finished."""
        there = totals(s)
        standing = kinds = 0
        for kind in range(KINDS):
            if there[kind] > 0:
                standing |= 1 << kind
        for kind in range(KINDS):
            has_room = there[kind] < self.limits[kind] and SUPPLY[kind] <= max(0, room(there))
            if has_room and REQUIRED[kind] & ~standing == 0:
                kinds |= 1 << kind
        return kinds

    def moves(self, s: Position) -> Iterator[int]:
        for kind in members(self.startable(s)):
            yield kind

    def result(self, s: Position, m: int) -> Position:
        while True:
            at_minerals, at_gas = gatherers(s)
            seconds = max(
                seconds_for(MINERALS[m] - s.minerals, MINERAL_RATE * at_minerals),
                seconds_for(GAS[m] - s.gas, GAS_RATE * at_gas),
            )
            if seconds == 0 and can_start(s, m):
                break
            if seconds == 0 or s.slots[0] >> KIND_BITS <= s.time + seconds:
                s = with_first_finished(s)
            else:
                s = later(s, s.time + seconds)
        slots = with_slot(s.slots, s.time + SECONDS[m] << KIND_BITS | m)
        after = Position(s.time, s.minerals - MINERALS[m], s.gas - GAS[m], s.counts, slots)
        while after.slots[0] >> KIND_BITS <= after.time:
            after = with_first_finished(after)
        return after

    def has_started_all(self, s: Position) -> bool:
        """Whether all of the goal is finished or being built."""
        there = totals(s)
        for kind in range(KINDS):
            if there[kind] < self.wanted[kind]:
                return False
        return True

    def terminal(self, s: Position) -> bool:
        return s.time >= self.horizon or self.has_started_all(s)

    def utility(self, s: Position) -> int:
        return -min(self.horizon, self.started_until(s)) if self.has_started_all(s) else -self.horizon

    # What search may ask to do better. -----------------------------------------------------------
    def features(self, s: Position) -> tuple[float, ...]:
        """The seconds that have gone by, and the least that are still needed."""
        return float(s.time), float(min(self.soonest(s), self.horizon - 1) - s.time)

    def order(self, s: Position, m: int) -> float:
        return 1.0 if self.missing_items(s)[m] > 0 else 0.0

    def consistent(self, s: Position) -> bool:
        there = totals(s)
        for kind in range(KINDS):
            if there[kind] > self.limits[kind] or busy(s, kind) > s.counts[kind]:
                return False
        return s.minerals >= 0 and s.gas >= 0 and room(s.counts) >= 0
