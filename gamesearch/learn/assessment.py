"""Measures the quality of an evaluation: its cost, correlation with outcomes, frequency of ties, and playing strength.

Russell and Norvig, section 5.3: an evaluation should be quick, and it should correlate with the chances of winning. It
should put finished games in the same order as their payoffs.
"""

import math
import random
import statistics
import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gamesearch import compiler
from gamesearch.algorithms.catalog import exact_algorithm, load_algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor
from gamesearch.algorithms.engine.searcher import Searcher, search_with
from gamesearch.compiler import kernel
from gamesearch.errors import refuse
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.learn.matches import payoff_between, points_of_game
from gamesearch.learn.method import Numbers, half_range, target
from gamesearch.learn.searched_play import LONGEST, new_searcher, play_searching
from gamesearch.notation import zero_sum_words
from gamesearch.play.match import names_winner, random_outcome
from gamesearch.solvers.solving import solve
from gamesearch.toolkit.bits import mix

__all__ = ["Assessment", "ErrorAfter", "Exactness", "assess"]

GAMES = 30  # the number of games against random moves, and the least number of games of self-play
MOST_GAMES, ENOUGH_POSITIONS = 300, 2_000
"""The greatest number of games of self-play, and the number of positions after which self-play ends. Many games are
needed because all positions of a game share its result."""
OPENING, EXPLORATION = 4, 0.1
MOST_POSITIONS = 200  # the greatest number of positions that are solved, or in which ties are counted
CONFIDENCE = 1.96  # the half-width of a 95 % confidence interval, in standard errors
NODES = 5_000  # the greatest number of nodes for solving a position
PLIES = 20_000  # the number of positions on which the cost of the evaluation is measured
RUNS, MOST_RUNS = 3, 15
"""The usual and the greatest number of measured runs. More runs than usual are made if a call is too fast to be
measured. The fastest run counts."""
SECONDS_OF_A_MOVE = 0.005  # the time for each move in games with a time limit
LEAST_SECONDS = 0.02  # the least duration, in seconds, of a measured run of interpreted games


@dataclass(frozen=True)
class Assessment:
    """The measurements of one evaluation."""

    speed: str
    nanoseconds: float  # the time of one call of the evaluation
    of_a_move: float  # the time of a call, divided by the time to generate and make a move
    positions: int
    games: int
    correlation: float
    """Spearman's rank correlation between estimates and outcomes."""
    correlation_low: float
    correlation_high: float  # the ends of the 95 % confidence interval of the correlation
    is_solved: bool  # whether the outcomes are exact values, and not results of games
    ties: float
    """The fraction of positions in which more than one move has the best estimate. Only positions with several moves
    count."""
    depth: int
    strength: float
    """The player's fraction of all points in games against random moves, or the player's mean payoff if the game has no
    winner."""
    seconds: float  # the time for each move in the games that measure `strength_in_time`
    strength_in_time: float
    strength_of_random_moves: float  # the strength of random moves: half of the points, or the mean payoff
    has_winner: bool  # whether strengths are fractions of points; otherwise, they are mean payoffs


def assess(game: Game, depth: int, speed: str, monitor: Monitor) -> Assessment | None:
    """Measure an evaluation; returns None if the user interrupted the measurement. Raises GamesearchError for games
    with more than two players."""
    refuse(
        (game.payoff_count > 1, f"an assessment is {zero_sum_words(game)}"),
        (
            not game.has_features and type(game).evaluate is Game.evaluate,
            f"{game.name} has no evaluation: name a file with an evaluation, for example "
            f"{type(game).name}(evaluation=./mine.py)",
        ),
    )
    monitor.stage = "cost"
    ran, seconds, seconds_of_move = cost(game, speed)
    with new_searcher(game, speed) as searcher:
        monitor.stage = "games with itself"
        seen = self_play(searcher, depth)
        if monitor.interrupted:
            return None
        monitor.stage = "solving"
        some = list({each.state: each for each in seen}.values())[:MOST_POSITIONS]
        states = [each.state for each in some]
        exact = solve_positions(game, states, speed, monitor)
        monitor.stage = "games against random moves"
        strength = strength_of(game, searcher, Limits(depth))
        strength_of_random_moves = strength_of(game, None, Limits())
        in_time = strength_of(game, searcher, Limits(time=SECONDS_OF_A_MOVE))
    if monitor.interrupted:
        return None
    compared = seen if exact is None else some
    estimates = np.array([float(game.evaluate(each.state)) for each in compared])
    truth = np.array([each.payoff for each in compared]) if exact is None else exact
    games = np.array([each.game for each in compared])
    return Assessment(
        ran,
        1e9 * seconds,
        seconds / seconds_of_move if seconds_of_move > 0 else 0.0,
        len(compared),
        len(set(games.tolist())),
        *correlation_of_games(estimates, truth, games),
        exact is not None,
        share_of_ties(game, states),
        depth,
        strength,
        SECONDS_OF_A_MOVE,
        in_time,
        strength_of_random_moves,
        names_winner(game),
    )


