"""Top-down solving with a memo: minimax that values each position once.

Michie 1968, "Memo functions and machine learning", Nature 218. Positions must not recur.
"""

import math
from typing import Any

from gamesearch.algorithms.parts.workspace import ENDLESS_MOVES, MAX_PLY, OUT_OF_SPACE, TOO_DEEP
from gamesearch.bits import mix
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, MAX, MOST_MOVES, Game
from gamesearch.solvers.store import find, prefers, put

__all__ = ["memo"]


@kernel
def memo(game: Game[Any], s: Any, ply: int, workspace: Any, store: Any) -> tuple[float, int]:
    """The value of s and the plies to the end when both sides play best.

    Stops with OUT_OF_SPACE when the store is full; what is in it stays right, and a second run with
    a greater store goes on from there. `workspace.nodes` counts the positions solved.
    """
    key = mix(game.key(s))
    known = store[find(store, key)]
    if known.filled:
        return known.value, known.distance
    if ply >= MAX_PLY:
        workspace.stop = TOO_DEEP
        return 0.0, 0
    if game.terminal(s):
        best, distance = float(game.utility(s)), 0
    elif game.player(s) == CHANCE:
        best, distance = 0.0, 0
        for outcome, probability in game.outcomes(s):
            value, plies = memo(game, game.result(s, outcome), ply + 1, workspace, store)
            if workspace.stop:
                break
            best += probability * value
            distance = max(distance, plies + 1)
    else:
        maximizing = game.player(s) == MAX
        even = game.draw_value()
        best, distance, count = -math.inf if maximizing else math.inf, 0, 0
        for move in game.moves(s):
            count += 1  # noqa: SIM113
            if count > MOST_MOVES:
                workspace.stop = ENDLESS_MOVES
                break
            value, plies = memo(game, game.result(s, move), ply + 1, workspace, store)
            if workspace.stop:
                break
            if prefers(value, plies + 1, best, distance, maximizing, even):
                best, distance = value, plies + 1
    if not workspace.stop:
        put(store, key, best, distance)
        workspace.nodes += 1
        if workspace.nodes >= workspace.node_limit:
            workspace.stop = OUT_OF_SPACE
    return best, distance
