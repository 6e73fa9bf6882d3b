"""The base class of all games. The methods of a game define its rules; searches call these methods.

The methods have the same names as in the textbook (Russell and Norvig, *Artificial Intelligence: A Modern Approach*,
4th edition, section 5.1). If a subclass defines the first six methods, the game can be played, analyzed, solved and
measured. The defaults of all other methods are correct for every game. `gamesearch.optional` contains methods that only
some games have.

States are immutable and hashable. If a state is a NamedTuple of integers, the rules also run compiled (see
`gamesearch.compiler`). All values are from Max's point of view.
"""

import itertools
import numbers
import re
import warnings
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from gamesearch.errors import GamesearchError
from gamesearch.files.records import NOT_SAVED, RecordedGame, SavedGame
from gamesearch.parameterized import ParameterizedObject
from gamesearch.specification import format_specification
from gamesearch.toolkit.boards import Board, Palette, Place, cells_compared
from gamesearch.toolkit.known import Known

__all__ = [
    "BACKWARD", "CAPTURE", "CHANCE", "FORBIDDEN", "FORWARD", "IGNORED", "MAX", "MIN", "MOST_MOVES", "NEVER",
    "REPETITION_DRAWS", "THREAT", "Game", "State", "split_moves",
]  # fmt: skip

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    State = TypeVar("State", bound=Hashable, default=Any)
else:
    from typing import TypeVar

    State = TypeVar("State", bound=Hashable)  # a default would need Python 3.13

MAX = 0
"""The player who maximizes the value; also player 0 of a game with more than two players."""
MIN = 1
"""The player who minimizes the value."""
CHANCE = -1
"""The player at a chance node: dice, or a random opponent."""
NEVER, REPETITION_DRAWS, IGNORED, FORBIDDEN = range(4)
"""The values of `Game.repetition`. NEVER: positions cannot repeat. REPETITION_DRAWS: a repetition is a draw. IGNORED: a
repetition has no effect. FORBIDDEN: a move to an earlier position is illegal (superko). But a move that does not change
the `arrangement`, such as a pass, is legal."""
RECURRENCE_DRAWS = REPETITION_DRAWS  # the old name
BACKWARD, FORWARD, THREAT, CAPTURE = range(4)
"""Kinds of moves. Threats and captures are forcing."""
MOST_MOVES = 1 << 16
"""The greatest number of moves in a position. If `moves` yields more moves, the loop in `moves` is assumed to be
endless."""
LONGEST_LIST = 10_000
"""The greatest length of a list of moves, in characters."""


def split_moves(text: str, move: re.Pattern[str] | None = None) -> list[str]:
    """Split a list of moves into the names of the moves, and drop the move numbers. `move` is a pattern that matches
    one move. If this pattern is given, the moves need no separators."""
    if len(text) > LONGEST_LIST:
        raise GamesearchError(f"{text!r} is too long to be a list of moves")
    text = move.sub(r"\g<0> ", text) if move is not None else text
    return re.sub(r"(?:^|(?<=[\s,]))\d+\.+", " ", text).replace(",", " ").split()


