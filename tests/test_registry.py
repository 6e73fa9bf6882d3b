import subprocess
import sys
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gamesearch import registry
from gamesearch.errors import GamesearchError
from gamesearch.games.connecting.tictactoe import TicTacToe
from gamesearch.registry import game_class, game_names, load, specification_of

SOURCE = """
from gamesearch import Game

class Base(Game):
    def initial(self):
        return (2,)

    def player(self, s):
        return s[0] % 2

    def moves(self, s):
        yield 1

    def result(self, s, m):
        return (s[0] - m,)

    def terminal(self, s):
        return s[0] == 0

    def utility(self, s):
        return 0

class {name}(Base):
    def __init__(self, rows: int = 3):
        self.rows = rows
"""


def test_games_are_found_by_their_files() -> None:
    assert {"chess", "connect4", "tree"} <= set(game_names())
    assert not any(name.startswith("_") for name in game_names())
    for name in game_names():
        assert game_class(name).name == name


def test_names_are_found_without_importing_a_game() -> None:
    code = (
        "import sys; from gamesearch.registry import game_names; game_names(); "
        "print([name for name in sys.modules if name.startswith('gamesearch.games.')])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("conect4", "there is no game 'conect4': did you mean connect4?"),
        ("zzz", "the choices are "),
        ("tictactoe(rows=3)", "it has none"),
        ("tictactoe(3)", "has 0 parameters, but 1 value was given"),
        ("nowhere.py", "there is no file nowhere.py"),
        ("", "not of the form"),
        ("nim(weights=[1])", "nim has no parameter 'weights'"),
        ("tictactoe(weights=[1])", "tictactoe has no features to weigh"),
        ("mygame", "there is no game 'mygame': did you mean ./mygame.py?"),
        ("tr.json", "neither a game nor a file has the name 'tr.json'"),
        (".", ". is a folder, not a game: give"),
        ("README.md", "README.md is not a game: give the name of a game or a Python file (.py) that defines a game"),
        ("nowhere.svg", "neither a game nor a file has the name 'nowhere.svg'"),
    ],
)
def test_missing_games_and_wrong_parameters_are_refused_with_a_hint(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("mygame.py", "README.md"):
        (tmp_path / name).touch()
    with pytest.raises(GamesearchError) as caught:
        load(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_several_numbers_are_the_list_that_a_game_needs() -> None:
    assert load("nim(3,4,5)").parameters() == load("nim(3-4-5)").parameters()
    assert load("nim(3, true)").parameters()["misere"] is True


def test_the_text_of_a_tree_is_its_specification() -> None:
    for text in ("[[3,12,8],[2,4,6],[14,5,2]]", "{1/2: 8, 1/2: 24}", "max[1,min[2,3]]", "min[1,2]"):
        game = load(text)
        assert game.name == "tree"
        assert specification_of(load(specification_of(game))) == specification_of(game)


@pytest.mark.parametrize("folder", ["with space", ".pyenv", "a.py.d", "old (1)"])
def test_a_file_is_loaded_from_any_folder(tmp_path: Path, folder: str) -> None:
    path = tmp_path / folder / "mygame.py"
    path.parent.mkdir()
    path.write_text(SOURCE.format(name="MyGame"))
    game: Any = load(str(path))
    assert (type(game).__name__, game.rows) == ("MyGame", 3)
    again: Any = load(f"{path}(rows=5)")
    assert (type(again), again.rows) == (type(game), 5)
    assert load(specification_of(again)).parameters() == {"rows": 5}
    assert specification_of(again) == f"{path}(rows=5)"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1", "does not define a game"),
        ("import nothing_of_that_name", "cannot be loaded: ModuleNotFoundError"),
        ("from gamesearch.questions import Levels", "import gamesearch.optional instead"),
        ("def broken(:", "cannot be loaded: SyntaxError"),
        (SOURCE.format(name="One") + "\nclass Two(Base):\n    pass\n", "defines several games"),
        ("from gamesearch.games.counting.nim import Nim", "does not define a game"),
    ],
)
def test_a_file_without_a_game_is_refused(tmp_path: Path, source: str, message: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(source)
    with pytest.raises(GamesearchError, match=message) as caught:
        load(str(path))
    assert "\n" not in str(caught.value)


def test_other_packages_can_provide_games(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = SimpleNamespace(name="noughts", load=lambda: TicTacToe)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [entry] if group == registry.ENTRY_POINTS else [])
    game_names.cache_clear()
    registry._installed_class.cache_clear()
    try:
        assert "noughts" in game_names()
        assert isinstance(load("noughts"), TicTacToe)
    finally:
        monkeypatch.undo()
        game_names.cache_clear()
        registry._installed_class.cache_clear()
