"""Figures of trees for lectures, with boards at nodes, pruned branches, ranges, and labels of moves."""

import html
import itertools
import math
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import cast
from xml.etree import ElementTree

import pytest
from browser import driven, needs_browser
from commands import Cli
from recordings import TWO_PLY, record_proof, recording_of

from gamesearch.commands.visualizing.export import READABLE, Frames, scale_of
from gamesearch.errors import GamesearchError
from gamesearch.lessons.instances import read_instance, record_instance
from gamesearch.lessons.lesson import Tree
from gamesearch.lessons.views import figure_text
from gamesearch.registry import load
from gamesearch.render.exports import PAGE, export_fitting
from gamesearch.render.exports.dot import export as dot_graph
from gamesearch.render.exports.html import export as html_page
from gamesearch.render.exports.mmd import export as mermaid_chart
from gamesearch.render.exports.svg import FONT, SMALL, Image, text_width
from gamesearch.render.exports.svg import export as svg_image
from gamesearch.render.exports.tex import export as tex_document
from gamesearch.render.formats.tikz import PIXEL, tikz_lines
from gamesearch.render.trees.picture import Style, picture_of
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.pruned import add_pruned
from gamesearch.trace.ranges import NodeRanges
from gamesearch.trace.reading import read_recording
from gamesearch.trace.recording import Recording

TEXTBOOK = recording_of(TWO_PLY, "alphabeta")
SVG = "{http://www.w3.org/2000/svg}"


# Ranges. -----------------------------------------------------------------------------------------
def test_ranges_narrow_as_in_the_textbook() -> None:
    """Figure 5.5 of Russell and Norvig shows the ranges of the root and of its three moves after each leaf."""
    ranges = NodeRanges(TEXTBOOK)
    leaves = [node for node in TEXTBOOK.nodes.values() if not node.children]
    b, c, d = TEXTBOOK.nodes[0].children
    shown = [[ranges.at(number, leaf.last_event) for number in (0, b, c, d)] for leaf in leaves]
    every = "[-inf, +inf]"
    assert shown[0] == shown[1] == [every, "[-inf, 3]", "", ""], "nodes that are not entered yet have no range"
    assert shown[2] == ["[3, +inf]", "[3, 3]", "", ""]
    assert shown[3] == ["[3, +inf]", "[3, 3]", "[-inf, 2]", ""]
    assert shown[4] == ["[3, 14]", "[3, 3]", "[-inf, 2]", "[-inf, 14]"]
    assert shown[5] == ["[3, 5]", "[3, 3]", "[-inf, 2]", "[-inf, 5]"]
    assert shown[6] == ["[3, 3]", "[3, 3]", "[-inf, 2]", "[2, 2]"]
    recording = recording_of(TWO_PLY, "minimax")
    assert not any(node.window_shown for node in recording.nodes.values())
    assert NodeRanges(recording).at(0) == "[3, 3]"
    proof, _ = record_proof("tictactoe", "proof(search=pn)", "XOX/.O./...")
    found = {NodeRanges(proof).at(node.number) for node in proof.nodes.values() if node.kind == "disproven"}
    assert found == {f"[-inf, {each.goal_shown})" for each in proof.iterations}


def test_ranges_hold_the_true_values() -> None:
    game = "random_tree(branching=3, depth=4, values=9, seed=4)"
    exact = values_by_path(recording_of(game, "minimax"))
    recording = recording_of(game, "alphabeta(table=true, memory=1)")
    for number, (low, high) in NodeRanges(recording).ranges.items():
        assert low <= exact[path_to(recording, number)] <= high


def path_to(recording: Recording, number: int) -> tuple[str | None, ...]:
    return tuple(each.move for each in recording.path(number)[1:])


def values_by_path(recording: Recording) -> dict[tuple[str | None, ...], float]:
    return {path_to(recording, number): cast(float, node.value) for number, node in recording.nodes.items()}


def test_the_ranges_of_the_first_plies_are_those_of_the_whole_search() -> None:
    """A tree that is recorded without events, as for `analyze --tree`, has the same ranges as an excerpt."""
    on, algorithm = "tictactoe XX./OO./...", "alphabeta"
    excerpt = limit_recording(record_instance(on, algorithm), plies=2)
    shown = []
    for recording in (excerpt, record_instance(on, algorithm, plies=2)):
        ranges = NodeRanges(recording)
        shown.append([ranges.at(number) for number in recording.nodes])
    assert shown[0] == shown[1]
    assert {"[+1, +1]", "[-inf, 0]"} <= set(shown[1])


