"""The base class of all games: the rules, in methods that search calls.

A game is one class. Its methods have the names of the textbook (Russell and Norvig, *Artificial Intelligence: A Modern
Approach*, 4th edition, section 5.1): whose turn it is, which moves there are, what a move leads to, whether the game is
over and what it then pays. Nothing else is needed for a game to be played, analyzed, solved and measured. Every other
method has a correct default, which a game may override to be faster or more precise. `gamesearch.notation` defines how
positions and moves are written and drawn, `gamesearch.files.records` how whole games are saved, and
`gamesearch.optional` contains groups of methods that only some games have.

States are immutable and hashable. Where a state is a NamedTuple of integers, the same class also
runs compiled (see `gamesearch.compiler`). Values are always Max's: no sign is ever changed.
"""

import itertools
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from gamesearch.errors import GamesearchError
from gamesearch.files.records import Records
from gamesearch.notation import CHANCE, MAX, MIN
from gamesearch.toolkit.known import Known

__all__ = [
    "BACKWARD",
    "CAPTURE",
    "CHANCE",
    "FORBIDDEN",
    "FORWARD",
    "IGNORED",
    "MAX",
    "MIN",
    "MOST_MOVES",
    "NEVER",
    "RECURRENCE_DRAWS",
    "THREAT",
    "Game",
]

NEVER = 0
"""A position cannot occur twice in a game."""
RECURRENCE_DRAWS = 1
"""A position may occur twice, and the game is then drawn."""
IGNORED = 2
"""A position may occur twice, and the game goes on."""
FORBIDDEN = 3
"""A move that repeats an earlier `arrangement` is illegal (superko); a move that leaves the present arrangement as it
is, such as a pass, is always legal."""

BACKWARD, FORWARD, THREAT, CAPTURE = range(4)
"""Kinds of moves, as far as search asks; threats and captures are forcing."""

MOST_MOVES = 1 << 16
"""The greatest number of moves in a position; rules that yield more are taken for an endless loop."""

State = TypeVar("State", bound=Hashable)


