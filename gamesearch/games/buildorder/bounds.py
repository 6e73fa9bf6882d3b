"""Times before which a goal of a build order cannot be reached, as Churchill and Buro have them."""

from gamesearch.games.buildorder.goal import BuildOrderGoal
from gamesearch.games.buildorder.items import (
    BASE,
    DEPOT,
    GAS,
    KINDS,
    MAKERS,
    MINERALS,
    REFINERY,
    REQUIRED,
    SECONDS,
    SUPPLY,
    WORKER,
)
from gamesearch.games.buildorder.position import (
    AT_REFINERY,
    GAS_RATE,
    KIND_BITS,
    MINERAL_RATE,
    NOTHING,
    Position,
    kind_of,
    room,
    seconds_for,
    totals,
)
from gamesearch.toolkit.bits import replaced

__all__ = ["BuildOrderBounds"]


class BuildOrderBounds(BuildOrderGoal):
    """Lower bounds on the time."""

    def bounds(self, s: Position) -> tuple[float, float]:
        return self.MINSCORE, -min(self.horizon, self.soonest(s))

    def soonest(self, s: Position) -> int:
        """A time before which the goal cannot be reached."""
        missing = self.missing_items(s)
        return max(self.started_until(s), self.landmarks(s, missing), self.resources(s, missing))

    def started_until(self, s: Position) -> int:
        """When all of the goal that has been started will be finished."""
        last = s.time
        for kind in range(KINDS):
            missing = self.wanted[kind] - s.counts[kind]
            for slot in s.slots:
                if missing > 0 and kind_of(slot) == kind:
                    missing -= 1
                    last = max(last, slot >> KIND_BITS)
        return last

    def missing_items(self, s: Position) -> tuple[int, ...]:
        """How many of each kind must be started yet: for the goal, for what that requires, and for its supply."""
        there = totals(s)
        missing = there
        for kind in range(KINDS):
            missing = replaced(missing, kind, max(0, self.wanted[kind] - there[kind]))
        for i in range(KINDS):
            kind = KINDS - 1 - i
            for required in range(kind):
                if missing[kind] > 0 and REQUIRED[kind] >> required & 1 and there[required] == 0:
                    missing = replaced(missing, required, max(1, missing[required]))
        lacking = -room(there) - room(missing)
        if lacking > 0:
            missing = replaced(missing, DEPOT, missing[DEPOT] + (lacking - SUPPLY[DEPOT] - 1) // -SUPPLY[DEPOT])
        return missing

    def landmarks(self, s: Position, missing: tuple[int, ...]) -> int:
        """The end of the longest chain of what must be built one after the other, whatever it costs."""
        stands = s.counts
        for kind in range(KINDS):
            stands = replaced(stands, kind, s.time)
        last = s.time
        for kind in range(KINDS):
            start = s.time
            for required in range(KINDS):
                if REQUIRED[kind] >> required & 1:
                    start = max(start, stands[required])
            if missing[kind] > 0:
                rounds = -(-missing[kind] // self.limits[MAKERS[kind]])
                last = max(last, start + rounds * SECONDS[kind])
            if s.counts[kind] == 0:
                stands = replaced(stands, kind, first_finished(s, kind, start + SECONDS[kind]))
        return last

    def resources(self, s: Position, missing: tuple[int, ...]) -> int:
        """When the last missing item is finished if nothing but the costs keeps it waiting."""
        minerals, gas, shortest = -s.minerals, -s.gas, NOTHING
        for kind in range(KINDS):
            if missing[kind] > 0:
                shortest = min(shortest, SECONDS[kind])
                gas += missing[kind] * GAS[kind]
                if kind != WORKER:
                    minerals += missing[kind] * MINERALS[kind]
        if shortest == NOTHING:
            return s.time
        start = s.time + self.seconds_to_gather(s, minerals)
        if gas > 0:
            refinery = s.time if s.counts[REFINERY] > 0 else first_finished(s, REFINERY, s.time + SECONDS[REFINERY])
            start = max(start, refinery + seconds_for(gas, GAS_RATE * AT_REFINERY * self.limits[REFINERY]))
        return start + shortest

    def seconds_to_gather(self, s: Position, minerals: int) -> int:
        """In how many seconds so many minerals can be there, with as many more workers as pay for themselves.

        All workers gather minerals, and the bases train one after the other: more is not possible.
        """
        rate = MINERAL_RATE * s.counts[WORKER]
        workers = s.counts[WORKER]
        trained = 0  # when the last worker that has been started will be there
        for slot in s.slots:
            if kind_of(slot) == WORKER:
                trained = (slot >> KIND_BITS) - s.time
                if seconds_for(minerals, rate) <= trained:
                    break
                workers += 1
                minerals += trained * MINERAL_RATE
                rate += MINERAL_RATE
        if self.limits[BASE] > 1:
            trained = 0
        more = 0
        while workers + more < self.limits[WORKER]:
            trained += SECONDS[WORKER] * (more % self.limits[BASE] == 0)
            paid = minerals + trained * MINERAL_RATE + MINERALS[WORKER]
            if paid * rate >= minerals * (rate + MINERAL_RATE):  # it would come too late to pay for itself
                break
            minerals = paid
            rate += MINERAL_RATE
            more += 1
        return seconds_for(minerals, rate)


def first_finished(s: Position, kind: int, otherwise: int) -> int:
    """When the first of a kind that is being built is finished."""
    for slot in s.slots:
        if kind_of(slot) == kind:
            return slot >> KIND_BITS
    return otherwise
