"""The public functions `search` and `searcher`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, Observer, SearchResult
from gamesearch.algorithms.engine.searcher import Searcher, search_with
from gamesearch.algorithms.root.best_moves import search_best_moves
from gamesearch.algorithms.root.move_values import search_and_value
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.user_code.checking import check_arguments

__all__ = ["require_algorithm", "require_limits", "search", "searcher"]


def search(
    game: Game,
    state: Any,
    algorithm: str | Algorithm = "alphabeta",
    *,
    limits: Limits | None = None,
    speed: str = "auto",
    moves: bool = False,
    multipv: int = 0,
    monitor: Monitor | None = None,
    observer: Observer | None = None,
    past: Sequence[Any] = (),
) -> SearchResult:
    """Search a position.

    Args:
        game: The rules.
        state: The position.
        algorithm: A specification such as `"alphabeta(depth=6, table=true)"`, or an algorithm.
        limits: Limits that replace the depth and time in the algorithm's parameters.
        speed: `compiled`, `interpreted` or `auto`.
        moves: Whether to find the value of each legal move by a separate search. The statistics do not include these
            searches. If time or nodes are limited, half of them is for the position, and half for the moves. All moves
            are searched to the greatest depth that the limits allow for all of them.
        multipv: The number of best moves to find within the limits, each with its value and line.
        monitor: An object that watches the search and can stop it.
        observer: An object that receives every event of the search. A search with an observer is interpreted.
        past: The earlier states of the game, in order. They matter only if positions of the game can repeat.

    Raises GamesearchError if the algorithm does not fit the game, or the game is over.
    """
    check_arguments(game, state)
    chosen, given = require_algorithm(algorithm), require_limits(limits)
    if multipv:
        if observer is not None:
            raise GamesearchError("multipv makes many searches, so no observer can watch it: leave out the observer")
        found = search_best_moves(game, state, chosen, given, multipv, speed=speed, monitor=monitor, past=past)
    elif moves:
        found = search_and_value(game, state, chosen, given, observer, speed=speed, monitor=monitor, past=past)
    else:
        found = search_with(game, state, chosen, given, speed=speed, monitor=monitor, observer=observer, past=past)
    return replace(found, searched=(game, state))


def searcher(game: Game, algorithm: str | Algorithm = "alphabeta", *, speed: str = "auto") -> Searcher:
    """Make a Searcher, which searches successive positions of one game and keeps its tables between the searches.

    Searches by a Searcher take less time than separate calls of `search`. If the algorithm has a transposition table,
    its searches also visit fewer nodes.

    >>> from gamesearch import load
    >>> game = load("tictactoe")
    >>> with searcher(game, "alphabeta(table=true)") as kept:
    ...     print([kept.search(game.parse(text)).value for text in ("XO./.../...", "XO./X../O..")])
    [1.0, 1.0]

    Raises GamesearchError if the algorithm does not fit the game.
    """
    check_arguments(game, game.initial())
    return Searcher(game, require_algorithm(algorithm), speed)


def require_algorithm(algorithm: Any) -> Algorithm:
    """Return an algorithm, given the algorithm or its specification. Raises GamesearchError if the argument is
    neither."""
    if isinstance(algorithm, str):
        return load_algorithm(algorithm)
    if not isinstance(algorithm, Algorithm):
        raise GamesearchError(f"{algorithm!r} is not an algorithm: give a text such as 'alphabeta(depth=6)'")
    return algorithm


def require_limits(limits: Any) -> Limits:
    """Return the given limits; None means no limits. Raises GamesearchError if the argument is neither."""
    if limits is None:
        return Limits()
    if not isinstance(limits, Limits):
        raise GamesearchError(
            f"{limits!r} is not a Limits object: give Limits(depth=...), Limits(time=...), Limits(nodes=...)"
        )
    return limits
