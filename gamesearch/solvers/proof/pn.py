"""Best-first proof-number search: a tree in memory that grows at the most proving node.

pn: L. V. Allis, M. van der Meulen and H. J. van den Herik 1994, "Proof-number search", Artificial Intelligence 66. The
tree needs memory for each position. pn2 needs less memory: a second search with its own tree examines each leaf. The
second tree is deleted when the numbers of the leaf are known (D. M. Breuker 1998, "Memory versus Search in Games",
thesis, Maastricht University). The second tree may become as large as the first tree in this program.

A position that is reached by several paths is one node. The numbers of such a node are added several times at its
ancestors, which may mislead the search but never leads to a wrong proof.
"""

from typing import Any

from gamesearch.algorithms.node.records import Record, integer_field
from gamesearch.algorithms.node.workspace import (
    ENDLESS_MOVES,
    MAX_PLY,
    NODE_LIMIT,
    OUT_OF_SPACE,
    RUNNING,
    TOO_DEEP,
    Run,
)
from gamesearch.algorithms.tree_search.node_store import NOTHING, Edge, Node, Nodes, find, has_room, new_node
from gamesearch.compiler import kernel
from gamesearch.game import MAX, MOST_MOVES, Game
from gamesearch.solvers.proof.numbers import NEVER_PROVEN, Question, add_numbers, numbers_by_rules
from gamesearch.toolkit.bits import mix

__all__ = ["Descent", "ProofEdge", "ProofNode", "after_edge", "node_of_key", "pn", "pn2", "takes_another"]


class ProofNode(Node):
    """A position in the tree."""

    first = integer_field()
    count = integer_field()
    key = integer_field()  # the hashed key of the position
    proof = integer_field()
    disproof = integer_field()
    maximizing = integer_field()  # whether it is Max's turn


class ProofEdge(Edge):
    """A move."""

    move = integer_field()
    child = integer_field()


class Descent(Record):
    """The path to the most proving node."""

    nodes = integer_field(MAX_PLY + 1)  # the nodes on the path, by ply


@kernel
def pn(game: Game, s: Any, most: int, question: Question, descent: Descent, tree: Nodes, run: Run) -> tuple[int, int]:
    """Grow the tree of s until it has `most` nodes or s is solved; returns the proof and disproof numbers of s."""
    begin(game, s, question, tree, run)
    root = tree.nodes[0]
    while root.proof > 0 and root.disproof > 0 and tree.used.nodes < most and not run.counts.stop:
        ply, leaf = descend(game, s, descent, tree, run)
        number = descent.nodes[ply]
        if tree.nodes[number].count == NOTHING and not run.counts.stop:
            expand(game, leaf, number, question, tree, run)
            if run.observer is not None:
                report_children(game, leaf, ply, number, tree, run)
        finish(ply, descent, question, tree, run)
    return int(root.proof), int(root.disproof)


@kernel
def pn2(
    game: Game,
    s: Any,
    question: Question,
    descent: Descent,
    inner_descent: Descent,
    tree: Nodes,
    inner: Nodes,
    run: Run,
    inner_run: Run,
) -> tuple[int, int]:
    """Prove or disprove s by a tree, and search each leaf by an inner tree; returns the proof and disproof numbers of
    s.

    One of the two numbers is 0, unless the search is stopped. The node limit applies to both trees together. An
    observer only sees the outer tree.
    """
    begin(game, s, question, tree, run)
    root = tree.nodes[0]
    while root.proof > 0 and root.disproof > 0 and not run.counts.stop:
        ply, leaf = descend(game, s, descent, tree, run)
        number = descent.nodes[ply]
        if tree.nodes[number].count == NOTHING and not run.counts.stop:
            clear(inner)
            # The limit is at least two nodes, so that the leaf is expanded.
            pn(game, leaf, max(2, tree.used.nodes), question, inner_descent, inner, inner_run)
            if run.counts.stop == OUT_OF_SPACE and inner.nodes[0].count != NOTHING:
                run.counts.stop = RUNNING
            if not run.counts.stop:
                adopt(number, tree, inner, run)
                if run.observer is not None:
                    report_children(game, leaf, ply, number, tree, run)
        finish(ply, descent, question, tree, run)
    return int(root.proof), int(root.disproof)


