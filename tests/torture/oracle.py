"""The oracle computes the result that a search must find, by plain recursion without table, window and kernel.

The value of a position is its payoff at the end of the game, the draw value if it repeats a position on the path, an
estimate clipped to the payoffs at the horizon, and otherwise the best value that the player to move can reach.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from gamesearch.algorithms.catalog.expectiminimax import Expectiminimax
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.deepening import DeepeningSearch
from gamesearch.algorithms.node.workspace import FULL_DEPTH as EVER
from gamesearch.game import CHANCE, FORBIDDEN, MAX, MIN, REPETITION_DRAWS, Game
from gamesearch.toolkit.derived_games import CoalitionGame

__all__ = ["EVER", "Oracle", "Payoffs", "Reading", "TooLargeError", "Worth", "margin", "reading_of"]

MOST = 400
"""The oracle visits at most this many nodes for a position; more would take too long."""


class TooLargeError(Exception):
    """A position has more than MOST nodes below it."""


class Reading(NamedTuple):
    """What an algorithm assumes about the players, and whether it clips values."""

    clips: bool = False
    """Whether each searched value is clipped to the bounds that the game declares."""
    is_random: bool = False
    """Whether Min moves at random."""
    temperature: float = 0.0
    """The temperature at which Min chooses better moves more often (softmax); 0 if Min does not choose this way."""
    error: float = 0.0
    """The probability that Min makes a random move."""
    one: int | None = None
    """In paranoid search, the player against whom all others play; None in other searches."""
    each: bool = False
    """Whether each player maximizes their own payoff."""


def reading_of(algorithm: Algorithm, game: Game, state: Any) -> Reading | None:
    """Return an algorithm's assumptions about the game, or None if the algorithm finds no minimax value."""
    if isinstance(algorithm.game_to_search(game, state), CoalitionGame):
        return Reading(one=game.player(state))
    if not type(algorithm).is_exact:
        return None
    if game.payoff_count > 1:
        return Reading(each=True)
    if isinstance(algorithm, Expectiminimax):
        if algorithm.opponent == "random":
            return Reading(is_random=True)
        return Reading(temperature=algorithm.fallibility[0], error=algorithm.fallibility[1])
    return Reading(clips=algorithm.bounds and isinstance(algorithm, DeepeningSearch))


class Worth(NamedTuple):
    """A value for Max, and a rank that orders equal values: early wins and late losses of Max have a higher rank."""

    value: float
    rank: int = 0


Payoffs = tuple[float, ...]


def margin(game: Game) -> float:
    """Return slightly more than the amount by which a search lowers an estimate to keep it below a win."""
    return 1e-7 * max(abs(game.MINSCORE), abs(game.MAXSCORE), game.MAXSCORE - game.MINSCORE)


