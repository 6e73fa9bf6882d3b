"""The base class of all games. The methods of a game define its rules; searches call these methods.

The methods have the same names as in the textbook (Russell and Norvig, *Artificial Intelligence: A Modern Approach*,
4th edition, section 5.1). If a subclass defines the first six methods, the game can be played, analyzed, solved and
measured. The defaults of all other methods are correct for every game. `gamesearch.optional` contains methods that only
some games have.

States are immutable and hashable. If a state is a NamedTuple of integers, the rules also run compiled (see
`gamesearch.compiler`). All values are from Max's point of view.
"""

import numbers
import re
import warnings
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from gamesearch import notation
from gamesearch.errors import GamesearchError
from gamesearch.files.records import NOT_SAVED, RecordedGame, SavedGame
from gamesearch.parameterized import ParameterizedObject
from gamesearch.specification import format_specification
from gamesearch.toolkit.boards import Board, Palette, Place
from gamesearch.toolkit.constants import (
    BACKWARD,
    CAPTURE,
    CHANCE,
    FORBIDDEN,
    FORWARD,
    IGNORED,
    MAX,
    MIN,
    MOST_MOVES,
    NEVER,
    REPETITION_DRAWS,
    THREAT,
)
from gamesearch.toolkit.known import Known

__all__ = [
    "BACKWARD", "CAPTURE", "CHANCE", "FORBIDDEN", "FORWARD", "IGNORED", "MAX", "MIN", "MOST_MOVES", "NEVER",
    "REPETITION_DRAWS", "THREAT", "Game", "State",
]  # fmt: skip

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    State = TypeVar("State", bound=Hashable, default=Any)
else:
    from typing import TypeVar

    State = TypeVar("State", bound=Hashable)  # a default would need Python 3.13

RECURRENCE_DRAWS = REPETITION_DRAWS  # the old name
split_moves = notation.split_moves  # its old place