# Pruned branches. --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("game", "position", "algorithm", "full"),
    [
        (TWO_PLY, "", "alphabeta", "minimax"),
        ("random_tree(branching=3, depth=4, values=9, seed=4)", "", "alphabeta", "minimax"),
        ("tictactoe", "XO./.X./..O", "alphabeta", "minimax"),
        ("tictactoe", "X../.O./...", "alphabeta(depth=3)", "minimax(depth=3)"),
        ("pig(target=6)", "", "expectiminimax(depth=3)", "expectiminimax(depth=3, pruning=none, order=generated)"),
    ],
)
def test_pruned_branches_have_the_values_of_a_full_search(game: str, position: str, algorithm: str, full: str) -> None:
    recording, values = recording_of(game, algorithm, position), values_by_path(recording_of(game, full, position))
    grown = add_pruned(recording, load(game))
    pruned = [number for number, node in grown.nodes.items() if node.is_pruned]
    assert pruned or "pig" in game
    for number in pruned:
        assert grown.nodes[number].value == pytest.approx(values[path_to(grown, number)], abs=1e-6)
    for node in grown.nodes.values():
        drawn = {child.move for child in grown.children(node) if child.is_pruned}
        assert node.is_pruned or drawn == set(node.pruned)
    assert not any(node.is_pruned for node in recording.nodes.values()), "the recording itself does not change"


def test_pruned_branches_are_crossed_out() -> None:
    style = Style(pruned=True, game=load(TWO_PLY))
    root = ElementTree.fromstring(svg_image(TEXTBOOK, style=style))
    grey = [each.text for each in root.iterfind(f".//{SVG}g[@class='pruned']/{SVG}text")]
    assert grey == ["b", "4", "c", "6"]
    lines: dict[str, list[tuple[float, float]]] = {}
    for each in root.iter(f"{SVG}line"):
        x1, y1, x2, y2 = (float(each.get(name, 0)) for name in ("x1", "y1", "x2", "y2"))
        lines.setdefault(each.get("class", ""), []).append((x2 - x1, y2 - y1))
    assert [len(lines[kind]) for kind in ("edge", "edge best", "edge pruned", "edge cut")] == [8, 2, 2, 4]
    for (x, y), (across, down) in zip(
        [each for each in lines["edge pruned"] for _ in "//"], lines["edge cut"], strict=True
    ):
        cosine = (x * across + y * down) / math.hypot(x, y) / math.hypot(across, down)
        assert abs(cosine) < 0.4, "the slashes must cross the edge"


# Boards. -----------------------------------------------------------------------------------------
def tictactoe() -> Style:
    return Style(boards=True, game=load("tictactoe"))


def have_no_overlap(boxes: Iterable[tuple[float, float, float, float]]) -> bool:
    """Whether areas, each with its left, top, right and bottom, do not overlap."""
    return all(
        right <= left_2 or right_2 <= left or bottom <= top_2 or bottom_2 <= top
        for (left, top, right, bottom), (left_2, top_2, right_2, bottom_2) in itertools.combinations(boxes, 2)
    )


@pytest.mark.parametrize(
    ("game", "algorithm", "count", "sides"),
    [("tictactoe", "minimax(depth=2)", 82, None), ("go(size=5)", "minimax(depth=1)", 27, (4, 7))],
)
def test_boards_do_not_overlap(game: str, algorithm: str, count: int, sides: tuple[int, int] | None) -> None:
    """Many boards below a node are in several pairs of columns."""
    image = Image(picture_of(recording_of(game, algorithm), style=Style(boards=True, game=load(game))))
    boxes = []  # the area of each board and of the text below it
    for node in image.nodes:
        x, y, half = image.x[node.name], image.y[node.name], node.size[0] / 2 + 2.5
        boxes += [(x - half, y, x + half, y + image.depth(node))] * (node.board is not None)
    assert len(boxes) == count
    assert have_no_overlap(boxes)
    assert all(node.window == "" for node in image.nodes)
    if sides is None:
        assert max(image.size[0] / 1400, image.size[1] / 800) < 1, "the picture fits on a slide"
    else:
        assert tuple(len({round(box[side]) for box in boxes[1:]}) for side in (0, 1)) == sides
        kinds = [each.get("class") for each in ElementTree.fromstring(image.text()).iter(f"{SVG}line")]
        assert kinds.count("edge best") == 3, "the best line has three segments"
        assert kinds.count("edge") == 2 * 2 + 25


