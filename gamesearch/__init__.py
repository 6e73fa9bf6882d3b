"""Textbook adversarial search at machine speed.

>>> import gamesearch
>>> game = gamesearch.load("connect4(rows=4, columns=4)")
>>> gamesearch.perft(game, game.initial(), 3)
64
>>> result = gamesearch.search(game, game.parse("1213"), "alphabeta(depth=6)")
>>> game.move_name(game.parse("1213"), result.best)
'2'
>>> result.statistics.nodes < 2000
True
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from gamesearch.algorithms.engine.result import Limits, Monitor, MoveValue, SearchResult, Statistics
    from gamesearch.api import Picture, draw, perft, record, search, searcher, solve
    from gamesearch.errors import GamesearchError
    from gamesearch.game import CHANCE, MAX, MIN, Game
    from gamesearch.registry import game_names, load, specification_of
    from gamesearch.toolkit.boards import Board, Cell
    from gamesearch.toolkit.known import Known

__all__ = [
    "CHANCE", "MAX", "MIN", "Board", "Cell", "Game", "GamesearchError", "Known", "Limits", "Monitor", "MoveValue",
    "Picture", "SearchResult", "Statistics", "draw", "game_names", "load", "perft", "record", "search", "searcher",
    "solve", "specification_of",
]  # fmt: skip

HOMES = {
    "gamesearch.api": ("Picture", "draw", "perft", "record", "search", "searcher", "solve"),
    "gamesearch.errors": ("GamesearchError",),
    "gamesearch.toolkit.boards": ("Board", "Cell"),
    "gamesearch.game": ("CHANCE", "MAX", "MIN", "Game"),
    "gamesearch.toolkit.known": ("Known",),
    "gamesearch.registry": ("game_names", "load", "specification_of"),
    "gamesearch.algorithms.engine.result": ("Limits", "Monitor", "MoveValue", "SearchResult", "Statistics"),
}


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that commands start quickly."""
    if name == "__version__":
        from importlib.metadata import version

        return version("gamesearch")
    for home, names in HOMES.items():
        if name in names:
            value = globals()[name] = getattr(importlib.import_module(home), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
