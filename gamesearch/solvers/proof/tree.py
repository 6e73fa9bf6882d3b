"""The trees and graphs of proof-number search.

The proof number of a position is the least number of leaves that must be proven in order to prove the position. The
disproof number is the least number of leaves that must be disproven in order to disprove the position (L. V. Allis, M.
van der Meulen and H. J. van den Herik 1994, "Proof-number search", Artificial Intelligence 66). A search proves or
disproves that Max can get at least a certain payoff. A position that is reached by several paths is one node. An
ancestor may add the numbers of such a node several times, once for each path. This may mislead the search, but it never
leads to a wrong proof.

If positions can repeat, a proof could be circular: a position could be part of its own proof. So the nodes of graphs
have a cost instead of proof and disproof numbers. This cost estimates the effort of a proof for the attacker. If the
defender is to move, the cost is the greatest cost of a reply, plus the number of unproven replies (weak proof numbers:
T. Ueda, T. Hashimoto, J. Hashimoto and H. Iida 2008, "Weak proof-number search", Computers and Games). A move back to a
position on the path does not help the attacker, so its cost is STUCK.
"""

from typing import Any, NamedTuple

from gamesearch.algorithms.engine.result import FAILED, MOST_COST, NEVER_PROVEN, STUCK
from gamesearch.algorithms.node.records import Record, float_field, integer_field
from gamesearch.algorithms.node.workspace import ENDLESS_MOVES, MAX_PLY, NODE_LIMIT, OUT_OF_SPACE, TOO_DEEP, Run
from gamesearch.algorithms.tree_search.node_store import NOTHING, Edge, Node, Nodes, find, has_room, new_node
from gamesearch.compiler import kernel
from gamesearch.game import MAX, MOST_MOVES, Game
from gamesearch.toolkit.bits import mix

__all__ = [
    "Costs",
    "GraphEdge",
    "GraphNode",
    "ProofNode",
    "ProofPath",
    "Question",
    "TreeSearch",
    "add_numbers",
    "cost_after",
    "cost_of_all",
    "expand",
    "find_leaf",
    "is_open",
    "make_root",
    "node_of_key",
    "numbers_by_rules",
    "report_expansion",
    "set_cost",
    "update_path",
]  # fmt: skip

LARGEST = NEVER_PROVEN - 1
"""The upper limit of sums of proof numbers. Sums can grow large, because the numbers of a position are added once for
each path to it."""


class Question(Record):
    """The question whether Max can get `goal` or more. The record also contains the limits and the memory of the search
    that answers this question."""

    goal = float_field()
    node_limit = integer_field()  # the node limit of the search; 0 for no limit
    salt = integer_field()  # combined with the hashed keys, because one table contains the positions of all goals
    is_odd = integer_field()  # whether a payoff was found that is neither win, draw nor loss
    proofs = integer_field(1 << 16)  # the proof numbers of the moves in `path.moves`, for all nodes on the path
    disproofs = integer_field(1 << 16)


class ProofNode(Node):
    """A position in a tree. Its edges are of the class `Edge`."""

    key = integer_field()  # the hashed key of the position
    proof = integer_field()
    disproof = integer_field()
    attacking = integer_field()  # whether it is Max's turn


class GraphNode(Node):
    """A position in a graph."""

    key = integer_field()
    first = integer_field(size=4)
    count = integer_field(size=4)
    cost = integer_field(size=4)  # 0 if the position is proven, FAILED if it is disproven
    rank = integer_field(size=4)  # the order of proofs: the proof of a node uses only nodes with lower ranks
    attacking = integer_field(size=4)  # whether the attacker is to move
    on_way = integer_field(size=4)  # whether the position is on the current path
    parents = integer_field(size=4)  # the first of the edges that lead to the position
    waiting = integer_field(size=4)  # while costs are recomputed: the number of moves without a cost
    unproven = integer_field(size=4)  # while costs are recomputed: the number of unproven moves
    next = integer_field(size=4)  # while costs are recomputed: the next node with the same cost


class GraphEdge(Edge):
    """A move in a graph."""

    child = integer_field(size=4)
    parent = integer_field(size=4)
    next = integer_field(size=4)  # the next of the edges that lead to the same child


