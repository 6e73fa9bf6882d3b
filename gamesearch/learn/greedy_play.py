"""Games in which both sides make the move with the best estimate after it, and some moves by lot."""

from typing import Any

from gamesearch.algorithms.parts.recurrence import is_among
from gamesearch.bits import mix
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, MAX, RECURRENCE_DRAWS, Game
from gamesearch.study.random_moves import is_open

__all__ = ["EXPLORED", "SLOPE", "VALUE", "play_greedily"]

VALUE, SLOPE, EXPLORED = range(3)
"""The columns of what is noted of a position: its estimate, how that changes with the weighted features, and whether
the move that led to it was made by lot."""
NUMBERS = 1 << 32
LEAST_CHANGE = 1e-12
"""Weighted features that change by less tell nothing of the slope."""


@kernel
def play_greedily(
    game: Game[Any],
    probe: Game[Any],
    start: Any,
    seed: int,
    exploration: float,
    longest: int,
    path: Any,
    rows: Any,
    noted: Any,
    ends: Any,
) -> int:
    """Play one game, note the features of the position after each move in `rows`, and return how many there are.

    `probe` is the same game with slightly other weights: by it the slope of the estimate is known, whatever `evaluate`
    makes of the weighted features. `ends` receives 1 and the payoff, or 0 where the game was left as too long.
    """
    s, made, random = start, 0, mix(seed)
    for length in range(longest):
        path[length] = mix(game.arrangement(s))
        if game.terminal(s):
            ends[0], ends[1] = 1.0, float(game.utility(s))
            break
        if game.recurrence == RECURRENCE_DRAWS and length > 0 and is_among(path, 0, length - 1, path[length]):
            ends[0], ends[1] = 1.0, float(game.draw_value())
            break
        random = mix(random + length)
        if game.player(s) == CHANCE:
            s = game.result(s, rolled(game, s, by_lot(random)))
            continue
        explores = by_lot(random) < exploration
        random = mix(random + 1)
        count, move, _ = chosen_move(game, s, explores, random, length, path)
        if count == 0:
            ends[0], ends[1] = 1.0, float(game.draw_value())
            break
        s = game.result(s, move)
        if not game.terminal(s):
            note(game, probe, s, made, rows, noted)
            noted[made, EXPLORED] = 1.0 if explores else 0.0
            made += 1
    return made


@kernel
def by_lot(random: int) -> float:
    """A number from 0 to 1 of a random one."""
    return float(random >> 1 & NUMBERS - 1) / NUMBERS


@kernel
def rolled(game: Game[Any], s: Any, share: float) -> int:
    """The outcome of a chance node that comes at a share of all."""
    last = 0
    for outcome, probability in game.outcomes(s):
        if probability > 0.0:
            last = outcome
            share -= probability
            if share < 0.0:
                break
    return last


@kernel
def chosen_move(game: Game[Any], s: Any, explores: bool, random: int, length: int, path: Any) -> tuple[int, int, int]:
    """How many moves share the greatest estimate, or are legal where the choice `explores`; one of them by lot; and
    how many positions were looked at.
    """
    maximizing = game.player(s) == MAX
    best, count, chosen, looked_at = 0.0, 0, 0, 0
    for move in game.moves(s):
        if not is_open(game, s, move, length, path):
            continue
        value = 0.0
        if not explores:
            after = game.result(s, move)
            looked_at += 1
            value = float(game.utility(after)) if game.terminal(after) else float(game.evaluate(after))
        if count == 0 or (value > best if maximizing else value < best):
            best, count, chosen = value, 1, move
        elif value == best:
            count += 1
            random = mix(random + count)
            if by_lot(random) * count < 1.0:
                chosen = move
    return count, chosen, looked_at


@kernel
def note(game: Game[Any], probe: Game[Any], s: Any, place: int, rows: Any, noted: Any) -> None:
    """Write down the features of a position, its estimate, and the slope of that."""
    features = game.features(s)
    change = 0.0
    for i in range(len(features)):
        rows[place, i] = features[i]
        change += features[i] * (probe.weights[i] - game.weights[i])
    value = float(game.evaluate(s))
    noted[place, VALUE] = value
    noted[place, SLOPE] = 0.0
    if abs(change) > LEAST_CHANGE:
        noted[place, SLOPE] = (float(probe.evaluate(s)) - value) / change
