"""Multi-PV: find the best moves with their values and principal variations, within one limit on time or nodes.

At each depth, the best moves of the previous depth are searched first. Each of the other moves is compared only with
the last move in the list of the best moves so far.
"""

import inspect
import math
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

from gamesearch.algorithms.catalog.alphabeta import AlphaBeta
from gamesearch.algorithms.catalog.pvs import PrincipalVariationSearch
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.deepening import WindowSearch
from gamesearch.algorithms.engine.result import Limits, Monitor, MoveValue, SearchResult, rank_moves
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.engine.searcher import Searcher, search_with
from gamesearch.algorithms.node.values import adjusted_for_ply, cost_of_a_ply
from gamesearch.algorithms.node.workspace import FULL_DEPTH, MAX_PLY
from gamesearch.algorithms.root.move_values import MoveSearch, UsedBudget, ValuedMove
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.optional import certain_moves, is_determined

__all__ = ["search_best_moves"]


def search_best_moves(
    game: Game,
    state: Any,
    algorithm: Algorithm,
    limits: Limits,
    count: int,
    among: Collection[int] = (),
    margin: float = 0.0,
    **context: Any,
) -> SearchResult:
    """Find the `count` best moves and their lines. All moves are searched to the same depth, the greatest depth that
    the limits allow.

    Other moves are added if their values are within `margin` of the value of the last of these moves. `among` contains
    the moves to search, by default all moves. The statistics include all searches. `context` contains the speed, the
    monitor, and the earlier positions of the game. Raises GamesearchError at chance nodes.
    """
    if count < 1:
        raise GamesearchError(f"multipv (the number of best moves to show) must be at least 1, not {count}")
    algorithm.fits(game)
    if game.terminal(state):
        raise GamesearchError(f"the game is over in {game.format(state)!r}: there is nothing to search")
    if game.player(state) == CHANCE:
        raise GamesearchError("chance decides here, so no move is best: use moves (not multipv) to value the outcomes")
    if algorithm.values_moves:
        return best_of(game, state, search_with(game, state, algorithm, limits, **context), count, among)
    search = BestMoves(game, state, algorithm, count, margin, **context)
    search.moves = [move for move in search.moves if move in among] if among else search.moves
    return search.search(limits)


def best_of(game: Game, state: Any, result: SearchResult, count: int, among: Collection[int]) -> SearchResult:
    """Keep only the best `count` moves of a result. The best move gets the principal variation of the result."""
    moves = [each for each in result.moves if not among or each.move in among]
    first = [replace(each, line=result.line[1:]) for each in moves if each.move == result.best]
    others = rank_moves(game, state, [each for each in moves if each.move != result.best])
    return replace(result, moves=(*first, *others)[:count])


class WindowedSearch(WindowSearch):
    """A search of the root within a window. The attribute `is_outside` says whether the value is outside the window."""

    low, high = -math.inf, math.inf
    is_outside = False

    def depths(self, game: Game, state: Any, limit: int) -> tuple[int, ...]:  # noqa: ARG002
        """Search only to the depth limit, because `BestMoves` searches the smaller depths."""
        return (limit,)

    def window_search(
        self, runner: Runner, state: Any, alpha: float, beta: float, depth: int
    ) -> tuple[float, tuple[int, ...]]:
        """Search the root within the intersection of the given window and the window of this object. Returns the value
        and the principal variation."""
        low, high = max(alpha, self.low), min(beta, self.high)
        value, variation = super().window_search(runner, state, low, high, depth)
        self.is_outside = not low < value < high
        return value, variation

    def finish(self, runner: Runner, state: Any, depth: int, found: SearchResult) -> SearchResult:
        """Clip the value to the game's bounds, and check again whether it lies inside the window."""
        clipped = super().finish(runner, state, depth, found)
        if clipped.value != found.value:
            assert isinstance(clipped.value, float)
            self.is_outside = not self.low < clipped.value < self.high
        return clipped


