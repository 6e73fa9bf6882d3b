"""A growing search tree. This module defines the fields of nodes and edges, creates them, backs up values, and proves
wins, losses and draws."""

import math
from typing import Any, NamedTuple

from gamesearch.algorithms.node.database import probe_database
from gamesearch.algorithms.node.ordering import sort_by_score
from gamesearch.algorithms.node.records import Record, float_field, integer_field
from gamesearch.algorithms.node.repetition import is_forbidden, is_repetition
from gamesearch.algorithms.node.values import estimate_within
from gamesearch.algorithms.node.workspace import (
    ENDLESS_MOVES,
    FULL_DEPTH,
    MAX_PLY,
    NODE_LIMIT,
    RUNNING,
    TOO_DEEP,
    TREE_FULL,
    Options,
    Run,
)
from gamesearch.algorithms.tree_search.node_store import NOTHING, Edge, Node, Nodes, find, has_room, new_node
from gamesearch.algorithms.tree_search.playout import Playouts, list_moves, list_outcomes, weigh_moves
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, FORBIDDEN, MAX, MIN, REPETITION_DRAWS, Game
from gamesearch.toolkit.bits import mix

__all__ = [
    "DRAWN", "OVER", "GrowingEdge", "Growth", "TreeEdge", "TreeNode", "TreeSettings", "ValuedNode", "add_children",
    "back_up_estimate", "back_up_node", "begin_tree", "child_of", "expand", "is_dominated", "is_proven", "look_at",
    "may_expand", "prove",
]  # fmt: skip

OVER, DRAWN = -2, -3
"""The field `player` of a node has one of these values if the game is over, or is drawn by repetition."""


class ValuedNode(Node):
    """A position in the tree."""

    key = integer_field()  # the hash of the state, if transpositions are used
    player = integer_field()  # the player to move, or CHANCE, OVER or DRAWN
    plies = integer_field()  # length in plies of the proof of a win or loss
    lower = float_field()  # proven bounds on the value for Max
    upper = float_field()
    estimate = float_field()  # the evaluation for Max, or the backed-up estimate of an inner node


class TreeNode(ValuedNode):
    """A position through which playouts pass."""

    visits = integer_field()


class GrowingEdge(Edge):
    """A move or an outcome."""

    prior = float_field()  # weight of the move by the game's order, or probability of the outcome


class TreeEdge(GrowingEdge):
    """An edge that playouts follow. The sums of the playouts' payoffs are in the store's `totals`."""

    visits = integer_field()
    wins = float_field()  # playouts that Max won, plus half of the draws (two players)
    amaf_visits = integer_field()  # playouts in which the player made the move at this node or later (AMAF)
    amaf_total = float_field()  # sum of the AMAF playouts' payoffs: for Max or, in games of more players, for the mover
    amaf_wins = float_field()


class TreeSettings(Record):
    """The settings of a search, and its state between playouts."""

    root = integer_field()
    playouts = integer_field()  # number of playouts or of expanded leaves; 0 for no limit
    made = integer_field()  # number of playouts or expanded leaves so far
    solver = integer_field()  # whether wins, losses and draws are proven
    ordered = integer_field()  # whether the game's order determines the prior of moves
    temperature = float_field()  # temperature of the softmax over the game's order
    exploration = float_field()
    urgency = float_field()  # assumed value of moves without visits, from 0 to 1; above 1, these moves come first
    wins = float_field()  # weight of the share of wins, from 0 to 1; the rest is the weight of the payoff
    rave = float_field()  # number of visits at which the averages of AMAF and of the move count equally; 0 for no RAVE
    prior = float_field()  # number of virtual playouts of each move, whose average is the move's prior; 0 for none
    widening = float_field()  # a node tries this number times the square root of its visits, plus 1 move; 0 for all
    implicit = float_field()  # weight of backed-up estimates, from 0 to 1; the rest is the weight of averages
    least = float_field()  # smallest payoff so far, which is scaled to 0
    greatest = float_field()
    edges = integer_field(MAX_PLY + 1)  # edges of the last descent, by ply
    nodes = integer_field(MAX_PLY + 1)  # nodes of the last descent, by ply


