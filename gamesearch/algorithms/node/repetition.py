"""Repeated positions on the path of a search. The rules of a game decide whether repetition is a draw, is forbidden, or
has no effect.

- If repetition is a draw, a position is worth a draw if it occurred before: earlier on the path, or in the game before
  the root. Positions at the horizon are also draws if they repeat a position. But the root is always searched.
- If repetition is forbidden, moves to an earlier position are illegal. If all moves of a position are forbidden, the
  game ends in a draw, and a search from this position is refused.

Positions are compared by the game's `arrangement`. A value that depends on the path is right only on this path. This
dependence is called the graph-history interaction problem (A. J. Palay 1983, "Searching with probabilities", thesis,
Carnegie Mellon). If a position in the subtree of a node repeats a position before the node (`path.first_repeated <
ply`), the value of the node is not stored in the transposition table. If the search below a node is deep enough to
repeat a position that came before the node (`depends_on_path`), the node does not use bounds of the table. If
`paths=practical`, values are stored and bounds are used even in these two cases.
"""

from collections.abc import Collection, Sequence
from typing import Any

from gamesearch.algorithms.node.workspace import FULL_DEPTH, PAST, Path
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, FORBIDDEN, REPETITION_DRAWS, Game
from gamesearch.toolkit.bits import mix

__all__ = [
    "REPETITIONS", "arrangements", "depends_on_path", "is_among", "is_drawn_by_past", "is_forbidden", "is_move_allowed",
    "is_repeated", "is_repetition", "is_stuck", "note_on_path", "note_past", "note_position", "since_progress",
]  # fmt: skip

REPETITIONS = 3
"""If repetition is a draw, a game is drawn as soon as a position has occurred this many times."""


@kernel
def note_position(game: Game, s: Any, ply: int, path: Path) -> None:
    """Put a position on the path. Only games whose positions can repeat need this function."""
    place = path.past + ply
    path.keys[place] = mix(game.arrangement(s))
    path.progress[place] = game.progress(s)


@kernel
def note_on_path(game: Game, s: Any, ply: int, path: Path) -> None:
    """Put a position on the path if positions of the game can repeat."""
    if game.repetition == REPETITION_DRAWS:
        is_repetition(game, s, FULL_DEPTH, ply, path)
    if game.repetition == FORBIDDEN:
        note_position(game, s, ply, path)


@kernel
def is_repetition(game: Game, s: Any, depth: int, ply: int, path: Path) -> bool:
    """Put a position on the path. Returns whether the position is a repetition, which draws the game.

    If the position is a repetition, `path.first_repeated` is lowered to the ply of the earlier position, unless it is
    already lower. A position is hashed only if it may repeat an earlier position, or if a later position on the path
    may repeat it.
    """
    place = path.past + ply
    latest = place - game.shortest_cycle
    if depth <= 0 and latest < 0:
        return False
    progress = game.progress(s)
    path.progress[place] = progress
    can_repeat = ply > 0 and latest >= 0 and path.progress[latest] == progress
    if can_repeat or depth >= game.shortest_cycle:
        path.keys[place] = mix(game.arrangement(s))
    return can_repeat and is_on_path(game, path.keys[place], progress, latest, path)


@kernel
def is_forbidden(game: Game, after: Any, ply: int, path: Path) -> bool:
    """Whether the move from the position at this ply to `after` is forbidden because it repeats a position."""
    place, key = path.past + ply, mix(game.arrangement(after))
    is_new = key != path.keys[place]  # a pass, for example, does not change the arrangement, and is allowed
    return is_new and is_on_path(game, key, game.progress(after), place + 1 - game.shortest_cycle, path)


@kernel
def is_on_path(game: Game, key: int, progress: int, latest: int, path: Path) -> bool:
    """Whether a hashed key is on the path, at index `latest` or earlier. Only positions after the last irreversible
    move are compared, because earlier positions have a different `progress`. If the key is found at a ply,
    `path.first_repeated` is lowered to this ply, unless it is already lower."""
    step = 1 if game.shortest_cycle % 2 else 2
    for earlier in range(latest, -1, -step):
        if path.progress[earlier] != progress:
            break
        if path.keys[earlier] == key:
            path.first_repeated = min(path.first_repeated, earlier - path.past)
            return True
    return False


