"""Files of learned patterns: files of weights whose numbers are in one compressed table, in the patterns' order."""

import operator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.learned.patterns import Patterns, patterns_of
from gamesearch.learned.weights_files import Beaten, read_fields, refuse_other_game, text_by_parts
from gamesearch.learned.weights_table import packed_weights, refuse_no_unit, unpacked_weights

__all__ = ["LearnedPatterns", "parsed_patterns", "patterns_in"]

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
        return text_by_parts(self)

    def with_table(self, weights: Any) -> "LearnedPatterns":
        """The same with other weights."""
        unit, table = packed_weights(weights, USUAL_UNIT)
        return replace(self, unit=unit, table=table)

    def weights(self, name: str, size: int) -> Any:
        """The weights, which are to be so many; raises GamesearchError where they are not."""
        return unpacked_weights(name, self.unit, self.table, size)


def parsed_patterns(name: str, path: Path) -> LearnedPatterns:
    """The patterns in a file."""
    data = read_fields(name, path)
    try:
        data["patterns"] = tuple(tuple(map(operator.index, each)) for each in data["patterns"])
        data["parameters"] = dict(data["parameters"])
        data["beat"] = tuple(Beaten(**each) for each in data["beat"])
        data["command"] = str(data["command"])
        for number in ("things", "stages", "games"):
            data[number] = int(data[number])
        found = LearnedPatterns(**{each.name: data[each.name] for each in fields(LearnedPatterns)})
    except (KeyError, TypeError, ValueError, OverflowError):
        raise GamesearchError(f"{name} is no whole file of weights: a part of its header is missing") from None
    refuse_no_unit(name, found.unit, found.table)
    return found


def patterns_in(name: str, found: LearnedPatterns, game: Game[Any]) -> tuple[Patterns, Any]:
    """The patterns of a file and their weights; raises GamesearchError where they are not for a game as it is."""
    refuse_other_game(name, found.game, found.parameters, game)
    patterns = patterns_of(game, found.patterns)
    symmetry = getattr(game, "pattern_symmetry", "")
    if (found.things, found.stages, found.symmetry) != (patterns.things, patterns.stages, symmetry):
        raise GamesearchError(f"{name} was learned by other stages or contents than {found.game} now has: learn anew")
    return patterns, found.weights(name, patterns.size)
