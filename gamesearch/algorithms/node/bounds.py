"""Find the bounds on a node's value before its moves are searched, and store the result afterwards."""

import math
from typing import Any, NamedTuple

from gamesearch.algorithms.node.database import value_in_database
from gamesearch.algorithms.node.repetition import depends_on_path, is_repetition, note_position
from gamesearch.algorithms.node.table import bucket_of, probe, store
from gamesearch.algorithms.node.values import adjusted_for_ply, evaluated_value, terminal_value
from gamesearch.algorithms.node.workspace import NOWHERE, Path, Search
from gamesearch.compiler import can_fetch_early, fetch_early, kernel
from gamesearch.game import FORBIDDEN, MAX, REPETITION_DRAWS, Game
from gamesearch.toolkit.bits import mix

__all__ = [
    "Bounds", "SavedPath", "begin_moves", "certain_value", "end_moves", "fetch_entry", "is_settled", "known_bounds",
    "look_up", "looks_ahead", "result_of_look_ahead", "settled_value", "skips_table", "store_result",
]  # fmt: skip


class Bounds(NamedTuple):
    """What is known about a node before its moves are searched: bounds on its value, and the best move in the
    transposition table."""

    lower: float
    upper: float
    key: int
    """The hashed key of the position; 0 if the search uses no transposition table."""
    move: int
    """The best move in the node's table entry; -1 if no move is stored."""


class SavedPath(NamedTuple):
    """A copy of the path's state before the moves of a node are generated."""

    top: int
    """The index of the node's first move in `path.moves`."""
    first_repeated: int
    truncated: int


@kernel
def is_settled(bounds: Bounds, alpha: float, beta: float) -> bool:
    """Whether the bounds already decide the result of a search with this window. If so, no move needs to be
    searched."""
    return bounds.lower == bounds.upper or bounds.lower >= beta or bounds.upper <= alpha


@kernel
def settled_value(bounds: Bounds, beta: float) -> float:
    """The value of a node whose bounds make a search unnecessary."""
    return bounds.lower if bounds.lower >= beta else bounds.upper


@kernel
def look_up(game: Game, s: Any, alpha: float, beta: float, depth: int, ply: int, search: Search) -> Bounds:
    """The bounds on the value of s that are known before its moves are searched.

    Bounds come from the rules, from repetition, from a database, from the evaluation at the horizon, from the game's
    own bounds, and from the transposition table. The root does not use bounds from the database, the game or the table,
    because such bounds do not show which move is best. But the root uses the best move of its table entry.
    """
    is_known, value = certain_value(game, s, depth, ply, search)
    if not is_known and depth <= 0:
        is_known, value = True, evaluated_value(game, s, search.run)
    if is_known:
        return Bounds(value, value, 0, -1)
    return known_bounds(game, s, alpha, beta, depth, depth, ply, search)


@kernel
def certain_value(game: Game, s: Any, reach: int, ply: int, search: Search) -> tuple[bool, float]:
    """Return whether the value of a position is certain without a search, and return the value.

    The value is certain if the game is over, if the position repeats an earlier position, or if the position is in a
    database. The root is not looked up in the database. `reach` is the greatest number of plies that the search may go
    below this position. If the search was stopped, the value has no meaning.
    """
    run, memory = search.run, search.memory
    if run.counts.stop:
        return True, 0.0
    if game.terminal(s):
        return True, terminal_value(game, s, ply, search.options, run)
    if game.repetition == REPETITION_DRAWS and is_repetition(game, s, reach, ply, run.path):
        if run.observer is not None:
            run.observer.repetition(ply)
        return True, float(game.draw_value())
    is_known, value = False, 0.0
    if memory.database is not None:
        if ply > 0:
            is_known, value = value_in_database(game, s, ply, search.options, memory.database)
        if is_known:
            run.counts.leaves += 1
            if run.observer is not None:
                run.observer.database(ply, value)
    return is_known, value


@kernel
def known_bounds(
    game: Game, s: Any, alpha: float, beta: float, depth: int, reach: int, ply: int, search: Search
) -> Bounds:
    """The bounds on a position's value that are known from the game and from the transposition table.

    `reach` is the greatest number of plies that the search may go below this position. If the search has extensions,
    `reach` is greater than `depth`. Bounds of the table are not used if they may be wrong on the current path, unless
    `options.practical` is set.
    """
    options, memory, run = search.options, search.memory, search.run
    lower, upper, key, move = -math.inf, math.inf, 0, -1
    if game.repetition == FORBIDDEN:
        note_position(game, s, ply, run.path)
    if options.bounds and ply > 0:
        least, greatest = game.bounds(s)
        lower, upper = float(least), float(greatest)
        if is_settled(Bounds(lower, upper, 0, -1), alpha, beta):
            run.counts.cutoffs += 1
            if run.observer is not None:
                run.observer.bounds(ply, lower, upper)
            return Bounds(lower, upper, 0, -1)
    if memory.table is not None and not skips_table(game, s, search):
        key = mix(game.key(s))
        known_lower, known_upper, move, for_this_depth = probe(memory.table, key, depth, options)
        if for_this_depth:
            run.counts.truncated += 1  # these bounds depend on estimates
        if ply > 0 and (options.practical or not depends_on_path(game, reach, ply, run.path)):
            lower = max(lower, adjusted_for_ply(game, known_lower, ply, options.ply_cost))
            upper = min(upper, adjusted_for_ply(game, known_upper, ply, options.ply_cost))
            if is_settled(Bounds(lower, upper, key, move), alpha, beta):
                run.counts.table_hits += 1
                if run.observer is not None:
                    run.observer.table_hit(ply, lower, upper)
    return Bounds(lower, upper, key, move)


