"""Exports in each format can be read by a parser of the format."""

import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from recordings import TWO_PLY, record_proof, recording_of, trace_of

from gamesearch.algorithms.engine.formatting import typeset
from gamesearch.commands.visualizing.export import Frames
from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.render.exports.dot import export as dot_graph
from gamesearch.render.exports.mmd import MOST_EDGES
from gamesearch.render.exports.mmd import export as mermaid_chart
from gamesearch.render.exports.svg import export as svg_image
from gamesearch.render.exports.svg import extent
from gamesearch.render.exports.tex import export as tex_document
from gamesearch.render.formats.tikz import tikz_lines
from gamesearch.render.trees.layout import tidy
from gamesearch.render.trees.picture import Picture, Style, picture_of
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.reading import read_recording
from gamesearch.trace.recorder.tables import record_table
from gamesearch.trace.recording import Recording

RECORDINGS = {
    "textbook": recording_of(TWO_PLY, "alphabeta"),
    "table": limit_recording(
        recording_of("tictactoe", "alphabeta(table=true, memory=1, deepen=true)", "X.O/.X./..."), nodes=60
    ),
    "chance": recording_of("pig(target=6)", "expectiminimax(depth=3, pruning=star2)"),
    "players": recording_of("[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]", "maxn"),
    "unfinished": recording_of("tictactoe", "minimax", nodes=50),
    "playouts": limit_recording(recording_of("tictactoe", "mcts(playouts=60)", "XO./.../..."), plies=2, width=3),
    "expansions": limit_recording(
        recording_of("tictactoe", "bestfirst(expansions=40)", "XO./.../..."), plies=3, width=3
    ),
    "beliefs": recording_of("[[99,1000,1000,1000],[100,101,102,100]]", "beliefs(error=5, leaves=payoffs)"),
    "beliefs with dice": limit_recording(recording_of("pig(target=8)", "beliefs(expansions=9)"), plies=2),
    "proof numbers": limit_recording(record_proof("tictactoe", "proof(search=pn)", "XO./.X./..O")[0], plies=3, width=3),
    "proof numbers of points": record_proof("dotsandboxes(rows=1, columns=1)", "proof(search=pn)")[0],
    "playouts of a race": recording_of("pig(target=6)", "montecarlo(playouts=9)"),
    "cut off by the recorder": recording_of("tictactoe", "alphabeta(depth=3)", most=50),
}
every_recording = pytest.mark.parametrize("recording", RECORDINGS.values(), ids=RECORDINGS.keys())
blank_or_not = pytest.mark.parametrize("blank", [False, True])
TEXTBOOK = RECORDINGS["textbook"]
SVG = "{http://www.w3.org/2000/svg}"


HOSTILE_MOVE = '<b>&"]) --> x; %$#_{}~^\\[,|`end\u2655'


def hostile() -> Recording:
    """Return a recording in which a move contains markup of every format."""
    header, *events = map(json.loads, trace_of("[[1],[2]]", "minimax").splitlines())
    for event in events:
        event |= {"move": HOSTILE_MOVE} if event.get("move") == "a" else {}
    return read_recording("\n".join(map(json.dumps, [header | {"position": "p\nq"}, *events])))


# The picture. ------------------------------------------------------------------------------------
@every_recording
def test_a_worksheet_is_its_solution_without_values_and_windows(recording: Recording) -> None:
    solution, sheet = picture_of(recording, blank=False), picture_of(recording, blank=True)
    assert list(solution.nodes()) == list(sheet.nodes())
    for node in sheet.nodes():
        assert not sheet.is_bold(node)
        assert sheet.window(node) == ("[__, __]" if node.window else "")
        is_inner = any(child.shape not in ("cut", "hidden") for child in node.children)
        assert sheet.value(node) == ("__" if is_inner and node.value else typeset(node.value))


