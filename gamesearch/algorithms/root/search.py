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
        limits: Limits that replace the algorithm's own depth and time.
        speed: `compiled`, `interpreted` or `auto`.
        moves: Whether to find the value of each legal move in a separate search. The statistics do not include these
            searches. Half of a limit on time or nodes is for the position, the other half for the moves. The moves
            are searched to increasing depths, as long as the limits allow a depth for all moves.
        multipv: The number of best moves to find, each with its value and line, within the limits.
        monitor: Watches and stops a search that runs in a thread.
        observer: Receives every event of the search, which then runs interpreted.
        past: The earlier states of the game, in order, for games whose positions can repeat.

    Raises GamesearchError if the algorithm does not fit the game, or the game is over.
    """
    check_arguments(game, state)
    chosen, given = require_algorithm(algorithm), require_limits(limits)
    if multipv:
        if observer is not None:
            raise GamesearchError("multipv needs many searches, which no observer can watch: leave out either of them")
        found = search_best_moves(game, state, chosen, given, multipv, speed=speed, monitor=monitor, past=past)
    elif moves:
        found = search_and_value(game, state, chosen, given, observer, speed=speed, monitor=monitor, past=past)
    else:
        found = search_with(game, state, chosen, given, speed=speed, monitor=monitor, observer=observer, past=past)
    return replace(found, searched=(game, state))


def searcher(game: Game, algorithm: str | Algorithm = "alphabeta", *, speed: str = "auto") -> Searcher:
    """An algorithm that searches successive positions of one game and keeps its tables between the searches.

    Its searches take less time than calls of `search`, and fewer nodes if the algorithm has a transposition table.

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
    """Return the algorithm that an argument specifies; raises GamesearchError for any other argument."""
    if isinstance(algorithm, str):
        return load_algorithm(algorithm)
    if not isinstance(algorithm, Algorithm):
        raise GamesearchError(f"{algorithm!r} is not an algorithm: give its text, such as 'alphabeta(depth=6)'")
    return algorithm


def require_limits(limits: Any) -> Limits:
    """Return the limits, or no limits for None; raises GamesearchError for any other argument."""
    if limits is None:
        return Limits()
    if not isinstance(limits, Limits):
        raise GamesearchError(f"{limits!r} are not limits: give Limits(depth=...), Limits(time=...), Limits(nodes=...)")
    return limits
