"""Common code of learning methods: their base class, settings and tasks, checks of games, and targets of estimates."""

import random
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gamesearch.errors import GamesearchError, refuse
from gamesearch.game import Game
from gamesearch.learned.evaluation import LearnedEvaluation, half_range
from gamesearch.learned.patterns import LARGEST_ESTIMATE
from gamesearch.notation import zero_sum_words
from gamesearch.optional import LearnableGame, NetworkGame, PatternGame
from gamesearch.play.match import names_winner
from gamesearch.registry import load, specification_of
from gamesearch.specification import format_specification

__all__ = [
    "GAMES_OF_TASK", "Method", "Numbers", "Played", "Settings", "Task", "half_range", "mixed_loss",
    "refuse_unlearnable", "share_won", "squash_scale", "target", "with_weights", "within_payoffs", "without_weights",
]  # fmt: skip

Numbers = np.ndarray[Any, np.dtype[np.float64]]
METHODS_OF = dict.fromkeys(("patterns", "a network"), ("td", "outcomes"))
WEIGHT_OF_SCALE = 4.0
"""The divisor that `squash_scale` returns, as a multiple of the greatest weight."""


def refuse_unlearnable(game: Game, method: str, by: str = "") -> None:
    """Raise GamesearchError if a game has nothing to learn, or if `method` cannot learn it. `by` says what is learned:
    `patterns` or `a network`. If `by` is empty, the weights of features are learned."""
    methods, verb = METHODS_OF.get(by, (method,)), "learns" if by.startswith("a ") else "learn"
    weights = game.weights_name if isinstance(game, LearnedEvaluation) else ""
    others = {PatternGame: "; or learn with --patterns 16x6", NetworkGame: "; or learn with --network 20"}
    hint = next((text for kind, text in others.items() if isinstance(game, kind)), "")
    refuse(
        (method not in methods, f"{by} {verb} only with --method {' or '.join(methods)}, not with {method}"),
        (
            isinstance(game, LearnedEvaluation) and not game.has_features and not by,
            f"weights={weights} evaluates {game.name} without features: leave out weights=, or learn "
            f"patterns or a network",
        ),
        (
            not game.has_features and not by,
            f"{game.name} has no features: define a method features(self, s), which returns numbers that "
            f"measure how good a position is for Max, and an attribute `weights` with one weight for each "
            f"number{hint}",
        ),
        (
            method == "td" and by == "a network" and isinstance(game, NetworkGame) and game.unit_of_odds > 0,
            f"a network for {game.name} corrects the estimates of the game: learn the network with --method outcomes",
        ),
        (
            isinstance(game, LearnableGame) and game.learned_parameters() != game.parameters(),
            f"{specification_of(game)} uses the weights of another game: learn {game.name} instead",
        ),
        (game.players > 2, f"{game.name} has {game.players} players: only games for one or two players can be learned"),
        (game.payoff_count > 1, f"learning is {zero_sum_words(game)}"),
        (
            method in ("outcomes", "matches") and not names_winner(game),
            f"the payoffs of {game.name} do not show which player won: use --method td",
        ),
    )


def share_won(game: Game, payoff: float) -> float:
    """The result for Max: 1 for a win, 1/2 for a draw, 0 for a loss."""
    draw = game.draw_value()
    return 1.0 if payoff > draw else 0.0 if payoff < draw else 0.5


def target(game: Game, payoff: float) -> float:
    """The target of estimates. If payoffs depend on the number of moves to a win, the target is 1 for a win, 0 for a
    draw and -1 for a loss. Otherwise, the target is the payoff."""
    return 2 * share_won(game, payoff) - 1 if game.payoffs_tell_how_soon else payoff


def squash_scale(game: Game, before: Numbers) -> float:
    """Before the hyperbolic tangent is applied, estimates are divided by this number. The result is 0 if estimates have
    the same unit as payoffs.

    In games of wins and losses, estimates have a different unit, such as pawns (Baxter, Tridgell and Weaver 1998).
    `before` contains the weights from before learning.
    """
    if not game.win_or_loss:
        return 0.0
    greatest = float(np.abs(before).max())
    return WEIGHT_OF_SCALE * greatest if greatest else half_range(game) / 2


def within_payoffs(game: Game, greatest: float) -> float:
    """The factor, at most 1, by which weights must be multiplied so that estimates stay below a win. `greatest` is the
    greatest difference so far between an estimate and the value of a draw. The factor is 1 for games with their own
    `evaluate`.
    """
    if type(game).evaluate is not Game.evaluate or not greatest:
        return 1.0
    return min(1.0, LARGEST_ESTIMATE * half_range(game) / greatest)


def with_weights(specification: str, weights: Numbers) -> Game:
    """Load a game, and put its weights into an array that may be changed in place."""
    game = load(specification)
    game.weights = np.array(weights, np.float64)  # type: ignore[assignment]
    return game