@kernel
def skips_table(game: Game, s: Any, search: Search) -> bool:
    """Whether the game declares that s can be searched faster than it can be found in the transposition table."""
    if search.groups.shortcuts is not None:
        return bool(game.skips_table(s))  # type: ignore[attr-defined]
    return False


@kernel
def looks_ahead(game: Game, s: Any, search: Search) -> bool:
    """Whether to look up all children of s in the transposition table, and not s itself. This happens before a child is
    searched. If a repetition has an effect, the value of a child may depend on the path, so nothing is looked up."""
    can_repeat = game.repetition == REPETITION_DRAWS or game.repetition == FORBIDDEN
    if search.groups.shortcuts is not None and search.memory.table is not None and not can_repeat:
        return bool(game.looks_ahead and game.skips_table(s))  # type: ignore[attr-defined]
    return False


@kernel
def fetch_entry(game: Game, s: Any, search: Search) -> None:
    """Prefetch the entry of s in the transposition table into the processor's cache, because s is searched next."""
    if search.memory.table is not None and can_fetch_early() and not skips_table(game, s, search):
        fetch_early(search.memory.table, bucket_of(search.memory.table, mix(game.key(s))))


@kernel
def begin_moves(truncated: int, path: Path) -> SavedPath:
    """Save the state of the path before the moves of a node are generated."""
    saved = SavedPath(path.top, path.first_repeated, truncated)
    path.first_repeated = NOWHERE
    return saved


@kernel
def end_moves(saved: SavedPath, ply: int, path: Path) -> None:
    """Remove the moves of a node from `path.moves`. If the value of the node depends on an earlier position of the
    path, record this for the parent node."""
    path.top = saved.top
    path.first_repeated = min(saved.first_repeated, path.first_repeated if path.first_repeated < ply else NOWHERE)


@kernel
def result_of_look_ahead(
    game: Game, s: Any, bounds: Bounds, alpha: float, beta: float, depth: int, ply: int, first: int, search: Search
) -> float:
    """Look for a move of s, from index `first` on, that causes a cutoff according to the transposition table. If there
    is such a move, return the value of s.

    If the table proves no cutoff, the result is minus infinity for Max, or infinity for Min. Such cutoffs are called
    enhanced transposition cutoffs (J. Schaeffer and A. Plaat 1996, "New advances in alpha-beta searching"). No move is
    examined in four cases: s is the root, the depth is 1, the game's `Shortcuts.looks_ahead` is false, or s itself is
    looked up in the table.
    """
    maximizing = game.player(s) == MAX
    unknown = -math.inf if maximizing else math.inf
    options, run = search.options, search.run
    if ply == 0 or depth <= 1 or not looks_ahead(game, s, search):
        return unknown
    if search.groups.shortcuts is not None and search.memory.table is not None:
        for i in range(first, run.path.top):
            after = game.result(s, run.path.moves[i])
            if game.skips_table(after):  # type: ignore[attr-defined]
                continue
            key = mix(game.key(after))
            least, greatest, _, for_this_depth = probe(search.memory.table, key, depth - 1, options)
            found = adjusted_for_ply(game, least if maximizing else greatest, ply + 1, options.ply_cost)
            if found < beta if maximizing else found > alpha:
                continue
            run.counts.table_hits += 1
            run.counts.truncated += for_this_depth
            if run.observer is not None:
                lower, upper = (found, bounds.upper) if maximizing else (bounds.lower, found)
                run.observer.table_hit(ply, lower, upper)
            return found
    return unknown


@kernel
def store_result(
    game: Game,
    bounds: Bounds,
    saved: SavedPath,
    value: float,
    alpha: float,
    beta: float,
    move: int,
    depth: int,
    ply: int,
    search: Search,
) -> None:
    """Store the result of a node in the transposition table. The distance of a stored win is counted from the node.

    The value is exact if it lies between alpha and beta; otherwise it is a bound. Nothing is stored if the key is 0 or
    the search was stopped. A value may depend on a position before this node. Such a value is right only on this path,
    and is stored only if `options.practical` is set. A value that depends on the path is never stored as proven: a
    search to a greater depth would use the stored value, and could mistake a win for a draw by repetition.
    """
    options, memory, run = search.options, search.memory, search.run
    holds_anywhere = run.path.first_repeated >= ply
    if memory.table is not None and bounds.key and not run.counts.stop and (options.practical or holds_anywhere):
        lower = max(bounds.lower, value) if value > alpha else bounds.lower
        upper = min(bounds.upper, value) if value < beta else bounds.upper
        lower = adjusted_for_ply(game, lower, -ply, options.ply_cost)
        upper = adjusted_for_ply(game, upper, -ply, options.ply_cost)
        proven = run.counts.truncated == saved.truncated and holds_anywhere
        store(memory.table, bounds.key, depth, proven, lower, upper, move, options)
