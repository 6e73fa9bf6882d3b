"""What is said of the mistakes that are easily made in a game of one's own."""

from pathlib import Path

import pytest

from gamesearch.errors import GamesearchError
from gamesearch.registry import load

GAME = """
from typing import NamedTuple
from gamesearch import Game


class Position(NamedTuple):
    stones: int
    turn: int


class Take(Game):
    def initial(self):
        return Position(7, 0)

    def player(self, s):
        return s.turn

    def moves(self, s):
        for take in range(1, min(3, s.stones) + 1):
            yield take

    def result(self, s, take):
        return Position(s.stones - take, 1 - s.turn)

    def terminal(self, s):
        return s.stones == 0

    def utility(self, s):
        return 1 if s.turn == 1 else -1
"""


def test_right_rules_pass(tmp_path: Path) -> None:
    (tmp_path / "take.py").write_text(GAME)
    assert load(str(tmp_path / "take.py")).initial() == (7, 0)


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("def moves", "def move", "no method moves: did you mean move"),
        ("1 - s.turn", "s.turn + 1", "player of Take gives 2"),
        ("return s.stones == 0", "return False", "no move in 0,"),
        ("return 1 if s.turn == 1 else -1", "pass", "utility of Take gives None, not a number"),
        ("return 1 if s.turn == 1 else -1", "return 4", "beyond -1 to 1: set MINSCORE and MAXSCORE"),
        ("return 1 if s.turn == 1 else -1", "return 0.5", "set win_or_loss = False"),
        ("yield take", "yield str(take)", "moves are whole numbers"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    assert right in GAME
    (tmp_path / "take.py").write_text(GAME.replace(right, wrong))
    with pytest.raises(GamesearchError, match=said):
        load(str(tmp_path / "take.py"))


def test_a_position_is_the_turn_of_a_player(tmp_path: Path) -> None:
    (tmp_path / "take.py").write_text(GAME)
    game = load(str(tmp_path / "take.py"))
    assert game.parse("5,1") == (5, 1)
    with pytest.raises(GamesearchError, match="the turn of player 5: players are 0 to 1"):
        game.parse("5,5")
