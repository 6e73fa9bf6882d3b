"""Why not this move: what it is worth beside the best one, how it is answered, and where both lines lead."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, MoveValue, Observer, SearchResult
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, Game
from gamesearch.study.explanation import Ending, ending_of
from gamesearch.study.move_values import MoveSearch, one_ply_less

__all__ = ["Refutation", "refute", "search_refutation"]


@dataclass(frozen=True)
class Refutation:
    """A move beside the best one, both valued to the same depth."""

    result: SearchResult
    """The search of the position."""
    best: MoveValue
    tried: MoveValue
    depth: int | None
    """The depth of both values; None where no deeper search would find others."""
    endings: tuple[Ending, Ending]
    """Where the best line ends, and where the line of the move that is asked about does."""

    @property
    def is_best(self) -> bool:
        """Whether the move is the one that the search plays itself."""
        return self.best.move == self.tried.move


def refute(game: Game[Any], state: Any, move: int, algorithm: Algorithm, limits: Limits, **context: Any) -> Refutation:
    """Search a position, then a move of it and the best one to the same depth, in one budget.

    Raises GamesearchError where chance is to move, where the algorithm finds no best move, and where the limits were
    reached before it was found.
    """
    if game.player(state) == CHANCE:
        raise GamesearchError("chance decides here, and no move is anybody's choice: give a position with a choice")
    holding = algorithm.limits(game, limits)
    result = search_with(game, state, algorithm, holding.shared(2), **context)
    if result.best is None or result.value is None:
        raise GamesearchError("no best move was found to compare with: allow more nodes or time")
    best = MoveValue(result.best, result.value, result.distance, line=result.line[1:])
    known = {each.move: each for each in result.moves}
    if move == result.best or move in known:  # as playouts value all moves
        return compared(game, state, result, best, known.get(move, best), result.statistics.depth)
    search = MoveSearch(game, state, algorithm, **context)
    if holding.time is None and holding.nodes is None and not result.stopped:
        found = search.value(move, one_ply_less(holding))
        if found is not None:
            return compared(game, state, result, best, found.found, result.statistics.depth)
    search.moves = [result.best, move]
    done = result.statistics
    valued, reached = search.within(done.depth or 1, holding.left(done.seconds, done.nodes))
    best, tried = (each.found for each in valued)
    return compared(game, state, result, best, tried, reached)


def compared(
    game: Game[Any], state: Any, result: SearchResult, best: MoveValue, tried: MoveValue, depth: int | None
) -> Refutation:
    """The two moves, with the ends of their lines."""
    deep = FULL_DEPTH if depth is None else depth
    endings = [ending_of(game, state, replace(result, line=(each.move, *each.line)), deep) for each in (best, tried)]
    return Refutation(result, best, tried, depth, (endings[0], endings[1]))


def search_refutation(
    game: Game[Any],
    state: Any,
    found: Refutation,
    algorithm: Algorithm,
    observer: Observer,
    past: Sequence[Any] = (),
    **context: Any,
) -> SearchResult:
    """The search of the position after the move, which an observer sees; `past` are the states before the position.

    Raises GamesearchError where there is nothing to search: the game is over, or the depth was 1.
    """
    after = game.result(state, found.tried.move)
    if game.terminal(after):
        raise GamesearchError("the game is over after this move: there is no search of an answer to show")
    depth = FULL_DEPTH if found.depth is None else found.depth - 1
    if depth < 1:
        raise GamesearchError("at depth 1 no answer is searched: search at least 2 plies deep")
    limits = Limits(depth, nodes=algorithm.limits(game, Limits(depth)).nodes)
    return search_with(game, after, algorithm, limits, observer=observer, past=(*past, state), **context)
