"""Which move of a node Monte Carlo tree search follows: the greatest upper confidence bound, and what may be added.

UCT: L. Kocsis and C. Szepesvari 2006, "Bandit based Monte-Carlo planning", ECML. Urgency of moves not yet played, and
all moves as first: S. Gelly and D. Silver 2007, "Combining online and offline knowledge in UCT", ICML. Progressive bias
and widening: G. Chaslot et al. 2008, "Progressive strategies for Monte-Carlo tree search", New Mathematics and Natural
Computation 4. Estimates backed up by minimax: M. Lanctot et al. 2014, "Monte Carlo tree search with heuristic
evaluations using implicit minimax backups", IEEE CIG.
"""

import math
from typing import Any

from gamesearch.algorithms.node.workspace import Run
from gamesearch.algorithms.tree_search.growth import Asked, is_dominated
from gamesearch.algorithms.tree_search.node_store import NOTHING, Nodes
from gamesearch.algorithms.tree_search.playout import Playing, random_unit, width_of
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, MIN, Game

__all__ = ["select_edge"]


@kernel
def select_edge(game: Game[Any], number: int, asked: Asked, tree: Nodes, playing: Playing, run: Run) -> int:
    """The edge to follow; NOTHING where each is proven to be no better than what is certain already."""
    node = tree.nodes[number]
    if node.player == CHANCE:
        return drawn_edge(number, tree, playing)
    log_visits = math.log(max(1.0, float(node.visits)))
    window, best, greatest = node.count, NOTHING, -math.inf
    if asked.widening > 0.0:
        window = min(window, int(asked.widening * math.sqrt(float(node.visits) + 1.0)) + 1)
    for i in range(node.first, node.first + node.count):
        if i >= node.first + window and best != NOTHING:
            break
        child = tree.edges[i].child
        if asked.solver and child != NOTHING and is_dominated(node.player, number, child, tree):
            continue
        bound = upper_bound(game, node.player, i, log_visits, asked, tree)
        if run.observer is not None:
            run.observer.weighs(tree.edges[i].move, tree.edges[i].visits, bound)
        if bound > greatest:
            best, greatest = i, bound
    return best


@kernel
def drawn_edge(number: int, tree: Nodes, playing: Playing) -> int:
    """The edge of an outcome, drawn by its probability."""
    node, left = tree.nodes[number], random_unit(playing)
    for i in range(node.first, node.first + node.count):
        left -= tree.edges[i].prior
        if left < 0.0:
            return i
    return int(node.first + node.count - 1)


@kernel
def upper_bound(game: Game[Any], player: int, i: int, log_visits: float, asked: Asked, tree: Nodes) -> float:
    """The average payoff of a move from 0 to 1, and how much more it may be worth, for the player who moves."""
    edge, width = tree.edges[i], width_of(game)
    visits = edge.visits
    bound = asked.urgency
    if visits > 0:
        total = tree.totals[i * width + (player if width > 1 else 0)]
        bound = worth(game, player, total / visits, edge.wins / visits, asked)
    if asked.implicit > 0.0 and edge.child != NOTHING:
        estimate = from_0_to_1(game, player, tree.nodes[edge.child].estimate, asked)
        bound = (1.0 - asked.implicit) * bound + asked.implicit * estimate
    if asked.rave > 0.0 and edge.amaf_visits > 0:
        seen = edge.amaf_visits
        as_first = worth(game, player, edge.amaf_total / seen, edge.amaf_wins / seen, asked)
        share = math.sqrt(asked.rave / (3.0 * visits + asked.rave))
        bound = (1.0 - share) * bound + share * as_first
    if visits > 0:
        bound += asked.exploration * math.sqrt(log_visits / visits)
    if asked.bias > 0.0:
        bound += asked.bias * edge.prior / (visits + 1)
    return float(bound)


@kernel
def worth(game: Game[Any], player: int, payoff: float, won: float, asked: Asked) -> float:
    """What playouts are worth to a player, from 0 to 1: by what they paid on average, and how many of them Max won."""
    share = from_0_to_1(game, player, payoff, asked)
    if game.payoff_count == 1 and asked.wins > 0.0:
        share += asked.wins * ((1.0 - won if player == MIN else won) - share)
    return share


@kernel
def from_0_to_1(game: Game[Any], player: int, payoff: float, asked: Asked) -> float:
    """A payoff as a number from 0 to 1 for a player: where it is between the least and the greatest so far."""
    if asked.greatest <= asked.least:
        return 0.5
    share = (payoff - asked.least) / (asked.greatest - asked.least)
    return float(1.0 - share if player == MIN and game.payoff_count == 1 else share)
