"""Games in which positions that differ by turning or mirroring the board alone are one.

Tables and stores know a position by its `key`. So where all symmetries of a position have one key, whatever goes by
keys searches and solves one of them for all: a table of transpositions, a memo, a graph of positions, proof numbers.
Nothing else of the game changes, recurrence least of all, which compares positions as they lie.
"""

import functools
import random
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.optional import Symmetric
from gamesearch.toolkit.bits import mix

__all__ = ["Folding", "declares_symmetries", "folded", "refuse_unequal_estimates"]

PLIES = 12
"""Of a random game, the estimates of so many positions are compared with those of their images."""


class Folding(Symmetric[Any]):
    """The part of a folded game: its keys. `folded` makes such games."""

    def own_key(self, s: Any) -> Any:
        """The key by which the game tells all positions apart."""
        raise NotImplementedError

    def own_arrangement(self, s: Any) -> Any:
        """What the game compares to find repeated positions."""
        raise NotImplementedError

    def key(self, s: Any) -> Any:
        """The least of the hashed keys of all symmetries."""
        least = mix(self.own_key(s))
        for each in self.symmetries(s):
            least = min(least, mix(self.own_key(each)))
        return least

    def arrangement(self, s: Any) -> Any:
        """As the game says it."""
        return self.own_arrangement(s)


@functools.cache
def folded_class(kind: Any) -> Any:
    """The class of the folded games of a class."""
    arrangement = kind.key if kind.arrangement is Game.arrangement else kind.arrangement
    own = {"name": kind.name, "own_key": kind.key, "own_arrangement": arrangement}
    return type(f"Folded{kind.__name__}", (Folding, kind), own)


def declares_symmetries(game: Game) -> bool:
    """Whether a game says how its board can be turned or mirrored."""
    return isinstance(game, Symmetric) and type(game).symmetries is not Symmetric.symmetries


def folded(game: Game) -> Symmetric[Any]:
    """A game in which all symmetries of a position have one key; raises GamesearchError where it declares none."""
    if not declares_symmetries(game):
        raise GamesearchError(f"{game.name} does not say how its board can be turned or mirrored")
    kind: Any = type(game)
    found: Symmetric[Any] = object.__new__(folded_class(kind))
    vars(found).update({name: value for name, value in vars(game).items() if name != "_compiled_form_"})
    return found


def refuse_unequal_estimates(game: Symmetric[Any]) -> None:
    """Raise GamesearchError where symmetric positions have different estimates, as by some learned weights.

    A table that takes them for one would then give the estimate of whichever was searched first.
    """
    source, s = random.Random(0), game.initial()
    for _ in range(PLIES):
        steps = [] if game.terminal(s) else game.steps(s)
        if not steps:
            return
        if len({game.evaluate(each) for each in game.symmetries(s)}) > 1:
            raise GamesearchError(
                f"{game.name} with these weights does not estimate a turned or mirrored position alike: "
                "leave out symmetries=true, or the weights"
            )
        s = game.result(s, source.choice(steps))
