"""Checks whether a game can be learned, and converts payoffs to targets."""

from typing import Any

import numpy as np

from gamesearch.errors import refuse
from gamesearch.game import Game
from gamesearch.learned.evaluation import LearnedEvaluation, half_range
from gamesearch.learned.patterns import LARGEST_ESTIMATE
from gamesearch.optional import Learnable, Networked, Patterned
from gamesearch.play.match import names_winner
from gamesearch.registry import load, specification_of
from gamesearch.specification import format_specification

__all__ = [
    "Numbers",
    "half_range",
    "refuse_unlearnable",
    "share_won",
    "squash_scale",
    "target",
    "with_weights",
    "within_payoffs",
    "without_weights",
]

Numbers = np.ndarray[Any, np.dtype[np.float64]]
METHODS_OF = dict.fromkeys(("patterns", "a network"), ("td", "outcomes"))
WEIGHT_OF_SCALE = 4.0
"""A position counts as nearly won if its estimate is this number times the greatest weight, such as four pawns."""


def refuse_unlearnable(game: Game, method: str, by: str = "") -> None:
    """Raise GamesearchError if a game has nothing to learn, or cannot be learned by the given method.

    `by` is `patterns` or `a network` if patterns or a network are learned, and empty if weights of features are
    learned.
    """
    methods, verb = METHODS_OF.get(by, (method,)), "learns" if by.startswith("a ") else "learn"
    weights = game.weights_name if isinstance(game, LearnedEvaluation) else ""
    others = {Patterned: "; or learn with --patterns 16x6", Networked: "; or learn with --network 20"}
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
            method == "td" and by == "a network" and isinstance(game, Networked) and game.unit_of_odds > 0,
            f"a network for {game.name} corrects the estimates of the game: learn the network with --method outcomes",
        ),
        (
            isinstance(game, Learnable) and game.learned_parameters() != game.parameters(),
            f"{specification_of(game)} uses the weights of another game: learn {game.name} instead",
        ),
        (game.players > 2, f"{game.name} has {game.players} players: only games for one or two players can be learned"),
        (game.payoff_count > 1, f"learning is {game.zero_sum_words()}"),
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
    """The target of estimates: the payoff. If payoffs depend on the number of moves to a win, the target is only 1, 0
    or -1."""
    return 2 * share_won(game, payoff) - 1 if game.payoffs_tell_how_soon else payoff


def squash_scale(game: Game, before: Numbers) -> float:
    """The number by which estimates are divided before the hyperbolic tangent is applied. The number is 0 if estimates
    have the unit of payoffs.

    In games of wins and losses, estimates have a different unit, such as pawns (Baxter, Tridgell and Weaver 1998).
    `before` are the weights before learning.
    """
    if not game.win_or_loss:
        return 0.0
    greatest = float(np.abs(before).max())
    return WEIGHT_OF_SCALE * greatest if greatest else half_range(game) / 2


def within_payoffs(game: Game, greatest: float) -> float:
    """A factor for weights, at most 1, that keeps estimates below a win. `greatest` is the greatest estimate so far.
    The factor is 1 for games with their own `evaluate`.
    """
    if type(game).evaluate is not Game.evaluate or not greatest:
        return 1.0
    return min(1.0, LARGEST_ESTIMATE * half_range(game) / greatest)


def with_weights(specification: str, weights: Numbers) -> Game:
    """Load a game with its weights in an array that may be changed in place."""
    game = load(specification)
    game.weights = np.array(weights, np.float64)  # type: ignore[assignment]
    return game


def without_weights(game: Game) -> str:
    """The specification of a game without its weights."""
    tuned = {name: value for name, value in game.tuned_attributes().items() if name != "weights"}
    return format_specification(type(game).name, game.parameters() | tuned)