@pytest.mark.parametrize("suffix", [".svg", ".tex"])
def test_boards_are_drawn_in_every_format(suffix: str) -> None:
    recording, style = recording_of("tictactoe", "alphabeta", "XO./.X./..O"), tictactoe()
    count = len(recording.nodes) - sum(each.root is not None for each in recording.iterations) + 1
    drawn = sum(1 for node in picture_of(recording, style=style).nodes() if node.board is not None)
    assert drawn < count
    if suffix == ".svg":
        assert svg_image(recording, style=style).count('<rect class="frame') == drawn
    else:
        assert len(re.findall(r"^\\path\[draw,line width=0.7pt", tex_document(recording, style=style), re.M)) == drawn


def test_chess_pieces_have_the_colors_of_their_sides() -> None:
    """The pieces have attributes for their color and size, which the rules of the style must not replace."""
    recording = recording_of("chess", "minimax(depth=1)", "7k/5Q2/8/8/8/8/8/K7 w - - 0 1")
    style = Style(boards=True, game=load("chess"))
    image = svg_image(limit_recording(recording, width=1), style=style)
    pieces = [each for each in ElementTree.fromstring(image).iter(f"{SVG}text") if each.get("class") == "piece"]
    assert {(each.get("fill"), each.get("font-size")) for each in pieces} == {("#ffffff", "32"), ("#000000", "32")}
    rules = re.findall(r"^(.*?) *\{(.*)\}$", image.partition("<style>")[2].partition("</style>")[0], re.M)
    of_pieces = [body for selector, body in rules if {"text", ".piece"} & set(selector.split(", "))]
    assert of_pieces
    assert not re.search(r"\b(fill|font-size|font):", "".join(of_pieces))
    text = tex_document(limit_recording(recording, width=1), style=style)
    assert re.findall(r"circle,.*fill=\{rgb,255:red,(\d+).*\{([A-Z])\};", text)[:3] == [
        ("0", "K"),
        ("255", "Q"),
        ("255", "K"),
    ]


def test_estimates_that_are_typed_at_nodes_are_drawn(cli: Cli) -> None:
    tree = "[9:[3,12],1:[2,4]]"
    recording = record_instance(tree, "minimax")
    assert [node.given for node in recording.nodes.values() if node.given] == ["9", "1"]
    assert read_recording(recording.text).text == recording.text
    for text in (figure_text(Tree(tree)), svg_image(recording), svg_image(recording, blank=True)):
        assert "~ 9" in text
        assert "~ 1" in text
    assert "a  Min = 3  estimate 9\n" in cli.run(f"analyze {tree} -a minimax --tree").out
    assert "estimate 9" not in cli.run(f"analyze {tree} -a minimax(depth=1) --tree").out


def test_boards_and_pruned_branches_as_text() -> None:
    """DOT and Mermaid write boards as text, and pruned branches with dashed lines."""
    recording = recording_of("tictactoe", "alphabeta", "XOX/OXO/...")
    style = Style(boards=True, pruned=True, game=load("tictactoe"))
    picture = picture_of(recording, style=style)
    pruned = [node.name for node in picture.nodes() if node.is_pruned]
    assert pruned
    dot, mermaid = dot_graph(recording, style=style), mermaid_chart(recording, style=style)
    nodes = {line.split()[0]: line for line in dot.splitlines() if " -> " not in line}
    first = html.unescape(nodes[pruned[0]]).replace("\u00a0", " ")
    assert "> X  O  X <br" in first
    assert all("color=gray60" in nodes[name] for name in pruned)
    arrows = {line.split()[2]: line for line in dot.splitlines() if " -> " in line}
    assert all("style=dashed" in arrows[name] for name in pruned)
    assert "dashed: pruned" in dot
    assert re.search(rf'  {pruned[0]}\["(Max<br>|Min<br>)? X  O  X <br>', mermaid.replace("\u00a0", " "))
    assert f"  class {','.join(pruned)} pruned\n" in mermaid
    assert "pruned" not in dot_graph(recording) + mermaid_chart(recording)


