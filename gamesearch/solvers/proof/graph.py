"""Proof search in games whose positions repeat, on a growing graph of positions.

One side attacks: it tries to get a better payoff than an endless game gives. The other side defends: endless repetition
is enough for the defender. A position is proven only by positions that were proven before it. So no proof goes in a
circle, and a proof holds for every path to the position. Three steps alternate:

- From the root, follow the attacker's most promising moves and the defender's hardest replies to a leaf, and expand the
  leaf. Then update the costs on the path. The cost of a position estimates the effort of a proof. If the defender is to
  move, the cost is the greatest cost of a reply, plus the number of unproven replies (weak proof numbers: T. Ueda, T.
  Hashimoto, J. Hashimoto and H. Iida 2008, "Weak proof-number search", Computers and Games). A move back to a position
  on the path does not help the attacker, so its cost is STUCK for now.
- If the cost of the root is STUCK, or the graph has grown by half, recompute all costs in increasing order. Each cost
  is computed from costs that are already final (D. E. Knuth 1977, "A generalization of Dijkstra's algorithm",
  Information Processing Letters 6).
- Positions without a recomputed cost are disproven: the attacker can never win them, because the defender can stay
  among such positions forever. A draw is proven in this way, usually long before all positions are known.
"""

from typing import Any

from gamesearch.algorithms.engine.result import FAILED, MOST_COST, STUCK
from gamesearch.algorithms.node.records import Record, integer_field
from gamesearch.algorithms.node.workspace import MAX_PLY, NODE_LIMIT, TOO_DEEP, Run
from gamesearch.algorithms.tree_search.node_store import NOTHING, Edge, Node, Nodes
from gamesearch.compiler import kernel
from gamesearch.game import MAX, Game
from gamesearch.solvers.proof.numbers import NEVER_PROVEN, Question, numbers_by_rules
from gamesearch.solvers.proof.pn import after_edge, node_of_key, takes_another
from gamesearch.toolkit.bits import mix

__all__ = ["GraphEdge", "GraphNode", "Growth", "prove"]

FIRST_NODES = 64  # all costs are recomputed after at least this number of new nodes


class GraphNode(Node):
    """A position in the graph."""

    key = integer_field()  # the hashed key of the position
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
    """A move."""

    move = integer_field()
    child = integer_field(size=4)
    parent = integer_field(size=4)
    next = integer_field(size=4)  # the next of the edges that lead to the same child


class Growth(Record):
    """The attacker, counters of the growing graph, and memory for recomputing costs."""

    attacker = integer_field()
    ranks = integer_field()  # number of proven nodes
    expanded = integer_field()  # number of nodes expanded since costs were last recomputed
    settled = integer_field()  # number of nodes when costs were last recomputed
    nodes = integer_field(MAX_PLY + 1)  # the current path, by ply
    heads = integer_field(MOST_COST + 1)  # while costs are recomputed: the first node of each cost


@kernel
def prove(game: Game, s: Any, question: Question, growth: Growth, graph: Nodes, run: Run) -> tuple[int, int]:
    """Prove or disprove Max's goal; returns the proof and disproof numbers of s. Either side may be the attacker."""
    number = node_for(game, s, question, growth, graph, run)
    if run.observer is not None and not run.counts.stop:
        run.observer.reaches(s, 0, number)
        run.observer.costs(number, graph.nodes[number].cost)
    while not run.counts.stop and 0 < graph.nodes[number].cost < FAILED:
        ply, leaf = follow(game, s, number, growth, graph, run)
        last = growth.nodes[ply]
        if graph.nodes[last].count == NOTHING and not run.counts.stop:
            expand(game, leaf, last, question, growth, graph, run)
            if run.observer is not None:
                report_children(game, leaf, ply, last, graph, run)
        back_up(ply, growth, graph, run)
        if run.observer is not None:
            run.observer.expanded()
        is_stuck = graph.nodes[number].cost == STUCK
        if is_stuck and growth.expanded == 0:
            run.counts.stop = TOO_DEEP
        elif is_stuck or graph.used.nodes > growth.settled + growth.settled // 2 + FIRST_NODES:
            settle(growth, graph)
            if run.observer is not None:
                run.observer.settles(graph)
        if 0 < question.node_limit <= run.counts.nodes and not run.counts.stop:
            run.counts.stop = NODE_LIMIT
    is_proven = not run.counts.stop and graph.nodes[number].cost == 0
    return (0, NEVER_PROVEN) if is_proven == (growth.attacker == MAX) else (NEVER_PROVEN, 0)


