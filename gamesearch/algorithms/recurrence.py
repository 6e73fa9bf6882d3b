"""Positions that come again on the path of a search: drawn, forbidden, or let be.

What a position is worth because of the path to it holds on this path alone (the graph-history
interaction problem: A. J. Palay 1983, "Searching with probabilities", thesis, Carnegie Mellon). So
such a value never enters the table, and what the table knows is only believed where the path cannot
matter: at a position that the game has reached by progress for good, so that nothing before it can
come again.
"""

from collections.abc import Sequence
from typing import Any

from gamesearch.bits import mix
from gamesearch.compiler import kernel
from gamesearch.game import FORBIDDEN, RECURRENCE_DRAWS, Game

__all__ = [
    "NOWHERE",
    "PAST",
    "depends_on_path",
    "is_among",
    "is_forbidden",
    "note_past",
    "note_position",
    "recurs",
]

NOWHERE = 1 << 30
"""The ply of a recurrence that there was none of."""
PAST = 1 << 12
"""How many positions of the game before the root a search remembers."""


@kernel
def note_position(game: Game[Any], s: Any, ply: int, workspace: Any) -> None:
    """Put a position on the path, in a game whose positions can come again."""
    place = workspace.past + ply
    if game.recurrence == FORBIDDEN:
        workspace.path[place] = mix(game.arrangement(s))
    else:
        workspace.path[place] = mix(game.key(s))
    workspace.progress[place] = game.progress(s)


@kernel
def recurs(game: Game[Any], s: Any, ply: int, workspace: Any) -> bool:
    """Whether the position came before and the game is therefore drawn; puts it on the path, and notes where.

    `workspace.recurred` tells how far up the path what a subtree is worth depends on.
    """
    note_position(game, s, ply, workspace)
    if game.recurrence != RECURRENCE_DRAWS or ply == 0:
        return False
    place = workspace.past + ply
    return came_before(workspace.path[place], workspace.progress[place], place - 1, workspace)


@kernel
def is_forbidden(game: Game[Any], after: Any, ply: int, workspace: Any) -> bool:
    """Whether a move from the position at this ply may not be made, where what it leads to may not recur."""
    place, key = workspace.past + ply, mix(game.arrangement(after))
    if key == workspace.path[place]:
        return False  # nothing was changed, as by a pass
    return came_before(key, game.progress(after), place - 1, workspace)


@kernel
def came_before(key: int, progress: int, last: int, workspace: Any) -> bool:
    """Whether a hashed key stands on the path up to place `last`, after the latest progress; notes where."""
    for earlier in range(last, -1, -1):
        if workspace.progress[earlier] != progress:
            break
        if workspace.path[earlier] == key:
            workspace.recurred = min(workspace.recurred, earlier - workspace.past)
            return True
    return False


@kernel
def depends_on_path(game: Game[Any], ply: int, workspace: Any) -> bool:
    """Whether positions from before this ply could come again, so that the path to it matters."""
    if game.recurrence != RECURRENCE_DRAWS and game.recurrence != FORBIDDEN:
        return False
    place = workspace.past + ply
    return bool(place > 0 and workspace.progress[place - 1] == workspace.progress[place])


@kernel
def is_among(keys: Any, first: int, last: int, key: int) -> bool:
    """Whether a key is one of those from `first` to `last`."""
    for i in range(first, last + 1):
        if keys[i] == key:
            return True
    return False


def note_past(game: Game[Any], past: Sequence[Any], workspace: Any) -> None:
    """Put the positions of the game before the root on the path, the latest as many as there is room for."""
    kept = past[-PAST:] if game.recurrence in (RECURRENCE_DRAWS, FORBIDDEN) else ()
    workspace.past = 0
    for place, s in enumerate(kept):
        note_position(game, s, place, workspace)
    workspace.past = len(kept)
