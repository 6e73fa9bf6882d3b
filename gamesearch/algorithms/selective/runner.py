"""What a selective search runs with: its parts, at the speed of the search, and the values of the depths before."""

import functools
import math
from collections.abc import Mapping
from typing import Any, Self

from gamesearch.algorithms.parts.records import Held
from gamesearch.algorithms.parts.runner import Runner
from gamesearch.algorithms.selective.probcut import note_predictions
from gamesearch.algorithms.selective.selection import Parts, Selection, Trail
from gamesearch.game import Game
from gamesearch.questions import Exchanging, Selective, Tuned

__all__ = ["SelectiveRunner", "null_step"]

RELATIVE_STEP = 2.0**-50
"""The width of a null window as a part of the range of payoffs; a ply of a win is a thousand times as much."""


class SelectiveRunner(Runner):
    """A runner with the records of a selective search."""

    values: list[float]
    """Of the depths that are finished."""

    def start(self, *given: Any, **options: Any) -> None:
        """Begin a search, which knows of no value."""
        super().start(*given, **options)
        self.values = []

    @functools.cached_property
    def held_parts(self) -> Held:
        """Which parts are on, and what the game predicts."""
        held = Held(Parts, self.speed == "compiled")
        if isinstance(self.game, Tuned):
            note_predictions(held, self.game.predictions())
        held.write(divisor=self.game.reduction_divisor if isinstance(self.game, Tuned) else Tuned.reduction_divisor)
        return held

    @functools.cached_property
    def selection(self) -> Selection:
        """The records in the form of the present speed, and which questions the game answers."""
        answers = 1 if isinstance(self.game, Selective) else None
        exchanges = 1 if isinstance(self.game, Exchanging) else None
        return Selection(self.held_parts.record, Held(Trail, self.speed == "compiled").record, answers, exchanges)

    def interpret(self) -> None:
        """Go on interpreted."""
        asked = {name: self.held_parts.read(name) for name, field in Parts.FIELDS.items() if not field.shape}
        super().interpret()
        for name in ("held_parts", "selection"):
            vars(self).pop(name, None)
        self.held_parts.write(**asked)

    def helper(self) -> Self:
        """One that has the same parts on, and a path of its own."""
        helper = super().helper()
        helper.held_parts = self.held_parts
        return helper

    def switch(self, parts: Mapping[str, float]) -> None:
        """Say which parts are on in the next run."""
        self.held_parts.write(step=null_step(self.game), **parts)


def null_step(game: Game[Any]) -> float:
    """The width of a null window: less than values can differ by, and more than the rounding of the greatest."""
    greatest = max(abs(float(game.MINSCORE)), abs(float(game.MAXSCORE)))
    return max(RELATIVE_STEP * (game.MAXSCORE - game.MINSCORE), 2 * math.ulp(greatest))
