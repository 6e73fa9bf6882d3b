"""Fast random games in which every state is checked."""

from array import array
from dataclasses import dataclass
from typing import Any

from gamesearch import compiler
from gamesearch.algorithms.node.repetition import is_move_allowed
from gamesearch.compiler import kernel
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, FORBIDDEN, MOST_MOVES, Game
from gamesearch.toolkit.bits import mix

__all__ = ["RandomPlay", "play_at_random", "play_randomly"]

BROKEN = ("nothing", "it is inconsistent", "there is no move", "nobody is to move", "moves has no end")
"""The possible faults of a state. A fault is numbered by its place in this tuple."""


@kernel
def play_randomly(game: Game, start: Any, seed: int, moves: int, longest: int, path: Any, counts: Any) -> int:
    """Make a number of random moves, in games of at most `longest` plies; return the number of the fault, or 0.

    All moves, and all possible outcomes of chance, are equally likely. A game also ends if repetition forbids every
    move. The number of finished games, the number of moves, and a digest of the states are written into `counts`.
    `path` has room for `longest` + 1 hashed keys.
    """
    s, length, drawn, made = start, 0, mix(seed), 0
    while made < moves:
        path[length] = mix(game.arrangement(s))
        if not game.consistent(s):
            return 1
        if game.terminal(s) or length >= longest:
            counts[0] += 1
            s, length = start, 0
            path[0] = mix(game.arrangement(s))
        if not CHANCE <= game.player(s) < game.players:
            return 3
        count = 0
        if game.player(s) == CHANCE:
            for _, probability in game.outcomes(s):
                count += 1 if probability > 0.0 else 0
        else:
            for move in game.moves(s):
                count += 1 if is_move_allowed(game, s, move, length, path) else 0
                if count > MOST_MOVES:
                    break
        if count == 0:
            if length == 0 or game.repetition != FORBIDDEN or not has_move(game, s):
                return 2
            counts[0] += 1  # each move is forbidden
            s, length = start, 0
            continue
        if count > MOST_MOVES:
            return 4
        drawn = mix(drawn + made)
        chosen = (drawn >> 1 & 0xFFFFFFFF) % count
        if game.player(s) == CHANCE:
            for outcome, probability in game.outcomes(s):
                if probability > 0.0:
                    if chosen == 0:
                        s = game.result(s, outcome)
                        break
                    chosen -= 1
        else:
            for move in game.moves(s):
                if is_move_allowed(game, s, move, length, path):
                    if chosen == 0:
                        s = game.result(s, move)
                        break
                    chosen -= 1
        length += 1
        made += 1
        counts[1] = made
        counts[2] = mix(counts[2] ^ mix(game.key(s)))
    return 0


@kernel
def has_move(game: Game, s: Any) -> bool:
    """Whether there is any move, including moves that repetition forbids."""
    for _ in game.moves(s):
        return True
    return False


@dataclass(frozen=True)
class RandomPlay:
    """The result of random play."""

    games: int
    """The number of games that ended or were stopped at the greatest length."""
    moves: int
    digest: int
    """A digest of all states in their order."""
    speed: str


def play_at_random(
    game: Game, state: Any, moves: int, *, seed: int = 0, longest: int = 400, speed: str = "auto"
) -> RandomPlay:
    """Make a number of random moves from a state, game after game; equal seeds give equal games at both speeds.

    Raises GamesearchError if a state is faulty: inconsistent by the game's own test, or without a move.
    """
    path, counts = array("q", bytes(8 * (longest + 2))), array("q", bytes(8 * 3))
    broken, ran_at = compiler.run(play_randomly, game, speed, state, seed, moves, longest, path, counts)
    if broken:
        raise GamesearchError(f"random play of {game.name} broke after {counts[1]:,} moves: {BROKEN[broken]}")
    return RandomPlay(int(counts[0]), int(counts[1]), int(counts[2]), ran_at)