@kernel
def begin(game: Game, s: Any, question: Question, tree: Nodes, run: Run) -> None:
    """Create the root if the tree is empty."""
    if tree.used.nodes == 0:
        node_for(game, s, question, tree, run)
        if run.observer is not None:
            run.observer.reaches(s, 0, 0)
            run.observer.lacks(0, tree.nodes[0].proof, tree.nodes[0].disproof)


@kernel
def finish(ply: int, descent: Descent, question: Question, tree: Nodes, run: Run) -> None:
    """Update the nodes on the path after a change of the leaf; stop the search if the node limit is reached."""
    back_up(ply, descent, tree, run)
    if run.observer is not None:
        run.observer.expanded()
    if 0 < question.node_limit <= run.counts.nodes and not run.counts.stop:
        run.counts.stop = NODE_LIMIT


@kernel
def node_for(game: Game, s: Any, question: Question, tree: Nodes, run: Run) -> int:
    """The index of the node of a position; a new position is added. If memory is full, stops and returns NOTHING."""
    number, is_new = node_of_key(mix(game.key(s)), tree, run)
    if is_new:
        run.counts.nodes += 1
        node = tree.nodes[number]
        node.proof, node.disproof = numbers_by_rules(game, s, question)
        node.maximizing = not game.terminal(s) and game.player(s) == MAX
    elif number != NOTHING:
        run.counts.table_hits += 1
    return number


@kernel
def node_of_key(key: int, tree: Nodes, run: Run) -> tuple[int, bool]:
    """The index of the node of a hashed key, and whether the node is new. If memory is full, stops and returns
    NOTHING."""
    known = tree.index[find(tree.index, key)]
    if known.filled:
        return int(known.number), False
    number = new_node(tree, key)
    if number == NOTHING:
        run.counts.stop = OUT_OF_SPACE
        return NOTHING, False
    tree.nodes[number].key = key
    return number, True


@kernel
def descend(game: Game, s: Any, descent: Descent, tree: Nodes, run: Run) -> tuple[int, Any]:
    """Follow the most proving moves to a node that is not yet expanded, or solved; returns its ply and its state."""
    number, ply = 0, 0
    while True:
        descent.nodes[ply] = number
        node = tree.nodes[number]
        if run.observer is not None:
            run.observer.reaches(s, ply, number)
        best = update(number, tree, run) if node.count != NOTHING else NOTHING
        if best == NOTHING or node.proof == 0 or node.disproof == 0:
            break
        if ply >= MAX_PLY:
            run.counts.stop = TOO_DEEP
            break
        number, s = after_edge(game, s, best, ply, tree, run)
        ply += 1
    run.counts.deepest = max(run.counts.deepest, ply)
    return ply, s


@kernel
def after_edge(game: Game, s: Any, edge: int, ply: int, tree: Nodes, run: Run) -> tuple[int, Any]:
    """The index of the node that an edge leads to from s, and the state of that node."""
    number = tree.edges[edge].child
    move = move_to(game, s, tree.edges[edge].move, tree.nodes[number].key)
    if run.observer is not None:
        run.observer.follows(ply, move)
    return int(number), game.result(s, move)


@kernel
def move_to(game: Game, s: Any, move: int, key: int) -> int:
    """Find the move from s to the position with a hashed key. This move is usually `move`.

    The tree has one node for all positions with equal keys, such as rows of pins in another order. The same move can
    have different numbers in these positions.
    """
    for each in game.moves(s):
        if each == move and mix(game.key(game.result(s, each))) == key:
            return int(each)
    for each in game.moves(s):
        if mix(game.key(game.result(s, each))) == key:
            return int(each)
    return move


