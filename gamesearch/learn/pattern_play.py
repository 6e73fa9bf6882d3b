"""Games by which patterns learn while they play: the moves with the best estimate after them, and some by lot."""

from typing import Any, NamedTuple

from gamesearch.compiler import kernel
from gamesearch.compiler.rows import load_state
from gamesearch.game import MIN
from gamesearch.learn.greedy_play import Lesson, Room, play_episode
from gamesearch.learned.patterns import NO_WEIGHT, PatternEvaluation
from gamesearch.toolkit.bits import mix

__all__ = ["Notes", "Table", "note_weights", "play_and_learn"]


class Notes(NamedTuple):
    """Room for what is noted of the positions of a game."""

    numbers: Any
    """The weights that the estimate of a position adds up, as `note_weights` writes them."""
    values: Any
    """The estimate, from -1 to 1 for Max, and 1 or -1 as Max or Min is to move."""


class Table(NamedTuple):
    """The weights, and what is remembered of each to find its rate."""

    weights: Any
    """Those that the game looks up."""
    twins: Any
    """The next weight of a stage that symmetry makes equal (`patterns.py::Patterns.twins`)."""
    sums: Any
    """What the errors of a weight add up to,"""
    sizes: Any
    """and what their sizes add up to."""


@kernel
def play_and_learn(
    game: PatternEvaluation,
    room: Room,
    start: Any,
    seed: int,
    games: int,
    lesson: Lesson,
    notes: Notes,
    table: Table,
) -> float:
    """Play so many games, and learn from each by TD(lambda); the sum of the mean squared errors of the games.

    The rate of each weight is what its errors add up to, as a part of what their sizes add up to: it falls by itself
    where errors go both ways (temporal coherence, Beal and Smith 1999).
    """
    loss, random = 0.0, mix(seed)
    middle, half = float(game.draw_value()), game.largest_estimate
    for _ in range(games):
        random = mix(random + 1)
        made, is_over, payoff, random = play_episode(game, start, random, lesson.exploration, room)
        if made == 0:
            continue
        for t in range(made):
            s = load_state(room.states, t, start)
            note_weights(game, s, notes.numbers, t)
            notes.values[t, 0] = (float(game.evaluate(s)) - middle) / half
            notes.values[t, 1] = -1.0 if game.player(s) == MIN else 1.0
        final = (payoff - middle) / half
        if lesson.payoff_is_sign:
            final = 1.0 if final > 0.0 else -1.0 if final < 0.0 else 0.0
        goal = max(-1.0, min(1.0, final)) if is_over else notes.values[made - 1, 0]
        loss += learn_from_game(made, goal, lesson.decay, game.pattern_count, room.explored, notes, table)
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
    explored: Any,
    notes: Notes,
    table: Table,
) -> float:
    """Move each estimate of a game towards those that came later, from the last to the first; the mean squared error.

    Where lot made the next move, nothing follows from what came later.
    """
    loss = 0.0
    for back in range(made):
        t = made - 1 - back
        error = goal - notes.values[t, 0]
        loss += error * error / made
        change = error * notes.values[t, 1] / places
        first = notes.numbers[t, places]
        for place in range(places):
            number = notes.numbers[t, place]
            if number == NO_WEIGHT:
                continue
            rate = 1.0
            if table.sizes[first + number] > 0.0:
                rate = abs(table.sums[first + number]) / table.sizes[first + number]
            while True:  # those that symmetry makes equal
                table.weights[first + number] += rate * change
                table.sums[first + number] += error * notes.values[t, 1]
                table.sizes[first + number] += abs(error)
                number = table.twins[number]
                if number == notes.numbers[t, place]:
                    break
        goal = notes.values[t, 0] + decay * error
        if t > 0 and explored[t]:
            goal = notes.values[t - 1, 0]
    return loss
