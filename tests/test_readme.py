"""The README is short and complete.

The README's example game runs interpreted and compiled, and learns with the tutorial's features.
"""

import re
from pathlib import Path

import pytest
from write_generated import replace_commands, replace_table

import gamesearch
from gamesearch.cli import run

README = Path(__file__).parents[1] / "README.md"
TEXT = README.read_text(encoding="utf-8")
GAME, ALGORITHM = re.findall(r"^```python[^\n]*\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)
TUTORIAL = README.parent / "docs" / "tutorial" / "your-game.md"
LEARNING_GAME = "\n".join(
    re.findall(r"^```python[^\n]*\n(.*?)^```", TUTORIAL.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mygame.py").write_text(GAME, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_is_short() -> None:
    assert len(TEXT.splitlines()) <= 200
    assert len(GAME.splitlines()) <= 35
    assert len(ALGORITHM.splitlines()) <= 20


def test_the_game_runs_at_both_speeds(folder: Path) -> None:
    game = gamesearch.load(str(folder / "mygame.py"))
    for speed in ("interpreted", "compiled"):
        result = gamesearch.search(game, game.initial(), "alphabeta", speed=speed)
        assert (result.value, result.best, result.distance) == (1, 1, 11)
        assert result.statistics.speed == speed


def test_the_game_of_the_tutorial_learns(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "mygame.py").write_text(LEARNING_GAME, encoding="utf-8")
    command = ["learn", "./mygame.py", "--to", "learned.json", "--games", "40", "--speed", "interpreted"]
    assert run(command) == 0
    assert "a multiple of four left to the opponent" in capsys.readouterr().out
    for name in ("./mygame.py(weights=learned.json)", "./mygame.py(weights=[0.5])"):
        game = gamesearch.load(name)
        assert [cell.text for cell in game.board(game.parse("18,0")).rows[0]] == ["o"] * 18 + ["."] * 3
        assert game.weights[0] > 0  # it is good to leave a multiple of four
        found = gamesearch.search(game, game.initial(), "alphabeta(depth=5)", speed="interpreted")
        assert found.value == game.weights[0]


def test_the_tables_and_the_list_of_commands_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("games", "algorithms"):
        assert run([command, "--markdown"]) == 0
        is_current = replace_table(TEXT, f"{command} --markdown", capsys.readouterr().out) == TEXT
        assert is_current, "run `make generated`"
    assert replace_commands(TEXT) == TEXT, "run `make generated`"


def test_the_games_of_the_table_can_be_typed() -> None:
    typed = re.findall(r"^\| `(\w+\(.+?\))` \|", TEXT, flags=re.MULTILINE)
    assert "go" in {each.partition("(")[0] for each in typed}
    assert [each for each in typed if gamesearch.load(each) != gamesearch.load(each.partition("(")[0])] == []