@kernel
def update(number: int, tree: Nodes, run: Run) -> int:
    """Set a node's proof and disproof numbers from the numbers of its moves; returns the edge of the most proving move.

    A Max node is proven when one of its moves is proven, and disproven when all its moves are disproven. Min nodes
    exchange the roles of proof and disproof.
    """
    node = tree.nodes[number]
    least, total, best = NEVER_PROVEN, 0, node.first
    for i in range(node.first, node.first + node.count):
        after = tree.nodes[tree.edges[i].child]
        one = after.proof if node.maximizing else after.disproof
        total = add_numbers(total, after.disproof if node.maximizing else after.proof)
        if one < least:
            least, best = one, i
    node.proof = least if node.maximizing else total
    node.disproof = total if node.maximizing else least
    if run.observer is not None:
        run.observer.lacks(number, node.proof, node.disproof)
    return int(best)


@kernel
def back_up(ply: int, descent: Descent, tree: Nodes, run: Run) -> None:
    """Update the nodes on the path, from the most proving node back to the root."""
    for i in range(ply, -1, -1):
        number = descent.nodes[i]
        if tree.nodes[number].count != NOTHING:
            update(number, tree, run)


@kernel
def expand(game: Game, s: Any, number: int, question: Question, tree: Nodes, run: Run) -> None:
    """Add the moves of a node, until a move decides the node. If memory is full, stops the search."""
    node, first, count, is_decided = tree.nodes[number], tree.used.edges, 0, False
    for move in game.moves(s):
        if is_decided:
            break
        if not takes_another(count, tree, run):
            return
        child = node_for(game, game.result(s, move), question, tree, run)
        if child == NOTHING:
            return
        edge = tree.edges[first + count]
        edge.move = move
        edge.child = child
        count += 1
        tree.used.edges += 1
        after = tree.nodes[child]
        is_decided = after.proof == 0 if node.maximizing else after.disproof == 0
    node.first = first
    node.count = count


@kernel
def takes_another(count: int, tree: Nodes, run: Run) -> bool:
    """Whether another move can be added to a node with `count` moves; if not, stops the search."""
    if count >= MOST_MOVES:
        run.counts.stop = ENDLESS_MOVES
    elif not has_room(tree, 1):
        run.counts.stop = OUT_OF_SPACE
    return not run.counts.stop


@kernel
def report_children(game: Game, s: Any, ply: int, number: int, tree: Nodes, run: Run) -> None:
    """Report the new moves of a node and its proof and disproof numbers to the observer. A node that was solved by the
    inner search has no moves."""
    node = tree.nodes[number]
    run.observer.expands(ply)
    for i in range(node.first, node.first + max(0, node.count)):
        move, child = tree.edges[i].move, tree.edges[i].child
        run.observer.grows(game.result(s, move), move, child)
        run.observer.lacks(child, tree.nodes[child].proof, tree.nodes[child].disproof)
    run.observer.lacks(number, node.proof, node.disproof)


@kernel
def adopt(number: int, tree: Nodes, inner: Nodes, run: Run) -> None:
    """Copy the results of an inner tree to a node: the two numbers if they are solved, otherwise the moves with
    numbers."""
    node, root = tree.nodes[number], inner.nodes[0]
    if root.proof == 0 or root.disproof == 0:
        node.proof, node.disproof = root.proof, root.disproof
        return
    first = tree.used.edges
    if not has_room(tree, root.count):
        run.counts.stop = OUT_OF_SPACE
        return
    for i in range(root.count):
        found = inner.nodes[inner.edges[root.first + i].child]
        child, is_new = node_of_key(found.key, tree, run)
        if child == NOTHING:
            return
        after = tree.nodes[child]
        if is_new or found.proof == 0 or found.disproof == 0:
            after.proof = found.proof
            after.disproof = found.disproof
            after.maximizing = found.maximizing
        edge = tree.edges[first + i]
        edge.move = inner.edges[root.first + i].move
        edge.child = child
    tree.used.edges += root.count
    node.first = first
    node.count = root.count


@kernel
def clear(tree: Nodes) -> None:
    """Delete all nodes, the newest first. So `find` still reaches every remaining node, because only newer nodes were
    placed behind a deleted entry of the index."""
    for i in range(tree.used.nodes - 1, -1, -1):
        tree.index[find(tree.index, tree.nodes[i].key)].filled = 0
    tree.used.nodes = 0
    tree.used.edges = 0