class Game(ParameterizedObject, Generic[State]):
    """The rules of one game. A subclass defines at least the first six methods.

    Constructor arguments are the game's parameters. In compiled code, instance attributes are constants if they are
    numbers, tuples of numbers or NumPy arrays. Attributes in `tunable` are not constants. If you assign another value
    to a constant, the rules are compiled again. You cannot change individual elements of a constant array.
    """

    # The rules. ----------------------------------------------------------------------------------
    def initial(self) -> State:
        """The state in which the game starts."""
        raise NotImplementedError

    def player(self, s: State) -> int:
        """The player to move: MAX, MIN, a number below `players`, or CHANCE."""
        raise NotImplementedError

    def moves(self, s: State) -> Iterator[int]:
        """Yield the legal moves as integers; a forced pass is also a move. Not called at the end of the game."""
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
        """Whether the outcomes of a chance node are the moves of a random player. If so, superko also applies to
        them."""
        return False

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
    """The smallest number of moves after which a position can recur. If this number is even, positions recur only after
    an even number of moves."""
    win_or_loss: bool = True
    """Whether MAXSCORE is a win and MINSCORE a loss. If so, searches prefer quick wins. False if payoffs are points."""
    whole_payoffs: bool = False
    """Whether every payoff is a whole number. If so, in a search to the end, each null window lies between two adjacent
    whole numbers."""
    known: ClassVar[tuple[Known, ...]] = ()
    """Published results about the game, which the tests check."""
    interpreted_because: str = ""
    """The reason why the rules cannot be compiled, as one sentence; empty if they may be compilable."""
    worth_compiling: bool = True
    """Whether compiling takes less time than it saves. If not, the speed `auto` means interpreted."""
    suggested_depth: int | None = None
    """The default depth of searches if the game is too large to be searched to its end; otherwise None."""
    suggested_order: ClassVar[str] = ""
    """The move ordering of the default player; if empty, killer moves, the history heuristic and `order`."""
    suggested_algorithm: str = ""
    """The algorithm of the default player; if empty, alpha-beta with the ordering `suggested_order`."""
    MINSCORE: float = -1
    """The least possible utility."""
    MAXSCORE: float = 1
    """The greatest possible utility."""
    tunable: ClassVar[tuple[str, ...]] = ("weights",)
    """The names of the attributes (tuples or arrays of floats) that can change without recompilation."""
    weights: tuple[float, ...] = (0.0,)
    """The weight of each feature in `evaluate`."""
    shipped_evaluations: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Maps each NAME in `evaluation=NAME` to a mapping with the keys `features`, `weights` and `feature_names`."""
    feature_names: tuple[str, ...] = ()
    """The name of each feature, for explanations of an evaluation."""
    has_move_kinds: ClassVar[bool] = False
    has_features: ClassVar[bool] = False
    has_order: bool = False
    """Whether the class defines `kind_of_move`, `features` and `order`. All three are set automatically."""

    @property
    def payoff_count(self) -> int:
        """The number of payoffs in a utility: 1 if a utility is only Max's payoff, otherwise the number of players."""
        return self.players if self.players > 2 or not self.zero_sum else 1

    # Better or faster searches. ------------------------------------------------------------------
    def features(self, s: State) -> tuple[float, ...]:
        """The features of a position from Max's point of view: one number for each of `weights`."""
        return (0.0,)

    def evaluate(self, s: State) -> Any:
        """The estimated value of a position for Max, between MINSCORE and MAXSCORE. By default, this is the sum of the
        features times their weights. In a game without features, it is the value of a draw. If a utility is a tuple,
        a game must define this method and return such a tuple."""
        return self.weighted_sum(s) + (0.0 if self.has_features else self.draw_value())

    def weighted_sum(self, s: State) -> float:
        """The weighted sum of the features: each feature is multiplied by its weight."""
        total = 0.0
        features = self.features(s)
        for i in range(len(features)):
            total += features[i] * self.weights[i]
        return total

    def bounds(self, s: State) -> tuple[float, float]:
        """A proven lower and upper bound on the value of a state for Max. Not called at the end of the game."""
        return self.MINSCORE, self.MAXSCORE

    def draw_value(self) -> float:
        """The value of a draw: halfway between a win and a loss."""
        return (self.MAXSCORE + self.MINSCORE) / 2

    def order(self, s: State, m: int) -> float:
        """A quick estimate of how good a move is for its player. Moves with greater values are searched first."""
        return 0.0

    def kind_of_move(self, s: State, m: int) -> int:
        """CAPTURE for a capture or promotion, THREAT for a move that must be answered, otherwise FORWARD or BACKWARD.
        Only searches with `order=kind` distinguish FORWARD from BACKWARD."""
        return FORWARD

    def key(self, s: State) -> Any:
        """The key of a state: an int of up to 64 bits, or a tuple of ints. Equal keys mean the same position."""
        return s

    # Repetition. States contain no history, so searches compare positions. -----------------------
    def arrangement(self, s: State) -> Any:
        """The part of a state that is compared to find repetitions: by default, the key. The arrangement never contains
        the number of moves without progress. In Go, it consists of the stones, without the side to move."""
        return self.key(s)

    def progress(self, s: State) -> int:
        """A number that never decreases during a game. After it has increased, no earlier position can occur again. If
        this number increases often, a search can use the transposition table more often."""
        return 0

    def consistent(self, s: State) -> bool:
        """Whether a state passes a quick check, such as the number of pieces. Every reachable state must pass."""
        return True

    # Declared names and facts for people; searches do not read them. ------------------------------
    name: ClassVar[str] = ""
    """The name in specifications; by default, the name of the module in this package, and of the class elsewhere."""
    summary: ClassVar[str] = ""
    """One line for `gamesearch games`: by default, the first line of the docstring."""
    choices: ClassVar[Mapping[str, Collection[Any]]] = {}
    """Maps each parameter that has a fixed set of values to this set."""
    example: ClassVar[str] = ""
    """A position in this game's notation, for help texts."""
    notation: ClassVar[str] = ""
    """A description of the notation of positions and moves, in a sentence or two."""
    names: tuple[str, ...] = ("Max", "Min")
    """The names of the players."""
    numbers_rounds: ClassVar[bool] = False
    """Whether a move number stands for a round, in which each player moves once, as in 1. e4 e5 2. Nf3."""
    is_for_one: ClassVar[bool] = False
    """Whether Max makes all moves, as in planning. The output then does not name Min."""
    turns_alternate: ClassVar[bool] = True
    """Whether the players always move in turn. If not, the output counts plies to a win, not the winner's moves."""
    shows_captures: ClassVar[bool] = False
    """Whether the board of a game in progress is shown with the number of pieces that each player has captured."""
    unit: ClassVar[str] = ""
    """The unit of values, such as discs, points or pawns; empty if values have no unit."""
    estimates_are_chances: ClassVar[bool] = False
    """Whether estimates can be read as chances to win, with MINSCORE as 0 % and MAXSCORE as 100 %."""
    payoffs_tell_how_soon: ClassVar[bool] = False
    """Whether faster wins have greater payoffs. If so, the output shows the moves to a win instead of the payoff."""
    palette: ClassVar[Palette] = Palette()
    """The colors of the board and of the sides, and the layout of the board."""
    bottom_player: int | None = None
    """The player whose side of the board is at the bottom; None if no side of the board belongs to a player."""
    record_suffix: ClassVar[str] = ".json"
    """The suffix of files that contain recorded games."""

    # Kernels never call the methods from here on, so these methods are never compiled. ------------
    def steps(self, s: State, past: Sequence[State] = ()) -> list[int]:
        """Return the legal moves of a state. At a chance node, return the outcomes. Moves that repeat a position in
        `past` are left out if superko forbids them."""
        return notation.list_steps(self, s, past)

    # Positions and moves as text. -----------------------------------------------------------------
    def parse(self, text: str) -> State:
        """The state that a text describes; raises GamesearchError if the text describes no state. By default, the text
        consists of the numbers in the state."""
        return notation.read_numbers(self, self.initial(), text)

    def format(self, s: State) -> str:
        """Convert a state to text that `parse` reads back."""
        fields = s if isinstance(s, tuple) else (s,)
        return ",".join(str(int(field) if isinstance(field, numbers.Integral) else field) for field in fields)

    def setup(self, text: str) -> tuple[Any, State]:
        """The game and the state that a text describes. If the text does not describe a state, it can be a list of
        moves. A text can choose a variant of this game."""
        return self, notation.read_position(self, text, reads_numbers=type(self).parse is Game.parse)

    def positions_before(self, text: str) -> list[State]:
        """If a text gives a position as a list of moves, return the position before each move. The result is empty if
        the text contains no moves, or if repetition has no effect in the game."""
        return notation.positions_before(self, text)

    def move_name(self, s: State, m: int) -> str:
        """A move or an outcome in a position, as people write it."""
        return str(m)

    def parse_move(self, s: State, text: str) -> int:
        """The legal move that a text describes; raises GamesearchError if the text describes no legal move."""
        return notation.move_named(self, s, text)

    def outcome_text(self, s: State, m: int) -> str:
        """A sentence that reports an outcome of a chance node, such as `White rolls 6-3`."""
        return f"chance: {self.move_name(s, m)}"

    def first_number(self, s: State) -> int:
        """The number of the next move if a game starts in s: 1, unless the states of the game count moves."""
        return 1

    # Values as text. ------------------------------------------------------------------------------
    def value_words(self, s: State, value: float) -> str:
        """A value in the game's own terms. If empty, callers show it as a number or as the probability of a win."""
        return ""

    def win_chance(self, estimate: float) -> float | None:
        """Convert an estimate to Max's expected score: the probability of a win, plus half the probability of a draw.
        Return None if this is not possible."""
        if not self.estimates_are_chances:
            return None
        return (estimate - self.MINSCORE) / (self.MAXSCORE - self.MINSCORE)

    def plies_to_win(self, s: State, payoff: float) -> int | None:
        """The number of plies to a win with this payoff; None for a draw, or if `payoffs_tell_how_soon` is False."""
        return None

    def win_text(self, s: State, player: int, plies: int) -> str:
        """A sentence which says that `player` wins, and how soon. The game ends `plies` plies after s. By default, the
        sentence counts the winner's moves."""
        return notation.win_text(self, s, player, plies)

    # Pictures. ------------------------------------------------------------------------------------
    def board(self, s: State) -> Board:
        """The position as a picture."""
        return Board(notes=(self.format(s),))

    def cells_of_move(self, s: State, m: int) -> Collection[Place] | None:
        """The rows and columns of the places that a move changes. If the result is None, callers compare the boards."""
        return None

    def pointing_at(self, s: State, m: int) -> Sequence[Place] | None:
        """The places at which a user points to make a move, such as the piece's square and its target. If the result is
        None (the default), callers find the places from the move's name, or from the pieces that move."""
        return None

    # Files of whole games. A game with its own file format overrides `record` or `read_other_records`. -
    def record(self, start: State, moves: Sequence[int], headers: Mapping[str, str]) -> str:
        """A whole game as the text of a file. `headers` contains the names of the players and other information."""
        return SavedGame(repr(self), dict(headers), self.format(start), notation.line_names(self, start, moves)).text()

    def read_other_records(self, text: str) -> Iterator[RecordedGame[State]]:
        """Yield the games of a text in another format, such as PGN. The default accepts no other format."""
        raise GamesearchError(NOT_SAVED)

    @classmethod
    def rules_of_headers(cls, headers: Mapping[str, str]) -> str:  # noqa: ARG003
        """Return the specification of the game that the headers describe; by default, the name of this game."""
        return cls.name

    def has_ended(self, s: State) -> bool:
        """Whether a recorded game must end in a state: by default, if the state is terminal. Chess, for example,
        returns False for draws that a player must claim, because the recorded game may continue after them."""
        return self.terminal(s)

    # What follows from the definition of a class, and old names. ---------------------------------
    def __repr__(self) -> str:
        """The specification of the game: its name with its parameters."""
        return format_specification(type(self).name or type(self).__name__, self.parameters() | self.tuned_attributes())

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

    @property
    def recurrence(self) -> int:
        """The old name of `repetition`."""
        return self.repetition

    @recurrence.setter
    def recurrence(self, value: int) -> None:
        warnings.warn(f"{type(self).__name__}: recurrence is now called repetition", FutureWarning, stacklevel=2)
        self.repetition = value

    def play_moves(self, text: str, move: re.Pattern[str] | None = None) -> list[State]:
        """Calls `notation.play_moves` from the initial position, for files that were written before it existed."""
        return notation.play_moves(self, self.initial(), text, move)

    def player_name(self, player: int) -> str:
        """Calls `notation.player_name`, for the same files."""
        return notation.player_name(self, player)
