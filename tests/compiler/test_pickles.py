"""A pickled game is rebuilt from its class and parameters; it equals the original and keeps assigned attributes."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

from countdown import written
from parted import Parted, at_both_speeds

from gamesearch.game import Game
from gamesearch.registry import load, specification_of

UNPICKLE = """
import pickle, sys
from gamesearch.api import perft, search
from gamesearch.compiler import compilations
started = []
with compilations(started.append, lambda seconds: None):
    game = pickle.loads(sys.stdin.buffer.read())
    result = search(game, game.initial(), sys.argv[1], speed="compiled")
print(len(started), result.statistics.nodes, float(result.value))
"""


def in_another_process(game: Game, algorithm: str) -> tuple[int, int, float]:
    """Return the compilations, nodes and value of a search in another process, which unpickles the game."""
    command = [sys.executable, "-c", UNPICKLE, algorithm]
    done = subprocess.run(command, input=pickle.dumps(game), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    compiled, nodes, value = done.stdout.split()
    return int(compiled), int(nodes), float(value)


def test_games_of_one_class_differ_by_their_parameters() -> None:
    assert load("connect4(rows=5)") == load("connect4(5)") != load("connect4")
    assert load("connect4") != load("tictactoe")


def test_a_game_that_was_used_is_compiled_from_the_cache_in_another_process(tmp_path: Path) -> None:
    game = load(written(tmp_path, "countdown.py") + "(start=8)")
    found = at_both_speeds(game)
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert type(again) is type(game)
    assert in_another_process(game, "minimax") == (0, found["statistics"]["nodes"], found["value"])


def test_assigned_attributes_are_pickled() -> None:
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
