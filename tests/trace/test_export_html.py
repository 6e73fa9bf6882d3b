"""The HTML page of a recording: its contents, and its behavior in a browser."""

import copy
import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from browser import BROWSER, driven, needs_browser
from recordings import THREE, TWO_PLY, recording_of, trace_of

from gamesearch.algorithms.engine.formatting import with_signs
from gamesearch.errors import GamesearchError
from gamesearch.render.exports.html import export as html_page
from gamesearch.render.exports.html import page_data
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.reading import read_recording
from gamesearch.trace.recording import Recording
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.sentences import sentence

STAR1 = "expectiminimax(pruning=star1)"
STAR2 = "expectiminimax(depth=4, pruning=star2)"


def embedded_data(page: str) -> Any:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)
    return json.loads(text)


def rows_of(data: Any, kind: str) -> list[list[Any]]:
    return [row for row in data["events"] if data["kinds"][row[0]] == kind]


def boards_of(data: Any, name_at: int) -> dict[int, list[str]]:
    """Return the boards or positions of all nodes; as on the page, they are reconstructed from stored changes."""
    found: dict[int, list[str]] = {}
    for row in rows_of(data, "enter"):
        height, *changes = row[name_at]
        lines = {**dict(enumerate(found.get(row[2], [])))}
        lines |= {place: data["texts"][text] for place, text in zip(changes[::2], changes[1::2], strict=True)}
        found[row[1]] = [lines[place] for place in range(height)]
    return found


# The contents of the page. -----------------------------------------------------------------------
@pytest.mark.parametrize(
    ("game", "algorithm", "position"),
    [
        (TWO_PLY, "alphabeta", ""),
        ("tictactoe", "alphabeta(table=true, deepen=true)", "XX./O../..."),
        ("pig(target=12)", STAR2, ""),
        ("chess", "alphabeta(depth=2)", ""),
        ("othello(size=4)", "alphabeta(depth=4)", ""),
        ("[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]", "maxn", ""),
    ],
)
def test_the_page_holds_the_whole_recording(game: str, algorithm: str, position: str) -> None:
    recording = recording_of(game, algorithm, position)
    data = embedded_data(html_page(recording))
    assert data == page_data(recording)
    kinds = [data["kinds"][row[0]] for row in data["events"]]
    assert kinds == [event["event"] for event in recording.events] + ["end"]
    nodes = recording.nodes
    assert boards_of(data, 7) == {number: node.board for number, node in nodes.items()}
    assert {number: "".join(lines) for number, lines in boards_of(data, 8).items()} == {
        number: node.position for number, node in nodes.items()
    }
    for row in rows_of(data, "leave"):
        node, (value, bound, kind) = nodes[row[1]], [data["texts"][text] for text in row[2:5]]
        assert (value.replace("−", "-").replace("∞", "inf"), bound, kind) == (node.shown, node.bound, node.kind)
        assert row[5] == node.nodes


def test_the_sentences_are_those_of_watch() -> None:
    dice = "[{1/2: [8,9], 1/3: [24,1], 1/6: [-12,3]},{[3,4],[0,1]},{1/2: [2,9], 1/2: 0}]"
    for game, algorithm, said in (
        (TWO_PLY, "alphabeta", "2 moves are cut (b, c): Min already has 2 here, but Max has 3 with a at the root."),
        (THREE, "paranoid", "1 move is cut (b): the others already have 1 here, but P1 has 1 with a at the root."),
        (dice, STAR1, "1 move is cut (b): Min already has 0 here, outside the window [1.6667, +∞]."),
        (dice, STAR1, "Cutoff at the last outcome: the mean is outside the window [2.3333, +∞]."),
    ):  # fmt: skip
        stepper, data = Stepper(recording_of(game, algorithm)), page_data(recording_of(game, algorithm))
        for number, row in enumerate(data["events"]):
            stepper.go(number)
            assert data["texts"][row[-1]] == with_signs(sentence(stepper))
        assert said in data["texts"]


