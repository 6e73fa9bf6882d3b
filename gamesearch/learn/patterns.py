"""Learning the weights of patterns: by temporal differences while playing, or from the outcomes of searched games.

The games play the moves with the best estimates, and some random moves. Outcomes are fitted by logistic regression:
the hyperbolic tangent of the sum of a position's weights is the expected result, from -1 to 1; results between are
shares of a win (Papke and Wooldridge 1996, fractional logistic regression). The single best solution is approached by
gradient steps with momentum (Nesterov 1983); each weight has its own step size, by how often its filling occurred.
"""

import functools
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gamesearch import compiler
from gamesearch.compiler import kernel
from gamesearch.compiler.kernels import load_state
from gamesearch.game import MIN
from gamesearch.learn.greedy_play import GreedyPlay, Lesson, Room, play_episode
from gamesearch.learn.learnable import Numbers, half_range, target
from gamesearch.learn.method import Method, Played, Settings, Task
from gamesearch.learn.outcomes import sampled_positions, scale_of_odds
from gamesearch.learn.searched_play import LONGEST, player_searcher
from gamesearch.learned.patterns import (
    LARGEST_ESTIMATE,
    NO_WEIGHT,
    PatternEvaluation,
    Patterns,
    derived_by_patterns,
    patterns_of,
)
from gamesearch.registry import load
from gamesearch.toolkit.bits import mix

__all__ = ["Notes", "PatternOutcomes", "PatternTemporal", "Table", "fitted_patterns", "note_weights", "play_and_learn"]

PENALTIES = (3.0, 30.0, 300.0)
"""Of squared weights, in positions: how often a filling has to be seen until its weight is believed by half,"""
SMOOTHNESS = (10.0, 30.0, 100.0, 300.0)
"""and of squared differences between neighbours, where patterns are cells."""
STEPS = 60
FOLDS = 5
"""One in so many games is left out to choose the penalty by."""


def fitted_patterns(
    patterns: Patterns, numbers: Any, results: Numbers, games: Numbers, known: Numbers
) -> tuple[Numbers, float]:
    """The weights, and the mean squared error on games that were left out.

    `numbers` has a row for each position, as `note_weights` writes it; `results` are those of the side to move, and the
    weights of a position are added to what is `known` of it.
    """
    same = patterns.least_twins
    rows = np.where(numbers[:, :-1] == NO_WEIGHT, patterns.size, same[numbers[:, :-1]] + numbers[:, -1:])
    goals = np.clip(results / LARGEST_ESTIMATE, -1, 1)
    left_out = games.astype(np.int64) % FOLDS == 0
    tried = []
    for each in beliefs(patterns):
        weights = regressed(rows[~left_out], goals[~left_out], known[~left_out], each)
        errors = np.tanh(known[left_out] + np.append(weights, 0.0)[rows[left_out]].sum(axis=1)) - goals[left_out]
        tried.append((float(np.mean(errors**2)) if left_out.any() else 0.0, each))
    loss, belief = min(tried, key=lambda each: each[0])
    found = regressed(rows, goals, known, belief)
    if patterns.is_by_cell and known.any():
        found = nearer_to_known(found, np.bincount(rows.ravel(), minlength=patterns.size + 1)[:-1] > 0, patterns)
    return found.reshape(patterns.stages, -1)[:, same].ravel(), loss


def nearer_to_known(weights: Numbers, seen: Any, patterns: Patterns) -> Numbers:
    """The weights of cells, less half of what each thing adds in each stage wherever it is.

    What is known says what a thing is worth. Games that are won anyway make a queen of an ending worth little more than
    a rook: 57 % of 200 games of chess by half of that, 59 % by all, and 50 % by nothing.
    """
    found, used = (each.reshape(patterns.stages, -1, patterns.things) for each in (weights, seen))
    means = (found * used).sum(axis=1) / np.maximum(1, used.sum(axis=1))
    return np.asarray((found - means[:, None, :] / 2).ravel())


class Belief(NamedTuple):
    """What is believed of weights before anything was seen: that they are small, and near to those of neighbours."""

    size: int
    """The number of weights; in place of the number of one, it stands for none."""
    penalty: float
    smoothness: float
    neighbours: Any
    """Pairs of weights."""

    @property
    def curvature(self) -> Any:
        """How much steeper each weight becomes at most, if all change."""
        pairs = np.bincount(self.neighbours.ravel(), minlength=self.size + 1)
        return self.penalty + 2 * self.smoothness * pairs

    def pull(self, weights: Numbers) -> Any:
        """How strongly each weight is drawn back."""
        one, other = self.neighbours.T
        apart = self.smoothness * (weights[one] - weights[other])
        length = self.size + 1
        return self.penalty * weights + np.bincount(one, apart, length) - np.bincount(other, apart, length)


def beliefs(patterns: Patterns) -> list[Belief]:
    """What is tried."""
    if patterns.is_by_cell:
        return [Belief(patterns.size, PENALTIES[0], each, patterns.neighbours) for each in SMOOTHNESS]
    return [Belief(patterns.size, penalty, 0.0, np.zeros((0, 2), np.int64)) for penalty in PENALTIES]


