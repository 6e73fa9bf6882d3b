"""What every player is: told the game, the position, what came before and the clock, it answers with a move."""

from abc import abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, ClassVar

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.clock import Clock

__all__ = ["COMPUTER", "HUMAN", "LONGEST_WAIT", "Human", "Player", "PlayerError", "Resigned", "Turn"]

HUMAN, COMPUTER = "human", "computer"
LONGEST_WAIT = 600.0
"""Seconds for which anything is waited for that nobody limits, such as a move by depth alone, or a compilation."""
PATIENCE = 5.0
"""So many seconds after its time was up a player is taken to hang, where nobody says another number."""


class PlayerError(GamesearchError):
    """A player failed: it crashed, did not answer, or answered what is no legal move."""


class Resigned(PlayerError):  # noqa: N818
    """A player gave the game up: it has not failed, but lost."""


@dataclass(frozen=True)
class Turn:
    """What a player is told when it has to move."""

    game: Game[Any]
    states: Sequence[Any]
    """The states of the game from its start to the present one, at which a player has to move."""
    moves: Sequence[int]
    """The moves between them, outcomes of chance included."""
    limits: Limits = field(default_factory=Limits)
    """How long it may search for this one move; where a limit is None, its own parameters hold."""
    clock: Clock | None = None
    """The time that is left for the game, if it is played by the clock."""
    seed: int = 0
    """Decides what a player does at random."""
    patience: float = PATIENCE
    """So many seconds after its time was up, a player that has not answered is taken to hang."""
    before: Sequence[Any] = ()
    """States before the start, which can recur."""

    def longest_wait(self, allowed: float | None) -> float:
        """The seconds after which a player who has so many to answer is taken to hang."""
        return LONGEST_WAIT if allowed is None else allowed + self.patience

    @property
    def state(self) -> Any:
        """The present state."""
        return self.states[-1]

    @property
    def past(self) -> Sequence[Any]:
        """All states before the present one."""
        return [*self.before, *self.states[:-1]]

    @property
    def mover(self) -> int:
        """The number of the player whose turn it is."""
        return self.game.player(self.state)


class Player(AbstractContextManager["Player"]):
    """One who plays a side: a person, an algorithm, or an engine.

    What it remembers of one game is for that game alone: `begin` is called before each. Used in a `with` statement, it
    closes what it had to open.
    """

    specification: str
    """The text that `load_player` makes an equal player from."""
    is_human: ClassVar[bool] = False
    algorithm: Algorithm | None = None
    """What it searches with, where that is an algorithm."""
    seen_game: Game[Any] | None = None
    """The game by which it values positions, such as the same game with learned weights; None for the game played."""
    is_own: bool = False
    """Whether the algorithm is a class of a person's own, whose word on the time that it took nobody takes."""
    is_search: bool = True
    """Whether it thinks, so that it need not be asked where there is one move alone."""
    own_time: float | None = None
    """Seconds that it has for a move where nobody else limits them."""
    least_time: ClassVar[float] = 0.0
    """The least time for a move, in seconds, that it can be told."""
    has_limit: bool = False
    """Whether it has a limit of its own: on time, depth, nodes or playouts."""
    needs_seed: bool = False
    """Whether the seed of a turn decides anything."""

    @abstractmethod
    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        """The move to play (`best`), with what is known of it: value for Max, line, depth, nodes.

        `best` is None where a search was stopped before it knew a move. Raises Resigned if the player gives up,
        PlayerError if it failed.
        """

    def warm_up(self, game: Game[Any]) -> None:
        """Do what takes time once and is no thinking, such as compiling, before any clock runs."""

    def prepare(self, turn: Turn, monitor: Monitor | None = None) -> None:
        """Compile, or load, the code that `answer` will search with, and search next to nothing."""

    def begin(self) -> None:
        """Forget the game before, for another begins."""

    def close(self) -> None:
        """End what was opened, and forget the game; the player may not be asked again."""
        self.begin()

    def __exit__(self, *_: object) -> None:
        self.close()


class Human(Player):
    """A person, whose moves are typed: whoever runs the match reads them, for not every line typed is a move."""

    specification = HUMAN
    is_human = True
    is_search = False

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:  # noqa: ARG002
        """Refuse: nobody is there to type."""
        raise PlayerError("a human plays in gamesearch play alone: name another player")