def test_five_thousand_nodes_stay_under_a_megabyte_and_load_nothing() -> None:
    recording = recording_of("tictactoe", "alphabeta", most=5_000)
    page = html_page(recording)
    assert len(recording.nodes) == 5_000
    assert len(page.encode()) < 1_000_000
    assert "13,297 nodes not recorded)." in page
    assert "default-src 'none'" in page
    assert not re.findall(r"https?:|\bsrc=|\bhref=|@import|url\(|fetch\(|\{\{", page)


def test_markup_in_a_trace_is_escaped() -> None:
    trap = "</script><script>alert(1)</script>{{style}}"
    text = trace_of(TWO_PLY, "alphabeta").replace('"move": "b"', f'"move": "{trap}"').replace('"tree(', f'"{trap}tree(')
    page = html_page(read_recording(text))
    assert page.count("<script") == page.count("</script>") == 2
    assert trap in embedded_data(page)["texts"]
    assert trap in unescape(re.findall("<h1>(.*)</h1>", page)[0])


def test_a_worksheet_shows_only_the_values_of_leaves() -> None:
    recording = recording_of("connect4", "alphabeta(depth=3)", "4453")
    page = html_page(recording, blank=True)
    data = embedded_data(page)
    assert {data["kinds"][row[0]] for row in data["events"]} == {"iteration", "enter", "leave", "end"}
    assert {data["texts"][row[6]] for row in rows_of(data, "enter")} == {"[ ____ , ____ ]"}
    leaves = {node.number: node.shown.replace("-", "−") for node in recording.nodes.values() if not node.children}
    assert {row[1]: data["texts"][row[2]] for row in rows_of(data, "leave")} == leaves
    assert 0 < len(leaves) < len(recording.nodes)
    others = set(data["texts"]) - set(leaves.values()) - {data["texts"][row[-1]] for row in rows_of(data, "leave")}
    assert not [text for text in others if re.search(r"∞|0\.\d|cut|value|best|alpha=", text)]
    assert data["texts"][data["events"][-1][2]] == "The search is complete."


def test_a_worksheet_contains_what_is_needed_to_fill_it_in() -> None:
    recording, blank = recording_of(TWO_PLY, "alphabeta"), "[ ____ , ____ ]"
    data = page_data(recording, blank=True)
    cut = {row[1]: [data["texts"][move] for move in row[9]] for row in rows_of(data, "enter")}
    assert {number: moves for number, moves in cut.items() if moves} == {5: ["b", "c"]}
    assert blank in data["texts"]
    data = page_data(limit_recording(recording, plies=1), blank=True)
    given = {row[1]: (data["texts"][row[2]], data["texts"][row[3]]) for row in rows_of(data, "leave")}
    assert given == {1: ("3", "exact"), 5: ("2", "upper"), 7: ("2", "exact")}, "nodes without children have values"
    for game, algorithm in ((TWO_PLY, "minimax"), ("[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]", "maxn")):
        assert blank not in page_data(recording_of(game, algorithm), blank=True)["texts"], "this search has no windows"


def test_the_page_knows_which_named_player_is_max(tmp_path: Path) -> None:
    recording = recording_of(THREE, "paranoid")
    assert page_data(recording)["sides"] == ["P1", "the others"]
    assert page_data(recording_of(TWO_PLY, "alphabeta"))["sides"] == ["Max", "Min"]
    if BROWSER is not None:
        (page,) = driven(
            html_page(recording), 'press("Home", "ArrowRight", "ArrowRight", "ArrowRight"); note()', tmp_path
        )
        assert page["sentence"] == "The others try a: the others are to move; alpha=−∞, beta=+∞."
        assert "▼ the others[−∞, +∞]" in page["rows"][1]


def test_damaged_and_empty_recordings_are_refused_in_one_sentence() -> None:
    recording = copy.deepcopy(recording_of(TWO_PLY, "alphabeta"))
    recording.events[5].pop("shown")
    with pytest.raises(GamesearchError, match="the trace is damaged: a line lacks a field that the page needs"):
        html_page(recording)
    empty = Recording(recording.header, [], {}, [], recording.end)
    with pytest.raises(GamesearchError, match="no nodes"):
        html_page(empty)


