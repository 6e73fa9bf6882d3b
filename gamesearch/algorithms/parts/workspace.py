"""What a search writes to while it runs: one counter, one stop, the best line, the moves on the path.

Compiled, a workspace is one NumPy record, which Numba passes by reference; interpreted, it is a plain
object with the same fields. Kernels cannot tell them apart. All results are read from here, and the
main thread may stop a search by writing to `stop`.
"""

import functools
from typing import Any

from gamesearch.algorithms.parts.recurrence import NOWHERE, PAST
from gamesearch.bits import replaced
from gamesearch.compiler import kernel
from gamesearch.game import Game

__all__ = [
    "AGE",
    "ENDLESS_MOVES",
    "FULL_DEPTH",
    "INTERRUPTED",
    "LINE_PLIES",
    "MAX_PLY",
    "NODE_LIMIT",
    "OUT_OF_SPACE",
    "RUNNING",
    "TIME_LIMIT",
    "TOO_DEEP",
    "age_of_a_ply",
    "aged",
    "drawn_value",
    "enter",
    "estimate_within",
    "estimates_within",
    "evaluated_value",
    "new_workspace",
    "record_layout",
    "record_line",
    "terminal_value",
]

RUNNING, NODE_LIMIT, TIME_LIMIT, INTERRUPTED, OUT_OF_SPACE, TOO_DEEP, ENDLESS_MOVES = range(7)
"""Values of `stop`: why a search ended before its time."""

FULL_DEPTH = 1 << 30
"""The depth of a search to the end of the game."""
LINE_PLIES = 64
"""How many plies of the principal line are kept."""
MAX_PLY = 10_000
"""How deep a search may recurse; a compiled frame takes some hundred bytes of the stack."""
MOVE_SPACE = 1 << 16
"""How many moves may wait on the path from the root to a leaf, all nodes together."""
AGE = 2.0**-40
"""By how much of half the range of payoffs a win is worth less for each ply that it takes."""

FIELDS: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("nodes", "i8", ()),  # positions visited, the root included
    ("leaves", "i8", ()),  # positions valued: by the rules at the end, or by the evaluation
    ("cutoffs", "i8", ()),  # nodes left when their window closed
    ("table_hits", "i8", ()),  # nodes answered by the table alone
    ("truncated", "i8", ()),  # leaves valued by the evaluation, so that depth made a difference
    ("deepest", "i8", ()),  # greatest ply reached
    ("stop", "i8", ()),  # not 0: give up at once; why
    ("node_limit", "i8", ()),  # stop at this many nodes
    ("recurred", "i8", ()),  # smallest ply of the path that the value of the current subtree depends on
    ("top", "i8", ()),  # first free place in `moves` and `scores`
    ("age", "f8", ()),  # by how much a ply makes a win worth less; 0: not at all
    ("bounds", "i8", ()),  # whether to ask the game for bounds
    ("fail_hard", "i8", ()),  # whether alpha-beta clips its values to the window
    ("generation", "i8", ()),  # of the table's entries that belong to this search
    ("pruning", "i8", ()),  # how expectiminimax prunes
    ("line_length", "i8", (LINE_PLIES + 1,)),  # principal line from each ply of the path (triangular)
    ("line", "i8", (LINE_PLIES, LINE_PLIES)),
    ("past", "i8", ()),  # how many positions of the game before the root are on the path
    ("path", "i8", (PAST + MAX_PLY + 1,)),  # hashes of the positions on the path
    ("progress", "i8", (PAST + MAX_PLY + 1,)),  # how far the game had gone there
    ("moves", "i8", (MOVE_SPACE,)),  # moves of the nodes on the path
    ("scores", "f8", (MOVE_SPACE,)),  # their scores for ordering, or their probabilities
)


class Workspace:
    """The interpreted workspace: lists and numbers under the names of FIELDS."""

    def __init__(self) -> None:
        for name, kind, shape in FIELDS:
            zero: int | float = 0.0 if kind == "f8" else 0
            value: Any = zero
            for size in reversed(shape):
                value = [list(value) for _ in range(size)] if isinstance(value, list) else [value] * size
            setattr(self, name, value)


@functools.cache
def record_layout(fields: tuple[tuple[str, str, tuple[int, ...]], ...]) -> Any:
    """The NumPy type of a record; always the same object, for Numba is slow with one it has not seen."""
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
    """Count a node, and see whether it is one too many."""
    nodes = workspace.nodes + 1
    workspace.nodes = nodes
    if nodes >= workspace.node_limit:
        workspace.stop = NODE_LIMIT
    if ply > workspace.deepest:
        workspace.deepest = ply
        if ply >= MAX_PLY:
            workspace.stop = TOO_DEEP
    if ply < LINE_PLIES:
        workspace.line_length[ply] = 0


@kernel
def record_line(workspace: Any, ply: int, move: int) -> None:
    """Make the move, followed by the line of the node after it, the line of the node at this ply."""
    if ply < LINE_PLIES:
        line = workspace.line[ply]
        line[0] = move
        length = 0
        if ply + 1 < LINE_PLIES:
            after = workspace.line[ply + 1]
            length = min(workspace.line_length[ply + 1], LINE_PLIES - 1)
            for i in range(length):
                line[i + 1] = after[i]
        workspace.line_length[ply] = length + 1


@kernel
def age_of_a_ply(game: Game[Any]) -> float:
    """By how much a win is worth less, and a loss more, for each ply that it takes."""
    return AGE * (game.MAXSCORE - game.MINSCORE) / 2


@kernel
def aged(game: Game[Any], value: float, plies: int, workspace: Any) -> float:
    """The value seen from so many plies earlier: a win is worth a little less, a loss a little more.

    With negative plies, the value seen from later, as the table keeps it.
    """
    if workspace.age == 0.0:
        return value
    age: float = workspace.age
    margin = age * (MAX_PLY + 1)
    if value > game.MAXSCORE - margin:
        return value - age * plies
    if value < game.MINSCORE + margin:
        return value + age * plies
    return value


@kernel
def terminal_value(game: Game[Any], s: Any, ply: int, workspace: Any) -> float:
    """What the finished game pays, seen from the root."""
    workspace.leaves += 1
    return aged(game, float(game.utility(s)), ply, workspace)


@kernel
def drawn_value(game: Game[Any], workspace: Any) -> float:
    """What the game pays where every move is forbidden by a recurrence."""
    workspace.leaves += 1
    return float(game.draw_value())


@kernel
def evaluated_value(game: Game[Any], s: Any, workspace: Any) -> float:
    """What the evaluation says where depth ran out."""
    workspace.leaves += 1
    workspace.truncated += 1
    return estimate_within(game, float(game.evaluate(s)))


@kernel
def estimate_within(game: Game[Any], value: float) -> float:
    """An estimate within the range of payoffs, as null windows and Ballard's pruning rely on that range.

    Where the ends of the range are a win and a loss, it stays so far inside that it is taken for neither,
    however late they may come.
    """
    margin = age_of_a_ply(game) * (MAX_PLY + 1) if game.win_or_loss else 0.0
    least, greatest = game.MINSCORE + margin, game.MAXSCORE - margin
    if value < least:
        return least
    if value > greatest:
        return greatest
    return value


@kernel
def estimates_within(game: Game[Any], values: Any) -> Any:
    """The estimates for three or more players, each within the range of payoffs."""
    for i in range(len(values)):
        values = replaced(values, i, min(max(values[i], game.MINSCORE), game.MAXSCORE))
    return values
