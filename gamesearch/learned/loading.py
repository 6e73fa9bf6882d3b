"""Game classes with an evaluation from a file of learned patterns or of a learned network."""

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gamesearch.files.whole import read_regular
from gamesearch.game import Game
from gamesearch.learned.networks import derive_network_class
from gamesearch.learned.packed_files import LearnedNetwork, LearnedPatterns, network_in, patterns_in
from gamesearch.learned.patterns import derive_pattern_class
from gamesearch.learned.weights_files import LARGEST, path_of_weights, read_fields

__all__ = ["with_learned"]

_made: dict[tuple[type[Game], str, str], type[Game]] = {}
"""The classes made so far, by the game's class, the file name as given, and a digest of the file."""


def with_learned(cls: type[Game], name: str) -> type[Game]:
    """Return the class of a game with the learned evaluation in a file. Returns the same class until the file
    changes."""
    path = path_of_weights(name, cls)
    key = cls, name, hashlib.sha256(read_regular(path, LARGEST)).hexdigest()
    if key not in _made:
        make = functools.partial(reload_class, vars(cls).get("load_class") or cls, str(path.resolve()), name)
        if "network" in read_fields(name, path):
            network = LearnedNetwork.parse(name, path)
            _made[key] = derive_network_class(cls, once(lambda game: network_in(name, network, game)), name, make)
        else:
            patterns = LearnedPatterns.parse(name, path)
            read = once(lambda game: patterns_in(name, patterns, game))
            sums = patterns.unit_of_sum, patterns.most_change, patterns.adds_to_own
            _made[key] = derive_pattern_class(cls, read, name, make, patterns.predictions, *sums)
    return _made[key]


def once(read: Callable[[Game], tuple[Any, Any]]) -> Callable[[Game], tuple[Any, Any]]:
    """Wrap a function that reads a file, so that it is called only once for each set of parameters of the game."""
    known = dict[str, tuple[Any, Any]]()

    def found(game: Game) -> tuple[Any, Any]:
        parameters = str(game.parameters())
        if parameters not in known:
            known[parameters] = read(game)
        return known[parameters]

    return found


def reload_class(make: Any, path: str, name: str) -> type[Game]:
    """Return the class when a pickle is loaded in another process, which may find the file only by its full path."""
    cls: type[Game] = make if isinstance(make, type) else make()
    return with_learned(cls, name if path_of_weights(name, cls).resolve() == Path(path) else path)
