"""Answers that others published or counted, which a game states and one test checks."""

from dataclasses import dataclass

__all__ = ["Known"]


@dataclass(frozen=True)
class Known:
    """An answer that somebody published or that was counted independently, for one test to check.

    `parameters` is what stands in the brackets of the game's name, `position` its notation ("" for
    the initial state). `perft` counts the leaves at depth 1, 2, ...; `positions` the reachable
    positions, terminal ones included; `nodes` and `leaves` belong to a full minimax.
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
