"""The algorithms by name, with their parameters, and how each uses its kernel.

Each class here is what a specification such as `alphabeta(depth=6, table=true)` stands for: its
constructor's arguments are the parameters. `fits` refuses games the algorithm is not for, and
`search` runs the kernel, once or for growing depths, and reads the result off the session.
"""

import functools
import inspect
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from gamesearch.algorithms import expectiminimax as chance
from gamesearch.algorithms.alphabeta import alphabeta
from gamesearch.algorithms.expectiminimax import expectiminimax
from gamesearch.algorithms.maxn import maxn
from gamesearch.algorithms.minimax import minimax
from gamesearch.algorithms.opponent import RandomOpponent
from gamesearch.algorithms.ordering import parse_order, remember_previous
from gamesearch.algorithms.result import Limits, Monitor, Observer, SearchResult, Statistics, Value
from gamesearch.algorithms.session import Session
from gamesearch.algorithms.workspace import FULL_DEPTH, MAX_PLY
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.specification import construct, format_specification, nearest, parse_specification

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "AlphaBeta",
    "Expectiminimax",
    "MaxN",
    "Minimax",
    "RandomMover",
    "load_algorithm",
]

PRUNINGS = {"none": chance.NO_PRUNING, "star1": chance.STAR1, "star2": chance.STAR2}
"""How expectiminimax can prune."""


class Algorithm:
    """A way to find a move, with its parameters."""

    name: ClassVar[str]
    summary: ClassVar[str]
    source: ClassVar[str]
    is_exact: ClassVar[bool] = True
    """Whether the value it finds is minimax's (or expectiminimax's) for the same depth."""

    depth: int | str = ""
    """How deep to search: plies, `full`, or empty for what the game suggests."""
    time: float = 0.0
    """Seconds after which the last finished depth is taken; 0: no limit."""

    @functools.cached_property
    def specification(self) -> str:
        """The text that `load_algorithm` reads back, without what is as by default."""
        given = {
            name: getattr(self, name)
            for name, parameter in inspect.signature(type(self)).parameters.items()
            if getattr(self, name) != parameter.default
        }
        return format_specification(self.name, given)

    def fits(self, game: Game[Any]) -> None:
        """Raise GamesearchError, in one sentence, where the algorithm is not for such a game."""
        if game.players != 2:
            raise GamesearchError(f"{self.name} is for two players and {game.name} has {game.players}: use maxn")
        if game.chance:
            raise GamesearchError(f"{self.name} knows no chance nodes and {game.name} has them: use expectiminimax")

    def limits(self, game: Game[Any], given: Limits) -> Limits:
        """The limits that hold: those given, or else the algorithm's, or else what the game suggests."""
        depth = given.depth
        if depth is None and self.depth:
            depth = FULL_DEPTH if self.depth == "full" else int(self.depth)
        time = given.time if given.time is not None else self.time or None
        if depth is None and time is None and given.nodes is None:
            depth = game.suggested_depth
        return Limits(FULL_DEPTH if depth is None else depth, time, given.nodes)

    def search(self, game: Game[Any], state: Any, limits: Limits, **session: Any) -> SearchResult:
        """Search a state that is not terminal."""
        raise NotImplementedError

    def result(self, session: Session, state: Any, value: Value | None, line: tuple[int, ...]) -> SearchResult:
        """The answer, with the distance taken out of a value that tells it."""
        game = session.game
        distance = None
        bound = "exact"
        if isinstance(value, float):
            if session.stopped:
                bound = "lower" if game.player(state) == MAX else "upper"
                value = None if not line else value
            value, distance = without_age(game, value, session.age)
        return SearchResult(
            algorithm=self.specification,
            value=value,
            bound=bound,
            best=line[0] if line else None,
            line=line,
            statistics=session.statistics(),
            distance=distance,
            stopped=session.stopped,
        )


