"""Files of learned patterns and networks, which contain 16-bit weights in one compressed table.

Each weight is the product of an integer and the unit of the file. The table is compressed with zlib and encoded in
base64, so the file remains JSON. The header of the file can be read in an editor, and reading the file executes no
code. NumPy's format `.npz` would not make this module shorter, because existing files must remain readable.
"""

import base64
import binascii
import functools
import hashlib
import math
import operator
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from gamesearch.errors import GamesearchError, refuse, write_error
from gamesearch.files.whole import read_regular, refuse_protected, whole_file
from gamesearch.game import Game
from gamesearch.learned.networks import Network, derive_network_class, network_of
from gamesearch.learned.patterns import PatternEvaluation, Patterns, derive_pattern_class, patterns_of
from gamesearch.learned.weights_files import (
    LARGEST,
    LEARNED,
    WeightsFile,
    number,
    path_of_weights,
    read_fields,
    refuse_other_game,
)
from gamesearch.optional import Prediction

__all__ = ["LearnedNetwork", "LearnedPatterns", "file_of_patterns", "keep_predictions", "network_in", "patterns_in"]

NUMBER = np.dtype("<i2")
LARGEST_NUMBER = 32767
LARGEST_UNIT = 1e9
"""The greatest valid unit. With much larger units, sums of weights could exceed the range of floats."""


