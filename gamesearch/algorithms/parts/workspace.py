"""The memory of a running search: counts, stop, principal variation, the path, and the moves of its nodes.

Compiled, a workspace is one NumPy record, which Numba passes by reference; interpreted, it is a plain object with the
same fields, so kernels are the same for both. The results of a search are read from here, and the main thread stops a
search by writing to `stop`. Below it are the functions that make the value of a leaf and count it.
"""

import functools
from typing import Any

from gamesearch.algorithms.parts.recurrence import NOWHERE, PAST
from gamesearch.bits import replaced
from gamesearch.compiler import kernel
from gamesearch.game import Game

__all__ = [
    "ENDLESS_MOVES",
    "FULL_DEPTH",
    "INTERRUPTED",
    "MAX_PLY",
    "NODE_LIMIT",
    "OUT_OF_SPACE",
    "RELATIVE_PLY_COST",
    "RUNNING",
    "TIME_LIMIT",
    "TOO_DEEP",
    "VARIATION_PLIES",
    "adjusted_for_ply",
    "cost_of_a_ply",
    "drawn_value",
    "enter",
    "estimate_within",
    "estimates_within",
    "evaluated_value",
    "new_workspace",
    "record_layout",
    "record_variation",
    "terminal_value",
]

RUNNING, NODE_LIMIT, TIME_LIMIT, INTERRUPTED, OUT_OF_SPACE, TOO_DEEP, ENDLESS_MOVES = range(7)
"""Values of `stop`: why a search ended before its time."""

FULL_DEPTH = 1 << 30
"""The depth of a search to the end of the game."""
VARIATION_PLIES = 64
"""The number of plies of the principal variation that are kept."""
MAX_PLY = 10_000
"""The greatest ply that a search may reach; a compiled frame takes some hundred bytes of the stack."""
MOVE_SPACE = 1 << 16
"""How many moves there is room for, of all nodes on a path together."""
RELATIVE_PLY_COST = 2.0**-40
"""The fraction of half the range of payoffs that a win loses for each ply that it takes."""
RELATIVE_MARGIN = RELATIVE_PLY_COST * (MAX_PLY + 1) / 2
"""The fraction of the range of payoffs, at either end, that wins and losses at some ply lie in."""

FIELDS: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("nodes", "i8", ()),  # positions visited, the root included
    ("leaves", "i8", ()),  # positions valued: by the rules at the end, or by the evaluation
    ("cutoffs", "i8", ()),  # nodes left when their window closed
    ("table_hits", "i8", ()),  # nodes whose value came from the table alone
    ("truncated", "i8", ()),  # leaves valued by the evaluation, and uses of values that depend on one
    ("deepest", "i8", ()),  # greatest ply reached
    ("stop", "i8", ()),  # why to return at once; RUNNING to go on
    ("node_limit", "i8", ()),  # stop at this many nodes
    ("recurred", "i8", ()),  # smallest ply of the path that the value of the current subtree depends on
    ("top", "i8", ()),  # first free place in `moves` and `scores`
    ("ply_cost", "f8", ()),  # how much less a win is worth for each ply; 0 for no adjustment
    ("bounds", "i8", ()),  # whether to use the game's own bounds
    ("fail_hard", "i8", ()),  # whether alpha-beta clips its values to the window
    ("generation", "i8", ()),  # of the table's entries that belong to this search
    ("pruning", "i8", ()),  # how expectiminimax prunes
    ("variation_length", "i8", (VARIATION_PLIES + 1,)),  # principal variation from each ply of the path (triangular)
    ("variation", "i8", (VARIATION_PLIES, VARIATION_PLIES)),
    ("past", "i8", ()),  # how many positions of the game before the root are on the path
    ("path", "i8", (PAST + MAX_PLY + 1,)),  # hashes of the positions on the path
    ("progress", "i8", (PAST + MAX_PLY + 1,)),  # the game's `progress` there
    ("moves", "i8", (MOVE_SPACE,)),  # moves of the nodes on the path
    ("scores", "f8", (MOVE_SPACE,)),  # their scores for ordering, or their probabilities
)


class Workspace:
    """The interpreted workspace: numbers and lists, with the names in FIELDS."""

    def __init__(self) -> None:
        for name, kind, shape in FIELDS:
            zero: int | float = 0.0 if kind == "f8" else 0
            value: Any = zero
            for size in reversed(shape):
                value = [list(value) for _ in range(size)] if isinstance(value, list) else [value] * size
            setattr(self, name, value)