def regressed(rows: Any, goals: Numbers, known: Numbers, belief: Belief) -> Numbers:
    """The weights by what was seen and what is believed."""
    size = belief.size
    seen = np.bincount(rows.ravel(), minlength=size + 1)
    most = (rows < size).sum(axis=1).max(initial=0)
    pace = 1.0 / (most * seen + belief.curvature)  # no greater curvature: the slope of the tangent is at most 1
    pace[size] = 0.0
    weights = ahead = np.zeros(size + 1)
    momentum = 1.0
    for _ in range(STEPS):
        errors = goals - np.tanh(known + ahead[rows].sum(axis=1))
        slope = np.bincount(rows.ravel(), np.repeat(errors, rows.shape[1]), size + 1) - belief.pull(ahead)
        before, weights = weights, ahead + pace * slope
        following = (1 + (1 + 4 * momentum**2) ** 0.5) / 2
        ahead = weights + (momentum - 1) / following * (weights - before)
        momentum = following
    return weights[:size]


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


DECAY = 0.7
"""The lambda of TD(lambda)."""
EXPLORATION = 0.1
"""How often a move is made by lot."""
OPENING = 8
"""Searched games begin with from one to so many moves by lot; a later one would decide what it says nothing about."""
MOST_OF_GAME = 30
"""So many positions of each game are taken: more say little new, for all have one outcome."""
ROUNDS = 4
"""So often the weights are fitted to outcomes, and the next games are played with them."""
OF_POSITIONS = ("own", "games", "results")
"""What is kept of each position beside the numbers of its weights."""
ODDS_OF_TANGENT = 2.0
"""The logarithm of the odds of a win is so many times what the hyperbolic tangent makes its expected result of."""
LOSS_MEMORY = 0.8
"""The loss that is shown of a part of the games is mixed with that before."""
SAMPLE, LONGEST_GAME = 2_000, 120
"""So many moves of random games, of so many moves at most, are looked at."""
SHARE = 0.999


@functools.lru_cache(maxsize=4)
def learner(game: str, cells: tuple[tuple[int, ...], ...]) -> tuple[type[Any], Patterns]:
    """The class of a game with some patterns, all of whose weights are zero, and the patterns."""
    own = load(game)
    patterns = patterns_of(own, cells)
    weights = np.zeros(patterns.size)
    return derived_by_patterns(type(own), lambda _: (patterns, weights), "", None), patterns


def evaluated_by_patterns(settings: Settings, weights: Numbers, unit: float = 0.0) -> PatternEvaluation:
    """The game with the patterns of a run and some weights, whose numbers may be changed in place."""
    cls, _ = learner(settings.game, settings.patterns)
    game: PatternEvaluation = cls(**load(settings.game).parameters())
    game.pattern_weights, game.unit_of_sum, game.adds_to_own = weights, (unit,), unit > 0
    return game


class PatternLearning(Method):
    """What both methods have in common.

    The loss is the mean squared error of estimates, as a part of the squared distance from draw to win.
    """

    tasks_of_run = 50

    def prepare(self) -> None:
        """Make the patterns."""
        self.patterns = learner(self.settings.game, self.settings.patterns)[1]

    def more(self) -> Played:
        """The weights: all of them are zero."""
        return {"weights": np.zeros(self.patterns.size)}

    @property
    def unit(self) -> float:
        """As `PatternEvaluation.unit_of_sum`, where what is learned is added to the game's own estimates; else 0."""
        return float(self.state["unit"][0]) if "unit" in self.state else 0.0

    def evaluated(self) -> PatternEvaluation:
        """The game, evaluated by what was learned."""
        return evaluated_by_patterns(self.settings, self.weights, self.unit)

    def scales(self) -> dict[str, Any]:
        """What makes estimates of sums: of what was learned alone, or of what the game's own evaluation lacks."""
        game = self.evaluated()
        if not self.unit:
            return {"unit_of_sum": unit_by_own(game)}
        return {"unit_of_sum": self.unit, "adds_to_own": True, "most_change": most_change(game)}


class PatternTemporal(PatternLearning):
    """TD(lambda) on the positions after moves that are chosen by their estimates alone."""

    added_up = ("sums", "sizes")

    def more(self) -> Played:
        """For each weight what its errors add up to, and what their sizes do."""
        return super().more() | {name: np.zeros(self.patterns.size) for name in self.added_up}

    @classmethod
    def played(cls, task: Task) -> Played:
        """Play the games of a task, and learn from each; besides, `counts` as those of `Room`."""
        state = {name: np.array(each, np.float64) for name, each in task.state.items()}
        game = evaluated_by_patterns(task.settings, state["weights"])
        lesson = Lesson(EXPLORATION, DECAY, half_range(game) == 1.0)
        notes = Notes(np.zeros((LONGEST, game.pattern_count + 1), np.int64), np.zeros((LONGEST, 2)))
        _, patterns = learner(task.settings.game, task.settings.patterns)
        table = Table(state["weights"], patterns.twins, state["sums"], state["sizes"])
        return GreedyPlay(game, task.speed).learn(play_and_learn, task, state, LOSS_MEMORY, lesson, notes, table)


