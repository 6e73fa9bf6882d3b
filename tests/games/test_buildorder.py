import random
from fractions import Fraction
from typing import Any

import pytest
from support import playout

from gamesearch.api import search, solve
from gamesearch.games.trees.buildorder import ITEMS, NAMES, SLOTS, BuildOrder

LINE = "alphabeta(bounds=true, order=game, depth=full)"


class Economy:
    """A second implementation of the rules, which simulates every second and calculates with names and fractions."""

    def __init__(self) -> None:
        self.time = 0
        self.minerals, self.gas = Fraction(50), Fraction(0)
        self.standing = ["base"] + 4 * ["worker"]
        self.making: list[tuple[int, str]] = []

    def item(self, name: str) -> Any:
        return next(item for item in ITEMS if item.name == name)

    def builders(self) -> int:
        return sum(self.item(name).maker == "worker" for _, name in self.making)

    def tick(self) -> None:
        idle = self.standing.count("worker") - self.builders()
        at_gas = max(0, min(3 * self.standing.count("refinery"), idle - 1))
        self.minerals += (idle - at_gas) * Fraction("0.675")
        self.gas += at_gas * Fraction("1.05")
        self.time += 1
        self.standing += [name for end, name in self.making if end == self.time]
        self.making = [(end, name) for end, name in self.making if end > self.time]

    def supply_left(self) -> int:
        given = 10 * self.standing.count("base") + 8 * self.standing.count("depot")
        mouths = [*self.standing, *(name for _, name in self.making)]
        return given - sum({"worker": 1, "marine": 1, "firebat": 1, "medic": 1, "vulture": 2}.get(m, 0) for m in mouths)

    def can_start(self, name: str) -> bool:
        item = self.item(name)
        made_there = sum(self.item(other).maker == item.maker for _, other in self.making)
        return (
            self.minerals >= item.minerals
            and self.gas >= item.gas
            and all(each in self.standing for each in item.requires)
            and made_there < self.standing.count(item.maker)
            and (item.supply <= 0 or item.supply <= self.supply_left())
            and len(self.making) < SLOTS
        )

    def start(self, name: str) -> None:
        while not self.can_start(name):
            self.tick()
        item = self.item(name)
        self.minerals, self.gas = self.minerals - item.minerals, self.gas - item.gas
        self.making = sorted([*self.making, (self.time + item.seconds, name)], key=lambda x: (x[0], NAMES.index(x[1])))

    def text(self) -> str:
        words = [f"time={self.time}", f"minerals={float(self.minerals):g}", f"gas={float(self.gas):g}"]
        words += [f"{name}={self.standing.count(name)}" for name in NAMES if name in self.standing]
        return " ".join([*words, *(f"{name}@{end}" for end, name in self.making)])


GOALS = ("marine=4", "marine=5+medic=2+firebat=1", "vulture=3+marine=1", "worker=10+base=2", "depot=2+refinery=2")


@pytest.mark.parametrize("goal", GOALS)
def test_random_orders_agree_with_a_clock(goal: str) -> None:
    game = BuildOrder(goal, workers=9)
    for seed in range(6):
        source, s, economy = random.Random(seed), game.initial(), Economy()
        while not game.terminal(s):
            m = source.choice(list(game.moves(s)))
            s = game.result(s, m)
            economy.start(NAMES[m])
            assert game.format(s) == economy.text()
            assert game.consistent(s)
            assert game.parse(game.format(s)) == s
        if s.time < game.horizon:
            while any(economy.standing.count(each) < game.wanted[i] for i, each in enumerate(NAMES)):
                economy.tick()
            assert game.utility(s) == -min(game.horizon, economy.time)


def shortest(game: BuildOrder, order: tuple[str, ...], best: list[int], limits: dict[str, int]) -> None:
    """Find the shortest build order by trying all orders of at most `limits` items, without bounds or a table."""
    economy = Economy()
    for name in order:
        economy.start(name)
    there = [*economy.standing, *(name for _, name in economy.making)]
    wanted = {name: game.wanted[i] for i, name in enumerate(NAMES)}
    if all(there.count(name) >= count for name, count in wanted.items()):
        while any(economy.standing.count(name) < count for name, count in wanted.items()):
            economy.tick()
        best[0] = min(best[0], economy.time)
    elif economy.time < best[0]:
        for name, limit in limits.items():
            item = economy.item(name)
            if there.count(name) < limit and item.maker in there and all(each in there for each in item.requires):
                shortest(game, (*order, name), best, limits)


@pytest.mark.parametrize(
    ("goal", "workers", "limits"),
    [
        ("marine=1", 6, {"worker": 6, "barracks": 1, "marine": 1}),
        ("marine=2", 6, {"worker": 6, "barracks": 2, "marine": 2}),
        ("medic=1", 5, {"worker": 5, "refinery": 1, "barracks": 1, "academy": 1, "medic": 1}),
        ("vulture=1", 5, {"worker": 5, "refinery": 1, "barracks": 1, "factory": 1, "vulture": 1}),
        ("worker=8+depot=1", 8, {"worker": 8, "depot": 1}),
        ("base=2", 6, {"worker": 6, "base": 2}),
    ],
)
def test_solved_times_agree_with_trying_every_order(goal: str, workers: int, limits: dict[str, int]) -> None:
    game = BuildOrder(goal, workers)
    best = [10_000]
    shortest(game, (), best, limits)
    assert solve(game, game.initial(), speed="interpreted").value == -best[0]
    assert search(game, game.initial(), LINE, speed="interpreted").value == -best[0]


@pytest.mark.parametrize(
    ("goal", "workers"), [("marine=2", 6), ("medic=1", 5), ("vulture=1", 4), ("worker=9+depot=1", 9), ("base=2", 6)]
)
def test_bounds_contain_the_value_of_every_position(goal: str, workers: int) -> None:
    game = BuildOrder(goal, workers, horizon=400)
    for seed in range(4):
        for s in playout(game, seed)[:-1]:
            lower, upper = game.bounds(s)
            assert lower <= solve(game, s, speed="interpreted").value <= upper


# Each rule separately. ---------------------------------------------------------------------------
def test_a_landmark_is_the_longest_chain() -> None:
    game = BuildOrder("vulture=1")
    s = game.parse("time=0 minerals=9999 base=1 worker=4")
    assert game.earliest_goal_time(s) == 80 + 80 + 30
    s = game.parse("time=100 minerals=9999 gas=100 base=1 worker=4 refinery=1 barracks@110")
    assert game.earliest_goal_time(s) == 110 + 80 + 30


def test_resources_bound_the_time_from_below() -> None:
    game = BuildOrder("marine=4", workers=4)
    s = game.parse("time=100 minerals=20 base=1 worker=4 barracks=1")
    assert game.earliest_goal_time(s) == 100 + 67 + 24  # 180 minerals, at 2.7 per second
    game = BuildOrder("marine=4", workers=8)
    s = game.parse("time=100 minerals=20 base=1 worker=4 barracks=1 depot@130 marine@110")
    assert game.earliest_goal_time(s) == 100 + 49 + 24  # 130 minerals, if no worker stops mining to build
