"""Traces of memoization, dynamic programming and retrograde analysis."""

import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import Cli

from gamesearch.errors import GamesearchError
from gamesearch.games.counting.nim import Nim
from gamesearch.registry import load
from gamesearch.render.exports.dot import export as dot_graph
from gamesearch.render.exports.svg import export as svg_image
from gamesearch.render.exports.tex import export as tex_document
from gamesearch.solvers.solving import solve
from gamesearch.textbook.minimax import positions_after, values_by_dynamic_programming
from gamesearch.trace.questions import Quiz
from gamesearch.trace.reading import read_recording
from gamesearch.trace.recorder.tables import TABLES, record_table
from gamesearch.trace.recording import Recording
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.sentences import explanations

GAMES = [("nim(heaps=4, max_take=2)", ""), ("tictactoe", "XO./.X./..O"), ("nim(2-2-1, misere=true)", "")]


def recorded(game: str, position: str, method: str) -> tuple[Any, Any, Recording]:
    rules, state = load(game).setup(position)
    return rules, state, record_table(rules, state, method)


@pytest.mark.parametrize("method", TABLES)
@pytest.mark.parametrize(("game", "position"), GAMES)
def test_every_position_gets_its_value_once(game: str, position: str, method: str) -> None:
    rules, state, recording = recorded(game, position, method)
    values = {rules.key(s): value for s, value in values_by_dynamic_programming(rules, state).items()}
    firsts = [node for node in recording.nodes.values() if node.same is None]
    assert len(firsts) == len({rules.key(s) for s in positions_after(rules, state)})
    assert all(node.value == values[rules.key(rules.parse(node.position))] for node in recording.nodes.values())
    filled = [event["node"] for event in recording.events if event["event"] == "revalue"]
    assert sorted(filled) == [node.number for node in firsts if node.side != "end"]
    assert read_recording(recording.text).text == recording.text


def test_retrograde_analysis_of_a_game_that_repeats() -> None:
    """Wins and losses are found backwards from the finished games; all remaining positions are draws."""
    game, state, recording = recorded("checkers(size=4)", "W:W4,5:B1,6", "retrograde")
    solution = solve(game, state, "retrograde", speed="interpreted")
    assert recording.end["value"] == solution.value
    found = {recording.nodes[number].move: recording.nodes[number].value for number in recording.nodes[0].children}
    assert found == {game.move_name(state, each.move): each.value for each in solution.moves}
    assert any("both can continue forever" in line for line in explanations(Stepper(recording)))
    with pytest.raises(GamesearchError, match="can repeat: watch --method retrograde"):
        record_table(game, state, "memo")


def test_memoization_searches_no_position_twice() -> None:
    recording = recorded("tictactoe", "XO./.X./..O", "memo")[2]
    copies = [node for node in recording.nodes.values() if node.same is not None]
    assert len(copies) == recording.end["table_hits"] > 0
    for node in copies:
        assert not node.children
        assert Stepper(recording).state_of(node.number, node.first_event).bound == "exact", "the table has it already"
    lines = list(explanations(Stepper(recording)))
    assert sum(" leads to a new position: " in line for line in lines) == len(recording.nodes) - len(copies) - 1
    assert sum(
        f" leads to the position of node {node.same}: the table has its value, " in line
        for node in copies
        for line in lines
        if line.strip().startswith(f"{node.number}: ")
    ) == len(copies)


def test_missing_parents_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Nim, "parents", lambda game, s: iter(()))
    with pytest.raises(
        GamesearchError, match="parents of Nim gives 0 positions before '0 min', but 2 moves lead there"
    ):
        recorded("nim(3)", "", "retrograde")


def test_dynamic_programming_drops_only_what_is_not_needed() -> None:
    recording = recorded("tictactoe", "XO./.X./..O", "dynamic_programming")[2]
    firsts = [node.number for node in recording.nodes.values() if node.same is None]
    stepper, dropped = Stepper(recording), set[int]()
    for number, event in enumerate(recording.events):
        if event["event"] == "drop":
            for gone in event["path"]:
                same = [node for node in recording.nodes.values() if gone in (node.number, node.same)]
                assert all(stepper.state_of(node.parent or 0, number).bound == "exact" for node in same)
            dropped.update(event["path"])
            known = sum(stepper.state_of(each, number).bound == "exact" for each in firsts)
            assert event["kept"] == known - len(dropped)
    assert len(dropped) == recording.end["entries"] - 1, "at the end, only the root's value is stored"


def test_the_tree_becomes_a_graph() -> None:
    recording = recorded("nim(heaps=4, max_take=2)", "", "dynamic_programming")[2]
    text = dot_graph(recording)
    assert text.count("[shape=") == recording.end["entries"] == 8
    assert text.count(" -> ") == len(recording.nodes) - 1 == 10
    assert "n5 " not in text
    assert "n2 -> n4 " in text
    assert text.count("penwidth=3") == 7, "four positions and three moves are on the best line"


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz, which draws graphs, is not installed")
def test_graphs_are_drawn_in_svg_and_tikz() -> None:
    recording = recorded("nim(heaps=4, max_take=2)", "", "dynamic_programming")[2]
    root = ElementTree.fromstring(svg_image(recording))
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == "dynamic programming solves nim(heaps=4, misere=false, max_take=2), 4"
    assert {"4", "3\u00a0min", "0"} <= set(texts)
    tikz = tex_document(recording)
    assert tikz.count(" .. controls ") >= 10, "each move is a curve"
    assert tikz.count(r"\node[") == len(texts)


@pytest.mark.parametrize("method", TABLES)
def test_quizzes_about_tables(method: str) -> None:
    quiz = Quiz(recorded("tictactoe", "XO./.X./..O", method)[2], seed=3, most=5)
    for question in list(quiz.questions):
        assert quiz.judge(question.answer).is_right
    assert quiz.score.startswith("5 of 5 right")


def test_the_commands(tmp_path: Path, cli: Cli) -> None:
    assert "level by level" in cli.run("watch nim 4 --method dp").out
    printed = cli.run("solve nim 4 --method dp --tree").out
    assert "the table of" in printed
    assert "method dynamic_programming" in printed
    trace = tmp_path / "nim.trace"
    cli.run("solve nim 4 --method memo --trace", trace)
    assert "exact values" in cli.run("show", trace).out
    said = cli.output("watch", trace).splitlines()
    positions = cli.data("solve nim 4 --method memo")["positions"]
    assert said[-2].endswith(f" {positions} of {positions} positions have a value.")
    assert said[-1].endswith(f"({positions} values, {read_recording(trace.read_text()).end['nodes']} nodes).")
    for suffix in (".html", ".svg", ".dot", ".tex", ".mmd"):
        assert "nodes drawn" in cli.run("export", trace, "--to", tmp_path / f"nim{suffix}").err
    assert "more than 10,000 nodes" in cli.refusal("watch tictactoe --method retrograde")
