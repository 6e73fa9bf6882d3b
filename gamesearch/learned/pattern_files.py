"""Files of learned patterns: files of weights whose numbers are in one compressed table, in the patterns' order."""

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from gamesearch.errors import GamesearchError, not_written
from gamesearch.files.whole import whole_file
from gamesearch.game import Game
from gamesearch.learned.packed_files import PackedWeights
from gamesearch.learned.patterns import PatternEvaluation, Patterns, patterns_of
from gamesearch.learned.weights_files import LEARNED, number, path_of_weights, refuse_other_game, text_by_parts
from gamesearch.optional import Prediction

__all__ = ["LearnedPatterns", "file_of_patterns", "keep_predictions", "patterns_in"]


@dataclass(frozen=True, kw_only=True)
class LearnedPatterns(PackedWeights):
    """What a file holds."""

    USUAL_UNIT: ClassVar[float] = 2.0**-12
    """Finer than what is learned: fifty weights rounded to it differ by less than 1 % of a win."""

    patterns: tuple[tuple[int, ...], ...]
    """The cells of each pattern."""
    symmetry: str
    things: int
    stages: int
    unit_of_sum: float = 0.0
    """What a sum of weights is multiplied by to be in the unit of the game; 0 where it is a share of a win."""
    adds_to_own: bool = False
    """Whether the sum is added to the game's own estimate."""
    most_change: float = 0.0
    """More than this, in that unit, hardly any move changes the sum."""
    predictions: tuple[Prediction, ...] = ()
    """What `gamesearch bench --probcut` measured of these weights."""

    @classmethod
    def own_fields(cls, data: dict[str, Any]) -> dict[str, Any]:
        """The patterns, from the fields of a file."""
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
            "predictions": tuple(map(checked_prediction, data.get("predictions", ()))),
        }

    def text(self) -> str:
        """The text of the file."""
        named: Any = tuple(each._asdict() for each in self.predictions)
        return text_by_parts(replace(self, predictions=named))


def checked_prediction(found: dict[str, Any]) -> Prediction:
    """A prediction of a file; TypeError or ValueError where it is none."""
    given = Prediction(**found)
    depth, shallow, line = operator.index(given.depth), operator.index(given.shallow), tuple(map(number, given[2:]))
    if not predicts(read := Prediction(depth, shallow, *line)):
        raise ValueError(found)
    return read


def predicts(each: Prediction) -> bool:
    """Whether a prediction is one: a shallower depth tells more of a deeper one the more it finds."""
    is_line = all(map(math.isfinite, each[2:])) and each.slope > 0 and each.deviation >= 0
    return is_line and 1 <= each.shallow < each.depth


def patterns_in(name: str, found: LearnedPatterns, game: Game[Any]) -> tuple[Patterns, Any]:
    """The patterns of a file and their weights; raises GamesearchError where they are not for a game as it is."""
    refuse_other_game(name, found.game, found.parameters, game)
    try:
        patterns = patterns_of(game, found.patterns)
    except GamesearchError as error:
        raise GamesearchError(f"{name} does not fit: {error}") from None
    symmetry = getattr(game, "pattern_symmetry", "")
    if (found.things, found.stages, found.symmetry) != (patterns.things, patterns.stages, symmetry):
        raise GamesearchError(f"{name} was learned by other stages or contents than {found.game} now has: learn anew")
    return patterns, found.weights(name, patterns.size)


def file_of_patterns(game: Game[Any]) -> str:
    """The file of learned patterns that a game was given; raises GamesearchError where it has none of one's own."""
    if not isinstance(game, PatternEvaluation) or game.weights_name == LEARNED:
        raise GamesearchError(
            f"predictions are kept in a file of learned patterns: name one, such as {game.name}(weights=FILE)"
        )
    return game.weights_name


def keep_predictions(game: Game[Any], predictions: Sequence[Prediction]) -> str:
    """Write what was measured of a game's learned patterns into their file; its name.

    What the file has of other depths stays. Raises GamesearchError where the file cannot be written.
    """
    name = file_of_patterns(game)
    path = path_of_weights(name, type(game)).resolve()  # a link goes on pointing to its file
    learned = LearnedPatterns.parsed(name, path)
    kept = {each.depth: each for each in learned.predictions}
    for each in filter(predicts, predictions):
        kept[each.depth] = Prediction(each.depth, each.shallow, *(float(f"{x:.4g}") for x in each[2:]))
    learned = replace(learned, predictions=tuple(kept[depth] for depth in sorted(kept)))
    try:
        with whole_file(path) as file:
            file.write(learned.text().encode())
    except OSError as error:
        raise not_written(path, error) from None
    return name
