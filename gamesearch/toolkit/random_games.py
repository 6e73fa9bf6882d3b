"""Random games in interpreted code, for checks and measurements."""

import random
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Any

from gamesearch.game import Game

__all__ = ["after_random_moves", "random_game", "sample_moves"]


def random_game(game: Game, s: Any, source: random.Random) -> Iterator[tuple[Any, list[int]]]:
    """Play a random game from a position. Yields each position with its legal moves or outcomes, until the game is over
    or every move is forbidden."""
    past = list[Any]()
    while not game.terminal(s) and (steps := game.steps(s, past)):
        yield s, steps
        past.append(s)
        s = game.result(s, source.choice(steps))


def after_random_moves(game: Game, plies: int, source: random.Random) -> tuple[list[Any], Any]:
    """Make random moves from the initial position. Returns the list of earlier positions, and the last position. The
    number of moves is `plies`, or fewer if the next position would be terminal or have no moves."""
    states = [s for s, _ in islice(random_game(game, game.initial(), source), plies + 1)] or [game.initial()]
    return states[:-1], states[-1]


def sample_moves(game: Game, count: int, longest: int) -> Iterator[tuple[Any, Any]]:
    """Make `count` moves in random games of at most `longest` moves. Yields the positions before and after each move,
    except for a move that ends a game. The games are always the same."""
    source = random.Random(1)
    while count > 0:
        most = min(count, longest)
        states = [s for s, _ in islice(random_game(game, game.initial(), source), most + 1)]
        if not states:
            return
        yield from pairwise(states)
        count -= min(len(states), most)
