"""Learning the weights of patterns: by temporal differences while playing, or from the outcomes of searched games."""

import functools
from typing import Any

import numpy as np

from gamesearch import compiler
from gamesearch.game import MIN, Game
from gamesearch.learn.learnable import Numbers, half_range, target
from gamesearch.learn.method import Method, mean_state, mixed_loss
from gamesearch.learn.outcomes import is_quiet
from gamesearch.learn.pattern_fitting import fitted_patterns
from gamesearch.learn.pattern_play import Notes, Table, note_weights, play_and_learn
from gamesearch.learn.played_episode import Lesson, room_for
from gamesearch.learn.searched_play import LONGEST, new_searcher, play_searching
from gamesearch.learn.task import Played, Settings, Task
from gamesearch.learned.patterns import PatternEvaluation, Patterns, derived_by_patterns, patterns_of
from gamesearch.registry import load

__all__ = ["PatternOutcomes", "PatternTemporal"]

DECAY = 0.7
"""The lambda of TD(lambda)."""
EXPLORATION = 0.1
"""How often a move is made by lot."""
OPENING, LATER_EXPLORATION = 8, 0.05
"""Searched games begin with up to so many moves by lot, and later moves are by lot as often as this."""
ROUNDS = 4
"""So often the weights are fitted to outcomes, and the next games are played with them."""
LOSS_MEMORY = 0.8
"""The loss that is shown of a part of the games is mixed with that before."""


@functools.lru_cache(maxsize=4)
def learner(game: str, cells: tuple[tuple[int, ...], ...]) -> tuple[type[Any], Patterns]:
    """The class of a game with some patterns, all of whose weights are zero, and the patterns."""
    own = load(game)
    patterns = patterns_of(own, cells)
    weights = np.zeros(patterns.size)
    return derived_by_patterns(type(own), lambda _: (patterns, weights), "", None), patterns


def evaluated_by_patterns(settings: Settings, weights: Numbers) -> PatternEvaluation:
    """The game with the patterns of a run and some weights, whose numbers may be changed in place."""
    cls, _ = learner(settings.game, settings.patterns)
    game: PatternEvaluation = cls(**load(settings.game).parameters())
    game.pattern_weights = weights
    return game


class PatternLearning(Method):
    """What both methods have in common.

    The loss is the mean squared error of estimates, as a part of the squared distance from draw to win.
    """

    tasks_of_run = 50

    def prepare(self) -> None:
        """Make the patterns."""
        self.patterns = learner(self.settings.game, self.settings.patterns)[1]

    def first_weights(self) -> Numbers:
        """All of them are zero."""
        return np.zeros(self.patterns.size)

    def evaluated(self) -> Game[Any]:
        """The game, evaluated by what was learned."""
        return evaluated_by_patterns(self.settings, self.weights)


class PatternTemporal(PatternLearning):
    """TD(lambda) on the positions after moves that are chosen by their estimates alone."""

    def more(self) -> Played:
        """For each weight what its errors add up to, and what their sizes do."""
        return {"sums": np.zeros(self.patterns.size), "sizes": np.zeros(self.patterns.size)}

    def take(self, played: list[Played], done: int) -> None:  # noqa: ARG002
        """Go on from the mean of what the workers learned, each from the same weights."""
        self.state = mean_state(self.state, played, ("sums", "sizes"))

    @classmethod
    def played(cls, task: Task) -> Played:
        """Play the games of a task, and learn from each."""
        settings = task.settings
        state = {name: np.array(each, np.float64) for name, each in task.state.items()}
        game = evaluated_by_patterns(settings, state["weights"])
        lesson = Lesson(EXPLORATION, DECAY, half_range(game) == 1.0)
        episode = room_for(game, LONGEST, task.speed)
        notes = Notes(np.zeros((LONGEST, game.pattern_count + 1), np.int64), np.zeros((LONGEST, 2)))
        twins = learner(settings.game, settings.patterns)[1].twins
        table = Table(state["weights"], twins, state["sums"], state["sizes"])
        seed = task.source(task.first).getrandbits(62)
        total, _ = compiler.run(
            play_and_learn, game, task.speed, game.initial(), seed, task.count, lesson, episode, notes, table
        )
        state["loss"][0] = mixed_loss(float(state["loss"][0]), total / task.count, LOSS_MEMORY)
        return state


class PatternOutcomes(PatternLearning):
    """How games ended that a search played with itself, regressed on the patterns of their positions."""

    rounds = ROUNDS
    plays_with_weights_alone = True

    def more(self) -> Played:
        """The positions so far: the weights that their estimates add up, their games, and the results of these."""
        places = len(self.patterns.places)
        return {"numbers": np.zeros((0, places + 1), np.int32), "games": np.zeros(0), "results": np.zeros(0)}

    def take(self, played: list[Played], done: int) -> None:
        """Add games, in their order; fit the weights where the round is over."""
        for name in ("numbers", "games", "results"):
            self.state[name] = np.concatenate([self.state[name], *(each[name] for each in played)])
        if done in self.ends and len(self.state["games"]):
            weights, loss = fitted_patterns(
                self.patterns, self.state["numbers"], self.state["results"], self.state["games"]
            )
            self.state |= {"weights": weights, "loss": np.array([loss])}

    @classmethod
    def played(cls, task: Task) -> Played:
        """Play the games of a task."""
        game = evaluated_by_patterns(task.settings, task.weights)
        found: dict[str, list[Any]] = {"numbers": [], "games": [], "results": []}
        row = np.zeros((1, game.pattern_count + 1), np.int32)
        middle, half = float(game.draw_value()), half_range(game)
        with new_searcher(game, task.speed) as searcher:
            for number in range(task.first, task.first + task.count):
                source = task.source(number)
                by_lot = source.randrange(OPENING + 1)
                played = play_searching(searcher, task.settings.depth, by_lot, LATER_EXPLORATION, source)
                if played.payoff is None:
                    continue
                result = (target(game, played.payoff) - middle) / half
                for turn in played.turns:
                    if is_quiet(game, turn.state, turn.result.best):
                        note_weights(game, turn.state, row, 0)
                        found["numbers"].append(row[0].copy())
                        found["games"].append(number)
                        found["results"].append(-result if game.player(turn.state) == MIN else result)
        arrays: Played = {name: np.array(found[name], np.float64) for name in ("games", "results")}
        numbers: Any = np.array(found["numbers"], np.int32).reshape(-1, row.shape[1])
        return arrays | {"numbers": numbers}
