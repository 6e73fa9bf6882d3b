"""Learned evaluations: their base class, and their names in specifications.

A learned evaluation is part of a subclass of the game's own class. So a game with a learned evaluation can also run
interpreted or compiled.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from gamesearch.game import Game
from gamesearch.learned.weights_files import LEARNED, SUFFIX
from gamesearch.optional import with_another_evaluation
from gamesearch.specification import EVALUATION

__all__ = ["LearnedEvaluation", "derive_class", "evaluation_name", "evaluation_text", "half_range"]


def half_range(game: Game) -> float:
    """Half of the distance between the smallest and the greatest payoff. Bonuses for fast wins do not count."""
    return 1.0 if game.payoffs_tell_how_soon else (game.MAXSCORE - game.MINSCORE) / 2


class LearnedEvaluation(Game):
    """The base class of games with a learned evaluation. The weights are read at run time."""

    learned_attribute: ClassVar[str] = "weights"
    tunable_beside: ClassVar[tuple[str, ...]] = ()
    """The names of attributes that are learned together with the weights."""
    weights_name: str = LEARNED
    """The value of the parameter `weights` in the game's specification."""

    def win_chance(self, estimate: float) -> float | None:
        """Max's chance to win plus half the chance of a draw; None if payoffs do not stand for wins and losses."""
        chance = super().win_chance(estimate)
        if chance is None and self.win_or_loss and not self.unit:
            share = (1 + (estimate - self.draw_value()) / half_range(self)) / 2
            chance = max(0.0, min(1.0, share))
        return chance

    def tuned_attributes(self) -> dict[str, Any]:
        """The attributes that were changed after construction. The attribute `weights` replaces the learned numbers."""
        learned = (self.learned_attribute, *self.tunable_beside)
        found = {name: value for name, value in super().tuned_attributes().items() if name not in learned}
        return found | {"weights": self.weights_name}


def derive_class(
    cls: type[Game],
    evaluation: type[LearnedEvaluation],
    attributes_for: Callable[[Game], Mapping[str, Any]],
    name: str,
    load_class: Callable[[], type] | None,
    facts: Mapping[str, Any],
) -> type[Game]:
    """Return a subclass of a game's class that has another evaluation. `attributes_for` returns the attributes that the
    evaluation reads. `name` is the value of `weights` in the specification. `facts` are additional class attributes."""

    def initialize(self: Any, *values: Any, **parameters: Any) -> None:
        cls.__init__(self, *values, **parameters)
        vars(self).update(attributes_for(self), weights_name=name)

    own = {
        "__init__": initialize,
        "tunable": (*cls.tunable, evaluation.learned_attribute, *evaluation.tunable_beside),
        "load_class": load_class,
    }
    return with_another_evaluation(cls, (evaluation,), own | dict(facts))


MOST_FEATURES = 4


def evaluation_name(game: Game) -> str:
    """A short name for the evaluation of a game: `learned`, `simple`, a file name, or `weights` for weights given as
    numbers."""
    if isinstance(game, LearnedEvaluation):
        return game.weights_name
    tuned = game.tuned_attributes()
    if EVALUATION in tuned:
        return str(tuned[EVALUATION])
    return "weights" if "weights" in tuned else "simple"


def evaluation_text(game: Game) -> str:
    """Describe a game's evaluation. If it is not learned, its first features are named. If the game defines none, the
    text says so."""
    name = evaluation_name(game)
    if not game.has_features and type(game).evaluate is Game.evaluate:
        return f"no evaluation: every estimate is {game.draw_value():g}"
    if name not in ("simple", "weights"):
        is_file = isinstance(game, LearnedEvaluation) and name.endswith(SUFFIX)
        return f"learned weights in {name}" if is_file else "learned weights" if name == LEARNED else name
    features = ", ".join(game.feature_names[:MOST_FEATURES]) + ", ..." * (len(game.feature_names) > MOST_FEATURES)
    kind = "given weights" if name == "weights" else "simple"
    return f"{kind}: {features}" if features else kind
