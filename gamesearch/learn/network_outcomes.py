"""Learning a network from outcomes. A search plays against itself. Then the network is fitted to the values of the
searches and to the results of the games.

The network learns to predict, for each position, the value that a search of this position returned, as in NNUE (Y. Nasu
2018, "Efficiently updatable neural-network-based evaluation functions for computer shogi"). The fit minimizes the log
loss by Adam (D. P. Kingma and J. Ba 2015, "Adam: a method for stochastic optimization"). Some games are left out of the
fit. The method makes several passes over the other games. After each pass, it computes the loss on the left-out games,
and it keeps the weights with the least loss.
"""

from typing import Any, NamedTuple

import numpy as np

from gamesearch import compiler
from gamesearch.compiler import kernel
from gamesearch.game import MIN
from gamesearch.learn.method import Numbers, Played, Task, share_won, target
from gamesearch.learn.networks import NetworkMethod, game_with_network
from gamesearch.learn.outcomes import sample_positions
from gamesearch.learn.searched_play import Turn, player_searcher
from gamesearch.learned.networks import NetworkEvaluation, views_of
from gamesearch.registry import load
from gamesearch.toolkit.vectors import add_multiple, squash

__all__ = ["SHARE_OF_SEARCH", "Examples", "NetworkOutcomes", "arrays_of", "fit_network", "known_odds"]

OPENING, EXPLORATION = 8, 0.03
"""A game begins with at most OPENING random moves. Each later move is random with probability EXPLORATION."""
MOST_OF_GAME = 60  # the greatest number of positions from each game
SHARE_OF_SEARCH = 0.9
"""The weight of the search's value in the target of a position. The result of the game has the remaining weight."""
LEFT_OUT = 10  # one of every LEFT_OUT games is left out of the fit
PASSES, BATCH, RATE = 12, 256, 0.002
"""The number of passes over all positions, the number of positions in a batch, and the learning rate."""
LEAST_BATCHES = 400
"""The least number of batches in a fit. If there are few positions, there are more passes."""
FIRST_DECAY, SECOND_DECAY, LEAST_ROOT = 0.9, 0.999, 1e-8  # the parameters of Adam: beta 1, beta 2 and epsilon


class Examples(NamedTuple):
    """Positions, and the target values (goals) of the network's outputs in each position. Two long arrays contain the
    inputs of all positions, one position after the other. If the network has two views, each position has two lists of
    inputs."""

    ends: Any  # for each list of inputs, the index after its last input
    numbers: Any  # the index of each input among the inputs of the network
    amounts: Any
    known: Any
    """For each position, the log-odds according to the game's own estimate. The network corrects these log-odds. They
    are 0 if the network replaces the estimate."""
    goals: Any  # for each position, the target of each output of the network
    games: Any


class Moments(NamedTuple):
    """The sum of the gradients in a batch, and Adam's running means of the gradients and of their squares."""

    slopes: Any
    first: Any
    second: Any


@kernel
def fit_pass(
    game: NetworkEvaluation, examples: Examples, order: Any, rate: float, before: int, moments: Moments, weights: Any
) -> float:
    """Pass over the examples in the given order, and return their mean log loss. If `rate` is 0, the weights do not
    change. `before` is the number of batches in earlier passes."""
    count, views, outputs = game.hidden_count, game.seen_views, len(game.payoffs) - 1
    width, biases, batches, loss = views * count, game.input_count * count, before, 0.0
    hidden, errors, back = np.zeros(width), np.zeros(outputs), np.zeros(width)
    for i in range(len(order)):
        place = order[i]
        hidden[:] = 0.0
        for view in range(views):
            add_multiple(hidden, view * count, weights, biases, count, 1.0)
            for j in range(first_input(examples.ends, place * views + view), examples.ends[place * views + view]):
                number, amount = examples.numbers[j], examples.amounts[j]
                add_multiple(hidden, view * count, weights, number * count, count, amount)
        squash(hidden)
        for k in range(outputs):
            chance = game.chance_of(examples.known[place] + game.log_odds(weights, hidden, k))
            goal = examples.goals[place, k]
            loss -= goal * np.log(max(chance, 1e-12)) + (1.0 - goal) * np.log(max(1.0 - chance, 1e-12))
            errors[k] = chance - goal
        if rate > 0.0:
            back[:] = 0.0
            for k in range(outputs):
                first = biases + count + k * width
                add_multiple(back, 0, weights, first, width, errors[k])
                add_multiple(moments.slopes, first, hidden, 0, width, errors[k])
                moments.slopes[biases + count + outputs * width + k] += errors[k]
            for u in range(width):
                flat = 1.0 - hidden[u] * hidden[u]
                back[u] *= flat * np.sqrt(flat)
            for view in range(views):
                add_multiple(moments.slopes, biases, back, view * count, count, 1.0)
                for j in range(first_input(examples.ends, place * views + view), examples.ends[place * views + view]):
                    number, amount = examples.numbers[j], examples.amounts[j]
                    add_multiple(moments.slopes, number * count, back, view * count, count, amount)
            if (i + 1) % BATCH == 0 or i + 1 == len(order):
                batches += 1
                step_of_adam(rate, batches, moments, weights)
    return loss / max(1, len(order) * outputs)


@kernel
def first_input(ends: Any, place: int) -> int:
    """The index of the first input in list number `place`."""
    return int(ends[place - 1]) if place > 0 else 0