class Oracle:
    """The values of a position and of its legal moves or outcomes, for a search to a depth."""

    def __init__(self, game: Game, state: Any, past: tuple[Any, ...], depth: int, reading: Reading) -> None:
        self.game, self.reading, self.nodes = game, reading, 0
        self.has_path = game.repetition in (REPETITION_DRAWS, FORBIDDEN)
        before = frozenset(map(game.arrangement, past)) if self.has_path else frozenset()
        try:
            self.moves: Mapping[int, Any] = self.below(state, depth, before)
        except RecursionError:
            raise TooLargeError from None
        self.unclipped = self.choice(state, self.moves)
        self.value = self.clip(state, self.unclipped)

    def worth(self, s: Any, depth: int, before: frozenset[Any]) -> Any:
        """Return the value of a position; `before` contains `game.arrangement` of each position on the path."""
        game = self.game
        self.nodes += 1
        if self.nodes > MOST:
            raise TooLargeError
        if game.terminal(s):
            return self.payoff(game.utility(s))
        if game.repetition == REPETITION_DRAWS and game.arrangement(s) in before:
            return Worth(game.draw_value())
        if depth == 0:
            return self.estimate(game.evaluate(s))
        return self.clip(s, self.choice(s, self.below(s, depth, before)))

    def below(self, s: Any, depth: int, before: frozenset[Any]) -> dict[int, Any]:
        """Return the value after each legal move or outcome."""
        path = before | {self.game.arrangement(s)} if self.has_path else before
        return {m: self.worth(self.game.result(s, m), depth - 1, path) for m in self.legal(s, before)}

    def legal(self, s: Any, before: frozenset[Any]) -> list[int]:
        """Return the outcomes, or the moves not forbidden as repetitions; moves that change nothing are legal."""
        game = self.game
        if game.player(s) == CHANCE:
            return [m for m, p in game.outcomes(s) if p > 0]
        moves = list(game.moves(s))
        if game.repetition != FORBIDDEN:
            return moves
        after = {m: game.arrangement(game.result(s, m)) for m in moves}
        return [m for m in moves if after[m] == game.arrangement(s) or after[m] not in before]

    def choice(self, s: Any, below: Mapping[int, Any]) -> Any:
        """Return the value that the player to move chooses."""
        game, player = self.game, self.game.player(s)
        if not below:
            return Worth(game.draw_value())
        if player == CHANCE:
            return self.mean({m: p for m, p in game.outcomes(s) if p > 0}, below)
        if self.reading.each:
            return max(below.values(), key=lambda payoffs: payoffs[player])
        if self.reading.is_random and player == MIN:
            return self.mean(dict.fromkeys(below, 1 / len(below)), below)
        if self.errs and player == MIN:
            return Worth(self.reply([worth.value for worth in below.values()]))
        maximizing = player == (MAX if self.reading.one is None else self.reading.one)
        return (max if maximizing else min)(map(self.later, below.values()))

    @property
    def errs(self) -> bool:
        """Whether Min may make moves that are not the best."""
        return self.reading.is_random or self.reading.temperature > 0 or self.reading.error > 0

    def reply(self, values: list[float]) -> float:
        """Return the expected value over the moves of a Min who makes errors."""
        chosen, temperature, error = min(values), self.reading.temperature, self.reading.error
        if temperature:
            weights = [math.exp((chosen - value) / temperature) for value in values]
            chosen = sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)
        return (1 - error) * chosen + error * sum(values) / len(values)

    def mean(self, odds: Mapping[int, float], below: Mapping[int, Any]) -> Any:
        """Return the expected value over the outcomes of chance."""
        if self.reading.each:
            payoffs = [[p * x for x in below[m]] for m, p in odds.items()]
            return tuple(map(sum, zip(*payoffs, strict=True)))
        return Worth(sum(p * below[m].value for m, p in odds.items()))

    def later(self, worth: Worth) -> Worth:
        """Return a value as seen one ply earlier; its rank changes, so that early wins and late losses are better."""
        if not self.game.win_or_loss or self.errs:
            return worth
        is_win, is_loss = worth.value == self.game.MAXSCORE, worth.value == self.game.MINSCORE
        return Worth(worth.value, worth.rank - is_win + is_loss)

    def clip(self, s: Any, worth: Any) -> Any:
        """Clip a value to the bounds that the game declares, if the algorithm clips values."""
        if not self.reading.clips:
            return worth
        lower, upper = self.game.bounds(s)
        return Worth(max(float(lower), min(float(upper), worth.value)), worth.rank)

    def payoff(self, utility: Any) -> Any:
        """Return the payoff at the end of the game."""
        if self.reading.each:
            return tuple(map(float, utility))
        return Worth(float(utility if self.reading.one is None else utility[self.reading.one]))

    def estimate(self, evaluation: Any) -> Any:
        """Return an estimate clipped to the payoffs. If the payoffs mean a win and a loss, it lies between these
        payoffs."""
        least, greatest = float(self.game.MINSCORE), float(self.game.MAXSCORE)
        if self.reading.each:
            return tuple(max(least, min(greatest, float(x))) for x in evaluation)
        if self.game.win_or_loss and not self.reading.is_random:
            least, greatest = least + margin(self.game) / 2, greatest - margin(self.game) / 2
        value = float(evaluation if self.reading.one is None else evaluation[self.reading.one])
        return Worth(max(least, min(greatest, value)))
