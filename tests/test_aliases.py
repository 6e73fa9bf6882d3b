"""Other common names of games, algorithms and methods are accepted, or an error message says what to type instead."""

import re
from collections.abc import Callable

import pytest
from commands import Cli

from gamesearch import aliases
from gamesearch.algorithms.catalog import all_algorithms, is_algorithm, load_algorithm
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.players.computer import LEVELS, WORDS
from gamesearch.play.players.loading import load_player
from gamesearch.registry import game_names, load, specification_of
from gamesearch.solvers.solving import METHODS, known_method

TABLES = (aliases.GAMES, aliases.ALGORITHMS, aliases.METHODS)
READ: dict[str, Callable[[str], object]] = {"game": load, "algorithm": load_algorithm, "method": known_method}


@pytest.mark.parametrize(
    ("kind", "name", "meant"),
    [
        ("game", "tic tac toe", "tictactoe"),
        ("game", "Noughts & Crosses", "tictactoe"),
        ("game", "Connect Four(rows=5)", "connect4(rows=5, columns=7, connect=4)"),
        ("game", "Nine Men's Morris", "morris(men=9, rings=3, flying=true)"),
        ("game", "pente(size=13)", "gomoku(size=13, connect=5, exact=false, captures=true)"),
        ("algorithm", "Alpha-Beta(depth=3)", "alphabeta(depth=3)"),
        ("algorithm", "iterative deepening(depth=3)", "alphabeta(depth=3, deepen=true)"),
        ("method", "Memoization", "memo"),
        ("method", "alpha-beta", "search"),
        ("method", "dp", "dynamic_programming"),
    ],
)
def test_alternative_names_and_their_parameters_are_accepted(kind: str, name: str, meant: str) -> None:
    found = READ[kind](name)
    assert meant == (specification_of(found) if isinstance(found, Game) else getattr(found, "specification", found))


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
def test_alternative_names_stand_for_existing_names(table: aliases.Aliases) -> None:
    names = {"game": game_names(), "algorithm": tuple(all_algorithms()), "method": tuple(METHODS)}[table.kind]
    for alias, meant in table.same.items():
        READ[table.kind](meant)
        assert alias not in map(aliases.plain, names), "an alternative name must not be the name of another thing"
    for alias, hint in table.similar.items():
        words = re.match(r"(--method )?'?(\w+(?:\(.*?\))?)", hint)
        assert words is not None
        if not hint.startswith("gamesearch"):
            READ["method" if words[1] else table.kind](words[2])
        assert alias not in table.same
    assert not any(aliases.plain(each) != each for each in (*table.same, *table.similar))


def test_players_have_other_names(cli: Cli) -> None:
    game = load("tictactoe")
    assert "alphabeta" in cli.output("analyze noughts XX./OO./...")
    assert load_player("Negamax(depth=2)", game).specification == "minimax(depth=2)"
    assert load_player("Human", game).specification == "human"
    assert load_player("Level 3", game).specification == "computer(level=3)"
    assert set(aliases.LEVELS.values()) == {f"computer(level={level})" for level in (*LEVELS, *WORDS)}
    assert is_algorithm("negamax")
    assert not is_algorithm("quiescence")
    with pytest.raises(GamesearchError, match="no player 'memo': write --method memo"):
        load_player("memo", game)


def test_the_old_name_of_a_parameter_works() -> None:
    with pytest.warns(FutureWarning, match=r"bias=2 is read as prior=2"):
        assert load_algorithm("uct(bias=2)").specification == "mcts(prior=2.0)"
    with pytest.raises(GamesearchError, match="leave out 'bias'"):
        load_algorithm("mcts(bias=2, prior=1)")
