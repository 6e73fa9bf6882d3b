"""Other common names of games, algorithms and methods are accepted, or an error message says what to type instead."""

import re
from collections.abc import Callable

import pytest
from commands import complaint, output

from gamesearch import aliases
from gamesearch.algorithms.catalog import all_algorithms, is_algorithm, load_algorithm
from gamesearch.errors import GamesearchError
from gamesearch.play.players.computer import LEVELS, WORDS
from gamesearch.play.players.loading import load_player
from gamesearch.registry import game_names, load
from gamesearch.solvers.solving import METHODS, known_method, solve

TABLES = (aliases.GAMES, aliases.ALGORITHMS, aliases.METHODS)
READ: dict[str, Callable[[str], object]] = {"game": load, "algorithm": load_algorithm, "method": known_method}


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("tic tac toe", "tictactoe"),
        ("Tic-Tac-Toe", "tictactoe"),
        ("noughts", "tictactoe"),
        ("Noughts & Crosses", "tictactoe"),
        ("reversi", "othello"),
        ("Chess", "chess"),
        ("connect 4", "connect4"),
        ("Connect Four(rows=5)", "connect4"),
        ("pente", "gomoku"),
        ("Nine Men's Morris", "morris"),
        ("dots and boxes", "dotsandboxes"),
    ],
)
def test_games_have_other_names(name: str, game: str) -> None:
    assert load(name).name == game


def test_parameters_are_kept_with_another_name() -> None:
    found = load("Connect Four(rows=5, columns=4)").parameters()
    assert (found["rows"], found["columns"]) == (5, 4)
    assert load("pente").parameters()["captures"] is True
    assert load("pente(size=13)").parameters()["size"] == 13
    assert load_algorithm("Alpha-Beta(depth=3)").specification == "alphabeta(depth=3)"
    assert load_algorithm("iterative deepening(depth=3)").specification == "alphabeta(depth=3, deepen=true)"


@pytest.mark.parametrize(
    ("kind", "name", "hint"),
    [
        ("game", "mancala", "write kalah"),
        ("game", "Mancala(pits=3)", "write kalah"),
        ("game", "conect 4", "did you mean connect4"),
        ("algorithm", "quiescence", r"write pvs\(quiescence=true\)"),
        ("algorithm", "level 2", r"write gamesearch play GAME --min 'computer\(level=2\)'"),
        ("algorithm", "dp", "write --method dynamic_programming, an option of gamesearch solve and gamesearch watch"),
        ("algorithm", "proof(search=pn)", "write --method proof, an option of gamesearch solve and gamesearch watch"),
        ("algorithm", "value iteration", "write --method iteration, an option of gamesearch solve$"),
        ("method", "memo(depth=3)", "has no parameters"),
    ],
)
def test_for_other_names_the_message_says_what_to_type(kind: str, name: str, hint: str) -> None:
    with pytest.raises(GamesearchError, match=hint):
        READ[kind](name)


@pytest.mark.parametrize("table", TABLES, ids=lambda each: each.kind)
def test_other_names_lead_to_existing_names(table: aliases.Aliases) -> None:
    names = {"game": game_names(), "algorithm": tuple(all_algorithms()), "method": tuple(METHODS)}[table.kind]
    for alias, meant in table.same.items():
        READ[table.kind](meant)
        assert alias not in map(aliases.plain, names), "this is a known name"
    for alias, hint in table.similar.items():
        words = re.match(r"(--method )?'?(\w+(?:\(.*?\))?)", hint)
        assert words is not None
        if not hint.startswith("gamesearch"):
            READ["method" if words[1] else table.kind](words[2])
        assert alias not in table.same
    assert not any(aliases.plain(each) != each for each in (*table.same, *table.similar))


def test_methods_and_players_have_other_names() -> None:
    game = load("tictactoe")
    state = game.parse("XX./OO./...")
    assert solve(game, state, "Memoization", speed="interpreted").method == "memo"
    assert solve(game, state, "alpha-beta", speed="interpreted").method == "search"
    assert solve(game, state, "dp", speed="interpreted").method == "dynamic_programming"
    assert load_player("Negamax(depth=2)", game).specification == "minimax(depth=2)"
    assert load_player("Human", game).specification == "human"
    assert load_player("Level 3", game).specification == "computer(level=3)"
    assert set(aliases.LEVELS.values()) == {f"computer(level={level})" for level in (*LEVELS, *WORDS)}
    assert is_algorithm("negamax")
    assert not is_algorithm("quiescence")
    with pytest.raises(GamesearchError, match="no player 'memo': write --method memo"):
        load_player("memo", game)


def test_an_old_parameter_means_the_one_that_replaced_it() -> None:
    with pytest.warns(FutureWarning, match=r"bias=2 is read as prior=2"):
        assert load_algorithm("uct(bias=2)").specification == "mcts(prior=2.0)"
    with pytest.raises(GamesearchError, match="leave out 'bias'"):
        load_algorithm("mcts(bias=2, prior=1)")


def test_commands_accept_other_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert "alphabeta" in output(capsys, "analyze", "noughts", "XX./OO./...", "--speed", "interpreted")
    assert "minimax" in output(
        capsys, "bench", "tic tac toe", "XX./OO./...", "--algorithms", "negamax,alpha-beta", "--speed", "interpreted"
    )
    assert "write kalah" in complaint(capsys, "solve", "mancala")
    assert "Min wins" in output(capsys, "solve", "Nim", "1000000,1000000")