@dataclass(frozen=True, kw_only=True)
class PackedWeights(WeightsFile):
    """The content of a file with a table of weights. Subclasses add a description of the patterns or of the network."""

    USUAL_UNIT: ClassVar[float] = 2.0**-12
    """The default unit. If a weight does not fit into 16 bits, a larger unit is used. If 50 weights are
    rounded to multiples of 2**-12, their sum changes by less than 1 % of a win."""

    unit: float = 1.0
    table: str = ""
    command: str = ""

    @classmethod
    def parse(cls, name: str, path: Path) -> Self:
        """Parse the content of a file; raises GamesearchError if a part, such as the unit or the table, is invalid."""
        found = super().parse(name, path)
        is_unit = type(found.unit) in (int, float) and 0 < found.unit <= LARGEST_UNIT
        refuse(
            (not is_unit, f"{name} has an invalid unit of weights, {found.unit}: learn again"),
            (not isinstance(found.table, str), f"{name} is damaged: its table cannot be read"),
        )
        return found

    @classmethod
    def own_fields(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Parse the command and the number of games."""
        return {"command": str(data["command"]), "games": int(data["games"])}

    def with_table(self, weights: Any) -> Self:
        """A copy of this object with other weights."""
        unit = max(self.USUAL_UNIT, float(np.abs(weights).max()) / LARGEST_NUMBER)
        numbers = np.round(weights / unit).astype(NUMBER).tobytes()
        return replace(self, unit=unit, table=base64.b64encode(zlib.compress(numbers, 9)).decode())

    def weights(self, name: str, size: int) -> Any:
        """The weights; raises GamesearchError if their number is not `size`."""
        try:
            unpacking, packed = zlib.decompressobj(), base64.b64decode(self.table, validate=True)
            data = unpacking.decompress(packed, NUMBER.itemsize * size + 1)  # a limit, in case the table is damaged
        except (zlib.error, binascii.Error, ValueError):
            raise GamesearchError(f"{name} is damaged: its table cannot be read") from None
        if len(data) != NUMBER.itemsize * size or not unpacking.eof:
            raise GamesearchError(f"{name} does not have the {size:,} weights that it needs: learn again")
        return self.unit * np.frombuffer(data, NUMBER).astype(np.float64)


@dataclass(frozen=True, kw_only=True)
class LearnedNetwork(PackedWeights):
    """The content of a file with a learned network."""

    USUAL_UNIT = 2.0**-20
    """Weights up to 1/32 fit into 16 bits if they are multiples of this unit."""

    network: dict[str, Any]
    """The numbers of inputs, of hidden units and of views (by default 1), and the possible payoffs."""

    @classmethod
    def own_fields(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Parse the size of the network."""
        network = {"views": 1, **data["network"]}
        sizes = {name: operator.index(network[name]) for name in ("inputs", "hidden", "views")}
        network = {**sizes, "payoffs": tuple(map(float, network["payoffs"]))}
        return super().own_fields(data) | {"network": network}


def network_in(name: str, found: LearnedNetwork, game: Game) -> tuple[Network, Any]:
    """Return the network that a file describes, and its weights. Raises GamesearchError if the network does not fit the
    game."""
    refuse_other_game(name, found.game, found.parameters, game)
    try:
        network = network_of(game, found.network["hidden"])
    except GamesearchError as error:
        raise GamesearchError(f"{name} does not fit: {error}") from None
    if (found.network["inputs"], found.network["payoffs"]) != (network.inputs, network.payoffs):
        raise GamesearchError(
            f"{name} does not fit, because the inputs or payoffs of {found.game} have changed: learn again"
        )
    if found.network["views"] not in (1, network.views):
        raise GamesearchError(
            f"{name} was learned with `views = {found.network['views']}`, but {found.game} has `views = "
            f"{network.views}`: learn again"
        )
    network = replace(network, views=found.network["views"])
    return network, found.weights(name, network.size)


@dataclass(frozen=True, kw_only=True)
class LearnedPatterns(PackedWeights):
    """The content of a file with learned patterns."""

    patterns: tuple[tuple[int, ...], ...]
    symmetry: str
    things: int
    stages: int
    unit_of_sum: float = 0.0
    """The factor that converts a sum of weights to the unit of the game. If the factor is 0, the estimate is tanh of
    the sum, where 1 is a certain win."""
    adds_to_own: bool = False
    most_change: float = 0.0
    """Few moves change the evaluation by more than this number (in the unit of the game)."""
    predictions: tuple[Prediction, ...] = ()
    """The predictions for ProbCut that `gamesearch bench --probcut` measured with these weights."""

    @classmethod
    def own_fields(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Parse the patterns."""
        scales = {name: number(data.get(name, 0.0)) for name in ("unit_of_sum", "most_change")}
        if not all(0 <= each < math.inf for each in scales.values()):
            raise ValueError(scales)
        adds_to_own = data.get("adds_to_own", False)
        if type(adds_to_own) is not bool or (adds_to_own and not scales["unit_of_sum"]):
            raise ValueError(adds_to_own)
        return super().own_fields(data) | {
            "patterns": tuple(tuple(map(operator.index, each)) for each in data["patterns"]),
            "things": int(data["things"]),
            "stages": int(data["stages"]),
            **scales,
            "adds_to_own": adds_to_own,
            "predictions": tuple(map(parse_prediction, data.get("predictions", ()))),
        }

    def text(self) -> str:
        """The text of the file."""
        named: Any = tuple(each._asdict() for each in self.predictions)
        return super(LearnedPatterns, replace(self, predictions=named)).text()


def parse_prediction(found: dict[str, Any]) -> Prediction:
    """Parse a prediction; raises TypeError or ValueError if it is invalid."""
    given = Prediction(**found)
    depth, shallow, line = operator.index(given.depth), operator.index(given.shallow), tuple(map(number, given[2:]))
    if not predicts(read := Prediction(depth, shallow, *line)):
        raise ValueError(found)
    return read


def predicts(each: Prediction) -> bool:
    """Whether a prediction is valid: it predicts a deep search from a shallower search, and its slope is positive."""
    is_line = all(map(math.isfinite, each[2:])) and each.slope > 0 and each.deviation >= 0
    return is_line and 1 <= each.shallow < each.depth


def patterns_in(name: str, found: LearnedPatterns, game: Game) -> tuple[Patterns, Any]:
    """Return the patterns that a file describes, and their weights. Raises GamesearchError if the patterns do not fit
    the game."""
    refuse_other_game(name, found.game, found.parameters, game)
    try:
        patterns = patterns_of(game, found.patterns)
    except GamesearchError as error:
        raise GamesearchError(f"{name} does not fit: {error}") from None
    symmetry = getattr(game, "pattern_symmetry", "")
    if (found.things, found.stages, found.symmetry) != (patterns.things, patterns.stages, symmetry):
        raise GamesearchError(
            f"{name} does not fit, because the stages or contents of {found.game} have changed: learn again"
        )
    return patterns, found.weights(name, patterns.size)


def file_of_patterns(game: Game) -> str:
    """The name of the user's file of learned patterns; raises GamesearchError if the game has no such file, or if the
    file is write-protected."""
    if not isinstance(game, PatternEvaluation) or game.weights_name == LEARNED:
        raise GamesearchError(
            f"predictions are stored in a file of learned patterns: name this file, as in {game.name}(weights=FILE)"
        )
    refuse_protected(path_of_weights(game.weights_name, type(game)))
    return game.weights_name


def keep_predictions(game: Game, predictions: Sequence[Prediction]) -> str:
    """Write the predictions of a game's learned patterns into their file, and return its name. Predictions for other
    depths remain in the file. Raises GamesearchError if the file cannot be written."""
    name = file_of_patterns(game)
    path = path_of_weights(name, type(game))
    learned = LearnedPatterns.parse(name, path)
    kept = {each.depth: each for each in learned.predictions}
    for each in filter(predicts, predictions):
        kept[each.depth] = Prediction(each.depth, each.shallow, *(float(f"{x:.4g}") for x in each[2:]))
    learned = replace(learned, predictions=tuple(kept[depth] for depth in sorted(kept)))
    try:
        with whole_file(path) as file:
            file.write(learned.text().encode())
    except OSError as error:
        raise write_error(path, error) from None
    return name


# The classes of games that use the weights of a file. ------------------------------------------------
_classes: dict[tuple[type[Game], str, str], type[Game]] = {}
"""The classes that were made so far. Each key consists of the game's class, the file name that the user gave, and a
digest of the file."""


def with_learned(cls: type[Game], name: str) -> type[Game]:
    """Derive a class from a game's class. The new class uses the learned evaluation in a file. Until the file changes,
    the same class is returned."""
    path = path_of_weights(name, cls)
    key = cls, name, hashlib.sha256(read_regular(path, LARGEST)).hexdigest()
    if key not in _classes:
        make = functools.partial(reload_class, vars(cls).get("load_class") or cls, str(path.resolve()), name)
        if "network" in read_fields(name, path):
            network = LearnedNetwork.parse(name, path)
            _classes[key] = derive_network_class(
                cls, cache_by_parameters(lambda game: network_in(name, network, game)), name, make
            )
        else:
            patterns = LearnedPatterns.parse(name, path)
            read = cache_by_parameters(lambda game: patterns_in(name, patterns, game))
            sums = patterns.unit_of_sum, patterns.most_change, patterns.adds_to_own
            _classes[key] = derive_pattern_class(cls, read, name, make, patterns.predictions, *sums)
    return _classes[key]


def cache_by_parameters(read: Callable[[Game], tuple[Any, Any]]) -> Callable[[Game], tuple[Any, Any]]:
    """Wrap a function that reads a file, so that it is called only once for each set of parameters of the game."""
    known = dict[str, tuple[Any, Any]]()

    def read_once(game: Game) -> tuple[Any, Any]:
        parameters = str(game.parameters())
        if parameters not in known:
            known[parameters] = read(game)
        return known[parameters]

    return read_once


def reload_class(make: Any, path: str, name: str) -> type[Game]:
    """Unpickle a game's class in another process. If the name means another file there, use the full path."""
    cls: type[Game] = make if isinstance(make, type) else make()
    return with_learned(cls, name if path_of_weights(name, cls).resolve() == Path(path) else path)
