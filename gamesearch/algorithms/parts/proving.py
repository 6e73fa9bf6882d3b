"""What is backed up in a growing tree: estimates, and wins, losses and draws that it proves, as bounds on the value.

M. H. M. Winands, Y. Bjornsson and J.-T. Saito 2008, "Monte-Carlo tree search solver", Computers and Games; with bounds
in place of wins and losses, so that draws and points are proven too: T. Cazenave and A. Saffidine 2010, "Score bounded
Monte-Carlo tree search", Computers and Games.
"""

import math
from typing import Any

from gamesearch.algorithms.parts.node_store import NOTHING, Nodes
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, MAX, MIN, Game

__all__ = ["back_up_estimate", "back_up_node", "is_dominated", "is_proven", "prove"]


@kernel
def is_proven(number: int, tree: Nodes) -> bool:
    """Whether the value of a node is certain."""
    node = tree.nodes[number]
    return bool(node.lower >= node.upper)


@kernel
def is_dominated(player: int, number: int, child: int, tree: Nodes) -> bool:
    """Whether the node behind a move is certain to pay the player no more than another move does."""
    node, after = tree.nodes[number], tree.nodes[child]
    return bool(after.upper <= node.lower if player == MAX else after.lower >= node.upper)


@kernel
def prove(game: Game[Any], number: int, tree: Nodes) -> bool:
    """Set the bounds of a node to what those of the nodes behind it say; whether they have changed.

    A win is proven by one move and a loss by all. `plies` is how long the proof lasts: the winner takes the quickest
    move that is proven, though another may be quicker, and the loser the slowest.
    """
    node = tree.nodes[number]
    sign = 1.0 if node.player == MAX else -1.0
    lower, upper = (0.0, 0.0) if node.player == CHANCE else (-sign * math.inf, -sign * math.inf)
    quickest, slowest = math.inf, 0.0
    won = game.MAXSCORE if node.player == MAX else game.MINSCORE
    for i in range(node.first, node.first + node.count):
        edge = tree.edges[i]
        low, high, plies = float(game.MINSCORE), float(game.MAXSCORE), 0.0
        if edge.child != NOTHING:
            after = tree.nodes[edge.child]
            low, high, plies = after.lower, after.upper, float(after.plies)
        if node.player == CHANCE:
            lower += edge.prior * low
            upper += edge.prior * high
        else:
            lower = sign * max(sign * lower, sign * low)
            upper = sign * max(sign * upper, sign * high)
            if low == high == won:
                quickest = min(quickest, plies)
        slowest = max(slowest, plies)
    if node.player == CHANCE:
        upper = min(upper, float(game.MAXSCORE))
        lower = min(upper, max(lower, float(game.MINSCORE)))  # sums are rounded
    changed = lower != node.lower or upper != node.upper
    node.lower, node.upper = lower, upper
    if lower == upper:
        node.plies = int(1 + (quickest if quickest < math.inf else slowest))
    return bool(changed)


@kernel
def back_up_estimate(number: int, tree: Nodes) -> None:
    """Set the estimate of a node to the best of those behind its moves, or the average of those behind its outcomes."""
    node, best, weights, is_first = tree.nodes[number], 0.0, 0.0, True
    for i in range(node.first, node.first + node.count):
        edge = tree.edges[i]
        if edge.child == NOTHING:
            continue
        estimate = tree.nodes[edge.child].estimate
        if node.player == CHANCE:
            best += edge.prior * estimate
            weights += edge.prior
        elif is_first or (estimate < best if node.player == MIN else estimate > best):
            best, is_first = estimate, False
    if weights > 0.0:
        best /= weights
    node.estimate = best


@kernel
def back_up_node(game: Game[Any], number: int, tree: Nodes) -> bool:
    """Set estimate and bounds of an inner node to what those below say; whether the bounds have changed."""
    node = tree.nodes[number]
    back_up_estimate(number, tree)
    has_proved = prove(game, number, tree)
    node.estimate = max(node.lower, min(node.upper, node.estimate))
    return has_proved
