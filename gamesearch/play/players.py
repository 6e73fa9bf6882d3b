"""Who plays: a human, or an algorithm that thinks for so many seconds a move."""

import inspect
from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.catalog import ALGORITHMS, load_algorithm
from gamesearch.algorithms.parts.algorithm import Algorithm
from gamesearch.errors import GamesearchError
from gamesearch.game import FORBIDDEN, RECURRENCE_DRAWS, Game
from gamesearch.specification import nearest, parse_specification

__all__ = ["HUMAN", "SECONDS", "Player", "adviser", "default_algorithm", "load_player"]

HUMAN = "human"
SECONDS = 2.0
"""How long an algorithm thinks about a move when nobody says how long, or how deep."""


@dataclass(frozen=True)
class Player:
    """One side of a match; without an algorithm, a human."""

    specification: str = HUMAN
    algorithm: Algorithm | None = None

    @property
    def is_human(self) -> bool:
        """Whether somebody has to type the moves."""
        return self.algorithm is None


def load_player(text: str, game: Game[Any], seconds: float | None = None) -> Player:
    """The player that `human`, `random(seed=7)` or any algorithm's specification stands for.

    An algorithm without a depth and a time of its own thinks for `seconds`, or else for SECONDS.
    Raises GamesearchError for unknown names, and for an algorithm that does not fit the game.
    """
    specification = parse_specification(text)
    if specification.name == HUMAN:
        if specification.values or specification.parameters:
            raise GamesearchError("a human takes no parameters: write human")
        return Player()
    if specification.name not in ALGORITHMS:
        known = (HUMAN, *ALGORITHMS)
        raise GamesearchError(f"there is no player {specification.name!r}: {nearest(specification.name, known)}")
    algorithm = with_limits(load_algorithm(text), game, seconds)
    algorithm.fits(game)
    return Player(algorithm.specification, algorithm)


def with_limits(algorithm: Algorithm, game: Game[Any], seconds: float | None) -> Algorithm:
    """The algorithm with a time limit, where it can have one and has no limit that it was given."""
    parameters = inspect.signature(type(algorithm)).parameters
    if "time" not in parameters or algorithm.time or (algorithm.depth and seconds is None):
        return algorithm
    given = {name: getattr(algorithm, name) for name in parameters if hasattr(algorithm, name)}
    given["time"] = SECONDS if seconds is None else seconds
    if "deepen" not in parameters and not algorithm.depth and game.suggested_depth is not None:
        # Without deepening, time alone would end a search to the full depth somewhere in its first moves.
        given["depth"] = game.suggested_depth
    return type(algorithm)(**given)


def default_algorithm(game: Game[Any]) -> str:
    """A good opponent for a game, by the facts that the game declares."""
    if game.players > 2:
        return "maxn"
    if game.chance:
        return "expectiminimax"
    paths = ", paths=practical" if game.recurrence in (RECURRENCE_DRAWS, FORBIDDEN) else ""
    return f"alphabeta(table=true, order={suggested_order(game)}, bounds=true, endgame=true{paths})"


def suggested_order(game: Game[Any]) -> str:
    """The order of moves that a game suggests; else by its own order, killers and history.

    `previous` adds nothing to them where there is a table, whose move always comes first.
    """
    if game.suggested_order:
        return game.suggested_order
    return "game+killer+history" if game.has_order else "killer+history"


def adviser(players: tuple[Player, ...], game: Game[Any], seconds: float | None = None) -> Algorithm:
    """Who gives a human hints: the opponent, where there is one that searches."""
    for player in players:
        algorithm = player.algorithm
        if algorithm is not None and (algorithm.is_exact or algorithm.bounds):  # which only prove more
            return algorithm
    usual = load_player(default_algorithm(game), game, seconds).algorithm
    assert usual is not None
    return usual
