"""The parts of a selective search that are switched on and off: what each decides, and where it can matter."""

from collections.abc import Mapping
from typing import Any

from gamesearch.game import Game
from gamesearch.questions import Selective, Tuned

__all__ = ["AUTO", "PARTS", "can_matter"]

AUTO = "auto"
PARTS: Mapping[str, str] = {
    "quiescence": "whether only forcing moves are searched beyond the horizon, before a position is estimated",
    "null_move": "whether passing is tried first, in games that say that passing is never an advantage",
    "reductions": "whether late moves are searched less deep at first",
    "futility": "whether moves next to the horizon are left out that cannot gain enough, as the game says",
    "extensions": "whether forced moves and replies to threats are not counted",
    "internal": "whether nodes of which the table knows no move are searched a ply less deep",
    "aspiration": "whether the root is first searched with a window around the value of the depth before",
    "probcut": "whether a shallow search may predict the value to the full depth, in games that say with what error",
    "deeper": "whether what the table knows of greater depths is used, too",
}
"""The parts that are switched on and off, and what each decides."""


def can_matter(part: str, game: Game[Any]) -> bool:
    """Whether a part may change anything in a game: some ask what the game has no answer to."""
    if part == "probcut":
        return isinstance(game, Tuned) and bool(game.predictions())
    if part in ("null_move", "futility"):
        return isinstance(game, Selective) and (part == "futility" or game.passing_never_helps)
    if part == "quiescence":
        knows_threats = isinstance(game, Selective) and type(game).is_threatened is not Selective.is_threatened
        return game.tells_kinds or knows_threats
    return True
