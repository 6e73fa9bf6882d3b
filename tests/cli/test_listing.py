"""`gamesearch games` and `gamesearch algorithms`."""

import inspect
import re
import shlex
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import click
import pytest
from commands import Cli

import gamesearch
from gamesearch.algorithms.catalog import all_algorithms, load_algorithm
from gamesearch.aliases import METHODS
from gamesearch.commands.building.algorithms import SOLVED
from gamesearch.errors import GamesearchError
from gamesearch.games.capturing.chess.features import VALUES
from gamesearch.registry import game_class, game_names, load
from gamesearch.solvers.solving import METHODS as SOLVERS
from gamesearch.solvers.solving import solve
from gamesearch.study.sizes import MEASURED, MEASURED_GAMES, count_positions, count_stones, measure_size
from gamesearch.textbook import all_functions
from gamesearch.textbook.alphabeta import alphabeta

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


def test_games_are_listed_and_described(cli: Cli) -> None:
    listed = {each["name"]: each["summary"] for each in cli.data("games")}
    assert set(listed) == set(game_names())
    assert listed["tictactoe"] == "Three in a row on a board of nine squares; X is Max and begins"
    assert all(listed.values())
    assert all(f"{name}  " in cli.output("games") for name in listed)
    for name in game_names():
        text = cli.output("games", name)
        assert "\nnotation" in text
        assert "\nexample" in text
        described = cli.data("games", name)
        assert described["name"] == name
        assert type(load(described["game"])) is type(load(name))
        examples = [shlex.split(line) for line in text.splitlines() if line.startswith("  gamesearch analyze ")]
        game, position = examples[0][2:4]
        load(game).setup(position)


