"""Algorithms with playouts: their parameters, their runner, and confidence intervals of averages."""

import math
import weakref
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.execution import Execution, SpeedProperty
from gamesearch.algorithms.engine.parameters import check_choice, check_seconds, check_seed
from gamesearch.algorithms.engine.result import Limits, MoveValue, Value
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.records import RecordHandle
from gamesearch.algorithms.node.values import estimate_within
from gamesearch.algorithms.node.workspace import FULL_DEPTH, MAX_PLY
from gamesearch.algorithms.tree_search.playout import MOST_PLAYERS, PlayoutRecord, Playouts
from gamesearch.compiler import kernel
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.optional import PlayoutGame
from gamesearch.toolkit.bits import mix

__all__ = [
    "PLAYOUTS", "PlayoutRecords", "RepeatingAlgorithm", "SamplingAlgorithm", "SamplingRunner", "average",
    "check_number", "expected_value", "first_draw", "interval", "mean_and_error",
]  # fmt: skip

PLAYOUTS = 1000
"""The number of playouts that a search without limits makes."""
POLICIES = ("uniform", "order")
LIKELY = 1.959963984540054
"""95 % of a normal distribution lies within this number of standard deviations from the mean."""


class PlayoutRecords:
    """The record of the playouts of one thread. For RAVE, it includes the moves of a playout."""

    def __init__(self, execution: Execution, has_rave: bool = False) -> None:
        self.execution: Execution = weakref.proxy(execution)  # a cycle of references would keep the tree in memory
        self.has_rave = has_rave

    @property
    def speed(self) -> str:
        """The speed of the search."""
        return self.execution.speed

    @SpeedProperty
    def handle(self) -> RecordHandle:
        """The record, in the form that the kernels of this search (interpreted or compiled) use."""
        return RecordHandle(PlayoutRecord, self.speed == "compiled")

    @property
    def arguments(self) -> Playouts:
        """The kernels' parameter `playouts`. If possible, the game itself plays the random games. If the search uses
        RAVE, the game must record the moves of its random games."""
        game, is_plain = self.execution.game, not self.handle.read("plies") and not self.handle.read("temperature")
        is_quick = is_plain and isinstance(game, PlayoutGame)
        is_noted = is_quick and self.has_rave and game.notes_moves  # type: ignore[attr-defined]
        return Playouts(self.handle.record, 1 if is_quick and not self.has_rave else None, 1 if is_noted else None)


class SamplingRunner(Runner):
    """A runner that owns the records of playouts."""

    def __init__(self, game: Game, speed: str) -> None:
        super().__init__(game, speed)
        self.playouts = PlayoutRecords(self)


class RepeatingAlgorithm(Algorithm):
    """An algorithm that repeats playouts or expansions until a limit is reached. The algorithm has no parameter
    `depth`."""

    is_exact = False
    values_moves = True

    def limits(self, game: Game, given: Limits) -> Limits:  # noqa: ARG002
        """The limits on time and nodes. If no time limit is given, the parameter `time` is used. A depth limit has no
        effect."""
        return Limits(FULL_DEPTH, given.time if given.time is not None else self.time or None, given.nodes)

    def repetition_limit(self, runner: Runner, asked: int, usual: int) -> int:
        """Return the number of playouts or expansions to make; 0 means no limit. If `asked` is not 0, return `asked`.
        Otherwise, return 0 if time or nodes are limited, and `usual` if they are not."""
        is_limited = runner.limits.time is not None or runner.limits.nodes is not None
        return asked or (0 if is_limited else usual)


