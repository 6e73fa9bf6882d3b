"""What each move is worth: a search of the position behind it, one ply less deep."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from gamesearch.algorithms.catalog import Algorithm, search_with
from gamesearch.algorithms.result import Limits, Monitor, MoveValue, as_value
from gamesearch.algorithms.workspace import FULL_DEPTH
from gamesearch.game import CHANCE, Game

__all__ = ["each_move"]


def each_move(
    game: Game[Any],
    state: Any,
    algorithm: Algorithm,
    limits: Limits,
    *,
    speed: str = "auto",
    monitor: Monitor | None = None,
    past: Sequence[Any] = (),
) -> Iterator[tuple[MoveValue, tuple[int, ...]]]:
    """Each legal move, or outcome, with its value and how play goes on; not those whose search was stopped.

    `limits` are those of a search from the position itself. How play goes on begins with the reply. It is
    empty where the game is over, the search saw no further, or chance replies.
    """
    holding = algorithm.limits(game, limits)
    assert holding.depth is not None
    below = holding if holding.depth == FULL_DEPTH else replace(holding, depth=holding.depth - 1)
    seen = algorithm.as_searched(game, state)
    for move in game.steps(state, past):
        after = game.result(state, move)
        if game.terminal(after):
            value = as_value(seen.utility(after))
            is_decided = game.win_or_loss and value in (game.MINSCORE, game.MAXSCORE)
            yield MoveValue(move, value, 1 if is_decided else None), ()
        elif below.depth == 0:
            yield MoveValue(move, as_value(seen.evaluate(after))), ()
        else:
            found = search_with(seen, after, algorithm, below, speed=speed, monitor=monitor, past=(*past, state))
            if found.value is not None and not found.stopped:
                distance = None if found.distance is None else found.distance + 1
                yield MoveValue(move, found.value, distance), () if seen.player(after) == CHANCE else found.line
