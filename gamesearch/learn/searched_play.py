"""Lets a search play games against itself. Records the positions, the results of the searches, and the payoffs."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.catalog import exact_algorithm, load_algorithm
from gamesearch.algorithms.engine.result import Limits, SearchResult
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.game import Game
from gamesearch.play.game_loop import GameLoop
from gamesearch.play.match import Match
from gamesearch.play.players.loading import default_algorithm

__all__ = ["LONGEST", "Turn", "new_searcher", "payoff_of", "play_searching", "player_searcher"]

LONGEST = 400  # the number of plies after which a game is stopped


@dataclass(frozen=True)
class Turn:
    """A position in which a search chose a move."""

    state: Any
    result: SearchResult
    explored: bool  # whether the previous move was random


@dataclass(frozen=True)
class SearchedGame:
    """A game that a search played against itself."""

    turns: list[Turn]
    payoff: float | None  # the payoff; None if the game was stopped because it was too long


def new_searcher(game: Game, speed: str) -> Searcher:
    """A search that finds the exact minimax value at its depth. After it has found a win, it does not look for a faster
    win."""
    return Searcher(game, load_algorithm(exact_algorithm(game), {"distance": False}), speed)


def player_searcher(game: Game, speed: str) -> Searcher:
    """Make a Searcher with the default algorithm of a game. Its search may be selective."""
    return Searcher(game, load_algorithm(default_algorithm(game)), speed)


def payoff_of(game: Game, source: random.Random, choose: Callable[[Any, list[Any], int], int]) -> float | None:
    """Play one game and return its payoff. If the game was stopped because it was too long, return None. `source` rolls
    the dice. `choose` returns a move. Its arguments are the position, the earlier positions, and the number of earlier
    choices."""
    match, chosen = Match(game, game.initial()), 0
    for roll in GameLoop(match).turns(lambda: match.is_over or len(match.moves) >= LONGEST, source):
        if roll is None:
            match.play(choose(match.state, match.past, chosen))
            chosen += 1
    payoff = match.final_value
    assert not isinstance(payoff, tuple)
    return payoff


def play_searching(
    searcher: Searcher, depth: int, opening: int, exploration: float, source: random.Random
) -> SearchedGame:
    """Play one game, which begins with `opening` random moves. Each later move is random with probability
    `exploration`; otherwise, the search chooses it."""
    turns, explored = list[Turn](), True

    def choose(state: Any, past: list[Any], made: int) -> int:
        nonlocal explored
        explores = source.random() < exploration
        if made < opening or explores:
            explored = True
            return source.choice(searcher.game.steps(state, past))
        result = searcher.search(state, Limits(depth), past=past)
        assert result.best is not None
        turns.append(Turn(state, result, explored))
        explored = False
        return result.best

    return SearchedGame(turns, payoff_of(searcher.game, source, choose))
