"""The choice of the next leaf: the value of information, and the relevance of a child to its parent.

At the root, the value of information about a move is the expected gain from knowing its exact value. The move may turn
out better than the best move so far, or the best move may turn out worse than the second best (S. Russell and E. Wefald
1991, "Principles of metareasoning", Artificial Intelligence 49; R. A. Howard 1966, "Information value theory"). Below
the root, the relevance of a child is the expected change of the node's value when the value of the child becomes known
(E. B. Baum and W. D. Smith 1997, "A Bayesian approach to relevance in game playing", Artificial Intelligence 97). The
value of information and the relevance assume that one step of search makes a value certain. Gains that need several
steps are not considered, so the search may stop too soon.
"""

import math

from gamesearch.algorithms.node.workspace import Run
from gamesearch.algorithms.tree_search.beliefs import BINS, BeliefSettings
from gamesearch.algorithms.tree_search.growth import is_dominated, is_proven
from gamesearch.algorithms.tree_search.node_store import NOTHING, Nodes
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, MIN

__all__ = ["close", "most_relevant_edge", "most_valuable_edge"]


@kernel
def is_open(number: int, child: int, tree: Nodes) -> bool:
    """Whether a search below a child may still be useful: the child is neither dominated nor closed."""
    node = tree.nodes[number]
    is_better = node.player == CHANCE or not is_dominated(node.player, number, child, tree)
    return bool(is_better and not tree.nodes[child].closed)


@kernel
def close(number: int, tree: Nodes) -> None:
    """Mark a node as closed if no relevant leaf below it can be expanded."""
    node = tree.nodes[number]
    node.closed = 1
    if not is_proven(number, tree):
        for edge in range(node.first, node.first + node.count):
            if is_open(number, tree.edges[edge].child, tree):
                node.closed = 0
                break


@kernel
def most_valuable_edge(number: int, belief: BeliefSettings, tree: Nodes, run: Run) -> int:
    """The root move about which information is most valuable; NOTHING if no expected gain exceeds `belief.gain`.

    If only terminal positions have values (`belief.final`), a gain of 0 is enough, so that the search expands the whole
    game tree.
    """
    node = tree.nodes[number]
    if node.player == CHANCE:
        return most_relevant_edge(number, belief, tree, run)
    sign = -1.0 if node.player == MIN else 1.0
    best, greatest, second = NOTHING, -math.inf, -math.inf
    for edge in range(node.first, node.first + node.count):
        worth = sign * tree.nodes[tree.edges[edge].child].mean
        if worth > greatest:
            best, greatest, second = edge, worth, greatest
        else:
            second = max(second, worth)
    chosen, most = NOTHING, belief.gain if not belief.final else -1.0
    for edge in range(node.first, node.first + node.count):
        if is_open(number, tree.edges[edge].child, tree):
            rival = second if edge == best else greatest
            gain = expected_gain(edge, rival, sign, edge == best, belief, tree)
            if run.observer is not None:
                run.observer.weighs(tree.edges[edge].move, 0, gain)
            if gain > most:
                chosen, most = edge, gain
    return chosen


@kernel
def expected_gain(edge: int, rival: float, sign: float, is_best: bool, belief: BeliefSettings, tree: Nodes) -> float:
    """The expected gain from knowing a move's exact value. The move is compared with the value `rival` of the best move
    so far (or, for the best move, of the second best). Knowledge of the value only gains something if it changes the
    order of the two moves."""
    place, before, total = edge * BINS, 0.0, 0.0
    for i in range(BINS):
        below = tree.totals[place + i]
        gain = sign * (belief.least + i * belief.step) - rival
        if is_best:
            gain = -gain
        if gain > 0.0 and below > before:
            total += (below - before) * gain
        before = below
    return total


@kernel
def most_relevant_edge(number: int, belief: BeliefSettings, tree: Nodes, run: Run) -> int:
    """The edge to the most relevant child: knowledge of its exact value is expected to change the node's value most.
    NOTHING if no child is open."""
    node = tree.nodes[number]
    is_min, mean = node.player == MIN, 0.0
    if node.player != CHANCE:
        mean = note_best(number, is_min, belief, tree)
    chosen, most = NOTHING, -1.0
    for i in range(node.first, node.first + node.count):
        edge = tree.edges[i]
        if is_open(number, edge.child, tree):
            if node.player == CHANCE:
                relevance = edge.prior * math.sqrt(tree.nodes[edge.child].variance)
            else:
                relevance = expected_change(i, mean, is_min, belief, tree)
            if run.observer is not None:
                run.observer.weighs(edge.move, 0, relevance * (1.0 if node.player == CHANCE else belief.step))
            if relevance > most:
                chosen, most = i, relevance
    return chosen


@kernel
def share_up_to(edge: int, i: int, is_min: bool, tree: Nodes) -> float:
    """The probability that a value lies in bins 0 to i. Bin 0 is the lowest bin for Max, and the highest bin for
    Min."""
    if not is_min:
        return float(tree.totals[edge * BINS + i])
    return 1.0 - tree.totals[edge * BINS + BINS - 2 - i] if i < BINS - 1 else 1.0


@kernel
def note_best(number: int, is_min: bool, belief: BeliefSettings, tree: Nodes) -> float:
    """Write the cumulative probabilities of a node's best value. Returns the mean of this value, measured in bins."""
    node, before, mean = tree.nodes[number], 0.0, 0.0
    for i in range(BINS):
        product = 1.0
        for edge in range(node.first, node.first + node.count):
            product *= share_up_to(edge, i, is_min, tree)
        belief.whole[i] = product
        mean += (product - before) * i
        before = product
    return mean


@kernel
def expected_change(edge: int, mean: float, is_min: bool, belief: BeliefSettings, tree: Nodes) -> float:
    """The expected change of a node's mean, measured in bins, when the value of the child after an edge becomes known.

    If the child's value is in bin i, the node's value is in bin i or, if another child is better, in a better bin. So
    the new mean is i + p(i) + p(i + 1) + ..., if p(j) is the probability that another child's value is better than bin
    j.
    """
    beyond, total, up_to = 0.0, 0.0, share_up_to(edge, BINS - 1, is_min, tree)
    for i in range(BINS - 1, -1, -1):
        if up_to <= 0.0:
            break
        if i < BINS - 1:
            beyond += 1.0 - min(1.0, belief.whole[i] / up_to)
        before = share_up_to(edge, i - 1, is_min, tree) if i > 0 else 0.0
        total += (up_to - before) * abs(i + beyond - mean)
        up_to = before
    return total
