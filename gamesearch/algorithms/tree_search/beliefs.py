"""Beliefs about the values of nodes, and the choice of the next leaf by the value of information.

A belief is a histogram with BINS bins on one scale for the whole tree. For each edge, the store contains a histogram
for the node to which the edge leads. The histogram is cumulative: it contains the probability that the value lies in a
bin or below it. Each value is replaced by the center of its bin, which keeps the values in order. So the cumulative
probability of the maximum of independent values is exactly the product of their cumulative probabilities, and the
minimum is computed in the same way. The error of a value is at most half a bin, however deep the tree is. If the
distribution of each maximum were replaced by a normal distribution, the error would be unknown and would grow with each
level of the tree.

The value of a chance node is the weighted sum of the values of its outcomes. The belief about a chance node is a normal
distribution with the mean and the variance of this sum. Mixing the histograms by weight would be wrong: the mixture
would include the luck of the dice, as if players knew the dice before they chose a move.

At the root, the value of information about a move is the expected gain from knowing its exact value. The move may turn
out better than the best move so far, or the best move may turn out worse than the second best (S. Russell and E. Wefald
1991, "Principles of metareasoning", Artificial Intelligence 49; R. A. Howard 1966, "Information value theory"). Below
the root, the relevance of a child is how much the value of its parent is expected to change once the child's value is
known (E. B. Baum and W. D. Smith 1997, "A Bayesian approach to relevance in game playing", Artificial Intelligence 97).
The relevance and the value of information are computed as if one step of search made a value certain. Gains that need
several steps are not considered, so the search may stop too soon.
"""

import math

from gamesearch.algorithms.node.records import Record, float_field, integer_field
from gamesearch.algorithms.node.workspace import Run
from gamesearch.algorithms.tree_search.growth import OVER, ValuedNode, is_dominated, is_proven
from gamesearch.algorithms.tree_search.node_store import NOTHING, Nodes
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, MIN, Game

__all__ = [
    "BINS", "BeliefNode", "BeliefSettings", "close", "deviation_with", "estimate_scale", "most_relevant_edge",
    "most_valuable_edge", "set_scale", "update_belief",
]  # fmt: skip

BINS = 64
REACH = 6.0
"""The scale extends beyond the estimates of the root's moves by this number of standard errors."""
FIRST_GUESS = 0.1
"""The assumed error of estimates before anything is measured, as a fraction of the range of estimates."""


class BeliefNode(ValuedNode):
    """A position in the tree."""

    closed = integer_field()  # whether no relevant leaf below the node can be expanded
    guess = float_field()  # the estimate of the node's own position
    error = float_field()  # standard error of an estimate from random games; 0 for other estimates
    mean = float_field()  # mean of the belief
    variance = float_field()


class BeliefSettings(Record):
    """The settings of a search with beliefs, and the scale of its values."""

    error = float_field()  # given standard deviation of the error of estimates; 0 to measure it
    gain = float_field()  # the search ends if no move has a greater expected gain
    playouts = integer_field()  # number of random games that estimate a leaf; 0 for the game's evaluation
    final = integer_field()  # whether only terminal positions have values (leaves=payoffs)
    first = float_field()  # the assumed error of estimates before anything is measured
    lowest = float_field()  # limits of the scale; payoffs beyond them count as the limits
    highest = float_field()
    skips_wins = integer_field()  # whether wins and losses are on another scale than estimates
    spread = float_field()  # current standard deviation of the error
    least = float_field()  # center of the first bin
    step = float_field()  # the width of a bin
    due = integer_field()  # number of expansions after which the scale is computed again
    scaled = integer_field()  # number of expansions when the scale was last computed
    whole = float_field(BINS)  # cumulative probabilities of a node's best value


def estimate_scale(game: Game, is_in_payoffs: bool) -> dict[str, float]:
    """Return the fields of `BeliefSettings` that depend on the scale of a game's estimates.

    `lowest` and `highest` are the limits of estimates, and `first` is a first guess at their error. `skips_wins` is
    true if `set_scale` skips wins and losses.

    Estimates and payoffs may have different scales. An estimate in chess counts pawns, and a win pays 1000. In Connect
    Four, estimates lie between -1 and 1, and an early win pays up to 18. `is_in_payoffs` says that the values of leaves
    are payoffs or averages of payoffs.
    """
    lowest, highest = float(game.MINSCORE), float(game.MAXSCORE)
    if is_in_payoffs:
        return {"lowest": lowest, "highest": highest, "first": FIRST_GUESS * (highest - lowest), "skips_wins": False}
    if game.payoffs_tell_how_soon:
        lowest, highest = game.draw_value() - 1.0, game.draw_value() + 1.0
    is_in_units = bool(game.win_or_loss and game.unit)
    first = 1.0 if is_in_units else FIRST_GUESS * (highest - lowest)
    skips_wins = is_in_units or game.payoffs_tell_how_soon
    return {"lowest": lowest, "highest": highest, "first": first, "skips_wins": skips_wins}


