"""What a selective search is given besides: which parts are on, the moves of its path, what the game answers."""

import math
from typing import Any, NamedTuple

from gamesearch.algorithms.parts.records import Record, integers, reals
from gamesearch.algorithms.parts.values import estimate_within
from gamesearch.algorithms.parts.workspace import MAX_PLY
from gamesearch.compiler import kernel
from gamesearch.game import THREAT, Game

__all__ = [
    "NOTHING_YET",
    "PASS",
    "PREDICTED_DEPTHS",
    "STAY",
    "Parts",
    "Selection",
    "Trail",
    "estimated",
    "is_forcing",
    "is_scout",
    "is_threatened",
    "null_window",
]

PASS = -2
"""Stands for a null move among the moves of the path."""
STAY = -3
"""Stands for a search of the same position to a smaller depth."""
NOTHING_YET = -1
"""Stands for none of these: no move of the node was made."""
PREDICTED_DEPTHS = 32
"""A shallow search predicts the values of depths below this."""


class Parts(Record):
    """Which parts are on; read at run time, so that no combination is a version of the machine code by itself."""

    active = integers()  # whether any is: in a search to the end of the game, none
    step = reals()  # the width of a null window
    root_depth = integers()  # plies that the root is searched to
    quiescence = integers()
    null_move = integers()
    reductions = integers()
    futility = integers()
    extensions = integers()
    internal = integers()  # internal iterative reduction
    probcut = integers()
    divisor = reals()  # the greater, the less late moves are reduced
    width = integers()  # so many moves of each node are searched; 0 for all
    shallow = integers(PREDICTED_DEPTHS)  # for each depth, that of the search which predicts its value; 0 for none
    slope = reals(PREDICTED_DEPTHS)  # the value follows by this line, for the player to move
    intercept = reals(PREDICTED_DEPTHS)
    deviation = reals(PREDICTED_DEPTHS)  # with an error of this standard deviation


class Trail(Record):
    """What the search notes of its path."""

    moves = integers(MAX_PLY + 1)  # the move made at each ply, or PASS or STAY


class Selection(NamedTuple):
    """What a selective search is given besides options, memory and run."""

    parts: Any
    trail: Any
    answers: Any
    """1 for a game of the group `questions.Selective`, else None: Numba then leaves its questions out of the code."""
    exchanges: Any
    """1 for a game of the group `questions.Exchanging`, else None."""


@kernel
def is_threatened(game: Game[Any], s: Any, selection: Selection) -> bool:
    """Whether the player to move is under a threat that must be met."""
    if selection.answers is not None:
        return bool(game.is_threatened(s))  # type: ignore[attr-defined]
    return False


@kernel
def estimated(game: Game[Any], s: Any, known: float) -> float:
    """The estimate of s, which is made but once: only where `known`, what it was found to be, is not a number."""
    return estimate_within(game, float(game.evaluate(s))) if math.isnan(known) else known


@kernel
def is_forcing(game: Game[Any], s: Any, move: int) -> bool:
    """Whether the game says that a move is a threat or a capture."""
    return bool(game.tells_kinds and game.kind_of_move(s, move) >= THREAT)


@kernel
def null_window(low: float, high: float, maximizing: bool, step: float) -> tuple[float, float]:
    """The window in which a move can only show whether it is better than the best so far (Pearl's Scout, 1980)."""
    if maximizing:
        return low, min(high, low + step)
    return max(low, high - step), high


@kernel
def is_scout(low: float, high: float, step: float) -> bool:
    """Whether a window is so narrow that the search only tests a number."""
    return high - low <= 2 * step
