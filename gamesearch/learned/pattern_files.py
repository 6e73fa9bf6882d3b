"""Files of learned patterns: files of weights whose numbers are in one compressed table, in the patterns' order."""

import operator
from dataclasses import dataclass
from typing import Any, ClassVar

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.learned.packed_files import PackedWeights
from gamesearch.learned.patterns import Patterns, patterns_of
from gamesearch.learned.weights_files import refuse_other_game

__all__ = ["LearnedPatterns", "patterns_in"]


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

    @classmethod
    def own_fields(cls, data: dict[str, Any]) -> dict[str, Any]:
        """The patterns, from the fields of a file."""
        patterns = tuple(tuple(map(operator.index, each)) for each in data["patterns"])
        return {"patterns": patterns, "things": int(data["things"]), "stages": int(data["stages"])}


def patterns_in(name: str, found: LearnedPatterns, game: Game[Any]) -> tuple[Patterns, Any]:
    """The patterns of a file and their weights; raises GamesearchError where they are not for a game as it is."""
    refuse_other_game(name, found.game, found.parameters, game)
    patterns = patterns_of(game, found.patterns)
    symmetry = getattr(game, "pattern_symmetry", "")
    if (found.things, found.stages, found.symmetry) != (patterns.things, patterns.stages, symmetry):
        raise GamesearchError(f"{name} was learned by other stages or contents than {found.game} now has: learn anew")
    return patterns, found.weights(name, patterns.size)
