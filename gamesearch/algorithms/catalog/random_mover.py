"""A player that makes random moves: a baseline for comparisons with other algorithms."""

import random
from collections.abc import Mapping
from typing import Any, ClassVar

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.parameters import check_seed
from gamesearch.algorithms.engine.result import SearchResult, Statistics
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.game import CHANCE, Game
from gamesearch.toolkit.bits import mix

__all__ = ["RandomMover"]


class RandomMover(Algorithm):
    """Chooses one of the legal moves, each with the same probability.

    The move depends only on the seed, the position and the number of earlier positions. So equal searches have equal
    results. If the user gives no seed, a match derives one from its own seed. Outside of matches, the seed is 0.
    """

    name = "random"
    summary = "a random legal move"
    source = "a baseline for every algorithm"
    is_exact = False
    is_for_two = False
    handles_chance = True
    is_search = False
    parameter_help: ClassVar[Mapping[str, str]] = {
        "seed": "players with equal seeds make equal moves; without a seed, a match gives each side a different seed"
    }

    def __init__(self, seed: int | str = "") -> None:
        self.seed = check_seed(seed)

    def fits(self, game: Game) -> None:
        """Accept every game."""

    def search(self, runner: Runner, state: Any) -> SearchResult:
        """Draw a move."""
        game, past = runner.game, runner.past
        steps = game.steps(state, past)
        generator = random.Random(f"{self.seed or 0}:{len(past)}:{mix(game.key(state))}")
        move = None if game.player(state) == CHANCE or not steps else generator.choice(steps)
        line = () if move is None else (move,)
        return SearchResult(self.specification, None, "exact", move, line, Statistics(nodes=1, speed="interpreted"))
