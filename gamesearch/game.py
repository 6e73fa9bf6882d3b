"""The base class of all games. The methods of a game are its rules, which searches call.

The methods have the names of the textbook (Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th
edition, section 5.1). If a subclass defines the first six methods, the game can be played, analyzed, solved and
measured. Every other method has a correct default. `gamesearch.notation` defines how positions and moves are written
and drawn. `gamesearch.files.records` defines how whole games are saved. `gamesearch.optional` contains methods that
only some games have.

States are immutable and hashable. If a state is a NamedTuple of integers, the rules also run compiled (see
`gamesearch.compiler`). All values are from Max's point of view.
"""

import itertools
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from gamesearch.errors import GamesearchError
from gamesearch.files.records import Records
from gamesearch.notation import CHANCE, MAX, MIN, State
from gamesearch.toolkit.known import Known

__all__ = [
    "BACKWARD", "CAPTURE", "CHANCE", "FORBIDDEN", "FORWARD", "IGNORED", "MAX", "MIN", "MOST_MOVES", "NEVER",
    "REPETITION_DRAWS", "THREAT", "Game",
]  # fmt: skip

NEVER, REPETITION_DRAWS, IGNORED, FORBIDDEN = range(4)
"""The values of `Game.repetition`: positions cannot repeat, a repetition is a draw, it has no effect, or a move that
repeats an earlier position is illegal (superko), unless it does not change the `arrangement`, such as a pass."""
RECURRENCE_DRAWS = REPETITION_DRAWS  # the old name
BACKWARD, FORWARD, THREAT, CAPTURE = range(4)
"""Kinds of moves. Threats and captures are forcing."""
MOST_MOVES = 1 << 16
"""The greatest number of moves in a position. If `moves` yields more moves, its loop is assumed to be endless."""