class Game(ParameterizedObject, Generic[State]):
    """The rules of one game. A subclass defines at least the first six methods.

    Constructor arguments are the game's parameters. In compiled code, instance attributes are constants if they are
    numbers, tuples of numbers or NumPy arrays. Attributes in `tunable` are not constants. If you assign another value
    to a constant, the rules are compiled again. You cannot change individual elements of a constant array.
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
    """The smallest number of moves after which a position can recur. If this number is even, positions recur only after
    an even number of moves."""
    win_or_loss: bool = True
    """Whether MAXSCORE means a win and MINSCORE a loss. If so, searches prefer quick wins. False if payoffs are
    points."""
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
    """If the game is too large to be searched to its end, this is the default depth of searches. Otherwise, it is
    None."""
    suggested_order: ClassVar[str] = ""
    """The move ordering of the default player. If it is empty, the player uses killer moves, the history heuristic and
    `order`."""
    suggested_algorithm: str = ""
    """The algorithm of the default player. If it is empty, the player uses alpha-beta with the ordering
    `suggested_order`."""
    MINSCORE: float = -1
    """The least possible utility."""
    MAXSCORE: float = 1
    """The greatest possible utility."""
    tunable: ClassVar[tuple[str, ...]] = ("weights",)
    """The names of the attributes (tuples or arrays of floats) that can change without recompilation."""
    weights: tuple[float, ...] = (0.0,)
    """The weight of each feature in `evaluate`."""
    shipped_evaluations: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Evaluations that users can choose by `evaluation=NAME`. The key is NAME, and the value is a mapping with the
    names `features`, `weights` and `feature_names`."""
    feature_names: tuple[str, ...] = ()
    """The name of each feature, for explanations of an evaluation."""
    has_move_kinds: ClassVar[bool] = False
    has_features: ClassVar[bool] = False
    has_order: bool = False
    """Whether the class defines `kind_of_move`, `features` and `order`. These three attributes are set
    automatically."""

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

    # Declared names and facts for people; searches do not read them. ------------------------------
    name: ClassVar[str] = ""
    """The name in specifications. A game of this package has the name of its module by default; any other game has the
    name of its class."""
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
    """Whether the players always move in turn. If they do not, the output counts the plies to a win instead of the
    winner's moves."""
    shows_captures: ClassVar[bool] = False
    """Whether the board of a game in progress is shown with the number of pieces that each player has captured."""
    unit: ClassVar[str] = ""
    """The unit of values, such as discs, points or pawns; empty if values have no unit."""
    estimates_are_chances: ClassVar[bool] = False
    """Whether estimates can be read as chances to win, with MINSCORE as 0 % and MAXSCORE as 100 %."""
    payoffs_tell_how_soon: ClassVar[bool] = False
    """Whether faster wins have greater payoffs. If so, the output shows the number of moves to a win instead of the
    payoff."""
    palette: ClassVar[Palette] = Palette()
    """The colors of the board and of the sides, and the layout of the board."""
    bottom_player: int | None = None
    """The player whose side of the board is at the bottom; None if no side of the board belongs to a player."""
    record_suffix: ClassVar[str] = ".json"
    """The suffix of files that contain recorded games."""

    def __repr__(self) -> str:
        """The specification of the game: its name with its parameters."""
        return format_specification(type(self).name or type(self).__name__, self.parameters() | self.tuned_attributes())

    # The rules. ----------------------------------------------------------------------------------
    def initial(self) -> State:
        """The state in which the game starts."""
        raise NotImplementedError

    def player(self, s: State) -> int:
        """The player to move: MAX, MIN, a number below `players`, or CHANCE."""
        raise NotImplementedError

    def moves(self, s: State) -> Iterator[int]:
        """Yield the legal moves as integers. A forced pass also counts as a move. This method is not called at the end
        of the game."""
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
        """A proven lower and upper bound on the value of a state for Max. This method is not called at the end of the
        game."""
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
        """The key of a state: an int of up to 64 bits, or a tuple of ints. Positions with equal keys count as the same
        position."""
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
        """Whether a state passes a quick check, for example of the number of pieces. Every reachable state must
        pass."""
        return True

    # Notation and pictures. Kernels never call the methods from `steps` on, so these methods are never compiled. -
    def steps(self, s: State, past: Sequence[State] = ()) -> list[int]:
        """Return the legal moves of a state. At a chance node, return the outcomes. Moves that repeat a position in
        `past` are left out if superko forbids them."""
        method = "outcomes" if self.player(s) == CHANCE else "moves"
        found: list[Any] = list(itertools.islice(getattr(self, method)(s), MOST_MOVES + 1))
        if len(found) > MOST_MOVES:
            raise GamesearchError(
                f"the method `{method}` of {type(self).__name__} yields more than {MOST_MOVES:,} {method} for "
                f"{self.format(s)!r} (such as {found[-1]!r}) and may never end: check its loop"
            )
        if method == "outcomes":
            return [outcome for outcome, probability in found if probability > 0]
        if self.repetition != FORBIDDEN or not past:
            return found
        present, before = self.arrangement(s), {self.arrangement(each) for each in past}
        after = {m: self.arrangement(self.result(s, m)) for m in found}
        return [m for m, new in after.items() if new == present or new not in before]

    def parse(self, text: str) -> State:
        """The state that a text describes; raises GamesearchError if the text describes no state."""
        fields = text.replace(",", " ").split()
        start = self.initial()
        if not isinstance(start, tuple) or len(fields) != len(start):
            raise GamesearchError(f"cannot read the position {text!r}{self._written(start)}")
        try:
            values = [int(field) for field in fields]
        except ValueError:
            raise GamesearchError(f"{text!r} is not {len(start)} whole numbers{self._written(start)}") from None
        if any(not 0 <= value < 1 << 62 for value in values):
            raise GamesearchError(f"the position {text!r} contains a number that is negative or too large")
        make: Any = getattr(type(start), "_make", type(start))
        state: State = make(values)
        player = MAX if self.terminal(state) else self.player(state)
        if player != CHANCE and player not in range(self.players):
            raise GamesearchError(f"in {text!r}, player {player} is to move, but there are only {self.players} players")
        return state

    def positions_before(self, text: str) -> list[State]:
        """If a text gives a position as a list of moves, return the position before each move. The result is empty if
        the text contains no moves, or if repetition has no effect in the game."""
        if not text or self.repetition in (NEVER, IGNORED):
            return []
        try:
            self.parse(text)
        except GamesearchError:
            return self.play_moves(text)[:-1]
        return []

    def play_moves(self, text: str, move: re.Pattern[str] | None = None) -> list[State]:
        """Play the moves in a text (see `split_moves`). Returns the initial position and the position after each
        move."""
        states = [self.initial()]
        names = split_moves(text, move)
        for number, name in enumerate(names, 1):
            s = states[-1]
            if self.terminal(s):
                raise GamesearchError(f"{text!r} continues after the end of the game, at {name}")
            try:
                m = self.parse_move(s, name)
            except GamesearchError as error:
                is_round = self.numbers_rounds and not self.chance
                which = f"{-(-number // 2)} of {self.player_name(self.player(s))}" if is_round else f"{number}"
                place = f"move {which} in {text!r}: " if len(names) > 1 else ""
                raise GamesearchError(f"{place}{error}") from None
            if self.repetition == FORBIDDEN and m not in self.steps(s, states[:-1]):
                raise GamesearchError(f"in {text!r}, {name} repeats an earlier position")
            states.append(self.result(s, m))
        return states

    def _written(self, start: State) -> str:
        """The end of an error message. If the game has no `notation`, the text says how to write a position; otherwise,
        it is empty."""
        if self.notation:
            return ""
        if isinstance(start, tuple) and all(isinstance(field, numbers.Integral) for field in start):
            return f": write a position like {self.format(start)}, or a list of moves"
        return f": {self.name} has no method `parse` to read positions"

    def format(self, s: State) -> str:
        """Convert a state to text that `parse` reads back."""
        fields = s if isinstance(s, tuple) else (s,)
        return ",".join(str(int(field) if isinstance(field, numbers.Integral) else field) for field in fields)

    def player_name(self, player: int) -> str:
        """The name of a player, such as "player 3" if the game does not name all players."""
        if player == CHANCE:
            return "chance"
        return self.names[player] if len(self.names) >= self.players else f"player {player + 1}"

    @property
    def active_players(self) -> range:
        """The players that can make moves."""
        return range(1 if self.is_for_one else self.players)

    def zero_sum_words(self) -> str:
        """The end of an error message. The command needs two players and zero-sum payoffs. The words say which of these
        two the game lacks."""
        if self.players == 2:
            return f"for zero-sum payoffs, but {self.name} is not zero-sum"
        return f"for two players, but {self.name} has {self.players}"

    def plies_to_win(self, s: State, payoff: float) -> int | None:
        """The number of plies to a win with this payoff; None for a draw, or if `payoffs_tell_how_soon` is False."""
        return None

    def win_text(self, s: State, player: int, plies: int) -> str:
        """A sentence which says that `player` wins, and how soon. The game ends `plies` plies after s. By default, the
        sentence counts the winner's moves."""
        if plies == 0:
            return f"{self.player_name(player)} has won"
        is_late = self.players == 2 and self.player(s) == 1 - player
        moves = plies // 2 if is_late else -(-plies // self.players)
        if not self.turns_alternate or moves == 0:
            return f"{self.player_name(player)} wins after {plies} more {'move' if plies == 1 else 'moves'}"
        return f"{self.player_name(player)} wins in {moves} {'move' if moves == 1 else 'moves'}"

    def first_number(self, s: State) -> int:
        """The number of the next move if a game starts in s. It is 1 by default. If states of the game count moves, the
        number comes from s."""
        return 1

    def win_chance(self, estimate: float) -> float | None:
        """Convert an estimate to Max's expected score: the probability of a win, plus half the probability of a draw.
        Return None if this is not possible."""
        if not self.estimates_are_chances:
            return None
        return (estimate - self.MINSCORE) / (self.MAXSCORE - self.MINSCORE)

    def value_words(self, s: State, value: float) -> str:
        """Describe a value in the game's own terms. If the text is empty, callers show the value as a number or as the
        probability of a win."""
        return ""

    def move_name(self, s: State, m: int) -> str:
        """A move or an outcome in a position, as people write it."""
        return str(m)

    def outcome_text(self, s: State, m: int) -> str:
        """A sentence that reports an outcome of a chance node, such as `White rolls 6-3`."""
        return f"chance: {self.move_name(s, m)}"

    def line_names(self, s: State, line: Sequence[int]) -> list[str]:
        """The names of successive moves. The first move is made in state s."""
        names = []
        for m in line:
            names.append(self.move_name(s, m))
            s = self.result(s, m)
        return names

    def parse_move(self, s: State, text: str) -> int:
        """The legal move that a text describes; raises GamesearchError if the text describes no legal move."""
        wanted = text.strip().casefold()
        names = {self.move_name(s, m).casefold(): m for m in self.steps(s)}
        if wanted in names:
            return names[wanted]
        problem = "is taken" if self._is_taken(s, wanted, names) else "is not a legal move here"
        raise GamesearchError(f"{text.strip()!r} {problem}")

    def _is_taken(self, s: State, wanted: str, names: Collection[str]) -> bool:
        """Whether the move `wanted` goes to a place that is empty on the initial board, but occupied in `s`. `names`
        are the names of the legal moves in `s`."""
        start = self.initial()
        moves = {} if self.terminal(start) else {self.move_name(start, m).casefold(): m for m in self.steps(start)}
        if wanted not in moves or moves.keys().isdisjoint(names):
            return False
        empty = self.board(start)
        after = cells_compared(empty, self.board(self.result(start, moves[wanted])))
        places = {place for place, old, new in after if old.owner is None and new.owner is not None}
        return any(new.owner is not None for place, _, new in cells_compared(empty, self.board(s)) if place in places)

    def setup(self, text: str) -> tuple[Any, State]:
        """The game and the state that a text describes. If the text does not describe a state, it can be a list of
        moves. A text can choose a variant of this game."""
        try:
            return self, self.parse(text) if text else self.initial()
        except GamesearchError as error:
            if not self._begins_with_move(text):
                if type(self).parse is not Game.parse:
                    raise
                first = text.replace(",", " ").split()[:1]
                raise GamesearchError(f"{error}; {''.join(first)!r} is not a legal first move") from None
        return self, self.play_moves(text)[-1]

    def _begins_with_move(self, text: str) -> bool:
        """Whether the first word of a text is a legal move in the initial position."""
        with suppress(GamesearchError):
            for name in split_moves(text)[:1]:
                self.parse_move(self.initial(), name)
                return True
        return False

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
        """Return a whole game as the text of a file. `headers` contains the names of the players and other
        information."""
        return SavedGame(repr(self), dict(headers), self.format(start), self.line_names(start, moves)).text()

    def read_record(self, text: str) -> tuple[State, list[int]]:
        """The initial state and the moves of the first game in a text; raises GamesearchError if the text has none."""
        game = next(self.read_records(text), None)
        if game is None:
            raise GamesearchError("it contains no game")
        return game.start, list(game.moves)

    def read_records(self, text: str) -> Iterator[RecordedGame[State]]:
        """Yield the games in the text of a file. The text is either a JSON object that gamesearch wrote, or text in
        another format.

        Raises GamesearchError if the text has no games, or if a game breaks the rules. The message names the faulty
        game and its line.
        """
        saved = SavedGame.read(text)
        yield from self.read_other_records(text) if saved is None else (saved.replay(self),)

    def read_other_records(self, text: str) -> Iterator[RecordedGame[State]]:
        """Yield the games of a text in another format, such as PGN. The default implementation accepts no other
        format."""
        raise GamesearchError(NOT_SAVED)

    @classmethod
    def rules_of_headers(cls, headers: Mapping[str, str]) -> str:  # noqa: ARG003
        """Return the specification of the game that the headers describe; by default, the name of this game."""
        return cls.name

    def has_ended(self, s: State) -> bool:
        """Whether a recorded game must end when it reaches a state. The default implementation returns whether the
        state is terminal.

        Chess, for example, returns False for draws that a player must claim, because the recorded game may continue
        after them.
        """
        return self.terminal(s)
