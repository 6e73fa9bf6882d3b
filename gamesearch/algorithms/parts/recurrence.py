"""Repeated positions on the path of a search: they draw, are forbidden, or are ignored.

- Where recurrence draws, a position that occurred earlier on the path, or in the game before the root, has the
  value of a draw. That holds at the horizon, too. The root itself is searched all the same.
- Where recurrence is forbidden, a move that leads to an earlier position is not made. A position whose moves are
  all forbidden ends the game in a draw; as a root, it is refused.

Positions are compared by the game's `arrangement`. A value that depends on the path holds only on that path (the
graph-history interaction problem: A. J. Palay 1983, "Searching with probabilities", thesis, Carnegie Mellon). So
such a value is never stored in the table, and the table is only used at positions where the path cannot matter,
because the last move made progress and nothing before it can come again.
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
"""Stands for the ply of a recurrence where there was none."""
PAST = 1 << 12
"""The greatest number of positions before the root that a search compares with."""


@kernel
def note_position(game: Game[Any], s: Any, ply: int, workspace: Any) -> None:
    """Put a position on the path; needed only in games whose positions can recur."""
    place = workspace.past + ply
    workspace.path[place] = mix(game.arrangement(s))
    workspace.progress[place] = game.progress(s)


@kernel
def recurs(game: Game[Any], s: Any, depth: int, ply: int, workspace: Any) -> bool:
    """Whether the position occurred before, so that the game is drawn; puts it on the path.

    `workspace.recurred` becomes the smallest ply that the value of the current subtree depends on. A position is hashed
    only if it can be a repetition, or if the search goes deep enough to repeat it.
    """
    place = workspace.past + ply
    latest = place - game.shortest_cycle
    if depth <= 0 and latest < 0:
        return False
    progress = game.progress(s)
    workspace.progress[place] = progress
    can_recur = ply > 0 and latest >= 0 and workspace.progress[latest] == progress
    if can_recur or depth >= game.shortest_cycle:
        workspace.path[place] = mix(game.arrangement(s))
    return can_recur and came_before(game, workspace.path[place], progress, latest, workspace)


@kernel
def is_forbidden(game: Game[Any], after: Any, ply: int, workspace: Any) -> bool:
    """Whether the move from the position at this ply to `after` is forbidden, as it repeats an earlier position."""
    place, key = workspace.past + ply, mix(game.arrangement(after))
    if key == workspace.path[place]:
        return False  # a move that changes nothing, such as a pass, is allowed
    return came_before(game, key, game.progress(after), place + 1 - game.shortest_cycle, workspace)


@kernel
def came_before(game: Game[Any], key: int, progress: int, latest: int, workspace: Any) -> bool:
    """Whether a hashed key is on the path up to place `latest`, since the latest progress; notes where."""
    step = 1 if game.shortest_cycle % 2 else 2
    for earlier in range(latest, -1, -step):
        if workspace.progress[earlier] != progress:
            break
        if workspace.path[earlier] == key:
            workspace.recurred = min(workspace.recurred, earlier - workspace.past)
            return True
    return False


@kernel
def depends_on_path(game: Game[Any], ply: int, workspace: Any) -> bool:
    """Whether positions from before this ply can recur, so that values here depend on the path."""
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
    """Put the positions of the game before the root on the path: the latest ones, as many as fit."""
    kept = past[-PAST:] if game.recurrence in (RECURRENCE_DRAWS, FORBIDDEN) else ()
    workspace.past = 0
    for place, s in enumerate(kept):
        note_position(game, s, place, workspace)
    workspace.past = len(kept)


def arrangements(game: Game[Any], past: Sequence[Any]) -> Collection[Any]:
    """The arrangements of earlier positions, whose repetition draws or is forbidden; empty in all other games."""
    if game.recurrence not in (RECURRENCE_DRAWS, FORBIDDEN):
        return ()
    return {game.arrangement(s) for s in past}


def is_drawn_by_past(game: Game[Any], s: Any, before: Collection[Any], depth: int | None) -> bool:
    """Whether a position is a draw because of the `arrangements` before it: it repeats one, or all its moves do.

    At the horizon, with no depth left, the moves are not examined.
    """
    if game.recurrence == RECURRENCE_DRAWS:
        return game.arrangement(s) in before
    return depth != 0 and is_stuck(game, s, before)


def is_stuck(game: Game[Any], s: Any, before: Collection[Any]) -> bool:
    """Whether every move of a position is forbidden, because it leads to one of the `arrangements` before it."""
    if game.recurrence != FORBIDDEN or game.player(s) == CHANCE:
        return False
    present, after = game.arrangement(s), (game.arrangement(game.result(s, move)) for move in game.moves(s))
    return all(new != present and new in before for new in after)
