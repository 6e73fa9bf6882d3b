"""`gamesearch bench` on the command line."""

import itertools
import re
from contextvars import ContextVar
from pathlib import Path

import pytest
from commands import Cli

from gamesearch import load
from gamesearch.algorithms.engine.result import Limits
from gamesearch.commands.measuring.bench import COLUMNS
from gamesearch.study.bench import agreement, measure, parse_algorithms


@pytest.mark.xdist_group("tictactoe")  # which compiles these kernels
def test_the_counts_are_the_textbooks(cli: Cli) -> None:
    data = cli.data("bench tictactoe --speed compiled --algorithms minimax,alphabeta,alphabeta(bounds=true)")
    assert [row["nodes"] for row in data["rows"]] == [549_946, 18_297, 16_811]
    assert data["agree"] is True
    assert data["rows"][1]["share"] == pytest.approx(18_297 / 549_946)
    assert {"value", "best", "leaves", "cutoffs", "table_hits", "seconds", "speed"} <= set(data["rows"][0])


def test_only_searches_to_the_same_depth_are_compared(cli: Cli) -> None:
    rows = cli.data("bench tictactoe X.O/.../... -a minimax(depth=3),alphabeta,alphabeta(depth=3)")["rows"]
    assert [row["share"] is None for row in rows] == [False, True, False]
    text = cli.output("bench tictactoe X.O/.../... -a minimax(depth=3),alphabeta")
    assert "different depths" in text
    assert "agree" not in text


def test_values_that_are_not_exact_are_named(cli: Cli, tmp_path: Path) -> None:
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text("def right(game, s, depth):\n    return game.evaluate(s)\n")
    wrong.write_text("def wrong(game, s, depth):\n    return game.evaluate(s) + 0.5\n")
    said = cli.output(f"bench tictactoe --depth 1 --algorithms minimax,alphabeta,{right},{wrong}")
    assert said.splitlines()[-3:] == [
        "both exact algorithms agree: the value at depth 1 is 0",
        f"{right} finds the same value",
        f"{wrong}: the value is an estimate at depth 0",
    ]
    said = cli.output("bench tictactoe --algorithms 'alphabeta(depth=1),mcts(playouts=20, solver=false)'")
    assert [line.partition(": ")[2] for line in said.splitlines()[-2:]] == [
        "the value is an estimate at depth 1",
        "the value is the average of random games",
    ]


def test_theory_is_shown_for_uniform_trees(cli: Cli) -> None:
    tree = "random_tree(branching=3, depth=4, order=best-first)"
    printed = cli.output("bench", tree, "--algorithms", "minimax,alphabeta")
    assert "b^d = 81 leaves" in printed
    assert "visits 17 leaves" in printed
    assert "for large b" not in printed
    alphabeta = next(line for line in printed.splitlines() if line.startswith("alphabeta"))
    assert " 17 " in alphabeta
    assert "both exact algorithms agree" in printed
    wide = cli.output("bench random_tree(branching=12,depth=2) --algorithms minimax")
    assert "(b / log b)^d = 23 " in wide


def test_on_a_narrow_terminal_nothing_is_left_out(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["bench", "random_tree(branching=3, depth=4)", "--algorithms", "minimax,alphabeta(order=killer)"]
    shown = []
    for width in (10_000, 80, 30):
        monkeypatch.setattr("gamesearch.cli.consoles.columns", ContextVar("columns", default=width))
        shown.append(cli.output(*arguments))
    wide, narrow, narrowest = shown
    assert "\nalgorithm " in wide
    for text in (narrow, narrowest):
        assert "A  minimax\nB  alphabeta(order=killer," in text
        assert "algorithm " not in text
        assert "…" not in text
        lines = (re.split(" {2,}", line.strip()) for line in text.splitlines())
        headings = [words for words in lines if set(words) <= set(COLUMNS)]
        assert len(headings) > 1
        assert tuple(itertools.chain(*headings)) == COLUMNS
    assert max(map(len, narrow.splitlines())) <= 80


def test_a_wrong_value_is_noticed() -> None:
    game = load("tictactoe")
    rows = list(measure(game, game.parse("X../.O./..."), parse_algorithms("minimax"), Limits(), speed="interpreted"))
    other = list(measure(game, game.parse("XX./OO./..."), parse_algorithms("minimax"), Limits(), speed="interpreted"))
    assert agreement(rows) == (1, True)
    assert agreement([*rows, *other]) == (2, False)