@kernel
def node_for(game: Game, s: Any, question: Question, growth: Growth, graph: Nodes, run: Run) -> int:
    """The index of the node of a position; a new position is added. If memory is full, stops and returns NOTHING."""
    number, is_new = node_of_key(mix(game.key(s)), graph, run)
    if is_new:
        run.counts.nodes += 1
        node = graph.nodes[number]
        node.parents = NOTHING
        node.attacking = not game.terminal(s) and game.player(s) == growth.attacker
        proof, disproof = numbers_by_rules(game, s, question)
        missing = proof if growth.attacker == MAX else disproof
        set_cost(number, min(missing, FAILED), growth, graph)
    elif number != NOTHING:
        run.counts.table_hits += 1
    return number


@kernel
def set_cost(number: int, cost: int, growth: Growth, graph: Nodes) -> None:
    """Set the cost of a node. If the cost is 0, the node is proven and gets the next rank."""
    node = graph.nodes[number]
    node.cost = cost
    if cost == 0:
        growth.ranks += 1
        node.rank = growth.ranks


@kernel
def follow(game: Game, s: Any, number: int, growth: Growth, graph: Nodes, run: Run) -> tuple[int, Any]:
    """Follow the best moves to a node that is decided, STUCK or not yet expanded; returns its ply and its state."""
    ply = 0
    while True:
        growth.nodes[ply] = number
        node = graph.nodes[number]
        node.on_way = 1
        if run.observer is not None:
            run.observer.reaches(s, ply, number)
        best = update(number, growth, graph, run)
        if best == NOTHING:
            break
        if ply >= MAX_PLY:
            run.counts.stop = TOO_DEEP
            break
        number, s = after_edge(game, s, best, ply, graph, run)
        ply += 1
    run.counts.deepest = max(run.counts.deepest, ply)
    return ply, s


@kernel
def update(number: int, growth: Growth, graph: Nodes, run: Run) -> int:
    """Set the cost of a node from the costs of its moves; returns the edge to follow, or NOTHING if no move should be
    followed.

    The attacker needs one proven move, so the move with the least cost is followed. All moves of the defender must be
    proven, so the move with the greatest cost is followed.
    """
    node = graph.nodes[number]
    if node.count == NOTHING or node.cost == 0 or node.cost == FAILED:
        return NOTHING
    least, greatest, unproven, best = FAILED, 0, 0, NOTHING
    for i in range(node.first, node.first + node.count):
        after = graph.nodes[graph.edges[i].child]
        cost = STUCK if after.on_way else after.cost
        unproven += cost > 0
        if (node.attacking and cost < least) or (not node.attacking and cost > greatest):
            best = i
        least, greatest = min(least, cost), max(greatest, cost)
    set_cost(number, cost_after(least) if node.attacking else cost_of_all(greatest, unproven), growth, graph)
    if run.observer is not None:
        run.observer.costs(number, node.cost)
    return best if 0 < node.cost < STUCK else NOTHING


@kernel
def cost_after(least: int) -> int:
    """The cost of a position with the attacker to move, from the least cost of a move."""
    return least if least == 0 or least >= STUCK else min(MOST_COST, least + 1)


