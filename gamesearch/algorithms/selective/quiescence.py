"""Quiescence: beyond the horizon only forcing moves are searched, so that no estimate is of half an exchange.

D. F. Beal 1990, "A generalised quiescence search algorithm", Artificial Intelligence 43. The player to move may stand
pat: as most positions have a quiet move that does no harm, the estimate is a bound on the value. Under a threat that
must be met it is none, and what meets the threat is searched. Left out are moves that cannot gain enough (delta
pruning) and captures that lose by the exchange on their square.
"""

import math
from typing import Any

from gamesearch.algorithms.node.ordering import score_of
from gamesearch.algorithms.node.repetition import is_forbidden, note_position
from gamesearch.algorithms.node.values import estimate_within, evaluated_value
from gamesearch.algorithms.node.workspace import ENDLESS_MOVES, OUT_OF_SPACE, Memory, Run
from gamesearch.algorithms.selective.parts import Selection
from gamesearch.compiler import kernel
from gamesearch.game import CAPTURE, FORBIDDEN, MAX, THREAT, Game

__all__ = ["generate_forcing", "goes_on", "quiet_bounds"]

MOST_PLIES = 16
"""So many plies beyond the horizon every position is estimated."""
THREAT_PLIES = 4
"""Up to so many plies beyond the horizon threats are forcing; captures, which come to an end, are so everywhere."""


@kernel
def goes_on(game: Game[Any], depth: int, threatened: bool, selection: Selection) -> bool:
    """Whether a position beyond the horizon is searched on."""
    if game.tells_kinds or threatened:
        return bool(selection.parts.quiescence and depth > -MOST_PLIES)
    return False


@kernel
def quiet_bounds(game: Game[Any], s: Any, ply: int, threatened: bool, run: Run) -> tuple[float, float]:
    """The bounds on a value beyond the horizon: the player to move does not do worse than the estimate."""
    lower, upper = -math.inf, math.inf
    if game.recurrence == FORBIDDEN:
        note_position(game, s, ply, run.path)
    if not threatened:
        estimate = evaluated_value(game, s, run)
        lower, upper = (estimate, upper) if game.player(s) == MAX else (lower, estimate)
        if run.observer is not None:
            run.observer.stands(ply, estimate)
    return lower, upper


@kernel
def generate_forcing(
    game: Game[Any],
    s: Any,
    low: float,
    high: float,
    standing: float,
    depth: int,
    ply: int,
    threatened: bool,
    memory: Memory,
    run: Run,
    selection: Selection,
) -> tuple[int, int, float]:
    """Write the moves to search beyond the horizon into the path; see `ordering.generate`.

    `standing` is the estimate that the player may stand on. Returns their number, the place to search first, and what
    the moves that were left out may reach at most: not less than a loss that is not proven.
    """
    path = run.path
    maximizing = game.player(s) == MAX
    moves, scores, top = path.moves, path.scores, path.top
    last = len(moves) - 1
    end, first, best = top, top, -math.inf
    reached = -math.inf if maximizing else math.inf
    unproven = estimate_within(game, float(game.MINSCORE if maximizing else game.MAXSCORE))
    for move in game.moves(s):
        if end >= last:
            run.counts.stop = ENDLESS_MOVES if 2 * (end - top) > last else OUT_OF_SPACE
            break
        is_wanted, gained = is_worth_a_search(
            game, s, move, low, high, standing, depth, threatened, maximizing, selection
        )
        if not is_wanted:
            reached = max(reached, gained, unproven) if maximizing else min(reached, gained, unproven)
            run.counts.truncated += 1
            continue
        if game.recurrence == FORBIDDEN and is_forbidden(game, game.result(s, move), ply, path):
            continue
        moves[end] = move
        if memory.ordering is not None:
            scores[end] = score_of(game, s, move, ply, memory.ordering)
            if scores[end] > best:
                first, best = end, scores[end]
        end += 1
    path.top = end
    return end - top, first, reached


@kernel
def is_worth_a_search(
    game: Game[Any],
    s: Any,
    move: int,
    low: float,
    high: float,
    standing: float,
    depth: int,
    threatened: bool,
    maximizing: bool,
    selection: Selection,
) -> tuple[bool, float]:
    """Whether a move is searched beyond the horizon; and if it cannot gain enough, what it reaches at most."""
    nothing = -math.inf if maximizing else math.inf
    if threatened:
        if selection.answers is not None:
            return bool(game.is_evasion(s, move)), nothing  # type: ignore[attr-defined]
        return True, nothing
    kind = game.kind_of_move(s, move)
    if kind < THREAT or (kind < CAPTURE and depth <= -THREAT_PLIES):
        return False, nothing
    if selection.answers is not None:
        gain = game.most_gain(s, move)  # type: ignore[attr-defined]
        reached = estimate_within(game, standing + gain if maximizing else standing - gain)
        if reached <= low if maximizing else reached >= high:
            return False, reached
    if selection.exchanges is not None:
        return bool(game.gain(s, move) >= 0), nothing  # type: ignore[attr-defined]
    return True, nothing
