"""Why a selective search searches a node as it does, in a word or two, and as a sentence."""

from collections.abc import Mapping

__all__ = [
    "BELIEFS",
    "COSTS",
    "EXPANSIONS",
    "GROWING",
    "LEFT_OUT",
    "NULL_MOVE",
    "PLAYOUTS",
    "PREDICTION",
    "PROOF",
    "PROOFS",
    "PURPOSES",
    "SENTENCES_OF_PURPOSES",
]

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
