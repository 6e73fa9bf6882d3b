"""A searched tree as an SVG image: black on white, whatever is behind it.

The layout is compact, no two nodes overlap, and each parent is above the middle of its children. After Reingold and
Tilford, "Tidier drawings of trees" (1981): every subtree is laid out by itself and then pushed against its left
siblings until their contours leave a gap at each level.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from gamesearch.algorithms.engine.formatting import typeset
from gamesearch.render.svg import image, line, text
from gamesearch.render.trees.picture import BLANK_VALUE, BLANK_WINDOW, Picture, PictureNode, TooLargeError, picture_of
from gamesearch.trace.recording import Recording

__all__ = ["export", "tidy"]

Extent = tuple[float, float]
"""How far a node reaches to the left and to the right of its middle."""


@dataclass(slots=True)
class Contour:
    """The outline of a subtree, seen from the middle of its root: its left and right end at each level."""

    left: list[float] = field(default_factory=list)
    right: list[float] = field(default_factory=list)

    def distance(self, other: "Contour") -> float:
        """How far to the right another outline must stand so that the two just touch."""
        return max((right - left for right, left in zip(self.right, other.left, strict=False)), default=0.0)

    def add(self, other: "Contour", shift: float) -> None:
        """Take in another outline, which stands to the right by `shift`."""
        common = len(self.right)
        self.right[: len(other.right)] = [right + shift for right in other.right]
        self.left += [left + shift for left in other.left[common:]]


def tidy(nodes: list[PictureNode], extent: Callable[[PictureNode], Extent], gap: float) -> dict[str, float]:
    """The middle of each node by its name, from 0 on; `nodes` has each before its children."""
    contours: dict[str, Contour] = {}
    shifts: dict[str, float] = {}
    for node in reversed(nodes):
        below = Contour()
        for child in node.children:
            outline = contours.pop(child.name)
            shifts[child.name] = below.distance(outline) + gap if below.right else 0.0
            below.add(outline, shifts[child.name])
        middle = (shifts[node.children[0].name] + shifts[node.children[-1].name]) / 2 if node.children else 0.0
        for child in node.children:
            shifts[child.name] -= middle
        left, right = extent(node)
        contours[node.name] = Contour(
            [-left, *(end - middle for end in below.left)], [right, *(end - middle for end in below.right)]
        )
    places = {nodes[0].name: -min(contours[nodes[0].name].left)}
    for node in nodes:
        for child in node.children:
            places[child.name] = places[node.name] + shifts[child.name]
    return places


WIDEST = 32_767
"""Pixels: what draws SVG images (cairo, browsers) counts them with 16 bits."""
CHARACTER, SMALL = 8.0, 6.4
"""Widths of a character: of values and moves, of windows and notes. Estimated, as each reader has its own font."""
MARGIN, GAP = 16, 12
MOVE, LINE = 12, 13
"""How far below the top of a node its move stands, and from one line of text to the next."""
HALF = 13
"""Half the height of a shape."""
FALL = 36
"""From the foot of a shape to the tops of its children."""
LEGEND = {"max": "Max", "min": "Min", "chance": "chance", "leaf": "leaf"}
STYLE = """\
text { font-family: Helvetica, Arial, sans-serif; font-size: 14px; fill: #000; text-anchor: middle }
.small { font-size: 11px }
.start { text-anchor: start }
.shape { fill: #fff; stroke: #000; stroke-width: 1.2 }
.edge { fill: none; stroke: #000; stroke-width: 1.2 }
.hidden { stroke-dasharray: 2 4 }
.best { stroke-width: 3.2; font-weight: bold }"""


def export(recording: Recording, blank: bool = False) -> str:
    """The tree as an SVG image; raises GamesearchError if it is too large."""
    return Image(picture_of(recording, blank)).text()


class Image:
    """Where everything stands, and how it is written."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.nodes = list(picture.nodes())
        has_window, has_note = any(node.window for node in self.nodes), any(node.note for node in self.nodes)
        self.note = MOVE + LINE * (1 + has_window)
        """How far below the top of a node its note stands, and the middle of its shape."""
        self.middle = MOVE + LINE * (has_window + has_note) + HALF + 6
        self.x = tidy(self.nodes, extent, GAP)
        self.y = {picture.root.name: 64.0}
        for node, child in picture.edges():
            self.y[child.name] = self.y[node.name] + self.middle + HALF + FALL

    def text(self) -> str:
        """The whole image."""
        tree_width = max(self.x[node.name] + extent(node)[1] for node in self.nodes)
        heading_width = max(200.0, CHARACTER * len(self.picture.title), CHARACTER * len(self.picture.caption))
        width = max(tree_width, heading_width) + 2 * MARGIN
        height = max(self.y[node.name] + self.depth(node) for node in self.nodes) + MARGIN
        if max(width, height) > WIDEST:
            raise TooLargeError(
                f"this tree would be {max(width, height):,.0f} pixels large, and an SVG image can have {WIDEST:,}: "
                "draw less of it"
            )
        centre = MARGIN + max(0.0, (heading_width - tree_width) / 2)
        parts = [
            '<rect width="100%" height="100%" fill="#fff"/>',
            *(text(MARGIN, 22 + 18 * row, each, "start") for row, each in enumerate(self.picture.headings)),
            *self.legend(58),
            f'<g transform="translate({centre:.1f} 0)">',
            *(each for node, child in self.picture.edges() for each in self.edge(node, child)),
            *(each for node in self.nodes for each in self.node(node)),
            "</g>",
        ]
        return image((width, height), self.picture.title, STYLE, parts)

    def depth(self, node: PictureNode) -> float:
        """How far below its top a node reaches."""
        return MOVE if node.shape in ("cut", "hidden") else self.middle + HALF

    def legend(self, y: float) -> Iterator[str]:
        """The meaning of the shapes of this tree."""
        used = {node.shape for node in self.nodes}
        for place, kind in enumerate(kind for kind in LEGEND if kind in used):
            x = MARGIN + 8 + 72 * place
            yield f'<g transform="translate({x} {y - 4}) scale(0.5)">{outline(kind, 0, 0, 11)}</g>'
            yield text(x + 12, y, LEGEND[kind], "small start")

    def edge(self, node: PictureNode, child: PictureNode) -> Iterator[str]:
        """The line from a node to a child, or the stub of a branch that was cut."""
        x1, y1 = self.x[node.name], self.y[node.name] + self.middle + HALF
        x2, y2 = self.x[child.name], self.y[child.name]
        kind = " hidden" if child.shape == "hidden" else " best" if self.picture.is_bold(child) else ""
        yield line((x1, y1), (x2, y2), f"edge{kind}")
        for share in (0.55, 0.68) if child.shape == "cut" else ():
            x, y = x1 + share * (x2 - x1), y1 + share * (y2 - y1)
            yield line((x - 7, y + 3), (x + 7, y - 3), "edge cut")

    def node(self, node: PictureNode) -> Iterator[str]:
        """A node: its move, its window, its note, its shape and its value."""
        x, y = self.x[node.name], self.y[node.name]
        is_mark = node.shape in ("cut", "hidden")
        best = " best" if self.picture.is_bold(node) else ""
        if node.edge:
            yield text(x, y + MOVE, node.edge, "small" if is_mark else f"move{best}")
        if is_mark:
            return
        if node.window:
            yield text(x, y + MOVE + LINE, typeset(self.picture.window(node)), "small window")
        if node.note:
            yield text(x, y + self.note, node.note, "small")
        yield outline(node.shape, x, y + self.middle, half_width(node), best)
        if node.value:
            at, anchor = (x, "") if node.shape == "leaf" else (x + HALF + 6, " start")
            yield text(at, y + self.middle + 5, typeset(self.picture.value(node)), f"value{anchor}{best}")


def extent(node: PictureNode) -> Extent:
    """The extent of a node; a worksheet and its solution have the same layout."""
    if node.shape in ("cut", "hidden"):
        return SMALL * len(node.edge) / 2, SMALL * len(node.edge) / 2
    window = max(len(typeset(node.window)), len(BLANK_WINDOW)) if node.window else 0
    half = max(CHARACTER * len(node.edge) / 2, SMALL * max(len(node.note), window) / 2, half_width(node) + 2)
    return (half, half) if node.shape == "leaf" else (half, max(half, HALF + 7 + value_width(node)))


def value_width(node: PictureNode) -> float:
    """The room for a value or for the blank of a worksheet."""
    return CHARACTER * max(len(typeset(node.value)), len(BLANK_VALUE))


def half_width(node: PictureNode) -> float:
    """Half the width of a node's shape; a leaf's value stands inside."""
    return max(HALF - 2.0, value_width(node) / 2 + 3) if node.shape == "leaf" else HALF - 2.0


def outline(kind: str, x: float, y: float, half: float, best: str = "") -> str:
    """The shape of a node around its middle."""
    if kind == "chance":
        return f'<circle class="shape{best}" cx="{x:.1f}" cy="{y:.1f}" r="{HALF}"/>'
    if kind in ("max", "min"):
        tip, base = (y - HALF, y + HALF) if kind == "max" else (y + HALF, y - HALF)
        points = f"M{x:.1f} {tip:.1f} L{x + HALF + 2:.1f} {base:.1f} H{x - HALF - 2:.1f} Z"
        return f'<path class="shape {kind}{best}" d="{points}"/>'
    size = f'width="{2 * half:.1f}" height="{2 * HALF - 4}"' + (' rx="5"' if kind == "player" else "")
    return f'<rect class="shape {kind}{best}" x="{x - half:.1f}" y="{y - HALF + 2:.1f}" {size}/>'
