"""The interface of all players: a player gets a turn (game, position, history, clock) and answers with a move."""

from abc import abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, ClassVar

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult
from gamesearch.errors import GamesearchError, IllegalMoveError
from gamesearch.game import Game
from gamesearch.play.clock import Clock

__all__ = [
    "COMPUTER",
    "HUMAN",
    "LONGEST_WAIT",
    "Human",
    "IllegalAnswerError",
    "NoAnswerError",
    "Player",
    "PlayerError",
    "Resigned",
    "Turn",
]

HUMAN, COMPUTER = "human", "computer"
LONGEST_WAIT = 600.0  # seconds to wait for work without a time limit, such as a depth-limited search or a compilation
PATIENCE = 5.0  # the default of `Turn.patience`, in seconds


class PlayerError(GamesearchError):
    """A player failed: it crashed, did not answer, or answered with an illegal move."""


class IllegalAnswerError(PlayerError, IllegalMoveError):
    """A program answered with an illegal move."""


class NoAnswerError(PlayerError):
    """A program did not answer in time."""


class Resigned(PlayerError):  # noqa: N818
    """A player resigned."""


@dataclass(frozen=True)
class Turn:
    """The information that a player gets when it has to move."""

    game: Game
    states: Sequence[Any]  # the states of the game, from its start to the present state
    moves: Sequence[int]  # the moves between the states, including outcomes of chance
    limits: Limits = field(default_factory=Limits)  # the player's own limits replace limits that are None
    clock: Clock | None = None  # the time that is left for the game; None without a clock
    seed: int = 0  # the seed for the random decisions of the player
    patience: float = PATIENCE  # the seconds after the end of its time at which a silent player counts as hung
    before: Sequence[Any] = ()  # states before the start of the game, which count for repetition

    def longest_wait(self, allowed: float | None) -> float:
        """A player may think for `allowed` seconds, or without a limit if `allowed` is None. Return the number of
        seconds after which a silent player counts as hung."""
        return LONGEST_WAIT if allowed is None else allowed + self.patience

    @property
    def state(self) -> Any:
        """The present state."""
        return self.states[-1]

    @property
    def past(self) -> Sequence[Any]:
        """All states before the present state, including the states in `before`."""
        return [*self.before, *self.states[:-1]]

    @property
    def mover(self) -> int:
        """The number of the player to move."""
        return self.game.player(self.state)


class Player(AbstractContextManager["Player"]):
    """A person, an algorithm or an engine that plays a side. `begin` is called before each game. At the end of a `with`
    statement, the player closes everything that it opened."""

    specification: str = ""  # the text from which `load_player` loads an equal player
    is_human: ClassVar[bool] = False
    algorithm: Algorithm | None = None  # the algorithm that searches; None for people and other programs
    evaluation_game: Game | None = None  # another game whose evaluation the player uses, with learned weights
    is_own: bool = False  # whether the algorithm is a class of the user, whose reported time is not trusted
    is_search: bool = True  # whether the player searches; such a player is not asked if only one move is legal
    own_time: float | None = None  # the player's own time for a move in seconds, used if the turn has no limit
    least_time: ClassVar[float] = 0.0  # the shortest time for a move, in seconds, that the player accepts
    has_limit: bool = False  # whether the player has its own limit of time, depth, nodes or playouts
    needs_seed: bool = False  # whether the player's moves depend on the seed of the turn

    @abstractmethod
    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        """Choose a move. The result also has the value, the principal variation, the depth and the nodes, if they are
        known. `best` is None if the search was stopped before it found a move. Raises Resigned if the player resigns,
        and PlayerError if it fails."""

    def warm_up(self, game: Game) -> None:
        """Do one-time work, such as compiling, before a clock runs."""

    def prepare(self, turn: Turn, monitor: Monitor | None = None) -> None:
        """Compile or load the code that `answer` will use."""

    def ponders(self, game: Game) -> bool:  # noqa: ARG002
        """Whether `ponder` makes the player think on the opponent's time in a game."""
        return False

    def ponder(self, turn: Turn) -> None:
        """Think about the position of `turn` on the opponent's time. The opponent is to move in this position. This
        base method does nothing."""

    def begin(self) -> None:
        """Forget the previous game, because another game begins."""

    def close(self) -> None:
        """Close everything that the player opened, and forget the game. After this call, the player cannot be asked for
        a move."""
        self.begin()

    def __exit__(self, *_: object) -> None:
        self.close()


class Human(Player):
    """A person. The user interface reads the person's moves, because not every typed line is a move."""

    specification = HUMAN
    is_human = True
    is_search = False

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:  # noqa: ARG002
        """Raise PlayerError, because only a user interface can ask a person."""
        raise PlayerError("humans can play only in gamesearch play: give another player")
