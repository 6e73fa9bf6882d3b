"""A game's graph as an SVG image.

Whose turn it is shows in a position's shape, the best moves in the strength of the lines; colours only
add to that. The image follows the reader's light or dark scheme.
"""

import math
from collections.abc import Iterator
from xml.sax.saxutils import escape

from gamesearch.render.graph_layout import Layout, Point, Size, lay_out
from gamesearch.render.graph_picture import QUALITIES, Arrow, Picture, PictureNode

__all__ = ["svg_image"]

CHARACTER, LINE = 8.5, 17.0
"""The width of a character in a position, and from one line to the next."""
SMALL_CHARACTER, SMALL_LINE = 7.0, 15.0
"""The same of the labels of arrows and of the legend."""
MARGIN, PADDING = 20.0, 9.0
ROOF = 13.0
"""How high the roof of Max's house is."""
ELLIPSE = 1.36
"""How much larger an ellipse is than the text inside."""
BORDER = 4.0
"""Between the two borders of the end of a game."""
LOOP = 26.0
"""The room of a move that leads back to its own position."""
LABEL_PLACES = (0.5, 0.36, 0.64, 0.24, 0.76)
"""Where on its arrow's first stretch a label may stand, the best place first."""
NARROWEST = 560.0
"""The width of the image, at least, so that the legend has room."""
NARROWEST_TEXT = "0000"
"""Each position has room for so much, and so for the ends of some arrows."""
STYLE = """\
.graph { background: #fff }
.graph text { font-family: "DejaVu Sans Mono", ui-monospace, Menlo, Consolas, monospace; font-size: 14px;
  text-anchor: middle; white-space: pre; fill: #1b1d21 }
.graph .worth, .graph .title { font-weight: bold }
.graph .faint { fill: #8a8f99 }
.graph .small { font-size: 11.5px }
.graph .left { text-anchor: start }
.graph .ground { fill: #fff }
.graph .shape { fill: #f3f4f6; stroke: #1b1d21; stroke-width: 1.4 }
.graph .max .shape { fill: #d9f2e3 }
.graph .min .shape { fill: #f1dff6 }
.graph .start > .shape { stroke-width: 3 }
.graph .shape.inner { fill: none; stroke-width: 1.4 }
.graph .edge { fill: none; stroke: #1b1d21; stroke-width: 1.3 }
.graph .head { fill: #1b1d21 }
.graph .best .edge { stroke-width: 3 }
.graph .worse .edge { stroke-width: 0.9; stroke-dasharray: 5 4 }
.graph .best text { font-weight: bold }
@media (prefers-color-scheme: dark) {
  .graph { background: #16181c }
  .graph text { fill: #e9eaec }
  .graph .faint { fill: #8f96a3 }
  .graph .ground { fill: #16181c }
  .graph .shape { fill: #22252b; stroke: #e9eaec }
  .graph .max .shape { fill: #123a25 }
  .graph .min .shape { fill: #40204b }
  .graph .shape.inner { fill: none }
  .graph .edge { stroke: #e9eaec }
  .graph .head { fill: #e9eaec }
}"""


def svg_image(picture: Picture) -> str:
    """The image."""
    return Image(picture).text()


