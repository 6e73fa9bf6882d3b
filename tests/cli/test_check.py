"""`gamesearch check` finds the bugs in faulty algorithms and reports no bugs in correct algorithms."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Cli
from countdown import COUNTDOWN
from student_files import remember_references

from gamesearch.study import marking

DOCUMENT = Path(__file__).parents[2] / "docs" / "how-to" / "own-algorithm.md"
MINIMAX, BUGGY, MOBILITY = re.findall(r"^```python[^\n]*\n(.*?)^```", DOCUMENT.read_text(), re.DOTALL | re.MULTILINE)
"""The programs in the how-to document about `check`, which these tests run."""
FIXED = BUGGY.replace("min(alpha, best)", "min(beta, best)")
FIGURE = "[[3,12,8],[2,4,6],[14,5,2]]"
Write = Callable[..., str]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """A function that writes source text to a file and returns the path."""
    monkeypatch.chdir(tmp_path)

    def write(source: str, name: str = "mine.py") -> str:
        (tmp_path / name).write_text(source)
        return f"./{name}"

    return write


def run_check(cli: Cli, *arguments: str, code: int) -> Any:
    """Run `check` with --json and return the result."""
    return cli.data("check", *arguments, code=code)


def test_correct_algorithms_agree(file: Write, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    remember_references(monkeypatch)
    for source in (FIXED, MINIMAX):
        found = run_check(cli, file(source), code=0)
        assert found["agree"] == found["positions"] > 100
        assert found["compared"] == ["value", "move", "visits"]
        assert (found["first"], found["omitted"]) == (None, [])
    assert "agree" in cli.output("check ./mine.py --game nim(heaps=1-2) --seed 2")


BUGS = {
    "no cutoff if values are equal": ("alpha >= beta", "alpha > beta", "visits", "continues with"),
    "no cutoff at all": ("if alpha >= beta:", "if False:", "visits", "continues with"),
    "cuts without having to": ("alpha >= beta", "alpha >= beta - 1", "value", "stops"),
    "a window that is not narrowed": ("alpha = max(alpha, best)", "pass", "visits", "with the window"),
    "the players confused": ("if game.player(s) == MAX:", "if game.player(s) != MAX:", "error", "inf"),
    "one ply too few": ("depth == 0", "depth <= 1", "value", ""),
    "a payoff of the wrong sign": ("return game.utility(s)", "return -game.utility(s)", "value", "returns"),
    "begins at 0": ("-math.inf if", "0 if", "value", "returns"),
    "does not return": ("    return best\n", "", "error", "returned nothing"),
    "makes no move": ("game.result(s, move), depth", "s, depth", "value", ""),
}


FEW = ("--game", FIGURE, "--game", "random_tree(depth=4, values=2)", "--game", "[0,[[-3,-1],[-2]]]")
"""A few games, which are enough to find the bugs of the programs above."""


def test_bugs_are_found(file: Write, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    remember_references(monkeypatch)
    for name, (right, wrong, kind, words) in BUGS.items():
        assert right in FIXED
        path = file(FIXED.replace(right, wrong), f"{name.replace(' ', '_')}.py")
        found = run_check(cli, path, *FEW, code=1)
        assert found["first"]["verdict"] == kind, name
        assert words in found["first"]["difference"], name
        assert sum(found["differ"].values()) == found["positions"] - found["agree"] > 0, name


def test_with_values_another_order_of_visits_is_accepted(file: Write, cli: Cli) -> None:
    sorting = FIXED.replace("in game.moves(s)", "in reversed(list(game.moves(s)))")
    assert run_check(cli, file(sorting), *FEW, code=1)["first"]["verdict"] == "visits"
    assert "--values" in cli.output("check ./mine.py", *FEW, code=1)
    assert run_check(cli, "./mine.py", "--values", *FEW, code=0)["compared"] == ["value", "move"]
    assert run_check(cli, "./mine.py", "--against", "minimax", *FEW, code=0)["against"] == "minimax"


def test_a_worse_move_is_explained(file: Write, cli: Cli) -> None:
    first = "def best_move(game, s):\n    return next(game.moves(s))\n"
    assert "is worth less than" in run_check(cli, file(first), code=1)["first"]["difference"]


def test_endless_algorithms_are_stopped(file: Write, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marking, "SECONDS", 0.05)
    monkeypatch.setattr("gamesearch.algorithms.own.algorithm.PATIENCE", 0.05)
    monkeypatch.setattr(marking, "MOST_UNFINISHED", 1)
    endless = FIXED.replace(
        "    best =", "    while depth:\n        game.result(s, next(game.moves(s)))\n    best =", 1
    )
    name = file(endless)
    assert "\ntoo long: the search reached its limit" in cli.output("check", name, code=1)
    monkeypatch.setattr(marking, "MOST_UNFINISHED", 2)
    found = run_check(cli, name, code=1)
    assert found["positions"] == found["differ"]["unfinished"] == 2
    assert "does your search end?" in found["first"]["difference"]


def test_an_algorithm_that_also_fails_for_three_players_is_for_two(file: Write, cli: Cli) -> None:
    name = file(
        "def search(game, s):\n"
        "    if game.terminal(s):\n"
        "        return game.utility(s)\n"
        "    values = [search(game, game.result(s, game.moves(s)[i])) for i in range(2)]\n"
        "    return max(values) if game.player(s) == 0 else min(values)\n"
    )
    text = cli.output("check", name, code=1)
    assert text.startswith("./mine.py compared with minimax")
    assert "write list(game.moves(s)) to count or index moves" in text


def test_each_file_of_a_class_gets_one_line(file: Write, cli: Cli) -> None:
    names = [file(FIXED, "ada.py"), file(BUGGY, "bob.py"), file("x = 1\n", "cy.py")]
    text = cli.output("check", *names, "--game", "nim(heaps=1-2)", code=2)
    lines = {line.split()[0]: line for line in text.splitlines() if line.startswith("./")}
    assert lines["./ada.py"].split()[1:4] == ["alphabeta", "12", "12"]
    assert "has no algorithm" in text
    assert [("error" in each) for each in run_check(cli, *names, "--game", "nim(heaps=1-2)", code=2)] == [0, 0, 1]


NEGAMAX = """
def negamax(game, s, depth, color):
    if game.terminal(s):
        return color * game.utility(s)
    if depth == 0:
        return color * game.evaluate(s)
    return max(-negamax(game, game.result(s, m), depth - 1, -color) for m in game.moves(s))