class Costs(Record):
    """The data of a proof by costs: the attacker, counts of nodes, and an array for recomputing the costs."""

    attacker = integer_field()
    ranks = integer_field()  # number of proven nodes
    expanded = integer_field()  # number of nodes expanded since costs were last recomputed
    settled = integer_field()  # number of nodes when costs were last recomputed
    heads = integer_field(MOST_COST + 1)  # while costs are recomputed: the first node of each cost


class ProofPath(Record):
    """The path from the root to the most proving node."""

    nodes = integer_field(MAX_PLY + 1)  # the numbers of the nodes, by ply


class TreeSearch(NamedTuple):
    """The arguments that are the same at all nodes of a best-first search."""

    question: Any
    path: Any
    tree: Nodes
    numbers: Any
    """The field is 1 in a tree, because the nodes of a tree have proof and disproof numbers. It is None in a graph, so
    that Numba omits the code for these numbers."""
    costs: Any
    """The record of costs of a graph; None in a tree."""
    run: Run


# Growth. -----------------------------------------------------------------------------------------
@kernel
def make_root(game: Game, s: Any, search: TreeSearch) -> int:
    """Find or create the node of s as the root of a search. Returns its number."""
    root, run = node_for(game, s, search), search.run
    if run.observer is not None and not run.counts.stop:
        run.observer.reaches(s, 0, root)
        report_numbers(root, search)
    return root


@kernel
def node_for(game: Game, s: Any, search: TreeSearch) -> int:
    """The number of a position's node. A new position gets a new node. If memory is full, stops the search and returns
    NOTHING."""
    number, is_new = node_of_key(mix(game.key(s)), search)
    if is_new:
        search.run.counts.nodes += 1
        node = search.tree.nodes[number]
        proof, disproof = numbers_by_rules(game, s, search.question)
        attacker = MAX
        if search.numbers is not None:
            node.proof, node.disproof = proof, disproof
        if search.costs is not None:
            attacker = search.costs.attacker
            node.parents = NOTHING
            set_cost(number, min(proof if attacker == MAX else disproof, FAILED), search.costs, search.tree)
        node.attacking = not game.terminal(s) and game.player(s) == attacker
    elif number != NOTHING:
        search.run.counts.table_hits += 1
    return number


@kernel
def node_of_key(key: int, search: TreeSearch) -> tuple[int, bool]:
    """The number of the node that has this hashed key, and whether the node is new. If memory is full, stops the search
    and returns NOTHING."""
    tree = search.tree
    known = tree.index[find(tree.index, key)]
    if known.filled:
        return int(known.number), False
    number = new_node(tree, key)
    if number == NOTHING:
        search.run.counts.stop = OUT_OF_SPACE
        return NOTHING, False
    tree.nodes[number].key = key
    return number, True


@kernel
def is_open(root: int, search: TreeSearch) -> bool:
    """Whether the search is still running and the root is neither proven nor disproven."""
    return not search.run.counts.stop and not is_proven(root, search) and not is_disproven(root, search)


@kernel
def is_proven(number: int, search: TreeSearch) -> bool:
    """Whether a node is proven."""
    node, missing = search.tree.nodes[number], 0
    if search.numbers is not None:
        missing = node.proof
    if search.costs is not None:
        missing = node.cost
    return bool(missing == 0)


@kernel
def is_disproven(number: int, search: TreeSearch) -> bool:
    """Whether a node is disproven."""
    node, is_found = search.tree.nodes[number], False
    if search.numbers is not None:
        is_found = node.disproof == 0
    if search.costs is not None:
        is_found = node.cost == FAILED
    return bool(is_found)


