"""A game's graph as SVG, as DOT and as a page; the page is opened in a browser."""

import json
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from browser import driven, needs_browser
from support import Maze, Spot

from gamesearch.commands.visualizing.graph import html_page
from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.render.graphs import Picture, dot_text, picture_of, svg_image
from gamesearch.solvers.graphs.positions import PositionGraph, solve_graph

SVG = "{http://www.w3.org/2000/svg}"
SIX = ("nim(heaps=6, max_take=3)", "6", "6 min")


def graph_of(specification: str, *texts: str) -> PositionGraph:
    game, state = load(specification).setup(texts[0] if texts else "")
    return solve_graph(game, [state, *map(game.parse, texts[1:])], 1_000)


def picture(specification: str, *texts: str) -> Picture:
    return picture_of(graph_of(specification, *texts))


def groups(image: str, kind: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(image)
    return [each for each in root.iter(f"{SVG}g") if each.get("class", "").split()[:1] == [kind]]


def of_the_game(image: str, kind: str) -> list[ElementTree.Element]:
    return [each for each in groups(image, kind) if "legend" not in each.get("class", "").split()]


def words(element: ElementTree.Element) -> list[str]:
    """Return the lines of a label in a picture by Graphviz, which draws texts of different colors separately."""
    lines: dict[str, str] = {}
    for text in element.iter(f"{SVG}text"):
        height = text.get("y", "")
        lines[height] = lines.get(height, "") + "".join(text.itertext())
    return [line.replace("\u00a0", " ") for line in lines.values()]


GRAPHVIZ = shutil.which("dot")
needs_graphviz = pytest.mark.skipif(GRAPHVIZ is None, reason="Graphviz, which draws the image, is not installed")


# The contents of the pictures. -------------------------------------------------------------------
@needs_graphviz
def test_six_stones_with_either_player_to_start() -> None:
    image = svg_image(picture(*SIX))
    nodes, arrows = of_the_game(image, "node"), of_the_game(image, "edge")
    assert [node.get("id") for node in nodes] == [f"p{number}" for number in range(14)]
    assert [words(nodes[0]), words(nodes[3])] == [["6", "+1 in 3"], ["4 min", "+1 in 2"]]
    best = {arrow.get("id") for arrow in arrows if "best" in arrow.get("class", "")}
    assert len(arrows) == 30
    assert {"p0-p2", "p0-p3", "p0-p4"} & best == {"p0-p3"}
    legend = [each for each in groups(image, "node") if "legend" in each.get("class", "")]
    told = ["Max to move", "Min to move", "the game is over", "best", "gives value away"]
    assert [line for node in legend for line in words(node)] == told
    lines = [each.get("class") for each in groups(image, "edge") if "legend" in each.get("class", "")]
    assert lines == ["edge legend best", "edge legend worse"]


def test_shapes_show_the_player_to_move_and_outcomes_their_probability() -> None:
    nodes = re.findall(r"^  p\d+ \[.*", dot_text(picture("{1/2: [8,9], 1/2: min[24,1]}")), re.MULTILINE)
    shapes = [re.findall(r"shape=\w+|peripheries=2", node) for node in nodes]
    assert shapes[:3] == [["shape=ellipse"], ["shape=house"], ["shape=invhouse"]]
    assert shapes[3] == ["shape=box", "peripheries=2"]
    with pytest.raises(GamesearchError, match=r"nim has 2,\d{3} moves from here, but at most 2,000 moves can be drawn"):
        picture("nim(heaps=46)")
    arrows = picture("{1/2: 8, 1/3: 24, 1/6: -12}").arrows
    assert [arrow.label for arrow in arrows] == ["a (1/2)", "b (1/3)", "c (1/6)"]


def test_moves_to_the_same_position_share_an_arrow_and_loops_are_drawn() -> None:
    game = Maze(21)
    graph = solve_graph(game, [game.initial()], 100)
    pairs = Counter((n, edge.target) for n, position in enumerate(graph.positions) for edge in position.edges)
    assert max(pairs.values()) == 2
    assert any(source == target for source, target in pairs)
    drawn = picture_of(graph)
    assert {(arrow.source, arrow.target) for arrow in drawn.arrows} == set(pairs)
    assert len(drawn.arrows) == len(pairs)
    assert len(re.findall(r"p\d+ -> p\d+ ", dot_text(drawn))) == len(pairs)
    if GRAPHVIZ:
        assert len(of_the_game(svg_image(drawn), "edge")) == len(pairs)


STRING = r'"([^"\\]|\\.)*"'
DOT_LINE = re.compile(
    rf"digraph {STRING} \{{|\}}|  (  |\{{ rank=sink; )?(graph|node|edge|[pl]\d+( -> [pl]\d+)?) "
    rf"\[(\w+=({STRING}|<.*>|[\w.]+) ?)*\]|  \{{ rank=source;( p\d+;)+ \}}|  \}}"
)


def test_dot_contains_ranks_and_best_moves() -> None:
    lines = dot_text(picture(*SIX)).splitlines()
    assert [line for line in lines if not DOT_LINE.fullmatch(line)] == []
    assert "  { rank=source; p0; p1; }" in lines
    assert '  p0 -> p3 [id="p0-p3" class="best" penwidth=3 label=<<b>&#160;a2&#160;</b>> tooltip="a2: best"]' in lines
    assert sum(line.startswith("  p") and "peripheries=2" in line for line in lines) == 2


class Tags(Maze):
    """A game whose texts contain markup in HTML and in DOT."""

    name = "tags"
    names = ("<b>", 'say "\\n"')

    def format(self, s: Spot) -> str:
        return f'</script>"\\{s.place}'


@needs_graphviz
def test_markup_in_the_texts_of_a_game_is_escaped() -> None:
    game = Tags(2)
    graph = solve_graph(game, [game.initial()], 100)
    drawn = picture_of(graph)
    assert words(of_the_game(svg_image(drawn), "node")[0])[0] == '</script>"\\0'
    page = html_page(graph, drawn)
    assert page.count("</script>") == 2
    assert embedded_data(page)["positions"][0]["position"] == '</script>"\\0'
    lines = dot_text(drawn).splitlines()
    assert all(DOT_LINE.fullmatch(line) for line in lines)
    assert any("label=<&lt;/script&gt;&quot;\\0<br/>" in line for line in lines)


# The page. ---------------------------------------------------------------------------------------
NOTING = """
const text = (name) => document.getElementById(name).textContent;
const note = () => log.push({
  name: text("name"), board: text("board"), facts: text("facts"), before: text("before"),
  moves: [...document.querySelectorAll("#moves tr")].map((row) => row.textContent),
  near: [...document.querySelectorAll(".node.near")].map((node) => Number(node.id.slice(1))),
  apart: document.querySelector("svg").classList.contains("apart"),
  view: document.querySelector("#picture svg").getAttribute("viewBox").split(" ").map(Number),
});
"""


def embedded_data(page: str) -> Any:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)
    return json.loads(text)


