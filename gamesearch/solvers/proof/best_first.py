"""Best-first proof-number search: each step expands the most proving node of a tree in memory.

pn: L. V. Allis, M. van der Meulen and H. J. van den Herik 1994, "Proof-number search", Artificial Intelligence 66. The
tree needs memory for each position. pn2 needs less memory: a second search with its own tree examines each leaf. The
second tree is deleted when the numbers of the leaf are known (D. M. Breuker 1998, "Memory versus Search in Games",
thesis, Maastricht University). Here, the second tree may become as large as the first tree.

`prove` is for games whose positions repeat. It searches a growing graph of positions. One side attacks: it tries to get
a better payoff than an endless game gives. The other side defends: endless repetition is enough for the defender. The
proof of a position uses only positions that were proven before it. So no proof is circular, and a proof holds for every
path to the position. Three steps alternate:

- Expand the leaf that is reached by the attacker's most promising moves and the defender's hardest replies, and update
  the costs on the path (weak proof numbers, see `gamesearch.solvers.proof.tree`).
- If the cost of the root is STUCK, or the graph has grown by half, recompute all costs in increasing order. Each cost
  is computed from costs that are already final (D. E. Knuth 1977, "A generalization of Dijkstra's algorithm",
  Information Processing Letters 6).
- Positions without a recomputed cost are disproven: the attacker can never win them, because the defender can stay
  among such positions forever. A draw is thus usually proven long before all positions are known.
"""

from typing import Any

from gamesearch.algorithms.engine.result import FAILED, MOST_COST, NEVER_PROVEN, STUCK
from gamesearch.algorithms.node.workspace import OUT_OF_SPACE, RUNNING, TOO_DEEP
from gamesearch.algorithms.tree_search.node_store import NOTHING, Nodes, find, has_room
from gamesearch.compiler import kernel
from gamesearch.game import MAX, Game
from gamesearch.solvers.proof.tree import (
    Costs,
    TreeSearch,
    cost_after,
    cost_of_all,
    expand,
    find_leaf,
    is_open,
    make_root,
    node_of_key,
    report_expansion,
    set_cost,
    update_path,
)

__all__ = ["pn", "pn2", "prove"]

FIRST_NODES = 64  # all costs are recomputed after at least this number of new nodes


@kernel
def pn(game: Game, s: Any, most: int, search: TreeSearch) -> tuple[int, int]:
    """Grow the tree of s until it has `most` nodes or s is solved; returns the proof and disproof numbers of s."""
    root = make_root(game, s, search)
    while is_open(root, search) and search.tree.used.nodes < most:
        ply, leaf = find_leaf(game, s, root, search)
        expand(game, leaf, ply, search)
        update_path(ply, search)
    node = search.tree.nodes[root]
    return int(node.proof), int(node.disproof)


@kernel
def pn2(game: Game, s: Any, search: TreeSearch, inner: TreeSearch) -> tuple[int, int]:
    """Prove or disprove s with an outer tree. Each leaf of the outer tree is searched with an inner tree. Returns the
    proof and disproof numbers of s.

    One of the two numbers is 0, unless the search is stopped. The node limit applies to both trees together. An
    observer sees only the outer tree.
    """
    tree, run = search.tree, search.run
    root = make_root(game, s, search)
    while is_open(root, search):
        ply, leaf = find_leaf(game, s, root, search)
        number = search.path.nodes[ply]
        if tree.nodes[number].count == NOTHING and not run.counts.stop:
            clear(inner.tree)
            # The limit is at least two nodes, so that the leaf is expanded.
            pn(game, leaf, max(2, tree.used.nodes), inner)
            if run.counts.stop == OUT_OF_SPACE and inner.tree.nodes[0].count != NOTHING:
                run.counts.stop = RUNNING
            if not run.counts.stop:
                adopt(number, search, inner.tree)
                if run.observer is not None:
                    report_expansion(game, leaf, ply, search)
        update_path(ply, search)
    node = tree.nodes[root]
    return int(node.proof), int(node.disproof)