@kernel
def find_leaf(game: Game, s: Any, number: int, search: TreeSearch) -> tuple[int, Any]:
    """Follow the most proving moves to a node that is solved, stuck or not yet expanded; returns its ply and its
    state."""
    ply, run = 0, search.run
    while True:
        search.path.nodes[ply] = number
        if search.costs is not None:
            search.tree.nodes[number].on_way = 1
        if run.observer is not None:
            run.observer.reaches(s, ply, number)
        best = update(number, search)
        if best == NOTHING:
            break
        if ply >= MAX_PLY:
            run.counts.stop = TOO_DEEP
            break
        move = move_of(game, s, best, search.tree)
        if run.observer is not None:
            run.observer.follows(ply, move)
        number, s = search.tree.edges[best].child, game.result(s, move)
        ply += 1
    run.counts.deepest = max(run.counts.deepest, ply)
    return ply, s


@kernel
def move_of(game: Game, s: Any, edge: int, tree: Nodes) -> int:
    """Find the move from s that leads along an edge. This move and the move that the edge stores are usually the same
    integer.

    Positions that have equal keys share one node; for example, the order of rows of pins does not matter. In two
    positions with equal keys, different integers may stand for the same move.
    """
    move, key = tree.edges[edge].move, tree.nodes[tree.edges[edge].child].key
    for each in game.moves(s):
        if each == move and mix(game.key(game.result(s, each))) == key:
            return int(each)
    for each in game.moves(s):
        if mix(game.key(game.result(s, each))) == key:
            return int(each)
    return int(move)


@kernel
def expand(game: Game, s: Any, ply: int, search: TreeSearch) -> None:
    """Add the moves of a leaf to the tree, until a move decides the leaf. Stops the search if memory is full."""
    number, tree, run = search.path.nodes[ply], search.tree, search.run
    node, first, count, is_decided = tree.nodes[number], tree.used.edges, 0, False
    if node.count != NOTHING or run.counts.stop:
        return
    for move in game.moves(s):
        if is_decided:
            break
        if count >= MOST_MOVES:
            run.counts.stop = ENDLESS_MOVES
        elif not has_room(tree, 1):
            run.counts.stop = OUT_OF_SPACE
        if run.counts.stop:
            break
        child = node_for(game, game.result(s, move), search)
        if child == NOTHING:
            break
        edge = tree.edges[first + count]
        edge.move = move
        edge.child = child
        if search.costs is not None:
            edge.parent = number
            edge.next = tree.nodes[child].parents
            tree.nodes[child].parents = first + count
        count += 1
        tree.used.edges += 1
        is_decided = is_proven(child, search) if node.attacking else is_disproven(child, search)
    if not run.counts.stop:
        node.first = first
        node.count = count
        if search.costs is not None:
            search.costs.expanded += 1
    if run.observer is not None:
        report_expansion(game, s, ply, search)


@kernel
def update_path(ply: int, search: TreeSearch) -> None:
    """Update the nodes on the path, from the leaf back to the root; stop the search if the node limit is reached."""
    counts = search.run.counts
    for i in range(ply, -1, -1):
        number = search.path.nodes[i]
        update(number, search)
        if search.costs is not None:
            search.tree.nodes[number].on_way = 0
    if search.run.observer is not None:
        search.run.observer.finish_expansion()
    if 0 < search.question.node_limit <= counts.nodes and not counts.stop:
        counts.stop = NODE_LIMIT


@kernel
def update(number: int, search: TreeSearch) -> int:
    """Update a node from its moves; returns the edge of the most proving move, or NOTHING if the node is solved, stuck
    or not yet expanded."""
    best = NOTHING
    if search.tree.nodes[number].count == NOTHING or is_proven(number, search) or is_disproven(number, search):
        return best
    if search.numbers is not None:
        best = update_numbers(number, search.tree)
    if search.costs is not None:
        best = update_cost(number, search.costs, search.tree)
    if search.run.observer is not None:
        report_numbers(number, search)
    return best


# Proof and disproof numbers. ---------------------------------------------------------------------
@kernel
def numbers_by_rules(game: Game, s: Any, question: Question) -> tuple[int, int]:
    """The initial proof and disproof numbers of a position. They follow from the rules or the bounds of the game."""
    if game.terminal(s):
        payoff = float(game.utility(s))
        if game.win_or_loss and payoff != game.MAXSCORE and payoff != game.MINSCORE and payoff != game.draw_value():
            question.is_odd = 1
        return (0, NEVER_PROVEN) if payoff >= question.goal else (NEVER_PROVEN, 0)
    least, greatest = game.bounds(s)
    if least >= question.goal:
        return 0, NEVER_PROVEN
    if greatest < question.goal:
        return NEVER_PROVEN, 0
    return 1, 1


