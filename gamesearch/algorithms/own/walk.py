"""Observes a user's function that cannot be woven: the nodes that it visits, with their windows and values.

The function gets an `ObservedGame`, which reports each move that the function makes. The decorator `observe` reports
each call. The Walk uses these reports to count the nodes and to stop the search at its limit. It gives an observer the
same events as a built-in algorithm.
"""

import functools
import inspect
import math
import numbers
import threading
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from gamesearch.algorithms.engine.result import Value
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.workspace import NODE_LIMIT
from gamesearch.algorithms.weaving.bookkeeping import color_of, note_root_value
from gamesearch.algorithms.weaving.roles import METHODS, is_negamax, role_of
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.user_code.files import place_of

__all__ = [
    "DEEPEST", "STATE_NAMES", "ObservedGame", "StoppedError", "Walk", "is_number", "observe", "present", "value_in",
]  # fmt: skip

STATE_NAMES = ("s", "state", "position", "pos", "node", "board", "game_state", "gameState", "gamestate")
"""If a function has no parameter for the game, these names show which parameter is the state."""
DEEPEST = 2_000
"""A search is considered endless if it makes this number of nested calls."""


class StoppedError(BaseException):
    """Ends a search that runs code of a user's file. This class is not derived from Exception, so that the file's code
    does not catch it."""


class CurrentWalk(threading.local):
    """The object of class Walk for the search that runs in the current thread."""

    walk: "Walk | None" = None


present = CurrentWalk()


class WalkNode:
    """A node on the current path."""

    __slots__ = (
        "alpha",
        "best",
        "beta",
        "generated",
        "is_reported",
        "line",
        "made",
        "move",
        "player",
        "searched",
        "state",
    )

    def __init__(self, state: Any, alpha: float | None, beta: float | None, is_reported: bool) -> None:
        self.state, self.alpha, self.beta, self.is_reported = state, alpha, beta, is_reported
        self.player: int | None = None
        """The player to move; None until the first child is entered."""
        self.move = -1
        self.made: dict[Any, int] = {}
        """The positions that the function has created from the node's position. Maps each position to the move that
        leads to it."""
        self.searched: set[int] = set()
        self.generated: int | None = None
        """The number of moves of the position; None if the function has not generated all moves."""
        self.best: Value | None = None
        self.line: tuple[int, ...] = ()


