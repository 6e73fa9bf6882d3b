"""Games by which patterns learn while they play: the moves with the best estimate after them, and some by lot."""

from typing import Any

from gamesearch.algorithms.parts.recurrence import is_among
from gamesearch.bits import mix
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, MIN, RECURRENCE_DRAWS
from gamesearch.learn.greedy_play import by_lot, chosen_move, rolled
from gamesearch.patterns import PatternEvaluation

__all__ = ["note_weights", "play_and_learn"]


@kernel
def play_and_learn(
    game: PatternEvaluation,
    start: Any,
    seed: int,
    games: int,
    exploration: float,
    decay: float,
    middle: float,
    half: float,
    wins_only: bool,
    path: Any,
    numbers: Any,
    values: Any,
    explored: Any,
    weights: Any,
    twins: Any,
    sums: Any,
    sizes: Any,
) -> float:
    """Play so many games, and learn from each by TD(lambda); the sum of the mean squared errors of the games.

    `weights` are those that the game looks up. The rate of each weight is what its errors add up to, as a part of what
    their sizes add up to: it falls by itself where errors go both ways (temporal coherence, Beal and Smith 1999).
    """
    loss, random = 0.0, mix(seed)
    for _ in range(games):
        s, made, random, last, is_over = start, 0, mix(random + 1), 0.0, False
        for length in range(len(path)):
            path[length] = mix(game.arrangement(s))
            is_over = game.terminal(s)
            if is_over:
                last = float(game.utility(s))
                break
            if game.recurrence == RECURRENCE_DRAWS and length > 0 and is_among(path, 0, length - 1, path[length]):
                is_over, last = True, float(game.draw_value())
                break
            random = mix(random + length)
            if game.player(s) == CHANCE:
                s = game.result(s, rolled(game, s, by_lot(random)))
                continue
            explores = by_lot(random) < exploration
            random = mix(random + 1)
            count, move = chosen_move(game, s, explores, random, length, path)
            if count == 0:
                is_over, last = True, float(game.draw_value())
                break
            s = game.result(s, move)
            if not game.terminal(s):
                note_weights(game, s, numbers, made)
                values[made, 0] = (float(game.evaluate(s)) - middle) / half
                values[made, 1] = -1.0 if game.player(s) == MIN else 1.0
                explored[made] = explores
                made += 1
        if made == 0:
            continue
        final = (last - middle) / half
        if wins_only:
            final = 1.0 if final > 0.0 else -1.0 if final < 0.0 else 0.0
        goal = max(-1.0, min(1.0, final)) if is_over else values[made - 1, 0]
        loss += learn_from_game(made, goal, decay, game.pattern_count, numbers, values, explored, weights, twins,
                                sums, sizes)  # fmt: skip
    return loss


@kernel
def note_weights(game: PatternEvaluation, s: Any, numbers: Any, row: int) -> None:
    """Write down which weights the estimate of a position adds up, and behind them where its stage begins."""
    boards = game.contents(s)
    for place in range(game.pattern_count):
        numbers[row, place] = game.weight_number(boards, place)
    numbers[row, game.pattern_count] = game.stage(s) * game.stage_size


@kernel
def learn_from_game(
    made: int,
    goal: float,
    decay: float,
    places: int,
    numbers: Any,
    values: Any,
    explored: Any,
    weights: Any,
    twins: Any,
    sums: Any,
    sizes: Any,
) -> float:
    """Move each estimate of a game towards those that came later, from the last to the first; the mean squared error.

    Where lot made the next move, nothing follows from what came later.
    """
    loss = 0.0
    for back in range(made):
        t = made - 1 - back
        error = goal - values[t, 0]
        loss += error * error / made
        change = error * values[t, 1] / places
        first = numbers[t, places]
        for place in range(places):
            number = numbers[t, place]
            rate = 1.0
            if sizes[first + number] > 0.0:
                rate = abs(sums[first + number]) / sizes[first + number]
            while True:  # those that symmetry makes equal
                weights[first + number] += rate * change
                sums[first + number] += error * values[t, 1]
                sizes[first + number] += abs(error)
                number = twins[number]
                if number == numbers[t, place]:
                    break
        goal = values[t, 0] + decay * error
        if t > 0 and explored[t]:
            goal = values[t - 1, 0]
    return loss
