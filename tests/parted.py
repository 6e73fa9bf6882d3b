"""A small game that contains another game and numbers; tests change both and check that the game is compiled again."""

from typing import Any, NamedTuple

import numpy as np
from support import facts

from gamesearch.api import perft, search
from gamesearch.compiler import kernel, run
from gamesearch.game import Game


def at_both_speeds(game: Game, algorithm: str = "minimax") -> Any:
    """Search interpreted and compiled, check that the results agree, and return the facts of the result."""
    slow, fast = (search(game, game.initial(), algorithm, speed=speed) for speed in ("interpreted", "compiled"))
    assert fast.statistics.speed == "compiled"
    assert facts(slow) == facts(fast)
    return facts(fast)


def leaves_at_both_speeds(game: Game) -> int:
    """Count the sequences of three moves at both speeds, which must agree; this compiles faster than a search."""
    slow, fast = (perft(game, game.initial(), 3, speed=speed) for speed in ("interpreted", "compiled"))
    assert slow == fast
    return fast


@kernel
def told(game: Game, s: Any, depth: int) -> float:
    """Return a number that depends on the rules in s and in all positions that `depth` plies can reach."""
    if game.terminal(s):
        return float(game.utility(s))
    if depth == 0:
        return float(game.evaluate(s))
    number = 0.25 + game.player(s)
    for move in game.moves(s):
        number = number / 2 + move * told(game, game.result(s, move), depth - 1)
    return number


def told_at_both_speeds(game: Game, depth: int = 9) -> float:
    """Return the number of `told` for the start, computed at both speeds, which must agree."""
    (slow, _), (fast, speed) = (run(told, game, speed, game.initial(), depth) for speed in ("interpreted", "compiled"))
    assert speed == "compiled"
    assert slow == fast
    return float(fast)


class Bounded(NamedTuple):
    """The counters left, and the player to move."""

    left: int
    turn: int


class Parted(Game[Bounded]):
    """Take 1 or more counters. The limit depends on a number, a table and `part`, another game inside this game."""

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
    """A game with features, in which more numbers than the weights of the features can be tuned."""

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
