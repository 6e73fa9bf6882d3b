"""The features that an evaluation of chess adds up, by name; each is what White has less what Black has."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.specification import nearest

__all__ = ["FEATURES", "Feature", "known_name", "read_weight"]


class Feature(NamedTuple):
    """What a feature weighs in pawns unless told, and the most there can be."""

    weight: float
    most: float


FEATURES = {
    "material": Feature(1, 380),  # of White's 36 pawns in Horde, all promoted
    "pieces": Feature(1, 36),
    "mobility": Feature(0.1, 420),
    "rooks": Feature(0.25, 16),
    "pawns": Feature(0.2, 40),
    "castled": Feature(1, 1),
    "pair": Feature(0.5, 1),
    "check": Feature(0.5, 1),
    "hill": Feature(0.5, 3),
    "race": Feature(1, 7),
    "checks": Feature(2, 3),
    "hand": Feature(1, 160),
}
"""The features, by name."""


def known_name(what: str, name: str, table: Mapping[str, object]) -> str:
    """The name, if it is in the table; the error names the nearest one, or all."""
    if name in table:
        return name
    raise GamesearchError(f"no {what} are called {name!r}: {nearest(name, table)}")


def read_weight(text: str) -> tuple[str, float]:
    """A feature's name and weight from "name" or "name:weight"."""
    name, colon, number = text.strip().partition(":")
    feature = FEATURES[known_name("features", name, FEATURES)]
    try:
        weight = float(number) if colon else float(feature.weight)
    except ValueError:
        weight = math.nan
    if not math.isfinite(weight):
        raise GamesearchError(f"{number!r} is not a weight for the feature {name}: write {name}:{feature.weight}")
    return name, weight