@kernel
def update_belief(game: Game, number: int, edge: int, belief: BeliefSettings, tree: Nodes) -> None:
    """Compute the belief about the child after an edge. If the child is a leaf, the belief comes from its estimate.
    Otherwise, the belief comes from the child's own children."""
    node, place = tree.nodes[number], edge * BINS
    if is_proven(number, tree):
        node.mean, node.variance = node.lower, 0.0
        write_normal(node.lower, 0.0, place, belief, tree)
    elif node.count > 0 and node.player == CHANCE:
        sum_outcomes(number, tree)
        write_normal(node.mean, math.sqrt(node.variance), place, belief, tree)
    else:
        if node.count > 0:
            write_best(number, place, tree)
        elif belief.final and node.player != OVER:
            write_uniform(game, place, belief, tree)
        else:
            write_normal(node.estimate, deviation_with(belief.spread, node.error), place, belief, tree)
        read_moments(number, place, belief, tree)


@kernel
def deviation_with(spread: float, error: float) -> float:
    """The standard deviation of the sum of two independent errors. `spread` is the standard deviation of estimates, and
    `error` is the standard error of a mean of random games, or 0 if no games were played."""
    return spread if error == 0.0 else math.sqrt(spread * spread + error * error)


@kernel
def write_normal(mean: float, deviation: float, place: int, belief: BeliefSettings, tree: Nodes) -> None:
    """Write the histogram of a normal distribution. The first and the last bin also contain the tails of the
    distribution. If `deviation` is 0, the distribution is the single value `mean`."""
    for i in range(BINS - 1):
        upper = belief.least + (i + 0.5) * belief.step
        if deviation > 0.0:
            tree.totals[place + i] = 0.5 + 0.5 * math.erf((upper - mean) / (deviation * math.sqrt(2.0)))
        else:
            tree.totals[place + i] = 1.0 if mean <= upper else 0.0
    tree.totals[place + BINS - 1] = 1.0


@kernel
def write_uniform(game: Game, place: int, belief: BeliefSettings, tree: Nodes) -> None:
    """For a node without an estimate, write a uniform distribution from the smallest to the greatest payoff."""
    least, greatest = float(game.MINSCORE), float(game.MAXSCORE)
    for i in range(BINS - 1):
        upper = belief.least + (i + 0.5) * belief.step
        share = (upper - least) / (greatest - least) if greatest > least else 1.0
        tree.totals[place + i] = max(0.0, min(1.0, share))
    tree.totals[place + BINS - 1] = 1.0


@kernel
def write_best(number: int, place: int, tree: Nodes) -> None:
    """Write the distribution of a node's value. This value is the maximum of the children's values, or the minimum at a
    Min node."""
    node = tree.nodes[number]
    is_min = node.player == MIN
    for i in range(BINS - 1):
        product = 1.0
        for edge in range(node.first, node.first + node.count):
            below = tree.totals[edge * BINS + i]
            product *= 1.0 - below if is_min else below
        tree.totals[place + i] = 1.0 - product if is_min else product
    tree.totals[place + BINS - 1] = 1.0


@kernel
def sum_outcomes(number: int, tree: Nodes) -> None:
    """Set the mean and the variance of a chance node. Its value is the weighted sum of the values of its outcomes,
    which are independent."""
    node, mean, variance = tree.nodes[number], 0.0, 0.0
    for i in range(node.first, node.first + node.count):
        edge = tree.edges[i]
        mean += edge.prior * tree.nodes[edge.child].mean
        variance += edge.prior * edge.prior * tree.nodes[edge.child].variance
    node.mean, node.variance = mean, variance


@kernel
def read_moments(number: int, place: int, belief: BeliefSettings, tree: Nodes) -> None:
    """Compute the mean and the variance of a node from its histogram."""
    node, before, mean, square = tree.nodes[number], 0.0, 0.0, 0.0
    for i in range(BINS):
        below = tree.totals[place + i]
        mean += (below - before) * i
        square += (below - before) * i * i
        before = below
    node.mean = belief.least + belief.step * mean
    node.variance = max(0.0, square - mean * mean) * belief.step * belief.step


