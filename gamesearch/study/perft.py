"""Perft, the number of move sequences of a given length, which is compared with published numbers."""

from array import array
from collections.abc import Sequence
from typing import Any

from gamesearch import compiler
from gamesearch.algorithms.node.repetition import is_among
from gamesearch.algorithms.node.workspace import MAX_PLY
from gamesearch.compiler import kernel
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, FORBIDDEN, MOST_MOVES, Game
from gamesearch.optional import CountingGame, GameWithVariants
from gamesearch.toolkit.bits import mix
from gamesearch.user_code.checking import check_arguments, endless_moves

__all__ = ["count_leaves", "perft"]

ENDLESS = -1
"""The result of `count_leaves` if a position has more than MOST_MOVES moves, probably because `moves` never ends."""


def perft(game: Game, state: Any, depth: int, *, speed: str = "auto", past: Sequence[Any] = ()) -> int:
    """Count the sequences of exactly `depth` moves from a state. Outcomes of chance count as moves.

    Sequences that end earlier, because the game is over or all moves are forbidden, are not counted. `past` contains
    the earlier states of the game, which the rules need if repetition is forbidden. Raises GamesearchError if the depth
    is negative or greater than MAX_PLY.
    """
    check_arguments(game, state)
    if not isinstance(depth, int) or not 0 <= depth <= MAX_PLY:
        raise GamesearchError(f"the depth must be a number from 0 to {MAX_PLY}, not {depth!r}")
    rules = game.for_perft() if isinstance(game, GameWithVariants) else game
    path = array("q", bytes(8 * (depth + 1)))
    path.extend(mix(rules.arrangement(s)) for s in past)
    counting = True if isinstance(rules, CountingGame) else None
    leaves, _ = compiler.run(count_leaves, rules, speed, state, depth, path, counting)
    if leaves < 0:
        raise endless_moves(game)
    return int(leaves)


@kernel
def count_leaves(game: Any, s: Any, depth: int, path: Any, counting: Any) -> int:
    """Count the move sequences of exactly `depth` plies from s. Outcomes of chance count as moves.

    `path` stores the hashes of positions that must not be repeated. If n plies are left at a position, its hash has
    index n. `counting` is True for a `gamesearch.optional.CountingGame`, and None for other games. The result is
    ENDLESS if a position has more than MOST_MOVES moves.
    """
    if depth <= 0:
        return 1
    if counting is not None and depth == 1 and game.player(s) != CHANCE:
        return int(game.count_moves(s))
    if game.terminal(s):
        return 0
    leaves = count = 0
    if game.repetition == FORBIDDEN:
        path[depth] = mix(game.arrangement(s))
    if game.player(s) == CHANCE:
        for outcome, probability in game.outcomes(s):
            if probability <= 0.0:
                continue
            below = 1
            if depth > 1:  # moves at the last ply are only counted, which saves time
                below = count_leaves(game, game.result(s, outcome), depth - 1, path, counting)
            if below < 0:
                return below
            leaves += below
    else:
        for move in game.moves(s):
            count += 1
            if count > MOST_MOVES:
                return ENDLESS
            if game.repetition == FORBIDDEN:
                key = mix(game.arrangement(game.result(s, move)))
                if key != path[depth] and is_among(path, depth + 1, len(path) - 1, key):
                    continue
            below = 1
            if depth > 1:
                below = count_leaves(game, game.result(s, move), depth - 1, path, counting)
            if below < 0:
                return below
            leaves += below
    return leaves
