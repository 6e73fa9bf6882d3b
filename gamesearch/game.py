"""The questions that search asks of the rules of a game.

A game is one class. Its methods carry the names of the textbook (Russell and Norvig, *Artificial
Intelligence: A Modern Approach*, 4th edition, section 5.1): whose turn it is, which moves there are,
what a move leads to, whether the game is over and what it then pays. Nothing else is needed for a
game to be played, analysed, solved and measured; every other method has a default that is right, and
that a game may replace by one that is quicker or says more. How positions and moves are written and
drawn is in `gamesearch.notation`, whole games in files in `gamesearch.records`, and what only some games
can answer in `gamesearch.questions`.

States are immutable and hashable. Where a state is a NamedTuple of integers, the same class also
runs compiled (see `gamesearch.compiler`). Values are always Max's: no sign is ever flipped.
"""

import itertools
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from gamesearch.errors import GamesearchError
from gamesearch.known import Known
from gamesearch.players import CHANCE, MAX, MIN
from gamesearch.records import Records
from gamesearch.specified import Specified

__all__ = [
    "CHANCE",
    "FORBIDDEN",
    "IGNORED",
    "MAX",
    "MIN",
    "MOST_MOVES",
    "NEVER",
    "RECURRENCE_DRAWS",
    "Game",
]

NEVER = 0
"""A position cannot come again within one game."""
RECURRENCE_DRAWS = 1
"""A position may come again, and the game is then drawn."""
IGNORED = 2
"""A position may come again, and the game simply goes on."""
FORBIDDEN = 3
"""A move that makes an earlier `arrangement` again is illegal (superko); one that leaves the present
arrangement as it is, such as a pass, is always legal."""

MOST_MOVES = 1 << 16
"""No position has more moves; rules that yield more are taken to be in a loop without an end."""

State = TypeVar("State", bound=Hashable)


