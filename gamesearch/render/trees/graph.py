"""A table of values as a graph, in which each position is one node. Graphviz places the nodes and draws the edges."""

import re
from collections.abc import Iterator
from functools import cached_property
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from gamesearch.render.boards.svg import scaled_board
from gamesearch.render.exports.dot import dot_text
from gamesearch.render.formats.dot import draw_svg, image_size
from gamesearch.render.formats.svg import image
from gamesearch.render.trees.picture import Picture, PictureNode, TooLargeError

__all__ = ["GraphImage"]

STYLE = """\
svg { font-family: Helvetica, Arial, sans-serif; font-size: 14px; text-anchor: middle }
.start { text-anchor: start }
.dropped { opacity: 0.4 }
.words, .piece { dominant-baseline: central }
.piece { font-family: 'DejaVu Sans', 'Noto Sans Symbols 2', 'Segoe UI Symbol', sans-serif }"""
HERE = {"stroke": "#e07b00", "stroke-width": "3.2"}
BOLD = {"stroke-width": "3"}


class GraphImage:
    """The SVG text of a graph. Graphviz has computed the layout. The id of a node's SVG group is the name of the
    picture node, such as `n3`. The id of an edge contains the name of the picture node that the edge leads to, such as
    `to_n8`."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        drawn = draw_svg(dot_text(picture)).replace(' xmlns="http://www.w3.org/2000/svg"', "")
        self.size = image_size(drawn)
        """The width and the height of the image."""
        if picture.widest is not None and max(self.size) > picture.widest:
            raise TooLargeError(f"this graph would be {max(self.size):,.0f} pixels wide or high: draw a smaller part")
        self.drawn = re.sub('<title>.*?</title>|xmlns:xlink="[^"]*"', "", drawn)

    @cached_property
    def firsts(self) -> list[PictureNode]:
        """The picture nodes that are drawn: the first node of each position."""
        return [node for node in self.picture.nodes() if not node.same]

    def text(self) -> str:
        """The SVG text of the image."""
        return self.image(self.parts(), self.size)

    def image(self, parts: list[str], size: tuple[float, float]) -> str:
        """An SVG image that consists of the given parts."""
        return image(size, self.picture.title, STYLE, parts)

    def parts(self, picture: Picture | None = None) -> list[str]:
        """The parts of the image. `picture` can be another picture of the same graph, for example one that shows a
        moment of the search. All pictures of a graph have the same layout."""
        shown = picture or self.picture
        nodes = {node.name: node for node in shown.nodes()}
        here = {name for node in nodes.values() if node.is_here for name in (node.same or node.name, f"to_{node.name}")}
        best = {node.same or node.name for node in nodes.values() if shown.is_bold(node)}
        whole = ElementTree.fromstring(self.drawn).find("g")
        assert whole is not None
        headings = iter(shown.headings)
        groups = list[Element]()
        for part in list(whole):
            name = part.get("id", "")
            if part.tag == "text":
                part.text = next(headings, "")
            elif part.tag == "g" and (node := nodes.get(name.removeprefix("to_"))) is not None:
                whole.remove(part)
                if node.is_unseen:
                    continue
                is_edge = name.startswith("to_")
                look = HERE if name in here else BOLD if (shown.is_bold(node) if is_edge else name in best) else {}
                groups.append(part)
                shapes = [each for each in part.iter() if each.tag in ("polygon", "ellipse", "path")]
                for each in shapes:
                    each.attrib.pop("stroke-width", None)
                    each.attrib.update(look)
                if not is_edge and node.shape not in ("cut", "hidden"):
                    part.set("class", "position dropped" if node.is_dropped else "position")
                    left, top, right = area_of(shapes[0])
                    write_texts(shown, node, part, (left + right) / 2)
                    part[:0] = board(node, left, top, right - left)  # below the frame
        whole.extend(groups)
        return ['<rect width="100%" height="100%" fill="#fff"/>', ElementTree.tostring(whole, encoding="unicode")]


def area_of(frame: Element) -> tuple[float, float, float]:
    """The coordinates of the left, the top and the right end of a polygon or an ellipse."""
    if frame.tag == "ellipse":
        x, y, across, down = (float(frame.get(name, 0)) for name in ("cx", "cy", "rx", "ry"))
        return x - across, y - down, x + across
    corners = [list(map(float, point.split(","))) for point in frame.get("points", "").split()]
    return min(x for x, _ in corners), min(y for _, y in corners), max(x for x, _ in corners)


def write_texts(picture: Picture, node: PictureNode, group: Element, middle: float) -> None:
    """Write a node's value and window into the node's SVG group. Both texts are centered at `middle`."""
    texts = list(group.iter("text"))
    at = next(place for place, text in enumerate(texts) if text.get("font-weight") == "bold")
    for text, words in zip(texts[at:], (picture.value(node), picture.window(node)), strict=False):
        text.text = words
        text.attrib |= {"text-anchor": "middle", "x": f"{middle:.2f}"}


def board(node: PictureNode, left: float, top: float, width: float) -> Iterator[Element]:
    """The drawing of a node's board inside its frame."""
    if node.board is not None:
        place = f'<g transform="translate({left:.2f} {top:.2f})">'
        yield ElementTree.fromstring(f"{place}{scaled_board(node.board, width)}</g>")