class SamplingAlgorithm(RepeatingAlgorithm):
    """An algorithm that plays random games and averages their payoffs. Two searches play the same random games if they
    have the same seed, position, and number of earlier positions."""

    is_for_two = False
    handles_chance = True
    choices: ClassVar[Mapping[str, Collection[str]]] = {"policy": POLICIES}
    parameter_help: ClassVar[Mapping[str, str]] = {
        "playouts": f"the number of playouts; 0 means {PLAYOUTS:,}, or no limit if time or nodes are limited",
        "time": "seconds after which to stop, 0 for no limit",
        "policy": "how playouts choose moves: with equal probability, or by a softmax over the game's order",
        "temperature": "the temperature of the softmax, as a fraction of the difference between the greatest and the "
        "smallest order value of the moves",
        "plies": "the number of moves after which a playout ends with the game's estimate, at most 1,000; 0 for 1,000",
        "seed": "searches with the same seed play the same random games",
    }

    playouts: int
    temperature: float
    plies: int

    def set_sampling(
        self, playouts: int, time: float, policy: str, temperature: float, plies: int, seed: int | str
    ) -> None:
        """Check the parameters, and store them as attributes."""
        self.policy = check_choice("policy", policy, POLICIES)
        self.playouts = check_number("playouts", playouts, whole=True)
        self.time, self.seed = check_seconds(time), check_seed(seed)
        self.temperature = check_number("temperature", temperature)
        if not self.temperature:
            raise GamesearchError("temperature must be greater than 0")
        self.plies = check_number("plies", plies, whole=True)

    @property
    def asks_order(self) -> bool:
        """Whether the search needs the game's move order."""
        return self.policy == "order"

    def fits(self, game: Game) -> None:
        """Raise GamesearchError if the game has too many players, or if the algorithm needs a move order and the game
        defines none."""
        if game.players > MOST_PLAYERS:
            raise GamesearchError(
                f"{self.name} is for at most {MOST_PLAYERS} players, but {game.name} has {game.players}"
            )
        if self.asks_order and not game.has_order:
            raise GamesearchError(f"{game.name} does not define a move order, which {self.specification} needs")

    def runner(self, game: Game, speed: str = "auto") -> Runner:
        """The runner for searches of a game."""
        return SamplingRunner(game, speed)

    def write_settings(
        self, playouts: PlayoutRecords, game: Game, state: Any, past_length: int, thread: int = 0
    ) -> None:
        """Write the settings of the playouts of a search. Random numbers depend on the seed, the position, the number
        of earlier positions, and the thread (0 is the main thread)."""
        drawn = first_draw(game, state, self.seed, past_length, thread)
        temperature = self.temperature if self.policy == "order" else 0.0
        playouts.handle.write(drawn=drawn, plies=min(self.plies, MAX_PLY), temperature=temperature, length=0)


def first_draw(game: Game, state: Any, seed: int | str, past_length: int, thread: int = 0) -> int:
    """The start value for the random numbers of a search. It depends on the seed, the position, the number of earlier
    positions, and the thread."""
    drawn = mix((int(seed or 0), past_length, mix(game.key(state))))
    return int(mix((drawn, thread)) if thread else drawn) >> 2  # so that counting up does not overflow 64 bits


def check_number(name: str, value: Any, *, whole: bool = False, least: int = 0) -> Any:
    """Check a parameter that must be a number not less than `least`."""
    if isinstance(value, str) or not least <= value < math.inf or (whole and value != int(value)):
        raise GamesearchError(f"{name} must be a {'whole ' if whole else ''}number of at least {least}, not {value!r}")
    return int(value) if whole else value


def interval(extremes: tuple[float, float], total: float, squares: float, visits: int) -> tuple[float, float]:
    """The 95 % confidence interval of the expected payoff. `total` is the sum of the payoffs, and `squares` is the sum
    of their squares."""
    least, greatest = extremes
    mean, error = mean_and_error(least, greatest, total, squares, visits)
    return max(least, mean - LIKELY * error), min(greatest, mean + LIKELY * error)


@kernel
def mean_and_error(least: float, greatest: float, total: float, squares: float, visits: int) -> tuple[float, float]:
    """The mean of payoffs, and the standard error of this mean. `total` and `squares` are as in `interval`.

    One payoff `least` and one payoff `greatest` are added to the data, so that the error is not 0 if all payoffs are
    equal (A. Agresti and B. A. Coull 1998, "Approximate is better than exact for interval estimation of binomial
    proportions", The American Statistician 52).
    """
    count = visits + 2
    mean = (total + least + greatest) / count
    variance = max(0.0, (squares + least * least + greatest * greatest) / count - mean * mean)
    return mean, math.sqrt(variance / count)


def average(game: Game, totals: Any, visits: int) -> Value:
    """The average of payoffs, given their sums. If the average is one number, it is clipped, so that it is not mistaken
    for a certain win or loss."""
    means = tuple(float(total) / visits for total in totals)
    return means if game.payoff_count > 1 else estimate_within(game, means[0])


def expected_value(odds: Mapping[int, float], moves: Sequence[MoveValue]) -> Value:
    """The average of the values of outcomes, weighted by their probabilities."""
    values = [each.value if isinstance(each.value, tuple) else (each.value,) for each in moves]
    weights = [odds[each.move] for each in moves]
    means = tuple(
        math.fsum(weight * value[i] for weight, value in zip(weights, values, strict=True)) / math.fsum(weights)
        for i in range(len(values[0]))
    )
    return means if isinstance(moves[0].value, tuple) else means[0]
