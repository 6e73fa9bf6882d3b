"""Traces of memoization, dynamic programming and retrograde analysis."""

import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from browser import driven, needs_browser
from commands import Cli

from gamesearch.commands.visualizing.export import Frames
from gamesearch.errors import GamesearchError
from gamesearch.games.counting.nim import Nim
from gamesearch.registry import load
from gamesearch.render.exports.dot import export as dot_graph
from gamesearch.render.exports.html import export as html_page
from gamesearch.render.exports.svg import export as svg_image
from gamesearch.render.exports.tex import export as tex_document
from gamesearch.render.trees.growth_page import TABLE_STEPS
from gamesearch.render.trees.picture import Style
from gamesearch.solvers.solving import solve
from gamesearch.textbook.minimax import positions_after, values_by_dynamic_programming
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.questions import questions
from gamesearch.trace.reading import read_recording
from gamesearch.trace.recorder.tables import TABLES, record_table
from gamesearch.trace.recording import Recording
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.sentences import explanations
from gamesearch.tui.panes import node_text, tree_text

needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
SMALL = "nim(heaps=4, max_take=2)"
GAMES = [("nim(heaps=4, max_take=2)", ""), ("tictactoe", "XO./.X./..O"), ("nim(2-2-1, misere=true)", "")]


def recording_of(game: str, position: str = "", method: str = "dynamic_programming") -> Recording:
    return record_table(*load(game).setup(position), method)


@pytest.mark.parametrize("method", TABLES)
@pytest.mark.parametrize(("game", "position"), GAMES)
def test_every_position_gets_its_value_once(game: str, position: str, method: str) -> None:
    (rules, state), recording = load(game).setup(position), recording_of(game, position, method)
    values = {rules.key(s): value for s, value in values_by_dynamic_programming(rules, state).items()}
    firsts = [node for node in recording.nodes.values() if node.same is None]
    assert len(firsts) == len({rules.key(s) for s in positions_after(rules, state)})
    assert all(node.value == values[rules.key(rules.parse(node.position))] for node in recording.nodes.values())
    filled = [event["node"] for event in recording.events if event["event"] == "revalue"]
    assert sorted(filled) == [node.number for node in firsts if node.side != "end"]
    assert read_recording(recording.text).text == recording.text


def test_retrograde_analysis_of_a_game_that_repeats() -> None:
    """Wins and losses are found backwards from the finished games; all remaining positions are draws."""
    game, state = load("checkers(size=4)").setup("W:W4,5:B1,6")
    recording = record_table(game, state, "retrograde")
    solution = solve(game, state, "retrograde", speed="interpreted")
    assert recording.end["value"] == solution.value
    found = {recording.nodes[number].move: recording.nodes[number].value for number in recording.nodes[0].children}
    assert found == {game.move_name(state, each.move): each.value for each in solution.moves}
    assert any("both can continue forever" in line for line in explanations(Stepper(recording)))
    with pytest.raises(GamesearchError, match="can repeat: use --method retrograde"):
        record_table(game, state, "memo")


def test_memoization_searches_no_position_twice() -> None:
    recording = recording_of("tictactoe", "XO./.X./..O", "memo")
    copies = [node for node in recording.nodes.values() if node.same is not None]
    assert len(copies) == recording.end["table_hits"] > 0
    text = "\n".join(explanations(Stepper(recording)))
    assert text.count(" leads to a new position: ") == len(recording.nodes) - len(copies) - 1
    for node in copies:
        assert not node.children
        assert Stepper(recording).state_of(node.number, node.first_event).bound == "exact", "the value is in the table"
        assert re.search(rf"^ *{node.number}: .* \(node {node.same}\) again: the table has its value, ", text, re.M)


def test_missing_parents_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Nim, "parents", lambda game, s: iter(()))
    with pytest.raises(
        GamesearchError,
        match="the method `parents` of Nim returned 0 parents of '0 min', but 2 moves lead to this position",
    ):
        recording_of("nim(3)", "", "retrograde")