class Image:
    """Where everything stands, and how it is written."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.loops = [arrow for arrow in picture.arrows if arrow.source == arrow.target]
        self.arrows = [arrow for arrow in picture.arrows if arrow.source != arrow.target]
        self.sizes = [size_of(node) for node in picture.nodes]
        self.layout = self.laid_out()
        self.labels: list[str] = []
        self.labelled: list[tuple[Point, float]] = []
        """The middles and widths of the labels."""

    def laid_out(self) -> Layout:
        """The layout; a loop takes room on both sides of its node."""
        looped = {arrow.source for arrow in self.loops}
        sizes = [(w + 2 * LOOP * (number in looped), h) for number, (w, h) in enumerate(self.sizes)]
        return lay_out(sizes, [(arrow.source, arrow.target) for arrow in self.arrows])

    def text(self) -> str:
        """The whole image."""
        room = max(self.layout.width, NARROWEST, CHARACTER * len(self.picture.title))
        legend = list(self.legend(room))
        moves = [self.arrow(arrow, route) for arrow, route in zip(self.arrows, self.layout.routes, strict=True)]
        moves += [self.loop(arrow) for arrow in self.loops]
        top = MARGIN + LINE + SMALL_LINE
        foot = top + self.layout.height + 2 * SMALL_LINE
        width, height = room + 2 * MARGIN, foot + legend_height(legend) + MARGIN
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="img" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'width="{width:.0f}" height="{height:.0f}">',
            f"<title>{escape(self.picture.title)}</title>",
            f"<style>\n{STYLE}\n</style>",
            f'<rect class="ground" width="{width:.0f}" height="{height:.0f}"/>',
            words((MARGIN, MARGIN + 8), self.picture.title, "title left"),
            f'<g transform="translate({MARGIN + (room - self.layout.width) / 2:.1f} {top:.1f})">',
            *moves,
            *self.labels,
            *(self.node(number) for number in range(len(self.sizes))),
            "</g>",
            *(f'<g transform="translate({MARGIN + x:.1f} {foot + y:.1f})">{drawn}</g>' for x, y, drawn in legend),
            "</svg>",
        ]
        return "\n".join(lines) + "\n"

    # Positions. ----------------------------------------------------------------------------------
    def node(self, number: int) -> str:
        """A position: its shape, its board or notation, and its value."""
        node, (x, y) = self.picture.nodes[number], self.layout.centres[number]
        width, height = self.sizes[number]
        kinds = f"node {node.winner}" + (" start" if number < self.picture.starts else "")
        first = y - text_height(node) / 2 + LINE / 2 + roof_shift(node.shape)
        rows = [row_text((x, first + LINE * place), node, place) for place in range(len(node.rows))]
        worth = words((x, first + LINE * len(rows)), node.worth, "worth")
        about = f"<title>{escape(node.summary)}</title>"
        inside = "".join([about, outline(node.shape, (x, y), (width, height)), *rows, worth])
        return f'<g class="{kinds}" data-number="{number}">{inside}</g>'

    # Moves. --------------------------------------------------------------------------------------
    def arrow(self, arrow: Arrow, route: list[Point]) -> str:
        """The moves from one position to another."""
        ends = [self.at_shape(arrow.source, route[0]), *route[1:-1], self.at_shape(arrow.target, route[-1])]
        x, y = ends[-1]
        falls = 1 if ends[-2][1] < y else -1
        tip = f"M{x:.1f} {y:.1f} l-4.5 {-9 * falls} h9 z"
        ends[-1] = (x, y - 6 * falls)
        return self.moves(arrow, curve(ends), tip, self.label_place(arrow.label, ends[0], ends[1]))

    def loop(self, arrow: Arrow) -> str:
        """A move that leads back to its own position."""
        (x, y), width = self.layout.centres[arrow.source], self.sizes[arrow.source][0]
        x += width / 2
        line = f"M{x - 2:.1f} {y - 9:.1f} c{LOOP:.1f} -10 {LOOP:.1f} 28 8 18"
        return self.moves(arrow, line, f"M{x:.1f} {y + 9:.1f} l9 -4.5 v9 z", (x + LOOP / 2 + 4, y - 16))

    def moves(self, arrow: Arrow, line: str, tip: str, place: Point) -> str:
        """A line with its head; its label waits until all lines are drawn, to stand above them."""
        begins = f'<g class="move {arrow.quality}" data-from="{arrow.source}" data-to="{arrow.target}">'
        (x, y), width = place, SMALL_CHARACTER * len(arrow.label)
        ground = box(x - width / 2, y - SMALL_LINE / 2, (width, SMALL_LINE), "ground")
        self.labels.append(f"{begins}{ground}{words(place, arrow.label, 'small')}</g>")
        return f'{begins}<path class="edge" d="{line}"/><path class="head" d="{tip}"/></g>'

    def at_shape(self, number: int, port: Point) -> Point:
        """The end of an arrow at the shape itself, from one at the box around it."""
        (x, y), (width, height) = self.layout.centres[number], self.sizes[number]
        shape, off = self.picture.nodes[number].shape, min(max((port[0] - x) / (width / 2), -0.9), 0.9)
        is_above = port[1] < y
        inset = 0.0
        if shape == "chance":
            inset = height / 2 * (1 - math.sqrt(1 - off * off))
        elif (shape == "max" and is_above) or (shape == "min" and not is_above):
            inset = ROOF * abs(off)
        return x + off * width / 2, port[1] + (inset if is_above else -inset)

    def label_place(self, label: str, start: Point, end: Point) -> Point:
        """Where on the first stretch of an arrow its label covers the fewest others."""
        width = SMALL_CHARACTER * len(label)

        def covered(place: Point) -> int:
            return sum(
                abs(place[0] - x) < (width + other) / 2 + 2 and abs(place[1] - y) < SMALL_LINE - 2
                for (x, y), other in self.labelled
            )

        best = min((point_on(start, end, share) for share in LABEL_PLACES), key=covered)
        self.labelled.append((best, width))
        return best

    # The legend. ---------------------------------------------------------------------------------
    def legend(self, room: float) -> Iterator[tuple[float, float, str]]:
        """What the shapes and lines of this image mean: each entry with its place."""
        x = y = 0.0
        for drawn, text in self.legend_entries():
            indent = 34 if drawn else 0
            width = indent + SMALL_CHARACTER * len(text) + 18
            if x and x + width > room:
                x, y = 0.0, y + 1.6 * SMALL_LINE
            yield x, y, drawn + words((indent, 0), text, "small left")
            x += width

    def legend_entries(self) -> Iterator[tuple[str, str]]:
        """A drawing, or none, and its meaning."""
        for shape, text in self.picture.turns.items():
            yield outline(shape, (14, 0), (26, 20), roof=7, border=3), text
        for quality, text in QUALITIES.items():
            if any(arrow.quality == quality for arrow in self.picture.arrows) and quality != "outcome":
                yield f'<g class="{quality}"><path class="edge" d="M0 0 H28"/></g>', text
        if self.picture.example:
            yield "", self.picture.example


def legend_height(legend: list[tuple[float, float, str]]) -> float:
    """How high the legend is."""
    return max(y for _, y, _ in legend) + SMALL_LINE


# Shapes and texts. -------------------------------------------------------------------------------
def text_height(node: PictureNode) -> float:
    """The height of all lines in a position."""
    return LINE * (len(node.rows) + 1)


def roof_shift(shape: str) -> float:
    """How much lower than the middle the text stands: below a roof, above a point."""
    return {"max": ROOF / 2, "min": -ROOF / 2}.get(shape, 0.0)


def size_of(node: PictureNode) -> Size:
    """The width and height of a position's shape."""
    width = CHARACTER * max(len(text) for text in [*node.lines, node.worth, NARROWEST_TEXT]) + 2 * PADDING
    height = text_height(node) + PADDING
    if node.shape == "chance":
        return ELLIPSE * width, ELLIPSE * height
    return (width + 2 * BORDER, height + 2 * BORDER) if node.shape == "end" else (width, height + ROOF)