@kernel
def add_numbers(total: int, number: int) -> int:
    """The sum of two proof numbers, or of two disproof numbers."""
    return NEVER_PROVEN if total == NEVER_PROVEN or number == NEVER_PROVEN else min(LARGEST, total + number)


@kernel
def update_numbers(number: int, tree: Nodes) -> int:
    """Set a node's proof and disproof numbers from the numbers of its moves; returns the edge of the most proving move,
    or NOTHING if the node is solved.

    A Max node is proven when one of its moves is proven, and disproven when all its moves are disproven. Min nodes
    exchange the roles of proof and disproof.
    """
    node = tree.nodes[number]
    least, total, best = NEVER_PROVEN, 0, NOTHING
    for i in range(node.first, node.first + node.count):
        after = tree.nodes[tree.edges[i].child]
        one = after.proof if node.attacking else after.disproof
        total = add_numbers(total, after.disproof if node.attacking else after.proof)
        if one < least:
            least, best = one, i
    node.proof = least if node.attacking else total
    node.disproof = total if node.attacking else least
    return NOTHING if least == 0 else best


# Costs. ------------------------------------------------------------------------------------------
@kernel
def update_cost(number: int, costs: Costs, graph: Nodes) -> int:
    """Set the cost of a node from the costs of its moves; returns the edge to follow, or NOTHING if no move should be
    followed.

    The attacker needs one proven move, so the move with the least cost is followed. All moves of the defender must be
    proven, so the move with the greatest cost is followed.
    """
    node = graph.nodes[number]
    least, greatest, unproven, best = FAILED, 0, 0, NOTHING
    for i in range(node.first, node.first + node.count):
        after = graph.nodes[graph.edges[i].child]
        cost = STUCK if after.on_way else after.cost
        unproven += cost > 0
        if (node.attacking and cost < least) or (not node.attacking and cost > greatest):
            best = i
        least, greatest = min(least, cost), max(greatest, cost)
    set_cost(number, cost_after(least) if node.attacking else cost_of_all(greatest, unproven), costs, graph)
    return best if 0 < node.cost < STUCK else NOTHING


@kernel
def set_cost(number: int, cost: int, costs: Costs, graph: Nodes) -> None:
    """Set the cost of a node. If the cost is 0, the node is proven and gets the next rank."""
    node = graph.nodes[number]
    node.cost = cost
    if cost == 0:
        costs.ranks += 1
        node.rank = costs.ranks


@kernel
def cost_after(least: int) -> int:
    """The cost of a position in which the attacker is to move. It depends on the least cost of a move."""
    return least if least == 0 or least >= STUCK else min(MOST_COST, least + 1)


@kernel
def cost_of_all(greatest: int, unproven: int) -> int:
    """The cost of a position in which the defender is to move. It depends on the greatest cost of a move, and on the
    number of unproven moves."""
    return greatest if greatest == 0 or greatest >= STUCK else min(MOST_COST, greatest + unproven)


# Reports to the observer. ------------------------------------------------------------------------
def report_expansion(game: Game, s: Any, ply: int, search: TreeSearch) -> None:
    """Report the moves of an expanded node to the observer. A node that an inner search solved has no moves."""
    number, tree, observer = search.path.nodes[ply], search.tree, search.run.observer
    node = tree.nodes[number]
    observer.expands(ply)
    for i in range(node.first, node.first + max(0, node.count)):
        move, child = tree.edges[i].move, tree.edges[i].child
        observer.grows(game.result(s, move), move, child)
        report_numbers(child, search)
    if search.numbers is not None:
        report_numbers(number, search)


def report_numbers(number: int, search: TreeSearch) -> None:
    """Report the numbers or the cost of a node to the observer."""
    node, observer = search.tree.nodes[number], search.run.observer
    if search.numbers is not None:
        observer.lacks(number, node.proof, node.disproof)
    if search.costs is not None:
        observer.costs(number, node.cost)