def test_the_textbooks_tree_in_every_format() -> None:
    nodes = {node.name: node for node in picture_of(TEXTBOOK, blank=False).nodes()}
    assert [node.shape for node in nodes.values()] == (
        ["max", "min", "leaf", "leaf", "leaf", "min", "leaf", "cut", "min", "leaf", "leaf", "leaf"]
    )
    assert (nodes["n5"].value, nodes["n5"].window, nodes["c5"].edge) == ("<= 2", "[3, +inf]", "b, c")
    assert [name for name, node in nodes.items() if node.is_best] == ["n0", "n1", "n2"]
    image = svg_image(TEXTBOOK)
    texts = [each.text for each in ElementTree.fromstring(image).iter(f"{SVG}text")]
    assert texts.count("[−∞, +∞]") == 3
    assert {"≤ 2", "b, c"} <= set(texts)
    assert set(re.findall(r"#[0-9a-f]{3,6}\b", image)) == {"#000", "#fff"}, "a figure is black on white"
    assert '<rect width="100%" height="100%" fill="#fff"/>' in image
    dot, tex = dot_graph(TEXTBOOK), tex_document(TEXTBOOK)
    assert '  n5 [shape=invtriangle label="≤ 2\\n[3, +∞]"]\n' in dot
    assert '  n5 -> c5 [style=dashed arrowhead=tee label="cut"]\n' in dot
    assert r"{$\leq$ 2};" in tex
    assert r"{{[}$-$$\infty${,} +$\infty${]}};" in tex
    assert r"{\rule{1.1em}{0.4pt}};" in tex_document(TEXTBOOK, blank=True)
    part = picture_of(limit_recording(TEXTBOOK, plies=1), blank=False)
    hidden = [node.edge for node in part.nodes() if node.shape == "hidden"]
    assert hidden == ["... 3 nodes", "... 1 node", "... 3 nodes"]
    assert part.caption.endswith("2 cutoffs, 4 of 11 nodes drawn")


def test_pictures_that_cannot_be_drawn() -> None:
    with pytest.raises(GamesearchError, match="this trace has no tree to draw"):
        picture_of(recording_of("tictactoe", "random"), blank=False)
    with pytest.raises(GamesearchError, match=r"pixels wide or high, .*: draw a smaller part"):
        svg_image(recording_of("tictactoe", "minimax(depth=4)"))
    with pytest.raises(GamesearchError, match="TeX allows at most 21,000"):
        tex_document(recording_of("tictactoe", "minimax(depth=3)"))
    most = recording_of(f"[{','.join('1' * MOST_EDGES)}]", "minimax")
    assert mermaid_chart(most).count("---|") == MOST_EDGES - 1, "the remaining edge is the best line"
    with pytest.raises(GamesearchError, match="has 501 edges"):
        mermaid_chart(recording_of(f"[{','.join('1' * (MOST_EDGES + 1))}]", "minimax"))


# SVG. --------------------------------------------------------------------------------------------
@every_recording
@blank_or_not
def test_svg_is_xml_that_draws_every_node(recording: Recording, blank: bool) -> None:
    root = ElementTree.fromstring(svg_image(recording, blank))
    assert root.tag == f"{SVG}svg"
    picture = picture_of(recording, blank)
    marks = Counter(node.shape for node in picture.nodes())
    lines = root.findall(f"{SVG}g/{SVG}line")
    assert len(lines) == sum(1 for _ in picture.edges()) + 2 * marks["cut"]
    shapes = [each for each in root.findall(f"{SVG}g[last()]/*") if "shape" in each.get("class", "")]
    assert len(shapes) == sum(marks.values()) - marks["cut"] - marks["hidden"]
    assert sum(each.tag == f"{SVG}circle" for each in shapes) == marks["chance"]


@every_recording
def test_a_worksheet_has_the_layout_of_its_solution(recording: Recording) -> None:
    def shapes(blank: bool) -> list[dict[str, str]]:
        image = ElementTree.fromstring(svg_image(recording, blank))
        return [
            {name: value for name, value in each.attrib.items() if name != "class"}
            for each in image.iter()
            if each.tag in (f"{SVG}path", f"{SVG}rect", f"{SVG}circle", f"{SVG}line")
        ]

    assert shapes(blank=True) == shapes(blank=False)