class Walk:
    """Observes one search, from its root."""

    def __init__(self, runner: Runner, state: Any, most: float, marks: bool) -> None:
        self.game, self.root_state, self.counts, self.most = runner.game, state, runner.counts, most
        self.recorded = runner.workspace.path.fields
        self.observer, self.marks = runner.observer, marks
        """`marks`: whether calls of functions are observed. If `marks` is false, each position that the code creates
        counts as a node."""
        self.path: list[WalkNode] = []
        self.root_moves: dict[Any, int] = {}
        """Maps positions to moves: before the code enters its first node, it makes these moves at the root."""
        self.virtual: WalkNode | None = None
        """The root, if the first observed call was for a child of the root; otherwise None."""
        self.handed_on = 0
        """The number of nested calls whose position is the position of the current node. Such calls do not count as
        visits."""
        self.has_root = False
        """Whether the search has entered the root. Afterwards, searches that start at other positions are not
        reported."""
        self.depth = 0
        """The depth of the search, which is reported to the observer."""
        self.best: Value | None = None
        self.line: tuple[int, ...] = ()
        self.evaluates = False
        """Whether the function has called `game.evaluate`."""
        self.viewers = set[int]()
        """The players whose payoffs or estimates the function has read, for example with `game.utility(s, player)`."""
        if not marks:
            self.counts.nodes += 1

    # Reports of the game. ------------------------------------------------------------------------
    def check_stop(self) -> None:
        """Raise StoppedError if the search was stopped or has reached its node limit."""
        if self.counts.nodes + self.handed_on >= self.most and not self.counts.stop:
            self.counts.stop = NODE_LIMIT
        if self.counts.stop:
            raise StoppedError

    def note_move(self, s: Any, move: int, after: Any) -> None:
        """Record that the function made a move."""
        if not self.marks:
            self.counts.nodes += 1
        self.check_stop()
        here = self.path[-1] if self.path else None
        if here is not None and (here.state is s or here.state == s):
            here.made[after] = move
        elif not self.path and s == self.root_state:
            self.root_moves[after] = move

    def note_all_moves(self, s: Any, count: int) -> None:
        """Record that the function generated all moves of a position."""
        here = self.path[-1] if self.path else self.virtual
        if here is not None and (here.state is s or here.state == s):
            here.generated = count

    # Reports of the functions. -------------------------------------------------------------
    def enter(self, state: Any, alpha: float | None, beta: float | None) -> WalkNode | None:
        """Report that the search enters a position. Returns None if the current node already has this position."""
        is_aside = not self.path and state != self.root_state
        if is_aside and not self.has_root:
            self.open_virtual_root()
            is_aside = False
        if self.path and self.path[-1].state == state:
            self.handed_on += 1
            self.check_stop()
            return None
        ply = len(self.path)
        if ply >= DEEPEST:
            raise GamesearchError(
                f"the search makes {DEEPEST:,} nested calls: does each call get closer to depth 0 or to the end?"
            )
        self.counts.nodes += 1
        self.counts.deepest = max(self.counts.deepest, ply)
        is_reported = self.path[-1].is_reported and self.find_move_to(state) if self.path else not is_aside
        self.has_root = self.has_root or is_reported
        here = WalkNode(state, alpha, beta, is_reported)
        if self.observer is not None and here.is_reported:
            if ply == 0:
                self.observer.iteration(self.depth, "search")
            self.observer.enter(state, ply, alpha, beta)
        self.path.append(here)
        self.check_stop()
        return here

    def open_virtual_root(self) -> None:
        """Enter the root. The file's code began with a child of the root, so it has not entered the root itself."""
        self.virtual = self.enter(self.root_state, -math.inf, math.inf)
        assert self.virtual is not None
        self.virtual.made.update(self.root_moves)

    def find_move_to(self, state: Any) -> bool:
        """Find the move that leads from the current node to a position. Returns whether such a move exists."""
        above = self.path[-1]
        if state not in above.made:
            above.made.update({self.game.result(above.state, m): m for m in self.game.steps(above.state)})
        if state not in above.made:  # no move leads there
            return False
        if above.player is None:
            above.player = self.game.player(above.state)
        above.move = above.made[state]
        above.searched.add(above.move)
        if self.observer is not None and above.is_reported:
            self.observer.move(len(self.path) - 1, above.move)
        return True

    def leave(self, here: WalkNode, value: Value | None) -> None:
        """Report that a call returns, and report the returned value for Max. If the value is unknown (None), no more
        events are reported."""
        ply = len(self.path) - 1
        if not here.searched:
            self.counts.leaves += 1
        elif here.player != CHANCE and (here.generated is None or len(here.searched) < here.generated):
            self.counts.cutoffs += 1
            if self.observer is not None and here.is_reported:
                self.observer.cutoff(ply, len(here.searched) - 1, len(self.game.steps(here.state)))
        if value is None:
            self.observer = None
        if self.observer is not None and here.is_reported:
            self.observer.leave(ply, value)
        self.path.pop()
        if self.path:
            if value is not None and here.is_reported:
                above = self.path[-1]
                if ply == 1 and note_root_value(self.game, above.move, value, self.recorded):
                    above.best = None
                take_best(above, value, here.line)
        elif here.is_reported:
            self.best, self.line = value, here.line

    def abandon(self, here: WalkNode) -> None:
        """Record that a call raised an exception. No event is reported after this one."""
        if here is self.path[0] and here.is_reported:
            self.keep_best_of(here)
        del self.path[self.path.index(here) :]  # including deeper nodes: the exception may come from a deeper call
        self.observer = None

    def keep_best_of(self, root: WalkNode) -> None:
        """If no search of the root has finished, keep the best move among the root moves that were completely
        searched."""
        if not self.line and root.line:
            self.best, self.line = root.best, root.line

    def finish(self, value: Value | None) -> None:
        """Report that the file's code has returned, and report the returned value (None if unknown)."""
        if self.virtual is not None and self.path == [self.virtual]:
            self.leave(self.virtual, self.virtual.best if value is None else value)


def take_best(above: WalkNode, value: Value, line: tuple[int, ...]) -> None:
    """Record the value of a child if it is better than the values of earlier children."""
    if above.player is None or above.player == CHANCE:
        return
    new, old = (each[above.player] if isinstance(each, tuple) else each for each in (value, above.best or 0.0))
    is_better = above.best is None or (new > old if isinstance(value, tuple) or above.player == MAX else new < old)
    if is_better:
        above.best, above.line = value, (above.move, *line)