def without_age(game: Game[Any], value: float | None, age: float) -> tuple[float | None, int | None]:
    """A value as the game pays it, and the plies to it where the value told them."""
    if value is not None and age:
        if value > game.MAXSCORE - age * (MAX_PLY + 1):
            return float(game.MAXSCORE), round((game.MAXSCORE - value) / age)
        if value < game.MINSCORE + age * (MAX_PLY + 1):
            return float(game.MINSCORE), round((value - game.MINSCORE) / age)
    return value, None


def depth_checked(depth: int | str) -> int | str:
    """A depth parameter: plies, `full`, or empty."""
    if depth in ("", "full"):
        return depth
    if isinstance(depth, str) or not 1 <= depth <= MAX_PLY:
        raise GamesearchError(f"depth is a whole number from 1 to {MAX_PLY}, or full: not {depth!r}")
    return depth


def seconds_checked(time: float) -> float:
    """A time parameter, checked."""
    if not 0 <= time < math.inf:
        raise GamesearchError(f"time is a number of seconds, 0 for no limit: not {time}")
    return time


class Minimax(Algorithm):
    """Every move of every node, to the depth or to the end."""

    name = "minimax"
    summary = "search everything to a depth, or to the end of the game"
    source = "Russell & Norvig, 4th ed., fig. 5.3"

    def __init__(self, depth: int | str = "", time: float = 0.0, bounds: bool = False) -> None:
        self.depth, self.time, self.bounds = depth_checked(depth), seconds_checked(time), bounds

    def search(self, game: Game[Any], state: Any, limits: Limits, **session: Any) -> SearchResult:
        """One run; a stopped one gives the best of the moves that were done."""
        with Session(game, limits, **session) as at_work:
            # A value that tells how soon never is the best there can be.
            at_work.begin(bounds=self.bounds, ages=game.win_or_loss and not self.bounds)
            at_work.note_iteration(limits.depth, "search")
            value = at_work.run(minimax, lambda: (game, state, limits.depth, 0, at_work.workspace, at_work.observer))
            return self.result(at_work, state, value, at_work.line)


class DeepeningSearch(Algorithm):
    """What alpha-beta and expectiminimax share: a table, move ordering, and iterative deepening."""

    deepen: bool
    table: bool
    memory: int
    order: str
    orders: int

    def take(self, depth: int | str, time: float, deepen: bool, table: bool, memory: int, order: str) -> None:
        """Check and keep the parameters."""
        if memory < 1:
            raise GamesearchError(f"memory is at least 1 MB, not {memory}")
        self.depth, self.time, self.deepen = depth_checked(depth), seconds_checked(time), deepen or time > 0
        self.table, self.memory, self.order, self.orders = table, memory, order, parse_order(order)

    def one_depth(self, session: Session, state: Any, depth: int) -> tuple[float, tuple[int, ...]]:
        """The value of the root to a depth, and its line."""
        raise NotImplementedError

    def finish(self, session: Session, state: Any, depth: int, found: SearchResult) -> SearchResult:  # noqa: ARG002
        """What is left to do after a depth that was not stopped."""
        return found

    def search(self, game: Game[Any], state: Any, limits: Limits, **session: Any) -> SearchResult:
        """The last of the results that `iterations` finishes."""
        memory = self.memory if self.table else 0
        with Session(game, limits, memory=memory, orders=self.orders, **session) as at_work:
            last: SearchResult | None = None
            for last in self.iterations(at_work, state, limits):
                if at_work.monitor is not None and not last.stopped:
                    at_work.monitor.finished(last)
            assert last is not None
            if at_work.stopped and not last.stopped:
                return replace(last, statistics=at_work.statistics(), stopped=at_work.stopped)
            return last

    def iterations(self, session: Session, state: Any, limits: Limits) -> Iterator[SearchResult]:
        """The result of each finished depth; of an unfinished one only where it is the first."""
        assert limits.depth is not None
        depths = range(1, min(limits.depth, MAX_PLY) + 1) if self.deepen else (limits.depth,)
        for depth in depths:
            truncated = int(session.workspace.truncated)
            value, line = self.one_depth(session, state, depth)
            if session.stopped and depth > depths[0]:
                break
            session.depth = depth if depth < FULL_DEPTH else 0
            found = self.result(session, state, value, session.extended_line(state, line, value, depth))
            yield found if session.stopped else self.finish(session, state, depth, found)
            sees_the_end = int(session.workspace.truncated) == truncated
            if session.stopped or sees_the_end or found.distance is not None:
                break
            remember_previous(session.ordering, line)


