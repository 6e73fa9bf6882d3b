"""Positions that come again on the path of a search: drawn, forbidden, or ignored.

- Where recurrence draws, a position that came before on the path, or in the game before the root, is
  worth a draw; at the horizon, too, where that is no estimate. The root itself is searched all the same.
- Where recurrence is forbidden, a move that leads to an earlier position is not made. A position whose
  every move is forbidden ends the game in a draw; as a root, it is refused.

What comes again is the game's `arrangement`. What a position is worth because of the path to it holds
on this path alone (the graph-history interaction problem: A. J. Palay 1983, "Searching with
probabilities", thesis, Carnegie Mellon). So such a value never enters the table, and what the table
knows is only believed where the path cannot matter: at a position that the game has reached by
progress for good, so that nothing before it can come again.
"""

from collections.abc import Collection, Sequence
from typing import Any

from gamesearch.bits import mix
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, FORBIDDEN, RECURRENCE_DRAWS, Game

__all__ = [
    "NOWHERE",
    "PAST",
    "arrangements",
    "depends_on_path",
    "is_among",
    "is_drawn_by_past",
    "is_forbidden",
    "is_stuck",
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
    workspace.path[place] = mix(game.arrangement(s))
    workspace.progress[place] = game.progress(s)


@kernel
def recurs(game: Game[Any], s: Any, depth: int, ply: int, workspace: Any) -> bool:
    """Whether the position came before, so that the game is drawn; notes where, and puts it on the path.

    `workspace.recurred` tells how far up the path what a subtree is worth depends on. At the horizon,
    where nothing comes after it, a position is only hashed if nothing was gained since the one before.
    """
    place, progress = workspace.past + ply, game.progress(s)
    workspace.progress[place] = progress
    can_recur = ply > 0 and workspace.progress[place - 1] == progress
    if depth > 0 or can_recur:
        workspace.path[place] = mix(game.arrangement(s))
    return can_recur and came_before(workspace.path[place], progress, place - 1, workspace)


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


def arrangements(game: Game[Any], past: Sequence[Any]) -> Collection[Any]:
    """What may not come again, or draws when it does; nothing in a game where that does not matter."""
    if game.recurrence not in (RECURRENCE_DRAWS, FORBIDDEN):
        return ()
    return {game.arrangement(s) for s in past}


def is_drawn_by_past(game: Game[Any], s: Any, before: Collection[Any], depth: int | None) -> bool:
    """Whether the `arrangements` before a position make it a draw: it is one of them, or every move is forbidden.

    The moves of a position at the horizon, with no depth left, are not looked at.
    """
    if game.recurrence == RECURRENCE_DRAWS:
        return game.arrangement(s) in before
    return depth != 0 and is_stuck(game, s, before)


def is_stuck(game: Game[Any], s: Any, before: Collection[Any]) -> bool:
    """Whether every move of a position is forbidden, as it leads to one of the `arrangements` before it."""
    if game.recurrence != FORBIDDEN or game.player(s) == CHANCE:
        return False
    present, after = game.arrangement(s), (game.arrangement(game.result(s, move)) for move in game.moves(s))
    return all(new != present and new in before for new in after)
