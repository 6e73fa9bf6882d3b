"""Files of learned weights. They are JSON, and contain a header and numbers. Reading a file executes no code.

The header contains the game and its parameters, the feature of each weight, how the weights were learned, and the
scores of matches with these weights. `othello(weights=FILE)` plays with the weights in a file.
"""

import json
import math
import re
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

from gamesearch.errors import GamesearchError
from gamesearch.files.whole import read_json
from gamesearch.game import Game
from gamesearch.optional import LearnableGame

__all__ = [
    "LARGEST", "LEARNED", "SUFFIX", "UNFINISHED", "VERSION", "LearnedWeights", "MatchScore", "WeightsFile",
    "accepted_names", "is_weights_file", "makes_a_class", "name_of_feature", "names_of_features", "number",
    "path_of_weights", "read_fields", "read_weights", "refuse_other_game",
]  # fmt: skip

SUFFIX = ".json"
UNFINISHED = ".unfinished"  # the suffix of files that contain the state of an unfinished run of learning
LEARNED = "learned"
VERSION = 1
MAKE_ONE = "`gamesearch learn GAME --to FILE` makes a file of weights"
CONFIDENCE = 1.96  # the half-width of a 95 % confidence interval in standard deviations
LARGEST = 50_000_000  # the size limit of a file of weights in bytes


