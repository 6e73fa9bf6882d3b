"""Games at every kind of level through the session of the screen; `make games` plays more of them, and longer."""

import pytest
from complete_games import play_game

from gamesearch.registry import game_names

pytest.importorskip("textual")

SMALL = {
    "chess": "chess(variant=standard)",
    "connect4": "connect4(rows=5, columns=5)",
    "go": "go(size=5)",
    "gomoku": "gomoku(size=7)",
    "hex": "hex(size=5)",
    "y": "y(size=5)",
    "dotsandboxes": "dotsandboxes(rows=2, columns=3)",
    "checkers": "checkers(size=6)",
    "draughts": "draughts(size=6)",
}
"""Smaller boards, on which a game is played in less time."""
KINDS = ("1", "normal", "10", "best")
"""A level that often plays a worse move, one that sometimes does, one that does so only in the opening, and the one
that has no limit of nodes."""


@pytest.mark.parametrize("level", KINDS)
@pytest.mark.parametrize("name", game_names())
def test_what_is_shown_belongs_to_the_position_at_every_level(name: str, level: str) -> None:
    played = play_game(
        SMALL.get(name, name), level, KINDS.index(level), "interpreted", seconds=0.02, nodes=60, most=12, hints=0.2
    )
    assert played.results
    assert played.texts
