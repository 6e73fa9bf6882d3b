"""Folded games, in which positions count as equal if they differ only by a rotation or reflection of the board.

Transposition tables, memos, position graphs and proof-number search identify a position by its `key`. In a folded game,
symmetric positions have the same key, so they are searched and stored only once. The rules do not change. For example,
a symmetric position does not count as a repetition.
"""

import functools
import random
from itertools import islice
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.optional import SymmetricGame
from gamesearch.toolkit.bits import mix
from gamesearch.toolkit.random_games import random_game

__all__ = ["FoldedMethods", "declares_symmetries", "fold_symmetries", "refuse_unequal_estimates"]

PLIES = 12
"""The number of positions in which the estimate is compared with the estimates of the symmetric positions."""


class FoldedMethods(SymmetricGame[Any]):
    """The methods of a folded game that replace methods of the original game (see `fold_symmetries`)."""

    def own_key(self, s: Any) -> Any:
        """The key of s in the original game."""
        raise NotImplementedError

    def own_arrangement(self, s: Any) -> Any:
        """The part of the state by which the original game recognizes a repetition."""
        raise NotImplementedError

    def key(self, s: Any) -> Any:
        """The smallest hash of the original keys. These are the keys of s and of all its symmetric positions."""
        least = mix(self.own_key(s))
        for each in self.symmetries(s):
            least = min(least, mix(self.own_key(each)))
        return least

    def arrangement(self, s: Any) -> Any:
        """The arrangement of s in the original game. Symmetric positions have different arrangements, so they do not
        count as repetitions."""
        return self.own_arrangement(s)


@functools.cache
def folded_class(kind: Any) -> Any:
    """Derive a class of games with the rules of `kind`. In these games, symmetric positions have the same key."""
    arrangement = kind.key if kind.arrangement is Game.arrangement else kind.arrangement
    own = {"name": kind.name, "own_key": kind.key, "own_arrangement": arrangement}
    return type(f"Folded{kind.__name__}", (FoldedMethods, kind), own)


def declares_symmetries(game: Game) -> bool:
    """Whether a game declares how its board can be rotated or reflected."""
    return isinstance(game, SymmetricGame) and type(game).symmetries is not SymmetricGame.symmetries


def fold_symmetries(game: Game) -> SymmetricGame[Any]:
    """A copy of a game in which symmetric positions have the same key; raises GamesearchError if it has no
    symmetries."""
    if not declares_symmetries(game):
        raise GamesearchError(f"{game.name} does not declare how its board can be turned or mirrored")
    kind: Any = type(game)
    found: SymmetricGame[Any] = object.__new__(folded_class(kind))
    vars(found).update({name: value for name, value in vars(game).items() if name != "_compiled_form_"})
    return found


def refuse_unequal_estimates(game: SymmetricGame[Any]) -> None:
    """Raise GamesearchError if symmetric positions have different estimates, for example because of learned weights. A
    transposition table has one entry for all symmetric positions, so it can store only one estimate for them."""
    for s, _ in islice(random_game(game, game.initial(), random.Random(0)), PLIES):
        if len({game.evaluate(each) for each in game.symmetries(s)}) > 1:
            raise GamesearchError(
                f"with these weights, {game.name} estimates turned or mirrored positions differently: "
                "omit symmetries=true, or omit the weights"
            )