@needs_browser
def test_the_page_draws_boards_and_ranges(tmp_path: Path) -> None:
    recording = recording_of("tictactoe", "alphabeta", "XOX/OXO/...")
    style = Style(boards=True, windows="ranges", pruned=True, moves="letters", game=load("tictactoe"))
    script = "log.push(all('#picture .board').length, all('#picture .mark.pruned').length, words('#picture .branch'))"
    end, start, boards, pruned, labels = driven(
        html_page(recording, style=style), f"note(); press('Home'); note(); press('End'); {script}", tmp_path
    )
    assert end["rows"][0].endswith("[+1, +1]= +1")
    assert "[−∞, +∞]" in start["rows"][0] or start["rows"] == []
    assert pruned == len(end["struck"]) > 0
    assert boards <= len(recording.nodes) + pruned
    assert all(re.fullmatch(r"[a-c] = [+−]?\d", cut) for cut in end["struck"])
    assert set(labels) <= set("abc")
    assert "the best move is a" in end["sentence"]


@needs_browser
def test_the_page_draws_only_values(tmp_path: Path) -> None:
    style = Style(moves="none", windows="none", notes=False, pruned=True, game=load(TWO_PLY))
    script = "note(); log.push(words('#picture .worth'), words('#picture .branch'))"
    note, values, labels = driven(html_page(TEXTBOOK, style=style), script, tmp_path)
    assert note["rows"][1].endswith("▼ Min= 3★")
    assert note["struck"] == ["4", "6"]
    assert values[-4:] == ["2", "14", "5", "2"]
    assert set(labels) == {""}


@needs_browser
def test_the_page_of_a_growing_tree_draws_boards(tmp_path: Path) -> None:
    recording = recording_of("tictactoe", "mcts(playouts=60)", "XO./.../...")
    script = """
    const see = () => log.push([all("#picture .board").length, all("#picture .best").length, words("#picture .worth")]);
    press("Home"); see(); press("End"); see(); all("#picture .mark")[1].onclick(); see();
    """
    start, end, folded = driven(html_page(recording, style=tictactoe()), script, tmp_path)
    assert start[:2] == [1, 0]
    assert start[0] < folded[0] < end[0] <= len(recording.nodes)
    assert end[1] > 0
    assert end[2][0] == f"≈ {round(float(recording.nodes[0].shown), 3):+}"
    with pytest.raises(GamesearchError, match=r"name an \.svg or \.tex file"):
        html_page(recording, style=replace(tictactoe(), windows="none"))


# Labels of moves, and the command. ---------------------------------------------------------------
def test_labels_of_moves() -> None:
    numbers = ["", "1", "1", "2", "3", "2", "1", "2, 3", "3", "1", "2", "3"]
    for moves, expected in (("numbers", numbers), ("none", [""] * 12)):
        assert [node.edge for node in picture_of(TEXTBOOK, style=Style(moves=moves)).nodes()] == expected
    images = Frames(limit_recording(TEXTBOOK, plies=1), Style(moves="numbers")).images()
    texts = [each.text for image in images for each in ElementTree.fromstring(image).iter(f"{SVG}text")]
    assert "Max has 3 with its first move, 1; now alpha=3, beta=+∞." in texts
    last = "The search is complete: the value is 3, the best move is 1 (11 nodes, 2 cutoffs)."
    assert " ".join(filter(None, texts)).endswith(last)  # in two lines
    picture = picture_of(recording_of("tictactoe", "alphabeta(depth=2)"), style=Style("none", "none", notes=False))
    assert not any(node.edge or node.window or node.note for node in picture.nodes() if node.shape != "hidden")


@pytest.fixture
def trace(tmp_path: Path, cli: Cli) -> Path:
    """A trace file with the first two plies of a search to the end of the game."""
    path = tmp_path / "plies.trace"
    printed = cli.run("analyze tictactoe -a alphabeta(depth=3) --trace", path, "--trace-plies", 2)
    assert "left out (--trace-plies 2)" in printed.err
    return path


