"""A game's graph as SVG, as DOT and as a page: what they show, and what a browser makes of it."""

import html
import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support import Maze, Spot

from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.render.graph_dot import dot_text
from gamesearch.render.graph_html import html_page
from gamesearch.render.graph_picture import Picture, picture_of
from gamesearch.render.graph_svg import svg_image
from gamesearch.solvers.positions import PositionGraph, solved_graph

SVG = "{http://www.w3.org/2000/svg}"
SIX = ("nim(heaps=6, max_take=3)", "6", "6 min")


def graph_of(specification: str, *texts: str) -> PositionGraph:
    game, state = load(specification).setup(texts[0] if texts else "")
    return solved_graph(game, [state, *map(game.parse, texts[1:])], 1_000)


def picture(specification: str, *texts: str) -> Picture:
    return picture_of(graph_of(specification, *texts))


def groups(image: str, kind: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(image)
    return [each for each in root.iter(f"{SVG}g") if kind in each.get("class", "").split()]


def words(element: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


# What the pictures show. -------------------------------------------------------------------------
def test_six_stones_with_either_player_to_start() -> None:
    image = svg_image(picture(*SIX))
    nodes = groups(image, "node")
    assert words(nodes[0]) == ["6", "+1 in 3"]
    assert words(nodes[3]) == ["4 min", "+1 in 2"]
    assert [len(groups(image, kind)) for kind in ("node", "start")] == [14, 2]
    arrows = [move for move in groups(image, "move") if move.find(f"{SVG}path") is not None]
    best = {(move.get("data-from"), move.get("data-to")) for move in arrows if "best" in move.get("class", "")}
    assert len(arrows) == 30
    assert ("0", "3") in best
    assert not {("0", "2"), ("0", "4")} & best


def test_shapes_say_whose_turn_it_is() -> None:
    nodes = groups(svg_image(picture("{1/2: [8,9], 1/2: min[24,1]}")), "node")
    shapes = [[each.tag.removeprefix(SVG) for each in node if "shape" in each.get("class", "")] for node in nodes]
    assert shapes[:3] == [["ellipse"], ["polygon"], ["polygon"]]
    assert shapes[3] == ["rect", "rect"], "the end has a double border"
    (upper, lower) = [node.find(f"{SVG}polygon") for node in nodes[1:3]]
    assert upper is not None
    assert lower is not None
    heights = [[float(pair.split(",")[1]) for pair in each.get("points", "").split()] for each in (upper, lower)]
    assert heights[0][0] == min(heights[0]), "Max's house points up"
    assert heights[1][0] == max(heights[1]), "Min's points down"


def test_a_board_is_drawn_where_it_is_small() -> None:
    nodes = groups(svg_image(picture("tictactoe", "XX./OO./..X")), "node")
    assert words(nodes[0]) == ["X X 3", "O O 6", "7 8 X", "−1 in 1"]
    assert picture("pig(target=1)").nodes[0].lines == ["0,0,0"]


def test_outcomes_show_their_probability() -> None:
    arrows = picture("{1/2: 8, 1/3: 24, 1/6: -12}").arrows
    assert [arrow.label for arrow in arrows] == ["a (1/2)", "b (1/3)", "c (1/6)"]


def test_moves_to_the_same_position_share_an_arrow_and_loops_are_drawn() -> None:
    game = Maze(21)
    graph = solved_graph(game, [game.initial()], 100)
    pairs = Counter((n, edge.target) for n, position in enumerate(graph.positions) for edge in position.edges)
    assert max(pairs.values()) == 2
    assert any(source == target for source, target in pairs)
    drawn = picture_of(graph)
    assert {(arrow.source, arrow.target) for arrow in drawn.arrows} == set(pairs)
    assert len(drawn.arrows) == len(pairs)
    arrows = [move for move in groups(svg_image(drawn), "move") if move.find(f"{SVG}path") is not None]
    assert len(arrows) == len(pairs)
    assert dot_text(drawn).count(" -> ") == len(pairs)


def test_no_label_covers_another_in_six_stones() -> None:
    places = []
    for move in groups(svg_image(picture(*SIX)), "move"):
        for label in move.iter(f"{SVG}rect"):
            places.append([float(label.get(name, "")) for name in ("x", "y", "width")])
    assert len(places) == 30
    for number, (x, y, width) in enumerate(places):
        for x2, y2, width2 in places[number + 1 :]:
            assert abs(x + width / 2 - x2 - width2 / 2) >= (width + width2) / 2 or abs(y - y2) >= 11


DOT_LINE = re.compile(
    r'digraph game \{|\}|  (label="[^"]*"|node|edge|p\d+( -> p\d+)?)[ \w=]*( ?\[(\w+=("([^"\\]|\\.)*"|[\w.]+) ?)*\])?'
    r"|  \{ rank=same;( p\d+;)+ \}"
    r'|  label="([^"\\]|\\.)*" labelloc=t fontname=monospace'
)


def test_dot_has_a_rank_for_each_layer() -> None:
    lines = dot_text(picture(*SIX)).splitlines()
    assert all(DOT_LINE.fullmatch(line) for line in lines)
    assert [line for line in lines if "rank=same" in line][:2] == [
        "  { rank=same; p0; p1; }",
        "  { rank=same; p2; p5; }",
    ]
    assert '  p0 -> p3 [label="a2" penwidth=3]' in lines
    assert sum("peripheries=2" in line for line in lines) == 2


class Tags(Maze):
    """A game whose texts mean something in HTML and in DOT."""

    name = "tags"
    names = ("<b>", 'say "\\n"')

    def format(self, s: Spot) -> str:
        return f'</script>"\\{s.place}'


def test_texts_are_written_so_that_they_are_only_texts() -> None:
    game = Tags(2)
    graph = solved_graph(game, [game.initial()], 100)
    drawn = picture_of(graph)
    assert words(groups(svg_image(drawn), "node")[0])[0] == '</script>"\\0'
    page = html_page(graph, drawn)
    assert page.count("</script>") == 2
    assert embedded(page)["positions"][0]["position"] == '</script>"\\0'
    lines = dot_text(drawn).splitlines()
    assert all(DOT_LINE.fullmatch(line) for line in lines)
    assert any('label="</script>\\"\\\\0\\n' in line for line in lines)


def test_too_many_moves_are_refused() -> None:
    with pytest.raises(
        GamesearchError, match=r"nim has 2,\d\d\d moves from here: more than 2,000 are too many to draw"
    ):
        picture("nim(heaps=46)")


# The page. ---------------------------------------------------------------------------------------
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="Chromium, which would show the page, is not installed")
DRIVER = """
const log = [];
const text = (name) => document.getElementById(name).textContent;
const press = (key, at = document.activeElement) =>
  at.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const note = () => log.push({
  name: text("name"), board: text("board"), facts: text("facts"), before: text("before"),
  moves: [...document.querySelectorAll("#moves tr")].map((row) => row.textContent),
  near: [...document.querySelectorAll(".node.near")].map((node) => Number(node.dataset.number)),
  apart: document.querySelector("svg").classList.contains("apart"),
  view: document.querySelector("#picture svg").getAttribute("viewBox").split(" ").map(Number),
});
"""


def embedded(page: str) -> Any:
    (text,) = re.findall(r'<script type="application/json" id="graph">(.*?)</script>', page)
    return json.loads(text)


def driven(page: str, script: str, folder: Path) -> Any:
    """What a script notes that drives the page in a browser without a window."""
    file = folder / "page.html"
    tell = "document.body.innerHTML = '<pre></pre>'; document.querySelector('pre').textContent = JSON.stringify(log);"
    file.write_text(page.replace("</body>", f"<script>{{{DRIVER}{script};{tell}}}</script></body>"), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"--user-data-dir={folder / 'profile'}"]
    command = [str(BROWSER), *options, file.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120, check=True).stdout
    return json.loads(html.unescape(re.findall("<pre>(.*)</pre>", shown, re.DOTALL)[0]))


def test_the_page_is_whole_in_itself() -> None:
    graph = graph_of(*SIX)
    page = html_page(graph, picture_of(graph))
    assert not re.search(r'(src|href)="|url\(|@import|\{\{', page)
    assert "http" not in page.replace('xmlns="http://www.w3.org/2000/svg"', "")
    data = embedded(page)
    assert data["starts"] == [0, 1]
    assert data["positions"][3]["words"] == "Max wins in 2 plies"
    assert [move["remark"] for move in data["positions"][0]["moves"]] == [
        "gives value away",
        "best",
        "gives value away",
    ]


@needs_browser
def test_the_page_tells_of_the_position_pointed_at_and_moves_about(tmp_path: Path) -> None:
    graph = graph_of(*SIX)
    script = """
    note();
    const nodes = [...document.querySelectorAll(".node")];
    nodes[3].dispatchEvent(new MouseEvent("mouseenter")); note();
    nodes[3].dispatchEvent(new MouseEvent("mouseleave")); note();
    nodes[3].focus(); press("Enter"); nodes[0].dispatchEvent(new MouseEvent("mouseenter")); note();
    document.querySelector("#moves button").click(); note();
    press("Escape"); press("+", document.body); note();
    press("ArrowRight", document.body); note();
    press("0", document.body); note()"""
    start, pointed, away, kept, followed, larger, right, whole = driven(
        html_page(graph, picture_of(graph)), script, tmp_path
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
