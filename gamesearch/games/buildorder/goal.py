"""The goal of a build order, and how many of each kind may be built for it."""

import re

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.games._shared.members import members
from gamesearch.games.buildorder.items import BASE, DEPOT, KINDS, MAKERS, NAMES, REQUIRED, START, SUPPLY, WORKER
from gamesearch.games.buildorder.position import Position, room
from gamesearch.specification import nearest

__all__ = ["BuildOrderGoal"]

MOST = 30
"""How many of a kind a goal may ask for."""
LONGEST = 3600
"""The latest horizon, in seconds."""


class BuildOrderGoal(Game[Position]):
    """What is wanted, and by when."""

    def __init__(self, goal: str, workers: int, horizon: int) -> None:
        if not START["worker"] <= workers <= MOST:
            raise GamesearchError(f"workers={workers} is not between {START['worker']} and {MOST}")
        if not 1 <= horizon <= LONGEST:
            raise GamesearchError(f"horizon={horizon} is not between 1 and {LONGEST} seconds")
        self.workers, self.horizon = int(workers), int(horizon)
        self.wanted = read_goal(goal)
        self.goal = "+".join(f"{name}={count}" for name, count in zip(NAMES, self.wanted, strict=True) if count)
        self.limits = self._limits()

    def _limits(self) -> tuple[int, ...]:
        """How many of each kind may be built."""
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
