"""`gamesearch opponents` on the command line."""

import json
from typing import Any

import pytest
from commands import complaint

from gamesearch.cli import run

SLOW = ("--speed", "interpreted")
TRAP = "[[1, 1, 1], [0, 9, 9]]"
"""Minimax takes the certain 1; after the other move, only one reply prevents a 9."""


def data(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[tuple[str, str], Any]:
    assert run(["opponents", *arguments, "--json", *SLOW]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    return {(row["assumed"], cell["opponent"]): cell for row in rows for cell in row["against"]}


def test_a_trap_pays_against_one_who_errs_and_costs_against_one_who_does_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = data(capsys, TRAP, "--opponents", "best, random", "--games", "400")
    assert found["best", "best"] == {"opponent": "best", "mean": 1, "margin": 0}
    assert found["best", "random"]["mean"] == 1
    assert found["random", "best"]["mean"] == 0
    assert abs(found["random", "random"]["mean"] - 6) <= 2 * found["random", "random"]["margin"]


def test_who_errs_now_and_then_plays_so(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, TRAP, "--opponents", "random, error=0.5, softmax(9)+error=0", "--games", "600")
    assert abs(found["random", "error=0.5"]["mean"] - 3) <= 2 * found["random", "error=0.5"]["margin"]
    soft = 9 * 2 * 0.367879 / (1 + 2 * 0.367879)
    cell = found["random", "softmax(9)+error=0"]
    assert abs(cell["mean"] - soft) <= 2 * cell["margin"]


def test_a_game_that_max_can_end_at_once_has_an_opponent_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert data(capsys, "nim", "2", "--opponents", "best", "--games", "2")["best", "best"]["mean"] == 1


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["opponents", "nim(heaps=1-2)", "--opponents", "best,random", "--games", "10", *SLOW]) == 0
    printed = capsys.readouterr().out
    assert "Max assumes" in printed
    assert "Min: random" in printed
    assert "in 10 games with 95 % interval" in printed


def test_where_the_assumption_changes_nothing_the_table_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    few = ("--opponents", "best, random", "--games", "10", *SLOW)
    assert run(["opponents", "nim", "1,2", *few]) == 0
    said = "the opponent model changes nothing here: Max wins against the best moves, so against all others, too\n"
    assert said in capsys.readouterr().out
    assert run(["opponents", "nim", "1,1", *few]) == 0
    assert "the opponent model changes nothing here\n" in capsys.readouterr().out
    assert run(["opponents", TRAP, *few]) == 0
    assert "changes nothing" not in capsys.readouterr().out


def test_the_tables_of_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    """Exact expectations, computed by hand for nim; assuming the best Min gains less against a random Min."""
    both = ("--opponents", "best, random", "--games", "400")
    found = data(capsys, "nim(max_take=2)", "1,1,3", *both)
    for assumed, expected in (("best", 0.0), ("random", 0.5)):
        cell = found[assumed, "random"]
        assert abs(cell["mean"] - expected) <= 2 * cell["margin"]
        assert found[assumed, "best"]["mean"] == -1
    found = data(capsys, "tictactoe", ".XO/.O./.X.", *both)
    assert abs(found["best", "random"]["mean"] + 0.875) <= 2 * found["best", "random"]["margin"]
    assert abs(found["random", "random"]["mean"] - 0.625) <= 2 * found["random", "random"]["margin"]
    assert found["best", "best"]["mean"] == found["random", "best"]["mean"] == -1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess"], "repeat"),
        (["buildorder"], "no Min who could err"),
        (["tictactoe", "--opponents", "weak"], "opponent is best, random or softmax(TEMPERATURE)"),
        (["tictactoe", "--opponents", "mistake=1"], "an opponent is such as"),
        (["tictactoe", "--opponents", " "], "there is no opponent"),
        (["tictactoe", "--opponents", "random+error=0.1"], "leave out error"),
        (["tictactoe", "--opponents", "softmax(1)+random"], "one kind of play"),
    ],
)
def test_what_cannot_be_measured_is_said(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said in complaint(capsys, "opponents", *arguments)
