"""Dynamic programming: minimax that evaluates each position once. It works top-down with a memo, or bottom-up by
levels.

Michie 1968, "Memo functions and machine learning", Nature 218; Bellman 1957, Dynamic Programming. Positions must not
repeat.
"""

import math
from typing import Any

from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.workspace import (
    ENDLESS_MOVES,
    MAX_PLY,
    OUT_OF_SPACE,
    RUNNING,
    TOO_DEEP,
    Counts,
    Options,
)
from gamesearch.algorithms.tree_search.node_store import FULL, find, new_store
from gamesearch.compiler import kernel
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import CHANCE, MAX, MOST_MOVES, Game
from gamesearch.optional import LeveledGame
from gamesearch.solvers.estimate import MANY, estimate_size, refuse_if_hopeless
from gamesearch.solvers.solution import Solution, solution_from
from gamesearch.solvers.store import (
    SOLVED,
    enlarge_store,
    lookup_in_store,
    prefers,
    put,
    remove,
    store_bytes,
    value_from_store,
    view_for,
)
from gamesearch.toolkit.bits import mix

__all__ = ["memo_solution", "remember", "solve_by_levels", "solve_by_memo", "solve_few_by_memo", "too_deep"]


# Top-down. ----------------------------------------------------------------------------------------
def solve_by_memo(runner: Runner, state: Any) -> Solution:
    """Solve top-down, without a limit on the number of positions."""
    return memo_solution(runner, state, remember(runner, state))


def solve_few_by_memo(runner: Runner, state: Any, most: int) -> Solution | None:
    """Solve top-down; returns None if there are more than `most` positions or if games last too long."""
    store = remember(runner, state, most)
    if runner.counts.stop == RUNNING:
        return memo_solution(runner, state, store)
    runner.begin_counts()
    return None


def remember(runner: Runner, state: Any, most: int | None = None) -> Any:
    """Solve up to `most` positions top-down; returns the store of solved positions. Afterwards, `runner.counts.stop` is
    the reason why the search stopped."""
    game, is_limited = runner.game, most is not None
    store = new_store(SOLVED, 1 << 16, runner.speed == "compiled")
    while True:
        limit = int(FULL * len(store))
        runner.limits = Limits(nodes=limit if most is None else min(limit, most))
        runner.execute(
            memo, lambda: (game, state, mix(game.key(state)), 0, runner.options, runner.counts, view_for(store, runner))
        )
        stop, positions = int(runner.counts.stop), int(runner.counts.nodes)
        if stop == TOO_DEEP and not is_limited:
            raise too_deep(game, state)
        if stop not in (RUNNING, OUT_OF_SPACE, TOO_DEEP):
            raise Interrupted(f"solving was interrupted after {positions:,} positions")
        if stop != OUT_OF_SPACE or (most is not None and positions >= most):
            return store
        if len(store) == MANY and not is_limited:
            estimate = estimate_size(game, state)
            refuse_if_hopeless(estimate, store_bytes(estimate.positions))
        try:
            store, _ = enlarge_store(store, runner)
        except GamesearchError:
            if not is_limited:
                raise
            return store
        runner.counts.stop = RUNNING


def too_deep(game: Game, state: Any) -> GamesearchError:
    """The error for a game that is too long for the method `memo`."""
    said = f"games of {game.name} can last more than {MAX_PLY:,} plies"
    met = set[Any]()
    while len(met) <= MAX_PLY:
        met.add(game.key(state))
        after = (game.result(state, move) for move in game.steps(state))
        state = next((each for each in after if not game.terminal(each)), None)
        if state is None or game.key(state) in met:
            return GamesearchError(f"{said}: use the method retrograde")
    return GamesearchError(
        f"{said} without a repeated position: leave the history and counters out of the state, or use the method "
        "retrograde if there are only a few million positions"
    )


def memo_solution(runner: Runner, state: Any, store: Any) -> Solution:
    """Build the solution from a store, which contains the positions that the method memo has solved."""
    lookup, n = lookup_in_store(runner, store), int(runner.counts.nodes)
    return solution_from(runner, state, "memo", lookup, positions=n, kept=n, bytes=store.nbytes)


