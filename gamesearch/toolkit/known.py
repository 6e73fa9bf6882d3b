"""Known results about positions: values, node counts and best moves. Games declare them, and tests check them."""

from dataclasses import dataclass

__all__ = ["Known"]


@dataclass(frozen=True)
class Known:
    """A published or independently computed result about a position. A test checks it.

    `parameters` are written as in the game's specification. `position` is in the game's notation; "" means the initial
    state. `perft` contains the numbers of leaves at depth 1, 2, and so on. `positions` is the number of reachable
    positions, including terminal positions. `nodes` and `leaves` count the nodes and the leaves that minimax visits in
    a search to the end of the game. `best` lists the names of all best moves.
    """

    source: str
    parameters: str = ""
    position: str = ""
    perft: tuple[int, ...] = ()
    value: float | None = None
    distance: int | None = None
    best: tuple[str, ...] = ()
    nodes: int | None = None
    leaves: int | None = None
    positions: int | None = None
    method: str = ""
