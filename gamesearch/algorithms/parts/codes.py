"""What a database says of a position, as a small whole number: its value and how far the end is.

A code is a byte where it fits, else two. Where payoffs are win, loss and draw, it holds the plies to the end; where
they are points, the payoff without what is `paid` already.

    0                   not decided: while a layer is solved, and of what is in no layer
    1                   no position has this number
    2                   a draw                          or, for points, 2 + what is still paid - MINSCORE
    4 + 2 * plies       Max wins in so many plies
    5 + 2 * plies       Min wins in so many plies
"""

from typing import Any, NamedTuple

from gamesearch.compiler import kernel
from gamesearch.compiler.mapped import mapped_at, mapped_length
from gamesearch.game import Game

__all__ = ["DRAWN", "NO_POSITION", "UNDECIDED", "WON", "Layers", "code_in_layers", "decoded", "encoded", "plies_of"]

UNDECIDED, NO_POSITION, DRAWN = range(3)
WON = 4
"""The code of a win of Max now; one more is a win of Min, two more a win a ply later."""


class Layers(NamedTuple):
    """Solved layers as kernels take them; a place stands for the number of a layer."""

    codes: Any
    """Arrays of codes, as `compiler.mapped.mapped` makes them."""


@kernel
def encoded(game: Game[Any], value: float, plies: int) -> int:
    """The code of a value; of a payoff, of what is left of it. The caller keeps to the range that fits."""
    if not game.win_or_loss:
        return DRAWN + int(value - game.MINSCORE)
    if value == game.MAXSCORE:
        return WON + 2 * plies
    if value == game.MINSCORE:
        return WON + 1 + 2 * plies
    return DRAWN


@kernel
def decoded(game: Game[Any], code: int) -> tuple[float, int]:
    """The value and the plies to the end of a code, which stands for a position that is decided."""
    if not game.win_or_loss:
        return float(code - DRAWN + game.MINSCORE), 0
    if code < WON:
        return float(game.draw_value()), 0
    return float(game.MINSCORE if code & 1 else game.MAXSCORE), code - WON >> 1


@kernel
def plies_of(code: int) -> int:
    """The plies to the end of a code that stands for a win; -1 for any other, of a game of win, loss and draw."""
    return code - WON >> 1 if code >= WON else -1


@kernel
def code_in_layers(game: Any, s: Any, layers: Layers) -> int:
    """The code of a position that is not over; UNDECIDED where it is in no layer that there is."""
    layer = game.layer(s)
    if layer < 0 or mapped_length(layers.codes, layer) == 0:
        return UNDECIDED
    number = game.rank(s)
    if not 0 <= number < mapped_length(layers.codes, layer):
        return UNDECIDED
    return mapped_at(layers.codes, layer, number)
