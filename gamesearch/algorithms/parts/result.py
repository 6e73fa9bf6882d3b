"""What a search gives back, and what it may be told beforehand."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

__all__ = [
    "WHY_STOPPED",
    "Limits",
    "Monitor",
    "MoveValue",
    "Observer",
    "Progress",
    "SearchResult",
    "Statistics",
    "Value",
    "as_value",
]

Value = float | tuple[float, ...]
"""What a position is worth to Max; to each of the players where there are more than two."""


def as_value(payoff: Any) -> Value:
    """A payoff as a float, or as a tuple of floats."""
    return tuple(map(float, payoff)) if isinstance(payoff, tuple) else float(payoff)


@dataclass(frozen=True)
class Limits:
    """When to stop; what is None is left to the algorithm's own parameters."""

    depth: int | None = None
    """Plies."""
    time: float | None = None
    """Seconds."""
    nodes: int | None = None
    """Positions visited; the same limit always stops at the same place."""


@dataclass(frozen=True)
class Statistics:
    """What a search did."""

    nodes: int = 0
    """Positions visited, the root included."""
    leaves: int = 0
    """Positions valued by the rules at the end, or by the evaluation."""
    cutoffs: int = 0
    """Nodes that were left when their window closed, be it at the last move."""
    table_hits: int = 0
    """Nodes that the transposition table answered."""
    depth: int = 0
    """The depth searched to; for a search to the end, the greatest ply reached."""
    seconds: float = 0.0
    """Wall-clock time, compilation left out where it was announced beforehand."""
    speed: str = "interpreted"
    """`compiled` or `interpreted`."""


@dataclass(frozen=True)
class MoveValue:
    """The value that the position after a move has for Max."""

    move: int
    value: Value
    distance: int | None = None


@dataclass(frozen=True)
class SearchResult:
    """The answer of a search."""

    algorithm: str
    """The specification, with the parameters that are not at their defaults."""
    value: Value | None
    """None where the search was stopped before it knew anything."""
    bound: str
    """`exact`; `lower` or `upper` where a stopped search only knows so much: of the payoffs of three or more
    players, that of the player to move."""
    best: int | None
    """The best move; None at the end of a game, or where it is chance's turn."""
    line: tuple[int, ...]
    """The principal line, beginning with the best move; it may be cut short by the table."""
    statistics: Statistics
    distance: int | None = None
    """In how many plies the game is won or lost, where that is certain."""
    moves: tuple[MoveValue, ...] = ()
    """The value of each legal move, where they were asked for."""
    moves_depth: int | None = None
    """To which depth those values are, where that is not the depth of the search."""
    sees_the_end: bool = False
    """Whether the value is that of the game itself: no estimate entered."""
    stopped: str = ""
    """Why the search ended early, one of WHY_STOPPED; else empty."""


WHY_STOPPED = {
    "time": "the time was up",
    "nodes": "the node limit was reached",
    "interrupted": "it was interrupted",
    "space": "the game goes deeper than a search can hold",
}
"""The reasons to end a search early, and what is said of each."""


@dataclass
class Progress:
    """What is known while a search runs."""

    nodes: int = 0
    depth: int = 0
    seconds: float = 0.0
    compiling: str = ""
    """The kernel being compiled, or empty."""


@dataclass
class Monitor:
    """How a search is watched and stopped from outside, while it runs in a thread of its own.

    `poll` is called a few times a second and stops the search by returning True. `finished` is
    called after each depth of an iterative deepening, `note` with a sentence that whoever waits should
    read. Ctrl-C stops the search and is noted in
    `interrupted`; a second one is raised.
    """

    poll: Callable[[Progress], bool] = lambda _: False
    finished: Callable[[SearchResult], None] = lambda _: None
    note: Callable[[str], None] = lambda _: None
    interval: float = 0.05
    interrupted: bool = field(default=False, init=False)


class Observer(Protocol):
    """Sees each event of an interpreted search, in their order.

    `iteration` says that a search from the root begins; it may enter the root several times. `enter`
    and `leave` stand around each node; `move` comes before the child that it leads to is entered.
    `cutoff` says that of `count` moves those behind number `index` were not searched; `table_hit`
    that the table answered with these bounds, and `bounds` that the game did; `recurrence` that the
    position is drawn because it came before; `probe` that only the node's first move is searched.
    """

    def iteration(self, depth: int, purpose: str) -> None:
        """A search of the root to a depth begins."""

    def enter(self, state: Any, ply: int, alpha: float | None, beta: float | None) -> None:
        """A node is visited with a window."""

    def move(self, ply: int, move: int) -> None:
        """The move, or outcome, of the node at this ply is searched next."""

    def leave(self, ply: int, value: Any) -> None:
        """The node at this ply is done."""

    def cutoff(self, ply: int, index: int, count: int) -> None:
        """The node at this ply is left before its last moves."""

    def table_hit(self, ply: int, lower: float, upper: float) -> None:
        """The table knows enough of the node at this ply."""

    def bounds(self, ply: int, lower: float, upper: float) -> None:
        """The game's own bounds tell enough of the node at this ply."""

    def recurrence(self, ply: int) -> None:
        """The position at this ply stands on the path already."""

    def probe(self, ply: int) -> None:
        """Only the first move of the node at this ply will be searched."""
