"""A pickled game is rebuilt from its class and parameters; it equals the original and keeps assigned attributes."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

from countdown import write_game
from parted import Parted, leaves_at_both_speeds

from gamesearch.game import Game
from gamesearch.registry import load, specification_of

UNPICKLE = """
import pickle, sys
from gamesearch.api import perft
from gamesearch.compiler import compilations
started = []
with compilations(started.append, lambda seconds: None):
    game = pickle.loads(sys.stdin.buffer.read())
    print(perft(game, game.initial(), 3, speed="compiled"), len(started))
"""


def test_games_of_one_class_differ_by_their_parameters() -> None:
    assert load("connect4(rows=5)") == load("connect4(5)") != load("connect4")
    assert load("connect4") != load("tictactoe")


def test_a_game_that_was_used_is_compiled_from_the_cache_in_another_process(tmp_path: Path) -> None:
    game = load(write_game(tmp_path, "countdown.py") + "(start=8)")
    leaves = leaves_at_both_speeds(game)
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert type(again) is type(game)
    command = [sys.executable, "-c", UNPICKLE]
    done = subprocess.run(command, input=pickle.dumps(game), capture_output=True, check=False)
    assert done.stdout.decode() == f"{leaves} 0\n", done.stderr.decode()


def test_assigned_weights_are_pickled() -> None:
    othello = load("othello(size=4)")
    othello.weights = (1.0, 2.0, 3.0, 4.0)
    again = pickle.loads(pickle.dumps(othello))
    assert again == othello
    assert specification_of(again) == specification_of(othello) == "othello(size=4, weights=[1.0, 2.0, 3.0, 4.0])"


def test_pickles_contain_assigned_attributes() -> None:
    game: Any = Parted()
    game.rules, game.levels = {"a": [1, 2.5]}, [3, (4, "x")]
    again = pickle.loads(pickle.dumps(game))
    assert (again.rules, again.levels) == (game.rules, game.levels)
    assert again == game
    again.levels.append(1)
    assert again != game
    game.rules["nan"] = float("nan")
    assert pickle.loads(pickle.dumps(game)) == game


class Steep(Game[int]):
    """A game whose parameter has the same name as a method of all games."""

    def __init__(self, steps: int = 5) -> None:
        self.height = steps


def test_a_method_with_the_name_of_a_parameter_is_not_taken_for_its_value() -> None:
    assert Steep(7).parameters() == {}
    assert copy.copy(Steep(7)).height == 7
