"""Find the values of all moves. The depth of the search after each move is one ply less than the given depth."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gamesearch.algorithms.engine.algorithm import Algorithm, clip_value
from gamesearch.algorithms.engine.result import (
    Limits,
    Monitor,
    MoveValue,
    Observer,
    Progress,
    SearchResult,
    Statistics,
    as_value,
)
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.node.repetition import arrangements, is_drawn_by_past, is_stuck
from gamesearch.algorithms.node.values import estimate_within, estimates_within
from gamesearch.algorithms.node.workspace import FULL_DEPTH, MAX_PLY
from gamesearch.game import CHANCE, Game

__all__ = ["MoveSearch", "UsedBudget", "ValuedMove", "reduce_depth", "search_and_value"]

SHORT_START = 0.05
"""A search starts in less than this time (seconds), unless code must be compiled or loaded."""


@dataclass(frozen=True)
class ValuedMove:
    """The value of a move, and properties of the search that found this value."""

    found: MoveValue
    is_final: bool = True
    """Whether a deeper search would find the same value."""
    nodes: int = 0


class MoveSearch:
    """Finds the values of the moves or outcomes of one position.

    Each move gets the value that it would have in a search of the whole position. If the move ends the game, or is a
    draw by repetition, its value comes from the rules. The value at the horizon comes from the evaluation or from
    quiescence search.

    The monitor receives the nodes, seconds and depth of all searches together. The monitor does not receive the results
    of the individual searches, because they are for other positions.
    """

    def __init__(
        self,
        game: Game,
        state: Any,
        algorithm: Algorithm,
        *,
        speed: str = "auto",
        monitor: Monitor | None = None,
        past: Sequence[Any] = (),
    ) -> None:
        self.game, self.state, self.algorithm = game, state, algorithm
        self.speed, self.monitor = speed, monitor
        self.moves = game.steps(state, past)
        self.seen = algorithm.game_to_search(game, state)
        self.past = (*past, state)
        self.before = arrangements(game, self.past)
        self.clips_by_bounds = algorithm.bounds and algorithm.narrows_windows
        """Whether the algorithm clips the value of the root to the game's bounds."""
        self.total = Statistics()
        """The sums of the counts of all searches so far. The exception is `depth`, which is the greatest depth of these
        searches."""
        self.prepared = 0.0
        """The number of seconds spent on compiling or loading code. These seconds do not count toward time limits."""

    @property
    def is_interrupted(self) -> bool:
        """Whether the searches were interrupted."""
        return self.monitor is not None and self.monitor.interrupted

    def value(self, move: int, limits: Limits | None) -> ValuedMove | None:
        """The value of a move; None if its search was stopped. `limits` apply to the search of the position after the
        move. If `limits` is None, the position is evaluated without search, even without quiescence search."""
        seen, after = self.seen, self.game.result(self.state, move)
        if seen.terminal(after):
            value = as_value(seen.utility(after))
            is_decided = seen.win_or_loss and value in (seen.MINSCORE, seen.MAXSCORE)
            return ValuedMove(MoveValue(move, value, 1 if is_decided else None))
        if is_drawn_by_past(seen, after, self.before, limits.depth if limits else 0):
            return ValuedMove(MoveValue(move, float(seen.draw_value())))
        if limits is None or (limits.depth == 0 and not self.has_quiescence(after)):
            estimate = as_value(seen.evaluate(after))
            within: Any = estimate_within if isinstance(estimate, float) else estimates_within
            value = within(seen, estimate)
            if limits is not None and self.clips_by_bounds and isinstance(value, float):
                value = clip_value(seen, self.state, value)  # the value of the root is also clipped
            return ValuedMove(MoveValue(move, value), is_final=False)
        found = self.search_behind(after, limits)
        if found.value is None or found.stopped:
            return None
        distance = None if found.distance is None else found.distance + 1
        line = () if seen.player(after) == CHANCE else found.line
        is_final = found.sees_the_end or distance is not None
        return ValuedMove(MoveValue(move, found.value, distance, line=line), is_final, found.statistics.nodes)

    def has_quiescence(self, after: Any) -> bool:
        """Whether a search to depth 0 may continue with a quiescence search."""
        return self.algorithm.searches_beyond_horizon(self.seen) and not is_stuck(self.seen, after, self.before)

    def values(self, limits: Limits | None) -> list[ValuedMove]:
        """The values of all moves, except moves whose search was stopped."""
        return [found for move in self.moves if (found := self.value(move, limits)) is not None]

    def search_behind(self, after: Any, limits: Limits) -> SearchResult:
        """Search the position after a move, and add its statistics to the total."""
        outer, watching, begun = self.monitor, self.monitor_for(limits), time.perf_counter()
        found = self.search_state(after, limits, monitor=watching, past=self.past)
        start = time.perf_counter() - begun - found.statistics.seconds
        if start > SHORT_START:
            self.prepared += start
        if outer is not None and watching is not None:
            outer.interrupted = outer.interrupted or watching.interrupted
        done, total = found.statistics, self.total
        self.total = replace(
            done,
            nodes=total.nodes + done.nodes,
            leaves=total.leaves + done.leaves,
            cutoffs=total.cutoffs + done.cutoffs,
            table_hits=total.table_hits + done.table_hits,
            depth=max(total.depth, done.depth),
            seconds=total.seconds + done.seconds,
        )
        return found

    def search_state(self, after: Any, limits: Limits, **context: Any) -> SearchResult:
        """Search one position."""
        return search_with(self.seen, after, self.algorithm, limits, speed=self.speed, **context)

    def monitor_for(self, limits: Limits) -> Monitor | None:
        """A monitor for the search of the position after one move. The monitor reports the progress of all searches so
        far."""
        outer, total = self.monitor, self.total
        if outer is None:
            return None

        def poll(now: Progress) -> bool:
            depth = 1 + (now.depth if limits.depth in (None, FULL_DEPTH) else limits.depth)
            so_far = replace(now, nodes=total.nodes + now.nodes, depth=depth, seconds=total.seconds + now.seconds)
            must_stop = outer.poll(so_far) or outer.interrupted
            inner.interrupted = inner.interrupted or outer.interrupted
            return must_stop

        inner = Monitor(poll, note=outer.note, interval=outer.interval, leaves_compiling=outer.leaves_compiling)
        return inner

    def search_within(self, depth: int, budget: Limits) -> tuple[list[ValuedMove], int | None]:
        """Find the values of all moves by searches to the same depth, the greatest depth that the budget allows.
        Returns the values and the depth.

        The depth is None if deeper searches would find the same values. Depth 1 needs no search, so the result always
        contains at least depth 1.
        """
        spent = UsedBudget(budget, self)
        valued = self.values(None)
        reached = 1
        while not all(each.is_final for each in valued):
            if reached >= min(depth, MAX_PLY) or (deeper := self.deepen_values(valued, reached, spent)) is None:
                return valued, reached
            valued, reached = deeper, reached + 1
        return valued, None

    def deepen_values(self, valued: list[ValuedMove], depth: int, spent: "UsedBudget") -> list[ValuedMove] | None:
        """Search the moves in `valued` one ply deeper than before, and return the new values. Returns None if the
        budget was spent before the last move was searched."""
        deeper = []
        for known in valued:
            found = known if known.is_final else self.value(known.found.move, spent.after_use(depth))
            if found is None:
                return None
            spent.nodes += found.nodes
            deeper.append(replace(found, nodes=0))
        return deeper


