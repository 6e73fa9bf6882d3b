"""The format of a recorded search.

A recording is a file with a line of JSON for each event, in order (see `EVENTS`). The first line describes the search.
The last line contains the result of the search and the number of nodes that were left out. Moves, positions and boards
are stored as text, so a program can read a recording without the rules of the game or the code of the algorithm.
"""

from collections.abc import Mapping

__all__ = [
    "BELIEFS", "COSTS", "EVENTS", "EXPANSIONS", "FORMAT", "GROWING", "LEFT_OUT", "NULL_MOVE", "PLAYOUTS",
    "PREDICTION", "PROOF", "PROOFS", "PURPOSES", "SENTENCES_OF_PURPOSES", "TABLE", "VERSION",
]  # fmt: skip

FORMAT = "gamesearch trace"
VERSION = 1
EVENTS = {
    "search": "the first line: format, version, game, position, player, algorithm, evaluation (in words), names, "
    "players",
    "iteration": "a search of the root begins: number, depth (null: to the end), purpose, again (whether an earlier "
    "search had the same depth). A growing tree without proofs adds least and greatest (the payoffs) and signed. A "
    "proof adds goal and goal_shown. A proof on a graph also adds attacker.",
    "enter": "a node is entered: node, parent, ply, move, chance, side, window, window_shown, position, board. A "
    "selective search adds purpose. A search that expands leaves adds value, shown, bound, deviation (of a belief), "
    "and same (the first node of this position, if the search treats both as one). A tree written by a user adds given "
    "(the user's estimate of the node), and assumed (true) if the value of the node depends on an unknown payoff.",
    "probe": "only the first move of the node will be searched (Star2): node",
    "best": "a child is the best so far: node, child, move, value, shown, window and window_shown (the new window)",
    "table": "the transposition table has the value: node, lower, upper",
    "bounds": "the bounds of the game decide the node: node, lower, upper",
    "database": "a database has the value: node, lower, upper",
    "repetition": "the position is already on the path: node",
    "stands": "in quiescence search, the player may stand pat: node, value, shown, window and window_shown",
    "passed": "a null move was good enough: node, lower, upper",
    "predicted": "a shallow search, or the estimate, predicts a bound on the value: node, lower, upper",
    "left_out": "a move is not searched, or gets no more playouts: node, move, why (such as futile, late or race)",
    "cutoff": "the node is left: node, move, pruned (names), refuted (node, move, value) or null",
    "choose": "a move is followed: node, move, bounds (a list for each considered move). A list contains the name of "
    "the move, its playouts, and its upper confidence bound. A search with beliefs stores the name, 0, and the "
    "value of computation.",
    "playout": "a game is played out: node, moves, known (true if the value was known without playing), value, shown",
    "proven": "the value is proven to lie between bounds: node, lower, upper, shown",
    "count": "the payoff of a playout is added: node (the last node of the path), path (the nodes from the root), "
    "values (the payoff that is added to each node)",
    "expand": "a leaf gets all its children: node (the leaf)",
    "revalue": "the value of a node changes: node, value (or proof and disproof number, or cost), shown, bound, "
    "deviation (of a belief), same (other nodes of this position)",
    "rescale": "all beliefs are computed again: node (the root), error (of estimates), path (the changed nodes), "
    "values (the mean and the deviation of each)",
    "settle": "all costs are computed again: node (the root), path (the changed nodes), values (their new costs)",
    "chances": "the probabilities that moves of the root are best: node (the root), path (the nodes after the moves), "
    "values",
    "level": "the next level of positions gets its values: node (the root), number (of the level), path (its nodes), "
    "count (how many positions it has, including those that no game from the root reaches)",
    "drop": "values leave the table, because no open position needs them: node (the root), path (the nodes "
    "that lose their values), values (the lost values), kept (how many values stay), level (the dropped "
    "level), reach (the greatest difference between a level and the level after a move)",
    "expanded": "an expansion is complete: node (the root), path (the nodes from the root to the leaf), line (the "
    "moves to the leaf), number (how many expansions this tree has had)",
    "leave": "the node is left: node, value, shown, bound, kind, nodes (visited in its subtree)",
    "end": "the last line: nodes, leaves, cutoffs, table_hits, recorded, left_out, value, shown, bound, best, line; "
    "playouts or expansions, if there were any",
}
"""For each event, a description, and the fields of its line in a trace file."""


NULL_MOVE = "null move"
"""The name of a null move, which is a pass that the rules do not allow."""
PLAYOUTS = "playouts"
"""The purpose of a search that plays out games at random."""
TABLE = "table"
"""The purpose of a solver that fills a table of values."""
EXPANSIONS, BELIEFS, PROOF, COSTS = "expansions", "beliefs", "proof", "costs"
"""The purposes of searches that expand one leaf after another. A search can compute values (EXPANSIONS) or beliefs
about values (BELIEFS). Or it proves a goal, either by proof numbers (PROOF) or by costs on a graph in which positions
repeat (COSTS)."""
PROOFS = (PROOF, COSTS)
"""The purposes of searches that prove or disprove a goal."""
GROWING = (PLAYOUTS, TABLE, EXPANSIONS, BELIEFS, *PROOFS)
"""The purposes of searches that keep a growing tree. In these searches, the values of nodes change while the tree
grows."""
PREDICTION = "prediction"
"""The name of ProbCut's shallow search in displays. A node usually shows its move, but this search makes no move: it
searches the same position to a smaller depth."""
LEFT_OUT: Mapping[str, str] = {
    "futile": "it cannot reach alpha (futility pruning)",
    "width": "only the most plausible moves are searched",
    "late": "it is late in the move order, near the depth limit (late-move pruning)",
    "exchange": "it loses material on its target square (static exchange evaluation)",
    "race": "it is in the worse half of the moves and gets no more playouts",
}
"""The reasons why a move is left out, as sentences. Events contain only the keys of this dictionary."""
PURPOSES: Mapping[str, str] = {
    "full": "",
    "scout": "scout",
    "reduced": "scout, reduced",
    "not reduced": "again, full depth",
    "full window": "again, full window",
    "null move": "null move",
    "prediction": "shallow, for ProbCut",
    "quiescence": "quiescence",
}
"""If a node was searched for one of these purposes, this remark is shown at the node."""
SENTENCES_OF_PURPOSES: Mapping[str, str] = {
    "scout": "A null window tests only whether the move is better than the best move so far",
    "reduced": "Late move reduction: a shallower search tests whether the move is better than the best move so far",
    "not reduced": "The reduced search was better than expected, so the move is searched again to the full depth",
    "full window": "The move is better than the best move so far, so it is searched again for its exact value",
    "prediction": "ProbCut: a shallower search may predict that the value is outside the window",
    "null move": "Null move: if even a pass is good enough, so is the best move",
    "quiescence": "Quiescence search: below the depth limit, only forcing moves are searched",
}
"""Sentences that explain the purposes, without the final period. An ordinary search has no explanation."""
