"""One tree for several threads: one thread at a time uses the tree, while the others play games out.

G. Chaslot, M. H. M. Winands and H. J. van den Herik 2008, "Parallel Monte-Carlo tree search", Computers and Games: tree
parallelization with a global lock and virtual losses. A thread that follows a move immediately counts a lost playout
there, until its own playout is counted, so that other threads try different moves.
"""

from typing import Any

from gamesearch.algorithms.node.workspace import NODE_LIMIT, Options, Run
from gamesearch.algorithms.tree_search.growth import TreeSettings
from gamesearch.algorithms.tree_search.node_store import Nodes
from gamesearch.algorithms.tree_search.playout import width_of
from gamesearch.compiler import kernel
from gamesearch.compiler.kernels import acquire, release
from gamesearch.game import CHANCE, MIN, Game

__all__ = ["WORDS", "claim", "enter_tree", "leave_tree", "lose_virtually", "stop_together"]

CLAIMED, VISITED, WORDS = 1, 2, 3
"""Indices of the words that threads share: the number of started playouts, and the number of nodes in finished
playouts. The lock is the first word."""


@kernel
def enter_tree(shared: Any) -> None:
    """Acquire the tree. If `shared` is None, the search has one thread."""
    if shared is not None:
        acquire(shared)


@kernel
def leave_tree(shared: Any) -> None:
    """Release the tree to other threads."""
    if shared is not None:
        release(shared)


@kernel
def claim(settings: TreeSettings, shared: Any) -> bool:
    """Whether another playout is needed. If so, this thread claims it."""
    begun = settings.made
    if shared is not None:
        begun = shared[CLAIMED]
    if settings.playouts > 0 and begun >= settings.playouts:
        return False
    settings.made += 1
    if shared is not None:
        shared[CLAIMED] += 1
    return True


@kernel
def stop_together(nodes: int, options: Options, shared: Any, run: Run) -> None:
    """Add the nodes of a playout to the nodes of all threads, and stop at the limit."""
    shared[VISITED] += nodes
    if shared[VISITED] >= options.node_limit:
        run.counts.stop = NODE_LIMIT


@kernel
def lose_virtually(game: Game, last: int, sign: int, settings: TreeSettings, tree: Nodes, shared: Any) -> None:
    """Add (1) or remove (-1) a virtual loss at each move that was followed down to a ply."""
    if shared is None or settings.greatest < settings.least:
        return
    width = width_of(game)
    for ply in range(last):
        number, edge = settings.nodes[ply], settings.edges[ply]
        player = tree.nodes[number].player
        if player == CHANCE:
            continue
        tree.edges[edge].visits += sign
        is_min = player == MIN and width == 1
        loss = settings.greatest if is_min else settings.least
        tree.totals[edge * width + (player if width > 1 else 0)] += sign * loss
        tree.edges[edge].wins += float(sign) if is_min else 0.0