class UsedBudget:
    """A budget of time and nodes, and the part of it that the searches of a MoveSearch have used."""

    def __init__(self, budget: Limits, search: MoveSearch) -> None:
        self.budget, self.search, self.nodes = budget, search, 0
        self.begun = time.perf_counter() - search.prepared

    def after_use(self, depth: int, first: int | None = None) -> Limits:
        """The limits of the next search. It searches the depths from `first` to `depth`, one after another."""
        seconds = time.perf_counter() - self.begun - self.search.prepared
        return replace(self.budget.after_use(seconds, self.nodes), depth=depth, first=first)


def search_and_value(
    game: Game, state: Any, algorithm: Algorithm, limits: Limits, observer: Observer | None = None, **context: Any
) -> SearchResult:
    """Search a position, and then the position after each move. The observer gets only the events of the first search.

    Limits on time and nodes apply to all searches together. Half of the time and nodes is for the search of the
    position. The rest is for the searches of the positions after its moves.
    """
    if algorithm.values_moves:
        return search_with(game, state, algorithm, limits, observer=observer, **context)
    holding = algorithm.limits(game, limits)
    result = search_with(game, state, algorithm, holding.divide(2), observer=observer, **context)
    done = result.statistics
    if result.value is None and not result.stopped:
        return result
    search = MoveSearch(game, state, algorithm, **context)
    if holding.time is None and holding.nodes is None and not result.stopped:
        valued = search.values(reduce_depth(holding))
        if len(valued) == len(search.moves):
            return replace(result, moves=tuple(each.found for each in valued))
    if search.is_interrupted:  # use only values that need no search, so that every move has a value
        valued, reached = search.search_within(1, Limits())
        return replace(result, moves=tuple(each.found for each in valued), moves_depth=reached, stopped="interrupted")
    assert holding.depth is not None
    wanted = done.depth if result.stopped else holding.depth
    valued, reached = search.search_within(wanted, holding.after_use(done.seconds, done.nodes))
    moves_depth = None if reached == wanted else reached
    return replace(result, moves=tuple(each.found for each in valued), moves_depth=moves_depth)


def reduce_depth(limits: Limits) -> Limits:
    """Reduce the depth by one ply, for the search of the position after a move."""
    assert limits.depth is not None
    return limits if limits.depth == FULL_DEPTH else replace(limits, depth=limits.depth - 1)