def test_a_game_in_a_file(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(OWN_GAME)
    text = cli.output("games", path)
    assert "One move, and it is over" in text
    assert "`stakes` is what the move pays." in text
    assert "  stakes     whole number  1" in text
    path = tmp_path / "plain.py"
    path.write_text(OWN_GAME.replace('    notation = "0 or 1"\n', ""))
    text = cli.output("games", path)
    assert "\nnotation" not in text
    assert "example  0\n" in text
    said = cli.refusal("analyze", path, "1,2")
    assert said.endswith(
        "cannot read the position '1,2': write a position like 0, or a list of moves; '1' is not a legal first move\n"
    )
    path.with_name("other.py").write_text(path.read_text().replace("return (0,)", "return ('a',)"))
    assert "other.py has no method `parse` to read positions; 'b' is not a legal first move\n" in cli.refusal(
        "analyze", path.with_name("other.py"), "b"
    )


def test_algorithms_are_listed_and_described(cli: Cli) -> None:
    listed = cli.data("algorithms")
    assert [each["name"] for each in listed] == list(all_algorithms())
    assert all(each["summary"] and each["source"] for each in listed)
    for name, algorithm in all_algorithms().items():
        text = cli.output("algorithms", name)
        assert algorithm.source in text
        paragraphs = inspect.cleandoc(algorithm.__doc__ or "").split("\n\n")
        assert {" ".join(paragraph.split()) for paragraph in paragraphs} <= {*text.splitlines()}
        for each in cli.data("algorithms", name)["parameters"]:
            (line,) = (line for line in text.splitlines() if line.startswith(f"  {each['name']} "))
            assert algorithm.parameter_help[each["name"]] == each["meaning"]
            assert each["meaning"] in line
            assert each["choices"] is None or f"({', '.join(each['choices'])})" in line


def test_listed_choices_of_parameters_are_accepted() -> None:
    for name, algorithm in all_algorithms().items():
        parameters = load_algorithm(name).__class__.__init__.__annotations__
        for parameter, choices in algorithm.choices.items():
            if parameter in parameters:
                for choice in choices:
                    load_algorithm(f"{name}({parameter}={choice}{', table=true' if choice == 'null' else ''})")
                with pytest.raises(GamesearchError):
                    load_algorithm(f"{name}({parameter}=nonsense)")


def test_parameters_of_games_are_listed_with_their_choices(cli: Cli) -> None:
    text = cli.output("games connect4(rows=5)")
    assert text.startswith("connect4(rows=5, columns=7, connect=4): Get four in a line")
    assert "  rows       whole number  5 here (default 6)\n  columns    whole number  7\n" in text
    assert '  gamesearch play "connect4(rows=5, columns=7, connect=4)"\n' in text
    names = [each["name"] for each in cli.data("games backgammon")["parameters"]]
    assert names == ["cube", "match", "features", "weights"], "some parameters choose another class"
    assert re.search(r"^ +match +match=5 plays a match", cli.output("games backgammon"), re.MULTILINE)
    assert "the choices are cube, features, match, weights" in cli.refusal("games backgammon(foo=1)")
    text = " ".join(cli.output("games chess").split())
    assert all(", ".join(choices) in text for choices in game_class("chess").choices.values())
    layouts = cli.data("games pacman")["parameters"][0]
    assert layouts == {"name": "layout", "default": "small", "choices": ["alone", "chase", "small", "court", "town"]}
    for name in game_names():
        cls = game_class(name)
        for parameter, choices in cls.choices.items():
            for choice in choices:
                assert type(load(f"{name}({parameter}={choice})")).name == cls.name
    assert "number of lines that X can still complete" in cli.output("games tictactoe")


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
    for name in ("paranoid --source", "paranoid --woven"):
        assert "The search runs alphabeta in another game: " in cli.output(f"algorithms {name}")
    for name in ("memo", "memoized_minimax"):
        text = cli.output(f"algorithms {name} --source")
        assert "def memoized_minimax" in text
        assert "`gamesearch solve` runs other code: gamesearch/solvers/dynamic_programming.py" in text


def test_every_solving_method_has_a_textbook_function_or_names_its_file(cli: Cli) -> None:
    for name, method in ({each: each for each in SOLVERS} | dict(METHODS.same)).items():
        if method in ("auto", "search"):  # alpha-beta is an algorithm
            continue
        function, file = SOLVED[method.partition("(")[0]]
        assert Path(gamesearch.__file__).parents[1].joinpath(file).is_file()
        if function is None:
            assert file in cli.refusal(f"algorithms {name} --source")
        else:
            assert inspect.getsource(function) in cli.output(f"algorithms {name} --source")
        assert file in cli.refusal(f"algorithms {name} --woven")


@pytest.mark.parametrize("function", all_functions().values(), ids=lambda function: function.__name__)
def test_every_textbook_function_is_printed_by_its_name(function: Callable[..., Any], cli: Cli) -> None:
    """If no search runs the function, a note says which file contains the code that runs."""
    text = cli.output(f"algorithms {function.__name__} --source")
    assert inspect.getsource(function) in text
    searches = map(load_algorithm, (*all_algorithms(), "minimax(bounds=true)", "alphabeta(fail=hard)"))
    is_run = any(function is each.textbook is each.woven_from for each in searches)
    assert ("# This is the textbook function. " in text) != is_run
    assert all(
        Path(gamesearch.__file__).parents[1].joinpath(path).is_file() for path in re.findall(r": (\S+\.py)", text)
    )


def test_code_is_not_wrapped_in_a_narrow_terminal(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # Rich writes as to a terminal
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(len, click.unstyle(cli.output("algorithms")).splitlines())) <= 40
    assert inspect.getsource(alphabeta) in cli.output("algorithms alphabeta --source")


@pytest.mark.parametrize("width", [30, 40, 60, 61, 100])
def test_the_list_of_lessons_cuts_no_word(width: int, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    topics = [each["summary"] for each in cli.data("lesson")]
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(width))
    lines = click.unstyle(cli.output("lesson")).splitlines()
    assert max(map(len, lines)) <= width
    assert {word for topic in topics for word in topic.split()} <= {word for line in lines for word in line.split()}


@pytest.mark.parametrize("option", ["--sizes", "--values"])
def test_tables_in_80_columns_cut_and_wrap_no_cell(option: str, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = cli.output("games", option)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    narrow = click.unstyle(cli.output("games", option))
    tables = [re.split(r"\n *\n", text)[0].splitlines() for text in (wide, narrow)]
    one, other = ([re.split(" {2,}", line.strip()) for line in table] for table in tables)
    assert len(one) > 20
    assert other[1 - len(one) :] == one[1:], "all rows below the headings"
    assert max(map(len, narrow.splitlines())) <= 80


# Tables. ------------------------------------------------------------------------------------------
def test_every_game_has_a_size_with_a_source(cli: Cli) -> None:
    listed = {each["game"]: each for each in cli.data("games --sizes")}
    assert list(listed) == list(game_names())
    assert all(value for each in listed.values() for value in each.values())
    assert (listed["tictactoe"]["positions"], listed["tictactoe"]["tree"]) == ("5,478", "549,946")
    assert listed["chess"]["tree"] == "10^123"
    assert listed["hex"]["branching"] == measure_size(load("hex"), MEASURED_GAMES).branching
    rows = {line.split()[0]: line.split()[1:3] for line in cli.output("games --sizes").splitlines() if line.strip()}
    assert all(each.startswith("~") for each in rows["hex"])
    assert rows["chess"] == ["35", "80"]
    one, other = cli.data("games chess --sizes"), cli.data("games go(size=3) --sizes")
    assert one[0] == listed["chess"]
    assert one[1]["source"] == MEASURED
    assert [each["source"].endswith(f"earlier positions; {MEASURED}") for each in other] == [True], (
        "a published size is of the standard game"
    )


def test_positions_are_counted_and_sizes_measured(cli: Cli) -> None:
    """Sizes are measured exactly for uniform trees, and for Nim with one counter, which has only one move."""
    (counted,) = cli.data("games nim(heaps=2-3,max_take=2) --sizes")
    game = load("nim(heaps=2-3, max_take=2)")
    assert int(counted["positions"]) == solve(game, game.initial(), method="memo", speed="interpreted").positions
    assert count_positions(load("tictactoe"), 100)[0] == "> 100"
    assert count_positions(load("hex"), seconds=0)[1].endswith("stopped after 0 s")
    boards = product("XO.", repeat=6)
    assert count_stones(6) == sum(each.count("X") - each.count("O") in (0, 1) for each in boards)
    size = measure_size(load("random_tree(branching=3, depth=5)"), 4)
    assert (size.branching, size.plies, size.tree) == (3, 5, "10^2")
    (measured,) = cli.data("games nim(1) --sizes")
    assert (measured["branching"], measured["plies"]) == (1, 1)
    assert measure_size(load("pig(target=6)"), 5) == measure_size(load("pig(target=6)"), 5), "equal seeds, equal games"
    assert measure_size(load("backgammon"), 1).branching == pytest.approx(20, abs=15)


def test_piece_values_have_sources_and_the_king_a_note(cli: Cli) -> None:
    data = cli.data("games chess --values")
    assert data["systems"].keys() == VALUES.keys()
    assert "200" in data["king"]
    assert [data["systems"][name]["king"] for name in ("shannon", "turing")] == [200, None]
    assert "Tomasev" in cli.output("games --values")
    assert "only chess" in cli.refusal("games go --values")
