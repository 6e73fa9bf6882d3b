"""How strong weights are: short matches against those at the beginning, and against moves by lot."""

import random
from collections.abc import Mapping
from typing import Any

from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.game import MAX, MIN, Game
from gamesearch.learn.learnable import share_won
from gamesearch.learn.searched_play import new_searcher, payoff_of
from gamesearch.learned.weights_files import Beaten
from gamesearch.play.match import names_winner

__all__ = ["BEFORE", "OWN", "RANDOM", "matches", "payoff_between", "points_of_game"]

BEFORE, OWN, RANDOM = "the weights before", "the game's own evaluation", "random"
OPENING = 4
"""Each pair of games begins with so many moves by lot; each side plays both sides of it."""


def matches(
    game: Game[Any], before: Game[Any], name: str, games: int, depth: int, seed: int, speed: str
) -> tuple[Beaten, ...]:
    """What a game's evaluation scores against another, which has a name, and against moves by lot.

    Nothing where nobody wins.
    """
    if not names_winner(game):
        return ()
    with new_searcher(game, speed) as ours, new_searcher(before, speed) as theirs:

        def points(searcher: Searcher | None) -> float:
            return sum(points_of_game(game, ours, searcher, number, Limits(depth), seed) for number in range(games))

        return Beaten(name, games, points(theirs)), Beaten(RANDOM, games, points(None))


def points_of_game(
    game: Game[Any], ours: Searcher, theirs: Searcher | None, number: int, limits: Limits, seed: int
) -> float:
    """1 for a game won, 1/2 for a draw; even numbers are played as Max. A game that is too long is drawn."""
    side = MAX if number % 2 == 0 else MIN
    source = random.Random(f"measure {seed} {number // 2}")
    payoff = payoff_between(game, {side: ours, 1 - side: theirs}, limits, source, OPENING)
    won = 0.5 if payoff is None else share_won(game, payoff)
    return won if side == MAX else 1 - won


def payoff_between(
    game: Game[Any], searchers: Mapping[int, Searcher | None], limits: Limits, source: random.Random, opening: int
) -> float | None:
    """The payoff of a game between searches, by their sides, of which one that is None makes moves by lot, as all do in
    the opening; None where it was left as too long.
    """

    def choose(state: Any, past: list[Any], made: int) -> int:
        searcher = searchers[game.player(state)]
        if made < opening or searcher is None:
            return source.choice(game.steps(state, past))
        best = searcher.search(state, limits, past=past).best
        return game.steps(state, past)[0] if best is None else best  # time was up before there was any

    return payoff_of(game, source, choose)
