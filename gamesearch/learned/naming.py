"""Names for the evaluation that a game has: the game's own, or a learned one."""

from typing import Any

from gamesearch.game import Game
from gamesearch.learned.evaluation import LearnedEvaluation
from gamesearch.learned.weights_files import LEARNED
from gamesearch.specification import EVALUATION

__all__ = ["evaluation_name", "evaluation_text"]

MOST_FEATURES = 4
"""How many features of an evaluation are named."""


def evaluation_name(game: Game[Any]) -> str:
    """A name for the evaluation of a game: `learned`, `simple`, `weights` if they were given, or the name of a file."""
    if isinstance(game, LearnedEvaluation):
        return game.weights_name
    tuned = game.tuned()
    if EVALUATION in tuned:
        return str(tuned[EVALUATION])
    return "weights" if "weights" in tuned else "simple"


def evaluation_text(game: Game[Any]) -> str:
    """The evaluation of a game in words for people, with the features of a simple one."""
    name = evaluation_name(game)
    if name not in ("simple", "weights"):
        is_file = isinstance(game, LearnedEvaluation) and name != LEARNED
        return f"learned weights in {name}" if is_file else "learned weights" if name == LEARNED else name
    features = ", ".join(game.feature_names[:MOST_FEATURES]) + ", ..." * (len(game.feature_names) > MOST_FEATURES)
    kind = "given weights" if name == "weights" else "simple"
    return f"{kind}: {features}" if features else kind