"""
PAIR = """
def value(game, s):
    return max_value(game, s) if game.player(s) == 0 else min_value(game, s)
def max_value(game, s):
    return game.utility(s) if game.terminal(s) else max(min_value(game, game.result(s, m)) for m in game.moves(s))
def min_value(game, s):
    return game.utility(s) if game.terminal(s) else min(max_value(game, game.result(s, m)) for m in game.moves(s))
"""


def test_check_leaves_out_games_with_extra_turns_and_says_so(
    file: Write, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The assumption that players alternate leads to a wrong value of Kalah."""
    remember_references(monkeypatch)
    for source in (NEGAMAX, PAIR):
        (kalah,) = run_check(cli, file(source), code=0)["omitted"]
        found = run_check(cli, "./mine.py", "--game", kalah, code=1)
        assert found["differ"]["value"] > 0
        assert found["omitted"] == []
    assert f'--game "{kalah}" shows' in cli.output("check ./mine.py")


# Two implementations of the rules. ----------------------------------------------------------------
USUAL, OTHER = "chess(features=material+check)", "chess(features=material+check, rules=python-chess)"
SOME = ("--positions", "60", "--speed", "interpreted")


def test_two_implementations_of_the_rules_are_compared(cli: Cli) -> None:
    assert cli.output("agree", USUAL, "--against", OTHER, *SOME) == "no difference in 60 positions\n"
    assert "differs in its estimate" in cli.output("agree chess --against chess(values=evans)", *SOME, code=1)
    draws, drawn = "agree chess --against chess(draws=false)", "8/8/8/8/8/2k5/8/K7 w - - 0 1"
    assert cli.data(draws, *SOME, drawn, code=1)["difference"]["what"] == "end of the game"
    lines = f"{drawn}\n\n8/8/8/8/8/2k5/8/K6R w - - 0 1\n"
    assert cli.output(draws, *SOME, "-", code=1, typed=lines).startswith("8/8/8/8/8/2k5/8/K7 w")
    assert "line 2: 'six' is not a list of heaps" in cli.refusal("agree nim --against nim -", typed="3,4,5\nsix\n")


def test_a_file_with_a_game_gets_the_commands_for_games(file: Write, cli: Cli) -> None:
    message = cli.refusal("check", file(COUNTDOWN, "countdown.py"))
    assert "gamesearch play ./countdown.py." in message
    assert message.rstrip().endswith("gamesearch agree ./countdown.py --against GAME")