@needs_graphviz
def test_the_page_of_a_graph_loads_no_other_files() -> None:
    graph = graph_of(*SIX)
    page = html_page(graph, picture_of(graph))
    assert "default-src 'none'" in page
    assert not re.search(r'(src|href)="|url\(|@import|\{\{', page)
    assert "http:" not in re.sub(r'xmlns(:xlink)?="http://www.w3.org/\d+/\w+"', "", page)
    data = embedded_data(page)
    assert (data["starts"], data["positions"][3]["words"]) == ([0, 1], "Max wins in 2 plies")
    remarks = [move["remark"] for move in data["positions"][0]["moves"]]
    assert remarks == ["gives value away", "best", "gives value away"]


@needs_browser
@needs_graphviz
def test_the_page_describes_the_position_pointed_at(tmp_path: Path) -> None:
    graph = graph_of(*SIX)
    script = """
    note();
    const nodes = [...document.querySelectorAll(".node")];
    nodes[3].dispatchEvent(new MouseEvent("mouseenter")); note();
    nodes[3].dispatchEvent(new MouseEvent("mouseleave")); note();
    nodes[3].focus(); press("Enter"); nodes[0].dispatchEvent(new MouseEvent("mouseenter")); note();
    document.querySelector("#moves button").click(); note();
    press("Escape"); document.activeElement.blur(); press("+"); note();
    press("ArrowRight"); note();
    press("0"); note()"""
    start, pointed, away, kept, followed, larger, right, whole = driven(
        html_page(graph, picture_of(graph)), script, tmp_path, noting=NOTING
    )
    assert (start["name"], start["facts"], start["apart"]) == ("6", "Max to move: Max wins in 3 plies", False)
    assert (pointed["name"], pointed["facts"]) == ("4 min", "Min to move: Max wins in 2 plies")
    assert pointed["moves"] == ["a13+1 in 1best", "a22+1 in 1best", "a31+1 in 1best"]
    assert pointed["before"] == "Reached from: 65"
    assert (pointed["near"], pointed["apart"]) == ([0, 3, 5, 7, 8, 9], True)
    assert away == start
    assert (kept["name"], followed["name"]) == ("4 min", "3")
    assert larger["name"] == "6"
    assert larger["view"][2] == pytest.approx(start["view"][2] / 1.25)
    assert right["view"] == pytest.approx([larger["view"][0] + larger["view"][2] / 10, *larger["view"][1:]])
    assert whole["view"] == start["view"]
