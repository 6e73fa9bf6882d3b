"""Quiescence search: beyond the horizon, only forcing moves are searched, so that exchanges are searched to their end.

D. F. Beal 1990, "A generalised quiescence search algorithm", Artificial Intelligence 43. The player to move may stand
pat: the estimate counts as a bound on the value, because most positions have a harmless quiet move. If the player must
meet a threat, such as a check, standing pat is not allowed, and the moves that meet the threat are searched. Two kinds
of moves are omitted: moves that cannot gain enough (delta pruning), and captures that lose the exchange on their target
square.
"""

import math
from typing import Any

from gamesearch.algorithms.node.bounds import Bounds, is_settled, known_bounds
from gamesearch.algorithms.node.ordering import score_of
from gamesearch.algorithms.node.repetition import is_forbidden
from gamesearch.algorithms.node.values import estimate_within, evaluated_value
from gamesearch.algorithms.node.workspace import ENDLESS_MOVES, OUT_OF_SPACE, Search
from gamesearch.algorithms.selective.parts import Node, SelectiveRecords
from gamesearch.compiler import kernel
from gamesearch.game import CAPTURE, FORBIDDEN, MAX, THREAT, Game

__all__ = ["generate_forcing", "goes_on", "quiet_bounds"]

MOST_PLIES = 16
"""The greatest number of plies that are searched beyond the horizon."""
THREAT_PLIES = 4
"""Threats are searched in the first THREAT_PLIES plies beyond the horizon. After these plies, only captures are
searched."""


@kernel
def goes_on(game: Game, depth: int, threatened: bool, selection: SelectiveRecords) -> bool:
    """Whether the search continues with forcing moves in a position at or beyond the horizon."""
    if game.has_move_kinds or threatened:
        return bool(selection.parts.quiescence and depth > -MOST_PLIES)
    return False


@kernel
def quiet_bounds(
    game: Game, s: Any, alpha: float, beta: float, reach: int, ply: int, threatened: bool, search: Search
) -> Bounds:
    """The bounds on the value of a position beyond the horizon.

    If the bounds from `known_bounds` decide the value, these bounds are returned. Otherwise, if the player can stand
    pat, the estimate is one of the bounds.
    """
    run = search.run
    bounds = known_bounds(game, s, alpha, beta, 0, reach, ply, search)
    if is_settled(bounds, alpha, beta):
        return bounds
    lower, upper = -math.inf, math.inf
    if not threatened:
        estimate = evaluated_value(game, s, run)
        lower, upper = (estimate, upper) if game.player(s) == MAX else (lower, estimate)
        if run.observer is not None:
            run.observer.stand_pat(ply, estimate)
    return Bounds(lower, upper, 0, -1)


@kernel
def generate_forcing(game: Game, s: Any, bounds: Bounds, node: Node, search: Search) -> tuple[int, int, float]:
    """Write the moves that quiescence search examines into `path.moves`, in the same form as `ordering.generate`.

    Returns the number of moves, the index of the first move to search, and the best value that omitted moves can reach
    (never a proven loss).
    """
    run, path, maximizing = search.run, search.run.path, node.maximizing
    moves, scores, top = path.moves, path.scores, path.top
    last = len(moves) - 1
    end, first, best = top, top, -math.inf
    standing = bounds.lower if maximizing else bounds.upper
    reached = -math.inf if maximizing else math.inf
    unproven = estimate_within(game, float(game.MINSCORE if maximizing else game.MAXSCORE))
    if search.groups.selective is not None:
        if game.omits_quiet_moves and not node.threatened:  # type: ignore[attr-defined]
            run.counts.truncated += 1
            reached = unproven
        moves_to_try = game.forcing_moves(s)  # type: ignore[attr-defined]
    else:
        moves_to_try = game.moves(s)
    for move in moves_to_try:
        if end >= last:
            run.counts.stop = ENDLESS_MOVES if 2 * (end - top) > last else OUT_OF_SPACE
            break
        is_wanted, gained = is_worth_a_search(game, s, move, node, standing, search)
        if not is_wanted:
            reached = max(reached, gained, unproven) if maximizing else min(reached, gained, unproven)
            run.counts.truncated += 1
            continue
        if game.repetition == FORBIDDEN and is_forbidden(game, game.result(s, move), node.ply, path):
            continue
        moves[end] = move
        if search.memory.ordering is not None:
            scores[end] = score_of(game, s, move, node.ply, search, not node.threatened)
            if scores[end] > best:
                first, best = end, scores[end]
        end += 1
    path.top = end
    return end - top, first, reached


@kernel
def is_worth_a_search(game: Game, s: Any, move: int, node: Node, standing: float, search: Search) -> tuple[bool, float]:
    """Decide whether to search a move beyond the horizon. Returns the decision and, if the move cannot gain enough, the
    best value that it can reach. `standing` is the estimate that counts as a bound if the player stands pat."""
    nothing = -math.inf if node.maximizing else math.inf
    if node.threatened:
        if search.groups.selective is not None:
            return bool(game.is_evasion(s, move)), nothing  # type: ignore[attr-defined]
        return True, nothing
    kind = game.kind_of_move(s, move)
    if kind < THREAT or (kind < CAPTURE and node.depth <= -THREAT_PLIES):
        return False, nothing
    if search.groups.selective is not None:
        gain = game.most_gain(s, move)  # type: ignore[attr-defined]
        reached = estimate_within(game, standing + gain if node.maximizing else standing - gain)
        if reached <= node.low if node.maximizing else reached >= node.high:
            return False, reached
    if search.groups.exchanging is not None:
        return bool(game.gain(s, move) >= 0), nothing  # type: ignore[attr-defined]
    return True, nothing
