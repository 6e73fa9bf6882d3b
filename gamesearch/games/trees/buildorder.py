"""Build orders: find the order of workers, buildings and soldiers that reaches a goal in the shortest time."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.games._shared.cells import members
from gamesearch.specification import nearest
from gamesearch.toolkit.bits import replace_item
from gamesearch.toolkit.boards import Board
from gamesearch.toolkit.known import Known

__all__ = ["BuildOrder"]

MOST = 30
"""The greatest number of items of one kind in a goal."""
LONGEST = 3600
"""The greatest value of `horizon`, in seconds."""
TOKEN = re.compile(r"([a-z]+)([=@])([0-9]{1,6})(?:\.([0-9]{1,3}))?")


# The items. --------------------------------------------------------------------------------------
class Item(NamedTuple):
    """An item that can be built: its costs, build time, maker, and requirements."""

    name: str
    minerals: int
    gas: int
    seconds: int
    supply: int
    """The supply that the item uses; negative if the item adds supply."""
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
"""Some Terran items from StarCraft's manual (Blizzard 1998). Each item is listed after the items that it requires."""

NAMES = tuple(item.name for item in ITEMS)
KINDS = len(ITEMS)
BASE, WORKER, DEPOT, REFINERY = range(4)
THOUSAND = 1000
FIRST_MINERALS = 50 * THOUSAND
MINERALS = tuple(THOUSAND * item.minerals for item in ITEMS)
GAS = tuple(THOUSAND * item.gas for item in ITEMS)
SECONDS = tuple(item.seconds for item in ITEMS)
SUPPLY = tuple(item.supply for item in ITEMS)
MAKERS = tuple(NAMES.index(item.maker) for item in ITEMS)
REQUIRED = tuple(sum({1 << NAMES.index(name) for name in (item.maker, *item.requires)}) for item in ITEMS)
"""For each kind of item, the other kinds (as bits) that must be finished before an item of this kind can be started."""
START = {"base": 1, "worker": 4}
"""The items that exist at the start."""
MINERAL_RATE, GAS_RATE = 675, 1050
"""The amounts of minerals and of gas that a worker gathers in a second, in thousandths. A second has 15 frames. A
worker gathers 0.045 minerals or 0.07 gas in each frame (Churchill and Buro 2011)."""
AT_REFINERY = 3
SLOTS = 8
NOTHING = 1 << 40
"""The value of an empty slot, which is greater than all other values."""
KIND_BITS = 4


class Position(NamedTuple):
    """The time (in seconds), the minerals and gas (in thousandths), and the finished and unfinished items.

    Each slot describes an item under construction: 16 * time + kind, where `time` is the second in which the item will
    be finished. The slots are in ascending order, with empty slots at the end.
    """

    time: int
    minerals: int
    gas: int
    counts: tuple[int, ...]
    slots: tuple[int, ...]


def kind_of(slot: int) -> int:
    """The kind of the item in a slot; KINDS or more if the slot is empty."""
    return KINDS if slot == NOTHING else slot & (1 << KIND_BITS) - 1


def with_slot(slots: tuple[int, ...], slot: int) -> tuple[int, ...]:
    """Insert a slot into the sorted slots, and drop the last slot, which must be empty."""
    i = SLOTS - 1
    while i > 0 and slots[i - 1] > slot:
        slots = replace_item(slots, i, slots[i - 1])
        i -= 1
    return replace_item(slots, i, slot)


def totals(s: Position) -> tuple[int, ...]:
    """The number of items of each kind, including those under construction."""
    counts = s.counts
    for slot in s.slots:
        if slot != NOTHING:
            counts = replace_item(counts, kind_of(slot), counts[kind_of(slot)] + 1)
    return counts


def busy(s: Position, maker: int) -> int:
    """The number of busy makers of one kind, such as barracks."""
    count = 0
    for slot in s.slots:
        if slot != NOTHING and MAKERS[kind_of(slot)] == maker:
            count += 1
    return count


def room(counts: tuple[int, ...]) -> int:
    """The unused supply, given the number of items of each kind."""
    left = 0
    for kind in range(KINDS):
        left -= SUPPLY[kind] * counts[kind]
    return left


def supply_being_built(s: Position) -> int:
    """The supply that unfinished items use. An item uses supply as soon as it is started."""
    taken = 0
    for slot in s.slots:
        if slot != NOTHING:
            taken += max(0, SUPPLY[kind_of(slot)])
    return taken