class Growth(NamedTuple):
    """The records for a tree that grows by playouts. `rave` is None without RAVE, and `shared` is None with one
    thread."""

    settings: Any
    playouts: Playouts
    tree: Nodes
    rave: Any
    shared: Any


@kernel
def look_at(game: Game, s: Any, ply: int, number: int, settings: TreeSettings, tree: Nodes, run: Run) -> None:
    """Initialize a new node from its position."""
    node = tree.nodes[number]
    node.lower, node.upper = float(game.MINSCORE), float(game.MAXSCORE)
    if game.terminal(s):
        node.player, node.count = OVER, 0
        if game.payoff_count == 1:
            settle(node, float(game.utility(s)))
    elif game.repetition == REPETITION_DRAWS and is_repetition(game, s, FULL_DEPTH, ply, run.path):
        node.player, node.count = DRAWN, 0
        settle(node, float(game.draw_value()))
    else:
        node.player = game.player(s)
        if tree.database is not None:
            if ply > 0:  # the root is not looked up, because its moves are needed
                is_known, value, plies = probe_database(game, s, tree.database)
                if is_known:
                    settle(node, value)
                    node.plies = plies
        if game.payoff_count == 1 and settings.implicit > 0.0:
            node.estimate = estimate_within(game, float(game.evaluate(s)))


@kernel
def settle(node: ValuedNode, value: float) -> None:
    """Record that the value of a node is certain."""
    node.lower, node.upper, node.estimate = value, value, value


@kernel
def expand(game: Game, s: Any, ply: int, number: int, settings: TreeSettings, tree: Nodes, run: Run) -> bool:
    """Create the edges of a node. Returns False if the store is full. If the priors of moves come from the game's
    `order`, the moves are also sorted by `order`. Otherwise, the moves are not sorted."""
    node, path = tree.nodes[number], run.path
    if node.player == CHANCE:
        count = list_outcomes(game, s, run)
    else:
        count = list_moves(game, s, run)
        if game.repetition == FORBIDDEN:
            count = leave_out_forbidden(game, s, ply, count, run)
        if settings.ordered:
            weigh_moves(game, s, count, settings.temperature, run)
            sort_by_score(0, count, path)
    if not has_room(tree, count):
        return False
    node.first, node.count = tree.used.edges, count
    tree.used.edges += count
    for i in range(count):
        edge = tree.edges[node.first + i]
        edge.move = path.moves[i]
        edge.child = NOTHING
        edge.prior = path.scores[i] if settings.ordered or node.player == CHANCE else 0.0
    if count == 0:
        node.player = DRAWN
        settle(node, float(game.draw_value()))
    return True


@kernel
def leave_out_forbidden(game: Game, s: Any, ply: int, count: int, run: Run) -> int:
    """Remove forbidden moves, which repeat a position, from `path.moves`. Returns the number of remaining moves."""
    path, kept = run.path, 0
    for i in range(count):
        if not is_forbidden(game, game.result(s, path.moves[i]), ply, path):
            path.moves[kept] = path.moves[i]
            kept += 1
    return kept