def place(picture: Picture) -> tuple[dict[str, float], dict[str, int]]:
    nodes = list(picture.nodes())
    depths = {picture.root.name: 0}
    for node, child in picture.edges():
        depths[child.name] = depths[node.name] + 1
    return tidy(nodes, extent, 10), depths


@every_recording
def test_nodes_do_not_overlap_and_parents_stand_above_the_middle(recording: Recording) -> None:
    picture = picture_of(recording, blank=False)
    places, depths = place(picture)
    last_end: dict[int, float] = {}
    for node in picture.nodes():
        left, right = extent(node)
        depth, x = depths[node.name], places[node.name]
        assert x - left >= last_end.get(depth, -10.001) + 9.999, "nodes are drawn from left to right with a gap"
        last_end[depth] = x + right
        if node.children:
            middle = (places[node.children[0].name] + places[node.children[-1].name]) / 2
            assert x == pytest.approx(middle)
    assert min(places[node.name] - extent(node)[0] for node in picture.nodes()) == pytest.approx(0)


# DOT. --------------------------------------------------------------------------------------------
STRING = r'"(?:[^"\\\n]|\\.)*"'
ATTRIBUTES = rf"\[\w+=(?:{STRING}|[\w.]+)(?: \w+=(?:{STRING}|[\w.]+))*\]"
STATEMENT = re.compile(rf"  (?P<name>\w+)(?: -> (?P<child>\w+))? {ATTRIBUTES}")


@pytest.mark.parametrize("recording", [*RECORDINGS.values(), hostile()], ids=[*RECORDINGS, "hostile"])
@blank_or_not
def test_dot_is_a_graph(recording: Recording, blank: bool, tmp_path: Path) -> None:
    text = dot_graph(recording, blank)
    first, *statements, last = text.splitlines()
    assert (first, last) == ("digraph search {", "}")
    found = [STATEMENT.fullmatch(line) for line in statements]
    assert None not in found
    matches = [match for match in found if match is not None]
    nodes = [match["name"] for match in matches if match["child"] is None][3:]
    edges = [(match["name"], match["child"]) for match in matches if match["child"] is not None]
    picture = picture_of(recording, blank)
    assert nodes == [node.name for node in picture.nodes()]
    assert edges == [(node.name, child.name) for node, child in picture.edges()]
    bold = {match["child"] or match["name"] for match in matches if "penwidth=3" in match[0]}
    assert bold == {node.name for node in picture.nodes() if picture.is_bold(node)}
    if dot := shutil.which("dot"):
        (tmp_path / "tree.dot").write_text(text, encoding="utf-8")
        subprocess.run([dot, "-Tsvg", "-o", tmp_path / "tree.svg", tmp_path / "tree.dot"], check=True)


# Mermaid. ----------------------------------------------------------------------------------------
PLAIN = r'"[^"`]*"'
NODE = re.compile(
    rf"  (\w+)(?:\[/{PLAIN}\\\]|\[\\{PLAIN}/\]|\(\({PLAIN}\)\)|\[{PLAIN}\]|\({PLAIN}\)|\{{\{{{PLAIN}\}}\}}|>{PLAIN}\])"
)
EDGE = re.compile(rf'  (\w+) (?:(?:---|===)\|{PLAIN}\||-\. "cut" \.-|-\.-) (\w+)')


@pytest.mark.parametrize("recording", [*RECORDINGS.values(), hostile()], ids=[*RECORDINGS, "hostile"])
@blank_or_not
def test_mermaid_is_a_flowchart(recording: Recording, blank: bool) -> None:
    lines = mermaid_chart(recording, blank).splitlines()
    assert (lines[0], lines[1][:8], lines[2:4]) == ("---", 'title: "', ["---", "flowchart TD"])
    picture = picture_of(recording, blank)
    count = sum(1 for _ in picture.nodes())
    nodes, edges = lines[4 : 4 + count], lines[4 + count :]
    assert [match and match[1] for match in map(NODE.fullmatch, nodes)] == [node.name for node in picture.nodes()]
    assert [match and match.groups() for match in map(EDGE.fullmatch, edges)] == [
        (node.name, child.name) for node, child in picture.edges()
    ]


