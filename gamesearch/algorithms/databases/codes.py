"""Codes of database entries: small integers for the value of a position and its distance to the end.

A code takes one byte if possible, otherwise two bytes. Codes are from the point of view of the side to move, so that
positions with exchanged sides can have the same number. If payoffs are win, loss and draw, a code contains the plies to
the end. If payoffs are points, a code contains the rest of the payoff: the part that is not yet certain.

    0                   undecided: while a layer is being solved, or if the position is in no layer
    1                   no position has this number
    2                   a draw
    4 + 2 * plies       the side to move wins in this many plies
    5 + 2 * plies       the other side wins in this many plies

If payoffs are points, codes from 2 on have another meaning: 2 + the rest of the payoff for the side to move + the
greatest rest. The greatest rest is added because a rest can be negative.
"""

from typing import Any, NamedTuple

from gamesearch.algorithms.databases.packing import is_packed, packed_code
from gamesearch.compiler import kernel
from gamesearch.compiler.kernels import mapped_at, mapped_length
from gamesearch.game import MAX, Game
from gamesearch.toolkit.bits import mix

__all__ = [
    "DRAWN",
    "NO_POSITION",
    "UNDECIDED",
    "WON",
    "Layers",
    "certain_payoff",
    "code_in_layers",
    "code_seen_by",
    "decode",
    "encode",
    "greatest_rest",
    "plies_of",
]

UNDECIDED, NO_POSITION, DRAWN = range(3)
WON = 4
"""The code of a win in 0 plies. The code of a loss in 0 plies is greater by 1. The code of a win or loss increases by 2
for each ply."""


class Layers(NamedTuple):
    """The solved layers of a database, in the form that kernels take. The index of a layer is its number."""

    codes: Any
    """Packed codes, from `packing.mapped_codes`; None for a game that does not number its positions."""
    keyed: Any = None
    """Packed codes for a game that does not number its positions."""
    keys: Any = None
    """For each layer of `keyed`, the hashed keys of its positions in ascending order."""
    folds: Any = None
    """1 if symmetric positions have different keys but a common entry, so that a kernel must search for the smallest
    key; otherwise None."""


@kernel
def greatest_rest(game: Game) -> float:
    """The greatest absolute value of the rest of a payoff: the part that is not yet certain."""
    return float(max(game.MAXSCORE, -game.MINSCORE))


@kernel
def encode(game: Game, value: float, plies: int, player: int) -> int:
    """The code of a value, seen from the side to move. If payoffs are points, `value` is the rest of the payoff.

    The caller must make sure that the code fits into two bytes.
    """
    if not game.win_or_loss:
        return DRAWN + int(greatest_rest(game) + (value if player == MAX else -value))
    if value != game.MAXSCORE and value != game.MINSCORE:
        return DRAWN
    return WON + 2 * plies + (0 if (value == game.MAXSCORE) == (player == MAX) else 1)


@kernel
def decode(game: Game, code: int, player: int) -> tuple[float, int]:
    """Decode the code of a decided position. Returns its value and the plies to the end of the game."""
    if not game.win_or_loss:
        paid = code - DRAWN - greatest_rest(game)
        return paid if player == MAX else -paid, 0
    if code < WON:
        return float(game.draw_value()), 0
    return float(game.MAXSCORE if (code & 1 == 0) == (player == MAX) else game.MINSCORE), code - WON >> 1


@kernel
def code_seen_by(code: int, is_same: bool) -> int:
    """Convert a code to the point of view of the other side, unless `is_same` is true. The payoffs must be win, loss
    and draw."""
    return code if is_same or code < WON else code ^ 1


@kernel
def plies_of(code: int) -> int:
    """The plies to the end of a win or loss; -1 for other codes. The payoffs must be win, loss and draw."""
    return code - WON >> 1 if code >= WON else -1


@kernel
def code_in_layers(game: Any, s: Any, layers: Layers) -> int:
    """The code of a position of an unfinished game; UNDECIDED if no layer of the database contains the position."""
    if layers.keys is not None:
        return code_of_key(key_in_layers(game, s, layers), layers)
    if layers.codes is not None:
        layer = game.layer(s)
        if is_packed(layers.codes, layer):
            return packed_code(layers.codes, layer, game.rank(s))
    return UNDECIDED


@kernel
def key_in_layers(game: Any, s: Any, layers: Layers) -> int:
    """The hashed key of a position. If `layers.folds` is set, the smallest hashed key of all symmetric positions is
    hashed again."""
    if layers.folds is None:
        return int(mix(game.key(s)))
    least = mix(game.key(s))
    for each in game.symmetries(s):
        least = min(least, mix(game.key(each)))
    return int(mix(least))


@kernel
def code_of_key(key: int, layers: Layers) -> int:
    """The code of the position with a hashed key; UNDECIDED if no layer contains the key."""
    place = 0
    while mapped_length(layers.keys, place) > 0:
        low, high = 0, mapped_length(layers.keys, place)
        while low < high:
            middle = low + high >> 1
            if mapped_at(layers.keys, place, middle) < key:
                low = middle + 1
            else:
                high = middle
        if low < mapped_length(layers.keys, place) and mapped_at(layers.keys, place, low) == key:
            return packed_code(layers.keyed, place, low)
        place += 1
    return UNDECIDED


@kernel
def certain_payoff(game: Any, s: Any, layers: Layers) -> float:
    """The part of the payoff that is already certain, if the code of a position contains only the rest of the payoff; 0
    if the code contains the whole payoff."""
    if layers.codes is not None:
        return float(game.certain_payoff(s))
    return 0.0
