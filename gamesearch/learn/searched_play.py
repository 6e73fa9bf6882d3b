"""Games that a search plays with itself: where it went, what it found, and how it ended."""

import random
from dataclasses import dataclass, field
from typing import Any

from gamesearch.algorithms.catalog import fitting, load_algorithm
from gamesearch.algorithms.parts.recurrence import arrangements, is_repeated, is_stuck
from gamesearch.algorithms.parts.result import Limits, SearchResult
from gamesearch.algorithms.parts.searcher import Searcher
from gamesearch.game import CHANCE, Game
from gamesearch.play.players import default_algorithm

__all__ = ["LONGEST", "SearchedGame", "Turn", "new_searcher", "play_searching", "player_searcher", "rolled"]

LONGEST = 400
"""A game is left after so many plies."""


@dataclass(frozen=True)
class Turn:
    """A position in which a search chose a move, or lot did."""

    state: Any
    result: SearchResult
    explored: bool
    """Whether the move before it was made by lot."""


@dataclass
class SearchedGame:
    """One game."""

    turns: list[Turn] = field(default_factory=list)
    payoff: float | None = None
    """None where the game was left as too long."""


def new_searcher(game: Game[Any], speed: str) -> Searcher:
    """A search that is exact to its depth; it goes no deeper to find the soonest win."""
    return Searcher(game, load_algorithm(fitting(game), {"distance": False}), speed)


def player_searcher(game: Game[Any], speed: str) -> Searcher:
    """A search as the computer plays: in some games it looks on where something is being taken."""
    return Searcher(game, load_algorithm(default_algorithm(game)), speed)


def rolled(game: Game[Any], state: Any, source: random.Random) -> int:
    """An outcome of a chance node by lot."""
    outcomes = list(game.outcomes(state))
    return source.choices([each for each, _ in outcomes], [probability for _, probability in outcomes])[0]


def play_searching(
    searcher: Searcher, depth: int, opening: int, exploration: float, source: random.Random
) -> SearchedGame:
    """Play one game: `opening` moves by lot, then the search's own, but for a share of moves by lot."""
    game, found, past = searcher.game, SearchedGame(), list[Any]()
    state, made, explored = game.initial(), 0, True
    while len(past) < LONGEST:
        if game.terminal(state):
            found.payoff = float(game.utility(state))
            break
        if is_drawn(game, state, past):
            found.payoff = float(game.draw_value())
            break
        if game.player(state) == CHANCE:
            move = rolled(game, state, source)
        else:
            explores = source.random() < exploration
            if made < opening or explores:
                move, explored = source.choice(game.steps(state, past)), True
            else:
                result = searcher.search(state, Limits(depth), past=past)
                assert result.best is not None
                found.turns.append(Turn(state, result, explored))
                move, explored = result.best, False
            made += 1
        past.append(state)
        state = game.result(state, move)
    return found


def is_drawn(game: Game[Any], state: Any, past: list[Any]) -> bool:
    """Whether a game is over without its rules saying so: by repetition, or as each move is forbidden."""
    return is_repeated(game, [*past, state]) or is_stuck(game, state, arrangements(game, past))