def without_weights(game: Game) -> str:
    """The specification of a game, in which the parameter `weights` is left out."""
    tuned = {name: value for name, value in game.tuned_attributes().items() if name != "weights"}
    return format_specification(type(game).name, game.parameters() | tuned)


# Runs. -------------------------------------------------------------------------------------------
GAMES_OF_TASK = 10  # the number of games that each worker plays between two updates of the weights

Played = dict[str, Numbers]  # the state of a run, or the result of a worker: arrays by name


@dataclass(frozen=True)
class Settings:
    """The settings of a run. Runs with equal settings, including the number of workers, learn equal weights."""

    game: str  # the specification of the game, without weights
    before: tuple[float, ...]
    method: str
    games: int
    seed: int
    depth: int
    workers: int = 1
    patterns: tuple[tuple[int, ...], ...] = ()  # the cells of each pattern, if weights of patterns are learned
    hidden: int = 0


@dataclass(frozen=True)
class Task:
    """Consecutive games of a run. One worker plays all of them."""

    settings: Settings
    first: int
    count: int
    state: Played  # the state of the run before the task
    speed: str

    def source(self, number: int) -> random.Random:
        """The random generator for game `number`. It is the same, whichever worker plays the game."""
        return random.Random(f"learn {self.settings.seed} {number}")

    @property
    def weights(self) -> Numbers:
        """The weights that the players of the games use."""
        return np.array(self.state["weights"], np.float64)


class Method:
    """Base class of learning methods. Each object belongs to one run of `gamesearch learn`."""

    rounds: ClassVar[int] = 1
    """The number of rounds. All workers wait at the end of each round, and the next round is played with new weights.
    If there is a single round, the results of workers are added after each task."""
    tasks_of_run: ClassVar[int | None] = None
    """The greatest number of tasks in a run. Methods whose tasks write large tables have such a limit; for other
    methods, it is None."""
    played_with: ClassVar[tuple[str, ...]] = ()
    """The names of the state's arrays that workers need. If there are no names, workers need all arrays."""
    added_up: ClassVar[tuple[str, ...]] = ()
    """The names of the state's arrays that contain sums over all games."""
    loss_name: ClassVar[str] = "mean squared error"
    """What the loss measures."""

    def __init__(self, settings: Settings, state: Played | None = None) -> None:
        self.settings = settings
        self.prepare()
        fresh = {"weights": np.array(settings.before, np.float64), "loss": np.array([np.nan]), **self.initial_state()}
        if state is not None and (state.keys() != fresh.keys() or state["weights"].shape != fresh["weights"].shape):
            raise GamesearchError(
                "the unfinished run was begun by another version of gamesearch: begin again with --force"
            )
        self.state = fresh if state is None else state

    def prepare(self) -> None:
        """Set attributes that follow from the settings."""

    def initial_state(self) -> Played:
        """The arrays of the state before the first game. If the weights are the game's own weights, they may be left
        out."""
        return {}

    @property
    def weights(self) -> Numbers:
        """The learned weights."""
        return self.state["weights"]

    @property
    def loss(self) -> float | None:
        """The loss of the estimates; None if the method does not compute a loss or has not yet computed one."""
        loss = float(self.state["loss"][0])
        return None if np.isnan(loss) else loss

    @property
    def loss_text(self) -> str:
        """The loss with its name; empty if there is no loss."""
        return "" if self.loss is None else f"{self.loss_name} {self.loss:.4f}"

    @property
    def games_of_task(self) -> int:
        """The number of games that a worker plays between two updates of the weights."""
        return max(GAMES_OF_TASK, self.settings.games // self.tasks_of_run) if self.tasks_of_run else GAMES_OF_TASK

    @property
    def ends(self) -> list[int]:
        """The number of games that have been played at the end of each round."""
        return [self.settings.games * (i + 1) // self.rounds for i in range(self.rounds)]

    def game_with_weights(self) -> Game:
        """The game with the learned weights. A subclass overrides this method if it does not learn weights of
        features."""
        return with_weights(self.settings.game, self.weights)

    def take(self, played: list[Played], done: int) -> None:  # noqa: ARG002
        """Add the results of workers, in the order of their games. `done` is the number of games played so far.

        All workers started from the same state. If the name of an array is in `added_up`, the new array is the old
        array plus the changes of all workers. Any other new array is the mean of the workers' arrays. Subclasses may
        combine the arrays in other ways.
        """
        before = self.state
        self.state = {name: np.mean([each[name] for each in played], axis=0) for name in before}
        for name in self.added_up:
            self.state[name] = before[name] + sum(each[name] - before[name] for each in played)

    @classmethod
    def play(cls, task: Task) -> Played:
        """Play the games of a task in a worker, and return the result."""
        raise NotImplementedError


def mixed_loss(known: float, loss: float, memory: float) -> float:
    """The displayed loss: memory * earlier loss + (1 - memory) * new loss."""
    return loss if np.isnan(known) else loss + memory * (known - loss)