@kernel
def child_of(game: Game, after: Any, ply: int, number: int, settings: TreeSettings, tree: Nodes, run: Run) -> int:
    """The node to which edge `number` leads. If the edge has no node yet, look up the node of the state `after`, or
    create this node if it does not exist. The result is NOTHING if the store is full.

    States with equal keys may number their moves differently (for example, rows of pins in another order), so they get
    different nodes.
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
            look_at(game, after, ply, child, settings, tree, run)
    return int(edge.child)


# Expansion of all children of a leaf. ------------------------------------------------------------
@kernel
def begin_tree(game: Game, s: Any, settings: TreeSettings, tree: Nodes, run: Run) -> None:
    """Create the root if the tree is empty. The root counts as a visited node in every search."""
    run.counts.nodes += 1
    if settings.root == NOTHING:
        settings.root = new_node(tree, 0)
        look_at(game, s, 0, settings.root, settings, tree, run)
        if run.observer is not None:
            run.observer.reaches(s, 0, settings.root)
            run.observer.values(settings.root, tree.nodes[settings.root].estimate, 0.0, False)


@kernel
def may_expand(settings: TreeSettings, run: Run) -> bool:
    """Whether the limits allow the search to expand another leaf."""
    return bool(run.counts.stop == RUNNING and (settings.playouts == 0 or settings.made < settings.playouts))


@kernel
def add_children(
    game: Game, s: Any, ply: int, number: int, options: Options, settings: TreeSettings, tree: Nodes, run: Run
) -> bool:
    """Add all children of a leaf to the tree. Each child gets its estimate or payoff. If they do not fit into the
    memory, or would exceed the node limit, the search stops without adding them. Returns whether they were added."""
    node, counts = tree.nodes[number], run.counts
    if ply >= MAX_PLY - 1:
        counts.stop = TOO_DEEP
        return False
    if not expand(game, s, ply, number, settings, tree, run):
        counts.stop = TREE_FULL
        return False
    stop = counts.stop if counts.stop == ENDLESS_MOVES else RUNNING
    if counts.nodes + node.count > options.node_limit:
        stop = NODE_LIMIT
    elif tree.used.nodes + node.count > len(tree.nodes):
        stop = TREE_FULL
    if stop != RUNNING:
        tree.used.edges -= node.count
        node.count = NOTHING
        counts.stop = stop
        return False
    if run.observer is not None:
        run.observer.expands(ply)
    for edge in range(node.first, node.first + node.count):
        after = game.result(s, tree.edges[edge].move)
        child_of(game, after, ply + 1, edge, settings, tree, run)
        if run.observer is not None:
            run.observer.grows(after, tree.edges[edge].move, tree.edges[edge].child)
    counts.nodes += node.count
    counts.leaves += max(0, node.count - min(1, ply))  # the expanded node is no longer a leaf; the root was not counted
    counts.deepest = max(counts.deepest, ply + 1)
    return True


# Backups. ---------------------------------------------------------------------------------------
@kernel
def is_proven(number: int, tree: Nodes) -> bool:
    """Whether the value of a node is certain."""
    node = tree.nodes[number]
    return bool(node.lower >= node.upper)


@kernel
def is_dominated(player: int, number: int, child: int, tree: Nodes) -> bool:
    """Whether proven bounds show that a child is no better for the player than another child of the same node."""
    node, after = tree.nodes[number], tree.nodes[child]
    return bool(after.upper <= node.lower if player == MAX else after.lower >= node.upper)


@kernel
def prove(game: Game, number: int, tree: Nodes) -> bool:
    """Compute the bounds of a node from the bounds of its children. Returns whether the bounds of the node have
    changed.

    Wins and losses: M. H. M. Winands, Y. Bjornsson and J.-T. Saito 2008, "Monte-Carlo tree search solver", Computers
    and Games. Draws and points: T. Cazenave and A. Saffidine 2010, "Score bounded Monte-Carlo tree search", Computers
    and Games.

    To prove a win, one move must be proven; to prove a loss, all moves must be proven. `plies` is the length of the
    proof. The proof assumes that the winner makes the move with the fastest proven win, and the loser makes the move
    with the slowest loss. An unproven move may win faster.
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
        lower = min(upper, max(lower, float(game.MINSCORE)))  # rounded sums may lie outside the range
    changed = lower != node.lower or upper != node.upper
    node.lower, node.upper = lower, upper
    if lower == upper:
        node.plies = int(1 + (quickest if quickest < math.inf else slowest))
    return bool(changed)


@kernel
def back_up_estimate(number: int, tree: Nodes) -> None:
    """Set the estimate of a node to the best estimate of its children, or to their average at a chance node."""
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
def back_up_node(game: Game, number: int, tree: Nodes) -> bool:
    """Compute the estimate and the bounds of a node from its children. Returns whether the bounds have changed."""
    node = tree.nodes[number]
    back_up_estimate(number, tree)
    has_proved = prove(game, number, tree)
    node.estimate = max(node.lower, min(node.upper, node.estimate))
    return has_proved