class Game(Records[State]):
    """The rules of one game. A subclass defines at least the first six methods.

    Constructor arguments are the game's parameters. Every instance attribute that is a number, a tuple of numbers or a
    NumPy array is a constant of the compiled code, except the attributes named in `tunable`. If you assign another
    value to such a constant, the rules are compiled again. You cannot change single elements of a constant array.
    """

    # Declared facts. -----------------------------------------------------------------------------
    players: int = 2
    """The number of players. If there are more than two players, a utility is a tuple with a payoff for each player."""
    zero_sum: bool = True
    """Whether Min's payoff is always the opposite of Max's. If not, a utility is a tuple with both payoffs."""
    chance: bool = False
    """Whether some states are chance nodes (player CHANCE)."""
    repetition: int = NEVER
    """The effect of a repeated position: NEVER (impossible), REPETITION_DRAWS, IGNORED or FORBIDDEN."""
    shortest_cycle: int = 1
    """The smallest number of moves without progress until a position recurs. If this number is even, positions recur
    only after an even number of moves."""
    win_or_loss: bool = True
    """Whether MAXSCORE means a win and MINSCORE a loss, so that searches prefer quick wins; False for points."""
    whole_payoffs: bool = False
    """Whether every payoff is a whole number, so that searches to the end can use narrow null windows."""
    known: ClassVar[tuple[Known, ...]] = ()
    """Published results about the game, which the tests check."""
    interpreted_because: str = ""
    """The reason why the rules cannot be compiled, as one sentence; empty if they may be compilable."""
    worth_compiling: bool = True
    """Whether compiling takes less time than it saves. If not, the speed `auto` means interpreted."""
    suggested_depth: int | None = None
    """The default depth of searches if the game is too large to be searched to its end; otherwise None."""
    suggested_order: ClassVar[str] = ""
    """The move ordering of the default player; empty for killer moves, the history heuristic and `order`."""
    suggested_algorithm: str = ""
    """The algorithm of the default player, with the move ordering `suggested_order`; empty for alpha-beta."""
    MINSCORE: float = -1
    """The least possible utility."""
    MAXSCORE: float = 1
    """The greatest possible utility."""
    tunable: ClassVar[tuple[str, ...]] = ("weights",)
    """The names of the attributes (tuples or arrays of floats) that can change without recompilation."""
    weights: tuple[float, ...] = (0.0,)
    """The weight of each feature in `evaluate`."""
    shipped_evaluations: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Other evaluations, by their names in specifications with `evaluation=NAME`. Each evaluation has its own
    `features`, `weights` and `feature_names`."""
    feature_names: tuple[str, ...] = ()
    """The name of each feature, for explanations of an evaluation."""
    has_move_kinds: ClassVar[bool] = False
    has_features: ClassVar[bool] = False
    has_order: bool = False
    """Whether the class defines `kind_of_move`, `features` and `order`. These attributes are set automatically."""

    def __init_subclass__(cls) -> None:
        """Set the attributes that follow from the definition of the class, such as `has_order`."""
        cls.has_move_kinds = cls.kind_of_move is not Game.kind_of_move
        cls.has_features = cls.features is not Game.features
        cls.has_order = cls.order is not Game.order
        for name in cls.tunable:
            if isinstance(given := vars(cls).get(name), list):  # changes inside a list could not be detected
                setattr(cls, name, tuple(given))
        if isinstance(old := vars(cls).get("recurrence"), int):
            warnings.warn(f"{cls.__name__}: recurrence is now called repetition", FutureWarning, stacklevel=2)
            cls.repetition = old
            delattr(cls, "recurrence")
        if "name" not in vars(cls):  # a game in this package is named after its module
            package, *place = cls.__module__.split(".")  # gamesearch.games.connecting.hex
            cls.name = place[2] if package == "gamesearch" and place[0] == "games" else cls.__name__.lower()

    # The rules. ----------------------------------------------------------------------------------
    def initial(self) -> State:
        """The state in which the game starts."""
        raise NotImplementedError

    def player(self, s: State) -> int:
        """The player to move: MAX, MIN, a number below `players`, or CHANCE."""
        raise NotImplementedError

    def moves(self, s: State) -> Iterator[int]:
        """Yield the legal moves as integers. A forced pass also counts as a move. Not called for finished games."""
        raise NotImplementedError

    def result(self, s: State, m: int) -> State:
        """The state after move m, or after outcome m of a chance node."""
        raise NotImplementedError

    def terminal(self, s: State) -> bool:
        """Whether the game is over."""
        raise NotImplementedError

    def utility(self, s: State) -> Any:
        """The payoff of a finished game for Max, or the tuple of payoffs if `payoff_count` is greater than 1."""
        raise NotImplementedError

    def outcomes(self, s: State) -> Iterator[tuple[int, float]]:
        """Yield (outcome, probability) at a chance node. Outcomes with probability 0 are ignored."""
        yield 0, 1.0

    def moves_at_random(self, s: State) -> bool:
        """Whether the outcomes of a chance node are the moves of a random player, to which superko also applies."""
        return False

    @property
    def recurrence(self) -> int:
        """The old name of `repetition`."""
        return self.repetition

    @recurrence.setter
    def recurrence(self, value: int) -> None:
        warnings.warn(f"{type(self).__name__}: recurrence is now called repetition", FutureWarning, stacklevel=2)
        self.repetition = value

    @property
    def payoff_count(self) -> int:
        """The number of payoffs in a utility: 1 if a utility is only Max's payoff, otherwise the number of players."""
        return self.players if self.players > 2 or not self.zero_sum else 1

    # Better or faster searches. ------------------------------------------------------------------
    def features(self, s: State) -> tuple[float, ...]:
        """The features of a position from Max's point of view: one number for each of `weights`."""
        return (0.0,)

    def evaluate(self, s: State) -> Any:
        """The estimated value of a position for Max, between MINSCORE and MAXSCORE: by default, the sum of the features
        times their weights, or the value of a draw for a game without features."""
        value = 0.0 if self.has_features else self.draw_value()
        features = self.features(s)
        for i in range(len(features)):
            value += features[i] * self.weights[i]
        return value

    def given_estimate(self, s: State) -> str:
        """The estimate that is written at a node of a typed tree, as text; empty for all other positions."""
        return ""

    def bounds(self, s: State) -> tuple[float, float]:
        """A proven lower and upper bound on the value of a state for Max. Not called for a finished game."""
        return self.MINSCORE, self.MAXSCORE

    def is_determined(self, s: State) -> bool:
        """Whether the value of s is determined by the known payoffs below s. A tree from a textbook may have leaves
        without a payoff. If such a leaf can change the value of s, a search returns only an estimate."""
        return True

    def draw_value(self) -> float:
        """The value of a draw: the middle between a win and a loss."""
        return (self.MAXSCORE + self.MINSCORE) / 2

    def order(self, s: State, m: int) -> float:
        """A quick estimate of how good a move is for its player. Moves with greater values are searched first."""
        return 0.0

    def kind_of_move(self, s: State, m: int) -> int:
        """CAPTURE (or promotion), THREAT (must be answered), otherwise FORWARD or BACKWARD, for `order=game`."""
        return FORWARD

    def key(self, s: State) -> Any:
        """The identity of a position: an int of up to 64 bits, or a tuple of ints. Equal keys: the same position."""
        return s

    # Repetition. States contain no history, so searches compare positions. -----------------------
    def arrangement(self, s: State) -> Any:
        """The part of a state that is compared to find repetitions: by default, the key. It never contains the number
        of moves without progress. In Go, it contains the stones, but not the side to move."""
        return self.key(s)

    def progress(self, s: State) -> int:
        """A number that never decreases during a game. After it has increased, no earlier position can occur again.
        Frequent increases let a search use the transposition table more often."""
        return 0

    def consistent(self, s: State) -> bool:
        """Whether a state passes a quick check, such as the number of pieces. Every reachable state must pass."""
        return True

    def steps(self, s: State, past: Sequence[State] = ()) -> list[int]:
        """The legal moves of a state, without those that superko forbids after `past`, or the outcomes of chance."""
        method = "outcomes" if self.player(s) == CHANCE else "moves"
        found: list[Any] = list(itertools.islice(getattr(self, method)(s), MOST_MOVES + 1))
        if len(found) > MOST_MOVES:
            raise GamesearchError(
                f"the method `{method}` of {type(self).__name__} yields more than {MOST_MOVES:,} for "
                f"{self.format(s)!r} (such as {found[-1]!r}) and may never end: check its loop"
            )
        if method == "outcomes":
            return [outcome for outcome, probability in found if probability > 0]
        if self.repetition != FORBIDDEN or not past:
            return found
        present, before = self.arrangement(s), {self.arrangement(each) for each in past}
        after = {m: self.arrangement(self.result(s, m)) for m in found}
        return [m for m, new in after.items() if new == present or new not in before]
