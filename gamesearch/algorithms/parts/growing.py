"""The tree that Monte Carlo tree search grows: what its nodes and edges hold, and how one is added."""

from typing import Any, NamedTuple

from gamesearch.algorithms.parts.codes import Layers
from gamesearch.algorithms.parts.database import known_in_database
from gamesearch.algorithms.parts.node_store import NOTHING, Edge, Node, Nodes, find, has_room, new_node
from gamesearch.algorithms.parts.ordering import sort_by_score
from gamesearch.algorithms.parts.playout import Playouts, list_moves, list_outcomes, weigh_moves
from gamesearch.algorithms.parts.records import Record, integers, reals
from gamesearch.algorithms.parts.recurrence import is_forbidden, recurs
from gamesearch.algorithms.parts.values import estimate_within
from gamesearch.algorithms.parts.workspace import FULL_DEPTH, MAX_PLY, Run
from gamesearch.bits import mix
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, FORBIDDEN, RECURRENCE_DRAWS, Game

__all__ = [
    "DRAWN",
    "OVER",
    "Asked",
    "GrowingEdge",
    "Growth",
    "TreeEdge",
    "TreeNode",
    "ValuedNode",
    "child_of",
    "expand",
    "look_at",
]

OVER, DRAWN = -2, -3
"""The player of a finished game, and of one that is drawn because its position came again or superko left no move."""


class ValuedNode(Node):
    """A position in a tree that grows."""

    key = integers()  # the hash of the state, where transpositions are found
    player = integers()  # whose turn it is; CHANCE, OVER or DRAWN
    plies = integers()  # to the end of the game, by the proof that was found of a win or a loss
    lower = reals()  # proven bounds on the value for Max
    upper = reals()
    estimate = reals()  # the game's estimate for Max, backed up by minimax


class TreeNode(ValuedNode):
    """A position that playouts go through."""

    visits = integers()


class GrowingEdge(Edge):
    """A move or an outcome."""

    prior = reals()  # the weight of the move by the game's order, or the probability of the outcome


class TreeEdge(GrowingEdge):
    """One that playouts follow; what they paid is in the store's `totals`."""

    visits = integers()
    wins = reals()  # playouts that Max won, and half of those drawn; for two players
    amaf_visits = integers()  # playouts in which the same player made the move here or later (all moves as first)
    amaf_total = reals()  # and what they paid: Max, or of more than two players the one who moves
    amaf_wins = reals()


class Asked(Record):
    """What is asked of the search, and what it keeps from one playout to the next."""

    root = integers()
    playouts = integers()  # how many to make, or how many leaves to expand; 0 for no limit
    made = integers()  # so far
    solver = integers()  # whether wins, losses and draws are proven
    ordered = integers()  # whether moves have the game's order as their prior
    temperature = reals()  # of the softmax over that order
    exploration = reals()
    urgency = reals()  # of moves not yet played, as a payoff from 0 to 1; more than 1 to play each once first
    wins = reals()  # how much winning counts in place of payoffs, from 0 to 1
    rave = reals()  # with so many visits of a node, averages and those of all moves as first count alike; 0 for off
    bias = reals()  # how much the prior counts at first; 0 for off
    widening = reals()  # so many moves at first, and more with the square root of the visits; 0 for all
    implicit = reals()  # how much estimates backed up by minimax count in place of averages, from 0 to 1
    least = reals()  # the least and the greatest payoff so far, between which payoffs count from 0 to 1
    greatest = reals()
    edges = integers(MAX_PLY + 1)  # the edges of the last descent, by ply
    nodes = integers(MAX_PLY + 1)  # and its nodes


class Growth(NamedTuple):
    """What grows a tree by playouts: what is asked, playouts, the tree; and what is None in a search without it, the
    moves of a playout (RAVE) and what threads share.
    """

    asked: Any
    playouts: Playouts
    tree: Nodes
    rave: Any
    shared: Any


@kernel
def look_at(game: Game[Any], s: Any, ply: int, number: int, asked: Asked, tree: Nodes, run: Run) -> None:
    """Write into a new node what its position says."""
    node = tree.nodes[number]
    node.lower, node.upper = float(game.MINSCORE), float(game.MAXSCORE)
    if game.terminal(s):
        node.player, node.count = OVER, 0
        if game.players <= 2:
            settle(node, float(game.utility(s)))
    elif game.recurrence == RECURRENCE_DRAWS and recurs(game, s, FULL_DEPTH, ply, run.path):
        node.player, node.count = DRAWN, 0
        settle(node, float(game.draw_value()))
    else:
        node.player = game.player(s)
        if tree.database is not None:
            if ply > 0:
                look_up(game, s, node, tree.database)
        if game.players <= 2 and asked.implicit > 0.0:
            node.estimate = estimate_within(game, float(game.evaluate(s)))


@kernel
def look_up(game: Game[Any], s: Any, node: ValuedNode, layers: Layers) -> None:
    """Set the value of a node, and the plies to the end, if a database knows them; at the root, moves are wanted."""
    is_known, value, plies = known_in_database(game, s, layers)
    if is_known:
        settle(node, value)
        node.plies = plies


@kernel
def settle(node: ValuedNode, value: float) -> None:
    """Set the value of a node that is certain."""
    node.lower, node.upper, node.estimate = value, value, value


@kernel
def expand(game: Game[Any], s: Any, ply: int, number: int, asked: Asked, tree: Nodes, run: Run) -> bool:
    """Give a node its edges; False where there is no room for them.

    Moves come in the game's order if they have it as their prior, else as the game yields them.
    """
    node, path = tree.nodes[number], run.path
    if node.player == CHANCE:
        count = list_outcomes(game, s, run)
    else:
        count = list_moves(game, s, run)
        if game.recurrence == FORBIDDEN:
            count = leave_out_forbidden(game, s, ply, count, run)
        if asked.ordered:
            weigh_moves(game, s, count, asked.temperature, run)
            sort_by_score(0, count, path)
    if not has_room(tree, count):
        return False
    node.first, node.count = tree.used.edges, count
    tree.used.edges += count
    for i in range(count):
        edge = tree.edges[node.first + i]
        edge.move = path.moves[i]
        edge.child = NOTHING
        edge.prior = path.scores[i] if asked.ordered or node.player == CHANCE else 0.0
    if count == 0:
        node.player = DRAWN
        settle(node, float(game.draw_value()))
    return True


@kernel
def leave_out_forbidden(game: Game[Any], s: Any, ply: int, count: int, run: Run) -> int:
    """Keep those moves on the path that superko allows; how many there are."""
    path, kept = run.path, 0
    for i in range(count):
        if not is_forbidden(game, game.result(s, path.moves[i]), ply, path):
            path.moves[kept] = path.moves[i]
            kept += 1
    return kept


@kernel
def child_of(game: Game[Any], after: Any, ply: int, number: int, asked: Asked, tree: Nodes, run: Run) -> int:
    """The node behind an edge, which is made, or found by its state, if there is none yet; NOTHING without room.

    States with equal keys may have other names for their moves, which the edges hold: rows of pins in another order.
    """
    edge = tree.edges[number]
    if edge.child == NOTHING:
        key = 0
        if tree.index is not None:
            key = mix(after)
            entry = tree.index[find(tree.index, key)]
            if entry.filled:
                run.counts.table_hits += 1
                edge.child = entry.number
                return int(edge.child)
        child = new_node(tree, key)
        edge.child = child
        if child != NOTHING:
            tree.nodes[child].key = key
            look_at(game, after, ply, child, asked, tree, run)
    return int(edge.child)
