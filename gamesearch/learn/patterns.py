"""Learns the weights of patterns by temporal differences, or from the outcomes of games in which a search chose the
moves.

In temporal-difference learning, both sides usually play the move with the best estimate, and sometimes a random move.
Outcomes are fitted by logistic regression: the expected result, from -1 to 1, is the hyperbolic tangent of the sum of a
position's weights. Results may be fractions (Papke and Wooldridge 1996, fractional logistic regression). The best
weights are approached by gradient steps with momentum (Nesterov 1983). The step size of each weight depends on how
often it was used.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gamesearch import compiler
from gamesearch.compiler import kernel
from gamesearch.compiler.kernels import load_state
from gamesearch.game import MIN
from gamesearch.learn.greedy_play import GameArrays, GreedyPlay, LearningSettings, play_episode
from gamesearch.learn.method import Method, Numbers, Played, Settings, Task, half_range, target
from gamesearch.learn.outcomes import sample_positions, scale_of_odds
from gamesearch.learn.searched_play import LONGEST, player_searcher
from gamesearch.learned.patterns import (
    LARGEST_ESTIMATE,
    NO_WEIGHT,
    PatternEvaluation,
    Patterns,
    derive_pattern_class,
    patterns_of,
)
from gamesearch.registry import load
from gamesearch.toolkit.bits import mix
from gamesearch.toolkit.random_games import sample_moves

__all__ = ["Notes", "PatternOutcomes", "PatternTemporalLearning", "Table", "play_and_learn"]

PENALTIES = (3.0, 30.0, 300.0)
"""The candidates for the penalty on squared weights. If a weight was used p times, a penalty of p makes the weight
about half as large."""
SMOOTHNESS = (10.0, 30.0, 100.0, 300.0)
"""The candidates for the penalty on squared differences between neighboring weights. Only patterns of single cells have
this penalty."""
STEPS = 60
FOLDS = 5  # one of every FOLDS games is left out to choose the penalty


def fit_and_validate(
    patterns: Patterns, numbers: Any, results: Numbers, games: Numbers, known: Numbers
) -> tuple[Numbers, float]:
    """Fit the weights of patterns, but leave some games out. Returns the weights, and the mean squared error on the
    games that were left out.

    `note_weights` has written a row of `numbers` for each position. `results` are results for the side to move. The
    estimate of a position is the sum of the weights in its row, plus its entry in `known`.
    """
    same = patterns.least_twins
    rows = np.where(numbers[:, :-1] == NO_WEIGHT, patterns.size, same[numbers[:, :-1]] + numbers[:, -1:])
    goals = np.clip(results / LARGEST_ESTIMATE, -1, 1)
    left_out = games.astype(np.int64) % FOLDS == 0
    tried = []
    for each in priors(patterns):
        weights = regress(rows[~left_out], goals[~left_out], known[~left_out], each)
        errors = np.tanh(known[left_out] + np.append(weights, 0.0)[rows[left_out]].sum(axis=1)) - goals[left_out]
        tried.append((float(np.mean(errors**2)) if left_out.any() else 0.0, each))
    loss, prior = min(tried, key=lambda each: each[0])
    found = regress(rows, goals, known, prior)
    if patterns.is_by_cell and known.any():
        found = shrink_to_content_means(
            found, np.bincount(rows.ravel(), minlength=patterns.size + 1)[:-1] > 0, patterns
        )
    return found.reshape(patterns.stages, -1)[:, same].ravel(), loss


def shrink_to_content_means(weights: Numbers, seen: Any, patterns: Patterns) -> Numbers:
    """From each weight, subtract half of the mean weight of all cells that have the same content at the same stage.

    The weights are added to the game's own estimates, which already contain the value of each piece. The fit would
    change these piece values too much: in an endgame that is won anyway, the result hardly shows the difference between
    a queen and a rook.
    """
    found, used = (each.reshape(patterns.stages, -1, patterns.things) for each in (weights, seen))
    means = (found * used).sum(axis=1) / np.maximum(1, used.sum(axis=1))
    return np.asarray((found - means[:, None, :] / 2).ravel())


class Prior(NamedTuple):
    """The prior of the weights. It prefers small weights, and it prefers similar weights for neighboring cells."""

    size: int
    """The number of weights. As an index, this number stands for "no weight"."""
    penalty: float
    smoothness: float
    neighbors: Any

    @property
    def curvature(self) -> Any:
        """Upper bounds on the curvature of the penalties, one for each weight. They hold even if all weights change
        together."""
        pairs = np.bincount(self.neighbors.ravel(), minlength=self.size + 1)
        return self.penalty + 2 * self.smoothness * pairs

    def pull(self, weights: Numbers) -> Any:
        """The gradient of the penalties with respect to the weights."""
        one, other = self.neighbors.T
        apart = self.smoothness * (weights[one] - weights[other])
        length = self.size + 1
        return self.penalty * weights + np.bincount(one, apart, length) - np.bincount(other, apart, length)


def priors(patterns: Patterns) -> list[Prior]:
    """The priors that are compared."""
    if patterns.is_by_cell:
        return [Prior(patterns.size, PENALTIES[0], each, patterns.neighbors) for each in SMOOTHNESS]
    return [Prior(patterns.size, penalty, 0.0, np.zeros((0, 2), np.int64)) for penalty in PENALTIES]


def regress(rows: Any, goals: Numbers, known: Numbers, prior: Prior) -> Numbers:
    """The most likely weights, given the results and the prior."""
    size = prior.size
    seen = np.bincount(rows.ravel(), minlength=size + 1)
    most = (rows < size).sum(axis=1).max(initial=0)
    pace = 1.0 / (most * seen + prior.curvature)  # bounds the curvature, because the slope of tanh is at most 1
    pace[size] = 0.0
    weights = ahead = np.zeros(size + 1)
    momentum = 1.0
    for _ in range(STEPS):
        errors = goals - np.tanh(known + ahead[rows].sum(axis=1))
        slope = np.bincount(rows.ravel(), np.repeat(errors, rows.shape[1]), size + 1) - prior.pull(ahead)
        before, weights = weights, ahead + pace * slope
        following = (1 + (1 + 4 * momentum**2) ** 0.5) / 2
        ahead = weights + (momentum - 1) / following * (weights - before)
        momentum = following
    return weights[:size]


class Notes(NamedTuple):
    """Arrays into which a kernel writes the positions of a game."""

    numbers: Any
    """For each position, the row of indices that `note_weights` writes."""
    values: Any
    """For each position, the estimate for Max (from -1 to 1), and the side to move (1 for Max, -1 for Min)."""


class Table(NamedTuple):
    """The weights, and the sums that determine their learning rates."""

    weights: Any
    twins: Any
    """For each weight, the next weight of its stage that is equal to it by symmetry (`patterns.py::Patterns.twins`)."""
    sums: Any  # for each weight, the sum of its errors
    sizes: Any  # for each weight, the sum of its absolute errors


@kernel
def play_and_learn(
    game: PatternEvaluation,
    arrays: GameArrays,
    start: Any,
    seed: int,
    games: int,
    settings: LearningSettings,
    notes: Notes,
    table: Table,
) -> float:
    """Play games, and learn from each by TD(lambda); returns the sum of the mean squared errors of the games.

    The learning rate of a weight is the absolute value of the sum of its errors, divided by the sum of the absolute
    values of its errors. So the learning rate falls automatically when positive and negative errors cancel each other.
    This method is called temporal coherence (Beal and Smith 1999).
    """
    loss, random = 0.0, mix(seed)
    middle, half = float(game.draw_value()), game.largest_estimate
    for _ in range(games):
        random = mix(random + 1)
        made, is_over, payoff, random = play_episode(game, start, random, settings.exploration, arrays)
        if made == 0:
            continue
        for t in range(made):
            s = load_state(arrays.states, t, start)
            note_weights(game, s, notes.numbers, t)
            notes.values[t, 0] = (float(game.evaluate(s)) - middle) / half
            notes.values[t, 1] = -1.0 if game.player(s) == MIN else 1.0
        final = (payoff - middle) / half
        if settings.payoff_is_sign:
            final = 1.0 if final > 0.0 else -1.0 if final < 0.0 else 0.0
        goal = max(-1.0, min(1.0, final)) if is_over else notes.values[made - 1, 0]
        loss += learn_from_game(made, goal, settings.decay, game.pattern_count, arrays.explored, notes, table)
    return loss


@kernel
def note_weights(game: PatternEvaluation, s: Any, numbers: Any, row: int) -> None:
    """Write the indices of weights to a row of `numbers`. The last index is the index of the first weight in the stage
    of s. The estimate of s is the sum of the weights at the other indices."""
    boards = game.contents(s)
    for place in range(game.pattern_count):
        numbers[row, place] = game.weight_number(boards, place)
    numbers[row, game.pattern_count] = game.stage(s) * game.stage_size


@kernel
def learn_from_game(
    made: int, goal: float, decay: float, places: int, explored: Any, notes: Notes, table: Table
) -> float:
    """Adjust each estimate of a game toward later estimates, beginning with the last estimate; returns the mean squared
    error. If a move was random, the estimates before it are not adjusted toward the estimates after it."""
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
            while True:  # the weights that are equal by symmetry
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


DECAY = 0.7  # the lambda of TD(lambda)
EXPLORATION = 0.1
OPENING = 8
"""Games played by search begin with at most this number of random moves. More random moves would decide too many
games."""
MOST_OF_GAME = 30
"""The greatest number of positions from each game. More positions would add little, because they share an outcome."""
ROUNDS = 4
"""The number of times that the weights are fitted. After each fit, the next games are played with the new weights."""
OF_POSITIONS = ("own", "games", "results")
"""The names of the arrays. The arrays contain, for each position, the game's own estimate, the number of the played
game, and the result of this game."""
ODDS_OF_TANGENT = 2.0
"""The log-odds of a win are this factor times the argument of the hyperbolic tangent."""
LOSS_MEMORY = 0.8
"""The displayed loss is a weighted mean. The weight of the earlier loss is this number, and the weight of the loss of
the new games is 1 minus this number."""
SAMPLE, LONGEST_GAME = 2_000, 120
"""SAMPLE moves of random games are examined. A random game has at most LONGEST_GAME moves."""
SHARE = 0.999


@functools.lru_cache(maxsize=4)
def learner(game: str, cells: tuple[tuple[int, ...], ...]) -> tuple[type[Any], Patterns]:
    """Return two objects: a class of the game that evaluates with the given patterns, and the `Patterns` object. All
    weights are 0."""
    own = load(game)
    patterns = patterns_of(own, cells)
    weights = np.zeros(patterns.size)
    return derive_pattern_class(type(own), lambda _: (patterns, weights), "", None), patterns


def game_with_patterns(settings: Settings, weights: Numbers, unit: float = 0.0) -> PatternEvaluation:
    """The game with the patterns of a run and with `weights`. The weights may be changed in place."""
    cls, _ = learner(settings.game, settings.patterns)
    game: PatternEvaluation = cls(**load(settings.game).parameters())
    game.pattern_weights, game.unit_of_sum, game.adds_to_own = weights, (unit,), unit > 0
    return game


class PatternLearning(Method):
    """Base class of the methods that learn patterns. The loss is the mean squared error of estimates, divided by the
    square of the distance from a draw to a win."""

    tasks_of_run = 50

    def prepare(self) -> None:
        """Create the patterns."""
        self.patterns = learner(self.settings.game, self.settings.patterns)[1]

    def initial_state(self) -> Played:
        """The initial weights, which are zero."""
        return {"weights": np.zeros(self.patterns.size)}

    @property
    def unit(self) -> float:
        """The value of `PatternEvaluation.unit_of_sum`; 0 if sums are not added to the game's own estimates."""
        return float(self.state["unit"][0]) if "unit" in self.state else 0.0

    def game_with_weights(self) -> PatternEvaluation:
        """The game with the learned weights."""
        return game_with_patterns(self.settings, self.weights, self.unit)

    def scales(self) -> dict[str, Any]:
        """The factors that convert sums of weights to estimates, or to corrections of the game's own evaluation."""
        game = self.game_with_weights()
        if not self.unit:
            return {"unit_of_sum": unit_by_own(game)}
        return {"unit_of_sum": self.unit, "adds_to_own": True, "most_change": most_change(game)}