@functools.cache
def record_layout(fields: tuple[tuple[str, str, tuple[int, ...]], ...]) -> Any:
    """The NumPy type of a record; always the same object, because Numba is slow with a new one."""
    import numpy as np

    return np.dtype([(name, kind, shape) for name, kind, shape in fields])


def new_workspace(is_compiled: bool, *, node_limit: int | None = None) -> Any:
    """A workspace with all counts at zero."""
    if is_compiled:
        import numpy as np

        workspace: Any = np.zeros(1, record_layout(FIELDS)).view(np.recarray)[0]
    else:
        workspace = Workspace()
    workspace.node_limit = node_limit if node_limit is not None else 1 << 62
    workspace.recurred = NOWHERE
    return workspace


@kernel
def enter(workspace: Any, ply: int) -> None:
    """Count a node, and stop the search at the node limit or the greatest ply."""
    nodes = workspace.nodes + 1
    workspace.nodes = nodes
    if nodes >= workspace.node_limit:
        workspace.stop = NODE_LIMIT
    if ply > workspace.deepest:
        workspace.deepest = ply
        if ply >= MAX_PLY:
            workspace.stop = TOO_DEEP
    if ply < VARIATION_PLIES:
        workspace.variation_length[ply] = 0


@kernel
def record_variation(workspace: Any, ply: int, move: int) -> None:
    """Set the variation of the node at this ply: the move, followed by the variation of the node after it."""
    if ply < VARIATION_PLIES:
        variation = workspace.variation[ply]
        variation[0] = move
        length = 0
        if ply + 1 < VARIATION_PLIES:
            after = workspace.variation[ply + 1]
            length = min(workspace.variation_length[ply + 1], VARIATION_PLIES - 1)
            for i in range(length):
                variation[i + 1] = after[i]
        workspace.variation_length[ply] = length + 1


@kernel
def cost_of_a_ply(game: Game[Any]) -> float:
    """How much less a win is worth, and how much more a loss, for each ply that it takes."""
    return RELATIVE_PLY_COST * (game.MAXSCORE - game.MINSCORE) / 2


@kernel
def adjusted_for_ply(game: Game[Any], value: float, plies: int, workspace: Any) -> float:
    """The value as seen from some plies earlier: a win is worth a little less, a loss a little more.

    So wins come as soon as possible and losses as late. With negative plies, the value is seen from later, as the
    table stores it.
    """
    if workspace.ply_cost == 0.0:
        return value
    ply_cost: float = workspace.ply_cost
    margin = ply_cost * (MAX_PLY + 1)
    if value > game.MAXSCORE - margin:
        return value - ply_cost * plies
    if value < game.MINSCORE + margin:
        return value + ply_cost * plies
    return value


@kernel
def terminal_value(game: Game[Any], s: Any, ply: int, workspace: Any) -> float:
    """The payoff of a finished game, adjusted for ply; counts a leaf."""
    workspace.leaves += 1
    return adjusted_for_ply(game, float(game.utility(s)), ply, workspace)


@kernel
def drawn_value(game: Game[Any], workspace: Any) -> float:
    """The value of a node whose moves are all forbidden by a recurrence; counts a leaf."""
    workspace.leaves += 1
    return float(game.draw_value())


@kernel
def evaluated_value(game: Game[Any], s: Any, workspace: Any) -> float:
    """The evaluation of a position at the horizon; counts a leaf."""
    workspace.leaves += 1
    workspace.truncated += 1
    return estimate_within(game, float(game.evaluate(s)))


@kernel
def estimate_within(game: Game[Any], value: float) -> float:
    """An evaluation clipped into the range of payoffs, on which null windows and Ballard's pruning rely.

    Where the ends of the range are a win and a loss, it is clipped a little further inside, so that it is never taken
    for a win or a loss at any ply.
    """
    least, greatest = game.MINSCORE, game.MAXSCORE
    if game.win_or_loss:
        margin = RELATIVE_MARGIN * (greatest - least)
        least, greatest = least + margin, greatest - margin
    if value < least:
        return float(least)
    if value > greatest:
        return float(greatest)
    return value


@kernel
def estimates_within(game: Game[Any], values: Any) -> Any:
    """The evaluations for three or more players, each clipped into the range of payoffs."""
    for i in range(len(values)):
        values = replaced(values, i, min(max(values[i], game.MINSCORE), game.MAXSCORE))
    return values