@pytest.mark.parametrize("game", [SMALL, "nim(2-2-1, misere=true)", "nim(heaps=9, max_take=3)"])
def test_dynamic_programming_computes_levels_and_drops_what_is_not_needed(game: str) -> None:
    """The trace has the levels, positions and drops of the solver, but draws only positions that can be reached."""
    (rules, state), recording = load(game).setup(""), recording_of(game)
    assert isinstance(rules, Nim)
    levels = [event for event in recording.events if event["event"] == "level"]
    assert [event["number"] for event in levels] == [*range(rules.level(state))]
    solution = solve(rules, state, "dynamic_programming", speed="interpreted")
    assert sum(event["count"] for event in levels) + 1 == solution.positions
    stepper, gone, level = Stepper(recording), set[int](), -1
    for event in recording.events:
        if event["event"] == "level":
            level = event["number"]
        if event["event"] == "revalue" and event["node"]:
            assert event["node"] in levels[level]["path"]
        if event["event"] == "drop":
            assert event["level"] + rules.reach == level
            assert event["path"] == levels[event["level"]]["path"]
            gone.update(event["path"])
            known = [node for each in levels[: level + 1] for node in each["path"]]
            assert event["kept"] == len({*known} - gone)
    assert gone or rules.reach >= rules.level(state)
    for node in recording.nodes.values():  # a value is used only while it is in the table
        for child in recording.children(node):
            assert not stepper.state_of(child.number, node.value_history[-1].event).is_dropped


def test_a_missing_position_of_a_level_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Nim, "states_of_level", lambda game, level: iter(()))
    with pytest.raises(GamesearchError, match="the method `states_of_level` of Nim leaves out "):
        recording_of(SMALL)


def test_the_tree_becomes_a_graph() -> None:
    recording = recording_of(SMALL)
    text = dot_graph(recording)
    assert text.count(" shape=") == recording.end["entries"] == 8
    assert text.count(" -> ") == len(recording.nodes) - 1 == 10
    assert " n5 " not in text
    assert "n2 -> n4 " in text
    assert text.count("penwidth=3") == 7, "four positions and three moves are on the best line"


@needs_graphviz
def test_graphs_are_drawn_in_svg_and_tikz() -> None:
    recording = recording_of(SMALL)
    texts = texts_of(svg_image(recording))
    assert texts[0] == "dynamic programming solves nim(heaps=4, misere=false, max_take=2), 4"
    assert {"4", "3\u00a0min", "0"} <= set(texts)
    tikz = tex_document(recording)
    assert tikz.count(" .. controls ") >= 10, "each move is a curve"
    assert tikz.count(r"\node[") == len(texts)
    part = svg_image(limit_recording(recording_of("nim(heaps=4)"), plies=1))
    assert texts_of(part)[-3:] == ["... 6 nodes", "... 2 nodes", "... 1 node"]
    assert part.count('class="position"') == 5


def texts_of(image: str) -> list[str | None]:
    return [each.text for each in ElementTree.fromstring(image).iter("{http://www.w3.org/2000/svg}text")]


def test_dropped_values_and_repeated_positions_on_the_screen() -> None:
    recording = recording_of(SMALL)
    stepper = Stepper(recording)
    first_drop = next(number for number, event in enumerate(recording.events) if event["event"] == "drop")
    stepper.go(first_drop - 1)
    assert "dropped" not in tree_text(stepper, 80, 24).plain
    assert "table     6 values\n" in node_text(stepper).plain
    stepper.next()
    lines = tree_text(stepper, 80, 24).plain.splitlines()
    gone = recording.events[first_drop]["path"]
    of_gone = {node.number for node in recording.nodes.values() if {node.number, node.same} & set(gone)}
    assert {int(line.split(":")[0].split()[-1]) for line in lines if "dropped" in line} == of_gone
    assert "  │   └ 9: a1 same as 8: end = +1 dropped" in [line.replace("*", "") for line in lines]
    assert "  │   └ 9: *a1 same as …" in tree_text(stepper, 24, 24).plain.splitlines()  # a narrow screen
    panel = node_text(stepper).plain
    assert "table     4 values, 2 dropped\n   -1  2: 2 min\n   +1  3: 2\n" in panel
    assert panel.splitlines()[-1] == "   +1  4: 1"


