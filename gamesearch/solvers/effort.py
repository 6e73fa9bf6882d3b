"""What it will take to solve a game of some size: memory by the method, and time."""

from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.node.table import physical_memory
from gamesearch.algorithms.tree_search.node_store import FULL
from gamesearch.compiler import speed_for
from gamesearch.game import FORBIDDEN, Game
from gamesearch.optional import is_impartial
from gamesearch.solvers.estimate import Estimate
from gamesearch.solvers.search import MOST_REMEMBERED
from gamesearch.solvers.solving import fitting_method
from gamesearch.solvers.store import SOLVED

__all__ = ["Effort", "effort_for", "is_worth_estimating"]

BYTES_SOLVED = sum(int(kind[1:]) for _, kind in SOLVED)
"""A place in memo's store."""
BYTES_POSITION, BYTES_EDGE = 65, 8
"""A position in the arrays of the graph, besides its fields, and a move; each with what going backwards takes."""
FASTER = 100
"""How many times as fast compiled code solves as the estimate looks at positions."""


@dataclass(frozen=True)
class Effort:
    """What a method takes."""

    method: str
    bytes: float
    seconds: float
    remark: str = ""
    """What is to be said of it, as the end of a sentence."""


def is_worth_estimating(game: Game[Any], method: str) -> bool:
    """Whether solving by a method visits each position once, so that their number tells how long it takes.

    Raises GamesearchError where the method does not fit the game.
    """
    name = fitting_method(game, method)
    is_by_theory = is_impartial(game) and (name == "grundy" or method == "auto")
    return (
        game.payoff_count == 1 and game.recurrence != FORBIDDEN and not is_by_theory and name not in ("search", "proof")
    )


def effort_for(game: Game[Any], state: Any, method: str, speed: str, estimate: Estimate) -> Effort:
    """Memory and time for a method; the time is rough, within a factor of a few."""
    name, positions = fitting_method(game, method), estimate.positions
    per_position = estimate.seconds / max(1, estimate.looked_at)
    seconds = positions * per_position / (FASTER if speed_for(game, speed) == "compiled" else 1)
    remark = ""
    if name == "memo":
        places = 1 << 16
        while places * FULL < positions and places < 1 << 60:
            places *= 2
        size = float(places * BYTES_SOLVED)
        if method == "auto" and not game.chance and positions > MOST_REMEMBERED:
            remark = f"after {MOST_REMEMBERED:,} positions search goes on, which may end sooner, or much later"
    else:
        fields = len(state) if isinstance(state, tuple) else 1
        size = positions * (BYTES_POSITION + 8 * fields + BYTES_EDGE * estimate.moves)
    if not remark and size > physical_memory() / 2:
        remark = "that is more than this machine's memory holds"
    return Effort(name, size, seconds, remark)
