"""Bounds on a node's value: what is certain before its moves are searched, and what is stored afterwards."""

import math
from typing import Any

from gamesearch.algorithms.node.database import value_in_database
from gamesearch.algorithms.node.repetition import depends_on_path, note_position, recurs
from gamesearch.algorithms.node.table import bucket_of, probe, store
from gamesearch.algorithms.node.values import adjusted_for_ply, evaluated_value, terminal_value
from gamesearch.algorithms.node.workspace import Memory, Options, Run
from gamesearch.compiler import can_fetch_early, fetch_early, kernel
from gamesearch.game import FORBIDDEN, MAX, RECURRENCE_DRAWS, Game
from gamesearch.toolkit.bits import mix

__all__ = [
    "bounds_of_game",
    "bounds_without_table",
    "certain_bounds",
    "certain_value",
    "fetch_entry",
    "is_settled",
    "keep_result",
    "narrowed_by_moves",
    "narrowed_by_table",
]


@kernel
def is_settled(lower: float, upper: float, alpha: float, beta: float) -> bool:
    """Whether a search with this window could find out no more than the bounds already say."""
    return lower == upper or lower >= beta or upper <= alpha


@kernel
def certain_bounds(
    game: Game[Any],
    s: Any,
    alpha: float,
    beta: float,
    depth: int,
    ply: int,
    options: Options,
    memory: Memory,
    run: Run,
) -> tuple[float, float, int, int]:
    """Bounds on the value of s that are certain before its moves are searched.

    They come from the rules at the end of the game, from recurrence, from a database, from the evaluation at the
    horizon, from the game's own bounds, and from the table. Returns the lower and the upper bound, then the hashed key
    and the table's best move (0 and -1 without a table). At the root, the database, the game's bounds and the table's
    are not used, because they come without a move to play. Bounds of the table are not used where they may not hold on
    this path, but where `options.practical` says so.
    """
    lower, upper, key = bounds_without_table(game, s, alpha, beta, depth, ply, options, memory, run)
    lower, upper, move = narrowed_by_table(
        game, lower, upper, alpha, beta, key, depth, depth, ply, options, memory, run
    )
    return lower, upper, key, move


@kernel
def bounds_without_table(
    game: Game[Any],
    s: Any,
    alpha: float,
    beta: float,
    depth: int,
    ply: int,
    options: Options,
    memory: Memory,
    run: Run,
) -> tuple[float, float, int]:
    """The bounds of `certain_bounds` but for those of the table, and the hashed key, for `narrowed_by_table`.

    Where the game says so (`Game.reads_table_late`), the processor begins to fetch what the table has of the position.
    """
    is_known, value = certain_value(game, s, depth, ply, options, memory, run)
    if not is_known and depth <= 0:
        is_known, value = True, evaluated_value(game, s, run)
    if is_known:
        return value, value, 0
    return bounds_of_game(game, s, alpha, beta, ply, options, memory, run)


@kernel
def certain_value(
    game: Game[Any], s: Any, reach: int, ply: int, options: Options, memory: Memory, run: Run
) -> tuple[bool, float]:
    """Whether a position has a value without a search, and the value.

    It has one where the game is over, the position repeats an earlier one, or, below the root, a database knows it.
    `reach` is how many plies may follow. A search that is stopped has a value that means nothing.
    """
    if run.counts.stop:
        return True, 0.0
    if game.terminal(s):
        return True, terminal_value(game, s, ply, options, run)
    if game.recurrence == RECURRENCE_DRAWS and recurs(game, s, reach, ply, run.path):
        if run.observer is not None:
            run.observer.recurrence(ply)
        return True, float(game.draw_value())
    is_known, value = False, 0.0
    if memory.database is not None:
        if ply > 0:
            is_known, value = value_in_database(game, s, ply, options, memory.database)
        if is_known:
            run.counts.leaves += 1
            if run.observer is not None:
                run.observer.database(ply, value)
    return is_known, value


@kernel
def bounds_of_game(
    game: Game[Any], s: Any, alpha: float, beta: float, ply: int, options: Options, memory: Memory, run: Run
) -> tuple[float, float, int]:
    """What the game's own bounds say of a position, with its hashed key.

    The key is 0 where there is no table, or the game is so nearly over that it is left out.
    """
    lower, upper, key = -math.inf, math.inf, 0
    if game.recurrence == FORBIDDEN:
        note_position(game, s, ply, run.path)
    if options.bounds and ply > 0:
        least, greatest = game.bounds(s)
        lower, upper = float(least), float(greatest)
        if is_settled(lower, upper, alpha, beta):
            run.counts.cutoffs += 1
            if run.observer is not None:
                run.observer.bounds(ply, lower, upper)
            return lower, upper, key
    if memory.table is not None and not game.skips_table(s):
        key = mix(game.key(s))
        if game.reads_table_late:
            fetch_early(memory.table, bucket_of(memory.table, key))
    return lower, upper, key


