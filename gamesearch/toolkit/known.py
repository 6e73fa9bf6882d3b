"""Published or independently counted answers that a game states and a test checks."""

from dataclasses import dataclass

__all__ = ["Known"]


@dataclass(frozen=True)
class Known:
    """A published or independently counted answer about a position, for a test to check.

    `parameters` are those in the brackets of the game's specification, `position` is in its notation ("" for
    the initial state). `perft` counts the leaves at depth 1, 2, ...; `positions` the reachable
    positions, terminal ones included; `nodes` and `leaves` belong to a full minimax; `best` are all best moves,
    by their names.
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
