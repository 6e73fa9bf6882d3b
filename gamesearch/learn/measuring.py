"""How strong weights are: short matches against those at the beginning, and against moves by lot."""

import random
from collections.abc import Sequence
from typing import Any

from gamesearch.algorithms.parts.result import Limits
from gamesearch.algorithms.parts.searcher import Searcher
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.learn.learnable import share_won
from gamesearch.learn.searched_play import LONGEST, is_drawn, new_searcher, rolled
from gamesearch.learned.weights_files import Beaten
from gamesearch.play.match import names_winner

__all__ = ["BEFORE", "OWN", "RANDOM", "chosen", "has_two_sides", "matches", "points_of_game"]

BEFORE, OWN, RANDOM = "the weights before", "the game's own evaluation", "random"
OPENING = 4
"""Each pair of games begins with so many moves by lot; each side plays both sides of it."""


def has_two_sides(game: Game[Any]) -> bool:
    """Whether two can play against each other, and somebody wins."""
    return names_winner(game)


def matches(
    game: Game[Any], before: Game[Any], name: str, games: int, depth: int, seed: int, speed: str
) -> tuple[Beaten, ...]:
    """What a game's evaluation scores against another, which has a name, and against moves by lot.

    Nothing where nobody wins.
    """
    if not has_two_sides(game):
        return ()
    found = []
    with new_searcher(game, speed) as ours, new_searcher(before, speed) as theirs:
        for opponent, searcher in ((name, theirs), (RANDOM, None)):
            points = sum(points_of_game(game, ours, searcher, number, Limits(depth), seed) for number in range(games))
            found.append(Beaten(opponent, games, points))
    return tuple(found)


def chosen(searcher: Searcher, state: Any, limits: Limits, past: Sequence[Any]) -> int:
    """The best move that a search finds within its limits; the first one where time was up before it had any."""
    best = searcher.search(state, limits, past=past).best
    return searcher.game.steps(state, past)[0] if best is None else best


def points_of_game(
    game: Game[Any], ours: Searcher, theirs: Searcher | None, number: int, limits: Limits, seed: int
) -> float:
    """1 for a game won, 1/2 for a draw; even numbers are played as Max. A game that is too long is drawn."""
    side = MAX if number % 2 == 0 else MIN
    source = random.Random(f"measure {seed} {number // 2}")
    state, past, made = game.initial(), list[Any](), 0
    while not game.terminal(state):
        if len(past) >= LONGEST or is_drawn(game, state, past):
            return 0.5
        if game.player(state) == CHANCE:
            move = rolled(game, state, source)
        else:
            searcher = ours if game.player(state) == side else theirs
            if made < OPENING or searcher is None:
                move = source.choice(game.steps(state, past))
            else:
                move = chosen(searcher, state, limits, past)
            made += 1
        past.append(state)
        state = game.result(state, move)
    won = share_won(game, float(game.utility(state)))
    return won if side == MAX else 1 - won
