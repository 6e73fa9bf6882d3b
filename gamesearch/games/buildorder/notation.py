"""How positions and moves of build orders are written and drawn."""

import re

from gamesearch.errors import GamesearchError
from gamesearch.games.buildorder.goal import BuildOrderGoal
from gamesearch.games.buildorder.items import KINDS, NAMES, REQUIRED, SECONDS, START, THOUSAND, WORKER
from gamesearch.games.buildorder.position import (
    KIND_BITS,
    NOTHING,
    SLOTS,
    Position,
    busy,
    gatherers,
    kind_of,
    room,
    supply_being_built,
    totals,
)
from gamesearch.toolkit.boards import Board

__all__ = ["BuildOrderNotation"]

TOKEN = re.compile(r"([a-z]+)([=@])([0-9]{1,6})(?:\.([0-9]{1,3}))?")


class BuildOrderNotation(BuildOrderGoal):
    """Reads, writes and draws what there is and what is being built, and moves by the items."""

    notation = (
        "time, minerals and gas, how many there are of each kind, and in which second what is being built will be "
        "finished (time=38 minerals=2.6 gas=0 base=1 worker=4 barracks@118); a move is the item to start next"
    )
    example = "time=38 minerals=2.6 gas=0 base=1 worker=4 barracks@118"
    names = ("builder", "nobody")
    turns_alternate = False
    unit = "seconds"

    # Positions. ----------------------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        counts, slots, told = [0] * KINDS, [], {"time": 0, "minerals": 0, "gas": 0}
        for word in text.casefold().split():
            match = TOKEN.fullmatch(word)
            if match is None or match[1] not in {*NAMES, *told}:
                raise GamesearchError(f"{word!r} is not a part of a position, such as {self.example}")
            name, number = match[1], int(match[3])
            thousandths = int((match[4] or "").ljust(3, "0"))
            if name in ("minerals", "gas") and match[2] == "=":
                told[name] = number * THOUSAND + thousandths
            elif thousandths or (match[2] == "@" and name == "time"):
                raise GamesearchError(f"{word!r} is not a whole number of seconds or of items")
            elif name == "time":
                told[name] = number
            elif name not in NAMES:
                raise GamesearchError(f"{word!r} is nothing that is built: write {name}= for what there is of it")
            elif match[2] == "=":
                counts[NAMES.index(name)] = number
            else:
                slots.append(number << KIND_BITS | NAMES.index(name))
        if len(slots) > SLOTS:
            raise GamesearchError(f"{text!r} builds {len(slots)} items at a time: it may be {SLOTS}")
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
        """Refuse what no game leads to."""
        there = totals(s)
        for kind, name in enumerate(NAMES):
            least, most = START.get(name, 0), self.limits[kind]
            if not (least <= s.counts[kind] and there[kind] <= most):
                raise GamesearchError(f"there are {there[kind]} {name}: with this goal, it may be {least} to {most}")
            if busy(s, kind) > s.counts[kind]:
                raise GamesearchError(f"{busy(s, kind)} items are made by {s.counts[kind]} {name}")
            for required in range(KINDS):
                if there[kind] and REQUIRED[kind] >> required & 1 and not s.counts[required]:
                    raise GamesearchError(f"there is {name} without {NAMES[required]}, which it requires")
        for slot in s.slots:
            if slot != NOTHING and not s.time < slot >> KIND_BITS <= s.time + SECONDS[kind_of(slot)]:
                name, seconds = NAMES[kind_of(slot)], SECONDS[kind_of(slot)]
                raise GamesearchError(f"{name}@{slot >> KIND_BITS} is not within {seconds} seconds after {s.time}")
        if room(s.counts) < supply_being_built(s):
            raise GamesearchError("what stands and is being built needs more supply than there is")

    # Moves. --------------------------------------------------------------------------------------
    def move_name(self, s: Position, m: int) -> str:
        return NAMES[m]

    def parse_move(self, s: Position, text: str) -> int:
        """The item to start whose name begins so, in the singular or the plural."""
        kinds = list(self.moves(s))
        wanted = text.strip().casefold().removesuffix("s")
        found = [kind for kind in kinds if wanted and NAMES[kind].startswith(wanted)]
        if len(found) != 1:
            names = ", ".join(NAMES[kind] for kind in kinds)
            raise GamesearchError(f"{text.strip()!r} is not an item to start here: there is {names}")
        return found[0]

    # The picture. --------------------------------------------------------------------------------
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
    """Thousandths as a decimal, without zeros at its end."""
    return f"{thousandths // THOUSAND}.{thousandths % THOUSAND:03}".rstrip("0").rstrip(".")
