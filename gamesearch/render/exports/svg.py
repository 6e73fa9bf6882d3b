"""A searched tree as an SVG image, black on white. TikZ pictures and slides are made from the same SVG parts."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from gamesearch.algorithms.engine.formatting import typeset
from gamesearch.render.boards.svg import scaled_board
from gamesearch.render.formats.dot import can_draw
from gamesearch.render.formats.svg import image, line, text
from gamesearch.render.trees.graph import GraphImage
from gamesearch.render.trees.layout import Extent, tidy
from gamesearch.render.trees.picture import (
    BLANK_VALUE,
    BLANK_WINDOW,
    PLAIN,
    Picture,
    PictureNode,
    Style,
    TooLargeError,
    picture_of,
)
from gamesearch.trace.events import TABLE
from gamesearch.trace.recording import Recording

__all__ = ["Image", "choose_joins", "export", "image_of", "text_width"]

WIDEST = 32_767
"""The greatest width and height in pixels. Programs that draw SVG images (cairo, browsers) use 16 bits."""
FONT, SMALL = 14.0, 11.0
"""The sizes of texts: FONT for values and moves, SMALL for windows and notes."""
BOLD = 1.1
"""The width of a bold text, relative to the same text in a regular font."""
NARROW, WIDE = frozenset(" .,:;'|!()[]/ijl"), frozenset("−+∞≤≥≈=")
"""The characters that are narrow or wide in most fonts."""
MARGIN, GAP = 16, 12
MOVE, LINE = 12, 13
"""MOVE is the distance between the top of a node and the name of its move. LINE is the distance between lines of
text."""
HALF = 13
"""Half the height of a shape."""
FALL, LONGEST_FALL = 36, 110
"""The least and the greatest vertical distance from the bottoms of nodes to the tops of their children."""
STEEP = 6.0
"""The greatest ratio of the horizontal length of an edge to its vertical length. If a tree is wide, its edges are
therefore longer, up to a vertical length of LONGEST_FALL."""
LEGEND = {"max": "Max", "min": "Min", "player": "player", "chance": "chance", "leaf": "leaf"}
FRAME, STACKED_GAP, CROSSED_GAP = 2.5, 18.0, 30.0
"""FRAME is the space around a board. STACKED_GAP is the space between the two columns of a stack of boards. If the tree
has crossed-out branches, this space is CROSSED_GAP."""
BESIDE = 6.0
"""A bold line leads to the best board of a stack, and another line leads to the other boards. This is the distance
between the two lines."""
MOST_ROWS = 8
"""The greatest number of rows of a stack, except on slides."""
STACKED_WIDTH = 900.0
"""If a tree with boards is wider than this number of pixels, leaves are drawn in two columns (a stack)."""
STYLE = """\
svg { font-family: Helvetica, Arial, sans-serif; font-size: 14px; text-anchor: middle }
.small { font-size: 11px }
.start { text-anchor: start }
.shape { fill: #fff; stroke: #000; stroke-width: 1.2 }
.min { fill: #000; fill-opacity: 0.12 }
.edge { fill: none; stroke: #000; stroke-width: 1.2 }
.hidden { stroke-dasharray: 2 4 }
.best { stroke-width: 3.2; font-weight: bold }"""
"""The style of all images. Attributes can set other sizes and colors for the pieces on boards."""
BOARD_STYLE = """
.frame { fill: none; stroke: #000; stroke-width: 1 }
.frame.best { stroke-width: 3.2 }
.words, .piece { dominant-baseline: central }
.piece { font-family: 'DejaVu Sans', 'Noto Sans Symbols 2', 'Segoe UI Symbol', sans-serif }"""
PRUNED_STYLE = """
.pruned, .dropped { opacity: 0.4 }"""
HERE_STYLE = """
.here { stroke: #e07b00; stroke-width: 3.2 }"""


def export(recording: Recording, blank: bool = False, style: Style = PLAIN) -> str:
    """Draw the tree as an SVG image. A table of values is drawn as a graph if Graphviz is installed. Raises
    GamesearchError if the image is too large."""
    return image_of(picture_of(recording, blank, choose_joins(recording, style))).text()


def choose_joins(recording: Recording, style: Style) -> Style:
    """The style with which a recording is drawn. If Graphviz is installed, a table of values is drawn as a graph."""
    return replace(style, joins=recording.growth == TABLE and can_draw())


def image_of(picture: Picture) -> "Image | GraphImage":
    """The image of a tree or of a graph."""
    return GraphImage(picture) if picture.is_graph else Image(picture)


class Image:
    """The layout and the SVG text of a picture. A stack of boards has at most `most_rows` rows."""

    def __init__(self, picture: Picture, most_rows: int = MOST_ROWS) -> None:
        self.picture, self.most_rows = picture, most_rows
        self.nodes = list(picture.nodes())
        self.has_boards = any(node.board is not None for node in self.nodes)
        self.levels: list[list[PictureNode]] = [[picture.root]]
        while below := [child for node in self.levels[-1] for child in node.children]:
            self.levels.append(below)
        self.rows: dict[str, tuple[float, float]] = {}
        """The values belong to nodes without boards. The first number is the distance from the top of the node to its
        note. The second number is the distance from the top to the middle of its shape."""
        for level in self.levels:
            has_window, has_note = any(node.window for node in level), any(node.note for node in level)
            note = MOVE + LINE * (1 + has_window)
            self.rows |= {node.name: (note, MOVE + LINE * (has_window + has_note) + HALF + 6) for node in level}
        self.stacks: dict[str, PictureNode] = {}
        """The keys are the nodes whose children are drawn in columns. Each value is a placeholder: a picture node that
        takes the place of the children in the layout of the tree. It is as wide as all columns together."""
        self.pairs: dict[str, int] = {}
        """For each node in `stacks`, the number of pairs of columns."""
        self.rails: dict[str, float] = {}
        """For each node in a column, the horizontal position of the vertical line next to the column."""
        self.halves = {node.name: half_width(node) for node in self.nodes}
        self.x = tidy(self.nodes, extent, GAP)
        if self.has_boards and self.tree_width > STACKED_WIDTH:
            self.stack()
        self.y = {picture.root.name: 0.0}
        self.place_levels()
        self.labels = max(map(text_width, picture.levels), default=-24.0) + 24
        """The width that the names of the levels need."""
        self.top = (64.0 if self.legend_texts() else 52.0) if picture.has_headings else 8.0

    @property
    def tree_width(self) -> float:
        """The width of the tree without margins."""
        return max(self.x[node.name] + extent(node)[1] for node in self.nodes)

    # The layout. ---------------------------------------------------------------------------------
    def stack(self) -> None:
        """Put leaves in columns below their parents. Each vertical line has a column on either side."""
        gap = CROSSED_GAP if any(node.is_pruned or node.shape == "cut" for node in self.nodes) else STACKED_GAP
        for node in self.nodes:
            if len(node.children) > 2 and not any(child.children for child in node.children):
                half = max(sum(extent(child)) for child in node.children) + gap
                pairs = math.ceil(len(node.children) / (2 * self.most_rows))
                self.stacks[node.name] = PictureNode(f"s{node.name}", "stack", size=(2 * half * pairs, 0.0))
                self.pairs[node.name] = pairs
        stacked = {child.name for node in self.nodes if node.name in self.stacks for child in node.children}
        nodes = list[PictureNode]()
        for node in self.nodes:
            nodes += [node] if node.name not in stacked else []
            nodes += [self.stacks[node.name]] if node.name in self.stacks else []
        kept = {node.name for node in nodes}

        def children(node: PictureNode) -> list[PictureNode]:
            if node.name in self.stacks:
                return [self.stacks[node.name]]
            return [child for child in node.children if child.name in kept]

        self.x = tidy(nodes, extent, GAP, children)
        for node in self.nodes:
            if block := self.stacks.get(node.name):
                pairs = self.pairs[node.name]
                half = block.size[0] / pairs / 2
                for place, child in enumerate(node.children):
                    pair, side = divmod(place % (2 * pairs), 2)
                    self.rails[child.name] = rail = self.x[block.name] + (2 * pair + 1 - pairs) * half
                    self.x[child.name] = rail + (half / 2 if side else -half / 2)

    def place_levels(self) -> None:
        """Set the vertical positions of all nodes, level by level."""
        for level, below in pairwise([*self.levels, []]):
            bottom = max(self.y[node.name] + self.depth(node) for node in level)
            row = max((self.depth(child) for child in below), default=0.0) + GAP
            edges = [(node, child) for node in level if node.name not in self.stacks for child in node.children]
            across = max((abs(self.x[child.name] - self.x[node.name]) for node, child in edges), default=0.0)
            fall = min(max(FALL, across / STEEP), LONGEST_FALL)
            for node in level:
                for place, child in enumerate(node.children):
                    down = row * (place // (2 * self.pairs[node.name])) if node.name in self.stacks else 0.0
                    self.y[child.name] = bottom + fall + down

    def depth(self, node: PictureNode) -> float:
        """The height of a node, from its top to the bottom of its shape or board."""
        if node.shape in ("cut", "hidden"):
            return MOVE
        if node.board is None:
            return self.rows[node.name][1] + HALF
        return board_top(node) + node.size[1] + FRAME + LINE * len(lines_below(node)) + 4

    # The drawing. --------------------------------------------------------------------------------
    def text(self) -> str:
        """The SVG text of the image."""
        return self.image(self.parts(), self.size)

    def image(self, parts: list[str], size: tuple[float, float]) -> str:
        """Make an SVG image that contains the given parts and their styles."""
        style = STYLE + BOARD_STYLE * self.has_boards
        style += PRUNED_STYLE * any('class="pruned"' in part or 'class="dropped"' in part for part in parts)
        style += HERE_STYLE * any(" here" in part for part in parts)
        return image(size, self.picture.title, style, parts)

    @property
    def heading_width(self) -> float:
        """The width of the texts above the tree."""
        legend = sum(legend_width(each) for each in self.legend_texts())
        return max([200.0, legend, *map(text_width, self.picture.headings)])

    @property
    def size(self) -> tuple[float, float]:
        """The width and the height of the image. Raises TooLargeError if the image is too large."""
        width = max(self.tree_width + self.labels, self.heading_width) + 2 * MARGIN
        height = self.top + max(self.y[node.name] + self.depth(node) for node in self.nodes) + MARGIN
        limit = min(WIDEST, self.picture.widest or WIDEST)
        if max(width, height) > limit:
            raise TooLargeError(
                f"this tree would be {max(width, height):,.0f} pixels wide or high, and the limit is {limit:,}: "
                "draw a smaller part"
            )
        return width, height

    def parts(self, picture: Picture | None = None) -> list[str]:
        """The parts of the image. `picture` can be another picture of the same tree, such as the tree during the
        search. The layout stays the same."""
        shown = picture or self.picture
        self.size  # noqa: B018
        left = MARGIN + self.labels + max(0.0, (self.heading_width - self.tree_width - self.labels) / 2)
        nodes = [node for node in shown.nodes() if not node.is_unseen]
        edges = [(node, child) for node, child in shown.edges() if not child.is_unseen]
        return [
            '<rect width="100%" height="100%" fill="#fff"/>',
            *(text(MARGIN, 22 + 18 * row, each, "start") for row, each in enumerate(shown.headings)),
            *self.legend(58),
            f'<g transform="translate({left:.1f} {self.top:.1f})">',
            *self.level_names(self.labels - 12),
            *(part for node in nodes if node.name in self.stacks for part in self.rail(shown, node)),
            *(each for node, child in edges for each in self.edge(shown, node, child)),
            *(each for node in nodes for each in self.node(shown, node)),
            "</g>",
        ]

    def legend_texts(self) -> list[str]:
        """The entries of the legend: the names of the shapes in this tree, and other explanations."""
        if not self.picture.has_headings:
            return []
        used = {node.shape for node in self.nodes if node.board is None}
        return [*(kind for kind in LEGEND if kind in used), *self.picture.legend]

    def legend(self, y: float) -> Iterator[str]:
        """The meaning of the shapes of this tree."""
        x = MARGIN + 8.0
        for each in self.legend_texts():
            if each in LEGEND:
                yield f'<g transform="translate({x:g} {y - 4:g}) scale(0.5)">{outline(each, 0, 0, 11)}</g>'
                yield text(x + 12, y, LEGEND[each], "small start")
            else:
                yield text(x - 8, y, each, "small start")
            x += legend_width(each)

    def level_names(self, room: float) -> Iterator[str]:
        """To the left of each level of the tree, write the side to move."""
        for level, name in zip(self.levels, self.picture.levels, strict=False):
            board = next((node for node in level if node.board is not None), None)
            if board is not None:
                yield text(-room - 12, self.y[board.name] + self.stub(board) + 5, name, "start")

    def rail(self, picture: Picture, node: PictureNode) -> Iterator[str]:
        """The vertical lines of a node whose children are stacked in columns. The lines run between the columns, and
        lead to all children except the best. The last part of a line is gray if it leads only to pruned children."""
        for x in sorted({self.rails[child.name] for child in node.children}):
            start = self.rail_top(node)
            for is_pruned in (node.is_pruned, True):
                ends = [
                    self.y[child.name] + self.stub(child)
                    for child in node.children
                    if self.rails[child.name] == x
                    if not child.is_unseen and child.is_pruned <= is_pruned and not picture.is_bold(child)
                ]
                if max(ends, default=start) > start:
                    kind = "edge pruned" if is_pruned else "edge"
                    if start == self.rail_top(node) > self.bottom(node):
                        yield line((self.x[node.name], self.bottom(node)), (x, start), kind)
                    yield line((x, start), (x, max(ends)), kind)
                    start = max(ends)

    def bottom(self, node: PictureNode) -> float:
        """The vertical position at which the lines to the children of a node begin."""
        return self.y[node.name] + self.depth(node)

    def rail_top(self, node: PictureNode) -> float:
        """The vertical position at which the lines between the columns of a node's children begin."""
        return self.bottom(node) + (FALL / 2 if self.pairs[node.name] > 1 else 0.0)

    def stub(self, node: PictureNode) -> float:
        """The line that leads to a stacked node ends at this distance below the top of the node."""
        return MOVE - 4 if node.board is None else board_top(node) + node.size[1] / 2

    def edge(self, picture: Picture, node: PictureNode, child: PictureNode) -> Iterator[str]:
        """The line from a node to a child, or the stub of a branch that was cut."""
        start = self.x[node.name], self.bottom(node)
        end = self.x[child.name], self.y[child.name]
        is_bold, is_stacked = picture.is_bold(child), node.name in self.stacks
        if is_stacked:
            rail, top = self.rails[child.name], self.rail_top(node)
            side = 1 if end[0] < rail else -1
            end = end[0] + side * (child.size[0] / 2 + FRAME if child.board else extent(child)[1] + 2), end[1]
            end = end[0], end[1] + self.stub(child)
            corner = rail - side * BESIDE if is_bold else rail, end[1]
            if is_bold:  # the lines to the other children must stay visible next to it
                if top > start[1]:
                    yield line(start, (corner[0], top), "edge best")
                yield line((corner[0], top), corner, "edge best")
            start = corner
        look = " hidden" if child.shape == "hidden" else " best" if is_bold else " pruned" if child.is_pruned else ""
        yield line(start, end, f"edge{look}")
        if child.shape == "cut" or (child.is_pruned and not node.is_pruned):
            yield from slashes(start, end, is_stacked)

    def node(self, picture: Picture, node: PictureNode) -> Iterator[str]:
        """A node: its move, its window, its note, its shape and its value."""
        if faded := "pruned" if node.is_pruned else "dropped" if node.is_dropped else "":
            yield f'<g class="{faded}">'
        yield from self.board_node(picture, node) if node.board is not None else self.plain_node(picture, node)
        if faded:
            yield "</g>"

    def plain_node(self, picture: Picture, node: PictureNode) -> Iterator[str]:
        """Draw a mark, or a node that has no board."""
        x, y = self.x[node.name], self.y[node.name]
        note, middle = self.rows[node.name]
        is_mark = node.shape in ("cut", "hidden")
        best = " best" if picture.is_bold(node) else ""
        if node.edge:
            yield text(x, y + MOVE, node.edge, "small" if is_mark else f"move{best}")
        if is_mark:
            return
        if node.window:
            yield text(x, y + MOVE + LINE, picture.window(node), "small window")
        if node.note:
            yield text(x, y + note, node.note, "small")
        yield outline(node.shape, x, y + middle, self.halves[node.name], best + " here" * node.is_here)
        if node.value:
            at, anchor = (x, "") if node.shape == "leaf" else (x + HALF + 6, " start")
            yield text(at, y + middle + 5, picture.value(node), f"value{anchor}{best}")

    def board_node(self, picture: Picture, node: PictureNode) -> Iterator[str]:
        """Draw a node with a board. The move is above the board; the value, the window and the note are below."""
        x, y = self.x[node.name], self.y[node.name]
        (width, height), top = node.size, y + board_top(node)
        best = " best" if picture.is_bold(node) else ""
        if node.edge:
            yield text(x, y + MOVE - 2, node.edge, f"small move{best}")
        assert node.board is not None
        yield f'<g transform="translate({x - width / 2:.2f} {top:.2f})">{scaled_board(node.board, width)}</g>'
        box = f'x="{x - width / 2 - FRAME:.1f}" y="{top - FRAME:.1f}" width="{width + 2 * FRAME:.1f}"'
        yield f'<rect class="frame{best}{" here" * node.is_here}" {box} height="{height + 2 * FRAME:.1f}"/>'
        for row, (words, kind) in enumerate(lines_below(node)):
            shown = {"value": picture.value, "window": picture.window}.get(kind, lambda _, words=words: words)(node)
            style = f"value{best}" if kind == "value" else f"small {kind}"
            yield text(x, top + height + FRAME + LINE * (row + 1), typeset(shown), style)


def slashes(start: tuple[float, float], end: tuple[float, float], is_short: bool) -> Iterator[str]:
    """Two short lines that cross an edge. The angle to the edge is always 70 degrees."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = math.hypot(across, down) or 1.0
    half, apart, share = (5.0, 4.0, 0.55) if is_short else (7.0, 5.0, 0.6)
    x, y = half / length * (0.34 * across + 0.94 * down), half / length * (0.34 * down - 0.94 * across)
    for place in (share - apart / 2 / length, share + apart / 2 / length):
        at_x, at_y = start[0] + place * across, start[1] + place * down
        yield line((at_x - x, at_y - y), (at_x + x, at_y + y), "edge cut")


def legend_width(words: str) -> float:
    """The width of an entry in the legend. An entry is a shape with its name, or a text."""
    return 72.0 if words in LEGEND else text_width(words, SMALL) + 10


def board_top(node: PictureNode) -> float:
    """The distance between the top of a node and its board."""
    return (MOVE + 2 if node.edge else 0) + FRAME


def lines_below(node: PictureNode) -> list[tuple[str, str]]:
    """The texts below a board, and the kind of each text."""
    texts = ((node.value, "value"), (node.window, "window"), (node.note, "note"))
    return [(words, kind) for words, kind in texts if words]


def extent(node: PictureNode) -> Extent:
    """How far a node extends to the left and to the right. A worksheet and its solution have the same extents."""
    if node.shape == "stack":
        return node.size[0] / 2, node.size[0] / 2
    edge = text_width(node.edge, FONT if node.board is None else SMALL) * (BOLD if node.is_best else 1.0)
    if node.shape in ("cut", "hidden"):
        return text_width(node.edge, SMALL) / 2, text_width(node.edge, SMALL) / 2
    window = max(typeset(node.window), BLANK_WINDOW, key=text_width) if node.window else ""
    texts = max(edge, text_width(node.note, SMALL), text_width(window, SMALL), node.room[1])
    if node.board is not None:
        half = max(node.size[0] + 2 * FRAME, texts, value_width(node) if node.value or node.room[0] else 0.0) / 2
        return half, half
    half = max(texts / 2, half_width(node) + 2)
    return (half, half) if node.shape == "leaf" else (half, max(half, HALF + 7 + value_width(node)))


def text_width(words: str, size: float = FONT) -> float:
    """The estimated width of a text. The exact width is not known, because programs use different fonts."""
    return size * sum(0.36 if each in NARROW else 0.72 if each in WIDE else 0.58 for each in words)


def value_width(node: PictureNode) -> float:
    """The width of a value or, in a worksheet, of its blank. A value on the principal variation is bold."""
    width = text_width(typeset(node.value)) * (BOLD if node.is_best else 1.0)
    return max(width, text_width(BLANK_VALUE), node.room[0])


def half_width(node: PictureNode) -> float:
    """Half the width of a node's shape. The shape of a leaf is wide enough for the value inside."""
    return max(HALF - 2.0, value_width(node) / 2 + 3) if node.shape == "leaf" else HALF - 2.0


def outline(kind: str, x: float, y: float, half: float, best: str = "") -> str:
    """The shape of a node, drawn around its middle (x, y)."""
    if kind == "chance":
        return f'<circle class="shape{best}" cx="{x:.1f}" cy="{y:.1f}" r="{HALF}"/>'
    if kind in ("max", "min"):
        tip, base = (y - HALF, y + HALF) if kind == "max" else (y + HALF, y - HALF)
        points = f"M{x:.1f} {tip:.1f} L{x + HALF + 2:.1f} {base:.1f} H{x - HALF - 2:.1f} Z"
        return f'<path class="shape {kind}{best}" d="{points}"/>'
    size = f'width="{2 * half:.1f}" height="{2 * HALF - 4}"' + (' rx="5"' if kind == "player" else "")
    return f'<rect class="shape {kind}{best}" x="{x - half:.1f}" y="{y - HALF + 2:.1f}" {size}/>'
