"""Complete games at every level, played through the same session as on the full screen."""

import pytest
from complete_games import ALL_LEVELS, play_game

from gamesearch.registry import game_names

pytest.importorskip("textual")

SMALL = {
    "chess": "chess(variant=standard)",
    "connect4": "connect4(rows=5, columns=5)",
    "go": "go(size=4)",
    "othello": "othello(size=6)",
    "gomoku": "gomoku(size=7)",
    "hex": "hex(size=5)",
    "y": "y(size=5)",
    "dotsandboxes": "dotsandboxes(rows=2, columns=3)",
    "checkers": "checkers(size=6)",
    "draughts": "draughts(size=6)",
}
"""Parameters for smaller boards, on which a game takes less time."""
SHORT = {"tictactoe"}
"""A game with few moves; it is played at all levels."""
NAMES = game_names()
GAMES = [
    (name, level)
    for number, name in enumerate(NAMES)
    for place, level in enumerate(ALL_LEVELS)
    if name in SHORT or place == number % len(ALL_LEVELS)
]
"""Pairs of game and level: the short game at every level, and each long game at only one level."""


@pytest.mark.parametrize(("name", "level"), GAMES)
def test_complete_games_show_only_results_of_the_position(name: str, level: str) -> None:
    played = play_game(SMALL.get(name, name), level, 6, "interpreted", seconds=0.02, nodes=60, hints=0.2)
    assert played.session.match.is_over
    assert played.results
    assert played.texts
