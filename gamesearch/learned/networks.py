"""Evaluation by a small neural network. It has one hidden layer, and its outputs are probabilities (G. Tesauro).

G. Tesauro 1992, "Practical issues in temporal difference learning", Machine Learning 8; 1995, "Temporal difference
learning and TD-Gammon", Communications of the ACM 38(3). Each payoff except the smallest has an output: the probability
that the side to move gets this payoff or a better one. The expected payoff is computed from all outputs. The value of a
hidden unit is f(x) = x / sqrt(1 + x * x), where x is the weighted sum of its inputs. Tesauro used the logistic
function. The program uses f for two reasons: interpreted and compiled code round f in the same way, and the processor
computes f for several units at a time.

The network is part of a subclass of the game's own class. The weights are read at run time, so other weights of the
same network need no recompilation.
"""

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gamesearch.errors import GamesearchError
from gamesearch.game import MIN, Game
from gamesearch.learned.evaluation import LearnedEvaluation, derive_class
from gamesearch.optional import NetworkGame, SelectiveGame, StochasticGame
from gamesearch.toolkit.vectors import add_multiple, product_of_rows, squash

__all__ = ["Network", "NetworkEvaluation", "derive_network_class", "network_of", "views_of"]

MOST_HIDDEN = 1_000
LEAST_LOG_ODDS = -700.0
"""Smaller log-odds are replaced by this number, because exp(-log_odds) overflows below -709."""
NEAREST_TO_WIN = 0.999
"""The greatest estimate, as a fraction of the distance from a draw to the greatest payoff."""


@dataclass(frozen=True)
class Network:
    """The size of a network and the order of its weights.

    The weights from input 0 to each hidden unit come first, then the weights from input 1, and so on. The biases of the
    hidden units follow, then the weights from all hidden units to each output, and finally the biases of the outputs.
    If there are two views, the first layer is computed for each view with the same weights. Each output is computed
    from the hidden units of the side to move, followed by the hidden units of the opponent.
    """

    inputs: int
    hidden: int
    payoffs: tuple[float, ...]
    """The possible payoffs in ascending order. There is one output for each payoff except the smallest."""
    views: int = 1

    @property
    def outputs(self) -> int:
        """The number of outputs."""
        return len(self.payoffs) - 1

    @property
    def size(self) -> int:
        """The number of weights."""
        return (self.inputs + 1 + self.outputs * self.views) * self.hidden + self.outputs

    def initial_weights(self, seed: int) -> Any:
        """Random initial weights: small values for the hidden units, and 0 for the outputs."""
        weights = np.zeros(self.size)
        count = self.inputs * self.hidden
        weights[:count] = np.random.default_rng(seed).uniform(-0.2, 0.2, count)
        return weights

    def sizes(self) -> dict[str, Any]:
        """The fields that describe the network when it is written to a file."""
        return dataclasses.asdict(self)