def test_the_command(trace: Path, tmp_path: Path, cli: Cli) -> None:
    svg, moved = tmp_path / "plies.svg", tmp_path / "mine.py"
    cli.run("export --boards --pruned --moves none", trace, "--to", svg)
    assert svg.read_text(encoding="utf-8").count('<rect class="frame') == 82
    trace.write_text(trace.read_text(encoding="utf-8").replace('"game": "tictactoe"', '"game": "./mine.py"'))
    exporting = ("export --boards -f", trace, "--to", svg)
    assert "add --game ./mine.py" in cli.refusal(*exporting)
    assert "write --game ./mine.py" in cli.refusal(*exporting, "--game", "nim")
    moved.write_text("from gamesearch.games.connecting.tictactoe import TicTacToe\n\nclass Mine(TicTacToe): pass\n")
    cli.run(*exporting, "--game", moved)


def test_a_figure_without_title_shows_only_the_tree(tmp_path: Path, cli: Cli) -> None:
    trace = tmp_path / "a.trace"
    cli.run("analyze [[1,2],[3,4]] -a alphabeta --trace", trace)
    for suffix in (".svg", ".tex", ".dot", ".mmd"):
        with_title, tree = tmp_path / f"title{suffix}", tmp_path / f"tree{suffix}"
        cli.run("export", trace, "--to", with_title)
        cli.run("export --no-title", trace, "--to", tree)
        for file in (with_title, tree):
            drawn = re.sub('<title>.*?</title>|aria-label=".*?"', "", file.read_text(encoding="utf-8"))
            assert ("alphabeta searches" in drawn) == (file == with_title)
            assert file == with_title or "value 3" not in drawn
    assert "leave out --no-title" in cli.refusal("export --no-title", trace, "--to", tmp_path / "page.html")


def test_a_picture_that_fits_a_page() -> None:
    recording = recording_of("tictactoe", "alphabeta", "XO./.X./..O")
    style = Style(boards=True, pruned=True, game=load("tictactoe"))
    whole, fitting = (export_fitting(svg_image, recording, False, fits, style) for fits in (False, True))
    sizes = [
        [float(each) for each in re.findall(r'viewBox="0 0 (\d+) (\d+)"', text)[0]] for text, *_ in (whole, fitting)
    ]
    assert (whole[2], fitting[2]) == ("", "--plies 2")
    assert max(sizes[0]) > PAGE >= max(sizes[1])


