"""`gamesearch games` and `gamesearch algorithms`."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Cli

from gamesearch.algorithms.catalog import all_algorithms, load_algorithm
from gamesearch.errors import GamesearchError
from gamesearch.registry import game_class, game_names, load

OWN_GAME = '''
"""A game in a file."""
from gamesearch.game import Game

class Own(Game):
    """One move, and it is over.

    `stakes` is what the move pays.
    """
    notation = "0 or 1"

    def __init__(self, stakes: int = 1) -> None:
        self.stakes = stakes
    def initial(self): return (0,)
    def player(self, s): return 0
    def moves(self, s): yield 0
    def result(self, s, m): return (1,)
    def terminal(self, s): return s[0] == 1
    def utility(self, s): return 1
'''


def test_every_game_is_listed_with_its_summary(cli: Cli) -> None:
    listed = {each["name"]: each["summary"] for each in cli.data("games")}
    assert set(listed) == set(game_names())
    assert listed["tictactoe"] == "Three in a row on a board of nine squares; X is Max and begins"
    assert all(listed.values())
    text = cli.output("games")
    assert all(f"{name}  " in text for name in listed)


@pytest.mark.parametrize("name", game_names())
def test_a_game_is_described(name: str, cli: Cli) -> None:
    text = cli.output("games", name)
    assert "\nnotation" in text
    assert "\nexample" in text
    described = cli.data("games", name)
    assert described["name"] == name
    assert type(load(described["game"])) is type(load(name))
    examples = [shlex.split(line) for line in text.splitlines() if line.startswith("  gamesearch analyze ")]
    game, position = examples[0][2:4]
    load(game).setup(position)


def test_parameters_that_differ_are_shown(cli: Cli) -> None:
    text = cli.output("games connect4(rows=5)")
    assert text.startswith("connect4(rows=5, columns=7, connect=4): Get four in a line")
    assert "  rows     whole number  5 here (default 6)\n  columns  whole number  7\n" in text
    assert '  gamesearch play "connect4(rows=5, columns=7, connect=4)"\n' in text


def test_a_game_in_a_file(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(OWN_GAME)
    text = cli.output("games", path)
    assert "One move, and it is over" in text
    assert "`stakes` is what the move pays." in text
    assert "  stakes  whole number  1" in text


def test_a_game_without_a_notation_of_its_own(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(OWN_GAME.replace('    notation = "0 or 1"\n', ""))
    text = cli.output("games", path)
    assert "\nnotation" not in text
    assert "example  0\n" in text
    for position in ("x", "1,2"):
        said = cli.run("analyze", path, position, code=2).err
        assert said.endswith(f"{path} does not define a notation for positions: write a position like 0\n")
    path.write_text(path.read_text().replace("return (0,)", "return ('a',)"))
    assert subprocess.run(
        [sys.executable, "-m", "gamesearch", "analyze", str(path), "b"], check=False, capture_output=True, text=True
    ).stderr.endswith(f"{path} has no method `parse` to read positions\n")


def test_algorithms(cli: Cli) -> None:
    listed = cli.data("algorithms")
    assert [each["name"] for each in listed] == list(all_algorithms())
    assert all(each["summary"] and each["source"] for each in listed)


@pytest.mark.parametrize("name", all_algorithms())
def test_an_algorithm_is_described(name: str, cli: Cli) -> None:
    text = cli.output("algorithms", name)
    assert all_algorithms()[name].source in text
    described = cli.data("algorithms", name)
    for each in described["parameters"]:
        (line,) = (line for line in text.splitlines() if line.startswith(f"  {each['name']} "))
        assert all_algorithms()[name].parameter_help[each["name"]] == each["meaning"]
        assert each["meaning"] in line
        assert each["choices"] is None or f"({', '.join(each['choices'])})" in line


@pytest.mark.parametrize("name", all_algorithms())
def test_listed_choices_of_parameters_are_accepted(name: str) -> None:
    parameters = load_algorithm(name).__class__.__init__.__annotations__
    for parameter, choices in all_algorithms()[name].choices.items():
        if parameter in parameters:
            for choice in choices:
                load_algorithm(f"{name}({parameter}={choice}{', table=true' if choice == 'null' else ''})")
            with pytest.raises(GamesearchError):
                load_algorithm(f"{name}({parameter}=nonsense)")


def test_the_values_of_a_games_parameters_are_listed(cli: Cli) -> None:
    text = cli.output("games chess")
    for choices in game_class("chess").choices.values():
        assert ", ".join(choices) in " ".join(text.split())
    layouts = cli.data("games pacman")["parameters"][0]
    assert layouts == {"name": "layout", "default": "small", "choices": ["alone", "chase", "small", "court", "town"]}
    for name in game_names():
        cls = game_class(name)
        for parameter, choices in cls.choices.items():
            for choice in choices:
                assert type(load(f"{name}({parameter}={choice})")).name == cls.name
    assert "number of lines without a nought" in cli.output("games tictactoe")
    listed = {each["name"]: each["choices"] for each in cli.data("games tictactoe")["parameters"]}
    assert listed == {"evaluation": ["lines"]}


def test_the_textbook_function_and_the_code_that_runs_are_printed(cli: Cli) -> None:
    text = cli.output("algorithms minimax --source")
    assert text.startswith("# minimax: Russell & Norvig")
    assert "\ndef minimax(game, s, depth):\n" in text
    woven = cli.output("algorithms minimax --woven")
    assert "known_, nodes_ = enter_node(game, s, depth" in woven
    assert "def fail_hard_alphabeta" in cli.output("algorithms alphabeta(fail=hard) --source")
    assert "The search runs other code: gamesearch/algorithms/catalog/mcts.py" in cli.output("algorithms mcts --source")
    assert "The search runs other code" not in text
    assert cli.data("algorithms maxn --source")["code"].startswith("def maxn(")
    cli.run("algorithms pvs --source", code=2)
    cli.run("algorithms alphabeta(table=true) --woven", code=2)
    cli.run("algorithms --source", code=2)
