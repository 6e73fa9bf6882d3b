"""What all algorithms share: parameters, limits, results, and the loop of iterative deepening."""

import functools
import inspect
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from gamesearch.algorithms.parts.ordering import ORDERS, parse_order, remember_previous
from gamesearch.algorithms.parts.result import Limits, SearchResult, Value
from gamesearch.algorithms.parts.searcher import Searcher
from gamesearch.algorithms.parts.workspace import FULL_DEPTH, MAX_PLY
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.specification import format_specification

__all__ = ["Algorithm", "DeepeningSearch", "depth_checked", "seconds_checked", "without_age"]


class Algorithm:
    """A way to find a move, with its parameters.

    A new one is a class in a file of its own in `gamesearch.algorithms`, beside its kernel: what is declared
    here is all that the rest of the package knows of it.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    source: ClassVar[str]
    example: ClassVar[str] = "connect4"
    """A game that it is for, as one types it."""
    meanings: ClassVar[Mapping[str, str]] = {
        "depth": "how many plies to search, or full; without it, what the game suggests",
        "time": "seconds after which the last finished depth counts, 0 for no limit",
        "bounds": "whether to clip values into the game's own bounds, and stop where these say enough",
    }
    """For each parameter, what it decides."""
    choices: ClassVar[Mapping[str, Collection[str]]] = {}
    """The values of those parameters that are not free."""

    # What it can do. ------------------------------------------------------------------------------
    is_for_two: ClassVar[bool] = True
    """Whether it takes the game for one of Max against Min, and is refused more players."""
    knows_chance: ClassVar[bool] = False
    """Whether it searches chance nodes."""
    is_search: ClassVar[bool] = True
    """Whether it looks ahead at all, so that it can be measured."""
    can_deepen: ClassVar[bool] = False
    """Whether its `deepen` may be set, to search to growing depths."""
    is_exact: bool = True
    """Whether the value it finds is minimax's (or expectiminimax's) for the same depth."""

    depth: int | str = ""
    """How deep to search: plies, `full`, or empty for what the game suggests."""
    deepen: bool = False
    """Whether it searches to growing depths, so that a limit on time leaves it with an answer."""
    time: float = 0.0
    """Seconds after which the last finished depth is taken; 0: no limit."""

    @property
    def visits_everything(self) -> bool:
        """Whether it leaves nothing out, so that others can be measured by it."""
        return False

    @property
    def narrows_windows(self) -> bool:
        """Whether what is found makes the windows of later nodes smaller."""
        return False

    @property
    def clips_values(self) -> bool:
        """Whether a value outside a window is returned as the end of the window (fail-hard)."""
        return False

    @property
    def needs_seed(self) -> bool:
        """Whether it moves at random, and was not told by which seed."""
        return False

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
        if self.is_for_two and game.players > 2:
            raise GamesearchError(f"{self.name} is for two players and {game.name} has {game.players}: use maxn")
        if game.chance and not self.knows_chance:
            raise GamesearchError(f"{self.name} knows no chance nodes and {game.name} has them: use expectiminimax")

    def as_searched(self, game: Game[Any], state: Any) -> Game[Any]:  # noqa: ARG002
        """The game as this algorithm sees it from a state: for most, the game itself."""
        return game

    def limits(self, game: Game[Any], given: Limits) -> Limits:
        """The limits that hold: those given, or else the algorithm's, or else what the game suggests."""
        depth = given.depth
        if depth is None and self.depth:
            depth = FULL_DEPTH if self.depth == "full" else int(self.depth)
        time = given.time if given.time is not None else self.time or None
        if depth is None and given.nodes is None and (time is None or not self.deepen):
            depth = game.suggested_depth
        is_full = depth is None or depth > MAX_PLY  # deeper than a search can go
        return Limits(FULL_DEPTH if is_full else depth, time, given.nodes)

    def search(self, game: Game[Any], state: Any, limits: Limits, **resources: Any) -> SearchResult:
        """Search a state that is not terminal."""
        raise NotImplementedError

    def result(self, searcher: Searcher, state: Any, value: Value | None, line: tuple[int, ...]) -> SearchResult:
        """The answer, with the distance taken out of a value that tells it."""
        game = searcher.game
        distance = None
        bound = "exact"
        if isinstance(value, float):
            if searcher.stopped:
                bound = "lower" if game.player(state) == MAX else "upper"
                value = None if not line else value
            value, distance = without_age(game, value, searcher.age)
        elif searcher.stopped:
            bound = "lower"  # for the player to move
        return SearchResult(
            algorithm=self.specification,
            value=value,
            bound=bound,
            best=line[0] if line else None,
            line=line,
            statistics=searcher.statistics(),
            distance=distance,
            sees_the_end=searcher.sees_the_end,
            stopped=searcher.stopped,
        )


