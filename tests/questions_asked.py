"""Call every function of a game's rules that a search may call, at positions of random games, interpreted or compiled.

Compared with a search, these calls compile much less code and cover many more positions.
"""

from array import array
from typing import Any

from gamesearch import compiler
from gamesearch.algorithms.engine.runner import groups_of
from gamesearch.algorithms.node.workspace import Groups
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, NEVER, Game
from gamesearch.optional import SelectiveGame
from gamesearch.toolkit.bits import mix

LONGEST = 300
"""A random game that is not over after this many moves is abandoned, and another game begins."""


@kernel
def ask(game: Game, start: Any, seed: int, moves: int, groups: Groups, digests: Any, sums: Any, selective: Any) -> int:
    """Make `moves` random moves and return the number of games that ended.

    The hashes in `digests` are updated with each whole number that a function of the game returns. Payoffs, estimates,
    bounds, probabilities and scores of move order are added to `sums`; results for selective search are added to
    `selective`, unless `selective` is None.
    """
    s, random, ended, length = start, mix(seed), 0, 0
    for made in range(moves):
        is_over = game.terminal(s)
        note(game, s, is_over, groups, digests, sums)
        if is_over or length == LONGEST:
            ended += 1
            s, length = start, 0
        if selective is not None and not is_over and game.player(s) != CHANCE:
            ask_selectively(game, s, selective)
        chosen, count = 0, 0
        if game.player(s) == CHANCE:
            for outcome, p in game.outcomes(s):
                count += 1
                digests[3] = mix(digests[3] ^ outcome)
                sums[4] += p * count
                random = mix(random + made)
                if (random >> 1 & 0xFFFFFFFF) % count == 0:
                    chosen = outcome
        else:
            for move in game.moves(s):
                count += 1
                digests[4] = mix(digests[4] ^ move)
                if groups.shortcuts is not None:
                    digests[4] = mix(digests[4] ^ game.is_needed(s, move))  # type: ignore[attr-defined]
                sums[5] += game.order(s, move) * count
                random = mix(random + made)
                if (random >> 1 & 0xFFFFFFFF) % count == 0:
                    chosen = move
        s, length = game.result(s, chosen), length + 1
    return ended


@kernel
def ask_selectively(game: Any, s: Any, selective: Any) -> None:
    """Call the functions that a selective search calls at one position, and add their results to `selective`."""
    selective[0] = selective[0] / 2 + game.is_threatened(s)
    for move in game.moves(s):
        if game.has_move_kinds:
            selective[1] = selective[1] / 2 + game.kind_of_move(s, move)
        if game.is_threatened(s):
            selective[2] = selective[2] / 2 + game.is_evasion(s, move)
        selective[3] = selective[3] / 2 + game.most_gain(s, move)
    if game.passing_never_helps and not game.is_threatened(s):
        selective[4] = selective[4] / 2 + game.is_zugzwang_near(s)
        selective[5] = selective[5] / 2 + (mix(game.key(game.make_null_move(s))) & 0xFFFF)


@kernel
def note(game: Game, s: Any, is_over: bool, groups: Groups, digests: Any, sums: Any) -> None:
    """Call the game's functions at one position, and add their results to `digests` and `sums`."""
    digests[0] = mix(digests[0] ^ mix(game.key(s)))
    if groups.shortcuts is not None:
        digests[0] = mix(digests[0] ^ game.skips_table(s))  # type: ignore[attr-defined]
    if game.repetition != NEVER:
        digests[1] = mix(digests[1] ^ mix(game.arrangement(s)))
        digests[2] = mix(digests[2] ^ game.progress(s))
    if game.players > 2:
        for x in game.evaluate(s):
            sums[0] = sums[0] / 2 + x
        if is_over:
            for x in game.utility(s):
                sums[1] = sums[1] / 2 + x
    else:
        sums[0] = sums[0] / 2 + game.evaluate(s)
        if is_over:
            sums[1] = sums[1] / 2 + game.utility(s)
        least, greatest = game.bounds(s)
        sums[2] = sums[2] / 2 + least
        sums[3] = sums[3] / 2 + greatest


def answers(game: Game, moves: int, speed: str) -> tuple[int, list[int], list[float], list[float], str]:
    """Return the sums of all results during `moves` random moves, and the speed (interpreted or compiled)."""
    digests, sums, selective = array("q", bytes(8 * 5)), array("d", bytes(8 * 6)), array("d", bytes(8 * 6))
    asked = selective if isinstance(game, SelectiveGame) else None
    ended, ran_at = compiler.run(ask, game, speed, game.initial(), 3, moves, groups_of(game), digests, sums, asked)
    return int(ended), list(digests), list(sums), list(selective), ran_at
