"""`gamesearch compare` on the command line."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import complaint
from recordings import TWO_PLY

from gamesearch.cli import run

SLOW = ("--speed", "interpreted")


def output(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert run(["compare", *arguments, *SLOW]) == code
    return capsys.readouterr().out


def data(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(output(capsys, *arguments, "--json"))


def test_the_textbooks_tree(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, TWO_PLY, "--algorithms", "minimax,alphabeta(table=true, memory=1)", "--ascii")
    assert "A  minimax\nB  alphabeta(table=true, memory=1, distance=false)\n" in text
    assert "13   11  Max = 3\n" in text
    assert " 1  cut  |   |-- b  end = 4\n" in text
    assert "    2  13  11\n" in text
    assert "both exact algorithms agree at every depth: the value at depth 2 is 3" in text
    assert text.isascii()


def test_theory_and_orders(capsys: pytest.CaptureFixture[str]) -> None:
    tree = "random_tree(branching=3, depth=4, order=best-first)"
    answer = data(capsys, tree, "--algorithms", "minimax,alphabeta", "--shuffle", "5")
    assert answer["agree"] is True
    minimax, alphabeta = answer["algorithms"]
    assert (minimax["nodes"], alphabeta["nodes"]) == ([4, 13, 40, 121], [4, 9, 20, 37])
    assert minimax["orders"][-1] == {"fewest": 121, "middle": 121, "most": 121}
    assert alphabeta["orders"][-1]["most"] > 37
    assert [theory["nodes"] for theory in answer["theory"]][::2] == [minimax["nodes"], alphabeta["nodes"]]
    text = output(capsys, tree, "--algorithms", "alphabeta", "--shuffle", "5")
    assert "5 orders: A" in text
    assert "(Knuth & Moore 1975)" in text


def test_the_tree_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    answer = data(capsys, TWO_PLY, "--algorithms", "minimax,alphabeta", "--plies", "2", "--width", "2")
    tree = answer["tree"]
    assert (tree["depth"], tree["left_out"], tree["value"]) == (2, 1, "3")
    assert tree["children"][1]["children"][1]["marks"] == [
        {"did": "visited", "nodes": 1},
        {"did": "cut", "nodes": 0},
    ]


def test_a_long_search_is_watched_less_deep(capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setattr("gamesearch.commands.compare.WATCHED", 100)
    text = output(capsys, "tictactoe", "--algorithms", "minimax", "--depth", "3", "--plies", "1")
    assert "a search to depth 2 (deeper searches are too long to record)" in text


def test_a_large_tree_is_drawn_less_deep(capsys: pytest.CaptureFixture[str]) -> None:
    tree = ("random_tree(branching=4, depth=4)", "--algorithms", "minimax,alphabeta")
    text = output(capsys, *tree)
    assert "in a search to depth 4, drawn to ply 2 (--plies)\n" in text
    assert text.count("-- ") == 4 + 16
    assert output(capsys, *tree, "--plies", "3").count("-- ") == 4 + 16 + 64
    text = output(capsys, "tictactoe", "--depth", "2", "--algorithms", "minimax", "--width", "30")
    assert text.count("-- ") == 9


def test_a_limit_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "tictactoe", "--algorithms", "minimax,alphabeta", "--depth", "3", "--nodes", "200")
    assert "A ends before depth 3: the node limit was reached" in text
    text = output(capsys, "tictactoe", "--algorithms", "minimax", "--depth", "3", "--nodes", "1")
    assert "A ends before depth 1" in text


def test_chance_and_more_players(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "pig(target=12)", "--depth", "3")
    assert "`-- roll  chance" in text
    text = output(capsys, "[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]", "--shuffle", "2")
    assert text.splitlines()[1:3] == ["A  maxn", "B  paranoid"]
    assert "-- a  P2 = (1, 2, 6)" in text
    text = output(capsys, "{[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]}")
    assert "A  maxn" in text
    assert "paranoid" not in text


def test_the_chart_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "chart.svg"
    output(capsys, "random_tree(branching=2, depth=3)", "--algorithms", "minimax,alphabeta", "--to", str(file))
    root = ElementTree.parse(file).getroot()
    assert root.tag.endswith("svg")
    assert len(root.findall("{http://www.w3.org/2000/svg}polyline")) == 5
    before = file.read_text()
    assert run(["compare", TWO_PLY, "--algorithms", "minimax", "--to", str(file), *SLOW]) == 2
    assert "exists already" in capsys.readouterr().err
    assert file.read_text() == before
    output(capsys, TWO_PLY, "--algorithms", "minimax", "--to", str(file), "--force")
    assert file.read_text() != before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([TWO_PLY, "--algorithms", "minmax"], "did you mean minimax?"),
        ([TWO_PLY, "--algorithms", "maxn"], "use minimax"),
        (["tictactoe", "XXX/OO./..."], "nothing to compare"),
        ([TWO_PLY, "--to", "chart.png"], "should end in .svg"),
        ([TWO_PLY, "--to", "/nowhere/chart.svg"], "there is no folder /nowhere"),
        ([TWO_PLY, "--algorithms", "minimax,random"], "random does not search, so there is nothing to compare"),
        ([TWO_PLY, "--depth", "0"], "0"),
        ([TWO_PLY, "--shuffle", "0"], "0"),
        ([TWO_PLY, "--shuffle", "2", "--speed", "compiled"], "leave out --shuffle or --speed"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in complaint(capsys, "compare", *arguments)


NIM = ("nim(heaps=2-3)", "--algorithms", "montecarlo(race=ucb),mcts,minimax", "--playouts", "200")


def test_value_and_choice_against_playouts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "playouts.svg"
    text = output(capsys, *NIM, "--seeds", "3", "--ascii", "--to", str(file))
    assert "median of 3 seeds" in text
    rows = [line.split() for line in text.splitlines() if re.match(r" +\d+ +-?[\d.]+ ", line)]
    assert [row[0] for row in rows] == ["10", "20", "50", "100", "200"]
    flat, tree, exact = rows[-1][1], rows[-1][5], rows[-1][9]  # value, choice, 100 % of each
    assert tree == exact == "1"  # mcts has proven what minimax finds
    assert float(flat) < 1
    root = ElementTree.parse(file).getroot()
    texts = [each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "Value against playouts" in texts
    assert {"10", "20", "50", "100", "200"} <= set(texts)


def test_playouts_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert "%" not in output(capsys, *NIM, "--seeds", "1")
    answer = data(capsys, *NIM, "--seeds", "2")
    flat, tree, exact = answer["algorithms"]
    assert [at["playouts"] for at in tree["points"]] == [10, 20, 50, 100, 200]
    assert tree["points"][-1]["values"] == [1, 1]
    assert (tree["points"][-1]["choice"], tree["points"][-1]["agree"]) == (exact["points"][-1]["choice"], 1)
    assert len({tuple(at["values"]) for at in exact["points"]}) == 1
    assert flat["points"][-1]["value"] < 1


def test_what_goes_with_playouts_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert "write --seeds, not --shuffle" in complaint(capsys, "compare", *NIM, "--shuffle", "3")
    assert "none of these algorithms makes playouts" in complaint(capsys, "compare", TWO_PLY, "--seeds", "3")
    text = output(capsys, "nim(heaps=1-2)", "--algorithms", "montecarlo", "--playouts", "50", "--nodes", "60")
    assert "A ends after 20 playouts: the node limit was reached" in text
