"""What a program calls: search, perft and solve."""

from collections.abc import Sequence
from typing import Any

from gamesearch import compiler
from gamesearch.algorithms.catalog import load_algorithm, search_with
from gamesearch.algorithms.parts.algorithm import Algorithm
from gamesearch.algorithms.parts.result import Limits, Monitor, Observer, SearchResult
from gamesearch.algorithms.parts.workspace import MAX_PLY
from gamesearch.bits import mix
from gamesearch.checking import check_arguments, endless_moves
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.questions import Measured
from gamesearch.solvers.solving import solve
from gamesearch.study.move_values import search_and_value
from gamesearch.study.perft import count_leaves

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
    past: Sequence[Any] = (),
) -> SearchResult:
    """Search a position.

    `algorithm` is a specification such as `"alphabeta(depth=6, table=true)"`. `limits` replace the
    algorithm's own depth and time. With `moves`, each legal move is searched by itself, too; those
    searches are not in the statistics. Of a limit on time or nodes, half is for the position, and what is
    left for its moves: they are valued to growing depths, as deep as all of them can be. A `monitor`
    watches and stops a search that runs in a thread; an `observer` sees every event of a search, which
    then runs interpreted. `past` are the states that the game came through, in their order, for games
    whose positions can come again.

    Raises GamesearchError where the algorithm does not fit the game, or the game is over.
    """
    check_arguments(game, state)
    chosen = load_algorithm(algorithm) if isinstance(algorithm, str) else algorithm
    given = limits or Limits()
    if moves:
        return search_and_value(game, state, chosen, given, observer, speed=speed, monitor=monitor, past=past)
    return search_with(game, state, chosen, given, speed=speed, monitor=monitor, observer=observer, past=past)


def perft(game: Game[Any], state: Any, depth: int, *, speed: str = "auto", past: Sequence[Any] = ()) -> int:
    """How many sequences of exactly `depth` moves there are from a state; outcomes count as moves.

    Games that end sooner are not counted, nor do they go on where every move is forbidden.
    `past` are the states that the game came through before, where positions may not come again.
    Raises GamesearchError for a depth that is negative or more than a search can go.
    """
    check_arguments(game, state)
    if not 0 <= depth <= MAX_PLY:
        raise GamesearchError(f"a depth is a number from 0 to {MAX_PLY}, not {depth}")
    rules = game.for_perft() if isinstance(game, Measured) else game
    path: Any = [0] * (depth + 1) + [mix(rules.arrangement(s)) for s in past]
    if compiler.speed_for(rules, speed) == "compiled":
        import numpy as np

        path = np.array(path, np.int64)
    leaves, _ = compiler.run(count_leaves, rules, speed, state, depth, path)
    if leaves < 0:
        raise endless_moves(game)
    return int(leaves)
