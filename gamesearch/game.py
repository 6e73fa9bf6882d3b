"""The questions that search asks of the rules of a game.

A game is one class. Its methods carry the names of the textbook (Russell and Norvig, *Artificial
Intelligence: A Modern Approach*, 4th edition, section 5.1): whose turn it is, which moves there are,
what a move leads to, whether the game is over and what it then pays. Nothing else is needed for a
game to be played, analysed, solved and measured; every other method has a default that is right, and
that a game may replace by one that is quicker or says more.

States are immutable and hashable. Where a state is a NamedTuple of integers, the same class also
runs compiled (see `gamesearch.compiler`). Values are always Max's: no sign is ever flipped.
"""

import inspect
import itertools
import json
import numbers
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from gamesearch.errors import GamesearchError
from gamesearch.specification import format_specification, format_value, parse_specification
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
    "Board",
    "Cell",
    "Game",
    "Known",
]

MAX = 0
"""The player who wants a great value; also player 0 of a game for more than two."""
MIN = 1
"""The player who wants a small value."""
CHANCE = -1
"""Nobody's turn: dice, or an opponent taken to move at random."""

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


@dataclass(frozen=True)
class Cell:
    """One field of a drawn board.

    `text` is ASCII and tells the sides apart by itself; `glyph`, where there is one, replaces it on a
    terminal that can draw it. `owner` (MAX, MIN, ...) only adds colour.
    """

    text: str = "."
    glyph: str = ""
    owner: int | None = None
    faint: bool = False
    marked: bool = False
    dark: bool = False


@dataclass(frozen=True)
class Board:
    """A position as rows of cells, top row first, with labels and lines of text below."""

    rows: Sequence[Sequence[Cell]] = ()
    row_labels: Sequence[str] = ()
    column_labels: Sequence[str] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Known:
    """An answer that somebody published or that was counted independently, for one test to check.

    `parameters` is what stands in the brackets of the game's name, `position` its notation ("" for
    the initial state). `perft` counts the leaves at depth 1, 2, ...; `positions` the reachable
    positions, terminal ones included; `nodes` and `leaves` belong to a full minimax.
    """

    source: str
    parameters: str = ""
    position: str = ""
    perft: tuple[int, ...] = ()
    value: float | None = None
    distance: int | None = None
    best: tuple[str, ...] = ()
    nodes: int | None = None
    leaves: int | None = None
    positions: int | None = None
    method: str = ""