class AlphaBeta(DeepeningSearch):
    """Minimax's value without the moves that cannot change it."""

    name = "alphabeta"
    summary = "minimax without what cannot matter; with table, ordering, deepening"
    source = "Knuth & Moore 1975; Russell & Norvig, 4th ed., fig. 5.7"

    def __init__(
        self,
        depth: int | str = "",
        time: float = 0.0,
        deepen: bool = False,
        table: bool = False,
        memory: int = 64,
        order: str = "generated",
        bounds: bool = False,
        window: str = "full",
        fail: str = "soft",
        distance: bool = True,
    ) -> None:
        if window not in ("full", "null"):
            raise GamesearchError(f"window is full or null, not {window!r}")
        if fail not in ("soft", "hard"):
            raise GamesearchError(f"fail is soft or hard, not {fail!r}")
        if window == "null" and not table:
            raise GamesearchError("window=null asks again and again, and needs table=true")
        self.take(depth, time, deepen, table, memory, order)
        self.bounds, self.window, self.fail, self.distance = bounds, window, fail, distance

    def one_depth(self, session: Session, state: Any, depth: int) -> tuple[float, tuple[int, ...]]:
        """The value and line of a search from the root to a depth."""
        # While deepening, a win is found at the depth it takes; else `finish` looks for the soonest.
        ages = self.distance and self.deepen and session.game.win_or_loss
        session.begin(bounds=self.bounds, ages=ages, fail_hard=self.fail == "hard")
        session.note_iteration(depth, "search")
        if self.window == "null":
            return self.null_windows(session, state, depth)
        return self.window_search(session, state, -math.inf, math.inf, depth)

    def finish(self, session: Session, state: Any, depth: int, found: SearchResult) -> SearchResult:
        """Look for the soonest win, or the latest loss, of a position that is one."""
        game = session.game
        if self.distance and game.win_or_loss and not self.deepen and found.value in (game.MINSCORE, game.MAXSCORE):
            return self.how_soon(session, state, depth, found)
        return found

    def window_search(
        self, session: Session, state: Any, alpha: float, beta: float, depth: int
    ) -> tuple[float, tuple[int, ...]]:
        """The value of the root as far as it lies in a window, and its line."""
        value = session.run(
            alphabeta,
            lambda: (
                session.game, state, float(alpha), float(beta), depth, 0,
                session.workspace, session.table, session.ordering, session.observer,
            ),
        )  # fmt: skip
        return float(value), session.line

    def null_windows(self, session: Session, state: Any, depth: int) -> tuple[float, tuple[int, ...]]:
        """The value of the root by searches that only ask whether it is more than so much.

        Windows without width cut most, and the table remembers what earlier ones found (Plaat,
        Schaeffer, Pijls and de Bruin 1996, Artificial Intelligence 87). The questions halve what is
        left of the range, nearer to 0 first, where they are cheaper (Pascal Pons, "Iterative
        deepening", blog.gamesolver.org). The line is that of the last window that the player to move
        came out of as he wished: only that shows a move that reaches the value. Behind it, the line of a
        window without width is of no value.
        """
        game = session.game
        maximizing = game.player(state) == MAX
        lower, upper = (float(bound) for bound in (game.bounds(state) if self.bounds else unbounded(game)))
        line: tuple[int, ...] = ()
        while lower < upper or not line:
            middle = (lower + upper) / 2
            alpha = max(middle, lower / 2) if middle < 0 else min(middle, upper / 2)
            alpha = max(lower, min(alpha, math.nextafter(upper, -math.inf)))
            if lower == upper and maximizing:
                alpha = math.nextafter(lower, -math.inf)
            beta = math.nextafter(alpha, math.inf)
            value, tried = self.window_search(session, state, alpha, beta, depth)
            if session.stopped:
                break
            if value >= beta:
                lower = max(lower, value)
            else:
                upper = min(upper, value)
            if (value >= beta) == maximizing:
                line = tried[:1]
        return (lower if maximizing else upper), line

    def how_soon(self, session: Session, state: Any, depth: int, decided: SearchResult) -> SearchResult:
        """A second search, in which a win is worth less by each ply and only wins (or losses) count."""
        assert isinstance(decided.value, float)
        session.forget_table()
        session.begin(bounds=False, ages=True)
        session.note_iteration(depth, "distance")
        margin = session.age * (MAX_PLY + 1)
        least = decided.value - (margin if decided.value > 0 else 0)
        greatest = decided.value + (margin if decided.value < 0 else 0)
        low, high = math.nextafter(least, -math.inf), math.nextafter(greatest, math.inf)
        value, line = self.window_search(session, state, low, high, depth)
        if session.stopped or not line:
            return decided
        return self.result(session, state, value, session.extended_line(state, line, value, depth))