def outline(shape: str, centre: Point, size: Size, roof: float = ROOF, border: float = BORDER) -> str:
    """The shape of a position around its middle: a house, one on its head, an ellipse, or a double box."""
    (x, y), (half_width, half_height) = centre, (size[0] / 2, size[1] / 2)
    if shape == "chance":
        return f'<ellipse class="shape" cx="{x:.1f}" cy="{y:.1f}" rx="{half_width:.1f}" ry="{half_height:.1f}"/>'
    left, right, top, bottom = x - half_width, x + half_width, y - half_height, y + half_height
    if shape == "max":
        corners = [(x, top), (right, top + roof), (right, bottom), (left, bottom), (left, top + roof)]
    elif shape == "min":
        corners = [(x, bottom), (right, bottom - roof), (right, top), (left, top), (left, bottom - roof)]
    else:
        return box(left, top, size, "shape") + box(
            left + border, top + border, (size[0] - 2 * border, size[1] - 2 * border), "shape inner"
        )
    return f'<polygon class="shape" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in corners)}"/>'


def box(left: float, top: float, size: Size, kind: str) -> str:
    """A rectangle."""
    return f'<rect class="{kind}" x="{left:.1f}" y="{top:.1f}" width="{size[0]:.1f}" height="{size[1]:.1f}"/>'


def row_text(place: Point, node: PictureNode, number: int) -> str:
    """A row of a board, its empty fields faint."""
    cells = (
        f'<tspan class="faint">{escape(cell.text)}</tspan>' if cell.faint else escape(cell.text)
        for cell in node.rows[number]
    )
    return f'<text x="{place[0]:.1f}" y="{place[1] + 5:.1f}">{" ".join(cells)}</text>'


def words(place: Point, text: str, kind: str) -> str:
    """A text around, or from, a place."""
    return f'<text class="{kind}" x="{place[0]:.1f}" y="{place[1] + 4:.1f}">{escape(text)}</text>'


# Lines. ------------------------------------------------------------------------------------------
def curve(points: list[Point]) -> str:
    """A path that leaves and reaches each layer upright, and passes through layers straight."""
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for (x0, y0), (x1, y1) in zip(points[::2], points[1::2], strict=True):
        half = (y0 + y1) / 2
        parts.append(f"L{x0:.1f} {y0:.1f} C{x0:.1f} {half:.1f} {x1:.1f} {half:.1f} {x1:.1f} {y1:.1f}")
    return " ".join(parts)


def point_on(start: Point, end: Point, t: float) -> Point:
    """The point of such a curve at t, from 0 to 1."""
    near = (1 - t) ** 3 + 3 * (1 - t) ** 2 * t
    x = near * start[0] + (1 - near) * end[0]
    level = 3 * t * (1 - t) / 2
    y = start[1] * ((1 - t) ** 3 + level) + end[1] * (t**3 + level)
    return x, y
