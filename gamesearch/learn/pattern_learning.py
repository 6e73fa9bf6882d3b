"""Learning the weights of patterns: by temporal differences while playing, or from the outcomes of searched games."""

import functools
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from gamesearch import compiler
from gamesearch.game import MIN
from gamesearch.learn.greedy_play import GreedyPlay, Lesson
from gamesearch.learn.learnable import Numbers, half_range, target
from gamesearch.learn.logistic import scale_of_odds
from gamesearch.learn.method import Method, Played, Settings, Task
from gamesearch.learn.outcomes import sampled_positions
from gamesearch.learn.pattern_fitting import fitted_patterns
from gamesearch.learn.pattern_play import Notes, Table, note_weights, play_and_learn
from gamesearch.learn.searched_play import LONGEST, player_searcher
from gamesearch.learned.patterns import PatternEvaluation, Patterns, derived_by_patterns, patterns_of
from gamesearch.registry import load

__all__ = ["PatternOutcomes", "PatternTemporal"]

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
