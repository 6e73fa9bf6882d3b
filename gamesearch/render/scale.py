"""Values on the scale of their game: in its unit, or as a chance."""

from typing import Any

from gamesearch.algorithms.engine.formatting import value_text
from gamesearch.game import Game

__all__ = ["amount", "chance_words"]

SINGULAR = {"boxes": "box", "men": "man"}
"""Of words that do more than lose an s."""


def amount(game: Game[Any], value: float) -> str:
    """A value with what it counts, to two decimals: `12 discs`, `-1 man`, `0.25 pawns`."""
    value = round(value, 2) if game.unit else value
    one = SINGULAR.get(game.unit, game.unit.removesuffix("s"))
    unit = one if abs(value) == 1 else game.unit
    return f"{value_text(value)} {unit}" if unit else value_text(value)


def chance_words(game: Game[Any], value: float, whose: int) -> str:
    """An estimate as a chance; empty where the game does not say that its estimates are chances."""
    chance = game.win_chance(value)
    return "" if chance is None else f"{100 * chance:.0f} % chance for {game.player_name(whose)}"
