"""`gamesearch opponents` on the command line."""

import re
from typing import Any

import click
import pytest
from commands import Cli

TRAP = "[[1, 1, 1], [0, 9, 9]]"
"""A tree in which minimax chooses the payoff 1. After the other move, two of Min's three replies give Max 9."""


def data(cli: Cli, *arguments: str) -> dict[tuple[str, str], Any]:
    rows = cli.data("opponents", *arguments)["rows"]
    return {(row["assumed"], cell["opponent"]): cell for row in rows for cell in row["against"]}


def test_a_trap_pays_only_against_a_fallible_opponent(cli: Cli) -> None:
    found = data(cli, TRAP, "--opponents", "best, random", "--games", "400")
    assert found["best", "best"] == {"opponent": "best", "mean": 1, "margin": None}
    assert found["best", "random"]["mean"] == 1
    assert found["random", "best"]["mean"] == 0
    assert abs(found["random", "random"]["mean"] - 6) <= 2 * found["random", "random"]["margin"]


def test_a_fallible_opponent_errs_with_its_probability(cli: Cli) -> None:
    found = data(cli, TRAP, "--opponents", "random, error=0.5, softmax(9)+error=0", "--games", "400")
    soft = 9 * 2 * 0.367879 / (1 + 2 * 0.367879)
    for opponent, mean in (("error=0.5", 3), ("softmax(9)+error=0", soft)):
        cell = found["random", opponent]
        assert abs(cell["mean"] - mean) <= 2 * cell["margin"]


def test_the_table(cli: Cli) -> None:
    assert data(cli, "nim", "2", "--opponents", "best", "--games", "2")["best", "best"]["mean"] == 1
    printed = cli.output("opponents nim(heaps=1-2) --opponents best,random --games 10")
    assert "Max assumes" in printed
    assert "Min: random" in printed
    assert re.search(r"^best +[+-]1\*", printed, re.MULTILINE), "a star marks the best mean, also without colors"
    few = ("--opponents", "best, random", "--games", "10")
    nothing = "the assumption about Min makes no difference here"
    for game, said in (
        ("[[1,1],[2,2]]", "in 10 games\n"),
        ("[[1,2],[0,9]]", "in 10 games with 95 % interval (none if all payoffs are equal)\n"),
        ("nim(1-2)", f"{nothing}: Max wins even against the best moves\n"),
        ("nim(1-1)", f"{nothing}\n"),
    ):
        assert said in cli.output("opponents", game, *few)
    assert nothing not in cli.output("opponents", TRAP, *few)


@pytest.mark.parametrize("width", [40, 80])
def test_on_a_narrow_terminal_no_number_is_cut(width: int, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["best", "error=0.2", "softmax(0.5)", "random", "error=0.5+softmax(1)"]
    arguments = ("opponents", "tictactoe", ".XO/.O./.X.", "--opponents", ",".join(names), "--games", "5")
    means = cli.output(*arguments)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(width))
    narrow = click.unstyle(cli.output(*arguments))
    assert max(map(len, narrow.splitlines())) <= width
    assert re.findall(r"^([A-E])  (\S+)", narrow, re.MULTILINE)[:5] == list(zip("ABCDE", names, strict=True))
    payoff = r"[+-][\d.]+(?: ±[\d.]+)?\*?(?=\s|$)"
    wide_cells, narrow_cells = (sorted(re.findall(payoff, text, re.MULTILINE)) for text in (means, narrow))
    assert narrow_cells == wide_cells


def test_the_tables_of_the_document(cli: Cli) -> None:
    """The mean payoffs agree with expectations computed by hand.

    If Min is random, Max gets a lower payoff by assuming that Min plays perfectly.
    """
    both = ("--opponents", "best, random", "--games", "400")
    found = data(cli, "nim(max_take=2)", "1,1,3", *both)
    for assumed, expected in (("best", 0.0), ("random", 0.5)):
        cell = found[assumed, "random"]
        assert abs(cell["mean"] - expected) <= 2 * cell["margin"]
        assert found[assumed, "best"]["mean"] == -1
    found = data(cli, "tictactoe", ".XO/.O./.X.", *both)
    assert abs(found["best", "random"]["mean"] + 0.875) <= 2 * found["best", "random"]["margin"]
    assert abs(found["random", "random"]["mean"] - 0.625) <= 2 * found["random", "random"]["margin"]
    assert found["best", "best"]["mean"] == found["random", "best"]["mean"] == -1
