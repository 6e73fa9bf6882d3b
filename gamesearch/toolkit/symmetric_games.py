"""Games that treat positions as equal if they differ only by rotating or reflecting the board.

Transposition tables and stores identify a position by its `key`. If all symmetric positions have the same key, a
transposition table, a memo, a position graph or a proof-number search handles them as one. Nothing else changes. In
particular, repetition still compares positions without symmetry.
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
"""The number of positions whose estimates are compared with the estimates of their symmetric positions."""


class Folding(Symmetric[Any]):
    """The methods of a folded game that change its keys. `folded` creates such games."""

    def own_key(self, s: Any) -> Any:
        """The key that the game itself uses."""
        raise NotImplementedError

    def own_arrangement(self, s: Any) -> Any:
        """The part of the state that the game itself compares to find repeated positions."""
        raise NotImplementedError

    def key(self, s: Any) -> Any:
        """The smallest hashed key of all symmetric positions."""
        least = mix(self.own_key(s))
        for each in self.symmetries(s):
            least = min(least, mix(self.own_key(each)))
        return least

    def arrangement(self, s: Any) -> Any:
        """The game's own arrangement, because repetition compares positions without symmetry."""
        return self.own_arrangement(s)


@functools.cache
def folded_class(kind: Any) -> Any:
    """The class of a game with the rules of `kind`, in which symmetric positions have the same key."""
    arrangement = kind.key if kind.arrangement is Game.arrangement else kind.arrangement
    own = {"name": kind.name, "own_key": kind.key, "own_arrangement": arrangement}
    return type(f"Folded{kind.__name__}", (Folding, kind), own)


def declares_symmetries(game: Game) -> bool:
    """Whether a game declares how its board can be rotated or reflected."""
    return isinstance(game, Symmetric) and type(game).symmetries is not Symmetric.symmetries


def folded(game: Game) -> Symmetric[Any]:
    """A game in which symmetric positions have the same key; raises GamesearchError if it declares no symmetries."""
    if not declares_symmetries(game):
        raise GamesearchError(f"{game.name} does not say how its board can be turned or mirrored")
    kind: Any = type(game)
    found: Symmetric[Any] = object.__new__(folded_class(kind))
    vars(found).update({name: value for name, value in vars(game).items() if name != "_compiled_form_"})
    return found


def refuse_unequal_estimates(game: Symmetric[Any]) -> None:
    """Raise GamesearchError if symmetric positions have different estimates, for example because of learned weights.

    Otherwise a transposition table would return the estimate of whichever position was searched first.
    """
    source, s = random.Random(0), game.initial()
    for _ in range(PLIES):
        steps = [] if game.terminal(s) else game.steps(s)
        if not steps:
            return
        if len({game.evaluate(each) for each in game.symmetries(s)}) > 1:
            raise GamesearchError(
                f"{game.name} with these weights estimates turned or mirrored positions differently: "
                "leave out symmetries=true, or the weights"
            )
        s = game.result(s, source.choice(steps))