def unbounded(game: Game[Any]) -> tuple[float, float]:
    """The least and the greatest utility."""
    return game.MINSCORE, game.MAXSCORE


class Expectiminimax(DeepeningSearch):
    """Expected values at chance nodes; with pruning by Ballard's Star1 and Star2."""

    name = "expectiminimax"
    summary = "expected values at chance nodes, with star1 and star2 pruning"
    source = "Russell & Norvig, 4th ed., section 5.5.1; Ballard 1983"

    def __init__(
        self,
        depth: int | str = "",
        time: float = 0.0,
        deepen: bool = False,
        pruning: str = "none",
        table: bool = False,
        memory: int = 64,
        order: str = "generated",
        opponent: str = "best",
    ) -> None:
        if pruning not in PRUNINGS:
            raise GamesearchError(f"there is no pruning {pruning!r}: {nearest(pruning, PRUNINGS)}")
        if opponent not in ("best", "random"):
            raise GamesearchError(f"opponent is best or random, not {opponent!r}")
        self.take(depth, time, deepen, table, memory, order)
        self.pruning, self.opponent = pruning, opponent

    def fits(self, game: Game[Any]) -> None:
        """Raise GamesearchError for games of more than two players."""
        if game.players > 2:
            raise GamesearchError(f"{self.name} is for two players and {game.name} has {game.players}: use maxn")

    def search(self, game: Game[Any], state: Any, limits: Limits, **session: Any) -> SearchResult:
        """Search the game, or the game against an opponent at random."""
        return super().search(RandomOpponent(game) if self.opponent == "random" else game, state, limits, **session)

    def one_depth(self, session: Session, state: Any, depth: int) -> tuple[float, tuple[int, ...]]:
        """The expected value of the root to a depth, and its line."""
        session.begin(pruning=PRUNINGS[self.pruning])
        session.note_iteration(depth, "search")
        value = session.run(
            expectiminimax,
            lambda: (
                session.game, state, -math.inf, math.inf, depth, 0, False,
                session.workspace, session.table, session.ordering, session.observer,
            ),
        )  # fmt: skip
        return float(value), () if session.game.player(state) == CHANCE else session.line


