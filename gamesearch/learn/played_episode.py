"""A game in which both sides make the move with the best estimate after it, and some moves by lot, to learn from."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gamesearch import compiler
from gamesearch.algorithms.parts.recurrence import is_among
from gamesearch.bits import mix
from gamesearch.compiler import kernel
from gamesearch.compiler.rows import save_state
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, RECURRENCE_DRAWS, Game
from gamesearch.learn.greedy_play import by_lot, chosen_move, rolled

__all__ = ["Episode", "Lesson", "play_episode", "run_with_room"]


class Lesson(NamedTuple):
    """How to play, and what to learn of it."""

    exploration: float
    """How often a move is made by lot."""
    decay: float
    """The lambda of TD(lambda)."""
    payoff_is_sign: bool
    """Whether payoffs only say who won."""


class Episode(NamedTuple):
    """Room for what is noted of a game."""

    path: Any
    """The hashed arrangement of each position."""
    states: Any
    """The positions after moves, but for the last of a finished game: rows as `compiler.new_rows` makes them."""
    explored: Any
    """Whether the move that led to each of them was made by lot."""
    counts: Any
    """How many positions were looked at to choose moves, and how many were noted, in all games."""


def run_with_room(
    function: Callable[..., float], game: Game[Any], longest: int, speed: str, *arguments: Any
) -> tuple[float, Any]:
    """Call a kernel that plays, with room for games of so many plies before its other arguments.

    Returns what it returns, and the counts of the episodes. Where it cannot be compiled, it runs interpreted, in room
    of another kind.
    """
    if compiler.speed_for(game, speed) == "compiled":
        try:
            room = room_for(game, longest, True)
            return float(compiler.run(function, game, "compiled", room, *arguments)[0]), room.counts
        except GamesearchError:
            if speed == "compiled":
                raise
    room = room_for(game, longest, False)
    return float(compiler.run(function, game, "interpreted", room, *arguments)[0]), room.counts


def room_for(game: Game[Any], longest: int, is_compiled: bool) -> Episode:
    """Room for games of so many plies."""
    states = compiler.new_rows(game.initial(), longest, is_compiled)
    return Episode(np.zeros(longest, np.int64), states, np.zeros(longest, np.bool_), np.zeros(2, np.int64))


@kernel
def play_episode(
    game: Game[Any], start: Any, random: int, exploration: float, episode: Episode
) -> tuple[int, bool, float, int]:
    """Play one game; how many positions were noted, whether it was played to its end, the payoff, and the last lot."""
    s, made = start, 0
    for length in range(len(episode.path)):
        episode.path[length] = mix(game.arrangement(s))
        if game.terminal(s):
            return made, True, float(game.utility(s)), random
        if game.recurrence == RECURRENCE_DRAWS and length > 0:
            if is_among(episode.path, 0, length - 1, episode.path[length]):
                return made, True, float(game.draw_value()), random
        random = mix(random + length)
        if game.player(s) == CHANCE:
            s = game.result(s, rolled(game, s, by_lot(random)))
            continue
        explores = by_lot(random) < exploration
        random = mix(random + 1)
        count, move, looked_at = chosen_move(game, s, explores, random, length, episode.path)
        episode.counts[0] += looked_at
        if count == 0:
            return made, True, float(game.draw_value()), random
        s = game.result(s, move)
        if not game.terminal(s):
            save_state(episode.states, made, s)
            episode.explored[made] = explores
            episode.counts[1] += 1
            made += 1
    return made, False, 0.0, random
