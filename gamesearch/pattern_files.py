"""Files of learned patterns: files of weights whose numbers are in one compressed table, and the games that they make.

The table has whole numbers of 16 bits, in the order of the patterns' weights, compressed by zlib and written as text by
base64; each weight is such a number times `unit`.
"""

import base64
import binascii
import functools
import hashlib
import json
import math
import zlib
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.patterns import Patterns, derived_by_patterns, patterns_of
from gamesearch.weights_files import VERSION, Beaten, path_of_weights, read_fields, refuse_other_game

__all__ = ["LearnedPatterns", "read_patterns", "with_patterns"]

NUMBER = np.dtype("<i2")
LARGEST_NUMBER = 32767
USUAL_UNIT = 2.0**-12
"""Finer than what is learned: fifty weights rounded to it differ by less than 1 % of a win."""


@dataclass(frozen=True)
class LearnedPatterns:
    """What a file holds."""

    game: str
    parameters: dict[str, Any]
    patterns: tuple[tuple[int, ...], ...]
    """The cells of each pattern."""
    symmetry: str
    things: int
    stages: int
    unit: float
    table: str
    method: str
    games: int
    seed: int
    command: str = ""
    """What learned them."""
    beat: tuple[Beaten, ...] = ()

    def text(self) -> str:
        """The text of the file, a line for each part."""
        parts = {"gamesearch weights": VERSION, **asdict(self)}
        lines = [f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in parts.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def with_table(self, weights: Any) -> "LearnedPatterns":
        """The same with other weights."""
        unit = max(USUAL_UNIT, float(np.abs(weights).max()) / LARGEST_NUMBER)
        numbers = np.round(weights / unit).astype(NUMBER).tobytes()
        return replace(self, unit=unit, table=base64.b64encode(zlib.compress(numbers, 9)).decode())

    def weights(self, name: str, size: int) -> Any:
        """The weights, which are to be so many; raises GamesearchError where they are not."""
        try:
            unpacking, packed = zlib.decompressobj(), base64.b64decode(self.table, validate=True)
            data = unpacking.decompress(packed, NUMBER.itemsize * size + 1)  # and no more, whatever it claims to hold
        except (zlib.error, binascii.Error, ValueError):
            raise GamesearchError(f"{name} is no whole file of weights: its table is damaged") from None
        if len(data) != NUMBER.itemsize * size or not unpacking.eof:
            raise GamesearchError(f"{name} has not the {size:,} weights of its patterns: learn them anew")
        return self.unit * np.frombuffer(data, NUMBER).astype(np.float64)


def parsed(name: str, path: Path) -> LearnedPatterns:
    """The patterns in a file."""
    data = read_fields(name, path)
    try:
        data["patterns"] = tuple(tuple(int(cell) for cell in each) for each in data["patterns"])
        data["parameters"] = dict(data["parameters"])
        data["beat"] = tuple(Beaten(**each) for each in data["beat"])
        data["command"] = str(data["command"])
        for number in ("things", "stages", "games"):
            data[number] = int(data[number])
        found = LearnedPatterns(**{each.name: data[each.name] for each in fields(LearnedPatterns)})
    except (KeyError, TypeError, ValueError, OverflowError):
        raise GamesearchError(f"{name} is no whole file of weights: a part of its header is missing") from None
    if type(found.unit) not in (int, float) or not math.isfinite(found.unit) or not isinstance(found.table, str):
        raise GamesearchError(f"{name} has a unit of {found.unit}, which is no number: learn the weights anew")
    return found


def read_patterns(name: str, game: Game[Any], found: LearnedPatterns) -> tuple[Patterns, Any]:
    """The patterns of a file and their weights; raises GamesearchError where the game now has other cells."""
    patterns = patterns_of(game, found.patterns)
    symmetry = getattr(game, "pattern_symmetry", "")
    if (found.things, found.stages, found.symmetry) != (patterns.things, patterns.stages, symmetry):
        raise GamesearchError(f"{name} was learned by other stages or contents than {found.game} now has: learn anew")
    return patterns, found.weights(name, patterns.size)


_made: dict[tuple[type[Game[Any]], str, str], type[Game[Any]]] = {}
"""The derived classes, by the game's class, the file as it was named, and a digest of the file."""


def with_patterns(cls: type[Game[Any]], name: str) -> type[Game[Any]]:
    """The class of a game with the patterns of a file; one class as long as the file is not changed."""
    path = path_of_weights(name, cls)
    key = cls, name, hashlib.sha256(path.read_bytes()).hexdigest()
    if key not in _made:
        found, known = parsed(name, path), list[tuple[Patterns, Any]]()

        def patterns_for(game: Game[Any]) -> tuple[Patterns, Any]:
            refuse_other_game(name, found.game, found.parameters, game)
            if not known:
                known.append(read_patterns(name, game, found))
            return known[0]

        make = functools.partial(loaded_again, vars(cls).get("load_class") or cls, str(path.resolve()), name)
        _made[key] = derived_by_patterns(cls, patterns_for, name, make)
    return _made[key]


def loaded_again(make: Any, path: str, name: str) -> type[Game[Any]]:
    """The derived class in the process that reads a pickle, where the file may have to be found by its full path."""
    cls: type[Game[Any]] = make if isinstance(make, type) else make()
    return with_patterns(cls, name if path_of_weights(name, cls).resolve() == Path(path) else path)