def test_mermaid_keeps_the_text_of_a_move() -> None:
    label = re.search(r'\|"(.*)"\|', mermaid_chart(hostile()))
    assert label is not None
    assert re.sub(r"#(\d+);", lambda match: chr(int(match[1])), label[1]) == HOSTILE_MOVE


def test_mermaid_and_dot_draw_the_same_graph() -> None:
    recording = record_table(*load("nim(max_take=3)").setup("4"), "dynamic_programming")
    dot, mermaid = dot_graph(recording), mermaid_chart(recording)
    edges = re.findall(r"^  (\w+) -> (\w+)", dot, re.M)
    assert len({end for _, end in edges}) < len(edges)
    assert re.findall(rf"^  (\w+) (?:-->|==>)\|{PLAIN}\| (\w+)$", mermaid, re.M) == edges
    assert [match[1] for match in map(NODE.fullmatch, mermaid.splitlines()) if match] == re.findall(
        r"^  (\w+) \[id=", dot, re.M
    )
    assert 'title: "dynamic programming solves nim(heaps=4, misere=false, max_take=3), 4"' in mermaid


# TeX. --------------------------------------------------------------------------------------------
def braces_balance(text: str) -> bool:
    """Whether the braces in a text are balanced; braces after a backslash do not count."""
    text, found = re.sub(r"\\.", "", text), 1
    while found:
        text, found = re.subn(r"\{[^{}]*\}", "", text)
    return not re.search(r"[{}]", text)


@pytest.mark.parametrize("recording", [*RECORDINGS.values(), hostile()], ids=[*RECORDINGS, "hostile"])
@blank_or_not
def test_tex_and_svg_draw_the_same(recording: Recording, blank: bool) -> None:
    text, image = tex_document(recording, blank), ElementTree.fromstring(svg_image(recording, blank))
    tree = text.partition("\\begin{tikzpicture}")[2].partition("\\end{tikzpicture}")[0].splitlines()[1:]
    assert all(braces_balance(line) and re.match(r"\\(path|node)\[.*;$", line) for line in tree)
    shapes = [each for each in image.iter() if each.tag.removeprefix(SVG) in ("line", "path", "circle", "rect")]
    assert sum(line.startswith("\\path") for line in tree) == len(shapes) - 1, "the TeX figure has no background"
    assert sum(line.startswith("\\node") for line in tree) == sum(1 for _ in image.iter(f"{SVG}text"))
    assert all(line.startswith("%") for line in text.partition("\\documentclass")[0].splitlines())


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize(
    "text",
    [tex_document(TEXTBOOK, blank=True), tex_document(hostile()), Frames(RECORDINGS["chance"], Style()).beamer()],
    ids=["blank", "hostile", "slides"],
)
def test_tex_can_be_typeset(text: str, tmp_path: Path) -> None:
    document = tmp_path / "tree.tex"
    document.write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", document.name],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if re.search(r"(tikz.sty|beamer.cls)' not found", done.stdout):
        pytest.skip("this TeX has no TikZ, or no beamer")
    assert done.returncode == 0, done.stdout[-2000:]


def test_tex_keeps_hyphens_and_the_widths_of_characters() -> None:
    """TeX would join hyphens to dashes, and take vertical bars from a font with other widths."""
    (plain,) = tikz_lines('<text x="0" y="0">----OX</text>')
    assert "{-{-}-{-}OX};" in plain
    (fixed,) = tikz_lines('<text x="0" y="0" class="note mono">a  ||--</text>')
    assert r"{\ttfamily a~~\symbol{124}\symbol{124}--};" in fixed
    (greek,) = tikz_lines('<text x="0" y="0">λ1Ω</text>')
    assert r"{$\lambda$1$\Omega$};" in greek
