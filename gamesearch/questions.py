"""Questions that only some games answer, in groups: a game that answers a group inherits from its class.

What asks them looks whether a game is of the group, so that `Game` itself does not grow with them.
"""

from collections.abc import Hashable, Iterator
from typing import ClassVar, TypeGuard, TypeVar

from gamesearch.game import Game

__all__ = ["Impartial", "Levels", "Measured", "is_impartial", "uniform_tree"]

State = TypeVar("State", bound=Hashable)


class Levels(Game[State]):
    """A game whose states are in levels, each move leading to a smaller one: it is solved from the end upwards."""

    reach: int = 1
    """By how many levels a move brings the end nearer at the most."""

    def level(self, s: State) -> int:
        """How far the state is from the end: every move leads to a smaller level."""
        raise NotImplementedError

    def states_of_level(self, level: int) -> Iterator[State]:
        """Yield the states of a level (a superset of the reachable ones)."""
        raise NotImplementedError


class Impartial(Game[State]):
    """A sum of games in which both sides have the same moves and the last move wins: Grundy numbers solve it."""

    impartial: bool = True
    """False for a variant in which the last move does not win, such as misere Nim."""
    octal_code: ClassVar[tuple[int, ...]] = ()
    """The digits of an octal game's code from the one before the point, such as 0, 7, 7 for Kayles' 0.77 (Guy
    and Smith 1956): then the period of its Grundy numbers can be proved."""

    def subgames(self, s: State) -> tuple[int, ...]:
        """The sizes of the games that an impartial game is the sum of."""
        raise NotImplementedError

    def grundy(self, size: int) -> int:
        """The Grundy number of one of those games (Sprague 1935, Grundy 1939)."""
        raise NotImplementedError


def is_impartial(game: Game[State]) -> TypeGuard[Impartial[State]]:
    """Whether Grundy numbers solve a game."""
    return isinstance(game, Impartial) and game.impartial


class Measured(Game[State]):
    """A game of which a study counts something else than its rules say by themselves."""

    def for_perft(self) -> "Game[State]":
        """The game that perft counts: in chess, the one that no draw ends."""
        return self

    def uniform_tree(self, s: State) -> tuple[int, int] | None:
        """Branching and depth below a state, where the game is a uniform tree that theory speaks of."""
        return None


def uniform_tree(game: Game[State], s: State) -> tuple[int, int] | None:
    """Branching and depth below a state of a uniform tree that theory speaks of; None elsewhere."""
    return game.uniform_tree(s) if isinstance(game, Measured) else None
