"""A player who moves at random: the yardstick of every algorithm."""

import random
from collections.abc import Mapping
from typing import Any, ClassVar

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.parameters import seed_checked
from gamesearch.algorithms.engine.result import SearchResult, Statistics
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.game import CHANCE, Game
from gamesearch.toolkit.bits import mix

__all__ = ["RandomMover"]


class RandomMover(Algorithm):
    """A legal move, each with the same probability.

    Which one is decided by the seed, the position and how many positions came before it, and by nothing
    that was asked earlier: equal questions have equal answers. In a match, a seed that is left empty is
    made from the match's own (see `gamesearch.play.match`); elsewhere it is 0.
    """

    name = "random"
    summary = "any legal move, each with the same probability"
    source = "the yardstick of every algorithm"
    is_exact = False
    is_for_two = False
    handles_chance = True
    is_search = False
    parameter_help: ClassVar[Mapping[str, str]] = {
        "seed": "the same number draws the same moves; without one, a match gives each side one of its own"
    }

    def __init__(self, seed: int | str = "") -> None:
        self.seed = seed_checked(seed)

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
