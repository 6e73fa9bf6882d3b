"""How goals, positions and moves of build orders are written and drawn, for `gamesearch.games.buildorder.rules`."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamesearch.boards import Board
from gamesearch.errors import GamesearchError
from gamesearch.games.buildorder.economy import (
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
from gamesearch.games.buildorder.items import KINDS, NAMES, REQUIRED, SECONDS, START, THOUSAND, WORKER
from gamesearch.specification import nearest

if TYPE_CHECKING:
    from gamesearch.games.buildorder.rules import BuildOrder

__all__ = ["MOST", "drawn", "find_item", "position_text", "read_goal", "read_position"]

MOST = 30
"""How many of a kind a goal may ask for."""
TOKEN = re.compile(r"([a-z]+)([=@])([0-9]{1,6})(?:\.([0-9]{1,3}))?")


def read_goal(text: str) -> tuple[int, ...]:
    """How many of each kind a goal such as marine=4+medic=1 asks for."""
    wanted = [0] * KINDS
    for part in re.split(r"[+,;\s]+", text.strip().casefold()):
        match = re.fullmatch(r"([a-z]+)=([0-9]{1,2})", part)
        if match is None:
            raise GamesearchError(f"the goal {text!r} is not of the form marine=4 or marine=2+medic=1")
        if match[1] not in NAMES:
            raise GamesearchError(f"there is no {match[1]!r} to build: {nearest(match[1], NAMES)}")
        if int(match[2]) > MOST:
            raise GamesearchError(f"the goal {part} is too large: the most is {MOST}")
        wanted[NAMES.index(match[1])] = int(match[2])
    if all(count <= START.get(name, 0) for name, count in zip(NAMES, wanted, strict=True)):
        raise GamesearchError(f"the goal {text!r} is there from the start")
    return tuple(wanted)


# Positions. --------------------------------------------------------------------------------------
def read_position(game: "BuildOrder", text: str) -> Position:
    """The position that words such as time=38 worker=4 barracks@118 say, in any order."""
    counts, slots, told = [0] * KINDS, [], {"time": 0, "minerals": 0, "gas": 0}
    for word in text.casefold().split():
        match = TOKEN.fullmatch(word)
        if match is None or match[1] not in {*NAMES, *told}:
            raise GamesearchError(f"{word!r} is not a part of a position, such as {game.example}")
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
    refuse_unreachable(game, s)
    return s


def refuse_unreachable(game: "BuildOrder", s: Position) -> None:
    """Refuse what no game leads to."""
    there = totals(s)
    for kind, name in enumerate(NAMES):
        least, most = START.get(name, 0), game.limits[kind]
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
        raise GamesearchError("there is less supply than what is there takes")


def position_text(s: Position) -> str:
    """The words that say a position."""
    words = [f"time={s.time}", f"minerals={decimal(s.minerals)}", f"gas={decimal(s.gas)}"]
    words += [f"{name}={count}" for name, count in zip(NAMES, s.counts, strict=True) if count]
    words += [f"{NAMES[kind_of(slot)]}@{slot >> KIND_BITS}" for slot in s.slots if slot != NOTHING]
    return " ".join(words)


def decimal(thousandths: int) -> str:
    """Thousandths as a decimal, without zeros at its end."""
    return f"{thousandths // THOUSAND}.{thousandths % THOUSAND:03}".rstrip("0").rstrip(".")


# Moves. ------------------------------------------------------------------------------------------
def find_item(text: str, kinds: Sequence[int]) -> int:
    """The one of the kinds whose name begins so, in the singular or the plural."""
    wanted = text.strip().casefold().rstrip("s")
    found = [kind for kind in kinds if wanted and NAMES[kind].startswith(wanted)]
    if len(found) != 1:
        names = ", ".join(NAMES[kind] for kind in kinds)
        raise GamesearchError(f"{text.strip()!r} is not an item to start here: there is {names}")
    return found[0]


# The picture. ------------------------------------------------------------------------------------
def drawn(game: "BuildOrder", s: Position) -> Board:
    """A table of what stands and what is being built."""
    at_minerals, at_gas = gatherers(s)
    supply = room(s.counts) - supply_being_built(s)
    notes = [
        f"second {s.time}, minerals {decimal(s.minerals)}, gas {decimal(s.gas)}, supply left {supply}",
        f"workers at minerals {at_minerals}, at gas {at_gas}, building {busy(s, WORKER)}",
        "",
        "item       stands  goal  finished at",
    ]
    for kind, name in enumerate(NAMES):
        if game.limits[kind]:
            until = " ".join(str(slot >> KIND_BITS) for slot in s.slots if kind_of(slot) == kind)
            notes.append(f"{name:10} {s.counts[kind]:6} {game.wanted[kind] or '':5}  {until}".rstrip())
    return Board(notes=notes)
