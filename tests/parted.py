"""A small game that contains numbers and another game. Tests change them and check whether code is compiled again."""

from typing import Any, NamedTuple

import numpy as np
from support import facts

from gamesearch.api import perft, search
from gamesearch.compiler import kernel, run
from gamesearch.game import Game


def at_both_speeds(game: Game, algorithm: str = "minimax") -> Any:
    """Search interpreted and compiled, check that both results agree, and return the result as a dictionary."""
    slow, fast = (search(game, game.initial(), algorithm, speed=speed) for speed in ("interpreted", "compiled"))
    assert fast.statistics.speed == "compiled"
    assert facts(slow) == facts(fast)
    return facts(fast)


def leaves_at_both_speeds(game: Game) -> int:
    """Count the sequences of three moves, interpreted and compiled, and check that the counts agree."""
    slow, fast = (perft(game, game.initial(), 3, speed=speed) for speed in ("interpreted", "compiled"))
    assert slow == fast
    return fast


@kernel
def total(game: Game, s: Any, depth: int) -> float:
    """Return a number that depends on the rules at s and at all positions within `depth` plies of s."""
    if game.terminal(s):
        return float(game.utility(s))
    if depth == 0:
        return float(game.evaluate(s))
    number = 0.25 + game.player(s)
    for move in game.moves(s):
        number = number / 2 + move * total(game, game.result(s, move), depth - 1)
    return number


def total_at_both_speeds(game: Game, depth: int = 9) -> float:
    """Return the number of `total` for the start, after checking that interpreted and compiled code agree."""
    (slow, _), (fast, speed) = (run(total, game, speed, game.initial(), depth) for speed in ("interpreted", "compiled"))
    assert speed == "compiled"
    assert slow == fast
    return float(fast)


class Bounded(NamedTuple):
    """The number of counters left, and the player to move."""

    left: int
    turn: int


class Parted(Game[Bounded]):
    """Take 1 or more counters.

    How many counters a player may take depends on a number, on a table, and on `part`, another game in this game.
    """

    def __init__(self, most: int = 3, part: Game | None = None) -> None:
        self.most, self.part = most, part
        self.table = np.array([most, most])

    def initial(self) -> Bounded:
        return Bounded(6, 0)

    def player(self, s: Bounded) -> int:
        return s.turn

    def moves(self, s: Bounded) -> Any:
        for m in range(1, min(s.left, self.most, self.table[0]) + 1):
            yield m

    def result(self, s: Bounded, m: int) -> Bounded:
        return Bounded(s.left - m, 1 - s.turn)

    def terminal(self, s: Bounded) -> bool:
        return s.left == 0

    def utility(self, s: Bounded) -> int:
        return 1 if s.turn == 1 else -1


class Tuned(Parted):
    """A game with features that can be tuned by two groups of numbers, `weights` and `slopes`."""

    tunable = ("weights", "slopes")

    def __init__(self, most: int = 3, slopes: tuple[float, ...] = (0.25, 0.5)) -> None:
        super().__init__(most)
        self.weights = (0.125, 0.0625)
        self.slopes = slopes

    def features(self, s: Bounded) -> tuple[float, ...]:
        return float(s.left), float(s.turn)

    def evaluate(self, s: Bounded) -> float:
        value = 0.0
        for feature, weight in zip(self.features(s), self.weights):  # noqa: B905
            value += feature * weight
        for slope in self.slopes:
            value *= slope
        return value + self.slopes[-1] / len(self.slopes)