@kernel
def set_scale(game: Game, root: int, made: int, belief: BeliefSettings, tree: Nodes) -> None:
    """Measure the error of estimates (unless it is given), choose the scale again, and compute all beliefs on this
    scale.

    The scale contains the estimates of the root's moves. All values above the scale may count as equal, because their
    maximum and minimum are also above the scale. The same applies to all values below the scale. In games with chance,
    the scale contains all payoffs, because averages depend on all values. Parents come before their children in the
    store, so the beliefs are computed from the last node to the first.
    """
    is_told = belief.error > 0.0 or belief.playouts > 0
    belief.spread = belief.error if is_told else measured_error(belief, tree)
    margin = REACH * deviation_with(belief.spread, greatest_error(tree) if belief.playouts > 0 else 0.0)
    node, least, greatest = tree.nodes[root], math.inf, -math.inf
    if game.chance:
        least, greatest = float(game.MINSCORE) - margin, float(game.MAXSCORE) + margin
    for edge in range(node.first, node.first + node.count):
        child = tree.nodes[tree.edges[edge].child]
        if belief.skips_wins and not is_proven(root, tree) and is_won_or_lost(tree.edges[edge].child, belief, tree):
            continue
        low, high = child.estimate, child.estimate
        if belief.final and child.count <= 0 and child.player != OVER:
            low, high = float(game.MINSCORE), float(game.MAXSCORE)
        least, greatest = min(least, low - margin), max(greatest, high + margin)
    if not belief.final:
        least, greatest = max(least, belief.lowest), min(greatest, belief.highest)
    belief.least, belief.step = least, max(0.0, greatest - least) / (BINS - 1)
    belief.scaled = made
    for number in range(tree.used.nodes - 1, -1, -1):
        node = tree.nodes[number]
        for edge in range(node.first, node.first + node.count):
            update_belief(game, tree.edges[edge].child, edge, belief, tree)


@kernel
def greatest_error(tree: Nodes) -> float:
    """The greatest standard error of all estimates in the tree. Only estimates from random games have standard
    errors."""
    greatest = 0.0
    for number in range(tree.used.nodes):
        greatest = max(greatest, tree.nodes[number].error)
    return greatest


@kernel
def measured_error(belief: BeliefSettings, tree: Nodes) -> float:
    """Each node has a first estimate and an estimate that was backed up from its children. Return the root mean square
    of the differences between these two estimates.

    As the tree grows, backed-up estimates come from greater depths. `belief.first` counts as one additional difference.
    """
    squares, count = belief.first * belief.first, 1
    for number in range(tree.used.nodes):
        node = tree.nodes[number]
        if node.count > 0 and not (belief.skips_wins and is_won_or_lost(number, belief, tree)):
            change = max(belief.lowest, min(belief.highest, node.estimate)) - node.guess
            squares += change * change
            count += 1
    return math.sqrt(squares / count)


@kernel
def is_won_or_lost(number: int, belief: BeliefSettings, tree: Nodes) -> bool:
    """Whether a node is proven to be a win or a loss."""
    node = tree.nodes[number]
    return bool(node.lower >= belief.highest or node.upper <= belief.lowest)


@kernel
def is_open(number: int, child: int, tree: Nodes) -> bool:
    """Whether a search below a child may still be useful. No other child may dominate this child, and it must not be
    closed."""
    node = tree.nodes[number]
    is_better = node.player == CHANCE or not is_dominated(node.player, number, child, tree)
    return bool(is_better and not tree.nodes[child].closed)


@kernel
def close(number: int, tree: Nodes) -> None:
    """Mark a node as closed, unless a relevant leaf below it can still be expanded."""
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

    If only terminal positions have values (`belief.final`), a gain of 0 is enough. So the search can expand the whole
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
    """The expected gain from knowing a move's exact value. The move is compared with `rival`, the best value among the
    other moves. Knowing the value helps only if it changes the order of the two moves."""
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
    """Return the edge to the most relevant child. The relevance of a child is how much the node's value is expected to
    change once the child's exact value is known. Return NOTHING if no child is open (see `is_open`)."""
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
    """The probability that a value lies in one of the bins from 0 (the worst for the player) to i."""
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
    """The expected change of a node's mean, measured in bins, if the exact value of the child after this edge becomes
    known.

    Suppose that the child's value is in bin i, and that another child's value is better than bin j with probability
    p(j). Then the node's value is in bin i or in a better bin, and the new mean is i + p(i) + p(i + 1) + ....
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