class PatternOutcomes(PatternLearning):
    """How games ended that a search played with itself, regressed on the patterns of their positions."""

    rounds = ROUNDS
    played_with = ("weights", "unit")

    def more(self) -> Played:
        """The positions so far: the weights that their estimates add up, what the game's own evaluation says of them,
        their games, and the results of these.
        """
        numbers: Any = np.zeros((0, len(self.patterns.places) + 1), np.int32)
        positions = {"numbers": numbers, **{name: np.zeros(0) for name in OF_POSITIONS}}
        return super().more() | positions | {"unit": np.zeros(1)}

    def take(self, played: list[Played], done: int) -> None:
        """Add games, in their order; fit the weights where the round is over."""
        for name in ("numbers", *OF_POSITIONS):
            self.state[name] = np.concatenate([self.state[name], *(each[name] for each in played)])
        if done in self.ends and len(self.state["games"]):
            unit = self.unit_of_sum()
            numbers, own, games, results = (self.state[name] for name in ("numbers", *OF_POSITIONS))
            known = own / unit if unit else np.zeros(len(own))
            weights, loss = fitted_patterns(self.patterns, numbers, results, games, known)
            self.state |= {"weights": weights, "unit": np.array([unit]), "loss": np.array([loss])}

    def unit_of_sum(self) -> float:
        """What makes estimates of sums of weights, where the game says in which unit it estimates: a pawn stays a pawn.

        Then only what its own evaluation lacks is learned, whose odds of a win tell the unit; else this is 0.
        """
        game = load(self.settings.game)
        if not (game.unit and game.win_or_loss):
            return 0.0
        odds = scale_of_odds(self.state["own"], (self.state["results"] + 1) / 2)
        return ODDS_OF_TANGENT / odds if odds > 0 else 0.0

    @classmethod
    def played(cls, task: Task) -> Played:
        """Play the games of a task: by the game's own evaluation as long as nothing is learned."""
        own = load(task.settings.game)
        game = evaluated_by_patterns(task.settings, task.weights, float(task.state["unit"][0]))
        row = np.zeros((1, game.pattern_count + 1), np.int32)
        middle, half = float(game.draw_value()), half_range(game)
        numbers, found = list[Any](), list[tuple[float, int, float]]()
        with player_searcher(game if task.weights.any() else own, task.speed) as searcher:
            positions = sampled_positions(searcher, task, lambda lots: lots.randint(1, OPENING), 0.0, MOST_OF_GAME)
            for number, payoff, state in positions:
                compiler.run(note_weights, game, task.speed, state, row, 0)
                numbers.append(row[0].copy())
                sign = -1 if game.player(state) == MIN else 1
                estimate, result = float(own.evaluate(state)), target(game, payoff)
                found.append((sign * (estimate - middle), number, sign * (result - middle) / half))
        columns = np.array(found, np.float64).reshape(-1, len(OF_POSITIONS)).T
        rows: Any = np.array(numbers, np.int32).reshape(-1, row.shape[1])
        return dict(zip(OF_POSITIONS, columns, strict=True)) | {"numbers": rows}


# The unit of sums. -------------------------------------------------------------------------------
def steps(game: PatternEvaluation, measure: Callable[[Any], float]) -> Any:
    """The measure of a position and of that after a move, in a row for each move of random games."""
    source, found, state, plies = random.Random(1), list[tuple[float, float]](), game.initial(), 0
    for _ in range(SAMPLE):
        moves = [] if plies == LONGEST_GAME or game.terminal(state) else game.steps(state)
        if not moves:
            state, plies = game.initial(), 0
            continue
        after = game.result(state, source.choice(moves))
        if not game.terminal(after):
            found.append((measure(state), measure(after)))
        state, plies = after, plies + 1
    return np.array(found).reshape(-1, 2)


def most_change(game: PatternEvaluation) -> float:
    """More than this, in the unit of the game, only one move of a thousand changes; 0 where sums have no unit."""
    unit = game.unit_of_sum[0]
    if unit == 0.0:
        return 0.0
    found = unit * steps(game, game.sum_for_max)
    return round(float(np.quantile(np.abs(found[:, 1] - found[:, 0]), SHARE)), 3) if len(found) else 0.0


def unit_by_own(game: PatternEvaluation) -> float:
    """The unit by which the sums are as great as the game's own estimates in random games; 0 if it has no unit."""
    if not (game.unit and game.win_or_loss):
        return 0.0
    middle = float(game.draw_value())
    own = steps(game, lambda s: float(game.own_estimate(s)) - middle)[:, 0]
    sums = steps(game, game.sum_for_max)[:, 0]
    shared = float(own @ sums)
    return float(f"{float(own @ own) / shared:.4g}") if shared > 0 else 0.0