@kernel
def step_of_adam(rate: float, batches: int, moments: Moments, weights: Any) -> None:
    """Change the weights by one step of Adam, and set the sum of gradients to 0 for the next batch."""
    slopes, first, second = moments.slopes, moments.first, moments.second
    pace = rate * np.sqrt(1.0 - SECOND_DECAY**batches) / (1.0 - FIRST_DECAY**batches)
    for w in range(len(weights)):
        slope = slopes[w] / BATCH
        slopes[w] = 0.0
        first[w] += (1.0 - FIRST_DECAY) * (slope - first[w])
        second[w] += (1.0 - SECOND_DECAY) * (slope * slope - second[w])
        weights[w] -= pace * first[w] / (np.sqrt(second[w]) + LEAST_ROOT)


def fit_network(
    game: NetworkEvaluation, examples: Examples, weights: Numbers, seed: int, speed: str
) -> tuple[Numbers, float]:
    """Fit the weights of a network. Returns the best weights, and their mean log loss on the games that were left out
    of the fit."""
    left_out = examples.games % LEFT_OUT == 0
    fitted, held = np.flatnonzero(~left_out), np.flatnonzero(left_out)
    weights, random = weights.copy(), np.random.default_rng(seed)
    moments, batches = Moments(*(np.zeros(len(weights)) for _ in range(3))), 0
    best, least = weights.copy(), np.inf
    passes = max(PASSES, LEAST_BATCHES * BATCH // max(BATCH, len(fitted)))
    for number in range(passes):
        random.shuffle(fitted)
        rate = RATE * (passes - number) / passes
        loss, _ = compiler.run(fit_pass, game, speed, examples, fitted, rate, batches, moments, weights)
        batches += -(-len(fitted) // BATCH)
        if len(held):
            loss, _ = compiler.run(fit_pass, game, speed, examples, held, 0.0, 0, moments, weights)
        if loss < least:
            best, least = weights.copy(), loss
    return best, float(least)


class NetworkOutcomes(NetworkMethod):
    """Plays games in rounds. After each round, the method fits the network to all games so far.

    The first round is played with the game's own evaluation, and the other rounds with the network. The loss is the
    mean log loss on games that were left out of the fit.
    """

    rounds = 3
    tasks_of_run = 60
    played_with = ("weights", "loss")
    loss_name = "mean log loss"

    def initial_state(self) -> Played:
        """Random weights, and empty arrays for positions."""
        outputs = self.network.outputs
        empty = arrays_of([], [], [], [], np.zeros((0, outputs)), [])
        return {"weights": np.asarray(self.network.initial_weights(self.settings.seed)), **empty._asdict()}

    def take(self, played: list[Played], done: int) -> None:
        """Add the positions of the played games, in order. If a round ends after `done` games, fit the network."""
        for each in played:
            each["ends"] = each["ends"] + len(self.state["numbers"])
            for name in Examples._fields:
                self.state[name] = np.concatenate([self.state[name], each[name]])
        if done in self.ends and len(self.state["ends"]):
            examples = Examples(*(self.state[name] for name in Examples._fields))
            game = game_with_network(self.settings, self.weights)
            weights, loss = fit_network(game, examples, self.weights, self.settings.seed, "auto")
            self.state["weights"], self.state["loss"] = weights, np.array([loss])

    @classmethod
    def play(cls, task: Task) -> Played:
        """Play the games of a task."""
        is_first = bool(np.isnan(task.state["loss"][0]))
        game = load(task.settings.game) if is_first else game_with_network(task.settings, task.weights)
        view: Any = game_with_network(task.settings, task.weights)
        ends, numbers, amounts, known = list[int](), list[int](), list[float](), list[float]()
        goals, games = list[Any](), list[int]()
        with player_searcher(game, task.speed) as searcher:
            turns = sample_positions(searcher, task, lambda r: r.randint(0, OPENING), EXPLORATION, MOST_OF_GAME)
            for number, payoff, turn in turns:
                for state in views_of(view, turn.state, view.seen_views):
                    for each, amount in view.inputs(state):
                        numbers.append(each)
                        amounts.append(amount)
                    ends.append(len(numbers))
                known.append(known_odds(view, turn.state))
                goals.append(goals_of(view, turn, payoff))
                games.append(number)
        width = len(view.payoffs) - 1
        return arrays_of(ends, numbers, amounts, known, np.reshape(goals, (-1, width)), games)._asdict()


def arrays_of(ends: Any, numbers: Any, amounts: Any, known: Any, goals: Any, games: Any) -> Examples:
    """Convert lists to arrays. The elements of the two long arrays have 32 bits, to save memory."""
    return Examples(
        np.array(ends, np.int64), np.array(numbers, np.int32), np.array(amounts, np.float32),
        np.array(known, np.float64), np.array(goals, np.float64), np.array(games, np.float64),
    )  # fmt: skip


def known_odds(game: NetworkEvaluation, state: Any) -> float:
    """The game's own estimate, converted to the log-odds that the side to move wins. The result is 0 if the network
    replaces this estimate."""
    if game.unit_of_odds == 0:
        return 0.0
    lead = (game.own_estimate(state) - game.draw_value()) / game.unit_of_odds
    return float(-lead if game.viewer(state) == MIN else lead)


def goals_of(game: NetworkEvaluation, turn: Turn, payoff: float) -> Numbers:
    """The target of each output of the network. A target is the weighted mean of two numbers: one comes from the result
    of the game, and one from the value of the search."""
    value = float(turn.result.value)  # type: ignore[arg-type]
    steps = np.diff(game.payoffs)
    low = np.array(game.payoffs[:-1])
    if game.unit_of_odds == 0:
        found = [target(game, payoff), value]
    else:
        chance = game.chance_of((value - game.draw_value()) / game.unit_of_odds)
        found = [float(low[0] + share * steps[0]) for share in (share_won(game, payoff), chance)]
    by_result, by_search = (np.clip((each - low) / steps, 0, 1) for each in found)
    goals = by_result + SHARE_OF_SEARCH * (by_search - by_result)
    return np.asarray(1 - goals[::-1] if game.viewer(turn.state) == MIN else goals)
