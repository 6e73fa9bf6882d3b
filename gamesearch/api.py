"""What a program calls: search, perft and solve."""

from dataclasses import replace
from typing import Any

from gamesearch import compiler
from gamesearch.algorithms.catalog import Algorithm, load_algorithm, search_with
from gamesearch.algorithms.perft import count_leaves
from gamesearch.algorithms.result import Limits, Monitor, MoveValue, Observer, SearchResult
from gamesearch.algorithms.workspace import FULL_DEPTH
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, Game
from gamesearch.solvers.solving import solve

__all__ = ["perft", "search", "solve"]


def search(
    game: Game[Any],
    state: Any,
    algorithm: str | Algorithm = "alphabeta",
    *,
    limits: Limits | None = None,
    speed: str = "auto",
    moves: bool = False,
    monitor: Monitor | None = None,
    observer: Observer | None = None,
) -> SearchResult:
    """Search a position.

    `algorithm` is a specification such as `"alphabeta(depth=6, table=true)"`. `limits` replace the
    algorithm's own depth and time. With `moves`, each legal move is searched by itself, too; those
    searches are not in the statistics. A `monitor` watches and stops a search that runs in a thread;
    an `observer` sees every event of a search, which then runs interpreted.

    Raises GamesearchError where the algorithm does not fit the game, or the game is over.
    """
    chosen = load_algorithm(algorithm) if isinstance(algorithm, str) else algorithm
    given = limits or Limits()
    result = search_with(game, state, chosen, given, speed=speed, monitor=monitor, observer=observer)
    if moves and result.value is not None and result.stopped != "interrupted":
        reached = Limits(result.statistics.depth) if result.stopped else given
        return replace(result, moves=tuple(move_values(game, state, chosen, reached, speed, monitor)))
    return result


def move_values(
    game: Game[Any], state: Any, algorithm: Algorithm, limits: Limits, speed: str, monitor: Monitor | None
) -> list[MoveValue]:
    """The value of the position after each move, searched one ply less deep."""
    holding = algorithm.limits(game, limits)
    assert holding.depth is not None
    depth = holding.depth if holding.depth == FULL_DEPTH else holding.depth - 1
    found = []
    children = [m for m, _ in game.outcomes(state)] if game.player(state) == CHANCE else list(game.moves(state))
    for move in children:
        after = game.result(state, move)
        if game.terminal(after):
            value = game.utility(after)
            decided = game.win_or_loss and value in (game.MINSCORE, game.MAXSCORE)
            found.append(MoveValue(move, as_value(value), 1 if decided else None))
        elif depth == 0:
            found.append(MoveValue(move, as_value(game.evaluate(after))))
        else:
            below = replace(holding, depth=depth)
            result = search_with(game, after, algorithm, below, speed=speed, monitor=monitor)
            if result.value is not None and not result.stopped:
                distance = None if result.distance is None else result.distance + 1
                found.append(MoveValue(move, result.value, distance))
    return found


def as_value(value: Any) -> float | tuple[float, ...]:
    """A payoff as a float, or as a tuple of floats."""
    return tuple(map(float, value)) if isinstance(value, tuple) else float(value)


def perft(game: Game[Any], state: Any, depth: int, *, speed: str = "auto") -> int:
    """How many sequences of exactly `depth` moves there are from a state; outcomes count as moves.

    Raises GamesearchError for a negative depth.
    """
    if depth < 0:
        raise GamesearchError(f"a depth is not negative: {depth}")
    leaves, _ = compiler.run(count_leaves, game.for_perft(), speed, state, depth)
    return int(leaves)
