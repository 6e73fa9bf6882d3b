"""What a database says of a position, as a small whole number: its value and how far the end is.

A code is a byte where it fits, else two. It is seen from the side to move, so that positions which differ by their
colours alone may share a number. Where payoffs are win, loss and draw, it holds the plies to the end; where they are
points, the payoff without what is `paid` already.

    0                   not decided: while a layer is solved, and of what is in no layer
    1                   no position has this number
    2                   a draw; for points, 2 + what is still paid to the side to move + the most that is ever paid
    4 + 2 * plies       the side to move wins in so many plies
    5 + 2 * plies       the other side wins in so many plies
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
    "code_in_layers",
    "decoded",
    "encoded",
    "most_paid",
    "paid_already",
    "plies_of",
    "seen_by",
]

UNDECIDED, NO_POSITION, DRAWN = range(3)
WON = 4
"""The code of a win now; one more is a loss, two more a win a ply later."""


class Layers(NamedTuple):
    """Solved layers as kernels take them; a place stands for the number of a layer."""

    codes: Any
    """Packed codes, as `packing.mapped_codes` makes them; None for a game that does not number its positions."""
    keyed: Any = None
    """Of such a game, the same."""
    keys: Any = None
    """And arrays of hashed keys by size, one for each of `keyed`."""
    folds: Any = None
    """Not None where they take all symmetries of a position for one, and the game's keys do not."""


@kernel
def most_paid(game: Game) -> float:
    """The most that either side is ever paid."""
    return float(max(game.MAXSCORE, -game.MINSCORE))


@kernel
def encoded(game: Game, value: float, plies: int, player: int) -> int:
    """The code of a value where a player is to move; of a payoff, of what is left of it.

    The caller keeps to the range that fits.
    """
    if not game.win_or_loss:
        return DRAWN + int(most_paid(game) + (value if player == MAX else -value))
    if value != game.MAXSCORE and value != game.MINSCORE:
        return DRAWN
    return WON + 2 * plies + (0 if (value == game.MAXSCORE) == (player == MAX) else 1)


@kernel
def decoded(game: Game, code: int, player: int) -> tuple[float, int]:
    """The value and the plies to the end of a code, which stands for a position that is decided."""
    if not game.win_or_loss:
        paid = code - DRAWN - most_paid(game)
        return paid if player == MAX else -paid, 0
    if code < WON:
        return float(game.draw_value()), 0
    return float(game.MAXSCORE if (code & 1 == 0) == (player == MAX) else game.MINSCORE), code - WON >> 1


@kernel
def seen_by(code: int, is_same: bool) -> int:
    """A code of a game of win, loss and draw as the same side sees it, or the other."""
    return code if is_same or code < WON else code ^ 1


@kernel
def plies_of(code: int) -> int:
    """The plies to the end of a code that stands for a win; -1 for any other, of a game of win, loss and draw."""
    return code - WON >> 1 if code >= WON else -1


@kernel
def code_in_layers(game: Any, s: Any, layers: Layers) -> int:
    """The code of a position that is not over; UNDECIDED where it is in no layer that there is."""
    if layers.keys is not None:
        return code_of_key(key_in_layers(game, s, layers), layers)
    if layers.codes is not None:
        layer = game.layer(s)
        if is_packed(layers.codes, layer):
            return packed_code(layers.codes, layer, game.rank(s))
    return UNDECIDED


@kernel
def key_in_layers(game: Any, s: Any, layers: Layers) -> int:
    """The hashed key of a position: of the least one of its symmetries, as of a folded game."""
    if layers.folds is None:
        return int(mix(game.key(s)))
    least = mix(game.key(s))
    for each in game.symmetries(s):
        least = min(least, mix(game.key(each)))
    return int(mix(least))


@kernel
def code_of_key(key: int, layers: Layers) -> int:
    """The code of a hashed key; UNDECIDED where it is in no layer."""
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
def paid_already(game: Any, s: Any, layers: Layers) -> float:
    """What is certain of the payoff where codes say what is left of it; 0 where they say all."""
    if layers.codes is not None:
        return float(game.paid(s))
    return 0.0
