"""Expected values against a fallible opponent: a Min who does not always find the best move.

Minimax assumes that Min never errs. If Min errs, Max can set traps (A. L. Reibman and B. W. Ballard 1983, "Non-minimax
search strategies for use against fallible opponents"). Min is assumed to choose better moves with greater probability,
by the logit rule (R. D. Luce 1959, "Individual choice behavior"), and sometimes moves at random.
"""

import math
import re
from typing import Any, NamedTuple

from gamesearch.algorithms.node.bounds import begin_moves, end_moves, is_settled, look_up, store_result
from gamesearch.algorithms.node.chance import list_outcomes
from gamesearch.algorithms.node.ordering import generate
from gamesearch.algorithms.node.values import drawn_value
from gamesearch.algorithms.node.workspace import Path, Search, begin_node, record_variation
from gamesearch.compiler import kernel
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, FORBIDDEN, MAX, MIN, Game

__all__ = ["Fallibility", "fallible", "parse_opponent"]


class Fallibility(NamedTuple):
    """The parameters of Min's errors."""

    temperature: float
    """A move that is worse than the best move by this difference is 1/e times as probable as the best move. If the
    temperature is 0, Min makes only best moves."""
    error: float
    """The probability of a random move, from 0 to 1."""


def parse_opponent(text: str, error: float) -> Fallibility:
    """Parse the parameters `opponent`, which is `best`, `random` or `softmax(TEMPERATURE)`, and `error`."""
    if not 0.0 <= error <= 1.0:
        raise GamesearchError(f"error must be a probability from 0 to 1, not {error}")
    if text == "random" and error:
        raise GamesearchError("with opponent=random, all moves of Min are random: leave out error=")
    if text in ("best", "random"):
        return Fallibility(0.0, error if text == "best" else 1.0)
    found = re.fullmatch(r"softmax\(\s*([^)]*?)\s*\)", text)
    if found is None:
        raise GamesearchError(
            f"opponent must be best, random or softmax(TEMPERATURE), for example softmax(0.5), not {text!r}"
        )
    try:
        temperature = float(found[1])
    except ValueError:
        temperature = math.nan
    if not 0.0 < temperature < math.inf:
        raise GamesearchError(f"the temperature in softmax(TEMPERATURE) must be greater than 0, not {found[1]!r}")
    return Fallibility(temperature, error)


@kernel
def fallible(
    game: Game,
    s: Any,
    depth: int,
    ply: int,
    temperature: float,
    error: float,
    search: Search,
) -> float:
    """Search s to `depth` plies. Returns the expected value for Max if Max makes the best moves, and Min sometimes
    errs."""
    run, counts, path = search.run, search.run.counts, search.run.path
    truncated = begin_node(s, -math.inf, math.inf, ply, search)
    bounds = look_up(game, s, -math.inf, math.inf, depth, ply, search)
    value = bounds.lower
    if not is_settled(bounds, -math.inf, math.inf):
        saved, best_move, player = begin_moves(truncated, path), -1, game.player(s)
        top, is_chance = saved.top, player == CHANCE
        value = 0.0 if is_chance else -math.inf if player == MAX else math.inf
        if is_chance:
            count = list_outcomes(game, s, ply, run)
        else:
            count, _ = generate(game, s, -1, ply, False, search)
        for i in range(top, top + count):
            move = path.moves[i]
            if run.observer is not None:
                run.observer.move(ply, move)
            child = fallible(game, game.result(s, move), depth - 1, ply + 1, temperature, error, search)
            if counts.stop:
                break
            if is_chance:
                value += path.scores[i] * child
                continue
            path.scores[i] = child
            if child > value if player == MAX else child < value:
                value, best_move = child, move
                record_variation(ply, move, run.line)
        if count == 0 and game.repetition == FORBIDDEN and not counts.stop:
            value = drawn_value(game, run)
        if player == MIN and counts.stop:
            value = float(game.MAXSCORE)  # unknown, because Min may also make moves that were not searched
        elif player == MIN and count > 0:
            value = expected_reply(top, count, value, temperature, error, path)
        store_result(game, bounds, saved, value, -math.inf, math.inf, best_move, depth, ply, search)
        end_moves(saved, ply, path)
    if run.observer is not None:
        run.observer.leave(ply, value)
    return value


@kernel
def expected_reply(top: int, count: int, best: float, temperature: float, error: float, path: Path) -> float:
    """The expected value of Min's move. The values of all moves are on the path from index `top` on, and `best` is the
    lowest value."""
    total, weights, random = 0.0, 0.0, 0.0
    for i in range(top, top + count):
        child = path.scores[i]
        random += child / count
        if temperature > 0.0:
            weight = math.exp((best - child) / temperature)
            weights += weight
            total += weight * child
    chosen = total / weights if temperature > 0.0 else best
    return (1.0 - error) * chosen + error * random
