"""Plays games for learning. Both sides play the move with the best estimate, and sometimes a random move."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gamesearch import compiler
from gamesearch.algorithms.node.repetition import is_among, is_move_allowed
from gamesearch.compiler import kernel
from gamesearch.compiler.kernels import save_state
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, REPETITION_DRAWS, Game
from gamesearch.learn.method import Played, Task, mixed_loss
from gamesearch.learn.searched_play import LONGEST
from gamesearch.toolkit.bits import mix

__all__ = ["GameArrays", "GreedyPlay", "LearningSettings", "play_episode"]

NUMBERS = 1 << 32


class LearningSettings(NamedTuple):
    """The settings for playing the games and for learning from them."""

    exploration: float
    decay: float  # the lambda of TD(lambda)
    payoff_is_sign: bool  # whether every win counts as the greatest payoff, and every loss as the least payoff


class GameArrays(NamedTuple):
    """Arrays into which a kernel writes the positions of a game."""

    path: Any  # the hash of each position of the current game, without its history
    states: Any
    """An array of `compiler.new_rows`. Each row contains the position after a move. The terminal position has no
    row."""
    explored: Any  # whether the move that led to each position was random
    counts: Any
    """Two sums over all games. The first counts the positions that were evaluated to choose moves; the second counts
    the positions that were saved in `states`."""


class GreedyPlay:
    """Calls kernels that play a game. The first argument of a kernel contains the arrays that the kernel changes."""

    def __init__(self, game: Game, speed: str) -> None:
        self.game, self.speed = game, speed
        self.ran = ""
        """The speed of the kernels for which the arrays were allocated. It is empty before the first call."""

    def make_room(self, speed: str) -> None:
        """Allocate arrays that have room for the longest game."""
        states = compiler.new_rows(self.game.initial(), LONGEST, speed == "compiled")
        self.arrays = GameArrays(
            np.zeros(LONGEST, np.int64), states, np.zeros(LONGEST, np.bool_), np.zeros(2, np.int64)
        )
        self.ran = speed

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a kernel and return its result. If the kernel cannot be compiled, make new arrays, and interpret the
        kernel."""
        speed = compiler.speed_for(self.game, self.speed)
        try:
            if speed != self.ran:
                self.make_room(speed)
            return compiler.run(function, self.game, speed, self.arrays, *arguments)[0]
        except GamesearchError:
            if speed == "interpreted" or self.speed == "compiled":
                raise
            self.speed = "interpreted"
            return self.run(function, *arguments)

    def learn(self, function: Callable[..., float], task: Task, state: Played, memory: float, *rest: Any) -> Played:
        """Play the games of a task, and learn from each game. The kernel `function` changes the arrays of `state` in
        place. Returns the new state, with the counts and the loss. `mixed_loss` combines the mean loss with the earlier
        loss."""
        total = self.run(function, self.game.initial(), task.source(task.first).getrandbits(62), task.count, *rest)
        state["loss"][0] = mixed_loss(float(state["loss"][0]), total / task.count, memory)
        return state | {"counts": self.arrays.counts}


@kernel
def play_episode(
    game: Game, start: Any, random: int, exploration: float, arrays: GameArrays
) -> tuple[int, bool, float, int]:
    """Play one game. Returns the number of saved positions, whether the game has ended, its payoff, and a new random
    number."""
    s, made = start, 0
    for length in range(len(arrays.path)):
        arrays.path[length] = mix(game.arrangement(s))
        if game.terminal(s):
            return made, True, float(game.utility(s)), random
        if game.repetition == REPETITION_DRAWS and length > 0:
            if is_among(arrays.path, 0, length - 1, arrays.path[length]):
                return made, True, float(game.draw_value()), random
        random = mix(random + length)
        if game.player(s) == CHANCE:
            s = game.result(s, roll_dice(game, s, fraction_of(random)))
            continue
        explores = fraction_of(random) < exploration
        random = mix(random + 1)
        count, move, looked_at = choose_move(game, s, explores, random, length, arrays.path)
        arrays.counts[0] += looked_at
        if count == 0:
            return made, True, float(game.draw_value()), random
        s = game.result(s, move)
        if not game.terminal(s):
            save_state(arrays.states, made, s)
            arrays.explored[made] = explores
            arrays.counts[1] += 1
            made += 1
    return made, False, 0.0, random


@kernel
def fraction_of(random: int) -> float:
    """Convert a random integer to a number from 0 to 1."""
    return float(random >> 1 & NUMBERS - 1) / NUMBERS


@kernel
def roll_dice(game: Game, s: Any, share: float) -> int:
    """Choose an outcome of a chance node. `share` is a random number from 0 to 1."""
    last = 0
    for outcome, probability in game.outcomes(s):
        if probability > 0.0:
            last = outcome
            share -= probability
            if share < 0.0:
                break
    return last


@kernel
def choose_move(game: Game, s: Any, explores: bool, random: int, length: int, path: Any) -> tuple[int, int, int]:
    """Choose a move at random among the candidates: the moves with the best estimate, or all legal moves if `explores`
    is true. Returns the number of candidates, the chosen move, and the number of evaluated positions.
    """
    maximizing = game.player(s) == MAX
    best, count, chosen, looked_at = 0.0, 0, 0, 0
    for move in game.moves(s):
        if not is_move_allowed(game, s, move, length, path):
            continue
        value = 0.0
        if not explores:
            after = game.result(s, move)
            looked_at += 1
            value = float(game.utility(after)) if game.terminal(after) else float(game.evaluate(after))
        if count == 0 or (value > best if maximizing else value < best):
            best, count, chosen = value, 1, move
        elif value == best:
            count += 1
            random = mix(random + count)
            if fraction_of(random) * count < 1.0:
                chosen = move
    return count, chosen, looked_at
