"""What all algorithms share: parameters, limits, results, and the loop of iterative deepening."""

import functools
import inspect
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from gamesearch.algorithms.ordering import parse_order, remember_previous
from gamesearch.algorithms.result import Limits, SearchResult, Value
from gamesearch.algorithms.session import Session
from gamesearch.algorithms.workspace import FULL_DEPTH, MAX_PLY
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.specification import format_specification

__all__ = ["Algorithm", "DeepeningSearch", "depth_checked", "seconds_checked", "without_age"]


class Algorithm:
    """A way to find a move, with its parameters."""

    name: ClassVar[str]
    summary: ClassVar[str]
    source: ClassVar[str]
    is_exact: bool = True
    """Whether the value it finds is minimax's (or expectiminimax's) for the same depth."""

    depth: int | str = ""
    """How deep to search: plies, `full`, or empty for what the game suggests."""
    deepen: bool = False
    """Whether it searches to growing depths, so that a limit on time leaves it with an answer."""
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
        if game.players > 2:
            raise GamesearchError(f"{self.name} is for two players and {game.name} has {game.players}: use maxn")
        if game.chance:
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
        elif session.stopped:
            bound = "lower"  # for the player to move
        return SearchResult(
            algorithm=self.specification,
            value=value,
            bound=bound,
            best=line[0] if line else None,
            line=line,
            statistics=session.statistics(),
            distance=distance,
            sees_the_end=session.sees_the_end,
            stopped=session.stopped,
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
        """What is left to do after a depth; the search goes by what was found, not by what this makes of it."""
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
            value, line = self.one_depth(session, state, depth)
            if session.stopped and depth > depths[0]:
                break
            session.depth = depth if depth < FULL_DEPTH else 0
            found = self.result(session, state, value, session.extended_line(state, line, value, depth))
            yield self.finish(session, state, depth, found)
            is_won = session.age > 0 and found.value in (session.game.MINSCORE, session.game.MAXSCORE)
            if session.stopped or found.sees_the_end or is_won:
                break
            remember_previous(session.ordering, line)
