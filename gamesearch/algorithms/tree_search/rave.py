"""All moves as first: a playout counts for every move that a player made in it, not only for the one he began with.

S. Gelly and D. Silver 2007, "Combining online and offline knowledge in UCT", ICML (rapid action value estimation).
"""

from typing import Any

from gamesearch.algorithms.node.records import Record, integers
from gamesearch.algorithms.tree_search.growth import Asked
from gamesearch.algorithms.tree_search.node_store import NOTHING, Nodes
from gamesearch.algorithms.tree_search.playout import Playing, payoff_of, win_of
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, Game
from gamesearch.toolkit.bits import mix

__all__ = ["Rave", "note_all_as_first"]

PLACES = 1 << 12
"""Of two moves of a playout that share a place, the earlier one is forgotten: it counts for nothing."""


class Rave(Record):
    """When each player last made each move in a playout."""

    playout = integers()  # the number of the playout, by which places that others wrote are empty
    playouts = integers(PLACES)
    moves = integers(PLACES)
    players = integers(PLACES)
    plies = integers(PLACES)


@kernel
def place_of(move: int, player: int) -> int:
    """Where a move of a player is noted."""
    return mix((move, player)) & (PLACES - 1)


@kernel
def note_all_as_first(game: Game[Any], last: int, asked: Asked, playing: Playing, tree: Nodes, rave: Rave) -> None:
    """Count the last playout for the moves of each node it went through that the same player made there or later."""
    rave.playout += 1
    for ply in range(playing.length):
        place = place_of(playing.moves[ply], playing.players[ply])
        rave.playouts[place] = rave.playout
        rave.moves[place] = playing.moves[ply]
        rave.players[place] = playing.players[ply]
        rave.plies[place] = ply
    for ply in range(last):
        number = asked.nodes[ply]
        if number == NOTHING or tree.nodes[number].player == CHANCE:
            continue
        player = tree.nodes[number].player
        payoff, win = payoff_of(game, player, playing), win_of(game, playing)
        first = tree.nodes[number].first
        for i in range(first, first + tree.nodes[number].count):
            edge = tree.edges[i]
            place = place_of(edge.move, player)
            is_there = rave.playouts[place] == rave.playout and rave.plies[place] >= ply
            if is_there and rave.moves[place] == edge.move and rave.players[place] == player:
                edge.amaf_visits += 1
                edge.amaf_total += payoff
                edge.amaf_wins += win