class Game(Specified, Generic[State]):
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
    example: ClassVar[str] = ""
    """A position in this game's notation, for help texts."""
    notation: ClassVar[str] = ""
    """How positions and moves are written, in a sentence or two."""
    players: int = 2
    """How many players; with more than two, utilities are tuples with a payoff for each."""
    chance: bool = False
    """Whether some states are chance nodes (player CHANCE)."""
    recurrence: int = NEVER
    """Whether a position may come again, and what that means."""
    win_or_loss: bool = True
    """MAXSCORE is a win and MINSCORE a loss, to be reached soon and put off; False for payoffs that
    are points, expectations, or already count how soon."""
    impartial: bool = False
    """Whether it is a sum of games in which both sides have the same moves and the last move wins, so
    that Grundy numbers solve it: then `subgames` and `grundy` answer."""
    octal_code: ClassVar[tuple[int, ...]] = ()
    """The digits of an octal game's code from the one before the point, such as 0, 7, 7 for Kayles' 0.77 (Guy
    and Smith 1956): then the period of its Grundy numbers can be proved."""
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
    names: tuple[str, ...] = ("Max", "Min")
    """What the players are called."""
    record_suffix: ClassVar[str] = ".json"
    """How the names of files with whole games end."""

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

    # Bottom-up solving. --------------------------------------------------------------------------
    reach: int = 0
    """By how many levels a move brings the end nearer at the most; 0 where there are no levels."""

    def level(self, s: State) -> int:
        """How far the state is from the end: every move leads to a smaller level."""
        raise NotImplementedError

    def states_of_level(self, level: int) -> Iterator[State]:
        """Yield the states of a level (a superset of the reachable ones)."""
        raise NotImplementedError

    def subgames(self, s: State) -> tuple[int, ...]:
        """The sizes of the games that an impartial game is the sum of."""
        raise NotImplementedError

    def grundy(self, size: int) -> int:
        """The Grundy number of one of those games (Sprague 1935, Grundy 1939)."""
        raise NotImplementedError

    # Notation and picture; never compiled. -------------------------------------------------------
    def parse(self, text: str) -> State:
        """The state that a text means; raises GamesearchError where it means none."""
        fields = text.replace(",", " ").split()
        start = self.initial()
        if not isinstance(start, tuple) or len(fields) != len(start):
            raise GamesearchError(f"cannot read the position {text!r}{self._written(start)}")
        try:
            values = [int(field) for field in fields]
        except ValueError:
            raise GamesearchError(
                f"the position {text!r} is not {len(start)} whole numbers{self._written(start)}"
            ) from None
        if any(not 0 <= value < 1 << 62 for value in values):
            raise GamesearchError(f"the position {text!r} has a number out of range")
        make: Any = getattr(type(start), "_make", type(start))
        state: State = make(values)
        player = MAX if self.terminal(state) else self.player(state)
        if player != CHANCE and player not in range(self.players):
            raise GamesearchError(
                f"in the position {text!r} it is the turn of player {player}: players are 0 to {self.players - 1}"
            )
        return state

    def _written(self, start: State) -> str:
        """How positions are written, as the end of a sentence, for a game that does not say it itself."""
        if self.notation:
            return ""
        if isinstance(start, tuple) and all(isinstance(field, numbers.Integral) for field in start):
            return f": {self.name} has no notation of its own, so write one like {self.format(start)}"
        return f": {self.name} has no notation, which its method parse would have to read"

    def format(self, s: State) -> str:
        """The state as text that `parse` reads back."""
        fields = s if isinstance(s, tuple) else (s,)
        return ",".join(str(int(field) if isinstance(field, numbers.Integral) else field) for field in fields)

    def player_name(self, player: int) -> str:
        """What a player is called: by number where the game does not name them all."""
        if player == CHANCE:
            return "chance"
        return self.names[player] if len(self.names) >= self.players else f"player {player + 1}"

    def move_name(self, s: State, m: int) -> str:
        """A move or outcome as people write it."""
        return str(m)

    def line_names(self, s: State, line: Sequence[int]) -> list[str]:
        """The moves of a line as people write them, each in the position where it is made."""
        names = []
        for m in line:
            names.append(self.move_name(s, m))
            s = self.result(s, m)
        return names

    def parse_move(self, s: State, text: str) -> int:
        """The legal move that a text means; raises GamesearchError where it means none."""
        wanted = text.strip().casefold()
        moves: list[int] = self._all(s, "moves")
        for m in moves:
            if self.move_name(s, m).casefold() == wanted:
                return m
        raise GamesearchError(f"{text.strip()!r} is not a legal move here")

    def board(self, s: State) -> Board:
        """The position as a picture."""
        return Board(notes=(self.format(s),))

    def for_perft(self) -> "Game[State]":
        """The game that perft counts: in chess, the one that no draw ends."""
        return self

    def uniform_tree(self, s: State) -> tuple[int, int] | None:
        """Branching and depth below a state, where the game is a uniform tree that theory speaks of."""
        return None

    def setup(self, text: str) -> "tuple[Game[State], State]":
        """The game and the state that a position text means: most games are the game itself."""
        return self, self.parse(text) if text else self.initial()

    # Whole games. --------------------------------------------------------------------------------
    def record(self, start: State, moves: Sequence[int], headers: Mapping[str, str]) -> str:
        """A whole game as the text of a file; `headers` say who played, and what else there is to say."""
        names = self.line_names(start, moves)
        game = format_specification(type(self).name, self.parameters() | self.tuned())
        record = {"game": game, "headers": dict(headers), "position": self.format(start), "moves": names}
        return json.dumps(record, indent=2, ensure_ascii=False) + "\n"

    def read_record(self, text: str) -> tuple[State, list[int]]:
        """The start and the moves of a recorded game; raises GamesearchError where the text is none."""
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            raise GamesearchError("it is not a game saved by gamesearch") from None
        if not isinstance(record, dict) or not all(isinstance(record.get(key), str) for key in ("game", "position")):
            raise GamesearchError("it is not a game saved by gamesearch")
        names = record.get("moves")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise GamesearchError("it has no list of moves")
        if not self._is_meant(record["game"]):
            game = format_specification(type(self).name, self.parameters() | self.tuned())
            raise GamesearchError(f"it is a game of {record['game']}, not of {game}")
        start = self.initial()
        if record["position"] != self.format(start):  # which a game without a `parse` of its own can load, too
            start = self.parse(record["position"])
        s = start
        past: list[State] = []
        moves: list[int] = []
        for name in names:
            steps = {} if self.terminal(s) else {self.move_name(s, m): m for m in self.steps(s, past)}
            if name not in steps:
                raise GamesearchError(f"its move {len(moves) + 1}, {name!r}, is not legal in {self.format(s)}")
            moves.append(steps[name])
            past.append(s)
            s = self.result(s, moves[-1])
        return start, moves

    def _is_meant(self, text: str) -> bool:
        """Whether a specification means this game: in whatever folder its file is, what is not named is as usual."""
        given = self.parameters() | self.tuned()
        head, bracket, inside = text.partition("(")
        try:
            written = parse_specification("game" + bracket + inside)
        except GamesearchError:
            return False
        usual = {name: each.default for name, each in inspect.signature(type(self)).parameters.items()}
        is_named = head.rpartition("/")[2].strip() == type(self).name.rpartition("/")[2] and not written.values
        return is_named and all(
            format_value(written.parameters.get(name, usual.get(name))) == format_value(value)
            for name, value in given.items()
        )

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