def test_pruned_branches_in_the_terminal(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    assert "|   `-- // c  end = 6\n" in cli.output("analyze", TWO_PLY, "--tree", "--pruned", "--trace", path)
    text = cli.output("show", path, "--pruned")
    assert "cut: 2 moves not searched (b, c)" in text
    assert "|   +-- // b  end = 4\n" in text
    assert text.endswith("all 11 nodes drawn; // marks pruned nodes, with their true values\n")
    second = cli.data("show", path, "--pruned")["tree"]["children"][1]
    assert [child.get("is_pruned") for child in second["children"]] == [None, True, True]
    assert second["pruned"] == ["b", "c"]
    text = cli.output("analyze", TWO_PLY, "--tree", "--pruned", "--width", 2)
    assert "|   +-- // b  end = 4\n|   `-- ... 1 more pruned\n`-- ... 1 more searched, 4 nodes\n" in text
    assert "add --tree" in cli.refusal("analyze", TWO_PLY, "--pruned")


def test_boards_in_the_terminal(trace: Path, cli: Cli) -> None:
    lines = [line.rstrip() for line in cli.output("show --boards --windows none --plies 1", trace).splitlines()]
    start = lines.index(" .  .  .   Max = 0")
    assert lines[start + 3 : start + 7] == [
        "+--  X  .  .     .  X  .     .  .  X     .  .  .     .  .  .     .  .  .",
        "|    .  .  .     .  .  .     .  .  .     X  .  .     .  X  .     .  .  X",
        "|    .  .  .     .  .  .     .  .  .     .  .  .     .  .  .     .  .  .",
        "|    1 = 0       2 <= 0      3 <= 0      4 <= 0      5 <= 0      6 <= 0",
    ]
    assert "|   +-- a  end [-inf, +inf] = 3\n" in cli.output("analyze --tree --boards", TWO_PLY), "trees have no boards"


def test_hostile_text_is_escaped_in_every_format(tmp_path: Path, cli: Cli) -> None:
    """In every format, names and boards of a game are shown as text and not interpreted as markup."""
    game, path = tmp_path / "evil.py", tmp_path / "evil.trace"
    game.write_text(EVIL, encoding="utf-8")
    cli.run("analyze -a minimax", game, "--trace", path)
    for suffix in (".svg", ".html", ".tex"):
        drawn = tmp_path / f"evil{suffix}"
        cli.run("export --boards", path, "--to", drawn, "--game", game)
        text = drawn.read_text(encoding="utf-8")
        assert "<script>alert" not in text
        assert suffix != ".tex" or "\\input" not in text
    words = [each.text for each in ElementTree.parse(tmp_path / "evil.svg").iter(f"{SVG}text")]
    assert "</text><script>alert(1)</script>" in words


EVIL = """
from typing import NamedTuple
from gamesearch import Board, Cell, Game

class State(NamedTuple):
    moves: int

class Evil(Game):
    names = ("\\\\input{x}", "</script><script>alert(2)</script>")
    def initial(self): return State(0)
    def player(self, s): return s.moves % 2
    def moves(self, s): yield 0
    def result(self, s, m): return State(s.moves + 1)
    def terminal(self, s): return s.moves == 2
    def utility(self, s): return 1
    def format(self, s): return str(s.moves)
    def parse(self, text): return State(int(text or 0))
    def move_name(self, s, m): return "</text><script>alert(1)</script>"
    def board(self, s): return Board([[Cell("\\\\input{y}<script>alert(3)</script>")]])
"""


# Frames. -----------------------------------------------------------------------------------------
def test_frames_follow_the_search() -> None:
    """Each frame draws the nodes visited so far, at their places in the whole picture."""
    frames = Frames(TEXTBOOK, Style(windows="ranges", pruned=True, game=load(TWO_PLY)))
    images = [ElementTree.fromstring(each) for each in frames.images()]
    assert len(images) == len(TEXTBOOK.events) + 1
    assert len({image.get("viewBox") for image in images}) == 1
    shapes = [[each.attrib for each in image.iter() if "shape" in each.get("class", "")] for image in images]
    places = [
        {each.get("d") or (each["x"], each["y"]) for each in found if "x" in each or "d" in each} for found in shapes
    ]
    assert all(before <= after for before, after in itertools.pairwise(places)), "later frames keep all shapes"
    texts = [[each.text or "" for each in image.iter(f"{SVG}text")] for image in images]
    assert not any("value 3, best a" in " ".join(found) for found in texts[:-1]), "no frame reveals the result"
    assert texts[-1][-1] == "The search is complete: the value is 3, the best move is a (11 nodes, 2 cutoffs)."
    cut = next(number for number, event in enumerate(TEXTBOOK.events) if event["event"] == "cutoff")
    assert ("6" in texts[cut], "6" in texts[cut - 1]) == (True, False)


def test_slides_draw_boards_only_near_the_root_if_all_boards_need_too_much_space() -> None:
    on = "connect4 444444"
    recording = record_instance(on, "minimax(depth=2)")
    image = Frames(recording, Style(boards=True, game=read_instance(on)[0])).images()[-1]
    assert "; boards down to ply 1" in image
    frames = re.findall(r'<rect [^>]*class="[^"]*frame', image)
    assert len(frames) == sum(node.ply < 2 for node in recording.nodes.values()) < len(recording.nodes)


@pytest.mark.parametrize(
    ("on", "algorithm", "plies", "style"),
    [
        ("tictactoe X../.../...", "alphabeta", 2, Style(boards=True, moves="none")),
        ("tictactoe X../.O./...", "alphabeta(order=game)", 2, Style()),
        ("[[3,12,8],[2,4,6],[14,5,2]]", "alphabeta", 9, Style(windows="ranges")),
        ("tictactoe XO./.../...", "mcts(playouts=30)", 2, Style()),
    ],
)
def test_texts_in_frames_do_not_overlap(on: str, algorithm: str, plies: int, style: Style) -> None:
    """The texts change from frame to frame, but the places do not."""
    recording = limit_recording(record_instance(on, algorithm), plies=plies)
    for image in Frames(recording, replace(style, game=read_instance(on)[0])).images():
        boxes = []
        for each in ElementTree.fromstring(image).iter(f"{SVG}text"):
            kind = each.get("class", "").split()
            if "start" not in kind and not {"piece", "words"} & set(kind):
                x, half = float(each.get("x", 0)), text_width(each.text or "", SMALL if "small" in kind else FONT) / 2
                boxes.append((x - half, float(each.get("y", 0)), x + half, float(each.get("y", 0)) + 1))
        assert have_no_overlap(boxes)


def test_a_bold_value_fits_into_its_leaf() -> None:
    """The font DejaVu Sans is wider than most fonts."""
    image = ElementTree.fromstring(svg_image(recording_of("[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]", "maxn")))
    bold = next(each for each in image.iter(f"{SVG}text") if each.get("class") == "value best")
    boxes = [each for each in image.iter(f"{SVG}rect") if "leaf best" in each.get("class", "")]
    assert len(boxes) == 1
    widths = {"(": 0.457, ")": 0.457, ",": 0.38, " ": 0.348}  # of bold characters, relative to the size of the font
    assert sum(widths.get(each, 0.696) for each in bold.text or "") * FONT < float(boxes[0].get("width", 0))


def test_beamer_draws_the_frames() -> None:
    frames = Frames(TEXTBOOK, Style())
    text = frames.beamer()
    boxes = {
        name: {line for line in lines.splitlines() if line.startswith(("\\path[", "\\node["))}
        for name, lines in re.findall(r"\\sbox\{\\csname (part\d+)\\endcsname\}\{%(.*?)^\}$", text, flags=re.M | re.S)
    }
    uses = re.findall(r"^(?:\\only<(.+?)>)?\{\\rlap\{\\usebox\{\\csname (part\d+)", text, flags=re.M)
    assert [name for _, name in uses] == list(boxes)
    for number, parts in enumerate(frames.parts(), 1):
        drawn = set().union(*(boxes[name] for spans, name in uses if not spans or is_in(number, spans)))
        assert {line for line in drawn if "use as bounding box" not in line} == set(tikz_lines("".join(parts)))


def is_in(frame: int, spans: str) -> bool:
    """Whether a list of frames, such as `1-3,7`, contains a frame."""
    ends = [[int(each) for each in span.split("-")] for span in spans.split(",")]
    return any(found[0] <= frame <= found[-1] for found in ends)


def test_frames_are_numbered_files(tmp_path: Path, cli: Cli) -> None:
    trace = tmp_path / "a.trace"
    cli.run("analyze [1,2] -a minimax --trace", trace)
    answer = cli.data("export", trace, "--to", tmp_path / "a.svg", "--frames")
    assert answer["files"] == [str(tmp_path / f"a-{number:02}.svg") for number in range(1, answer["frames"] + 1)]
    assert all(Path(file).is_file() for file in answer["files"])
    assert answer["readable"]
    cli.run("analyze random_tree(branching=40,depth=1) -a minimax --trace", tmp_path / "b.trace")
    assert not cli.data("export", tmp_path / "b.trace", "--to", tmp_path / "b.tex", "--frames")["readable"]
    assert "exists already" in cli.refusal("export", trace, "--to", tmp_path / "a.svg", "--frames")
    assert "leave out --blank" in cli.refusal("export", trace, "--to", tmp_path / "a.tex", "--frames", "--blank")
    for suffix in (".html", ".dot", ".mmd"):
        said = cli.refusal("export", trace, "--to", tmp_path / f"a{suffix}", "--frames")
        assert f"--frames writes only .svg and .tex files, not {suffix}" in said
    assert "is unknown" in cli.refusal("export", trace, "--to", tmp_path / "a.png", "--frames")


def test_slides_with_many_boards_are_readable() -> None:
    """The values are large enough on a screen of 1280 x 720 pixels, and no boards overlap."""
    frames = Frames(recording_of("tictactoe", "minimax(depth=2)"), tictactoe())
    assert FONT * PIXEL * scale_of(frames.size) >= READABLE
    whole = frames.whole.parts(picture_of(frames.recording, style=frames.style))
    last = ElementTree.fromstring(frames.whole.image(whole, frames.size))
    frames_drawn = [each for each in last.iter(f"{SVG}rect") if "frame" in each.get("class", "")]
    boxes = [[float(each.get(name, 0)) for name in ("x", "y", "width", "height")] for each in frames_drawn]
    assert len(boxes) == 82
    assert have_no_overlap((x, y, x + width, y + height) for x, y, width, height in boxes)
