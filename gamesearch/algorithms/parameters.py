"""What the parameters of the algorithms mean, a sentence each; a name means the same in every algorithm."""

from collections.abc import Collection, Mapping

from gamesearch.algorithms.catalog import PRUNINGS
from gamesearch.algorithms.ordering import ORDERS

__all__ = ["CHOICES", "MEANINGS"]

MEANINGS: Mapping[str, str] = {
    "depth": "how many plies to search, or full; without it, what the game suggests",
    "time": "seconds after which the last finished depth counts, 0 for no limit",
    "deepen": "whether to search to depth 1, 2, 3, ... up to the limits",
    "table": "whether to remember positions in a transposition table",
    "memory": "how many megabytes the table may take",
    "order": "which moves to search first; several are joined by +",
    "bounds": "whether to clip values into the game's own bounds, and stop where these say enough",
    "window": "whether to search with the full window, or by null windows, which need table=true",
    "fail": "what is returned for a value outside the window: a bound on it, or the end of the window",
    "distance": "whether to find out how soon a won position is won, by a second search unless deepen=true",
    "pruning": "how to leave out outcomes that cannot matter (Ballard 1983)",
    "opponent": "whether Min plays the best moves, or any with equal probability",
    "seed": "the same number draws the same moves; without one, a match gives each side one of its own",
}
"""For each parameter, what it decides."""

CHOICES: Mapping[str, Collection[str]] = {
    "order": ORDERS,
    "window": ("full", "null"),
    "fail": ("soft", "hard"),
    "pruning": PRUNINGS,
    "opponent": ("best", "random"),
}
"""The values of those parameters that are not free."""