# The cost of a call. -----------------------------------------------------------------------------
@kernel
def walk(game: Game, start: Any, seed: int, plies: int, estimates: bool) -> float:
    """Play random moves; before each of them, generate all legal moves. If `estimates` is true, also evaluate the
    position after each move; returns the sum of the estimates."""
    s, total, random = start, 0.0, mix(seed)
    for ply in range(plies):
        if game.terminal(s):
            s = start
            continue
        random = mix(random + ply)
        chosen, count, after = 0, 0, s
        if game.player(s) == CHANCE:
            for outcome, probability in game.outcomes(s):
                if probability <= 0.0:
                    continue
                count += 1
                if (random >> 1 & 0xFFFFFFFF) % count == 0:
                    chosen = outcome
        else:
            for move in game.moves(s):
                count += 1
                if (random >> 1 & 0xFFFFFFFF) % count == 0:
                    chosen = move
        if count == 0:
            s = start
            continue
        after = game.result(s, chosen)
        if estimates and not game.terminal(after):
            total += float(game.evaluate(after))
        s = after
    return total


def cost(game: Game, speed: str) -> tuple[str, float, float]:
    """Measure the seconds for a call of `evaluate`, and the seconds for a move without such a call. Returns the speed
    (`compiled` or `interpreted`), then the two measurements."""
    start, plies = game.initial(), 1
    _, ran = compiler.run(walk, game, speed, start, 1, plies, True)  # compiles the kernel before the measurement
    plies = PLIES if ran == "compiled" else 50
    while True:
        plain = min(time_walk(game, speed, start, plies, False) for _ in range(RUNS))
        if plain >= LEAST_SECONDS or plies >= PLIES:
            break
        plies *= 4
    # Runs with calls of `evaluate` alternate with runs without such calls. So other processes slow down both kinds
    # equally.
    plain = whole = math.inf
    for number in range(MOST_RUNS):
        if number >= RUNS and whole > plain:
            break
        plain = min(plain, time_walk(game, speed, start, plies, False))
        whole = min(whole, time_walk(game, speed, start, plies, True))
    return ran, max(0.0, whole - plain) / plies, plain / plies


def time_walk(game: Game, speed: str, start: Any, plies: int, estimates: bool) -> float:
    """Measure how many seconds one call of `walk` takes."""
    began = time.perf_counter()
    compiler.run(walk, game, speed, start, 1, plies, estimates)
    return time.perf_counter() - began


# The correlation with outcomes. ------------------------------------------------------------------
class AssessedPosition(NamedTuple):
    """A position in a self-play game."""

    state: Any
    payoff: float
    game: int


def self_play(searcher: Searcher, depth: int) -> list[AssessedPosition]:
    """Let the evaluation play games against itself, and return their positions in random order. A position can occur
    several times."""
    found = list[AssessedPosition]()
    for number in range(MOST_GAMES):
        if number >= GAMES and len(found) >= ENOUGH_POSITIONS:
            break
        played = play_searching(searcher, depth, OPENING, EXPLORATION, random.Random(f"assess {number}"))
        if played.payoff is not None:
            found += [AssessedPosition(turn.state, played.payoff, number) for turn in played.turns]
    random.Random("assess").shuffle(found)
    return found


def solve_positions(game: Game, states: list[Any], speed: str, monitor: Monitor) -> Numbers | None:
    """The exact values of positions; None if a position needs too many nodes."""
    values = []
    algorithm = load_algorithm(exact_algorithm(game), {"distance": False, "deepen": False})
    for s in states:
        result = search_with(game, s, algorithm, Limits(LONGEST, nodes=NODES), speed=speed, monitor=monitor)
        if not result.sees_the_end or not isinstance(result.value, float):
            return None
        values.append(result.value)
    return np.array(values)


def correlation_of_games(one: Numbers, other: Numbers, games: np.ndarray[Any, Any]) -> tuple[float, float, float]:
    """The rank correlation of two series of numbers, and the two ends of the correlation's 95 % confidence interval.

    The interval is computed by the jackknife (Tukey 1958). It leaves out one game at a time, because positions of the
    same game are not independent. `games` contains, for each position, the number of its game.
    """
    found, numbers = rank_correlation(one, other), np.unique(games)
    without = np.array([rank_correlation(one[games != each], other[games != each]) for each in numbers])
    count = len(numbers)
    error = math.sqrt((count - 1) / count * float(((without - without.mean()) ** 2).sum())) if count else 0.0
    return found, max(-1.0, found - CONFIDENCE * error), min(1.0, found + CONFIDENCE * error)