# In a browser. -----------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def lecture() -> str:
    return html_page(recording_of(TWO_PLY, "alphabeta"))


@needs_browser
def test_the_keys_replay_the_search(lecture: str, tmp_path: Path) -> None:
    keys = ["Home", "ArrowRight", "c", "b", "ArrowLeft", "f", "c", "End"]
    script = f"note(); for (const key of {keys}) {{ press(key); note() }}"
    whole, start, root, cut, after, left, done, last_cut, end = driven(lecture, script, tmp_path)
    assert whole["rows"][:2] == ["▾▲ Max[−∞, +∞] → [3, +∞]= 3", "▾a▼ Min[−∞, +∞] → [−∞, 3]= 3★"]
    assert whole["rows"][5:7] == ["▾b▼ Min[3, +∞] → [3, 2] (empty)≤ 2", "a■ end[3, +∞]= 2"]
    assert len(whole["rows"]) == 11
    assert start["count"] == "event 1 of 32"
    assert root["rows"] == ["▲ Max[−∞, +∞]"]
    assert (cut["struck"], cut["cuts"]) == (["b", "c"], ["✂ bc" + cut["sentence"]])
    assert cut["current"] == ["▾b▼ Min[3, +∞] → [3, 2] (empty)so far 2"]
    assert (cut["path"], cut["board"]) == ("root › b", "b: Min to move\n  a  2\n  b  4\n  c  6")
    assert after["count"] == cut["count"]  # the principal variation no longer changes
    assert left["sentence"].startswith("Min has 2 with its first move, a")
    assert done["sentence"].startswith("Min backs up at most 2")
    assert last_cut["sentence"].startswith("Cutoff at the last move")
    assert end == whole


@needs_browser
def test_the_slider_the_address_folding_and_the_selection_of_nodes(lecture: str, tmp_path: Path) -> None:
    script = """note();
    const slider = document.getElementById("slider");
    slider.value = 4; slider.dispatchEvent(new Event("input")); note();
    press("End", "ArrowDown"); note();
    press("Enter"); note();
    press("ArrowDown", "ArrowDown", "ArrowUp"); note();
    document.querySelector("#tree li li .fold").click(); note();
    all("#tree .node").at(-1).click(); note();
    press("?"); log.push(document.getElementById("help").open); press("Home"); note()"""
    address, slid, down, folded, moved, unfolded, clicked, help_, still = driven(lecture, script, tmp_path, "#step=17")
    assert (address["count"], address["struck"]) == ("event 17 of 32", ["b", "c"])
    assert slid["sentence"] == "The game ends with 3."
    assert down["selected"] == ["▾a▼ Min[−∞, +∞] → [−∞, 3]= 3★"]
    assert down["path"] == "root › a"
    assert down["current"][0].startswith("▾▲ Max")  # selecting another node does not step the search
    assert folded["selected"] == ["▸a▼ Min[−∞, +∞] → [−∞, 3]= 3★(3 below)"]
    assert len(folded["rows"]) == len(down["rows"]) - 3
    assert moved["path"] == "root › b"
    assert len(unfolded["rows"]) == 11
    assert (clicked["path"], clicked["board"]) == ("root › c › c", "c.c: 2")
    assert help_
    assert still["count"] == clicked["count"]


@needs_browser
def test_a_tree_of_five_thousand_nodes_draws_only_its_open_branches(tmp_path: Path) -> None:
    page = html_page(recording_of("tictactoe", "alphabeta", most=5_000))
    script = """press("Home"); for (let i = 0; i < 100; i++) press("c");
    note();
    press("End"); note(); log.push(all("#tree ul").length)"""
    cut, end, groups = driven(page, script, tmp_path)
    assert len(cut["rows"]) < 100
    assert cut["cuts"]
    assert (len(end["rows"]), end["rows"][-1]) == (5, "… 12,286 nodes not on this page")
    assert groups == 1


