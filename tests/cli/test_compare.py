"""`gamesearch compare` on the command line."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import Cli
from recordings import TWO_PLY

BOTH = "--algorithms minimax,alphabeta"
ORDERED = "random_tree(branching=3, depth=4, order=best-first)"
SVG = "{http://www.w3.org/2000/svg}"


def test_the_textbooks_tree(cli: Cli) -> None:
    text = cli.output(f"compare {TWO_PLY} --algorithms 'minimax,alphabeta(table=true, memory=1)' --ascii")
    assert "A  minimax\nB  alphabeta(table=true, memory=1, distance=false)\n" in text
    assert "13   11  Max = 3\n" in text
    assert " 1  cut  |   |-- b  end = 4\n" in text
    assert "    2  13  11\n" in text
    assert "both exact algorithms agree at every depth: the value at depth 2 is 3" in text
    assert text.isascii()
    tree = cli.data(f"compare {TWO_PLY} {BOTH} --plies 2 --width 2")["tree"]
    assert (tree["depth"], tree["left_out"], tree["value"]) == (2, 1, "3")
    marks = tree["children"][1]["children"][1]["marks"]
    assert marks == [{"did": "visited", "nodes": 1}, {"did": "cut", "nodes": 0}]


OWN = """
def value(game, s, depth):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    values = [value(game, game.result(s, m), depth - 1) for m in game.moves(s)]
    return max(values) if game.player(s) == 0 else {choose}(values)
"""
"""A search of a student. It is wrong if Min also chooses the greatest value."""


def test_an_algorithm_that_need_not_be_exact_is_compared_with_exact_ones(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OWN.format(choose="min"), encoding="utf-8")
    text = cli.output(f"compare {TWO_PLY} --depth 2 --algorithms minimax,{file}")
    assert re.search(r"\nB \(\S+\) finds the same value at every depth\n$", text)
    file.write_text(OWN.format(choose="max"), encoding="utf-8")
    text = cli.output(f"compare {TWO_PLY} --depth 2 --algorithms minimax,{file}")
    assert re.search(r"\nB \(\S+\) finds the value 14 instead of 3 at depth 2\n$", text)
    text = cli.output(f"compare {TWO_PLY} --depth 4 --algorithms {file},minimax")
    said = "finds the value 14 instead of 3 at depth 2; the values also differ at 2 greater depths"
    assert re.search(rf"\nA \(\S+\) {said}\n$", text)


def test_compare_shows_the_theory_and_several_move_orders(cli: Cli) -> None:
    answer = cli.data(f"compare '{ORDERED}' {BOTH} --shuffle 5")
    assert answer["agree"] is True
    minimax, alphabeta = answer["algorithms"]
    assert (minimax["nodes"], alphabeta["nodes"]) == ([4, 13, 40, 121], [4, 9, 20, 37])
    assert minimax["orders"][-1] == {"fewest": 121, "middle": 121, "most": 121}
    assert alphabeta["orders"][-1]["most"] > 37
    assert [theory["nodes"] for theory in answer["theory"]][::3] == [minimax["nodes"], alphabeta["nodes"]]
    text = cli.output(f"compare '{ORDERED}' --algorithms alphabeta --shuffle 5")
    assert "5 orders: A" in text
    assert "up to a constant factor" in text


def test_large_trees_are_recorded_and_drawn_to_fewer_plies(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = f"compare 'random_tree(branching=4, depth=4)' {BOTH}"
    text = cli.output(tree)
    assert "in a search to depth 4, drawn to ply 2 (--plies)\n" in text
    assert text.count("-- ") == 4 + 16
    assert cli.output(f"{tree} --plies 3").count("-- ") == 4 + 16 + 64
    assert "-1 in 1: the game ends 1 ply from the root\n" in cli.output("compare tictactoe XX./OO./..X")
    monkeypatch.setattr("gamesearch.commands.visualizing.compare.WATCHED", 100)
    text = cli.output("compare tictactoe --algorithms minimax --depth 3 --plies 1 --width 30")
    assert "a search to depth 2 (deeper searches are too long" in text
    assert text.count("-- ") == 9


def test_limits_and_the_chart(cli: Cli, tmp_path: Path) -> None:
    limited = f"compare tictactoe {BOTH} --depth 3 --nodes"
    assert "A ends before depth 3: the node limit was reached" in cli.output(limited, 200)
    assert "A ends before depth 1" in cli.output(limited, 1)
    cli.run(f"compare 'random_tree(branching=2, depth=3)' {BOTH} --to", tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").read_text().count("<polyline") == 6


def test_chance_and_more_players(cli: Cli) -> None:
    assert "`-- roll  chance" in cli.output("compare pig(target=12) --depth 3")
    text = cli.output("compare [[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]] --shuffle 2")
    assert text.splitlines()[1:3] == ["A  maxn", "B  paranoid"]
    assert "-- a  P2 = (1, 2, 6)" in text
    text = cli.output("compare {[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]}")
    assert "A  maxn" in text
    assert "paranoid" not in text


NIM = "compare nim(heaps=2-3) --algorithms montecarlo(race=ucb),mcts,minimax --playouts 200"


def test_the_value_and_the_move_are_shown_for_each_number_of_playouts(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "playouts.svg"
    text = cli.output(f"{NIM} --seeds 3 --ascii --to", file)
    assert "median of 3 seeds" in text
    rows = [line.split() for line in text.splitlines() if re.match(r" +\d+ +[-+]?[\d.]+ ", line)]
    assert [row[0] for row in rows] == ["10", "20", "50", "100", "200"]
    flat, tree, exact = rows[-1][1], rows[-1][5], rows[-1][9]  # the value of a move for each algorithm
    assert tree == exact == "+1"  # mcts proves the same value that minimax finds
    assert float(flat) < 1
    texts = [each.text or "" for each in ElementTree.parse(file).getroot().iter(f"{SVG}text")]
    assert {"Value against playouts", "10", "20", "50", "100", "200"} <= set(texts)
    assert "%" not in cli.output(f"{NIM} --seeds 1")
    flat, tree, exact = cli.data(f"{NIM} --seeds 2")["algorithms"]
    assert [at["playouts"] for at in tree["points"]] == [10, 20, 50, 100, 200]
    assert tree["points"][-1]["values"] == [1, 1]
    assert (tree["points"][-1]["choice"], tree["points"][-1]["agree"]) == (exact["points"][-1]["choice"], 1)
    assert len({tuple(at["values"]) for at in exact["points"]}) == 1
    assert flat["points"][-1]["value"] < 1
    text = cli.output("compare nim(heaps=1-2) --algorithms montecarlo --playouts 50 --nodes 60")
    assert "A ends after 20 playouts: the node limit was reached" in text