@dataclass(frozen=True)
class MatchScore:
    """The result of a match in which one player used the weights."""

    opponent: str  # the opponent in the match, such as `the weights before` or `random`
    games: int
    points: float  # the points: 1 for each win, and 1/2 for each draw

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the fraction of points (E. B. Wilson 1927)."""
        share, spread = self.points / self.games, CONFIDENCE**2 / self.games
        middle = (share + spread / 2) / (1 + spread)
        half = math.sqrt(share * (1 - share) * spread + spread**2 / 4) / (1 + spread)
        return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, kw_only=True)
class WeightsFile:
    """The content of a file of weights. Subclasses add the weights, and the features or patterns to which the weights
    belong."""

    game: str
    parameters: dict[str, Any]
    method: str
    games: int
    seed: int
    beat: tuple[MatchScore, ...] = ()

    @classmethod
    def own_fields(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Parse the fields that only this kind of file has. Raises KeyError, TypeError or ValueError if a field is
        wrong."""
        raise NotImplementedError

    @classmethod
    def parse(cls, name: str, path: Path) -> Self:
        """Parse the content of a file of weights. Raises GamesearchError if the file is damaged or contains no
        weights."""
        data = read_fields(name, path)
        try:
            beat = tuple(MatchScore(**each) for each in data["beat"])
            data |= {"parameters": dict(data["parameters"]), "beat": beat} | cls.own_fields(data)
            return cls(**{each.name: data[each.name] for each in fields(cls)})
        except (KeyError, TypeError, ValueError, OverflowError):
            raise GamesearchError(f"{name} is damaged: a part of its header is missing") from None

    def text(self) -> str:
        """The text of the file, with one line for each field."""
        parts = {"gamesearch weights": VERSION, **asdict(self)}
        lines = [f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in parts.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"


@dataclass(frozen=True, kw_only=True)
class LearnedWeights(WeightsFile):
    """The content of a file of feature weights."""

    features: tuple[str, ...]
    weights: tuple[float, ...]

    @classmethod
    def own_fields(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Parse the features and their weights."""
        return {"features": tuple(map(str, data["features"])), "weights": tuple(map(number, data["weights"]))}


FORMER_NAMES = {
    "own rows that lack one stone": "rows lacking one: the mover's",
    "opponent's rows that lack one stone": "rows lacking one: the other's",
    "own open threes": "open threes: the mover's",
    "opponent's open threes": "open threes: the other's",
    "own rows that lack two stones": "rows lacking two: the mover's",
    "opponent's rows that lack two stones": "rows lacking two: the other's",
    "own rows that lack three stones": "rows lacking three: the mover's",
    "opponent's rows that lack three stones": "rows lacking three: the other's",
    "moves that give an extra turn": "moves that give a turn more",
    "elapsed seconds": "seconds gone by",
    "lower bound on the remaining seconds": "seconds still needed at least",
    "checkers in the home board": "checkers in the own home board",
    "checkers in the outer board": "checkers in the own outer board",
    "checkers in the opponent's outer board": "checkers in the other's outer board",
    "checkers in the opponent's home board": "checkers in the other's home board",
}
"""For each renamed feature, its former name."""


def names_of_features(game: Game) -> tuple[str, ...]:
    """The name of each feature. A feature without a name has a number instead, counted from 1."""
    return tuple(name_of_feature(game, number) for number in range(len(game.weights)))


def name_of_feature(game: Game, number: int) -> str:
    """The name of a feature; if it has none, the word "feature" and its number, counted from 1."""
    return game.feature_names[number] if number < len(game.feature_names) else f"feature {number + 1}"


def accepted_names(game: Game, number: int) -> set[str]:
    """The names of a feature in files of all versions. Old files call pieces "men", and number unnamed features from
    0."""
    name = name_of_feature(game, number)
    names = {name, FORMER_NAMES.get(name, name)}
    return names | {re.sub("pieces|checkers", "men", each) for each in names} | {str(number)}


def is_weights_file(value: Any) -> bool:
    """Whether the value of `weights` is a file name."""
    name = value.strip() if isinstance(value, str) else ""
    return name == LEARNED or (name.endswith(SUFFIX) and not name.startswith(("[", "(")))


def read_weights(name: str, game: Game) -> tuple[float, ...]:
    """The weights in a file; raises GamesearchError if they do not fit the game or are not numbers."""
    name = name.strip()
    found = LearnedWeights.parse(name, path_of_weights(name, type(game)))
    refuse_other_game(name, found.game, found.parameters, game)
    is_named = [name in accepted_names(game, number) for number, name in enumerate(found.features)]
    if not all(is_named) or not len(found.features) == len(found.weights) == len(game.weights):
        needed = ", ".join(names_of_features(game))
        raise GamesearchError(f"{name} must have a weight for each feature of {found.game} ({needed}): learn again")
    for feature, weight in zip(found.features, found.weights, strict=True):
        if not math.isfinite(weight):
            raise GamesearchError(f"the weight of {feature} in {name} is {weight}, not a number: learn again")
    return found.weights


def refuse_other_game(name: str, own: str, parameters: dict[str, Any], game: Game) -> None:
    """Raise GamesearchError if the weights of a file were learned for another game or for other parameters."""
    if Path(own).stem != Path(type(game).name).stem:
        raise GamesearchError(f"{name} contains weights of {own}, not of {type(game).name}")
    needed = game.learned_parameters() if isinstance(game, LearnableGame) else game.parameters()
    if parameters != json.loads(json.dumps(needed)):
        inside = ", ".join(f"{key}={value}" for key, value in parameters.items())
        raise GamesearchError(f"{name} contains weights of {own}({inside}): use the game with these parameters")


def makes_a_class(name: str, cls: type[Game]) -> bool:
    """Whether a file of weights contains patterns or a network. Raises GamesearchError if the file contains no
    weights."""
    return not {"patterns", "network"}.isdisjoint(read_fields(name, path_of_weights(name, cls)))


def path_of_weights(name: str, game: type[Game]) -> Path:
    """The path of a file of weights. The name `learned` means the file that comes with gamesearch."""
    name = name.strip()
    if name != LEARNED:
        return Path(name).expanduser()
    path = Path(__file__).parent / "shipped" / f"{Path(game.name).stem}{SUFFIX}"
    if not path.is_file():
        raise GamesearchError(
            f"no weights of {game.name} come with gamesearch: learn weights with `gamesearch learn "
            f"{game.name} --to FILE`"
        )
    return path


def read_fields(name: str, path: Path) -> dict[str, Any]:
    """Read the fields of a file; raises GamesearchError unless the file is complete and has the current format."""
    if not path.is_file():
        if path.with_name(path.name + UNFINISHED).is_file():
            raise GamesearchError(
                f"{name} is not finished: repeat the command that began it, which continues from {name}{UNFINISHED}"
            )
        raise GamesearchError(f"there is no file {name}: {MAKE_ONE}")
    data = read_json(name, path, LARGEST, "weights", VERSION, MAKE_ONE)
    if not isinstance(data.get("game"), str):
        raise GamesearchError(f"{name} is damaged: the game in its header is missing")
    return data


def number(value: Any) -> float:
    """Parse a number; raises ValueError for anything else."""
    if type(value) not in (int, float):
        raise ValueError(value)
    return float(value)