class ObservedGame:
    """The game that a file's code receives. It tells the Walk about each call of a method, and accepts alternative
    names of methods."""

    def __init__(self, game: Game, walk: Walk) -> None:
        self._game, self._walk = game, walk

    def __getattr__(self, name: str) -> Any:
        if name in METHODS and not hasattr(self._game, name):
            return getattr(self, METHODS[name])
        return getattr(self._game, name)

    def utility(self, s: Any, player: int | None = None) -> Any:
        """The payoff for a player. If no player is given, the result is the payoff for Max, or the tuple of all
        payoffs if there are more than two players."""
        return self._for(player, self._game.utility(s))

    def _for(self, player: int | None, value: Any) -> Any:
        """Convert a value for Max (or a tuple of values) to the value for a player."""
        if player is None or player == CHANCE:
            return value
        self._walk.viewers.add(player)
        return value[player] if isinstance(value, tuple) else value if player == MAX else -value

    def result(self, s: Any, m: int) -> Any:
        """The state after a move."""
        after = self._game.result(s, m)
        self._walk.note_move(s, m, after)
        return after

    def moves(self, s: Any) -> Iterator[int]:
        """Yield the legal moves."""
        count = 0
        for count, move in enumerate(self._game.moves(s), 1):  # noqa: B007
            yield move
        self._walk.note_all_moves(s, count)

    def outcomes(self, s: Any) -> Iterator[tuple[int, float]]:
        """The outcomes of a chance node, without outcomes of probability 0. Built-in algorithms also skip these
        outcomes."""
        return (each for each in self._game.outcomes(s) if each[1] > 0)

    def evaluate(self, s: Any, player: int | None = None) -> Any:
        """The estimate of a position, for Max or for a player."""
        self._walk.evaluates = True
        self._walk.check_stop()
        return self._for(player, self._game.evaluate(s))


# The decorator. ----------------------------------------------------------------------------------
def observe(function: FunctionType) -> Callable[..., Any]:
    """Decorate a function so that each call and its result are reported to the Walk of this thread."""
    parameters = inspect.signature(function).parameters
    takes = [name for name in parameters if name != "self"]
    state_name = takes[takes.index("game") + 1] if "game" in takes[:-1] else next(n for n in takes if n in STATE_NAMES)
    named_by_role = {role_of(name): name for name in parameters}
    places = {name: place for place, name in enumerate(parameters)}
    defaults = {n: p.default for n, p in parameters.items() if p.default is not p.empty}
    color_name, window = named_by_role.get("color"), [named_by_role.get("alpha"), named_by_role.get("beta")]

    def argument(name: str | None, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if name is None:
            return None
        place = places[name]
        return args[place] if place < len(args) else named.get(name, defaults.get(name))

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        walk = present.walk
        if walk is None:
            return function(*args, **named)
        state, color = argument(state_name, args, named), argument(color_name, args, named)
        if color_name is None and is_negamax(function.__name__):
            color = color_of(walk.game, state)
        alpha, beta = (argument(name, args, named) for name in window)
        if color == -1 and alpha is not None and beta is not None:
            alpha, beta = -beta, -alpha
        here = walk.enter(state, alpha, beta)
        if here is None:
            return function(*args, **named)
        try:
            returned = function(*args, **named)
        except BaseException:
            walk.abandon(here)
            raise
        if returned is None:
            raise GamesearchError(
                f"{function.__name__} ({place_of(function)}) returned nothing in "
                f"{walk.game.format(here.state)!r}: does every path through it end with return?"
            )
        walk.leave(here, value_in(returned, color, walk.game.payoff_count))
        return returned

    return call


def value_in(returned: Any, color: int | None, payoff_count: int) -> Value | None:
    """Extract Max's value from a function's result. The value is the result itself, or the first item if the result is
    a tuple. Return None if the value is not a number. If the game has more than two players, the value is a tuple with
    a number for each player."""
    if payoff_count > 1:
        found = returned[0] if isinstance(returned, tuple) and returned and isinstance(returned[0], tuple) else returned
        is_value = isinstance(found, tuple) and len(found) == payoff_count and all(map(is_number, found))
        return tuple(map(float, found)) if is_value else None
    found = returned[0] if isinstance(returned, tuple) and returned else returned
    sign = -1 if color == -1 else 1
    return sign * float(found) if is_number(found) else None


def is_number(value: Any) -> bool:
    """Whether a value is a real number (a Python or NumPy type) other than NaN."""
    return isinstance(value, numbers.Real) and not math.isnan(value)