@kernel
def depends_on_path(game: Game, depth: int, ply: int, path: Path) -> bool:
    """Whether a search of `depth` plies from a node can lead back to a position that came before the node. If so, the
    node's value may depend on the path.

    A cycle has at least `game.shortest_cycle` moves. At most `depth` of these moves come after this ply. So at least
    `max(1, game.shortest_cycle - depth)` moves of the cycle come between the repeated position and this ply.
    """
    if game.repetition != REPETITION_DRAWS and game.repetition != FORBIDDEN:
        return False
    place = path.past + ply
    earlier = place - max(1, game.shortest_cycle - depth)
    return bool(earlier >= 0 and path.progress[earlier] == path.progress[place])


@kernel
def is_among(keys: Any, first: int, last: int, key: int) -> bool:
    """Whether a key is among the keys from `first` to `last`."""
    for i in range(first, last + 1):
        if keys[i] == key:
            return True
    return False


@kernel
def is_move_allowed(game: Game, s: Any, move: int, length: int, keys: Any) -> bool:
    """Whether a move is allowed. A game may forbid moves to earlier positions. `keys` contains the hashed keys of the
    positions of the game so far, and `length` is the index of the current position."""
    if game.repetition != FORBIDDEN:
        return True
    key = mix(game.arrangement(game.result(s, move)))
    return bool(key == keys[length] or not is_among(keys, 0, length - 1, key))


def note_past(game: Game, past: Sequence[Any], path: Path) -> int:
    """Put the positions since the last irreversible move of the game on the path, but at most the last PAST of them.
    Returns how many positions are put on the path."""
    kept = since_progress(game, past)[-PAST:] if game.repetition in (REPETITION_DRAWS, FORBIDDEN) else ()
    if kept:
        keys, progress = path.keys, path.progress
        for place, s in enumerate(kept):
            keys[place], progress[place] = mix(game.arrangement(s)), game.progress(s)
    return len(kept)


def since_progress(game: Game, states: Sequence[Any]) -> Sequence[Any]:
    """The positions since the last irreversible move (see `Game.progress`). Only these positions can occur again."""
    if not states:
        return states
    first, latest = len(states) - 1, game.progress(states[-1])
    while first > 0 and game.progress(states[first - 1]) == latest:
        first -= 1
    return states[first:]


def arrangements(game: Game, past: Sequence[Any]) -> Collection[Any]:
    """The arrangements of earlier positions; empty in games in which repetition has no effect."""
    if game.repetition not in (REPETITION_DRAWS, FORBIDDEN):
        return ()
    return {game.arrangement(s) for s in since_progress(game, past)}


def is_repeated(game: Game, states: Sequence[Any]) -> bool:
    """Whether the last position of a game has occurred often enough for a draw."""
    if game.repetition != REPETITION_DRAWS:
        return False
    present = game.arrangement(states[-1])
    return [game.arrangement(s) for s in since_progress(game, states)].count(present) >= REPETITIONS


def is_drawn_by_past(game: Game, s: Any, before: Collection[Any], depth: int | None) -> bool:
    """Whether a position is a draw because it repeats an earlier position, or because each of its moves leads to an
    earlier position. If the depth is 0, as at the horizon, the moves are not examined."""
    if game.repetition == REPETITION_DRAWS:
        return game.arrangement(s) in before
    return depth != 0 and is_stuck(game, s, before)


def is_stuck(game: Game, s: Any, before: Collection[Any]) -> bool:
    """Whether every move of a position is forbidden. A move is forbidden if it leads to an arrangement in `before`."""
    if game.repetition != FORBIDDEN or game.player(s) == CHANCE:
        return False
    present, after = game.arrangement(s), (game.arrangement(game.result(s, move)) for move in game.moves(s))
    return all(new != present and new in before for new in after)