@needs_browser
def test_a_worksheet_a_chance_game_and_a_table_in_the_browser(tmp_path: Path) -> None:
    (sheet,) = driven(html_page(recording_of(TWO_PLY, "alphabeta"), blank=True), "note()", tmp_path)
    assert sheet["rows"][5:8] == [
        "▾b▼ Min[ ____ , ____ ]= ____",
        "a■ end[ ____ , ____ ]= 2",
        "▾c▼ Min[ ____ , ____ ]= ____",
    ]
    assert (sheet["cuts"], sheet["struck"]) == (["✂ bc"], ["b", "c"])
    (pig,) = driven(html_page(recording_of("pig(target=12)", STAR2)), "note()", tmp_path)
    assert "2(1/6)▲ Max[−∞, +∞]" in "".join(pig["rows"])
    assert "probe: only the first move is searched" in "".join(pig["rows"])
    table = recording_of("tictactoe", "alphabeta(table=true)", "X../.O./...")
    number = next(number for number, event in enumerate(table.events) if event["event"] == "table")
    (hit,) = driven(html_page(table), "note()", tmp_path, f"#step={number + 1}")
    assert hit["sentence"].startswith("The transposition table has a value for this position: at least +1;")
    assert hit["current"] == hit["selected"]
    assert len(hit["current"]) == 1


@needs_browser
def test_unfinished_searches_are_called_unfinished(tmp_path: Path) -> None:
    lines = trace_of(TWO_PLY, "alphabeta").splitlines()
    stopped = {**json.loads(lines[-1]), "stopped": "nodes", "value": None, "best": None}
    page = html_page(read_recording("\n".join([*lines[:17], json.dumps(stopped)])))
    (end,) = driven(page, "note()", tmp_path)
    assert end["sentence"].startswith("The search was stopped: the value is unknown")
    assert end["rows"][0] == "▾▲ Max[−∞, +∞] → [3, +∞]so far 3not finished"


@needs_browser
def test_the_tree_is_drawn_and_announced_as_a_tree(lecture: str, tmp_path: Path) -> None:
    script = """const see = () => log.push({
      marks: all("#picture .mark").map((each) => each.getAttribute("class").split(" ")[1]),
      values: words("#picture .worth"), struck: all("#picture .struck").length, best: all("#picture .best").length,
      width: Number(document.querySelector("#picture svg").getAttribute("width")),
      colors: new Set(all("#picture .mark path").map((each) => getComputedStyle(each).stroke)).size,
      rows: all("#tree .node").length,
    });
    see(); press("+"); see();
    all("#picture .mark.Min")[1].onclick(); see(); all("#picture .mark.Min")[1].onclick();
    press("Home"); press("ArrowRight"); see();
    press("Home", "c");
    const item = document.querySelector("[aria-current]");
    const names = ["level", "expanded", "selected", "current", "posinset", "setsize", "label"];
    log.push(item.role, names.map((name) => item.getAttribute(`aria-${name}`)));
    log.push(document.getElementById("tree").getAttribute("aria-activedescendant") === item.id);
    const scheme = () => getComputedStyle(document.documentElement).colorScheme;
    const toggle = document.getElementById("theme");
    toggle.click(); const one = scheme(); toggle.click(); log.push([one, scheme()].sort())"""
    whole, larger, folded, start, role, attributes, is_active, schemes = driven(lecture, script, tmp_path)
    assert whole["marks"] == ["Max", *["Min", "end", "end", "end"], "Min", "end", *["Min", "end", "end", "end"]]
    assert whole["values"] == ["3", "3", "3", "12", "8", "≤2", "2", "2", "14", "5", "2"]
    assert (whole["struck"], whole["best"], whole["colors"]) == (4, 2, 2)
    assert larger["width"] > whole["width"]
    assert (len(folded["marks"]), folded["struck"]) == (10, 0)
    assert folded["rows"] == whole["rows"] - 1
    assert start["marks"] == ["Max"]
    label = (
        "b ▼ Min [3, +∞] → [3, 2] (empty) so far 2. "
        "2 moves are cut (b, c): Min already has 2 here, but Max has 3 with a at the root."
    )
    assert (role, attributes) == ("treeitem", ["2", "true", "true", "step", "2", "2", label])
    assert is_active
    assert schemes == ["dark", "light"]