class Expectimax(Expectiminimax):
    """Expectiminimax against an opponent who moves at random."""

    name = "expectimax"
    summary = "expectiminimax against an opponent who moves at random"

    def __init__(
        self,
        depth: int | str = "",
        time: float = 0.0,
        deepen: bool = False,
        pruning: str = "none",
        table: bool = False,
    ) -> None:
        super().__init__(depth, time, deepen, pruning, table, opponent="random")


class MaxN(Algorithm):
    """Each of n players takes what is best for himself."""

    name = "maxn"
    summary = "each of n players takes what is best for himself"
    source = "Luckhardt & Irani 1986"

    def __init__(self, depth: int | str = "", time: float = 0.0) -> None:
        self.depth, self.time = depth_checked(depth), seconds_checked(time)

    def fits(self, game: Game[Any]) -> None:
        """Raise GamesearchError for games with a single payoff."""
        if game.players < 3:
            raise GamesearchError(
                f"maxn needs a payoff for each of three or more players and {game.name} is for two: use minimax"
            )

    def search(self, game: Game[Any], state: Any, limits: Limits, **session: Any) -> SearchResult:
        """One run."""
        with Session(game, limits, **session) as at_work:
            at_work.begin()
            at_work.note_iteration(limits.depth, "search")
            value = at_work.run(maxn, lambda: (game, state, limits.depth, 0, at_work.workspace, at_work.observer))
            line = at_work.line if game.player(state) != CHANCE else ()
            return self.result(at_work, state, None if at_work.stopped and not line else tuple(map(float, value)), line)


class RandomMover(Algorithm):
    """A legal move, each with the same probability."""

    name = "random"
    summary = "any legal move, each with the same probability"
    source = "the yardstick of every algorithm"
    is_exact = False

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.generator = random.Random(seed)

    def fits(self, game: Game[Any]) -> None:
        """It fits every game."""

    def search(self, game: Game[Any], state: Any, limits: Limits, **session: Any) -> SearchResult:  # noqa: ARG002
        """Draw a move; the same seed draws the same moves."""
        move = None if game.player(state) == CHANCE else self.generator.choice(list(game.moves(state)))
        line = () if move is None else (move,)
        return SearchResult(self.specification, None, "exact", move, line, Statistics(nodes=1, speed="interpreted"))


ALGORITHMS: dict[str, type[Algorithm]] = {
    cls.name: cls for cls in (Minimax, AlphaBeta, Expectiminimax, Expectimax, MaxN, RandomMover)
}
"""Every algorithm by its name."""


def load_algorithm(text: str, defaults: Mapping[str, Any] | None = None) -> Algorithm:
    """The algorithm that a specification stands for.

    `defaults` are parameters to use, where the algorithm has them and the specification has not.
    Raises GamesearchError, with the nearest match, for unknown names and parameters.

    >>> load_algorithm("alphabeta(depth=6, table=true)").specification
    'alphabeta(depth=6, table=true)'
    """
    specification = parse_specification(text)
    if specification.name not in ALGORITHMS:
        hint = nearest(specification.name, ALGORITHMS)
        raise GamesearchError(f"there is no algorithm {specification.name!r}: {hint}")
    cls = ALGORITHMS[specification.name]
    known = {name: value for name, value in (defaults or {}).items() if name in inspect.signature(cls).parameters}
    filled = replace(specification, parameters={**known, **specification.parameters})
    algorithm: Algorithm = construct("the algorithm", cls, filled)
    return algorithm


def search_with(
    game: Game[Any],
    state: Any,
    algorithm: Algorithm,
    limits: Limits,
    *,
    speed: str = "auto",
    monitor: Monitor | None = None,
    observer: Observer | None = None,
) -> SearchResult:
    """Search a state with an algorithm that fits the game."""
    algorithm.fits(game)
    if game.terminal(state):
        raise GamesearchError(f"the game is over in {game.format(state)!r}: there is nothing to search")
    holding = algorithm.limits(game, limits)
    return algorithm.search(game, state, holding, speed=speed, monitor=monitor, observer=observer)