@needs_graphviz
def test_frames_show_the_table_as_it_is_filled() -> None:
    """Each frame shows the positions reached so far, with the values in the table; dropped positions are gray."""
    recording = recording_of(SMALL)
    stepper, images = Stepper(recording), Frames(recording, Style()).images()
    assert len(images) == len(recording.events) + 1
    firsts = [node for node in recording.nodes.values() if node.same is None]
    for moment, text in enumerate(images):
        groups = {each.get("id"): each for each in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}g")}
        for node in recording.nodes.values():
            known = stepper.state_of(node.number, moment)
            assert (f"to_n{node.number}" in groups) == (known.state != "unseen" and node.parent is not None)
            assert (f"n{node.number}" in groups) == (known.state != "unseen" and node in firsts)
            if f"n{node.number}" in groups:
                group = groups[f"n{node.number}"]
                texts = [each.text for each in group.iter("{http://www.w3.org/2000/svg}text")]
                assert texts[1] == known.shown.replace("-", "−")
                assert ("dropped" in group.get("class", "")) == known.is_dropped
    assert "dropped" in images[-1]


@needs_browser
@needs_graphviz
def test_the_page_of_a_table(tmp_path: Path) -> None:
    """The page has a step for each position that is reached, each value and each drop; the graph grows with them."""
    recording = recording_of(SMALL)
    counts = {kind: sum(event["event"] == kind for event in recording.events) for kind in TABLE_STEPS}
    script = """
    const seen = (query) => all(query).filter((each) => !each.hasAttribute("hidden")).length;
    const look = () => log.push([words("#count")[0], words("#sentence")[0], seen("#picture .position"),
      seen("#picture .edge"), seen("#picture .dropped"), words("#tree .value.dropped").length]);
    look();
    press("ArrowLeft", "ArrowLeft"); look();
    press("Home", "ArrowRight", "ArrowRight", "ArrowRight"); look();
    press("End"); all(".same")[0].click(); log.push(words(".same")[0], words("#path")[0]);
    """
    end, before, early, name, path = driven(html_page(recording), script, tmp_path)
    steps = sum(counts.values())
    assert end[0] == f"after {steps} of {steps} steps"
    assert end[2:] == [8, 10, 4, 7], "at the end, levels 2 to 4 are stored"
    assert before[1].startswith("The table gets the value +1 for position 3 min")
    assert before[2:] == [8, 10, 2, 4]
    assert early[1:] == ["a2 leads to a new position: Min is to move.", 3, 2, 0, 0]
    assert (name, path) == ("= 0", "root › a2 › a2")


KINDS_OF = {
    "memo": {"value", "stored", "position"},
    "dynamic_programming": {"value", "count", "level"},
    "retrograde": {"value", "decided"},
}


@pytest.mark.parametrize("method", TABLES)
def test_the_answers_of_questions_about_tables(method: str) -> None:
    """The events after a question show whether its answer is right."""
    recording = recording_of("nim(heaps=2-1, max_take=2)", "", method)
    found = list(questions(recording))
    assert {each.kind for each in found} == KINDS_OF[method]
    for asked in found:
        following = recording.events[asked.before + 1]
        if asked.kind == "position":
            assert asked.answer == " ".join(following["position"].split())
            assert asked.answer in asked.moves
        if asked.kind == "stored":
            assert asked.answer == ("no" if "same" in following else "yes")
            listed = asked.text.removeprefix("The table has the values of ").split(". ")[0].split("; ")
            assert listed == sorted(listed)
        if asked.kind == "count":
            assert int(asked.answer) == 2 * sum(a + b == following["number"] for a in range(3) for b in range(2))
        if asked.kind == "level":
            assert f"Level {int(asked.answer) + 2} is complete" in asked.text
            assert following["path"] == [
                node.number
                for node in recording.nodes.values()
                if node.same is None and sum(map(int, re.findall(r"\d", node.position))) == int(asked.answer)
            ]
        if asked.kind == "decided":
            is_open = "has no value yet" in asked.text
            wanted = "worth +1" if "Max is to move" in asked.text else "worth -1"
            assert asked.answer == ("yes" if wanted in asked.text or not is_open else "no")


def test_the_commands(tmp_path: Path, cli: Cli) -> None:
    assert "the values of each level" in cli.run("watch nim 4 --method dp").out
    printed = cli.run("solve nim 4 --method dp --tree").out
    assert "the table of" in printed
    assert "Max [+1, +1] = +1" in cli.run("solve nim 4 --method dp --tree --windows ranges").out
    assert "add --tree" in cli.refusal("solve nim 4 --windows ranges")
    assert "full screen" in cli.refusal("watch nim 4 --method dp --windows ranges")
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