class WindowedAlphaBeta(WindowedSearch, AlphaBeta):
    """Alpha-beta within a window."""


class WindowedVariation(WindowedSearch, PrincipalVariationSearch):
    """Principal variation search within a window."""


WINDOWED: dict[type[Algorithm], Callable[..., WindowedSearch]] = {
    AlphaBeta: WindowedAlphaBeta,
    PrincipalVariationSearch: WindowedVariation,
}


def with_window(algorithm: Algorithm, game: Game) -> WindowedSearch | None:
    """Copy an algorithm so that it can search the root within a window. Returns None if the algorithm has no windows,
    or if the distances of wins would be lost."""
    if type(algorithm) not in WINDOWED:
        return None
    if isinstance(algorithm, AlphaBeta) and algorithm.bounds and type(game).bounds is not Game.bounds:
        return None
    given = {name: getattr(algorithm, name) for name in inspect.signature(type(algorithm)).parameters}
    # If the algorithm deepens, the values of wins include their distance, so the same window fits all moves.
    fixed = {"window": "full"} if isinstance(algorithm, AlphaBeta) else {}
    return WINDOWED[type(algorithm)](**{**given, **fixed, "deepen": True, "endgame": False})


class BestMoves(MoveSearch):
    """Searches the position after each move to increasing depths. All these searches share one transposition table and
    one limit."""

    def __init__(
        self,
        game: Game,
        state: Any,
        algorithm: Algorithm,
        count: int,
        margin: float,
        *,
        monitor: Monitor | None,
        **context: Any,
    ) -> None:
        super().__init__(game, state, algorithm, monitor=monitor, **context)
        self.count, self.margin = count, margin
        self.windowed = with_window(algorithm, game)
        counts_plies = getattr(self.windowed, "distance", self.windowed is not None) and game.win_or_loss
        self.ply_cost = cost_of_a_ply(self.seen) if counts_plies else 0.0
        self.behind = Searcher(self.seen, self.windowed or algorithm, self.speed)
        self.depth, self.stopped = 1, ""
        self.sees_the_end = True
        self.certain = certain_moves(game, state)
        """The moves that are best for all payoffs of unknown leaves. They precede moves of equal value."""

    def search(self, limits: Limits) -> SearchResult:
        """Search to increasing depths, until the limits are reached or a greater depth cannot change the result."""
        self.holding = self.algorithm.limits(self.game, limits)
        self.spent = UsedBudget(self.holding, self)
        unsearched = [valued for move in self.moves if (valued := self.value(move, None)) is not None]
        ranked = rank_moves(self.game, self.state, [each.found for each in unsearched])
        found: SearchResult | None = None
        with self.behind:
            for found in self.iterations([each.move for each in ranked]):
                self.report(found)
        if found is None:  # stopped in the quiescence search after the first move
            self.sees_the_end = False
            found = self.result(self.select(unsearched))
            self.report(found)
        return replace(found, statistics=replace(self.total, depth=found.statistics.depth), stopped=self.stopped)

    def search_state(self, after: Any, limits: Limits, **context: Any) -> SearchResult:
        """Search one position. All these searches share one transposition table."""
        return self.behind.search(after, limits, **context)

    def report(self, found: SearchResult) -> None:
        """Pass a result to the monitor."""
        if self.monitor is not None:
            self.monitor.finished(found)

    def iterations(self, order: list[int]) -> Iterator[SearchResult]:
        """Yield the result of each finished depth. If depth 1 is stopped after at least one move, it also has a
        result."""
        deepest = min(self.holding.depth or FULL_DEPTH, MAX_PLY)
        for self.depth in range(1, deepest + 1):
            self.sees_the_end = True
            order = sorted(order, key=lambda move: move not in self.certain)
            best = self.best_at_depth(order)
            if not best:
                return
            yield self.result(best)
            if self.stopped or self.sees_the_end or all(self.is_won(each) for each in best):
                return
            first = [each.found.move for each in best]
            order = first + [move for move in order if move not in first]

    def best_at_depth(self, order: list[int]) -> list[ValuedMove]:
        """The best moves at the current depth, best first. A limit may be reached before the last move is searched.
        Then the result contains the best of the searched moves if the depth is 1, and is empty at greater depths."""
        best: list[ValuedMove] = []
        for move in order:
            if self.is_interrupted and self.depth > 1:
                self.stopped = "interrupted"
                return []
            self.set_window(best)
            self.spent.nodes = self.total.nodes
            # The results of smaller depths are in the transposition table.
            first = self.depth - 1 if self.depth > 1 and self.algorithm.can_deepen else None
            valued = self.value(move, self.spent.after_use(self.depth - 1, first))
            if valued is None:
                self.sees_the_end = False
                return best if self.depth == 1 else []
            if self.windowed is not None and self.windowed.is_outside:
                continue
            self.sees_the_end &= valued.is_final
            best = self.select((*best, valued))
        return best

    def select(self, valued: Iterable[ValuedMove]) -> list[ValuedMove]:
        """The best `count` moves and all moves within the margin, best first."""
        ordered = sorted(valued, key=lambda each: each.found.move not in self.certain)
        by_move = {each.found.move: each for each in ordered}
        ranked = rank_moves(self.game, self.state, [each.found for each in by_move.values()])
        return [by_move[each.move] for each in ranked if self.is_wanted(each, ranked)]

    def is_wanted(self, move: MoveValue, ranked: list[MoveValue]) -> bool:
        """Whether a move is one of the `count` best moves, or is nearly as good as the worst of them. "Nearly" means
        that the values of the two moves differ by less than the margin."""
        if move in ranked[: self.count]:
            return True
        last = ranked[self.count - 1].value
        if isinstance(move.value, float) and isinstance(last, float):
            return abs(move.value - last) < self.margin and move.move in self.certain
        return self.margin > 0

    def set_window(self, best: list[ValuedMove]) -> None:
        """Set the window for the search of the next move. As soon as `count` moves have values, the window contains
        only the values that are good enough for the result."""
        if self.windowed is None:
            return
        low, high = -math.inf, math.inf
        if len(best) >= self.count:
            last = best[self.count - 1].found
            assert isinstance(last.value, float)
            limit = adjusted_for_ply(self.seen, last.value, (last.distance or 1) - 1, self.ply_cost)
            maximizing = self.game.player(self.state) == MAX
            low, high = (limit - self.margin, high) if maximizing else (low, limit + self.margin)
        self.windowed.is_outside, self.windowed.low, self.windowed.high = False, low, high

    def search_behind(self, after: Any, limits: Limits) -> SearchResult:
        """Search the position after a move. Record whether the search was stopped, and whether it reached the end of
        the game."""
        found = super().search_behind(after, limits)
        if self.windowed is not None and self.windowed.is_outside:
            self.sees_the_end &= found.sees_the_end
        self.stopped = found.stopped
        return found

    def is_won(self, valued: ValuedMove) -> bool:
        """Whether a move wins for the player to move. If so, no deeper search finds a faster win."""
        game, found = self.game, valued.found
        wins = game.MAXSCORE if game.player(self.state) == MAX else game.MINSCORE
        return game.players == 2 and game.zero_sum and found.distance is not None and found.value == wins

    def result(self, best: list[ValuedMove]) -> SearchResult:
        """Make a result from the best moves at the current depth."""
        first = best[0].found if best else None
        return SearchResult(
            algorithm=self.algorithm.specification,
            value=first.value if first else None,
            bound="exact",
            best=first.move if first else None,
            line=(first.move, *first.line) if first else (),
            statistics=replace(self.total, depth=self.depth),
            distance=first.distance if first else None,
            moves=tuple(each.found for each in best),
            sees_the_end=self.sees_the_end and bool(best),
            is_assumed=not is_determined(self.game, self.state),
        )