@kernel
def adopt(number: int, search: TreeSearch, inner: Nodes) -> None:
    """Copy the results of an inner tree to a node. If the root of the inner tree is solved, the proof and disproof
    numbers of the root are copied. If not, the moves of the root are copied with their numbers."""
    tree = search.tree
    node, root = tree.nodes[number], inner.nodes[0]
    if root.proof == 0 or root.disproof == 0:
        node.proof, node.disproof = root.proof, root.disproof
        return
    first = tree.used.edges
    if not has_room(tree, root.count):
        search.run.counts.stop = OUT_OF_SPACE
        return
    for i in range(root.count):
        found = inner.nodes[inner.edges[root.first + i].child]
        child, is_new = node_of_key(found.key, search)
        if child == NOTHING:
            return
        after = tree.nodes[child]
        if is_new or found.proof == 0 or found.disproof == 0:
            after.proof = found.proof
            after.disproof = found.disproof
            after.attacking = found.attacking
        edge = tree.edges[first + i]
        edge.move = inner.edges[root.first + i].move
        edge.child = child
    tree.used.edges += root.count
    node.first = first
    node.count = root.count


@kernel
def clear(tree: Nodes) -> None:
    """Delete all nodes, the newest first. After each deletion, `find` still reaches every remaining node: if two nodes
    collide in the index, the newer one is in the later entry."""
    for i in range(tree.used.nodes - 1, -1, -1):
        tree.index[find(tree.index, tree.nodes[i].key)].filled = 0
    tree.used.nodes = 0
    tree.used.edges = 0


@kernel
def prove(game: Game, s: Any, search: TreeSearch) -> tuple[int, int]:
    """Prove or disprove Max's goal; returns the proof and disproof numbers of s. Either side may be the attacker."""
    graph, costs, run = search.tree, search.costs, search.run
    root = make_root(game, s, search)
    while is_open(root, search):
        ply, leaf = find_leaf(game, s, root, search)
        expand(game, leaf, ply, search)
        update_path(ply, search)
        is_stuck = graph.nodes[root].cost == STUCK
        if is_stuck and costs.expanded == 0 and not run.counts.stop:
            run.counts.stop = TOO_DEEP
        elif is_stuck or graph.used.nodes > costs.settled + costs.settled // 2 + FIRST_NODES:
            settle(costs, graph)
            if run.observer is not None:
                run.observer.update_costs(graph)
    is_proven = not run.counts.stop and graph.nodes[root].cost == 0
    return (0, NEVER_PROVEN) if is_proven == (costs.attacker == MAX) else (NEVER_PROVEN, 0)


@kernel
def settle(costs: Costs, graph: Nodes) -> None:
    """Recompute all costs; a node without a cost is disproven (FAILED)."""
    for cost in range(MOST_COST + 1):
        costs.heads[cost] = NOTHING
    for number in range(graph.used.nodes):
        node = graph.nodes[number]
        node.waiting = node.unproven = node.count
        if node.cost == 0 or (node.count == NOTHING and node.cost < FAILED):
            enter(number, node.cost, costs, graph)
        elif node.cost < FAILED:
            node.cost = STUCK
    for cost in range(MOST_COST + 1):
        while costs.heads[cost] != NOTHING:
            number = costs.heads[cost]
            costs.heads[cost] = graph.nodes[number].next
            pass_on(number, costs, graph)
    for number in range(graph.used.nodes):
        if graph.nodes[number].cost == STUCK:
            graph.nodes[number].cost = FAILED
    costs.expanded = 0
    costs.settled = graph.used.nodes


@kernel
def enter(number: int, cost: int, costs: Costs, graph: Nodes) -> None:
    """Add a node whose cost is final to the queue of this cost."""
    graph.nodes[number].next = costs.heads[cost]
    costs.heads[cost] = number


@kernel
def pass_on(number: int, costs: Costs, graph: Nodes) -> None:
    """Update the parents of a node whose cost is final. If the attacker is to move, the first child with a final cost
    determines the final cost of the parent. If the defender is to move, the last child with a final cost determines the
    final cost of the parent."""
    cost, i = graph.nodes[number].cost, graph.nodes[number].parents
    while i != NOTHING:
        parent = graph.edges[i].parent
        node = graph.nodes[parent]
        node.waiting -= 1
        node.unproven -= cost == 0
        if node.cost == STUCK and (node.attacking or node.waiting == 0):
            found = cost_after(cost) if node.attacking else cost_of_all(cost, node.unproven)
            set_cost(parent, found, costs, graph)
            enter(parent, found, costs, graph)
        i = graph.edges[i].next
