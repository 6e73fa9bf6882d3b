"""Expected values: the outcomes of chance nodes, and a fallible Min, who does not always find the best move.

Minimax assumes that Min never errs. If Min errs, Max can set traps (A. L. Reibman and B. W. Ballard 1983, "Non-minimax
search strategies for use against fallible opponents"). Min is assumed to choose better moves with greater probability,
by the logit rule (R. D. Luce 1959, "Individual choice behavior"), and sometimes moves at random.
"""

import math
import re
from typing import Any, NamedTuple

from gamesearch.algorithms.node.bounds import begin_moves, end_moves, is_settled, look_up, store_result
from gamesearch.algorithms.node.ordering import generate
from gamesearch.algorithms.node.repetition import is_forbidden
from gamesearch.algorithms.node.values import drawn_value
from gamesearch.algorithms.node.workspace import OUT_OF_SPACE, Options, Path, Run, Search, begin_node, record_variation
from gamesearch.compiler import kernel
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, FORBIDDEN, MAX, MIN, Game

__all__ = ["Fallibility", "bound_outcomes", "fallible", "list_outcomes", "parse_opponent"]


@kernel
def list_outcomes(game: Game, s: Any, ply: int, run: Run) -> int:
    """Write the n outcomes of a chance node into `path.moves`, from index `top` on. Returns n.

    From the same index on, `path.scores` contains three numbers for each outcome: first all n probabilities, then all n
    lower bounds on the values, then all n upper bounds (see `bound_outcomes`). If a player moves at random, the
    outcomes are moves, and moves that repeat a position may be forbidden. The probabilities of the other moves then
    increase. Outcomes of dice are never forbidden.
    """
    path = run.path
    forbids = game.repetition == FORBIDDEN and game.moves_at_random(s)
    top, count, total = path.top, 0, 0.0
    for outcome, probability in game.outcomes(s):
        if forbids and is_forbidden(game, game.result(s, outcome), ply, path):
            continue
        if probability > 0.0:
            if top + 3 * (count + 1) >= len(path.moves):
                run.counts.stop = OUT_OF_SPACE
                break
            path.moves[top + count] = outcome
            path.scores[top + count] = probability
            total += probability
            count += 1
    if forbids:
        for i in range(top, top + count):
            path.scores[i] /= total
    path.top = top + 3 * count
    return count


@kernel
def bound_outcomes(game: Game, s: Any, top: int, count: int, options: Options, path: Path) -> tuple[float, float]:
    """Write bounds on the value of each outcome of a chance node. Returns the bounds on the value of the chance node.

    If `options.bounds` is true, the bounds are the game's own bounds, which must hold at every depth. Otherwise, the
    bounds are the smallest and the greatest payoff of the game.
    """
    at_least, at_most = float(game.MINSCORE), float(game.MAXSCORE)
    for i in range(top, top + count):
        path.scores[i + count] = game.MINSCORE
        path.scores[i + 2 * count] = game.MAXSCORE
        if options.bounds:
            least, greatest = payoffs_within(game, game.result(s, path.moves[i]))
            at_least += path.scores[i] * (least - game.MINSCORE)
            at_most -= path.scores[i] * (game.MAXSCORE - greatest)
            path.scores[i + count] = least
            path.scores[i + 2 * count] = greatest
    return at_least, at_most


@kernel
def payoffs_within(game: Game, s: Any) -> tuple[float, float]:
    """The smallest and the greatest payoff that can follow s. If s is terminal, both numbers are the payoff of s."""
    if game.terminal(s):
        payoff = float(game.utility(s))
        return payoff, payoff
    least, greatest = game.bounds(s)
    return float(least), float(greatest)


class Fallibility(NamedTuple):
    """The parameters of Min's errors."""

    temperature: float
    """A move that is worse than the best move by `temperature` has 1/e of the best move's probability. If the
    temperature is 0, Min makes only best moves."""
    error: float
    """The probability of a random move, from 0 to 1."""


def parse_opponent(text: str, error: float) -> Fallibility:
    """Parse the parameters `opponent` and `error`. `opponent` is `best`, `random` or `softmax(T)`,
    where T is the temperature."""
    if not 0.0 <= error <= 1.0:
        raise GamesearchError(f"error must be a probability from 0 to 1, not {error}")
    if text == "random" and error:
        raise GamesearchError("with opponent=random, all moves of Min are random: leave out error=")
    if text in ("best", "random"):
        return Fallibility(0.0, error if text == "best" else 1.0)
    found = re.fullmatch(r"softmax(?:\((.*)\))?", text)
    if found is None:
        raise GamesearchError(f"opponent must be best, random or softmax(T), such as softmax(0.5), not {text!r}")
    try:
        temperature = float(found[1] or "nan")
    except ValueError:
        temperature = math.nan
    if not 0.0 < temperature < math.inf:
        raise GamesearchError(f"{text} needs one number greater than 0 in parentheses: write softmax(0.5), for example")
    return Fallibility(temperature, error)


@kernel
def fallible(game: Game, s: Any, depth: int, ply: int, temperature: float, error: float, search: Search) -> float:
    """Search s to `depth` plies. Returns the expected value for Max if Max makes the best moves and Min errs."""
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
    """The expected value of Min's move. The values of the moves begin at index `top`, and `best` is the lowest of
    them."""
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