class Game(Records[State]):
    """The rules of one game; a subclass defines at least the first six methods.

    Constructor arguments are the game's parameters. Every instance attribute that is a number, a tuple of numbers or a
    NumPy array is a constant of the compiled code, except those named in `tunable`. After assigning another value,
    the rules are compiled again; the elements of such an array cannot be changed.
    """

    # Declared facts. -----------------------------------------------------------------------------
    name: ClassVar[str] = ""
    """The name in specifications; by default the class's name in small letters."""
    summary: ClassVar[str] = ""
    """One line for `gamesearch games`; by default the first line of the docstring."""
    players: int = 2
    """The number of players; with more than two, utilities are tuples with a payoff for each."""
    zero_sum: bool = True
    """Whether two players have opposite payoffs, so that Max's is enough; if not, utilities are tuples for both."""
    chance: bool = False
    """Whether some states are chance nodes (player CHANCE)."""
    recurrence: int = NEVER
    """Whether a position may occur twice, and what follows: NEVER, RECURRENCE_DRAWS, IGNORED or FORBIDDEN."""
    shortest_cycle: int = 1
    """The least number of moves, none of them progress, after which a position can occur again. If it is even, only
    an even number can, as where two players move in turns and `arrangement` tells whose turn it is."""
    win_or_loss: bool = True
    """Whether MAXSCORE is a win, to be reached soon, and MINSCORE a loss, to be put off; False for payoffs that are
    points or expectations, or that already count how soon."""
    bounds_hold_estimates: bool = False
    """Whether no value found to any depth lies outside `bounds`: `evaluate` and `utility` lie within the bounds of
    their position, and of a position's bounds no move or outcome leads out. Searches with chance nodes prune by such
    bounds."""
    reads_table_late: bool = False
    """Whether alpha-beta makes the moves of a node, and puts them into order, before it reads what the table has of it:
    where that takes no longer than memory needs to answer, which the processor is told to begin with. Solving Connect
    Four takes 0.85 of the time so. No value changes; measure before saying so."""
    looks_up_next: bool = False
    """Whether alpha-beta and `pvs`, in a position that `skips_table`, look up those after it before they search one:
    what is known of one of them may be enough. For games that look up each second position; Connect Four takes 0.77 of
    the nodes. No value changes."""
    estimate_sees_chance: bool = True
    """Whether the outcomes of a chance node may have different estimates. False if moves and chance nodes always
    alternate and each outcome is estimated as the node itself, such as a roll that is not played yet: then every other
    depth finds nothing new, and deepening skips it. An outcome of the first position may differ, such as the roll that
    decides who begins."""
    whole_payoffs: bool = False
    """Whether every payoff is a whole number, so that in searches to the end, null windows go from one to the next."""
    choices: ClassVar[Mapping[str, Collection[Any]]] = {}
    """The values to list for parameters that have a fixed set of values, or need examples."""
    known: ClassVar[tuple[Known, ...]] = ()
    """Published answers, for the tests."""
    interpreted_because: str = ""
    """Why the rules cannot be compiled, in one sentence, if that is known beforehand."""
    worth_compiling: bool = True
    """False if a search takes less time than compiling, so that speed `auto` runs interpreted."""
    suggested_depth: int | None = None
    """The default depth of searches, for a game too large to search to its end."""
    suggested_order: ClassVar[str] = ""
    """What the default player orders moves by; empty for `order`, if the game defines it, with killers and history."""
    suggested_algorithm: str = ""
    """What the default player searches with, where that won a match against alpha-beta; empty for alpha-beta.

    `pvs` alone is completed as alpha-beta is: with the order that the game suggests, and so on."""
    MINSCORE: float = -1
    """The least possible utility."""
    MAXSCORE: float = 1
    """The greatest possible utility."""
    tunable: ClassVar[tuple[str, ...]] = ("weights",)
    """The names of attributes that compiled code reads at run time: tuples or arrays of floats."""
    weights: tuple[float, ...] = (0.0,)
    """The weight of each feature in `evaluate`."""
    tells_kinds: ClassVar[bool] = False
    """Whether the game defines `kind_of_move`; set automatically."""
    has_features: ClassVar[bool] = False
    """Whether the game defines `features`; set automatically."""
    has_order: bool = False
    """Whether the game defines `order`; set automatically."""
    feature_names: tuple[str, ...] = ()
    """The name of each feature, shown where an evaluation is explained."""

    def __init_subclass__(cls) -> None:
        """Set what follows from the class; its name is that of its file for gamesearch's own games, else its own."""
        cls.has_features = cls.features is not Game.features
        for name in cls.tunable:
            if isinstance(given := vars(cls).get(name), list):  # what may be changed in place would not be noticed
                setattr(cls, name, tuple(given))
        cls.tells_kinds = cls.kind_of_move is not Game.kind_of_move
        cls.has_order = cls.order is not Game.order
        if "name" not in vars(cls):
            package, _, place = cls.__module__.partition(".games.")
            cls.name = place.partition(".")[0] if package == "gamesearch" else cls.__name__.lower()

    # The rules. ----------------------------------------------------------------------------------
    @property
    def payoff_count(self) -> int:
        """The length of a utility: 1 if it is only Max's payoff, else the number of players."""
        return self.players if self.players > 2 or not self.zero_sum else 1

    def initial(self) -> State:
        """The state the game starts from."""
        raise NotImplementedError

    def player(self, s: State) -> int:
        """Whose turn it is: MAX, MIN, a number below `players`, or CHANCE."""
        raise NotImplementedError

    def moves(self, s: State) -> Iterator[int]:
        """Yield the legal moves as integers; a forced pass is a move. Not called at the end of the game."""
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
        """Yield (outcome, probability) at a chance node; an outcome whose probability is 0 is passed over."""
        yield 0, 1.0

    def moves_by_lot(self, s: State) -> bool:
        """Whether the outcomes of a chance node are moves of a random player, so that recurrence can forbid them."""
        return False

    # Optional: what makes searches better or faster. ----------------------------------------------
    def features(self, s: State) -> tuple[float, ...]:
        """Numbers that measure how good a position is for Max, one for each of `weights`."""
        return (0.0,)

    def evaluate(self, s: State) -> Any:
        """The heuristic value for Max where search is cut off, between MINSCORE and MAXSCORE.

        By default the features times their weights; the value of a draw if there are none.
        """
        value = 0.0 if self.has_features else self.draw_value()
        features = self.features(s)
        for i in range(len(features)):
            value += features[i] * self.weights[i]
        return value

    def bounds(self, s: State) -> tuple[float, float]:
        """Lower and upper bound on the value for Max, certain from the state alone. Not called for a finished game."""
        return self.MINSCORE, self.MAXSCORE

    def is_determined(self, s: State) -> bool:
        """Whether the payoffs that are known determine the value of s; if not, what a search finds is an estimate."""
        return True

    def is_needed(self, s: State, m: int) -> bool:
        """Whether a move has to be searched; not if the rules make it certain that another is at least as good.

        Asked only where `bounds` leave the value open; there, some move is needed. A search with `bounds=true` leaves
        out the others: in Connect Four, those after which the other side wins at once; in dots and boxes, all but one
        where a box can be taken for nothing. The values of finished games stay; estimates at the horizon may differ.
        """
        return True

    def skips_table(self, s: State) -> bool:
        """Whether it takes less time to search a position than to look it up in the table, which is then not done.

        So where little is left, or where all positions after it are looked up (`looks_up_next`). It changes no value.
        Measure before saying so: each node that is searched again has to cost less than memory.
        """
        return False

    def draw_value(self) -> float:
        """The value of a draw: the middle between a win and a loss."""
        return (self.MAXSCORE + self.MINSCORE) / 2

    def order(self, s: State, m: int) -> float:
        """A quick estimate of how good a move is for the player who makes it; the greatest is searched first."""
        return 0.0

    def kind_of_move(self, s: State, m: int) -> int:
        """CAPTURE if the move takes or promotes, THREAT if it must be answered, else FORWARD or BACKWARD.

        Captures and threats are forcing: with `order=game` they are searched before all other moves.
        """
        return FORWARD

    def key(self, s: State) -> Any:
        """The identity of a position: an int of up to 64 bits, or a tuple of ints; equal keys are the same position."""
        return s

    # Recurrence: search, solve and play compare positions; no game keeps its own past. ------------
    def arrangement(self, s: State) -> Any:
        """The part of a state that is compared to find repeated positions; in Go the stones, whoever's turn it is.

        By default the key. A game whose key counts moves without progress leaves that count out here.
        """
        return self.key(s)

    def progress(self, s: State) -> int:
        """A number that never falls during a game; after it has risen, no earlier position can recur.

        Captures and moves of men raise it in checkers. It may always be the same, but the more often it rises, the
        more searches can use their table, and the fewer positions they compare.
        """
        return 0

    def consistent(self, s: State) -> bool:
        """Whether a state passes a quick check: no field taken twice, no more men than there can be.

        For tests and for random play; every state that can be reached must pass it.
        """
        return True

    def steps(self, s: State, past: Sequence[State] = ()) -> list[int]:
        """The moves of a state, or the outcomes of a chance node, as a list.

        Moves that are forbidden because they repeat one of the earlier positions in `past` are left out.
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
        """Everything that `moves` or `outcomes` yields; raises GamesearchError if it does not end."""
        found = list(itertools.islice(getattr(self, method)(s), MOST_MOVES + 1))
        if len(found) > MOST_MOVES:
            raise GamesearchError(
                f"{method} of {type(self).__name__} yields more than {MOST_MOVES:,} for {self.format(s)!r} "
                f"(such as {found[-1]!r}) and may have no end: does its loop end?"
            )
        return found