def rank_correlation(one: Numbers, other: Numbers) -> float:
    """Spearman's rank correlation. Equal numbers get their mean rank. The result is 0 if all numbers of one series are
    equal.

    >>> round(rank_correlation(np.array([1.0, 2, 3, 4]), np.array([1.0, 8, 7, 100])), 6)
    0.8
    """
    is_any_flat = len(set(one.tolist())) < 2 or len(set(other.tolist())) < 2
    return 0.0 if is_any_flat else float(np.corrcoef(ranks(one), ranks(other))[0, 1])


def ranks(values: Numbers) -> Numbers:
    """The rank of each number. Equal numbers get their mean rank."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[places], np.float64)


def share_of_ties(game: Game, states: list[Any]) -> float:
    """The fraction of positions in which more than one move has the best estimate. Only positions with several moves
    count."""
    tied = choices = 0
    for s in states:
        after = [game.result(s, move) for move in game.steps(s)]
        values = [float(game.utility(each)) if game.terminal(each) else float(game.evaluate(each)) for each in after]
        if len(values) > 1:
            choices += 1
            tied += values.count(max(values) if game.player(s) == MAX else min(values)) > 1
    return tied / choices if choices else 0.0


# Playing strength. -------------------------------------------------------------------------------
def strength_of(game: Game, searcher: Searcher | None, limits: Limits) -> float:
    """The score against random moves: the fraction of points or, in games without a winner, the mean payoff. If
    `searcher` is None, both sides move randomly."""
    if not names_winner(game):
        return statistics.mean(payoff_of_game(game, searcher, limits, number) for number in range(GAMES))
    if searcher is None:
        return 0.5
    return statistics.mean(points_of_game(game, searcher, None, number, limits, 1) for number in range(GAMES))


def payoff_of_game(game: Game, searcher: Searcher | None, limits: Limits, number: int) -> float:
    """Play a game, and return the payoff for Max. Max moves randomly if `searcher` is None, and Min always moves
    randomly."""
    payoff = payoff_between(game, {MAX: searcher, MIN: None}, limits, random.Random(f"payoff {number}"), opening=0)
    return float(game.draw_value()) if payoff is None else payoff


# The error of estimates. -------------------------------------------------------------------------
STATES = 60
RANDOM_SHARE = 0.1
PARTS = (16, 8, 4, 2, 1)  # the error is measured after 1/16, 1/8, 1/4, 1/2 and all of the games of a run


@dataclass(frozen=True)
class ErrorAfter:
    """The root mean square error of the estimates after learning from `games` games. The error is a fraction of the
    distance from a draw to a win."""

    games: int
    error: float


class Exactness:
    """Solves positions from games, so that the error of estimates can be measured."""

    def __init__(self, game: Game, seed: int, speed: str) -> None:
        self.states = states_of_best_play(game, random.Random(f"exact {seed}"), speed)
        self.values = [target(game, solve(game, s, speed=speed).value) for s in self.states]
        self.scale = half_range(game)

    def error(self, game: Game) -> float:
        """The root mean square error of the estimates by a game's evaluation."""
        squares = [(float(game.evaluate(s)) - value) ** 2 for s, value in zip(self.states, self.values, strict=True)]
        return math.sqrt(math.fsum(squares) / len(squares)) / self.scale

    @staticmethod
    def is_due(before: int, done: int, games: int) -> bool:
        """Whether the error must be measured now. The run has `games` games, of which `done` are finished. At the
        previous check, `before` games were finished."""
        return any(before < games // part <= done for part in PARTS)


def states_of_best_play(game: Game, source: random.Random, speed: str) -> list[Any]:
    """Play games, and return the different positions. Both sides usually play a best move, and sometimes a random
    move."""
    choose = solve(game, game.initial(), speed=speed, keep=True).choose
    assert choose is not None
    found, s = dict[Any, None](), game.initial()
    for _ in range(100 * STATES):
        if len(found) == STATES:
            break
        if game.terminal(s):
            s = game.initial()
        if game.player(s) == CHANCE:
            s = game.result(s, random_outcome(game, s, source))
            continue
        is_random = source.random() < RANDOM_SHARE
        s = game.result(s, source.choice(game.steps(s)) if is_random else choose(s))
        if not game.terminal(s):
            found[s] = None
    return list(found)