class NetworkEvaluation(LearnedEvaluation, NetworkGame[Any]):
    """Evaluation of a game by a network. `derive_network_class` creates the class."""

    learned_attribute = "network"

    hidden_count: int = 0
    seen_views: int = 1
    """From how many points of view the network sees a position: 1 or 2 (see `NetworkGame.views`)."""
    payoffs: tuple[float, ...] = ()
    network: Any = None

    def evaluate(self, s: Any) -> float:
        """The value for Max, which is computed from the estimated chances and clipped to the bounds. If the network
        corrects the game's own estimate, the value is the sum of the estimate and the correction."""
        hidden = np.zeros(self.seen_views * self.hidden_count)
        self.fill_hidden(s, self.network, hidden)
        middle = self.draw_value()
        if self.unit_of_odds > 0:
            value = middle + self.unit_of_odds * self.log_odds(self.network, hidden, 0)
        else:
            chances = np.zeros(len(self.payoffs) - 1)
            for number in range(len(chances)):
                chances[number] = self.output_of(self.network, hidden, number)
            value = middle + NEAREST_TO_WIN * (self.value_of_chances(s, self.payoffs, chances) - middle)
        if self.viewer(s) == MIN:
            value = 2 * middle - value
        if self.unit_of_odds > 0:
            value += self.own_estimate(s) - middle
        lower, upper = self.bounds(s)
        return max(lower, min(upper, value))

    def own_estimate(self, s: Any) -> float:
        """The estimate of the game's own evaluation, which does not use the network. `derive_network_class` sets this
        method."""
        raise NotImplementedError

    def fill_hidden(self, s: Any, weights: Any, hidden: Any) -> None:
        """Write the values of the hidden units for a position into the array `hidden`, which must contain only
        zeros."""
        count = self.hidden_count
        for first in range(0, len(hidden), count):
            add_multiple(hidden, first, weights, self.input_count * count, count, 1.0)
            for number, amount in self.inputs(s if first == 0 else self.other_view(s)):
                add_multiple(hidden, first, weights, number * count, count, amount)
        squash(hidden)

    def output_of(self, weights: Any, hidden: Any, number: int) -> float:
        """The probability that the side to move gets the payoff with index `number + 1` or a better one."""
        return self.chance_of(self.log_odds(weights, hidden, number))

    def chance_of(self, log_odds: float) -> float:
        """Convert log-odds to a probability."""
        return 1.0 / (1.0 + math.exp(-max(LEAST_LOG_ODDS, log_odds)))

    def log_odds(self, weights: Any, hidden: Any, number: int) -> float:
        """The logarithm of the odds that the side to move gets the payoff with index `number + 1` or a better one."""
        outputs, width = (self.input_count + 1) * self.hidden_count, len(hidden)
        total = weights[outputs + (len(self.payoffs) - 1) * width + number]
        return float(total + product_of_rows(hidden, weights, outputs + number * width))


def views_of(game: NetworkGame[Any], s: Any, views: int) -> list[Any]:
    """The states whose inputs the network reads: s and, if the network has two views, also the position as the opponent
    sees it."""
    return [s, game.other_view(s)][:views]


def network_of(game: Game, hidden: int) -> Network:
    """Describe a network for a game, with `hidden` hidden units. Raises GamesearchError if the game declares no
    inputs."""
    if not isinstance(game, NetworkGame):
        raise GamesearchError(
            f"{game.name} has no inputs for a network: derive the game from gamesearch.optional.NetworkGame, "
            f"and define `input_count` and a method inputs(self, s), which yields the number and the value "
            f"of each input that is not 0"
        )
    if game.views not in (1, 2) or (game.views == 2) != (type(game).other_view is not NetworkGame.other_view):
        raise GamesearchError(f"{game.name} must define both `views = 2` and a method other_view(self, s), or neither")
    if type(game.other_view(game.initial())) is not type(game.initial()):
        raise GamesearchError(f"`other_view` of {game.name} must return a state of the same type as its argument")
    if not 1 <= hidden <= MOST_HIDDEN:
        raise GamesearchError(f"a network must have from 1 to {MOST_HIDDEN} hidden units, not {hidden}")
    payoffs = game.network_payoffs or (game.MINSCORE, game.draw_value(), game.MAXSCORE)
    return Network(game.input_count, hidden, tuple(map(float, payoffs)), game.views)


def derive_network_class(
    cls: type[Game], network_for: Callable[[Game], tuple[Network, Any]], name: str, load_class: Any
) -> type[Game]:
    """Derive a class from a game's class: the new class evaluates positions with a network. `network_for` returns the
    network and the weights for a game."""

    def facts(game: Game) -> dict[str, Any]:
        network, weights = network_for(game)
        sizes = {"hidden_count": network.hidden, "seen_views": network.views}
        return {**sizes, "payoffs": network.payoffs, "network": weights}

    # The new class keeps two declarations of the game: the network's inputs ignore dice if the features do, and the
    # network's estimates are clipped to the bounds.
    kept: dict[str, Any] = {}
    if issubclass(cls, StochasticGame):
        kept = {each: getattr(cls, each) for each in ("bounds_hold_estimates", "estimate_sees_chance")}
    corrects = issubclass(cls, NetworkGame) and cls.unit_of_odds > 0
    if corrects:
        kept["own_estimate"] = cls.evaluate
        if issubclass(cls, SelectiveGame):
            kept |= {"most_gain": cls.most_gain, "margin": cls.margin}
    made = derive_class(cls, NetworkEvaluation, facts, name, load_class, kept)
    made.has_features = corrects and cls.has_features  # features only explain the game's own estimate
    return made