class PatternTemporalLearning(PatternLearning):
    """Learns patterns by TD(lambda). Each move is chosen by the estimate of the position after it."""

    added_up = ("sums", "sizes")

    def initial_state(self) -> Played:
        """The state before the first game: the initial weights, and for each weight two sums (of its errors, and of its
        absolute errors)."""
        return super().initial_state() | {name: np.zeros(self.patterns.size) for name in self.added_up}

    @classmethod
    def play(cls, task: Task) -> Played:
        """Play the games of a task, and learn from each game. The result also contains the field `counts` of
        `GameArrays`."""
        state = {name: np.array(each, np.float64) for name, each in task.state.items()}
        game = game_with_patterns(task.settings, state["weights"])
        settings = LearningSettings(EXPLORATION, DECAY, half_range(game) == 1.0)
        notes = Notes(np.zeros((LONGEST, game.pattern_count + 1), np.int64), np.zeros((LONGEST, 2)))
        _, patterns = learner(task.settings.game, task.settings.patterns)
        table = Table(state["weights"], patterns.twins, state["sums"], state["sizes"])
        return GreedyPlay(game, task.speed).learn(play_and_learn, task, state, LOSS_MEMORY, settings, notes, table)


class PatternOutcomes(PatternLearning):
    """Learns patterns by logistic regression from the results of games. A search plays these games against itself."""

    rounds = ROUNDS
    played_with = ("weights", "unit")

    def initial_state(self) -> Played:
        """Empty arrays. For each position, they will contain the indices of weights, the game's own estimate, the
        number of the game, and the result of the game."""
        numbers: Any = np.zeros((0, len(self.patterns.places) + 1), np.int32)
        positions = {"numbers": numbers, **{name: np.zeros(0) for name in OF_POSITIONS}}
        return super().initial_state() | positions | {"unit": np.zeros(1)}

    def take(self, played: list[Played], done: int) -> None:
        """Add the positions of the played games, in order. At the end of a round, fit the weights."""
        for name in ("numbers", *OF_POSITIONS):
            self.state[name] = np.concatenate([self.state[name], *(each[name] for each in played)])
        if done in self.ends and len(self.state["games"]):
            unit = self.unit_of_sum()
            numbers, own, games, results = (self.state[name] for name in ("numbers", *OF_POSITIONS))
            known = own / unit if unit else np.zeros(len(own))
            weights, loss = fit_and_validate(self.patterns, numbers, results, games, known)
            self.state |= {"weights": weights, "unit": np.array([unit]), "loss": np.array([loss])}

    def unit_of_sum(self) -> float:
        """The factor that converts sums of weights to the unit of estimates, such as pawns. The factor is fitted to the
        odds of a win.

        If estimates have such a unit, the patterns learn to correct the game's own evaluation. Otherwise, the patterns
        replace this evaluation, and the factor is 0.
        """
        game = load(self.settings.game)
        if not (game.unit and game.win_or_loss):
            return 0.0
        odds = scale_of_odds(self.state["own"], (self.state["results"] + 1) / 2)
        return ODDS_OF_TANGENT / odds if odds > 0 else 0.0

    @classmethod
    def play(cls, task: Task) -> Played:
        """Play the games of a task. Before the first fit, the games are played with the game's own evaluation."""
        own = load(task.settings.game)
        game = game_with_patterns(task.settings, task.weights, float(task.state["unit"][0]))
        row = np.zeros((1, game.pattern_count + 1), np.int32)
        middle, half = float(game.draw_value()), half_range(game)
        numbers, found = list[Any](), list[tuple[float, int, float]]()
        with player_searcher(game if task.weights.any() else own, task.speed) as searcher:
            positions = sample_positions(searcher, task, lambda lots: lots.randint(1, OPENING), 0.0, MOST_OF_GAME)
            for number, payoff, turn in positions:
                state = turn.state
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
    """Apply `measure` to the positions before and after each move of random games. For each move, the result has a row
    with two numbers."""
    found = [(measure(before), measure(after)) for before, after in sample_moves(game, SAMPLE, LONGEST_GAME)]
    return np.array(found).reshape(-1, 2)


def most_change(game: PatternEvaluation) -> float:
    """Measure how much a move changes the sum of weights. Returns the 99.9 % quantile, in the unit of estimates; 0 if
    estimates have no unit."""
    unit = game.unit_of_sum[0]
    if unit == 0.0:
        return 0.0
    found = unit * steps(game, game.sum_for_max)
    return round(float(np.quantile(np.abs(found[:, 1] - found[:, 0]), SHARE)), 3) if len(found) else 0.0


def unit_by_own(game: PatternEvaluation) -> float:
    """The factor that converts sums of weights to the scale of the game's estimates; 0 if estimates have no unit. The
    factor is measured in random games."""
    if not (game.unit and game.win_or_loss):
        return 0.0
    middle = float(game.draw_value())
    own = steps(game, lambda s: float(game.own_estimate(s)) - middle)[:, 0]
    sums = steps(game, game.sum_for_max)[:, 0]
    shared = float(own @ sums)
    return float(f"{float(own @ own) / shared:.4g}") if shared > 0 else 0.0