def without_age(game: Game[Any], value: float | None, age: float) -> tuple[float | None, int | None]:
    """A value as the game pays it, and the plies to it where the value told them.

    No plies at all means that the game's own bounds proved the win, which do not say how soon it comes.
    """
    if value is not None and age:
        if value > game.MAXSCORE - age * (MAX_PLY + 1):
            return float(game.MAXSCORE), round((game.MAXSCORE - value) / age) or None
        if value < game.MINSCORE + age * (MAX_PLY + 1):
            return float(game.MINSCORE), round((value - game.MINSCORE) / age) or None
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


class DeepeningSearch(Algorithm):
    """What alpha-beta and expectiminimax share: a table, move ordering, and iterative deepening."""

    can_deepen = True
    choices: ClassVar[Mapping[str, Collection[str]]] = {"order": ORDERS}
    meanings: ClassVar[Mapping[str, str]] = {
        **Algorithm.meanings,
        "deepen": "whether to search to depth 1, 2, 3, ... up to the limits",
        "table": "whether to remember positions in a transposition table",
        "memory": "how many megabytes the table may take",
        "order": "which moves to search first; several are joined by +",
    }

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

    def one_depth(self, searcher: Searcher, state: Any, depth: int) -> tuple[float, tuple[int, ...]]:
        """The value of the root to a depth, and its line."""
        raise NotImplementedError

    def finish(self, searcher: Searcher, state: Any, depth: int, found: SearchResult) -> SearchResult:  # noqa: ARG002
        """What is left to do after a depth; the search goes by what was found, not by what this makes of it."""
        return found

    def search(self, game: Game[Any], state: Any, limits: Limits, **resources: Any) -> SearchResult:
        """The last of the results that `iterations` finishes."""
        memory = self.memory if self.table else 0
        with Searcher(game, limits, memory=memory, orders=self.orders, **resources) as searcher:
            last: SearchResult | None = None
            for last in self.iterations(searcher, state, limits):
                if searcher.monitor is not None and not last.stopped:
                    searcher.monitor.finished(last)
            assert last is not None
            if searcher.stopped and not last.stopped:
                return replace(last, statistics=searcher.statistics(), stopped=searcher.stopped)
            return last

    def iterations(self, searcher: Searcher, state: Any, limits: Limits) -> Iterator[SearchResult]:
        """The result of each finished depth; of an unfinished one only where it is the first."""
        assert limits.depth is not None
        depths = range(1, min(limits.depth, MAX_PLY) + 1) if self.deepen else (limits.depth,)
        for depth in depths:
            value, line = self.one_depth(searcher, state, depth)
            if searcher.stopped and depth > depths[0]:
                break
            searcher.depth = depth if depth < FULL_DEPTH else 0
            found = self.result(searcher, state, value, searcher.extended_line(state, line, value, depth))
            yield self.finish(searcher, state, depth, found)
            is_won = searcher.age > 0 and found.value in (searcher.game.MINSCORE, searcher.game.MAXSCORE)
            if searcher.stopped or found.sees_the_end or is_won:
                break
            remember_previous(searcher.ordering, line)
