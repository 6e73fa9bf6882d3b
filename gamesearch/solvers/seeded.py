"""Alpha-beta that goes on from a store of solved positions: its table holds them before each search."""

from typing import Any

import numpy as np

from gamesearch.algorithms.alphabeta import AlphaBeta
from gamesearch.algorithms.parts.searcher import Searcher
from gamesearch.algorithms.parts.table import MEGABYTE, nominal, physical_memory, slot_of
from gamesearch.algorithms.parts.workspace import FULL_DEPTH, MAX_PLY, adjusted_for_ply

__all__ = ["SeededAlphaBeta", "memory_for"]

AT_ONCE = 1 << 18
"""So many places of the store are copied at a time, which bounds the memory that copying takes."""
ENTRY_BYTES = 32
LEAST_MEMORY = 64
"""Megabytes of the table of a search that begins from nothing."""


class SeededAlphaBeta(AlphaBeta):
    """Alpha-beta with a table whose first entries are solved positions, for games whose positions do not recur."""

    solved: Any = None
    """The store they are in; without one, it is alpha-beta as it is."""

    def window_search(
        self, searcher: Searcher, state: Any, alpha: float, beta: float, depth: int
    ) -> tuple[float, tuple[int, ...]]:
        """The value of the root as far as it lies in a window, and its line."""
        if self.solved is not None:
            seed_table(searcher, self.solved)
        return super().window_search(searcher, state, alpha, beta, depth)


def memory_for(solved: Any) -> int:
    """Megabytes of a table in which most positions of a store have a place: no more than a quarter of the memory."""
    wanted = len(solved) * ENTRY_BYTES // MEGABYTE if solved is not None else 0
    return max(LEAST_MEMORY, min(wanted, physical_memory() // MEGABYTE // 4))


def seed_table(searcher: Searcher, solved: Any) -> None:
    """Put all positions of a store into a searcher's table: proven, to the end of the game, and with no move.

    Where two share a place, the later one stays, at both speeds.
    """
    assert searcher.held_table is not None
    entries, places = searcher.held_table.entries, solved.view(np.ndarray)
    for begin in range(0, len(places), AT_ONCE):
        known = places[begin : begin + AT_ONCE]
        known = known[known["filled"] != 0]
        fresh = np.zeros(len(known), entries.dtype)
        keys: Any = known["key"]
        fresh["key"], fresh["move"] = keys, -1
        fresh["lower"] = fresh["upper"] = values_to_keep(searcher, known)
        fresh["depth"] = -(nominal(FULL_DEPTH) + 1)
        fresh["generation"] = searcher.held_table.generation
        entries[slot_of(entries, keys)] = fresh


def values_to_keep(searcher: Searcher, known: Any) -> Any:
    """The values of solved positions as the search keeps them: adjusted for how soon they are won, where it tells."""
    game, values = searcher.game, known["value"].copy()
    if searcher.ply_cost:
        for score in (game.MINSCORE, game.MAXSCORE):
            decided = known["value"] == score
            by_plies = np.array([adjusted_for_ply(game, float(score), plies, searcher) for plies in range(MAX_PLY + 1)])
            values[decided] = by_plies[known["distance"][decided]]
    return values
