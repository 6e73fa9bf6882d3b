"""Weights by the results of matches alone: simultaneous perturbation stochastic approximation.

J. C. Spall 1992, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation",
IEEE Transactions on Automatic Control 37(3). All weights are changed at once, each up or down by lot; the weights so
changed play a few games against those changed the other way; and the weights go towards the side that won. The gains
fall as Spall 1998 recommends.
"""

import numpy as np

from gamesearch.algorithms.engine.result import Limits
from gamesearch.learn.learnable import Numbers, with_weights
from gamesearch.learn.measuring import points_of_game
from gamesearch.learn.method import GAMES_OF_TASK, Method, Played, Task
from gamesearch.learn.searched_play import new_searcher

__all__ = ["Matches"]

CHANGE, CHANGE_FALLS = 0.3, 0.101
"""By what part of their size weights are changed in the first match, and the power by which that falls;"""
GAIN, GAIN_FALLS = 0.1, 0.602
"""and how far they follow a result."""


class Matches(Method):
    """Weights that follow the results of short matches; there is no loss."""

    def take(self, played: list[Played], done: int) -> None:  # noqa: ARG002
        """Go on by the steps of all workers."""
        self.state |= {"weights": self.weights + sum(each["step"] for each in played)}

    @classmethod
    def played(cls, task: Task) -> Played:
        """Play one match, and say by what the weights are to change."""
        settings, source = task.settings, task.source(task.first)
        number = task.first // GAMES_OF_TASK + 1
        change = CHANGE / number**CHANGE_FALLS
        gain = GAIN / (number + settings.games / GAMES_OF_TASK / 10) ** GAIN_FALLS
        shift = np.array([source.choice((-1.0, 1.0)) for _ in settings.before]) * sizes_of(np.array(settings.before))
        up, down = (with_weights(settings.game, task.weights + each * change * shift) for each in (1, -1))
        with new_searcher(up, task.speed) as ours, new_searcher(down, task.speed) as theirs:
            points = sum(
                points_of_game(up, ours, theirs, each, Limits(settings.depth), settings.seed)
                for each in range(task.first, task.first + task.count)
            )
        return {"step": gain * (2 * points / task.count - 1) / (2 * change) * shift}


def sizes_of(before: Numbers) -> Numbers:
    """How large weights are: as before; those that were 0, as large as the others in the mean; 1 where all were 0."""
    sizes = np.abs(before)
    return np.where(sizes > 0, sizes, float(sizes.mean()) or 1.0)