@kernel
def cost_of_all(greatest: int, unproven: int) -> int:
    """The cost of a position with the defender to move, from the greatest cost and the number of unproven moves."""
    return greatest if greatest == 0 or greatest >= STUCK else min(MOST_COST, greatest + unproven)


@kernel
def back_up(ply: int, growth: Growth, graph: Nodes, run: Run) -> None:
    """Update the nodes on the path, from the last node back to the root, and remove them from the path."""
    for i in range(ply, -1, -1):
        update(growth.nodes[i], growth, graph, run)
        graph.nodes[growth.nodes[i]].on_way = 0


@kernel
def expand(game: Game, s: Any, number: int, question: Question, growth: Growth, graph: Nodes, run: Run) -> None:
    """Add the moves of a node, until a move decides the node. If memory is full, stops the search."""
    node, first, count, is_decided = graph.nodes[number], graph.used.edges, 0, False
    for move in game.moves(s):
        if is_decided:
            break
        if not takes_another(count, graph, run):
            return
        child = node_for(game, game.result(s, move), question, growth, graph, run)
        if child == NOTHING:
            return
        edge, after = graph.edges[first + count], graph.nodes[child]
        edge.move = move
        edge.child = child
        edge.parent = number
        edge.next = after.parents
        after.parents = first + count
        count += 1
        graph.used.edges += 1
        is_decided = after.cost == (0 if node.attacking else FAILED)
    node.first = first
    node.count = count
    growth.expanded += 1


@kernel
def report_children(game: Game, s: Any, ply: int, number: int, graph: Nodes, run: Run) -> None:
    """Report the new moves of a node to the observer."""
    node = graph.nodes[number]
    run.observer.expands(ply)
    for i in range(node.first, node.first + max(0, node.count)):
        move, child = graph.edges[i].move, graph.edges[i].child
        run.observer.grows(game.result(s, move), move, child)
        run.observer.costs(child, graph.nodes[child].cost)


# All costs. --------------------------------------------------------------------------------------
@kernel
def settle(growth: Growth, graph: Nodes) -> None:
    """Recompute all costs; a node without a cost is disproven (FAILED)."""
    for cost in range(MOST_COST + 1):
        growth.heads[cost] = NOTHING
    for number in range(graph.used.nodes):
        node = graph.nodes[number]
        node.waiting = node.unproven = node.count
        if node.cost == 0 or (node.count == NOTHING and node.cost < FAILED):
            enter(number, node.cost, growth, graph)
        elif node.cost < FAILED:
            node.cost = STUCK
    for cost in range(MOST_COST + 1):
        while growth.heads[cost] != NOTHING:
            number = growth.heads[cost]
            growth.heads[cost] = graph.nodes[number].next
            pass_on(number, growth, graph)
    for number in range(graph.used.nodes):
        if graph.nodes[number].cost == STUCK:
            graph.nodes[number].cost = FAILED
    growth.expanded = 0
    growth.settled = graph.used.nodes


@kernel
def enter(number: int, cost: int, growth: Growth, graph: Nodes) -> None:
    """Add a node with a final cost to the queue for this cost."""
    graph.nodes[number].next = growth.heads[cost]
    growth.heads[cost] = number


@kernel
def pass_on(number: int, growth: Growth, graph: Nodes) -> None:
    """Update the parents of a node whose cost is final. If the attacker is to move, the first child with a final cost
    determines the final cost of the parent. If the defender is to move, the last child determines it."""
    cost, i = graph.nodes[number].cost, graph.nodes[number].parents
    while i != NOTHING:
        parent = graph.edges[i].parent
        node = graph.nodes[parent]
        node.waiting -= 1
        node.unproven -= cost == 0
        if node.cost == STUCK and (node.attacking or node.waiting == 0):
            found = cost_after(cost) if node.attacking else cost_of_all(cost, node.unproven)
            set_cost(parent, found, growth, graph)
            enter(parent, found, growth, graph)
        i = graph.edges[i].next
