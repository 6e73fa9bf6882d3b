"""What a recording of a search consists of.

A recording is written to a file as lines of JSON, in the order in which things happened. The first line
says what was searched, and how; the last what came of it, and how many nodes were left out. What stands
between is in `EVENTS`. Names of moves, positions and boards are text, so that a reader needs neither the
game nor the algorithm: a trace shows the same wherever it is read.
"""

from collections.abc import Mapping

__all__ = [
    "BELIEFS",
    "COSTS",
    "EVENTS",
    "EXPANSIONS",
    "FORMAT",
    "GROWING",
    "LEFT_OUT",
    "NULL_MOVE",
    "PLAYOUTS",
    "PREDICTION",
    "PROOF",
    "PROOFS",
    "PURPOSES",
    "SENTENCES_OF_PURPOSES",
    "VERSION",
]

FORMAT = "gamesearch trace"
VERSION = 1
EVENTS = {
    "search": "the first line: format, version, game, position, player, algorithm, evaluation (in words), names, "
    "players",
    "iteration": "a search of the root begins: number, depth (null: to the end), purpose, again at this depth; of a "
    "growing tree, least and greatest payoff, signed; by proof numbers, goal, goal_shown, and on a graph attacker",
    "enter": "a node: node, parent, ply, move, chance, side, window, window_shown, position, board; in a selective "
    "search, purpose; where leaves are expanded, value, shown, bound, deviation of a belief, and same, the first node "
    "of this position, where the search takes them for one",
    "probe": "only the first move of the node will be searched (Star2)",
    "best": "a child is the best of its node so far: node, child, move, value, shown, window and window_shown after it",
    "table": "the table answers: node, lower, upper",
    "bounds": "the game's own bounds answer: node, lower, upper",
    "database": "a database has the value: node, lower, upper",
    "recurrence": "the position stands on the path already: node",
    "stands": "beyond the horizon, the player may stand on an estimate: node, value, shown, window and window_shown",
    "passed": "a null move was good enough: node, lower, upper",
    "predicted": "a shallow search predicts a bound on the value: node, lower, upper",
    "left_out": "a move is not searched: node, move, why (futile or width), or not played out any more (race)",
    "cutoff": "the node is left: node, move, pruned (names), refuted (node, move, value) or null",
    "choose": "a move is followed: node, move, bounds (of each move weighed: name, playouts, upper bound, or name, 0, "
    "what knowing it is worth)",
    "playout": "the game is played out from the node: node, moves, known (it was not, as its value is), value, shown",
    "proven": "the value is proven to lie between bounds: node, lower, upper, shown",
    "count": "what a playout paid is added: node (the last), path (nodes, from the root), values (of each of them)",
    "expand": "a leaf gets all its children: node",
    "revalue": "a node is worth something else: node, value (or proof and disproof number, or cost), shown, bound, "
    "deviation of a belief, same (other nodes of this position)",
    "rescale": "all beliefs are written anew: node (the root), error (of estimates), path (nodes), values (of each, "
    "mean and deviation)",
    "settle": "all costs are found anew: node (the root), path (nodes), values (of each, its cost)",
    "chances": "how probably moves of the root are best: node (the root), path (the nodes after them), values",
    "expanded": "an expansion is done: node (the root), path (nodes, to the leaf), line (its moves), number (of "
    "expansions of this tree so far)",
    "leave": "the node is done: node, value, shown, bound, kind, nodes (visited from here on down)",
    "end": "the last line: nodes, leaves, cutoffs, table_hits, recorded, left_out, value, shown, bound, best, line; "
    "of playouts or expansions, how many",
}
"""The events by name, and what their lines hold."""


NULL_MOVE = "null move"
"""The name of passing where the rules do not allow it."""
PLAYOUTS = "playouts"
"""The purpose of a search that plays games out, and grows no tree to a depth."""
EXPANSIONS, BELIEFS, PROOF, COSTS = "expansions", "beliefs", "proof", "costs"
"""The purposes of searches that expand leaf after leaf: for values, for beliefs about values, by proof numbers, or, on
a graph where positions recur, by what a proof costs."""
PROOFS = (PROOF, COSTS)
"""Those of them that prove or disprove."""
GROWING = (PLAYOUTS, EXPANSIONS, BELIEFS, *PROOFS)
"""The purposes of searches that keep their tree, whose nodes change what they are worth while it grows."""
PREDICTION = "prediction"
"""The name of a search of the same position to a smaller depth (ProbCut)."""
LEFT_OUT: Mapping[str, str] = {
    "futile": "it cannot gain enough",
    "width": "only the most plausible moves are searched",
    "race": "it is among the worse half, and is played out no more",
}
"""Why a move is left out."""
PURPOSES: Mapping[str, str] = {
    "full": "",
    "scout": "scout",
    "reduced": "scout, less deep",
    "not reduced": "again, not less deep",
    "full window": "again, full window",
    "null move": "null move",
    "prediction": "shallow, to predict",
    "quiescence": "quiescence",
}
"""What is remarked of a node that is searched for a purpose."""
SENTENCES_OF_PURPOSES: Mapping[str, str] = {
    "scout": "This only asks whether it is better than the best so far",
    "reduced": "A late move, so this asks less deep whether it is better than the best so far",
    "not reduced": "Less deep it was better than expected, so it is searched again to the full depth",
    "full window": "It is better than the best so far, so it is searched again for its value",
    "prediction": "A shallow search may predict that the value lies outside the window",
    "null move": "If even passing is good enough, some move is",
    "quiescence": "Here the depth ends, and only forcing moves are searched on",
}
"""The same in a sentence, without the full stop; the first move of a node needs none."""