def seconds_for(amount: int, rate: int) -> int:
    """The time to gather an amount, rounded up to whole seconds."""
    return NOTHING if amount > 0 and rate == 0 else 0 if amount <= 0 else -(-amount // rate)


def gatherers(s: Position) -> tuple[int, int]:
    """The numbers of workers at minerals (at least one) and at gas (three at each refinery)."""
    idle = s.counts[WORKER] - busy(s, WORKER)
    at_gas = max(0, min(AT_REFINERY * s.counts[REFINERY], idle - 1))
    return idle - at_gas, at_gas


def advance_clock(s: Position, time: int) -> Position:
    """The position at a later time. The caller must make sure that no item is finished before `time`."""
    at_minerals, at_gas = gatherers(s)
    seconds = time - s.time
    minerals = s.minerals + MINERAL_RATE * at_minerals * seconds
    return Position(time, minerals, s.gas + GAS_RATE * at_gas * seconds, s.counts, s.slots)


def finish_next_item(s: Position) -> Position:
    """Advance the clock until the next item is finished; returns the position at that time."""
    kind = kind_of(s.slots[0])
    after = advance_clock(s, s.slots[0] >> KIND_BITS)
    counts = replace_item(s.counts, kind, s.counts[kind] + 1)
    return Position(after.time, after.minerals, after.gas, counts, (*s.slots[1:], NOTHING))


def can_start(s: Position, kind: int) -> bool:
    """Whether an item can be started now if its costs are ignored."""
    for required in members(REQUIRED[kind]):
        if s.counts[required] == 0:
            return False
    if SUPPLY[kind] > 0 and supply_being_built(s) + SUPPLY[kind] > room(s.counts):
        return False
    return s.slots[SLOTS - 1] == NOTHING and busy(s, MAKERS[kind]) < s.counts[MAKERS[kind]]


def read_goal(text: str) -> tuple[int, ...]:
    """The number of items of each kind in a goal such as marine=4+medic=1."""
    wanted = [0] * KINDS
    for part in re.split(r"[+,;\s]+", text.strip().casefold()):
        match = re.fullmatch(r"([a-z]+)=([0-9]{1,2})", part)
        if match is None:
            raise GamesearchError(f"the goal {text!r} is not of the form marine=4 or marine=2+medic=1")
        if match[1] not in NAMES:
            raise GamesearchError(f"{match[1]!r} is not an item that can be built: {nearest(match[1], NAMES)}")
        if int(match[2]) > MOST:
            raise GamesearchError(f"the goal {part} is too large: at most {MOST} items are possible")
        wanted[NAMES.index(match[1])] = int(match[2])
    if all(count <= START.get(name, 0) for name, count in zip(NAMES, wanted, strict=True)):
        raise GamesearchError(f"the goal {text!r} is already reached at the start")
    return tuple(wanted)


def first_finished(s: Position, kind: int, otherwise: int) -> int:
    """The earliest time when an unfinished item of this kind will be finished. The result is `otherwise` if there is no
    such item."""
    for slot in s.slots:
        if kind_of(slot) == kind:
            return slot >> KIND_BITS
    return otherwise


WEIGHTS = (-1.0, -1.0)
FEATURE_NAMES = ("elapsed seconds", "lower bound on the remaining seconds")


def by_landmarks(game: "BuildOrder", s: Position) -> tuple[float, ...]:
    """The elapsed seconds, and a lower bound on the remaining seconds. The bound follows from the longest chain of
    requirements."""
    return seconds_until(game, s, game.landmarks(s, game.missing_items(s)))


def by_resources(game: "BuildOrder", s: Position) -> tuple[float, ...]:
    """The elapsed seconds, and a lower bound on the remaining seconds. The bound follows from the costs of all missing
    items."""
    return seconds_until(game, s, game.resources(s, game.missing_items(s)))


def seconds_until(game: "BuildOrder", s: Position, end: int) -> tuple[float, ...]:
    """The elapsed seconds, and the seconds that remain if the goal is reached at the time `end`."""
    return float(s.time), float(min(end, game.horizon - 1) - s.time)


class BuildOrder(Game[Position]):
    """Build orders of StarCraft: each move starts an item, and the payoff is minus the seconds to the goal.

    The game follows D. Churchill and M. Buro, "Build order optimization in StarCraft" (AIIDE 2011). A move starts an
    item as soon as possible: its costs must be gathered, its requirements must be finished, there must be supply left,
    and a worker or building must be free to make it. Max is the only player. The game ends when all items of the goal
    are finished or under construction, or when the `horizon` is reached. A worker is busy while it constructs a
    building. A finished refinery takes three workers from the minerals, but at least one worker stays at the minerals.
    At most 8 items can be under construction at a time. The numbers of items that are not part of the goal are limited.
    There are at most `workers` workers. There are no more makers and depots than the units of the goal can use. Other
    required items are built only once.

    The evaluation uses the greatest of several lower bounds on the time. `evaluation=landmarks` uses only the longest
    chain of items. Each item of a chain requires the item before it. `evaluation=resources` uses only the time needed
    to gather all costs.
    """

    known = (
        Known("by hand: barracks begun at 38 s, marine at 118 s", "goal=marine=1", value=-142, best=("barracks",)),
        Known("by hand: one marine after the other", "goal=marine=2", value=-166, best=("barracks",)),
        Known("found by trying every order in a simulation", "goal=medic=1", value=-237, best=("barracks",)),
        Known("solved by memo and by branch and bound", value=-209, best=("worker",), positions=240_568),
        Known("solved by memo and by branch and bound", value=-209, method="alphabeta"),
    )
    win_or_loss = False
    shipped_evaluations: ClassVar[Mapping[str, Any]] = {
        name: {"features": features, "weights": WEIGHTS, "feature_names": FEATURE_NAMES}
        for name, features in (("landmarks", by_landmarks), ("resources", by_resources))
    }
    MAXSCORE = 0
    weights = WEIGHTS
    feature_names = FEATURE_NAMES
    notation = (
        "a list of moves (worker, depot), or time, minerals, gas and the number of finished items of each kind. For "
        "each unfinished item, add @ and the second in which it will be finished (time=38 minerals=2.6 gas=0 base=1 "
        "worker=4 barracks@118). A move is the name of the next item to start"
    )
    example = "time=38 minerals=2.6 gas=0 base=1 worker=4 barracks@118"
    names = ("builder", "nobody")
    is_for_one = True
    turns_alternate = False
    unit = "seconds"

    def __init__(self, goal: str = "marine=4", workers: int = 8, horizon: int = 600) -> None:
        if not START["worker"] <= workers <= MOST:
            raise GamesearchError(f"workers={workers} is not between {START['worker']} and {MOST}")
        if not 1 <= horizon <= LONGEST:
            raise GamesearchError(f"horizon={horizon} is not between 1 and {LONGEST} seconds")
        self.workers, self.horizon = int(workers), int(horizon)
        self.wanted = read_goal(goal)
        self.goal = "+".join(f"{name}={count}" for name, count in zip(NAMES, self.wanted, strict=True) if count)
        self.limits = self._limits()
        self.MINSCORE = -self.horizon
        self.suggested_depth = 8

    # The rules. -----------------------------------------------------------------------------------
    def initial(self) -> Position:
        return Position(0, FIRST_MINERALS, 0, tuple(START.get(name, 0) for name in NAMES), (NOTHING,) * SLOTS)

    def player(self, s: Position) -> int:
        return MAX

    def startable_kinds(self, s: Position) -> int:
        """The kinds of items that can be started next, now or after some time. They are returned as bits."""
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
        for kind in members(self.startable_kinds(s)):
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
                s = finish_next_item(s)
            else:
                s = advance_clock(s, s.time + seconds)
        slots = with_slot(s.slots, s.time + SECONDS[m] << KIND_BITS | m)
        after = Position(s.time, s.minerals - MINERALS[m], s.gas - GAS[m], s.counts, slots)
        while after.slots[0] >> KIND_BITS <= after.time:
            after = finish_next_item(after)
        return after

    def has_started_all(self, s: Position) -> bool:
        """Whether all items of the goal are finished or under construction."""
        there = totals(s)
        for kind in range(KINDS):
            if there[kind] < self.wanted[kind]:
                return False
        return True

    def terminal(self, s: Position) -> bool:
        return s.time >= self.horizon or self.has_started_all(s)

    def utility(self, s: Position) -> int:
        return -min(self.horizon, self.end_of_started_items(s)) if self.has_started_all(s) else -self.horizon

    # Evaluation and move ordering. ----------------------------------------------------------------
    def features(self, s: Position) -> tuple[float, ...]:
        """The elapsed seconds, and a lower bound on the remaining seconds."""
        return seconds_until(self, s, self.earliest_goal_time(s))

    def order(self, s: Position, m: int) -> float:
        return 1.0 if self.missing_items(s)[m] > 0 else 0.0

    def consistent(self, s: Position) -> bool:
        there = totals(s)
        for kind in range(KINDS):
            if there[kind] > self.limits[kind] or busy(s, kind) > s.counts[kind]:
                return False
        return s.minerals >= 0 and s.gas >= 0 and room(s.counts) >= 0

    def _limits(self) -> tuple[int, ...]:
        """For each kind, the greatest number of items that may be built."""
        limits = list(self.wanted)
        for kind in reversed(range(KINDS)):
            for required in members(REQUIRED[kind] if limits[kind] else 0):
                limits[required] = max(limits[required], 1)
        limits[BASE], limits[WORKER] = max(limits[BASE], 1), max(limits[WORKER], self.workers)
        for maker in range(WORKER + 1, KINDS):
            made = sum(limits[kind] for kind in range(KINDS) if MAKERS[kind] == maker)
            limits[maker] = max(limits[maker], made)
        limits[DEPOT] = 0
        limits[DEPOT] = max(self.wanted[DEPOT], -(room(tuple(limits)) // -SUPPLY[DEPOT]))
        return tuple(limits)

    # Lower bounds on the time (Churchill and Buro 2011). ------------------------------------------
    def bounds(self, s: Position) -> tuple[float, float]:
        return self.MINSCORE, -min(self.horizon, self.earliest_goal_time(s))

    def earliest_goal_time(self, s: Position) -> int:
        """A lower bound on the time at which the goal can be reached."""
        missing = self.missing_items(s)
        return max(self.end_of_started_items(s), self.landmarks(s, missing), self.resources(s, missing))

    def end_of_started_items(self, s: Position) -> int:
        """The time when all started items of the goal are finished."""
        last = s.time
        for kind in range(KINDS):
            missing = self.wanted[kind] - s.counts[kind]
            for slot in s.slots:
                if missing > 0 and kind_of(slot) == kind:
                    missing -= 1
                    last = max(last, slot >> KIND_BITS)
        return last

    def missing_items(self, s: Position) -> tuple[int, ...]:
        """For each kind, the number of items that must still be started. The items are parts of the goal, requirements
        of other items, and depots that provide supply."""
        there = totals(s)
        missing = there
        for kind in range(KINDS):
            missing = replace_item(missing, kind, max(0, self.wanted[kind] - there[kind]))
        for i in range(KINDS):
            kind = KINDS - 1 - i
            for required in members(REQUIRED[kind] if missing[kind] > 0 else 0):
                if there[required] == 0:
                    missing = replace_item(missing, required, max(1, missing[required]))
        lacking = -room(there) - room(missing)
        if lacking > 0:
            missing = replace_item(missing, DEPOT, missing[DEPOT] + (lacking - SUPPLY[DEPOT] - 1) // -SUPPLY[DEPOT])
        return missing

    def landmarks(self, s: Position, missing: tuple[int, ...]) -> int:
        """The time at which the longest chain of items would be finished if nothing had a cost. Each item of a chain
        requires the item before it."""
        stands = s.counts
        for kind in range(KINDS):
            stands = replace_item(stands, kind, s.time)
        last = s.time
        for kind in range(KINDS):
            start = s.time
            for required in members(REQUIRED[kind]):
                start = max(start, stands[required])
            if missing[kind] > 0:
                rounds = -(-missing[kind] // self.limits[MAKERS[kind]])
                last = max(last, start + rounds * SECONDS[kind])
            if s.counts[kind] == 0:
                stands = replace_item(stands, kind, first_finished(s, kind, start + SECONDS[kind]))
        return last

    def resources(self, s: Position, missing: tuple[int, ...]) -> int:
        """A lower bound on the time when the last missing item is finished: first, the costs of all missing items must
        be gathered; then, at least the fastest item must be made."""
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
        """A lower bound on the seconds needed to gather minerals. The bound assumes that the bases train another worker
        whenever this shortens the time."""
        rate = MINERAL_RATE * s.counts[WORKER]
        workers = s.counts[WORKER]
        trained = 0  # the second in which the last worker in training is finished
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
            if paid * rate >= minerals * (rate + MINERAL_RATE):  # another worker would not pay for itself
                break
            minerals = paid
            rate += MINERAL_RATE
            more += 1
        return seconds_for(minerals, rate)

    def parse(self, text: str) -> Position:
        counts, slots, told = [0] * KINDS, [], {"time": 0, "minerals": 0, "gas": 0}
        for word in text.casefold().split():
            match = TOKEN.fullmatch(word)
            if match is None or match[1] not in {*NAMES, *told}:
                raise GamesearchError(f"{word!r} is not a part of a position: write, for example, {self.example}")
            name, number = match[1], int(match[3])
            thousandths = int((match[4] or "").ljust(3, "0"))
            if name in ("minerals", "gas") and match[2] == "=":
                told[name] = number * THOUSAND + thousandths
            elif thousandths or (match[2] == "@" and name == "time"):
                raise GamesearchError(f"{word!r} is not a whole number of seconds or of items")
            elif name == "time":
                told[name] = number
            elif name not in NAMES:
                raise GamesearchError(f"{word!r} is not an item: write {name}= and the amount")
            elif match[2] == "=":
                counts[NAMES.index(name)] = number
            else:
                slots.append(number << KIND_BITS | NAMES.index(name))
        if len(slots) > SLOTS:
            raise GamesearchError(f"{text!r} builds {len(slots)} items at a time: at most {SLOTS} are possible")
        slots = sorted(slots) + [NOTHING] * (SLOTS - len(slots))
        s = Position(told["time"], told["minerals"], told["gas"], tuple(counts), tuple(slots))
        self.refuse_unreachable(s)
        return s

    def format(self, s: Position) -> str:
        words = [f"time={s.time}", f"minerals={decimal(s.minerals)}", f"gas={decimal(s.gas)}"]
        words += [f"{name}={count}" for name, count in zip(NAMES, s.counts, strict=True) if count]
        words += [f"{NAMES[kind_of(slot)]}@{slot >> KIND_BITS}" for slot in s.slots if slot != NOTHING]
        return " ".join(words)

    def refuse_unreachable(self, s: Position) -> None:
        """Raise GamesearchError if no game leads to the position."""
        there = totals(s)
        for kind, name in enumerate(NAMES):
            least, most = START.get(name, 0), self.limits[kind]
            if not (least <= s.counts[kind] and there[kind] <= most):
                raise GamesearchError(f"there are {there[kind]} {name}, but this goal allows only {least} to {most}")
            if busy(s, kind) > s.counts[kind]:
                raise GamesearchError(
                    f"{busy(s, kind)} items are being built, but only {s.counts[kind]} {name} can build them"
                )
            for required in members(REQUIRED[kind]):
                if there[kind] and not s.counts[required]:
                    raise GamesearchError(f"{name} requires {NAMES[required]}, which is missing")
        for slot in s.slots:
            if slot != NOTHING and not s.time < slot >> KIND_BITS <= s.time + SECONDS[kind_of(slot)]:
                name, seconds = NAMES[kind_of(slot)], SECONDS[kind_of(slot)]
                raise GamesearchError(
                    f"{name}@{slot >> KIND_BITS} is impossible: the time after @ must be from {s.time + 1} to "
                    f"{s.time + seconds}"
                )
        if room(s.counts) < supply_being_built(s):
            raise GamesearchError(
                "the finished bases and depots provide too little supply for the finished and unfinished items"
            )

    def move_name(self, s: Position, m: int) -> str:
        return NAMES[m]

    def parse_move(self, s: Position, text: str) -> int:
        """Find an item that can be started now and whose name (singular or plural) begins with `text`."""
        kinds = list(self.moves(s))
        wanted = text.strip().casefold().removesuffix("s")
        found = [kind for kind in kinds if wanted and NAMES[kind].startswith(wanted)]
        if len(found) != 1:
            names = ", ".join(NAMES[kind] for kind in kinds)
            raise GamesearchError(f"{text.strip()!r} is not an item that can be started here: choose {names}")
        return found[0]

    def board(self, s: Position) -> Board:
        at_minerals, at_gas = gatherers(s)
        supply = room(s.counts) - supply_being_built(s)
        notes = [
            f"second {s.time}, minerals {decimal(s.minerals)}, gas {decimal(s.gas)}, supply left {supply}",
            f"workers at minerals {at_minerals}, at gas {at_gas}, building {busy(s, WORKER)}",
            "",
            "item       stands  goal  finished at",
        ]
        for kind, name in enumerate(NAMES):
            if self.limits[kind]:
                until = " ".join(str(slot >> KIND_BITS) for slot in s.slots if kind_of(slot) == kind)
                notes.append(f"{name:10} {s.counts[kind]:6} {self.wanted[kind] or '':5}  {until}".rstrip())
        return Board(notes=notes)


def decimal(thousandths: int) -> str:
    """Format a value given in thousandths as a decimal number, without trailing zeros."""
    return f"{thousandths // THOUSAND}.{thousandths % THOUSAND:03}".rstrip("0").rstrip(".")