class Game(Specified, Records[State]):
    """The rules of one game; subclass it and answer at least the first six questions.

    Constructor arguments are the game's parameters. Every instance attribute that is a number, a tuple
    of numbers or a NumPy array is a constant of the compiled code, but for those that are `tunable`:
    assign another, and the rules are compiled again; the elements of such an array cannot be changed.
    """

    # Facts, declared and not sniffed. ------------------------------------------------------------
    name: ClassVar[str] = ""
    """What the registry calls it; by default the class's name in small letters."""
    summary: ClassVar[str] = ""
    """One line for `gamesearch games`; by default the first line of the docstring."""
    players: int = 2
    """How many players; with more than two, utilities are tuples with a payoff for each."""
    chance: bool = False
    """Whether some states are chance nodes (player CHANCE)."""
    recurrence: int = NEVER
    """Whether a position may come again, and what that means."""
    win_or_loss: bool = True
    """MAXSCORE is a win and MINSCORE a loss, to be reached soon and put off; False for payoffs that
    are points, expectations, or already count how soon."""
    choices: ClassVar[Mapping[str, Collection[Any]]] = {}
    """For each parameter that is not free, or best known by examples, the values to list."""
    known: ClassVar[tuple[Known, ...]] = ()
    """Published answers, for the tests."""
    interpreted_because: str = ""
    """Why the rules cannot be compiled, in one sentence, where that is known beforehand."""
    worth_compiling: bool = True
    """False where a search takes less time than compiling, so that speed `auto` runs interpreted."""
    suggested_depth: int | None = None
    """How deep to search when nobody says, for a game too large to search to its end."""
    MINSCORE: float = -1
    """The least utility there is."""
    MAXSCORE: float = 1
    """The greatest utility there is."""
    tunable: ClassVar[tuple[str, ...]] = ("weights",)
    """The attributes that compiled code reads at run time: tuples, or arrays, of floats."""
    weights: tuple[float, ...] = (0.0,)
    """What each of the features counts in `evaluate`."""
    has_features: ClassVar[bool] = False
    """Whether the game has features of its own; seen by itself."""
    feature_names: tuple[str, ...] = ()
    """What each of the features is called where an evaluation is taken apart."""

    def __init_subclass__(cls) -> None:
        """Name the class: after its file or package where it is one of gamesearch's own, else after itself."""
        cls.has_features = cls.features is not Game.features
        if "name" not in vars(cls):
            package, _, place = cls.__module__.partition(".games.")
            cls.name = place.partition(".")[0] if package == "gamesearch" else cls.__name__.lower()

    # The rules. ----------------------------------------------------------------------------------
    def initial(self) -> State:
        """The state the game starts from."""
        raise NotImplementedError

    def player(self, s: State) -> int:
        """Whose turn it is: MAX, MIN, a number below `players`, or CHANCE."""
        raise NotImplementedError

    def moves(self, s: State) -> Iterator[int]:
        """Yield the legal moves as integers; a forced pass is a move. Not asked at the end."""
        raise NotImplementedError

    def result(self, s: State, m: int) -> State:
        """The state after move m, or after outcome m of a chance node."""
        raise NotImplementedError

    def terminal(self, s: State) -> bool:
        """Whether the game is over."""
        raise NotImplementedError

    def utility(self, s: State) -> Any:
        """What the finished game pays Max, or the tuple of payoffs where players > 2."""
        raise NotImplementedError

    def outcomes(self, s: State) -> Iterator[tuple[int, float]]:
        """Yield (outcome, probability) at a chance node."""
        yield 0, 1.0

    # What search may ask to do better. -----------------------------------------------------------
    def features(self, s: State) -> tuple[float, ...]:
        """Numbers that say how good a position is for Max, one for each of `weights`."""
        return (0.0,)

    def evaluate(self, s: State) -> Any:
        """The heuristic value for Max where search is cut off, between MINSCORE and MAXSCORE.

        By default the features by their weights; a draw's value where there are none.
        """
        value = 0.0 if self.has_features else self.draw_value()
        features = self.features(s)
        for i in range(len(features)):
            value += features[i] * self.weights[i]
        return value

    def bounds(self, s: State) -> tuple[float, float]:
        """Bounds on the value for Max, certain from the state alone. Not asked of a finished game."""
        return self.MINSCORE, self.MAXSCORE

    def draw_value(self) -> float:
        """What a draw is worth: the middle between a win and a loss."""
        return (self.MAXSCORE + self.MINSCORE) / 2

    def order(self, s: State, m: int) -> float:
        """A quick guess of how good a move is for the player who makes it."""
        return 0.0

    def key(self, s: State) -> Any:
        """What makes two states the same position: an int of up to 64 bits, or a tuple of ints."""
        return s

    # Recurrence; search, solve and play ask, and no game looks at its own past. ------------------
    def arrangement(self, s: State) -> Any:
        """What comes again where recurrence draws or is FORBIDDEN; in Go the stones, whoever's turn it is.

        By default the key, to which rules that count moves without progress may add what does not recur.
        """
        return self.key(s)

    def progress(self, s: State) -> int:
        """A number that never falls in the course of a game: after it has risen, nothing from before comes again.

        Captures and moves of men raise it in checkers. It may stay the same for ever, but the more
        often it rises, the more search can take from its table, and the fewer positions it compares.
        """
        return 0

    def consistent(self, s: State) -> bool:
        """Whether a state is sound at a glance: no field taken twice, no more men than there can be.

        A check for tests and for random play; every state that a game can reach must pass it.
        """
        return True

    def steps(self, s: State, past: Sequence[State] = ()) -> list[int]:
        """All that may come next: the outcomes of a chance node, or the moves.

        After the earlier positions of `past`, without the moves that a recurrence forbids.
        """
        if self.player(s) == CHANCE:
            return [outcome for outcome, probability in self._all(s, "outcomes") if probability > 0]
        moves: list[int] = self._all(s, "moves")
        if self.recurrence != FORBIDDEN or not past:
            return moves
        present, before = self.arrangement(s), {self.arrangement(each) for each in past}
        after = {m: self.arrangement(self.result(s, m)) for m in moves}
        return [m for m, new in after.items() if new == present or new not in before]

    def _all(self, s: State, method: str) -> list[Any]:
        """What `moves` or `outcomes` yields; raises GamesearchError where it does not come to an end."""
        found = list(itertools.islice(getattr(self, method)(s), MOST_MOVES + 1))
        if len(found) > MOST_MOVES:
            raise GamesearchError(
                f"{method} of {type(self).__name__} yields more than {MOST_MOVES:,} for {self.format(s)!r} "
                f"(such as {found[-1]!r}) and may have no end: does its loop end?"
            )
        return found
