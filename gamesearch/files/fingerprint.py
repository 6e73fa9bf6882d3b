"""Fingerprints of game rules. A file with a fingerprint stays valid as long as the rules of its game give the same
results.

A fingerprint is a hash of the moves, payoffs and other results of the rules in a sample of positions. A fingerprint
does not depend on the code of the rules, the version of Python, or the machine. If a change to the rules affects only
a few positions, the fingerprint may stay the same; `gamesearch database --verify` compares all positions.

A change to this module invalidates all files with fingerprints. If you change the module, give the formats of these
files new version numbers.
"""

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

from gamesearch.game import CHANCE, Game
from gamesearch.optional import NumberedGame, symmetries_of
from gamesearch.toolkit.bits import mix

__all__ = ["fingerprint_of_layer", "fingerprint_of_rules"]

SAMPLE = 1_000
MOVES = 1_500  # the approximate limit on the total number of legal moves in the positions of a sample
PLIES = 200

ExtraFacts = Callable[[Any], object]
"""A function that returns data about a position. The fingerprint of a layer includes these data."""


def fingerprint_of_layer(game: NumberedGame[Any], layer: int) -> str:
    """Return a fingerprint of the rules in a layer, computed from a sample of its positions and their successors. The
    fingerprint also depends on their ranks. If a layer has at most SAMPLE positions, the sample contains all of
    them."""
    size, found, moves = game.layer_size(layer), facts_of(game), 0
    found.append(size)
    is_whole = size <= SAMPLE
    for count in range(min(size, SAMPLE)):
        number = count if is_whole else mix((layer, count)) % size
        s = game.unrank(layer, number)
        is_position = game.is_numbered(s) and (
            game.numbers_are_exact or (game.layer(s) == layer and game.rank(s) == number)
        )
        after = numbered_answers(game, s) if is_position else None
        found.append((number, after))
        moves += len(after[-1]) if after is not None else 1
        if moves > MOVES and not is_whole:
            break
    return digest_of_text(found)


def numbered_answers(game: NumberedGame[Any], s: Any) -> tuple[Any, ...]:
    """The data that determine the value of a numbered position. The last item is the sorted list of the positions after
    its moves."""
    if game.terminal(s):
        return payoff(game, s), []
    places = []
    for move in game.moves(s):
        after = game.result(s, move)
        layer = game.layer(after)
        number = game.rank(after) if layer >= 0 and game.layer_size(layer) > 0 else -1
        end = payoff(game, after) if game.terminal(after) else ()
        places.append((int(layer), int(number), int(game.player(after)), end, float(game.certain_payoff(after))))
    return int(game.player(s)), float(game.certain_payoff(s)), sorted(places)


def fingerprint_of_rules(
    game: Game, start: Any, *, is_ordered: bool = False, extra_facts: ExtraFacts | None = None
) -> str:
    """Return the fingerprint of the rules; the sample consists of positions of random games from `start`. If
    `is_ordered` is true, the fingerprint also depends on the order in which the rules generate moves."""
    found, count, moves, number = facts_of(game), 0, 0, 0
    while count < SAMPLE and moves < MOVES:
        s = start
        for ply in range(PLIES):
            answers = keyed_answers(game, s, is_ordered)
            found.append((key_of(game, s), answers, None if extra_facts is None else extra_facts(s)))
            count, moves = count + 1, moves + 1 + len(answers[-1])
            steps = [step for step, _ in steps_of(game, s)]
            if not steps:
                break
            steps = steps if is_ordered else sorted(steps)
            s = game.result(s, steps[mix((number, ply)) % len(steps)])
        number += 1
    return digest_of_text(found)


def keyed_answers(game: Game, s: Any, is_ordered: bool) -> tuple[Any, ...]:
    """Return the data that determine the value of a position; the last item lists the keys of its successors. The list
    is sorted unless `is_ordered` is true."""
    if game.terminal(s):
        return payoff(game, s), []
    keys = [(mix(game.key(game.result(s, step))), probability) for step, probability in steps_of(game, s)]
    return int(game.player(s)), keys if is_ordered else sorted(keys)


def steps_of(game: Game, s: Any) -> Iterator[tuple[int, float]]:
    """Yield each move with probability 1, or each outcome of a chance node with its probability."""
    if game.terminal(s):
        return
    if game.player(s) == CHANCE:
        yield from ((int(outcome), float(probability)) for outcome, probability in game.outcomes(s) if probability > 0)
    else:
        for move in game.moves(s):
            yield int(move), 1.0


def key_of(game: Game, s: Any) -> int:
    """Return the hashed key of a position; symmetric positions have the same hash."""
    return min(mix(game.key(each)) for each in symmetries_of(game, s))


def payoff(game: Game, s: Any) -> tuple[float, ...]:
    """The payoffs of a finished game."""
    paid = game.utility(s)
    return tuple(map(float, paid)) if isinstance(paid, tuple) else (float(paid),)


def facts_of(game: Game) -> list[Any]:
    """Return the declared properties of a game that affect values, such as the number of players."""
    return [
        game.players, bool(game.chance), bool(game.win_or_loss), int(game.repetition),
        float(game.MINSCORE), float(game.MAXSCORE),
    ]  # fmt: skip


def digest_of_text(found: list[Any]) -> str:
    """Return a hash of nested lists and tuples of numbers."""
    return hashlib.blake2b(repr(found).encode(), digest_size=16).hexdigest()
