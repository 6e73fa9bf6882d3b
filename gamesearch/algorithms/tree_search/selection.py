"""The selection of moves in Monte Carlo tree search: by the greatest upper confidence bound, with optional additions.

UCT: L. Kocsis and C. Szepesvari 2006, "Bandit based Monte-Carlo planning", ECML. First-play urgency, RAVE, and virtual
playouts that stand for prior knowledge: S. Gelly and D. Silver 2007, "Combining online and offline knowledge in UCT",
ICML. In RAVE, a playout counts for every move that a player made in it, not only for the first move. Progressive
widening: G. Chaslot et al. 2008, "Progressive strategies for Monte-Carlo tree search", New Mathematics and Natural
Computation 4. Implicit minimax backups: M. Lanctot et al. 2014, "Monte Carlo tree search with heuristic evaluations
using implicit minimax backups", IEEE CIG.
"""

import math

from gamesearch.algorithms.node.records import Record, integer_field
from gamesearch.algorithms.node.workspace import Run
from gamesearch.algorithms.tree_search.growth import TreeEdge, TreeSettings, is_dominated
from gamesearch.algorithms.tree_search.node_store import NOTHING, Nodes
from gamesearch.algorithms.tree_search.playout import PlayoutRecord, payoff_of, random_unit, width_of, win_of
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, MIN, Game
from gamesearch.toolkit.bits import mix

__all__ = ["Rave", "note_all_as_first", "select_edge"]

PLACES = 1 << 12
"""The number of entries in which the moves of a playout are noted. If two moves have the same entry, the earlier move
is forgotten."""


class Rave(Record):
    """The moves of the current playout. Each player and move has an entry: the last ply at which the player made the
    move."""

    playout = integer_field()  # number of the current playout; entries of other playouts count as empty
    playouts = integer_field(PLACES)
    moves = integer_field(PLACES)
    players = integer_field(PLACES)
    plies = integer_field(PLACES)


@kernel
def select_edge(game: Game, number: int, settings: TreeSettings, tree: Nodes, record: PlayoutRecord, run: Run) -> int:
    """Choose the edge that the playout follows. Return NOTHING if an edge has a proven value, and no other edge can be
    better."""
    node = tree.nodes[number]
    if node.player == CHANCE:
        return choose_random_edge(number, tree, record)
    log_visits = math.log(max(1.0, float(node.visits)))
    window, best, greatest = node.count, NOTHING, -math.inf
    if settings.widening > 0.0:
        window = min(window, int(settings.widening * math.sqrt(float(node.visits) + 1.0)) + 1)
    for i in range(node.first, node.first + node.count):
        if i >= node.first + window and best != NOTHING:
            break
        child = tree.edges[i].child
        if settings.solver and child != NOTHING and is_dominated(node.player, number, child, tree):
            continue
        bound = upper_bound(game, node.player, i, log_visits, settings, tree)
        if run.observer is not None:
            run.observer.weighs(tree.edges[i].move, tree.edges[i].visits, bound)
        if bound > greatest:
            best, greatest = i, bound
    return best


@kernel
def choose_random_edge(number: int, tree: Nodes, record: PlayoutRecord) -> int:
    """Choose an edge of a chance node at random, according to the probabilities of the outcomes."""
    node, left = tree.nodes[number], random_unit(record)
    for i in range(node.first, node.first + node.count):
        left -= tree.edges[i].prior
        if left < 0.0:
            return i
    return int(node.first + node.count - 1)


@kernel
def upper_bound(game: Game, player: int, i: int, log_visits: float, settings: TreeSettings, tree: Nodes) -> float:
    """The upper confidence bound of a move for the player who makes it: an average from 0 to 1, plus the exploration
    term."""
    edge, width = tree.edges[i], width_of(game)
    visits, bound = edge.visits, settings.urgency
    if visits > 0:
        total = tree.totals[i * width + (player if width > 1 else 0)]
        bound = worth(game, player, total / visits, edge.wins / visits, settings)
    bound = with_prior(bound, visits, edge, settings)
    if settings.implicit > 0.0 and edge.child != NOTHING:
        estimate = from_0_to_1(game, player, tree.nodes[edge.child].estimate, settings)
        bound = (1.0 - settings.implicit) * bound + settings.implicit * estimate
    if settings.rave > 0.0 and edge.amaf_visits > 0:
        seen = edge.amaf_visits
        as_first = worth(game, player, edge.amaf_total / seen, edge.amaf_wins / seen, settings)
        as_first = with_prior(as_first, seen, edge, settings)
        share = math.sqrt(settings.rave / (3.0 * visits + settings.rave))
        bound = (1.0 - share) * bound + share * as_first
    if visits + settings.prior > 0.0:
        bound += settings.exploration * math.sqrt(log_visits / (visits + settings.prior))
    return float(bound)


@kernel
def with_prior(average: float, count: int, edge: TreeEdge, settings: TreeSettings) -> float:
    """Combine the average payoff of a move's playouts with the move's prior. The prior counts as the average of
    `settings.prior` virtual playouts."""
    if settings.prior == 0.0:
        return average
    return float((count * average + settings.prior * edge.prior) / (count + settings.prior))


@kernel
def worth(game: Game, player: int, payoff: float, won: float, settings: TreeSettings) -> float:
    """The value of playouts for a player: a weighted mean of the scaled payoff and the share of wins (`won` is Max's
    share)."""
    share = from_0_to_1(game, player, payoff, settings)
    if game.payoff_count == 1 and settings.wins > 0.0:
        share += settings.wins * ((1.0 - won if player == MIN else won) - share)
    return share


@kernel
def from_0_to_1(game: Game, player: int, payoff: float, settings: TreeSettings) -> float:
    """Scale a payoff for a player to the range from 0 (the worst payoff so far) to 1 (the best payoff so far)."""
    if settings.greatest <= settings.least:
        return 0.5
    share = (payoff - settings.least) / (settings.greatest - settings.least)
    return float(1.0 - share if player == MIN and game.payoff_count == 1 else share)


# All moves as first. -----------------------------------------------------------------------------
@kernel
def place_of(move: int, player: int) -> int:
    """The index of the RAVE entry for a player's move."""
    return mix((move, player)) & (PLACES - 1)


@kernel
def note_all_as_first(
    game: Game, last: int, settings: TreeSettings, record: PlayoutRecord, tree: Nodes, rave: Rave
) -> None:
    """Update the RAVE averages at each node of the path. They change for all moves that the player of the node made
    there or later in the playout."""
    rave.playout += 1
    for ply in range(record.length):
        place = place_of(record.moves[ply], record.players[ply])
        rave.playouts[place] = rave.playout
        rave.moves[place] = record.moves[ply]
        rave.players[place] = record.players[ply]
        rave.plies[place] = ply
    for ply in range(last):
        number = settings.nodes[ply]
        if number == NOTHING or tree.nodes[number].player == CHANCE:
            continue
        player = tree.nodes[number].player
        payoff, win = payoff_of(game, player, record), win_of(game, record)
        first = tree.nodes[number].first
        for i in range(first, first + tree.nodes[number].count):
            edge = tree.edges[i]
            place = place_of(edge.move, player)
            is_there = rave.playouts[place] == rave.playout and rave.plies[place] >= ply
            if is_there and rave.moves[place] == edge.move and rave.players[place] == player:
                edge.amaf_visits += 1
                edge.amaf_total += payoff
                edge.amaf_wins += win