@kernel
def memo(game: Game, s: Any, key: int, ply: int, options: Options, counts: Counts, store: Any) -> tuple[float, int]:
    """The value of s and the plies to the end if both sides play optimally. s must not be in the store. `key` is the
    hashed key of s.

    Stops with OUT_OF_SPACE if the store is full; the next call can continue with a larger copy of the store.
    `counts.nodes` counts the solved positions.
    """
    if ply >= counts.room:
        if not counts.stop:  # keep the reason of an earlier stop
            counts.stop = TOO_DEEP
        return 0.0, 0
    if game.terminal(s):
        best, distance = float(game.utility(s)), 0
    elif game.player(s) == CHANCE:
        best, distance = 0.0, 0
        for outcome, probability in game.outcomes(s):
            if probability <= 0.0:
                continue
            after = game.result(s, outcome)
            after_key = mix(game.key(after))
            known = store[find(store, after_key)]
            if known.filled:
                value, plies = known.value, known.distance
            else:
                value, plies = memo(game, after, after_key, ply + 1, options, counts, store)
            if counts.stop:
                break
            best += probability * value
            distance = max(distance, plies + 1)
    else:
        maximizing = game.player(s) == MAX
        even = game.draw_value()
        best, distance, count = -math.inf if maximizing else math.inf, 0, 0
        for move in game.moves(s):
            count += 1  # noqa: SIM113
            if count > MOST_MOVES:
                counts.stop = ENDLESS_MOVES
                break
            after = game.result(s, move)
            after_key = mix(game.key(after))
            known = store[find(store, after_key)]
            if known.filled:  # look up the child here, because most children are already solved and need no call
                value, plies = known.value, known.distance
            else:
                value, plies = memo(game, after, after_key, ply + 1, options, counts, store)
            if counts.stop:
                break
            if prefers(value, plies + 1, best, distance, maximizing, even):
                best, distance = value, plies + 1
    if not counts.stop:
        put(store, key, best, distance)
        counts.nodes += 1
        if ply and counts.nodes >= options.node_limit:  # if the root is solved, a full store does not matter
            counts.stop = OUT_OF_SPACE
    return best, distance


# Bottom-up. ---------------------------------------------------------------------------------------
def solve_by_levels(runner: Runner, state: Any) -> Solution:
    """Solve one level after the other, from the last level to the level of the state. Drop the levels that are no
    longer needed."""
    game = runner.game
    assert isinstance(game, LeveledGame)
    store = new_store(SOLVED, 1 << 10, runner.speed == "compiled")
    runner.limits = Limits(nodes=int(FULL * len(store)))
    positions = kept = 0
    for level in range(game.level(state)):
        while (
            count := runner.execute(
                solve_level, lambda: (game, level, runner.options, runner.counts, view_for(store, runner))
            )
        ) < 0:
            store, runner.counts.nodes = enlarge_store(store, runner)
            runner.limits = Limits(nodes=int(FULL * len(store)))
        positions += int(count)
        kept = max(kept, int(runner.counts.nodes))
        if level >= game.reach:
            runner.execute(drop_level, lambda: (game, level - game.reach, runner.counts, view_for(store, runner)))
        if runner.monitor is not None and runner.monitor.interrupted:
            raise Interrupted(f"solving was interrupted after {positions:,} positions")
    lookup, size = lookup_in_store(runner, store), store.nbytes
    return solution_from(runner, state, "dynamic_programming", lookup, positions=positions + 1, kept=kept, bytes=size)


@kernel
def solve_level(game: LeveledGame[Any], level: int, options: Options, counts: Counts, store: Any) -> int:
    """Solve the states of a level. The lower levels must be solved. Returns the number of solved states, or -1 if the
    store is full."""
    count = 0
    for s in game.states_of_level(level):
        if counts.nodes >= options.node_limit:
            return -1
        value, distance = value_from_store(game, s, store)
        key = mix(game.key(s))
        if not store[find(store, key)].filled:  # a filled entry was counted before the store grew
            counts.nodes += 1
        put(store, key, value, distance)
        count += 1
    return count


@kernel
def drop_level(game: LeveledGame[Any], level: int, counts: Counts, store: Any) -> None:
    """Remove the states of a level from the store."""
    for s in game.states_of_level(level):
        key = mix(game.key(s))
        if store[find(store, key)].filled:
            counts.nodes -= 1
        remove(store, key)
