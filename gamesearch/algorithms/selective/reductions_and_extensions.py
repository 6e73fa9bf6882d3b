"""The depths to which moves are searched: reductions for late moves, extensions for forced moves and replies to
threats.

Late-move reductions: if the move order is good, a late move is rarely the best move. So late moves are first searched
to a reduced depth, and to the full depth only if their value is better than expected (chessprogramming wiki, "Late Move
Reductions"; T. Romstad 2003, "An introduction to late move reductions").

Extensions: replies to threats and forced moves do not reduce the remaining depth. If threats reduced the remaining
depth, a player could make threats to delay a loss until it is beyond the horizon (chessprogramming wiki, "Check
Extensions", "One Reply Extensions").

Internal iterative reduction: if a node has no move in the table, it is searched less deep. When the next iteration
searches the node, the table contains a move (E. Schroeder, "Internal iterative reduction", rebel13.nl).
"""

import math
from typing import Any

from gamesearch.algorithms.node.ordering import is_forcing
from gamesearch.algorithms.node.workspace import Search
from gamesearch.algorithms.selective.parts import STAY, Node, Selection, is_threatened
from gamesearch.algorithms.selective.pruning import is_improving
from gamesearch.compiler import kernel
from gamesearch.game import Game

__all__ = ["extension", "internal_reduction", "reduction"]

LEAST_REDUCED_DEPTH = 3
FIRST_REDUCED = 3
"""The first FIRST_REDUCED moves of a node are never searched to a reduced depth."""
INTERNAL_DEPTH = 4


@kernel
def plies_reduced(depth: int, index: int, divisor: float) -> int:
    """The reduction in plies, which grows with the index of the move and with the depth. `divisor` is the game's
    `reduction_divisor`."""
    return int(math.log(depth) * math.log(index + 1) / divisor)


@kernel
def reduction(
    game: Game,
    s: Any,
    move: int,
    after: Any,
    node: Node,
    index: int,
    search: Search,
) -> int:
    """The reduction of a move in plies; 0 if the move is early, is forcing, or meets a threat."""
    parts, depth = search.selection.parts, node.depth
    if not parts.reductions or node.threatened or index < FIRST_REDUCED or depth < LEAST_REDUCED_DEPTH:
        return 0
    if is_forcing(game, s, move) or is_threatened(game, after, search):
        return 0
    plies = plies_reduced(depth, index, parts.divisor)
    if parts.improving and not is_improving(node.maximizing, node.ply, search):
        plies += 1
    return max(0, min(depth - 2, plies))


@kernel
def extension(ply: int, is_forced: bool, selection: Selection) -> int:
    """The extension of a node in plies: 1 if the player's move is forced, otherwise 0."""
    parts = selection.parts
    return 1 if is_forced and parts.extensions and ply < 2 * parts.root_depth else 0


@kernel
def internal_reduction(ply: int, depth: int, table_move: int, selection: Selection) -> int:
    """The reduction of a node in plies: 1 if the node has no move in the table, otherwise 0.

    The depth of a shallow search of ProbCut is not reduced, because the prediction is for exactly this depth.
    """
    if not selection.parts.internal or table_move >= 0 or depth < INTERNAL_DEPTH or ply == 0:
        return 0
    return 0 if selection.trail.moves[ply] == STAY else 1