@kernel
def fetch_entry(game: Game[Any], s: Any, memory: Memory) -> None:
    """Let the processor fetch what the table has of a position that is searched next."""
    if memory.table is not None and can_fetch_early() and not game.skips_table(s):
        fetch_early(memory.table, bucket_of(memory.table, mix(game.key(s))))


@kernel
def narrowed_by_table(
    game: Game[Any],
    lower: float,
    upper: float,
    alpha: float,
    beta: float,
    key: int,
    depth: int,
    reach: int,
    ply: int,
    options: Options,
    memory: Memory,
    run: Run,
) -> tuple[float, float, int]:
    """The bounds, narrowed where they settle nothing by what the table says of a hashed key; and the table's move.

    `reach` is how many plies may follow, which may be more than `depth` where a search is extended.
    """
    move = -1
    if memory.table is not None and key and not is_settled(lower, upper, alpha, beta):
        known_lower, known_upper, move, for_this_depth = probe(memory.table, key, depth, options)
        if for_this_depth:
            run.counts.truncated += 1  # a value made from these bounds depends on the depth, too
        if ply > 0 and (options.practical or not depends_on_path(game, reach, ply, run.path)):
            lower = max(lower, adjusted_for_ply(game, known_lower, ply, options.ply_cost))
            upper = min(upper, adjusted_for_ply(game, known_upper, ply, options.ply_cost))
            if is_settled(lower, upper, alpha, beta):
                run.counts.table_hits += 1
                if run.observer is not None:
                    run.observer.table_hit(ply, lower, upper)
    return lower, upper, move


@kernel
def narrowed_by_moves(
    game: Game[Any],
    s: Any,
    lower: float,
    upper: float,
    alpha: float,
    beta: float,
    depth: int,
    ply: int,
    first: int,
    options: Options,
    memory: Memory,
    run: Run,
) -> tuple[float, float]:
    """The bounds, narrowed where the table knows of one move, from `first` on in the path, that it ends the search.

    J. Schaeffer and A. Plaat 1996, "New advances in alpha-beta searching" (enhanced transposition cutoffs). Done below
    the root where s itself is not looked up because the positions after it are (`Game.looks_up_next`): little is read
    that the search of s would not read. Connect Four takes 0.77 of the nodes and 0.9 of the time from 12 plies on.
    """
    if game.looks_up_next and memory.table is not None and ply > 0 and depth > 1 and game.skips_table(s):
        path, maximizing = run.path, game.player(s) == MAX
        for i in range(first, path.top):
            after = game.result(s, path.moves[i])
            if game.skips_table(after):
                continue
            least, greatest, _, for_this_depth = probe(memory.table, mix(game.key(after)), depth - 1, options)
            found = adjusted_for_ply(game, least if maximizing else greatest, ply + 1, options.ply_cost)
            if found < beta if maximizing else found > alpha:
                continue
            if options.practical or not depends_on_path(game, depth - 1, ply + 1, path):
                if maximizing:
                    lower = max(lower, found)
                else:
                    upper = min(upper, found)
                run.counts.table_hits += 1
                run.counts.truncated += for_this_depth
                if run.observer is not None:
                    run.observer.table_hit(ply, lower, upper)
                break
    return lower, upper


@kernel
def keep_result(
    game: Game[Any],
    lower: float,
    upper: float,
    key: int,
    depth: int,
    ply: int,
    proven: bool,
    move: int,
    options: Options,
    memory: Memory,
    run: Run,
) -> None:
    """Store bounds on a node's value in the table, with distances counted from the node, not from the root.

    Nothing is stored without a key, or by a search that was stopped. A value that depends on a repetition of a position
    before this node holds only on this path. It is stored only if `options.practical` is set, and never as proven: a
    proven value is used at every greater depth, and a draw by repetition would hide a win there.
    """
    holds_anywhere = run.path.recurred >= ply
    if memory.table is not None and key and not run.counts.stop and (options.practical or holds_anywhere):
        lower = adjusted_for_ply(game, lower, -ply, options.ply_cost)
        upper = adjusted_for_ply(game, upper, -ply, options.ply_cost)
        store(memory.table, key, depth, proven and holds_anywhere, lower, upper, move, options)
